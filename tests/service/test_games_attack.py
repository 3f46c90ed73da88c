"""What a cheating player and a careless GM try: each test is something that once went through."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from service.app import create_app
from service.settings import Settings
from service.usecases.games.answering import MOST_STANDING_ANSWERS

from .table import Seated

RATINGS = {"intellect": 1, "wits": 2, "strength": 2, "agility": 2, "tenacity": 1, "charisma": 1}


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Seated]:
    app = create_app(Settings(rate=0, data=tmp_path))
    table = Seated(app.test_client(), "shinobido")
    table.sits("a", "player")
    table.sits("b", "player")
    yield table
    app.extensions["ninja_rules.desk"].games.close()


def keeps(table: Seated, who: str, topic: str) -> int:
    body = {"topic": topic, "answer": {"action": "pass"}}
    return table.send("PUT", "/standing-answers", who, body).status_code


def test_how_many_standing_answers_one_keeps_says_nothing_of_others(table: Seated) -> None:
    assert keeps(table, "gm", "kept secret") == 200
    told = [keeps(table, "a", f"topic {at}") for at in range(MOST_STANDING_ANSWERS + 1)]
    assert told == [200] * MOST_STANDING_ANSWERS + [422]
    assert keeps(table, "a", "topic 0") == 200  # in place of the one before
    assert keeps(table, "b", "topic 0") == 200  # and nobody takes others' room


def test_who_brings_a_character_for_a_seat_hands_over_no_other(table: Seated) -> None:
    npc = {"id": "spy", "name": "Spy", "kind": "npc", "attributes": RATINGS}
    made = table.post("/commands", "gm", {"command": "create_character", "params": {"sheet": npc}})
    assert made.status_code == 200, made.text
    sheet = {"id": "cy", "name": "Cy", "attributes": RATINGS}
    brought = table.post("/characters", "gm", {"character": sheet, "seat": table.seats["b"]})
    assert brought.status_code == 200, brought.text
    assert table.view("b")["you"]["characters"] == ["cy"]
    assert table.get("/characters/cy/export", "b").status_code == 200
    assert table.get("/characters/spy/export", "b").status_code == 404


def export(table: Seated) -> dict[str, object]:
    table.post("/characters", "gm", {"character": {"id": "cy", "name": "Cy", "attributes": RATINGS}})
    document: dict[str, object] = table.get("/export").json
    return {name: value for name, value in document.items() if name != "log"}


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("cast.cy.wounds", -1),
        ("cast.cy.edges", ["no such edge"]),
        ("cast.cy.attributes", {"no such": 2**70}),
        ("agenda", [{"type": "next_turn"}]),
        ("fight", {"sides": {"x": ["nobody"], "y": ["cy"]}, "order": ["nobody"], "turn": "nobody"}),
        ("open_action", {"who": "nobody", "message": {"type": "no such"}}),
        ("story.secrets", [{"id": 1}]),
    ],
)
def test_absurd_states_come_in_playable_or_not_at_all(table: Seated, path: str, value: object) -> None:
    document = export(table)
    at = document["state"]
    *before, last = path.split(".")
    for name in before:
        at = at[name]  # type: ignore[index]
    at[last] = value  # type: ignore[index]
    told = table.client.post("/v1/games/import", json=document)
    assert told.status_code in (201, 422), told.text
    if told.status_code == 201:
        for route in ("", "/offers?odds=true", "/characters", "/export"):
            headers = {"Authorization": f"Bearer {told.json['token']}"}
            assert table.client.get(f"/v1/games/{told.json['id']}{route}", headers=headers).status_code == 200


def test_odd_names_in_paths_are_not_found_and_no_more(table: Seated) -> None:
    odd = ("%00", "..%2f", "\u202e", "x" * 3_000, "%0d%0aX:1")
    for one in odd:
        for route in (f"/characters/{one}/export", f"/seats/{one}", f"/clocks/{one}"):
            for method in ("GET", "PATCH", "DELETE"):
                told = table.send(method, route, "gm", None if method == "GET" else {})
                assert 400 <= told.status_code < 500 and told.content_type.startswith("application/problem+json")
    assert table.get("").status_code == 200


def test_what_is_somebody_elses_opens_nothing(table: Seated) -> None:
    foreign, mark = table.view("gm")["cursor"], table.etag("gm")
    for route in ("/events", "/log"):
        assert table.get(f"{route}?after={foreign}", "a").status_code == 422
    assert table.post("/undo", "a", {"to": foreign}).json["code"] == "not_gm"
    key, body = "k" * 22, {"name": "Doom", "segments": 4, "hidden": True}
    assert table.post("/clocks", "gm", body, Idempotency_Key=key).status_code == 201
    own = table.post("/clocks", "a", body, Idempotency_Key=key)
    assert own.status_code == 201 and own.json["id"].startswith(table.seats["a"])
    assert table.get("", "a", If_None_Match=mark).status_code == 200


def test_nobody_floods_a_game_with_characters(table: Seated, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.usecases.games.answering.MOST_OWN_CHARACTERS", 2)
    monkeypatch.setattr("service.usecases.games.answering.MOST_CHARACTERS", 4)
    body = {"character": {"name": "Cy", "attributes": RATINGS}}
    assert [table.post("/characters", "a", body).status_code for _ in range(3)] == [200, 200, 422]
    assert [table.post("/characters", "gm", body).status_code for _ in range(3)] == [200, 200, 422]
    assert table.post("/characters", "b", body).status_code == 200  # learns nothing of how many there are
    document = export(table)
    one = document["state"]["cast"]["Cy"]  # type: ignore[index]
    document["state"]["cast"] = {f"c{at}": {**one, "id": f"c{at}"} for at in range(301)}  # type: ignore[index]
    assert table.client.post("/v1/games/import", json=document).json["code"] == "bad_export"


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("cast.cy.edges", ["zz"]),
        ("cast.cy.attributes", {"strength": "x"}),
        ("cast.cy.status", "flying"),
        ("cast.cy", None),
        ("cast", {}),
        ("cast.nobody.wounds", 1),
        ("fight", {"sides": {"x": ["nobody"], "y": ["cy"]}, "order": ["nobody"], "turn": "nobody"}),
        ("fight", {"sides": {"x": ["cy"]}, "order": ["cy"], "turn": "cy", "round": -(2**70)}),
        ("hidden", ["nobody"]),
        ("story.secrets", [{"id": "x", "who": "nobody", "attribute": "wits", "total": 1}]),
        ("story.assists", {"nobody": ["cy"]}),
        ("open_action", {"who": "cy", "message": {"type": "pass"}}),
        ("open_action.message", {"type": "pass"}),
        ("agenda", [{"type": "next_turn"}]),
        ("a." * 99 + "b", 1),
    ],
)
def test_no_override_breaks_a_game(table: Seated, path: str, value: object) -> None:
    export(table)
    body = {"command": "gm_set", "params": {"path": path, "value": value, "reason": "try"}}
    assert table.post("/commands", "gm", body).status_code in (200, 422)
    for who in ("gm", "a"):
        for route in ("", "/offers?odds=true", "/characters", "/export"):
            assert table.get(route, who).status_code == 200
