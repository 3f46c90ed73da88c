"""Characters: listed as far as they are known, out for who plays them, in by the system's own command."""

from __future__ import annotations

from pathlib import Path

import pytest

from service.store.cache import Cache
from service.store.games import Games
from service.usecases.catalogue import Catalogue
from service.usecases.games import answering, characters, opening, transfer
from service.usecases.games.characters import Arrival
from service.usecases.games.desk import Asked, Desk
from systems.core.system import installed

from .conftest import refused
from .toy_games import Hall

SHEET = {"who": "c", "life": 2}


def test_all_see_who_plays_whom(hall: Hall) -> None:
    found = characters.listed(hall.desk(), hall.asked("b"))["characters"]
    assert [(one["id"], one["seat"], one["owner"]) for one in found] == [("a", "a", "A"), ("b", "b", "B")]


def test_a_character_goes_out_and_comes_in(hall: Hall) -> None:
    document = characters.exported(hall.desk(), hall.asked("a"), "a")
    assert document["format"] == "ninja-rules/character/1" and document["character"] == {"who": "a", "life": 3}
    with refused("name_taken"):
        characters.arrive(hall.desk(), hall.asked("a"), Arrival(document))
    document["character"]["who"] = "d"
    reply = characters.arrive(hall.desk(), hall.asked("a"), Arrival(document)).answer
    assert [one["type"] for one in reply["events"]] == ["joined", "CastChanged"]
    assert hall.view("a")["you"]["characters"] == ["a", "d"]


@pytest.mark.parametrize(("who", "character"), [("b", "a"), ("b", "nobody"), ("gm", "nobody"), ("a", "b")])
def test_only_who_speaks_for_it_takes_it_out(hall: Hall, who: str, character: str) -> None:
    with refused("unknown_character", 404):
        characters.exported(hall.desk(), hall.asked(who), character)


def test_the_gm_brings_in_for_others(hall: Hall) -> None:
    with refused("not_gm"):
        characters.arrive(hall.desk(), hall.asked("a"), Arrival(SHEET, "b"))
    with refused("unknown_seat"):
        characters.arrive(hall.desk(), hall.asked("gm"), Arrival(SHEET, "s_none"))
    characters.arrive(hall.desk(), hall.asked("gm"), Arrival(SHEET, "b"))
    assert hall.view("b")["you"]["characters"] == ["b", "c"]
    characters.arrive(hall.desk(), hall.asked("gm"), Arrival({"who": "npc", "life": 1}))
    assert hall.desk().at(hall.asked("gm")).standing.table.player_of("npc") == "gm"


def test_what_is_no_sheet_is_refused(hall: Hall) -> None:
    with refused("invalid"):
        characters.arrive(hall.desk(), hall.asked("a"), Arrival({"who": 3}))
    foreign = {"format": "ninja-rules/character/1", "system": "origins", "character": SHEET}
    for wrong in (foreign, {**foreign, "format": "x/1"}):
        with refused("bad_export"):
            characters.arrive(hall.desk(), hall.asked("a"), Arrival(wrong))


def test_nobody_comes_in_while_a_question_is_open(hall: Hall) -> None:
    hall.strikes("a", "b")
    with refused("decision_pending"):
        characters.arrive(hall.desk(), hall.asked("a"), Arrival(SHEET))


def test_a_character_of_a_real_system_moves_to_another_game(tmp_path: Path) -> None:
    desk = Desk(Games(f"sqlite:///{tmp_path}/games.db", Cache("")), Catalogue(installed()))
    system = desk.catalogue.system("shinobido")
    table, switches = opening.options_of(desk, system, {})
    games = []
    for _ in range(2):
        new = opening.Opening(system, "Night", "Narrator", table, system.new_game(switches), None, "m")
        made = opening.create(desk, new).answer
        games.append(Asked(made["id"], made["token"]))
    first, second = games
    answering.command(desk, first, "create_character", {"template": "guard", "called": "Goro"})
    (listed,) = characters.listed(desk, first)["characters"]
    assert listed == {"id": "Goro", "name": "guard", "seat": "gm", "owner": "Narrator"}
    document = characters.exported(desk, first, "Goro")
    characters.arrive(desk, second, Arrival(document))
    moved = characters.exported(desk, second, characters.listed(desk, second)["characters"][0]["id"])
    assert moved["character"] | {"id": ""} == document["character"] | {"id": ""}
    copied = transfer.import_game(desk, transfer.export(desk, first), None, "", "GM").answer
    whole = transfer.export(desk, Asked(copied["id"], copied["token"]))
    assert whole["state"] == transfer.export(desk, first)["state"]
