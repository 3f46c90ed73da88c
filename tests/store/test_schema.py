"""The revisions make exactly the tables that the code uses."""

from __future__ import annotations

import threading
from contextlib import closing
from typing import Any

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

from service.store import schema
from service.store.cache import Cache
from service.store.engine import engine
from service.store.games import Games
from service.store.tables import metadata
from tests.store.conftest import fresh_database
from tests.store.samples import create


def newest() -> str | None:
    config = Config()
    config.set_main_option("script_location", str(schema.REVISIONS))
    return ScriptDirectory.from_config(config).get_current_head()


def described(made: sa.Engine) -> dict[str, Any]:
    """All that a database can say of our tables."""
    found = sa.inspect(made)
    return {
        name: [
            [(one["name"], str(one["type"]), one["nullable"], one["default"]) for one in found.get_columns(name)],
            found.get_pk_constraint(name)["constrained_columns"],
            [(one["constrained_columns"], one["options"]) for one in found.get_foreign_keys(name)],
            sorted((one["name"], one["column_names"], one["unique"], options(one)) for one in found.get_indexes(name)),
        ]
        for name in metadata.tables
    }


def options(index: Any) -> str:
    return str({name: str(value) for name, value in sorted(index.get("dialect_options", {}).items())})


def test_the_newest_revision_is_the_one_asked_for() -> None:
    assert newest() == schema.NEWEST


def test_revisions_and_tables_agree(url: str, tmp_path: Any, request: pytest.FixtureRequest) -> None:
    migrated = engine(url)
    schema.upgrade(migrated)
    with migrated.connect() as connection:
        assert schema.revision(connection) == schema.NEWEST
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
    sqlite = url.startswith("sqlite")
    other = f"sqlite:///{tmp_path}/other.db" if sqlite else fresh_database(request.getfixturevalue("postgres"), "other")
    direct = engine(other)
    metadata.create_all(direct)
    assert described(migrated) == described(direct)
    migrated.dispose()
    direct.dispose()


def test_a_database_of_the_first_revision_is_upgraded(url: str) -> None:
    old = engine(url)
    with old.connect() as connection:
        if url.startswith("sqlite"):
            connection.exec_driver_sql("BEGIN IMMEDIATE")
        schema._run(connection, "0001")
        connection.commit()
        assert schema.revision(connection) == "0001"
    old.dispose()
    with closing(Games(url, Cache(""))) as games:
        create(games)
        assert games.mark_of("g") == "made"


def test_many_open_it_at_once(url: str) -> None:
    failed: list[Exception] = []
    ready = threading.Barrier(6)

    def open_and_write(number: int) -> None:
        with closing(Games(url, Cache(""))) as games:
            ready.wait()
            try:
                create(games, f"g{number}")
            except Exception as error:
                failed.append(error)

    threads = [threading.Thread(target=open_and_write, args=(number,)) for number in range(6)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert failed == []
    with closing(Games(url, Cache(""))) as games:
        assert [games.mark_of(f"g{number}") for number in range(6)] == ["made"] * 6
