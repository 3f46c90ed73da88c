"""What a command of a game costs beside a stateless roll and a durable commit of the same bytes, by turns.

    python -m tests.benchmarks.games [--rounds 5] [--times 150]

Only the ratio means anything; the goal is 1.5.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from flask.testing import FlaskClient

from service.app import create_app
from service.settings import Settings
from service.store.games import Games
from service.store.records import Append
from systems.core.game import change

RATINGS = {"intellect": 1, "wits": 2, "strength": 2, "agility": 2, "tenacity": 1, "charisma": 1}


class Table:
    """A game of Shinobido in a scene with four characters, and a stateless roll of the same check."""

    def __init__(self, client: FlaskClient) -> None:
        self.client = client
        made = client.post("/v1/games", json={"system": "shinobido", "options": {"auto_penalty_zero": True}}).json
        self.id, self.token = made["id"], {"Authorization": f"Bearer {made['token']}"}
        for at in range(4):
            sheet = {"id": f"c{at}", "name": f"C{at}", "kind": "pc", "attributes": RATINGS}
            self.command("create_character", sheet=sheet)
        self.command("start_mission")
        self.command("start_scene")

    def command(self, name: str, **params: Any) -> Any:
        body = {"command": name, "params": params}
        answer = self.client.post(f"/v1/games/{self.id}/commands", json=body, headers=self.token)
        assert answer.status_code == 200, answer.text
        return answer.json

    def check(self) -> None:
        self.command("check", actor="c0", attribute="wits")

    def roll(self) -> None:
        params = {"actor": {"id": "c0", "attributes": RATINGS}, "attribute": "wits"}
        answer = self.client.post("/v1/systems/shinobido/checks/check", json={"params": params})
        assert answer.status_code == 200, answer.text


class Commits:
    """Durable commits of the bytes of a command's row, into a game of their own."""

    def __init__(self, games: Games, game: str) -> None:
        self.games, self.game = games, game
        head, _ = games.head(game)
        row = games.row(game, head.seq)
        assert row
        self.row, self.standing, self.seq = row, games.standing(head), head.seq

    def one(self) -> None:
        row = change(self.row, seq=self.seq + 1, key=None, snapshot=None)
        self.games.append(Append(self.game, self.seq, row, self.standing, None))
        self.seq += 1


def microseconds(what: Callable[[], None], times: int) -> float:
    began = time.perf_counter()
    for _ in range(times):
        what()
    return (time.perf_counter() - began) / times * 1e6


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--times", type=int, default=150)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        app = create_app(Settings(rate=0, data=Path(directory)))
        table, other = Table(app.test_client()), Table(app.test_client())
        other.check()
        games: Games = app.extensions["ninja_rules.desk"].games
        commits = Commits(games, other.id)
        found: dict[str, list[float]] = {"command": [], "roll": [], "commit": []}
        for _ in range(given.rounds):
            for name, what in (("command", table.check), ("roll", table.roll), ("commit", commits.one)):
                found[name].append(microseconds(what, given.times))
        shown = {name: statistics.median(times) for name, times in found.items()}
        games.close()
    ratio = shown["command"] / (shown["roll"] + shown["commit"])
    print(f"{shown} (us, medians of {given.rounds} rounds); command / (roll + commit) = {ratio:.2f}")


if __name__ == "__main__":
    main()
