"""The log of every game, in SQL. A copy of where each one stands is in Redis, and believed only if it is that one."""

from __future__ import annotations

import contextlib
import secrets
import threading
from collections.abc import Iterator
from typing import Any, Protocol

from msgspec import Struct, json
from sqlalchemy import Engine, Executable

from service.store import changes
from service.store import statements as sql
from service.store.cache import Cache, CacheAway
from service.store.direct import Direct
from service.store.engine import engine, file_of
from service.store.faults import away_told
from service.store.records import Append, Clash, Epoch, Head, Invite, Row, StoreAway, UnknownGame
from service.store.schema import upgrade
from service.store.writer import CLOSED, Change, Writer

LAST = 2**31 - 1
PORTION = 200  # rows that are read at once
CREDENTIALS = json.Decoder(dict[str, str])


class Writes(Protocol):
    def carry_out(self, change: Change) -> None: ...

    def close(self) -> None: ...


class Opened(Struct, frozen=True):
    reading: Engine
    writes: Writes


class Games:
    """One for each process. It connects when it is first used; until then the process may fork.

    Everything raises `StoreAway` if the database is away. What is known of a game that does not exist is None or
    empty unless `UnknownGame` is mentioned.
    """

    def __init__(self, url: str, cache: Cache) -> None:
        self._engine = engine(url)
        self._cache = cache
        self._opening = threading.Lock()
        self._opened: Opened | None = None
        self._closed = False

    def close(self) -> None:
        """What was begun is carried out; everything after it raises `StoreAway`."""
        with self._opening:
            self._closed = True
            opened, self._opened = self._opened, None
        if opened is not None:
            opened.writes.close()
        self._engine.dispose()

    def awake(self) -> bool:
        try:
            self._all(sql.DUE, {"now": 0, "limit_": 1})
        except StoreAway:
            return False
        return True

    def create(
        self,
        game: str,
        system: str,
        standing: bytes,
        credentials: dict[str, str],
        row: Row,
        epoch: Epoch,
        due: int | None,
        mark: str,
    ) -> None:
        """Raises `KeyTaken` if there is a game of that id; `mark_of` tells whether the same request made it."""
        nonce = _nonce()
        values = {
            "id": game,
            "system": system,
            "seq": row.seq,
            "nonce": nonce,
            "standing": standing,
            "credentials": json.encode(credentials),
            "due": due,
            "created": row.at,
            "mark": mark,
        }
        self._write(lambda connection: changes.create(connection, values, row, epoch))
        self._announce(game, _stamp(row.seq, nonce), standing)

    def mark_of(self, game: str) -> str | None:
        """The mark of the request that created it."""
        found = self._one(sql.MARK, {"game_": game})
        return None if found is None else str(found[0])

    def head(self, game: str, key: str | None = None) -> tuple[Head, Row | None]:
        """Where it stands, and the row with that idempotency key if there is one. Raises `UnknownGame`."""
        if key is None:
            with away_told(), self._open().reading.connect() as connection:
                found: Any = sql.HEAD.one(connection, {"game_": game})
        else:
            found = self._one(sql.HEAD_AND_ROW, {"game_": game, "key_": key})
        if found is None:
            raise UnknownGame
        id, system, seq, credentials, nonce, *columns = found
        head = Head(id, system, seq, CREDENTIALS.decode(credentials), nonce)
        return head, Row(*columns) if columns and columns[0] is not None else None

    def standing(self, head: Head) -> bytes:
        """As of that head. Raises `Clash` if the game has moved on, `UnknownGame` if it is gone."""
        stamp = _stamp(head.seq, head.nonce)
        with contextlib.suppress(CacheAway):
            kept = self._cache.find_standing(head.game, stamp)
            if kept is not None:
                return kept
        found = self._one(sql.STANDING, {"game_": head.game})
        if found is None:
            raise UnknownGame
        seq, nonce, standing = found
        if (seq, nonce) != (head.seq, head.nonce):
            raise Clash
        with contextlib.suppress(CacheAway):
            self._cache.put_standing(head.game, stamp, standing)
        return bytes(standing)

    def append(self, one: Append) -> str:
        """The nonce of the new head, when it is on disk.

        Raises `Clash`, `KeyTaken`, `InviteSpent`, `UnknownGame`: nothing is changed.

        Whoever listens to `game:<id>` in Redis is woken, unless Redis is away.
        """
        if one.row.seq != one.seq + 1:
            raise ValueError("a row follows the one that it was decided on")
        nonce = _nonce()
        self._write(lambda connection: changes.append(connection, one, nonce))
        self._announce(one.game, _stamp(one.row.seq, nonce), one.standing)
        return nonce

    def rows(self, game: str, after: int, limit: int, until: int | None = None) -> list[Row]:
        """At most `limit` of those with `after` < seq <= `until`, in order."""
        last = LAST if until is None else until
        found = self._all(sql.ROWS, {"game_": game, "after": after, "until": last, "limit_": limit})
        return [Row(*one) for one in found]

    def each_row(self, game: str, after: int, until: int) -> Iterator[Row]:
        """Every row with `after` < seq <= `until`, read in portions."""
        while found := self.rows(game, after, PORTION, until):
            yield from found
            after = found[-1].seq

    def row(self, game: str, seq: int) -> Row | None:
        found = self._one(sql.ROW, {"game_": game, "seq_": seq})
        return None if found is None else Row(*found)

    def counts(self, game: str, seq: int) -> bytes | None:
        """Only what the row says that each seat was shown."""
        found = self._one(sql.SHOWN, {"game_": game, "seq_": seq})
        return None if found is None else bytes(found[0])

    def snapshot_before(self, game: str, seq: int) -> tuple[int, bytes] | None:
        """The newest row up to `seq`, of those that are not undone, that has a snapshot."""
        found = self._one(sql.SNAPSHOT, {"game_": game, "seq_": seq})
        return None if found is None else (found[0], found[1])

    def undone_like(self, game: str, base: str) -> Row | None:
        """The newest undone row with that base."""
        found = self._one(sql.UNDONE, {"game_": game, "base_": base})
        return None if found is None else Row(*found)

    def invite(self, code_hash: str) -> Invite | None:
        found = self._one(sql.INVITE, {"code": code_hash})
        return None if found is None else Invite(*found)

    def epochs(self, game: str) -> list[Epoch]:
        return [Epoch(*one) for one in self._all(sql.EPOCHS, {"game_": game})]

    def secret(self, game: str) -> Epoch:
        """The running epoch. Raises `UnknownGame` if none is running."""
        found = self._one(sql.RUNNING_EPOCH, {"game_": game})
        if found is None:
            raise UnknownGame
        return Epoch(*found)

    def due(self, now: int, limit: int) -> list[str]:
        """Games that want to be looked at, those that wait longest first. `now` is in milliseconds since 1970."""
        return [one[0] for one in self._all(sql.DUE, {"now": now, "limit_": limit})]

    def settle_due(self, game: str, seen: int, due: int | None) -> None:
        """When a due game had nothing to do; nothing happens unless it is still at the seq that was `seen`."""
        self._write(lambda connection: changes.settle_due(connection, game, seen, due))

    def delete(self, game: str) -> None:
        """Everything of it. Nothing happens if there is no such game."""
        self._write(lambda connection: changes.delete(connection, game))
        with contextlib.suppress(CacheAway):
            self._cache.drop_and_wake(game)

    def _announce(self, game: str, stamp: str, standing: bytes) -> None:
        with contextlib.suppress(CacheAway):
            self._cache.put_and_wake(game, stamp, standing)

    def _one(self, statement: Executable, given: dict[str, Any]) -> Any:
        with away_told(), self._open().reading.connect() as connection:
            return connection.execute(statement, given).one_or_none()

    def _all(self, statement: Executable, given: dict[str, Any]) -> Any:
        with away_told(), self._open().reading.connect() as connection:
            return connection.execute(statement, given).all()

    def _write(self, change: Change) -> None:
        with away_told():
            opened = self._open()
        opened.writes.carry_out(change)

    def _open(self) -> Opened:
        """The first call brings the database to the newest revision; one that fails is tried again by the next."""
        opened = self._opened
        if opened is not None:
            return opened
        with self._opening:
            if self._closed:
                raise StoreAway(CLOSED)
            if self._opened is None:
                upgrade(self._engine)
                self._opened = _opened(self._engine)
            return self._opened


def _opened(engine: Engine) -> Opened:
    file = file_of(engine)
    if file is not None:
        return Opened(engine, Writer(engine, file))
    return Opened(engine.execution_options(isolation_level="AUTOCOMMIT"), Direct(engine))


def _nonce() -> str:
    return secrets.token_hex(8)


def _stamp(seq: int, nonce: str) -> str:
    return f"{seq} {nonce}"
