"""A lock between processes beside an SQLite file: who waits for it is woken, not told to come again."""

from __future__ import annotations

import contextlib
import fcntl
import os
import time
from collections.abc import Iterator
from pathlib import Path

from service.store.faults import LOCKED
from service.store.records import StoreAway

SECONDS_BETWEEN_TRIES = 0.01


class FileLock:
    """Opened when it is first taken. One object serves one thread."""

    def __init__(self, database: Path) -> None:
        self._path = database.with_name(f"{database.name}.lock")
        self._file: int | None = None

    @contextlib.contextmanager
    def held(self) -> Iterator[None]:
        """Waits as long as it takes."""
        file = self._opened()
        fcntl.flock(file, fcntl.LOCK_EX)
        try:
            yield
        finally:
            fcntl.flock(file, fcntl.LOCK_UN)

    @contextlib.contextmanager
    def held_within(self, seconds: float) -> Iterator[None]:
        """Raises `StoreAway` if others hold it longer than that."""
        file = self._opened()
        until = time.monotonic() + seconds
        while not _taken(file):
            if time.monotonic() > until:
                raise StoreAway(LOCKED)
            time.sleep(SECONDS_BETWEEN_TRIES)
        try:
            yield
        finally:
            fcntl.flock(file, fcntl.LOCK_UN)

    def close(self) -> None:
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def _opened(self) -> int:
        if self._file is None:
            self._file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        return self._file


def _taken(file: int) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
