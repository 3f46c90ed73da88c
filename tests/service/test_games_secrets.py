"""What one seat may not know is in no byte that the service sends it, and deadlines pass by themselves."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from msgspec import Struct

from service.app import create_app
from service.serve import start_sweeper
from service.settings import Settings
from service.store.records import StoreAway
from service.usecases.games.desk import Desk
from systems.core.seats import Seat
from tests.core.toy import Fight, Ninja, calls
from tests.games.playing import Playable

from .table import Seated

SECRET_CHARMS = 987_654_321
DOOM = "Doom of the ninth gate"
PLACEHOLDERS = {"character": "b", "seat": "nobody", "clock": "doom", "code": "i_x"}
NOT_LOOKED_AT = ("static",)


class Planted(Playable):
    """Each ninja has a number of charms that occurs nowhere else."""

    def new_game(self, switches: Struct) -> Fight:
        game: Fight = super().new_game(switches)  # type: ignore[arg-type]
        ninja = game.ninja.put("b", Ninja(charms=SECRET_CHARMS))
        return Fight(ninja=ninja, turn=game.turn)

    def sheet_of(self, game: Fight, character: str) -> object:
        return {"charms": game.ninja[character].charms}

    def characters_seen(self, game: Fight, seat: Seat) -> tuple[str, ...]:
        return self.characters(game)


SYSTEM = Planted("scuffle", "tests.core", calls)


@pytest.fixture
def app(tmp_path: Path) -> Flask:
    return create_app(Settings(rate=0, data=tmp_path), {"scuffle": SYSTEM})


@pytest.fixture
def games(app: Flask) -> Iterator[FlaskClient]:
    yield app.test_client()
    app.extensions["ninja_rules.desk"].games.close()


def readable(app: Flask) -> list[str]:
    """Every GET of a game."""
    rules = (str(one) for one in app.url_map.iter_rules() if "GET" in (one.methods or ()))
    found = [one for one in rules if one.startswith("/v1/games/<game>")]
    paths = [one.removeprefix("/v1/games/<game>") for one in found]
    for name, value in PLACEHOLDERS.items():
        paths = [one.replace(f"<{name}>", value) for one in paths]
    assert not any("<" in one for one in paths), "a new route: say what stands in its place"
    return paths


def test_no_get_holds_what_is_hidden(app: Flask, games: FlaskClient) -> None:
    table = Seated(games).all_sit()
    table.post("/clocks", "gm", {"id": "doom", "name": DOOM, "segments": 987, "hidden": True})
    table.post("/clocks", "gm", {"id": "half", "name": "Half", "segments": 991, "filled": 654, "progress_hidden": True})
    table.post("/clocks/half/tick", "gm", {"ticks": 3})
    kept = {"topic": "reroll_dodge", "answer": {"action": "pass"}}
    assert table.send("PUT", "/standing-answers", "b", kept).status_code == 200
    table.strikes("a")
    veiled = table.questions("b")[0]
    numbers = ['"segments":987', '"filled":654', '"filled":657']
    hidden = [str(SECRET_CHARMS), DOOM, *numbers, '"doom"', "reroll_dodge", veiled, table.tokens["b"]]
    assert all(one in "".join(table.get(path).text for path in readable(app)) for one in hidden[:5])
    for who in ("a", "watcher"):
        for path in readable(app):
            for more in ("", "?odds=true") if path == "/offers" else ("",):
                told = table.get(path + more, who)
                text = told.text + str(told.headers)
                assert not [one for one in hidden if one in text], (who, path)
                expected = "private, no-cache" if path == "" else "private, no-store"
                assert told.status_code != 200 or told.headers["Cache-Control"] == expected, path


def test_hidden_acts_leave_the_bytes_of_others_alone(app: Flask, games: FlaskClient) -> None:
    table = Seated(games).all_sit()
    table.strikes("a")

    def seen(who: str) -> list[tuple[str, bytes, str | None]]:
        answers = [(path, table.get(path, who)) for path in readable(app)]
        return [(path, one.data, one.headers.get("ETag")) for path, one in answers]

    before = {who: seen(who) for who in ("a", "watcher")}
    assert table.answers("b", table.questions("b")[0], "spend").status_code == 200
    kept = {"topic": "reroll_dodge", "answer": {"action": "pass"}}
    assert table.send("PUT", "/standing-answers", "b", kept).status_code == 200
    assert table.post("/clocks", "gm", {"name": DOOM, "segments": 4, "hidden": True}).status_code == 201
    assert table.post("/odds", "b", {"command": "strike", "params": {"who": "b", "target": "a"}}).status_code == 422
    assert {who: seen(who) for who in ("a", "watcher")} == before


def test_somebody_elses_question_is_refused_like_one_that_is_not(games: FlaskClient) -> None:
    table = Seated(games).all_sit()
    table.strikes("a")
    foreign = table.questions("b")[0]
    told = table.answers("a", foreign)
    assert (told.status_code == 422 and told.json["code"] == "nothing_to_reroll") or told.json["code"] == "not_asked"
    assert told.data == table.answers("a", "q_" + "0" * 20).data
    assert table.questions("b") == [foreign]


def test_deadlines_pass_while_nobody_asks(app: Flask, games: FlaskClient) -> None:
    table = Seated(games, window_seconds=1).all_sit()
    desk: Desk = app.extensions["ninja_rules.desk"]
    assert table.strikes("a").json["pending"]["questions"][0]["deadline"]
    before = table.seq()
    several = [start_sweeper(desk, 0.05) for _ in range(3)]
    try:
        until = time.monotonic() + 10
        while desk.games.due(2**60, 9) and time.monotonic() < until:
            time.sleep(0.05)
    finally:
        for one in several:
            one.set()
    assert table.seq() > before and not desk.games.due(2**60, 9)
    assert not table.view()["paused"]


def test_the_sweeper_outlives_an_absent_database_and_a_broken_game(
    app: Flask, games: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken, sound = (Seated(games, window_seconds=1) for _ in range(2))
    desk: Desk = app.extensions["ninja_rules.desk"]
    for table in (broken, sound):
        table.strikes()
    timeout, faults = desk.timeout, [StoreAway("gone fishing"), StoreAway("still")]

    def trouble(game: str) -> bool:
        if faults:
            raise faults.pop()
        if game == broken.id:
            raise RuntimeError("a secret of the house")
        return timeout(game)

    monkeypatch.setattr(desk, "timeout", trouble)
    ended = start_sweeper(desk, 0.05)
    until = time.monotonic() + 10
    while desk.games.due(2**60, 9) and time.monotonic() < until:
        time.sleep(0.05)
    ended.set()
    assert not desk.games.due(2**60, 9) and broken.seq() == 1 and sound.seq() > 1
    monkeypatch.undo()
    assert broken.get("").status_code == 200 and broken.seq() > 1  # whoever asks makes it go on


PLANTED = ("Planted Art of Ash", "because of the ashes", "871")
RATINGS = {"intellect": 1, "wits": 2, "strength": 2, "agility": 2, "tenacity": 1, "charisma": 1}


def test_shinobido_tells_players_nothing_of_what_its_narrator_hides(tmp_path: Path) -> None:
    app = create_app(Settings(rate=0, data=tmp_path))
    table = Seated(app.test_client(), "shinobido")
    table.sits("rin")
    table.sits("watcher", "spectator")

    def command(who: str, name: str, **params: object) -> None:
        done = table.post("/commands", who, {"command": name, "params": params})
        assert done.status_code == 200, done.text

    command("rin", "create_character", template="striker", called="b")
    art = {"name": PLANTED[0], "domain": "spiritual"}
    hidden = {"name": "Kagehime", "kind": "npc", "attributes": RATINGS, "arts": [art]}
    command("gm", "create_character", sheet=hidden)
    command("gm", "start_mission")
    command("gm", "start_scene", title="The gate")
    command("gm", "gm_set", path="cast.Kagehime.merit", value=int(PLANTED[2]), reason=PLANTED[1], secret=True)
    command("gm", "secret_check", actor="Kagehime", attribute="wits", penalty=1)
    readable_now = readable(app)
    told = "".join(table.get(path).text for path in readable_now)
    assert PLANTED[0] in told and PLANTED[1] in told and f":{PLANTED[2]}," in told
    for who in ("rin", "watcher"):
        for path in readable_now:
            text = table.get(path, who).text
            assert not [one for one in PLANTED if f'"{one}"' in text or f":{one}," in text], (who, path)
    app.extensions["ninja_rules.desk"].games.close()
