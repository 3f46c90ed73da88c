"""One thread of each process writes to SQLite: what came in meanwhile is committed together."""

from __future__ import annotations

import sqlite3
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import TypeAlias

from sqlalchemy import Connection, Engine

from service.store.faults import BUSY, why_away
from service.store.filelock import FileLock
from service.store.records import StoreAway

Change: TypeAlias = Callable[[Connection], None]
LONGEST_QUEUE = 1_000
LARGEST_GROUP = 64
SECONDS_TO_WAIT = 5.0  # that a change waits until it is begun; what was begun is waited for
SECONDS_TO_END = 10.0
CLOSED = "the store is closed"


class Job:
    """A change, and how it ended once its group is committed."""

    def __init__(self, change: Change) -> None:
        self._change = change
        self._failed: Exception | None = None
        self._outcome: Future[None] = Future()

    def began(self) -> bool:
        """False if nobody waits for it any more: it must not be tried then."""
        return self._outcome.set_running_or_notify_cancel()

    def attempt(self, connection: Connection, raw: sqlite3.Connection) -> None:
        """In a savepoint of its own. Raises only what ends the whole group."""
        raw.execute("SAVEPOINT job")
        try:
            self._change(connection)
        except Exception as error:
            if why_away(error) is not None:
                raise
            self._failed = error
            raw.execute("ROLLBACK TO job")
        raw.execute("RELEASE job")

    def tell(self, error: Exception | None = None) -> None:
        failed = error or self._failed
        if failed is None:
            self._outcome.set_result(None)
        else:
            self._outcome.set_exception(failed)

    def wait(self, seconds: float) -> None:
        """Returns when it is committed. Raises why it is not, and surely never will be."""
        try:
            self._outcome.result(seconds)
        except TimeoutError:
            if self._outcome.cancel():
                raise StoreAway(BUSY) from None
            self._outcome.result()


class Writer:
    """Its thread starts with the first change, so a process may fork before that."""

    def __init__(self, engine: Engine, file: Path, seconds_to_wait: float = SECONDS_TO_WAIT) -> None:
        self._engine = engine
        self._lock = FileLock(file)
        self._seconds_to_wait = seconds_to_wait
        self._waiting: deque[Job] = deque()
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None
        self._closed = False
        self._connection: Connection | None = None

    def carry_out(self, change: Change) -> None:
        """Returns when it is on disk. Raises what `change` raises, and `StoreAway`; nothing is changed then."""
        job = Job(change)
        with self._changed:
            if self._closed:
                raise StoreAway(CLOSED)
            if len(self._waiting) >= LONGEST_QUEUE:
                raise StoreAway(BUSY)
            self._start()
            self._waiting.append(job)
            self._changed.notify()
        job.wait(self._seconds_to_wait)

    def close(self) -> None:
        """What waits is still carried out."""
        with self._changed:
            self._closed = True
            self._changed.notify()
        if self._thread:
            self._thread.join(SECONDS_TO_END)

    def _start(self) -> None:
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, name="store", daemon=True)
            self._thread.start()

    def _work(self) -> None:
        while self._is_wanted():
            self._write()
        self._let_go()
        self._lock.close()

    def _is_wanted(self) -> bool:
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._closed)
            return bool(self._waiting)

    def _write(self) -> None:
        """One group: none of it is taken from the queue until the database is ours, all of it is told at the end."""
        group: list[Job] = []
        failed: Exception | None = None
        try:
            with self._lock.held():
                self._commit(group)
        except Exception as error:
            failed = error
            group = group or self._take()
            self._let_go()
        for job in group:
            job.tell(failed and _told(failed))

    def _commit(self, group: list[Job]) -> None:
        if self._connection is None:
            self._connection = self._engine.connect()
        connection, raw = self._connection, _driver(self._connection)
        connection.begin()
        raw.execute("BEGIN IMMEDIATE")
        group.extend(self._take())
        for job in group:
            job.attempt(connection, raw)
        connection.commit()

    def _take(self) -> list[Job]:
        with self._changed:
            taken = [self._waiting.popleft() for _ in range(min(LARGEST_GROUP, len(self._waiting)))]
        return [job for job in taken if job.began()]

    def _let_go(self) -> None:
        """Closing the file itself ends whatever transaction is still open."""
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.invalidate()
            connection.close()


def _told(error: Exception) -> Exception:
    why = why_away(error)
    return error if why is None else StoreAway(why)


def _driver(connection: Connection) -> sqlite3.Connection:
    """For the statements that carry no values, at a quarter of their price (measured: 60 µs of a change)."""
    found: sqlite3.Connection = connection.connection.driver_connection  # type: ignore[assignment]
    return found
