"""A game played over HTTP: Scuffle between a and b, with a GM and somebody who looks on."""

from __future__ import annotations

from typing import Any

from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from service.usecases.games.desk import Asked, Desk
from tests.games.playing import SYSTEM

KEY = "k" * 22


class Seated:
    """Everybody's tokens, and what they send."""

    def __init__(self, client: FlaskClient, system: str = SYSTEM.id, **options: Any) -> None:
        self.client = client
        made = client.post("/v1/games", json={"system": system, "title": "A duel", "options": options})
        assert made.status_code == 201, made.text
        self.made, self.id = made, made.json["id"]
        self.tokens = {"gm": made.json["token"]}
        self.seats = {"gm": made.json["seat"]}

    @property
    def desk(self) -> Desk:
        found: Desk = self.client.application.extensions["ninja_rules.desk"]
        return found

    def send(self, method: str, path: str, who: str | None, body: Any = None, **headers: str) -> TestResponse:
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        if who is not None:
            given["Authorization"] = f"Bearer {self.tokens.get(who, who)}"
        more = {} if body is None else {"json": body}
        return self.client.open(f"/v1/games/{self.id}{path}", method=method, headers=given, **more)

    def get(self, path: str, who: str = "gm", **headers: str) -> TestResponse:
        return self.send("GET", path, who, **headers)

    def post(self, path: str, who: str, body: Any = None, **headers: str) -> TestResponse:
        return self.send("POST", path, who, {} if body is None else body, **headers)

    def sits(self, name: str, role: str = "player", *characters: str) -> None:
        """A new seat, and somebody who redeems its invite."""
        added = self.post("/seats", "gm", {"name": name, "role": role, "characters": characters})
        assert added.status_code == 201, added.text
        self.seats[name] = added.json["seat"]
        taken = self.client.post(f"/v1/invites/{added.json['invite']}")
        assert taken.status_code == 200, taken.text
        self.tokens[name] = taken.json["token"]

    def all_sit(self) -> Seated:
        self.sits("a", "player", "a")
        self.sits("b", "player", "b")
        self.sits("watcher", "spectator")
        return self

    def view(self, who: str = "gm") -> Any:
        return self.get("", who).json

    def etag(self, who: str = "gm") -> str:
        return self.get("", who).headers["ETag"]

    def strikes(self, who: str = "gm", by: str = "a", **headers: str) -> TestResponse:
        target = "b" if by == "a" else "a"
        body = {"command": "strike", "params": {"who": by, "target": target}}
        return self.post("/commands", who, body, **headers)

    def answers(self, who: str, question: str, action: str = "pass", **headers: str) -> TestResponse:
        return self.post("/answers", who, {"question": question, "answer": {"action": action}}, **headers)

    def questions(self, who: str) -> list[str]:
        pending = self.view(who)["pending"]
        return [one["id"] for one in pending["questions"]] if pending else []

    def until_the_end(self) -> None:
        """Everybody passes until nothing waits."""
        while self.view()["paused"]:
            for who in self.tokens:
                for question in self.questions(who):
                    assert self.answers(who, question).status_code == 200

    def seq(self) -> int:
        """How many messages were written down, looked up past the desk."""
        return self.desk.games.head(self.id)[0].seq

    def asked(self, who: str) -> Asked:
        return Asked(self.id, self.tokens[who])
