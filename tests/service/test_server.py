"""The real thing: `ninja-rules serve` in a process of its own, with its own cache."""

from __future__ import annotations

import contextlib
import json
import os
import re
import selectors
import signal
import socket
import sqlite3
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from service.api.http import MAX_ARRIVING

pytestmark = pytest.mark.server
SECONDS = 15.0


class Served:
    """One run of the service."""

    def __init__(self, data: Path, port: int) -> None:
        self.data, self.port = data, port
        self.process = self.run("--data", str(data), "--port", str(port))

    @staticmethod
    def run(*arguments: str) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "service.cli", "serve", *arguments]
        given = {name: value for name, value in os.environ.items() if name not in ("REDIS_URL", "PORT", "DATA", "HOST")}
        return subprocess.Popen(command, env=given, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def ask(self, path: str, body: Any = None, **headers: str) -> Any:
        raw = None if body is None else json.dumps(body).encode()
        given = {"Content-Type": "application/json", **headers}
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", raw, given)
        with urllib.request.urlopen(request, timeout=5) as answer:
            return json.loads(answer.read())

    def wait(self) -> float:
        """Seconds until the first roll is answered."""
        began = time.monotonic()
        while time.monotonic() - began < SECONDS:
            try:
                self.ask("/v1/dice", {"notation": "2d6"})
                return time.monotonic() - began
            except (OSError, urllib.error.URLError):
                assert self.process.poll() is None, self.process.communicate()[0]
                time.sleep(0.05)
        raise AssertionError("it did not answer")

    @property
    def cache(self) -> int:
        return int((self.data / "run" / "cache.pid").read_text() or "0")

    def stop(self) -> str:
        self.process.send_signal(signal.SIGTERM)
        told, _ = self.process.communicate(timeout=SECONDS)
        return told


def free_port() -> int:
    with socket.socket() as trial:
        trial.bind(("127.0.0.1", 0))
        return int(trial.getsockname()[1])


def runs(number: int) -> bool:
    """Whether a process is there and no zombie."""
    listed = Path(f"/proc/{number}/stat")
    if Path("/proc/self/stat").exists():
        return listed.exists() and listed.read_text().rsplit(")", 1)[1].split()[0] != "Z"
    return subprocess.run(("ps", "-p", str(number)), capture_output=True, check=False).returncode == 0


def gone(*numbers: int) -> bool:
    until = time.monotonic() + SECONDS
    while time.monotonic() < until and any(map(runs, numbers)):
        time.sleep(0.05)
    return not any(map(runs, numbers))


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    found = Served(tmp_path / "data", free_port())
    yield found
    if found.process.poll() is None:
        found.process.kill()
        found.process.wait()
    if found.process.stdout:
        found.process.stdout.close()


def test_it_serves_degrades_and_leaves_nothing_behind(served: Served) -> None:
    assert served.wait() < 5
    assert served.ask("/readyz") == {"status": "ready", "degraded": []}
    key = {"Idempotency-Key": "x" * 22}
    assert served.ask("/v1/dice", {"notation": "9d6"}, **key) == served.ask("/v1/dice", {"notation": "9d6"}, **key)
    assert oct((served.data / "run").stat().st_mode)[-3:] == "700"
    cache = served.cache
    os.kill(cache, signal.SIGSTOP)
    assert served.ask("/readyz")["degraded"] == ["cache"]
    assert served.ask("/v1/dice", {"notation": "2d6"})["rolls"]
    with pytest.raises(urllib.error.HTTPError, match="503"):
        served.ask("/v1/dice", {"notation": "9d6"}, **key)
    os.kill(cache, signal.SIGCONT)
    told = served.stop()
    assert served.process.returncode == 0, told
    assert re.search(rf"http://127.0.0.1:{served.port}/docs", told) and "curl" in told
    with socket.socket() as trial:
        assert trial.connect_ex(("127.0.0.1", served.port)) != 0


def test_a_cache_that_was_killed_is_started_again(served: Served) -> None:
    served.wait()
    key = {"Idempotency-Key": "x" * 22}
    first, cache = served.ask("/v1/dice", {"notation": "9d6"}, **key), served.cache
    os.kill(cache, signal.SIGKILL)
    until = time.monotonic() + SECONDS
    while (served.cache == cache or served.ask("/readyz")["degraded"]) and time.monotonic() < until:
        time.sleep(0.05)
    assert served.ask("/v1/dice", {"notation": "9d6"}, **key)["id"] == first["id"]
    cache = served.cache
    assert "started again" in served.stop()
    assert gone(cache)


def readable(held: list[socket.socket]) -> list[socket.socket]:
    """Those with something to read, whatever their file descriptors are."""
    with selectors.DefaultSelector() as selector:
        for one in held:
            selector.register(one, selectors.EVENT_READ, one)
        return [key.data for key, _ in selector.select(0)]


def test_bodies_that_never_arrive_stop_nobody_else(served: Served) -> None:
    served.wait()
    head = b"POST /v1/dice HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{"
    with ExitStack() as open_ones:
        held = [
            open_ones.enter_context(socket.create_connection(("127.0.0.1", served.port), timeout=5)) for _ in range(150)
        ]
        for one in held:
            one.sendall(head)
        time.sleep(0.5)
        began = time.monotonic()
        assert served.ask("/healthz") == {"status": "ok"}
        assert time.monotonic() - began < 1
        refused = readable(held)
        assert len(refused) >= len(held) - 2 * MAX_ARRIVING
        told = refused[0].recv(2_000).lower()
        assert told.startswith(b"http/1.1 429") and b"retry-after: 1" in told
    assert served.wait() < 5


def test_it_starts_again_after_it_was_killed(served: Served) -> None:
    served.wait()
    orphan = served.cache
    served.process.kill()
    served.process.wait()
    again = Served(served.data, served.port)
    assert gone(orphan)
    until = time.monotonic() + SECONDS
    while again.cache == orphan and time.monotonic() < until:
        time.sleep(0.05)
    again.wait()
    assert again.ask("/readyz")["degraded"] == []
    cache = again.cache
    again.stop()
    assert gone(cache)


def test_nothing_is_left_when_it_is_killed(served: Served) -> None:
    served.wait()
    cache = served.cache
    served.process.kill()
    served.process.wait()
    assert gone(cache)


def test_deadlines_pass_while_nobody_asks_and_games_outlive_the_server(served: Served) -> None:
    served.wait()
    made = served.ask("/v1/games", {"system": "shinobido", "options": {"window_seconds": 1}})
    game, bearer = f"/v1/games/{made['id']}", {"Authorization": f"Bearer {made['token']}"}

    def command(name: str, **params: Any) -> Any:
        return served.ask(f"{game}/commands", {"command": name, "params": params}, **bearer)

    for called in ("one", "two"):
        command("create_character", template="guard", called=called)  # hidden: asked after every throw
    command("start_mission")
    command("start_scene", title="The gate")
    assert command("start_combat", sides={"a": ["one"], "b": ["two"]})["pending"]["questions"][0]["deadline"]
    with contextlib.closing(sqlite3.connect(served.data / "games.db")) as database:
        until = time.monotonic() + SECONDS
        while _rows(database)[-1] == "command" and time.monotonic() < until:
            time.sleep(0.1)  # nobody asks the service
        assert _rows(database)[-1] in ("silence", "veiled"), _rows(database)
    seen = served.ask(game, **bearer)
    served.stop()
    again = Served(served.data, served.port)
    again.wait()
    assert again.ask(game, **bearer)["you"] == seen["you"]
    again.stop()


def _rows(database: sqlite3.Connection) -> list[str]:
    """The kinds of the messages that were written down."""
    return [kind for (kind,) in database.execute("SELECT kind FROM rows ORDER BY seq")]


def test_two_do_not_share_a_directory_or_a_port(served: Served, tmp_path: Path) -> None:
    served.wait()
    for arguments, said in (
        (("--data", str(served.data), "--port", str(free_port())), "another ninja-rules"),
        (("--data", str(tmp_path / "other"), "--port", str(served.port)), "cannot listen"),
        (("--data", "/proc/nowhere", "--port", str(free_port())), "cannot write"),
    ):
        refused = Served.run(*arguments)
        told, _ = refused.communicate(timeout=SECONDS)
        assert refused.returncode == 2 and said in told and told.count("\n") == 1, told
    served.stop()
