"""Which errors of a database mean that it is away, in words that name no file, no statement and no secret."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator

from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from service.store.records import StoreAway

UNREACHABLE = "the database cannot be reached"
LOCKED = "the database is locked"
FULL = "the disk of the database is full"
READ_ONLY = "the database cannot be written"
BROKEN = "the database cannot read or write its files"
BUSY = "the database is too busy"

OF_SQLITE = {
    sqlite3.SQLITE_BUSY: LOCKED,
    sqlite3.SQLITE_LOCKED: LOCKED,
    sqlite3.SQLITE_PROTOCOL: LOCKED,
    sqlite3.SQLITE_FULL: FULL,
    sqlite3.SQLITE_READONLY: READ_ONLY,
    sqlite3.SQLITE_PERM: READ_ONLY,
    sqlite3.SQLITE_CANTOPEN: UNREACHABLE,
    sqlite3.SQLITE_IOERR: BROKEN,
    sqlite3.SQLITE_CORRUPT: BROKEN,
    sqlite3.SQLITE_NOTADB: BROKEN,
}
OF_POSTGRES = {  # SQLSTATE, the whole of it before its class
    "53100": FULL,
    "53": BUSY,
    "55P03": LOCKED,
    "40P01": LOCKED,
    "40001": LOCKED,
    "57014": BUSY,
    "57": UNREACHABLE,
    "25006": READ_ONLY,
    "58": BROKEN,
    "08": UNREACHABLE,
}


def why_away(error: BaseException) -> str | None:
    """Why the database is away, or None if this error says no such thing."""
    if isinstance(error, StoreAway):
        return error.why
    if isinstance(error, PoolTimeout):
        return BUSY
    if isinstance(error, sqlite3.Error):
        return OF_SQLITE.get(getattr(error, "sqlite_errorcode", 0) & 0xFF)
    if isinstance(error, DBAPIError):
        return _of_driver(error)
    return BROKEN if isinstance(error, OSError) else None


@contextlib.contextmanager
def away_told() -> Iterator[None]:
    """Raises `StoreAway` for every error that means it; all others pass."""
    try:
        yield
    except Exception as error:
        why = why_away(error)
        if why is None or isinstance(error, StoreAway):
            raise
        raise StoreAway(why) from error


def _of_driver(error: DBAPIError) -> str | None:
    if isinstance(error.orig, sqlite3.Error):
        return why_away(error.orig)
    state = getattr(error.orig, "sqlstate", None)
    if state is not None:
        return OF_POSTGRES.get(state) or OF_POSTGRES.get(state[:2])
    gone = error.connection_invalidated or isinstance(error, OperationalError | InterfaceError)
    return UNREACHABLE if gone else None
