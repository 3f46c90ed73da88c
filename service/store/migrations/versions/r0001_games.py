"""Games, their rows, invites and epochs."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

TEXT = sa.String()
BYTES = sa.LargeBinary()
NUMBER = sa.Integer()
MOMENT = sa.BigInteger()


def upgrade() -> None:
    _games()
    _rows()
    op.create_table(
        "invites",
        sa.Column("code_hash", TEXT, primary_key=True),
        _of_game(),
        sa.Column("seat", TEXT, nullable=False),
        sa.Column("used", sa.Boolean(), nullable=False),
    )
    op.create_index("invites_game", "invites", ["game"])
    op.create_table(
        "epochs",
        _of_game(primary_key=True),
        sa.Column("number", NUMBER, primary_key=True, autoincrement=False),
        sa.Column("secret", BYTES, nullable=False),
        sa.Column("commitment", TEXT, nullable=False),
        sa.Column("began", MOMENT, nullable=False),
        sa.Column("ended", MOMENT),
    )


def _games() -> None:
    op.create_table(
        "games",
        sa.Column("id", TEXT, primary_key=True),
        sa.Column("system", TEXT, nullable=False),
        sa.Column("seq", NUMBER, nullable=False),
        sa.Column("nonce", TEXT, nullable=False),
        sa.Column("standing", BYTES, nullable=False),
        sa.Column("credentials", BYTES, nullable=False),
        sa.Column("due", MOMENT),
        sa.Column("created", MOMENT, nullable=False),
        sa.Column("mark", TEXT, nullable=False),
    )
    _index_where("games_due", "games", ["due"], "due IS NOT NULL")


def _rows() -> None:
    op.create_table(
        "rows",
        _of_game(primary_key=True),
        sa.Column("seq", NUMBER, primary_key=True, autoincrement=False),
        sa.Column("at", MOMENT, nullable=False),
        sa.Column("seat", TEXT, nullable=False),
        sa.Column("kind", TEXT, nullable=False),
        sa.Column("message", BYTES, nullable=False),
        sa.Column("events", BYTES, nullable=False),
        sa.Column("shown", BYTES, nullable=False),
        sa.Column("digest", TEXT, nullable=False),
        sa.Column("base", TEXT, nullable=False),
        sa.Column("rules_version", TEXT, nullable=False),
        sa.Column("key", TEXT),
        sa.Column("mark", TEXT, nullable=False),
        sa.Column("answer", BYTES, nullable=False),
        sa.Column("snapshot", BYTES),
        sa.Column("undone", sa.Boolean(), nullable=False),
    )
    _index_where("rows_key", "rows", ["game", "key"], "key IS NOT NULL", unique=True)
    _index_where("rows_undone", "rows", ["game", "base"], "undone")
    _index_where("rows_snapshot", "rows", ["game", "seq"], "snapshot IS NOT NULL")


def _of_game(*, primary_key: bool = False) -> sa.Column[str]:
    owner = sa.ForeignKey("games.id", ondelete="CASCADE")
    return sa.Column("game", TEXT, owner, primary_key=primary_key, nullable=False)


def _index_where(name: str, table: str, columns: list[str], condition: str, *, unique: bool = False) -> None:
    where = sa.text(condition)
    op.create_index(name, table, columns, unique=unique, sqlite_where=where, postgresql_where=where)
