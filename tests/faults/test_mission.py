"""A whole mission of Shinobido over HTTP, as a table plays it: two players and a Narrator on the real server.

A client that lost its connection asks again, everything restarts in the middle of a question, the Narrator takes a
turn back, and at the end anybody recomputes every die offline.
"""

from __future__ import annotations

import json
import subprocess
import sys
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.faults.test_killed import Player
from tests.service.test_server import Served, free_port

pytestmark = pytest.mark.server

AKI = {"intellect": 1, "wits": 2, "strength": 2, "agility": 2, "tenacity": 1, "charisma": 1}
BEN = {"intellect": 3, "wits": 1, "strength": 1, "agility": 1, "tenacity": 1, "charisma": 2}
SECRET = 4_242  # a title that players must not meet: it stands in a hidden clock


class Seat(Player):
    """One at the table."""

    @property
    def path(self) -> str:
        return f"/v1/games/{self.game}"

    def command(self, name: str, **params: Any) -> Any:
        return self.send(f"{self.path}/commands", {"command": name, "params": params})

    def refused(self, name: str, **params: Any) -> str:
        """The code with which a command is refused."""
        status, answer = self.once("POST", f"{self.path}/commands", {"command": name, "params": params})
        assert status == 422, answer
        return str(answer["code"])

    @property
    def view(self) -> Any:
        return self.read(self.path)

    def questions(self) -> list[Any]:
        pending = self.view["pending"]
        return pending["questions"] if pending else []

    def answer(self, answer: Any) -> Any:
        (question, *_) = self.questions()
        body = {"question": question["id"], "answer": {"action": "answer_decision", "params": {"answer": answer}}}
        return self.send(f"{self.path}/answers", body)


@pytest.fixture
def served(tmp_path: Path) -> Iterator[list[Served]]:
    runs = [Served(tmp_path / "data", free_port())]
    runs[0].wait()
    yield runs
    for one in runs:
        one.process.kill()
        one.process.wait()
        if one.process.stdout:
            one.process.stdout.close()


def sit_down(runs: list[Served]) -> tuple[Seat, Seat, Seat]:
    """Given a game with a Narrator, Mio who plays Aki, and Leo who plays Ben."""
    made = runs[0].ask("/v1/games", {"system": "shinobido", "title": "The Salt Road", "options": {"window_seconds": 0}})
    gm = Seat(runs[0], made["id"], made["token"])
    gm.command("set_option", option="auto_penalty_zero", value=True)
    seats = []
    for name in ("Mio", "Leo"):
        invite = gm.send(f"{gm.path}/seats", {"name": name})["invite"]
        seats.append(Seat(runs[0], gm.game, runs[0].ask(f"/v1/invites/{invite}", {})["token"]))
    return gm, seats[0], seats[1]


def settle(*seats: Seat) -> None:
    """Everybody leaves dice as they are and stands up again, until nobody is asked."""
    while any(one.questions() for one in seats):
        for one in seats:
            for question in one.questions():
                silence = question["silence"]
                one.send(f"{one.path}/answers", {"question": question["id"], "answer": silence})


def on_turn(view: Any) -> str:
    return str(view["waiting_for"][0]["character"])


