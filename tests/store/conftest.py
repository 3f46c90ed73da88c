"""Real databases and a real Valkey, each started once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy as sa

from service.store.cache import Cache
from service.store.games import Games


def fresh_database(postgres: str, name: str) -> str:
    """The URL of an empty database of that server."""
    server = sa.make_url(postgres).set(drivername="postgresql+psycopg")
    found = server.set(database=name)
    if not _has(server, name):
        _run(server, f"CREATE DATABASE {name}")
    _run(found, "DROP SCHEMA public CASCADE", "CREATE SCHEMA public")
    return found.render_as_string(hide_password=False)


def _has(server: sa.URL, name: str) -> bool:
    return bool(_run(server, f"SELECT 1 FROM pg_database WHERE datname = '{name}'"))


def _run(url: sa.URL, *statements: str) -> list[sa.Row]:
    """The rows of the last one, if it has any."""
    engine = sa.create_engine(url, isolation_level="AUTOCOMMIT", poolclass=sa.NullPool)
    with engine.connect() as connection:
        results = [connection.execute(sa.text(one)) for one in statements]
        return list(results[-1]) if results[-1].returns_rows else []


@pytest.fixture
def sqlite(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path}/games.db"


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Of an empty database, once on each kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/games.db"
    return fresh_database(request.getfixturevalue("postgres"), "games")


@pytest.fixture
def store(url: str) -> Iterator[Games]:
    """Without a cache."""
    with closing(Games(url, Cache(""))) as games:
        yield games


@pytest.fixture
def on_sqlite(sqlite: str) -> Iterator[Games]:
    with closing(Games(sqlite, Cache(""))) as games:
        yield games
