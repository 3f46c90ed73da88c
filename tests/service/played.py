"""Plays a game of Shinobido and keeps what was said as the examples of its routes: `python -m tests.service.played`."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from service.app import create_app
from service.settings import Settings

WHERE = Path(__file__).parents[2] / "service" / "web" / "played.json"
MOST_EVENTS = 3  # of the example of a long answer


class Recorder:
    """Sends requests and keeps the first good answer of each operation."""

    def __init__(self, client: FlaskClient) -> None:
        self.client = client
        self.kept: dict[str, dict[str, Any]] = {}
        self.game = ""

    def send(self, method: str, path: str, token: str = "", body: Any = None, keep: bool = True) -> Any:
        place = f"/v1/games/{self.game}{path}" if path == "" or path[0] != "!" else path[1:]
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        answer = self.client.open(place, method=method, json=body, headers=headers)
        assert answer.status_code < 300, (method, place, answer.text)
        if keep:
            self.keep(method, place, body, answer)
        return answer.json if answer.data else None

    def keep(self, method: str, place: str, body: Any, answer: TestResponse) -> None:
        adapter = self.client.application.url_map.bind("localhost")
        operation = str(adapter.match(place.partition("?")[0], method)[0]).rpartition(".")[2]
        told = {"answer": shortened(answer.json)} if answer.data else {}
        self.kept.setdefault(operation, {"body": shortened(body), **told})


def shortened(value: Any) -> Any:
    """Without most of a long list of events or of a log."""
    if not isinstance(value, dict):
        return value
    return {
        name: one[-MOST_EVENTS:] if name in ("events", "log", "offers") and isinstance(one, list) else one
        for name, one in value.items()
    }


def played(client: FlaskClient) -> dict[str, dict[str, Any]]:
    """Every operation of games, once."""
    says = Recorder(client)
    made = says.send("POST", "!/v1/games", body=BODY)
    says.game, gm = made["id"], made["token"]
    seat = says.send("POST", "/seats", gm, {"name": "Rin", "role": "player"})
    rin = says.send("POST", f"!/v1/invites/{seat['invite']}", body={})["token"]
    rin = says.send("POST", "/seats/me/token", rin, {})["token"]
    says.send("PATCH", f"/seats/{seat['seat']}", gm, {"name": "Rin (Aiko)"})
    _fight(says, gm, rin)
    _look(says, gm, rin)
    _end(says, gm, seat["seat"])
    return dict(sorted(says.kept.items()))


BODY = {"system": "shinobido", "title": "The gate of Kurama", "name": "Mika", "options": {"window_seconds": 600}}
SHEET = {
    "name": "Rin",
    "kind": "pc",
    "attributes": {"intellect": 0, "wits": 1, "strength": 3, "agility": 4, "tenacity": 1, "charisma": 0},
}


def _fight(says: Recorder, gm: str, rin: str) -> None:
    """A check before the fight, and blows until somebody is asked something."""

    def command(token: str, name: str, keep: bool = False, **params: Any) -> Any:
        return says.send("POST", "/commands", token, {"command": name, "params": params}, keep)

    says.send("POST", "/characters", rin, {"character": SHEET})
    command(gm, "create_character", template="guard", called="guard")
    command(gm, "start_mission")
    command(gm, "start_scene", title="The gate")
    check = {"actor": "Rin", "attribute": "agility"}
    says.send("POST", "/odds", rin, {"command": "check", "params": check})
    says.send("GET", "/offers?odds=true", rin)
    command(rin, "check", **check)
    cursor = says.send("GET", "", gm, keep=False)["cursor"]
    command(gm, "set_penalty", penalty=1)
    says.send("POST", "/undo", gm, {"to": cursor})
    command(gm, "set_penalty", penalty=2)
    command(rin, "roll", keep=True, actor="Rin")
    _ask(says, command(gm, "start_combat", sides={"guards": ["guard"], "shinobi": ["Rin"]}), gm, rin)
    standing = {"topic": "reroll_offer", "answer": {"action": "answer_decision", "params": {"answer": "no"}}}
    says.send("PUT", "/standing-answers", rin, {**standing, "until": "scene_end"})


def _ask(says: Recorder, done: Any, gm: str, rin: str) -> None:
    """Everybody says no until nothing waits."""
    paused = done["pending"]
    while paused:
        for token in (gm, rin):
            for one in (says.send("GET", "", token, keep=False)["pending"] or {"questions": []})["questions"]:
                given = {"question": one["id"], "answer": {"action": "answer_decision", "params": {"answer": "no"}}}
                paused = says.send("POST", "/answers", token, given)["pending"]


def _look(says: Recorder, gm: str, rin: str) -> None:
    clock = says.send("POST", "/clocks", gm, {"name": "Alarm", "segments": 6, "overflow": "carry"})["id"]
    says.send("POST", f"/clocks/{clock}/tick", gm, {"ticks": 2})
    says.send("PATCH", f"/clocks/{clock}", gm, {"progress_hidden": True})
    for path in ("", "/events?limit=10", "/log?limit=10", "/seats", "/clocks", "/characters"):
        says.send("GET", path, rin)
    says.send("GET", "/characters/Rin/export", rin)
    says.send("DELETE", f"/clocks/{clock}", gm)
    says.send("POST", "/epoch", gm, {})
    says.send("GET", "/proof", rin)


def _end(says: Recorder, gm: str, seat: str) -> None:
    exported = says.send("GET", "/export", gm)
    says.send("POST", "!/v1/games/import?name=Mika", body=exported)
    says.send("POST", f"/seats/{seat}/invite", gm, {})
    says.send("DELETE", f"/seats/{seat}", gm)
    says.send("POST", "/close", gm, {"open_log": "all"})
    says.send("DELETE", "", gm)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as directory:
        client = create_app(Settings(rate=0, data=Path(directory))).test_client()
        found = played(client)
        client.application.extensions["ninja_rules.desk"].games.close()
    WHERE.write_text(json.dumps(found, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
