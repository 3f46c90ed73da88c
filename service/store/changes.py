"""What is written, on a connection whose transaction somebody else begins and commits."""

from __future__ import annotations

from msgspec import json
from msgspec.structs import asdict
from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from service.store import statements as sql
from service.store.records import Append, Clash, Epoch, InviteSpent, KeyTaken, Row, UnknownGame


def create(connection: Connection, values: dict[str, object], row: Row, epoch: Epoch) -> None:
    """`values` are the columns of the game. Raises `KeyTaken` if there is one of that id."""
    try:
        connection.execute(sql.ADD_GAME, values)
    except IntegrityError as error:
        raise KeyTaken from error
    sql.ADD_ROW.run(connection, asdict(row) | {"game": values["id"]})
    connection.execute(sql.ADD_EPOCH, asdict(epoch))


def append(connection: Connection, one: Append, nonce: str) -> None:
    """Raises `Clash`, `KeyTaken`, `InviteSpent` or `UnknownGame`; the transaction must not be kept then."""
    _advance(connection, one, nonce)
    if one.undo_after is not None:
        connection.execute(sql.UNDO, {"game_": one.game, "after": one.undo_after, "seq_": one.seq})
    _add_row(connection, one)
    if one.used is not None or one.revoked or one.invites:
        _change_invites(connection, one)
    if one.ended is not None:
        changed = {"game_": one.game, "number_": one.ended.number, "ended_": one.ended.ended}
        connection.execute(sql.END_EPOCH, changed)
    if one.begun is not None:
        connection.execute(sql.ADD_EPOCH, asdict(one.begun))


def settle_due(connection: Connection, game: str, seq: int, due: int | None) -> None:
    connection.execute(sql.SETTLE_DUE, {"game_": game, "seq_": seq, "due_": due})


def delete(connection: Connection, game: str) -> None:
    connection.execute(sql.DELETE, {"game_": game})


def _advance(connection: Connection, one: Append, nonce: str) -> None:
    values = {
        "game_": one.game,
        "seq_": one.seq,
        "next_": one.row.seq,
        "nonce_": nonce,
        "standing_": one.standing,
        "due_": one.due,
        "credentials_": None if one.credentials is None else json.encode(one.credentials),
    }
    if sql.ADVANCE.run(connection, values).rowcount == 1:
        return
    if connection.execute(sql.MARK, {"game_": one.game}).one_or_none() is None:
        raise UnknownGame
    raise Clash


def _add_row(connection: Connection, one: Append) -> None:
    try:
        sql.ADD_ROW.run(connection, asdict(one.row) | {"game": one.game})
    except IntegrityError as error:
        if _is_about_key(error):
            raise KeyTaken from error
        raise


def _is_about_key(error: IntegrityError) -> bool:
    """SQLite names the columns of the constraint, PostgreSQL its name."""
    diagnosis = getattr(error.orig, "diag", None)
    if diagnosis is not None:
        return bool(diagnosis.constraint_name == "rows_key")
    return "rows.key" in str(error.orig)


def _change_invites(connection: Connection, one: Append) -> None:
    if one.used is not None:
        found = connection.execute(sql.USE_INVITE, {"game_": one.game, "code": one.used})
        if found.rowcount != 1:
            raise InviteSpent
    if one.revoked:
        connection.execute(sql.REVOKE, {"game_": one.game, "seats": list(one.revoked)})
    if one.invites:
        connection.execute(sql.ADD_INVITE, [asdict(invite) for invite in one.invites])
