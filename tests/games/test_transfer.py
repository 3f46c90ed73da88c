"""Whole games: out as far as the caller sees them, in again with nobody's token, and gone."""

from __future__ import annotations

from typing import Any

import pytest

from service.usecases.games import epochs, seats, transfer
from service.usecases.games.desk import Asked

from .conftest import refused
from .toy_games import Hall

KEY = "k" * 22


def _export(hall: Hall, who: str = "gm") -> dict[str, Any]:
    return transfer.export(hall.desk(), hall.asked(who))


def _import(hall: Hall, document: Any, key: str | None = None) -> dict[str, Any]:
    return transfer.import_game(hall.desk(), document, key, "mark", "New GM").answer


def test_a_game_goes_on_from_its_export(hall: Hall) -> None:
    hall.clock("gm", "Alarm", filled=2)
    hall.strikes("a", "b")
    hall.until_the_end()
    made = _import(hall, _export(hall))
    new = hall.desk().at(Asked(made["id"], made["token"]))
    old = hall.desk().at(hall.asked("gm"))
    assert new.standing.game == old.standing.game and new.head.game != old.head.game
    assert (new.standing.table.clocks, new.standing.table.cast) == (old.standing.table.clocks, old.standing.table.cast)
    assert [chair.taken for chair in new.standing.table.seats.values()] == [False, False, True]
    assert new.standing.commitment != old.standing.commitment


def test_old_tokens_do_not_open_the_new_game(hall: Hall) -> None:
    made = _import(hall, _export(hall))
    for who in ("gm", "a"):
        with refused("unknown_game", 404):
            hall.desk().at(Asked(made["id"], hall.asked(who).token))
    asked = Asked(made["id"], made["token"])
    code = seats.reinvite(hall.desk(), asked, "a").answer["invite"]
    taken = hall.redeems(code)
    assert taken["game"] == made["id"] and hall.desk().at(Asked(made["id"], taken["token"])).seat.plays("a")


def test_the_open_command_and_what_is_sealed_stay_behind(hall: Hall) -> None:
    hall.wagers("a", "b")
    before = _export(hall)["state"]
    assert before["wagers"] == {}
    hall.strikes("a", "b")
    assert _export(hall)["state"] == before


def test_players_take_out_what_they_see(hall: Hall) -> None:
    hall.wagers("a", "b")
    hall.clock("gm", "Doom", hidden=True)
    document = _export(hall, "b")
    assert document["format"] == "ninja-rules/view/1" and document["view"] == hall.view("b")
    assert "Doom" not in str(document) and "wager" not in str(document["log"])
    with refused("bad_export"):
        _import(hall, document)


def test_hidden_clocks_stay_hidden_in_the_new_game(hall: Hall) -> None:
    hall.clock("gm", "Doom", hidden=True)
    made = _import(hall, _export(hall))
    asked = Asked(made["id"], made["token"])
    token = hall.redeems(seats.reinvite(hall.desk(), asked, "a").answer["invite"])["token"]
    assert "Doom" not in str(transfer.export(hall.desk(), Asked(made["id"], token)))
    assert "Doom" in str(transfer.export(hall.desk(), asked)["clocks"])


def test_the_same_import_gives_the_same_game_once(hall: Hall) -> None:
    document = _export(hall)
    assert _import(hall, document, KEY) == _import(hall, document, KEY)


@pytest.mark.parametrize(
    "changes",
    [
        {"format": "ninja-rules/game/2"},
        {"system": "unheard"},
        {"system": 3},
        {"state": {}},
        {"state": None},
        {"state": {"turn": "nobody", "ninja": {"a": {}}}},
        {"state": {"turn": "a", "ninja": {"a": {"life": "3"}}}},
        {"state": {"turn": "a", "ninja": {"a": {}}, "agenda": [{"type": "end_go"}]}},
        {"state": {"turn": "a", "ninja": {"a": {}}, "agenda": [{"type": "unheard"}]}},
        {"options": {"dice": "loaded"}},
        {"seats": {"x": {"name": "X", "role": "king"}}},
        {"seats": {"x": {"name": "", "role": "player"}}},
        {"seats": {str(at): {"name": "X", "role": "player"} for at in range(60)}},
        {"clocks": {"x": {"name": "X", "segments": 0}}},
        {"clocks": {"x": {"name": "X", "segments": 4, "filled": 5}}},
        {"title": "x" * 201},
    ],
)
def test_every_misfit_is_refused(hall: Hall, changes: dict[str, Any]) -> None:
    with refused("bad_export"):
        _import(hall, {**_export(hall), **changes})


@pytest.mark.parametrize("document", [None, 3, [], "x", {}])
def test_what_is_no_export_is_refused(hall: Hall, document: Any) -> None:
    with refused("bad_export"):
        _import(hall, document)


def test_only_the_gm_deletes_and_then_it_is_gone(hall: Hall) -> None:
    code = hall.invites()["invite"]
    with refused("not_gm"):
        transfer.delete(hall.desk(), hall.asked("a"))
    desk = hall.desk()
    desk.at(hall.asked("a"))
    transfer.delete(desk, hall.asked("gm"))
    for who in ("a", "gm"):
        with refused("unknown_game", 404):
            desk.at(hall.asked(who))
    with refused("unknown_invite", 404):
        hall.redeems(code)


def test_a_closed_game_can_still_be_taken_out(hall: Hall) -> None:
    epochs.close(hall.desk(), hall.asked("gm"), "gm")
    made = _import(hall, _export(hall))
    assert not hall.desk().at(Asked(made["id"], made["token"])).standing.table.closed
