"""Connections to the database that a URL names."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sqlalchemy import URL, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError

from service.settings import BadSetting

SQLITE = "sqlite:///"
POSTGRES = ("postgresql+psycopg://", "postgresql://", "postgres://")
SECONDS_LOCKED = 2  # that a statement waits for a locked database
SECONDS_TO_CONNECT = 5
SECONDS_FOR_CONNECTION = 5  # that a request waits for one of the pool
POOL = {"pool_size": 8, "max_overflow": 8, "pool_timeout": SECONDS_FOR_CONNECTION}
ON_CONNECT = (
    "PRAGMA synchronous = FULL",
    "PRAGMA foreign_keys = ON",
    f"PRAGMA busy_timeout = {SECONDS_LOCKED * 1000}",
)
OF_POSTGRES: dict[str, Any] = {
    "connect_timeout": SECONDS_TO_CONNECT,
    "keepalives_idle": 30,
    "tcp_user_timeout": 15_000,
    "options": "-c statement_timeout=15s -c lock_timeout=2s -c idle_in_transaction_session_timeout=60s",
}


def engine(url: str) -> Engine:
    """An engine that has not connected yet. Raises `BadSetting` for a URL that names no database of ours."""
    if url.startswith(SQLITE):
        return _sqlite(url.removeprefix(SQLITE))
    if url.startswith(POSTGRES):
        return _postgres(url)
    raise BadSetting(f"DATABASE_URL must begin with {SQLITE} or {POSTGRES[0]}")


def file_of(engine: Engine) -> Path | None:
    """The file of an SQLite database, None for PostgreSQL."""
    return Path(engine.url.database or "") if engine.dialect.name == "sqlite" else None


def _sqlite(path: str) -> Engine:
    if not path or path.startswith((":memory:", "file:")):
        raise BadSetting("DATABASE_URL must name a file: games are kept on disk")
    made = create_engine(URL.create("sqlite", database=str(Path(path).absolute())), hide_parameters=True, **POOL)
    event.listen(made, "connect", _set_up_sqlite)
    return made


def _set_up_sqlite(connection: Any, _: object) -> None:
    """Transactions begin where we say so, and reads need none."""
    connection.isolation_level = None
    for pragma in ON_CONNECT:
        connection.execute(pragma)


def _postgres(url: str) -> Engine:
    try:
        parsed = make_url(url).set(drivername="postgresql+psycopg")
        options = {name: value for name, value in OF_POSTGRES.items() if name not in parsed.query}
        return create_engine(parsed, connect_args=options, pool_pre_ping=True, hide_parameters=True, **POOL)
    except ArgumentError:
        raise BadSetting("DATABASE_URL is no URL") from None
    except ImportError:
        raise BadSetting("PostgreSQL needs a driver: pip install 'ninja-rules[postgres]'") from None
