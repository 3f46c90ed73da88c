"""The tables of the store. They are only ever made and changed by the revisions under `migrations/`."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    text,
)

metadata = MetaData()


def _of_game(*, primary_key: bool = False) -> Column[str]:
    return Column("game", String, ForeignKey("games.id", ondelete="CASCADE"), primary_key=primary_key, nullable=False)


games = Table(
    "games",
    metadata,
    Column("id", String, primary_key=True),
    Column("system", String, nullable=False),
    Column("seq", Integer, nullable=False),
    Column("nonce", String, nullable=False),  # another one with every row
    Column("standing", LargeBinary, nullable=False),
    Column("credentials", LargeBinary, nullable=False),
    Column("due", BigInteger),
    Column("created", BigInteger, nullable=False),
    Column("mark", String, nullable=False),
    Index("games_due", "due", postgresql_where=text("due IS NOT NULL"), sqlite_where=text("due IS NOT NULL")),
)

rows = Table(
    "rows",
    metadata,
    _of_game(primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("at", BigInteger, nullable=False),
    Column("seat", String, nullable=False),
    Column("kind", String, nullable=False),
    Column("message", LargeBinary, nullable=False),
    Column("events", LargeBinary, nullable=False),
    Column("shown", LargeBinary, nullable=False),
    Column("digest", String, nullable=False),
    Column("base", String, nullable=False),
    Column("rules_version", String, nullable=False),
    Column("key", String),
    Column("mark", String, nullable=False),
    Column("answer", LargeBinary, nullable=False),
    Column("snapshot", LargeBinary),
    Column("undone", Boolean, nullable=False),
    Index(
        "rows_key",
        "game",
        "key",
        unique=True,
        postgresql_where=text("key IS NOT NULL"),
        sqlite_where=text("key IS NOT NULL"),
    ),
    Index("rows_undone", "game", "base", postgresql_where=text("undone"), sqlite_where=text("undone")),
    Index(
        "rows_snapshot",
        "game",
        "seq",
        postgresql_where=text("snapshot IS NOT NULL"),
        sqlite_where=text("snapshot IS NOT NULL"),
    ),
)

invites = Table(
    "invites",
    metadata,
    Column("code_hash", String, primary_key=True),
    _of_game(),
    Column("seat", String, nullable=False),
    Column("used", Boolean, nullable=False),
    Index("invites_game", "game"),
)

epochs = Table(
    "epochs",
    metadata,
    _of_game(primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("secret", LargeBinary, nullable=False),
    Column("commitment", String, nullable=False),
    Column("began", BigInteger, nullable=False),
    Column("ended", BigInteger),
)
