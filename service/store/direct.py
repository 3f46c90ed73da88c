"""Writing to PostgreSQL: each change is a transaction of its own, and how a commit ended is found out if need be."""

from __future__ import annotations

import time

from sqlalchemy import Connection, Engine, text
from sqlalchemy.exc import DBAPIError

from service.store.faults import UNREACHABLE, away_told, why_away
from service.store.records import OutcomeUnknown, StoreAway
from service.store.writer import Change

SECONDS_TO_FIND_OUT = 10.0
SECONDS_FOR_COMMIT = 1.0  # that a server, which answers again, may still need for a commit before we end it
SECONDS_BETWEEN_LOOKS = 0.1
WHO = text("SELECT pg_current_xact_id()::text, pg_backend_pid()")
HOW_ENDED = text("SELECT pg_xact_status(CAST(CAST(:number AS text) AS xid8))")
END = text("SELECT pg_terminate_backend(:process)")


class Direct:
    """Thread-safe; it holds nothing but the engine."""

    def __init__(self, engine: Engine, seconds_to_find_out: float = SECONDS_TO_FIND_OUT) -> None:
        self._engine = engine
        self._seconds_to_find_out = seconds_to_find_out

    def carry_out(self, change: Change) -> None:
        """Returns when it is on disk. Raises what `change` raises, and `StoreAway`; nothing is changed then.

        Raises `OutcomeUnknown` if the database went away during the commit and stays away.
        """
        with away_told(), self._engine.connect() as connection:
            change(connection)
            number, process = connection.execute(WHO).one()
            try:
                connection.commit()
            except DBAPIError as error:
                if why_away(error) is None:
                    raise
                connection.invalidate()
                self._find_out(number, process)

    def close(self) -> None:
        """Nothing is left to end."""

    def _find_out(self, number: str, process: int) -> None:
        """Returns if that transaction was committed. Raises `StoreAway` if it was not and never will be."""
        began = time.monotonic()
        while (waited := time.monotonic() - began) < self._seconds_to_find_out:
            status = self._status(number, process, end=waited > SECONDS_FOR_COMMIT)
            if status == "committed":
                return
            if status == "aborted":
                raise StoreAway(UNREACHABLE)
            time.sleep(SECONDS_BETWEEN_LOOKS)
        raise OutcomeUnknown(UNREACHABLE)

    def _status(self, number: str, process: int, *, end: bool) -> str | None:
        """None if nobody answers."""
        try:
            with self._engine.connect() as connection:
                status = _ended(connection, number)
                if end and status == "in progress":
                    connection.execute(END, {"process": process})
                return status
        except Exception as error:
            if why_away(error) is None:
                raise
            return None


def _ended(connection: Connection, number: str) -> str | None:
    status: str | None = connection.execute(HOW_ENDED, {"number": number}).scalar()
    return status
