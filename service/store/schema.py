"""Brings a database to the newest revision, whoever else opens it at the same moment."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import Connection, Engine, inspect, text

from service.store.engine import file_of
from service.store.filelock import FileLock

NEWEST = "0001"
REVISIONS = Path(__file__).parent / "migrations"
SECONDS_FOR_OTHERS = 10.0  # that another process may take to do the same
LOCK_OF_POSTGRES = 0x6E696E6A61  # any number that nobody else uses as an advisory lock


def upgrade(engine: Engine) -> None:
    """One transaction, or nothing at all if the newest revision is there. Raises what the database raises."""
    file = file_of(engine)
    if file is None:
        _upgrade_postgres(engine)
    else:
        _upgrade_sqlite(engine, file)


def revision(connection: Connection) -> str | None:
    """The revision that a database is at, None if it is empty."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    found: str | None = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    return found


def _upgrade_sqlite(engine: Engine, file: Path) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    lock = FileLock(file)
    try:
        with lock.held_within(SECONDS_FOR_OTHERS), engine.connect() as connection:
            connection.exec_driver_sql("PRAGMA journal_mode = WAL")
            if revision(connection) != NEWEST:
                connection.exec_driver_sql("BEGIN IMMEDIATE")
                _run(connection)
                connection.commit()
    finally:
        lock.close()


def _upgrade_postgres(engine: Engine) -> None:
    with engine.connect() as connection:
        if revision(connection) == NEWEST:
            return
        connection.exec_driver_sql("SET LOCAL statement_timeout = 0")
        connection.exec_driver_sql(f"SET LOCAL lock_timeout = '{SECONDS_FOR_OTHERS:.0f}s'")
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({LOCK_OF_POSTGRES})")
        _run(connection)
        connection.commit()


def _run(connection: Connection, to: str = "head") -> None:
    from alembic import command  # noqa: PLC0415 - slow to import and needed once in the life of a database
    from alembic.config import Config  # noqa: PLC0415

    config = Config()
    config.set_main_option("script_location", str(REVISIONS).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    command.upgrade(config, to)
