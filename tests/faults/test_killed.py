"""Workers and the cache are killed under load; clients try again with the same key (DESIGN section 4).

No acknowledged message is lost, none is carried out twice, and no face is shown that is not in the log.
"""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import random
import signal
import subprocess
import threading
import time
import uuid
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import redis

from tests.service.test_server import Served, free_port

pytestmark = pytest.mark.server

KILLS = 200
CLIENTS = 4
SECONDS_TO_ANSWER = 20.0
SECONDS_BETWEEN_KILLS = 0.4
PATIENCE = 60.0


class Player:
    """One client that gives up on nothing: every message is sent until it is answered."""

    def __init__(self, served: Served, game: str, token: str) -> None:
        self.served, self.game, self.token = served, game, token
        self.told: dict[str, dict[str, Any]] = {}
        self.tries = 0

    def send(self, path: str, body: Any, key: str | None = None) -> Any:
        """The answer to a POST, tried again until there is one."""
        key = key or uuid.uuid4().hex
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            self.tries += 1
            try:
                status, answer = self.once("POST", path, body, {"Idempotency-Key": key})
            except (OSError, http.client.HTTPException):
                time.sleep(0.02)
                continue
            if status < 500:
                assert status < 300, answer
                return answer
            time.sleep(0.02)
        raise AssertionError("nobody answered")

    def read(self, path: str) -> Any:
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            try:
                status, answer = self.once("GET", path)
                assert status == 200, answer
                return answer
            except (OSError, http.client.HTTPException):
                time.sleep(0.02)
        raise AssertionError("nobody answered")

    def once(self, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None) -> tuple[int, Any]:
        connection = http.client.HTTPConnection("127.0.0.1", self.served.port, timeout=SECONDS_TO_ANSWER)
        try:
            raw = None if body is None else json.dumps(body)
            given = {"Content-Type": "application/json", "Authorization": f"Bearer {self.token}", **(headers or {})}
            connection.request(method, path, raw, given)
            answer = connection.getresponse()
            return answer.status, json.loads(answer.read())
        finally:
            connection.close()

    def checks_until(self, over: threading.Event, who: str) -> None:
        while not over.is_set():
            mark = f"u{uuid.uuid4().hex[:12]}"
            params = {"actor": who, "attribute": "wits", "tags": [mark]}
            self.told[mark] = self.send(f"/v1/games/{self.game}/commands", {"command": "check", "params": params})


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    found = Served(tmp_path / "data", free_port())
    found.wait()
    assert found.process.stdout
    read = threading.Thread(target=found.process.stdout.read)  # a full pipe would stop the server
    read.start()
    yield found
    found.process.kill()
    found.process.wait()
    read.join()
    found.process.stdout.close()


def workers(served: Served) -> list[int]:
    listed = subprocess.run(
        ("ps", "-o", "pid=,args=", "--ppid", str(served.process.pid)), capture_output=True, text=True, check=False
    ).stdout
    lines = (line.split(None, 1) for line in listed.splitlines())
    return [int(pid) for pid, command in lines if "valkey" not in command and "resource_tracker" not in command]


def opened(served: Served) -> tuple[Player, str]:
    """A game in a scene with one character for every client."""
    made = served.ask("/v1/games", {"system": "shinobido", "title": "Faults", "options": {"auto_penalty_zero": True}})
    gm = Player(served, made["id"], made["token"])
    commands = f"/v1/games/{gm.game}/commands"
    ratings = {"intellect": 1, "wits": 2, "strength": 2, "agility": 2, "tenacity": 1, "charisma": 1}
    for at in range(CLIENTS):
        sheet = {"id": f"c{at}", "name": f"C{at}", "kind": "pc", "attributes": ratings}
        gm.send(commands, {"command": "create_character", "params": {"sheet": sheet}})
    gm.send(commands, {"command": "start_mission"})
    gm.send(commands, {"command": "start_scene"})
    return gm, made["token"]


def play(gm: Player, kill: Any) -> list[Player]:
    """All clients play until `kill` has done its work."""
    over = threading.Event()
    players = [Player(gm.served, gm.game, gm.token) for _ in range(CLIENTS)]
    threads = [threading.Thread(target=one.checks_until, args=(over, f"c{at}")) for at, one in enumerate(players)]
    for one in threads:
        one.start()
    try:
        kill()
    finally:
        over.set()
        for one in threads:
            one.join(PATIENCE)
    assert not any(one.is_alive() for one in threads)
    return players


def all_of(gm: Player, what: str) -> list[Any]:
    found: list[Any] = []
    page = gm.read(f"/v1/games/{gm.game}/{what}?limit=500")
    while True:
        found += page[what]
        if not page["more"]:
            return found
        page = gm.read(f"/v1/games/{gm.game}/{what}?limit=500&after={page['cursor']}")


def holds(gm: Player, players: list[Player]) -> int:
    """Every acknowledged check stands once in the log, with the faces that its sender was told. How many there are."""
    log = [one for one in all_of(gm, "log") if one.get("message", {}).get("name") == "check"]
    carried_out = Counter(one["message"]["params"]["tags"][0] for one in log)
    assert not [mark for mark, times in carried_out.items() if times != 1], "carried out twice"
    faces = {one["message"]["params"]["tags"][0]: rolled(one["events"]) for one in log}
    told = {mark: rolled(answer["events"]) for one in players for mark, answer in one.told.items()}
    assert told.items() <= faces.items(), "acknowledged, but lost or different"
    thrown = [one["faces"] for one in all_of(gm, "events") if one["type"] == "DiceRolled"]
    assert sorted(thrown) == sorted(face for rolls in faces.values() for face in rolls)
    return len(told)


def rolled(events: list[Any]) -> list[Any]:
    return [one["faces"] for one in events if one["type"] == "DiceRolled"]


def test_workers_are_killed_two_hundred_times_under_load(served: Served) -> None:
    gm, _ = opened(served)
    chance = random.Random(3)
    killed = 0

    def kill() -> None:
        nonlocal killed
        while killed < KILLS:
            if len(found := workers(served)) > 1:  # the other one is only starting
                os.kill(found[0], signal.SIGKILL)
                killed += 1
            time.sleep(SECONDS_BETWEEN_KILLS * (0.5 + chance.random()))

    players = play(gm, kill)
    assert holds(gm, players) > KILLS / 4
    assert sum(one.tries for one in players) > sum(len(one.told) for one in players), "no request was cut off"


def test_the_cache_is_killed_and_flushed_under_load(served: Served) -> None:
    gm, _ = opened(served)

    def disturb() -> None:
        for _ in range(5):
            os.kill(served.cache, signal.SIGKILL)
            time.sleep(0.5)
            with contextlib.suppress(redis.RedisError):
                redis.Redis(unix_socket_path=str(served.data / "run" / "cache.sock")).flushall()
            time.sleep(0.3)

    assert holds(gm, play(gm, disturb)) > 20
