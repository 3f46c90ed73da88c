"""The table over HTTP: seats, invites, tokens, clocks, epochs, characters, whole games out and in."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from service.api.http import MAX_BODY, MAX_IMPORT
from service.app import create_app
from service.settings import Settings
from systems.core.dice import Pool, SeededDice
from systems.core.seats import Seat
from tests.core.toy import Fight, calls
from tests.games.playing import Playable

from .conftest import is_problem
from .table import KEY, Seated


class WithSheets(Playable):
    """Characters go out as JSON; none come in."""

    def sheet_of(self, game: Fight, character: str) -> Any:
        return {"name": character, "charms": game.ninja[character].charms}

    def characters_seen(self, game: Fight, seat: Seat) -> tuple[str, ...]:
        return self.characters(game)


SYSTEM = WithSheets("scuffle", "tests.core", calls)


@pytest.fixture
def games(tmp_path: Path) -> FlaskClient:
    return create_app(Settings(rate=0, data=tmp_path), {"scuffle": SYSTEM}).test_client()


@pytest.fixture
def table(games: FlaskClient) -> Seated:
    return Seated(games).all_sit()


def test_seats_are_added_taken_and_listed(table: Seated) -> None:
    listed = table.get("/seats", "watcher")
    assert listed.headers["Cache-Control"] == "private, no-store"
    shown = {one["name"]: (one["role"], one["taken"], one["characters"]) for one in listed.json["seats"]}
    assert shown == {
        "GM": ("gm", True, []), "a": ("player", True, ["a"]), "b": ("player", True, ["b"]),
        "watcher": ("spectator", True, []),
    }  # fmt: skip
    is_problem(table.post("/seats", "a", {"name": "c"}), 422, "illegal")
    found = is_problem(table.post("/seats", "gm", {"name": "", "role": "king", "x": 1}), 422, "invalid")
    assert {one["field"] for one in found["errors"]} == {"name", "role", "x"}


def test_an_invite_works_once_and_its_key_tells_the_token_again(table: Seated) -> None:
    added, again = (table.post("/seats", "gm", {"name": "c"}, Idempotency_Key=KEY) for _ in range(2))
    assert added.json == again.json and again.headers["Idempotency-Replayed"] == "true"
    assert added.headers["Location"] == f"/v1/games/{table.id}/seats/{added.json['seat']}"
    path, key = f"/v1/invites/{added.json['invite']}", {"Idempotency-Key": KEY}
    first, replayed = (table.client.post(path, headers=key) for _ in range(2))
    assert first.json["token"] == replayed.json["token"] and replayed.headers["Idempotency-Replayed"] == "true"
    assert table.get("", first.json["token"]).json["you"]["name"] == "c"
    is_problem(table.client.post(path), 422, "invite_spent")
    is_problem(table.client.post("/v1/invites/i_nothing"), 404, "unknown_invite")
    is_problem(table.client.post("/v1/invites/%ff%00", json={}), 404, "unknown_invite")
    is_problem(table.client.post(path, json={"token": "x"}), 422, "invalid")
    is_problem(table.client.get(path), 405, "wrong_method")


def test_a_seat_is_changed_invited_again_and_removed(table: Seated) -> None:
    seat, old = table.seats["a"], table.tokens["a"]
    changed = table.send("PATCH", f"/seats/{seat}", "a", {"name": "Aki"})
    assert changed.status_code == 200 and table.view("a")["you"]["name"] == "Aki"
    is_problem(table.send("PATCH", f"/seats/{seat}", "a", {"role": "gm"}), 422, "illegal")
    is_problem(table.send("PATCH", f"/seats/{seat}", "gm", {"stranger": 1}), 422, "invalid")
    again = table.post(f"/seats/{seat}/invite", "gm")
    assert again.json["invite"].startswith("i_")
    is_problem(table.get("", old), 404, "unknown_game")
    token = table.client.post(f"/v1/invites/{again.json['invite']}").json["token"]
    assert table.get("", token).status_code == 200
    assert "SeatReinvited" in [one["type"] for one in table.get("/events", "b").json["events"]]
    assert table.send("DELETE", f"/seats/{seat}", "gm").status_code == 200
    is_problem(table.get("", token), 404, "unknown_game")
    is_problem(table.send("DELETE", f"/seats/{seat}", "gm"), 404, "unknown_seat")
    is_problem(table.send("DELETE", "/seats/gm", "gm"), 422, "last_gm")


def test_a_token_is_renewed(table: Seated) -> None:
    old = table.tokens["a"]
    fresh = table.post("/seats/me/token", "a", Idempotency_Key=KEY)
    assert table.post("/seats/me/token", "a", Idempotency_Key=KEY).json["token"] == fresh.json["token"]
    is_problem(table.get("", old), 404, "unknown_game")
    assert table.get("", fresh.json["token"]).json["you"]["seat"] == table.seats["a"]


def test_clocks(table: Seated) -> None:
    made = table.post("/clocks", "gm", {"name": "Alarm", "segments": 4, "overflow": "carry"})
    assert made.status_code == 201
    place = made.headers["Location"].removeprefix(f"/v1/games/{table.id}")
    assert table.post(f"{place}/tick", "gm").json["clock"]["filled"] == 1
    ticked = table.post(f"{place}/tick", "gm", {"ticks": 9}, Idempotency_Key=KEY)
    assert (ticked.json["clock"]["filled"], ticked.json["fills"], ticked.json["lost"]) == (2, 2, 0)
    assert table.post(f"{place}/tick", "gm", {"ticks": 9}, Idempotency_Key=KEY).json == ticked.json
    listed = table.get("/clocks", "a")
    assert listed.json["clocks"][made.json["id"]]["filled"] == 2
    assert listed.headers["Cache-Control"] == "private, no-store"
    changed = table.send("PATCH", place, "gm", {"name": "Bells"})
    assert changed.json["clock"]["name"] == "Bells"
    for ticks in (0, 1_001, "1", True):
        is_problem(table.post(f"{place}/tick", "gm", {"ticks": ticks}), 422, "invalid")
    is_problem(table.send("PATCH", place, "gm", {"segments": 0}), 422, "invalid")
    is_problem(table.post("/clocks", "gm", {"name": "x"}), 422, "invalid")
    is_problem(table.post(f"{place}/tick", "a"), 422, "illegal")
    assert table.send("DELETE", place, "gm").status_code == 200
    assert table.get("/clocks").json["clocks"] == {}


def test_a_hidden_clock_is_none(table: Seated) -> None:
    place = table.post("/clocks", "gm", {"name": "Doom", "segments": 4, "hidden": True}).headers["Location"]
    hidden = place.removeprefix(f"/v1/games/{table.id}")
    for method, more, body in (("POST", "/tick", {}), ("PATCH", "", {"name": "x"}), ("DELETE", "", None)):
        told = table.send(method, hidden + more, "a", body)
        assert told.data == table.send(method, "/clocks/nothing" + more, "a", body).data
        is_problem(told, 404, "unknown_clock")


def test_epochs_end_and_every_roll_is_proven(table: Seated) -> None:
    table.strikes("a")
    table.until_the_end()
    running = table.get("/proof", "b")
    assert running.headers["Cache-Control"] == "private, no-store"
    assert running.json["epochs"][0]["secret"] is None and not running.json["epochs"][0].get("rolls")
    is_problem(table.post("/epoch", "a"), 422, "illegal")
    assert "EpochEnded" in [one["type"] for one in table.post("/epoch", "gm").json["events"]]
    first, second = table.get("/proof", "b").json["epochs"]
    assert second["commitment"] == table.view()["dice_commitment"] != first["commitment"]
    dice = SeededDice(bytes.fromhex(first["secret"]), table.id)
    assert dice.commitment == first["commitment"]
    for roll in first["rolls"]:
        assert list(dice.faces(Pool(roll["count"], roll["sides"]), "")[0]) == roll["faces"]
    assert first["rolls"]


def test_a_closed_game_is_only_read(table: Seated) -> None:
    table.strikes("a")
    is_problem(table.post("/close", "gm", {"open_log": "nobody"}), 422, "invalid")
    is_problem(table.post("/close", "b", {"open_log": "all"}), 422, "illegal")
    table.until_the_end()
    closed = table.post("/close", "gm", {"open_log": "all"})
    assert closed.status_code == 200 and table.view("a")["closed"]
    is_problem(table.strikes("a"), 422, "game_closed")
    entries = table.get("/log", "b").json["log"]
    assert next(one for one in entries if one["kind"] == "command")["message"]["name"] == "strike"


def test_characters_are_listed_and_exported(table: Seated) -> None:
    listed = table.get("/characters", "watcher").json["characters"]
    assert [(one["id"], one["owner"]) for one in listed] == [("a", "a"), ("b", "b")]
    told = table.get("/characters/a/export?format=json", "a").json
    assert told["character"] == {"name": "a", "charms": 1} and told["system"] == "scuffle"
    is_problem(table.get("/characters/a/export", "b"), 404, "unknown_character")
    is_problem(table.get("/characters/c/export", "a"), 404, "unknown_character")
    for format in ("ccfolia", "bcdice-palette"):
        found = is_problem(table.get(f"/characters/a/export?format={format}", "a"), 422, "not_yet")
        assert found["available"] == ["json"] and "json" in found["detail"]
    is_problem(table.get("/characters/a/export?format=xml", "a"), 422, "invalid")
    is_problem(table.post("/characters", "a", {"character": {"name": "c"}}), 422, "illegal")
    is_problem(table.post("/characters", "a", {}), 422, "invalid")
    is_problem(table.post("/characters", "a", {"character": []}), 422, "invalid")


def test_a_game_goes_out_in_and_away(table: Seated) -> None:
    table.strikes("a")
    table.until_the_end()
    exported = table.get("/export")
    assert exported.headers["Cache-Control"] == "private, no-store"
    assert table.get("/export", "a").json["view"]["you"]["name"] == "a"
    key = {"Idempotency-Key": KEY}
    first, again = (table.client.post("/v1/games/import?name=Rin", json=exported.json, headers=key) for _ in range(2))
    assert first.status_code == 201 and first.json == again.json
    assert first.headers["Location"] == f"/v1/games/{first.json['id']}"
    there = table.client.get(first.headers["Location"], headers={"Authorization": f"Bearer {first.json['token']}"})
    assert there.json["state"] == table.view()["state"] and there.json["you"]["name"] == "Rin"
    assert table.get("", "a").status_code == 200
    is_problem(table.send("DELETE", "", "a"), 422, "illegal")
    gone = table.send("DELETE", "", "gm")
    assert (gone.status_code, gone.data) == (204, b"")
    is_problem(table.get(""), 404, "unknown_game")
    is_problem(table.send("DELETE", "", "gm"), 404, "unknown_game")


@pytest.mark.parametrize("body", [{}, {"format": "x"}, {"format": "ninja-rules/game/1", "system": "scuffle"}])
def test_bad_exports_are_refused(games: FlaskClient, body: Any) -> None:
    is_problem(games.post("/v1/games/import", json=body), 422, "bad_export")
    is_problem(games.post("/v1/games/import", json=[body]), 422, "invalid")
    is_problem(games.post(f"/v1/games/import?name={'x' * 101}", json=body), 422, "invalid")


def test_imports_may_be_larger_than_other_bodies(games: FlaskClient) -> None:
    def sent(size: int) -> Any:
        raw = json.dumps({"format": "x" * size}).encode()
        return games.post("/v1/games/import", data=raw, content_type="application/json")

    is_problem(sent(MAX_BODY + 1), 422, "bad_export")
    is_problem(sent(MAX_IMPORT), 413, "too_large")


WRITES = [
    ("POST", "/seats", {"name": "c"}),
    ("PATCH", "/seats/gm", {"name": "x"}),
    ("DELETE", "/seats/gm", None),
    ("POST", "/seats/gm/invite", {}),
    ("POST", "/seats/me/token", {}),
    ("POST", "/clocks", {"name": "x", "segments": 4}),
    ("POST", "/clocks/x/tick", {}),
    ("PATCH", "/clocks/x", {}),
    ("DELETE", "/clocks/x", None),
    ("POST", "/epoch", {}),
    ("POST", "/close", {}),
    ("POST", "/characters", {"character": {}}),
    ("DELETE", "", None),
    ("GET", "/seats", None),
    ("GET", "/clocks", None),
    ("GET", "/proof", None),
    ("GET", "/characters", None),
    ("GET", "/characters/a/export", None),
    ("GET", "/export", None),
]


@pytest.mark.parametrize(("method", "path", "body"), WRITES)
def test_every_route_of_the_table_needs_a_token_of_it(table: Seated, method: str, path: str, body: Any) -> None:
    token = table.tokens["gm"]
    is_problem(table.send(method, path, None, body), 401, "no_token")
    is_problem(table.send(method, f"{path}?token={token}", None, body), 401, "no_token")
    is_problem(table.send(method, path, None, body, Cookie=f"token={token}"), 401, "no_token")
    other = Seated(table.client).tokens["gm"]
    is_problem(table.send(method, path, other, body), 404, "unknown_game")
    if method == "POST":
        is_problem(table.send(method, path, "gm", body, Idempotency_Key="short"), 400, "bad_key")
    assert table.get("").status_code == 200