def test_a_whole_mission(served: list[Served], tmp_path: Path) -> None:
    gm, mio, leo = sit_down(served)

    # when they make their characters, and one mistake is named with all its errors
    mio.command("create_character", sheet={"id": "aki", "name": "Aki", "attributes": AKI, "edges": ["foxs_luck"]})
    assert leo.refused("create_character", sheet={"id": "ben", "attributes": {**BEN, "wits": 2}}) == "pips_overspent"
    leo.command("create_character", sheet={"id": "ben", "name": "Ben", "attributes": BEN})
    gm.command("create_character", template="captain", called="kuro")
    gm.send(f"{gm.path}/clocks", {"name": f"patrol {SECRET}", "segments": 6, "hidden": True})
    gm.command("start_mission")
    gm.command("start_scene", title="The harbour gate")

    # then nobody but the Narrator learns the captain's values, or that there is a clock
    for one in (mio, leo):
        raw = json.dumps([one.view, *(one.read(f"{one.path}/{what}") for what in ("events", "log", "export"))])
        assert str(SECRET) not in raw
        assert set(one.view["state"]["characters"]["kuro"]) >= {"name", "status"}
        assert "strength" not in json.dumps(one.view["state"]["characters"]["kuro"])

    # when Aki tries the lock and the connection breaks, the same key brings the same dice
    body = {"command": "check", "params": {"actor": "aki", "attribute": "agility", "tags": ["stealth"]}}
    key = uuid.uuid4().hex
    first = mio.send(f"{mio.path}/commands", body, key)
    assert mio.send(f"{mio.path}/commands", body, key) == first

    # and everything is restarted while Mio is asked about Fox's Luck
    (asked,) = mio.questions()
    assert asked["topic"] == "reroll_offer" and leo.view["paused"] and not leo.questions()
    served[0].stop()
    served.append(Served(served[0].data, served[0].port))
    served[-1].wait()
    for one in (gm, mio, leo):
        one.served = served[-1]
    assert mio.questions() == [asked], "the question is still there, under the same id"
    assert leo.refused("check", actor="ben", attribute="wits") == "decision_pending"
    mio.answer("no")
    assert not leo.view["paused"]

    # when a fight breaks out, odds against the hidden captain come as a table over what it may be
    gm.command("start_combat", sides={"squad": ["aki", "ben"], "guard": ["kuro"]})
    settle(gm, mio, leo)
    seat_of = {"aki": mio, "ben": leo, "kuro": gm}
    target = {"aki": "kuro", "ben": "kuro", "kuro": "ben"}
    while on_turn(gm.view) == "kuro":
        gm.command("guard", actor="kuro")
        settle(gm, mio, leo)
    who = on_turn(gm.view)
    odds = seat_of[who].send(f"{gm.path}/odds", {"command": "attack", "params": {"actor": who, "target": "kuro"}})
    assert len(odds["cases"]) == 9 and odds["assumptions"]
    offers = seat_of[who].read(f"{gm.path}/offers?odds=true")["offers"]
    assert any(one["command"] == "attack" and one["odds"] for one in offers)

    # when the Narrator takes a turn back, the same blow brings the same dice
    before = gm.view["cursor"]
    state = mio.view["state"]
    blow = seat_of[who].command("attack", actor=who, target="kuro")
    thrown = [one["faces"] for one in blow["events"] if one["type"] == "DiceRolled"]
    gm.send(f"{gm.path}/undo", {"to": before})
    assert mio.view["state"] == state
    again = seat_of[who].command("attack", actor=who, target="kuro")
    assert [one["faces"] for one in again["events"] if one["type"] == "DiceRolled"] == thrown
    settle(gm, mio, leo)

    # and the fight goes on until it is over or the Narrator has seen enough
    for _ in range(12):
        if gm.view["state"]["fight"] is None:
            break
        who = on_turn(gm.view)
        if gm.view["state"]["characters"][target[who]]["status"] == "standing":
            seat_of[who].command("attack", actor=who, target=target[who])
        else:
            seat_of[who].command("pass", actor=who)
        settle(gm, mio, leo)
    if gm.view["state"]["fight"] is not None:
        gm.command("end_combat")
    gm.command("end_scene")
    gm.command("end_mission", outcome="success")
    assert mio.view["state"]["characters"]["aki"]["sheet"]["merit"] == 3

    # then the epoch ends, and every die is recomputed offline
    commitment = mio.view["dice_commitment"]
    gm.send(f"{gm.path}/epoch", {})
    proof = mio.read(f"{mio.path}/proof")
    assert proof["epochs"][0]["commitment"] == commitment and proof["epochs"][0]["rolls"]
    saved = tmp_path / "proof.json"
    saved.write_text(json.dumps(proof))
    assert verified(saved) == 0
    proof["epochs"][0]["rolls"][0]["faces"][0] = proof["epochs"][0]["rolls"][0]["faces"][0] % 6 + 1
    saved.write_text(json.dumps(proof))
    assert verified(saved) == 1

    # and a closed game is read, no longer played
    gm.send(f"{gm.path}/close", {"open_log": "all"})
    assert gm.refused("start_mission") == "game_closed"
    assert str(SECRET) in json.dumps(mio.read(f"{mio.path}/log?limit=500")), "the whole log is open now"


def verified(file: Path) -> int:
    command = (sys.executable, "-m", "service.cli", "verify", str(file))
    return subprocess.run(command, capture_output=True, check=False).returncode
