"""What a seat reads of a game: its events since a cursor, and its log."""

from __future__ import annotations

from typing import Any

import msgspec

from service.problems import refusal
from service.store.records import Row
from service.usecases.games import feed
from service.usecases.games.desk import Asked, At, Desk
from service.usecases.games.times import stamp
from service.usecases.games.undoing import PLAYED

MOST_EVENTS = 500


def events(desk: Desk, asked: Asked, after: str | None, limit: int) -> dict[str, Any]:
    """The caller's events after a cursor (all without one), and the cursor to go on from."""
    found = desk.at(asked)
    key, seat = found.standing.key, found.seat.id
    n = 0 if after is None else feed.place(key, seat, after)
    known = found.standing.shown_to(seat)
    if n > known:
        raise refusal("bad_cursor")
    told: list[dict[str, Any]] = []
    seq = feed.row_of(desk.games, found.game, found.head.seq, seat, n + 1) - 1 if n < known else found.head.seq
    for row in desk.games.each_row(found.game, seq, found.head.seq):
        told += feed.events_after(row, seat, key, n)
        if len(told) >= limit:
            break
    told = told[:limit]
    end = n + len(told)
    return {"events": told, "cursor": feed.cursor(key, seat, end), "more": end < known}


def log(desk: Desk, asked: Asked, after: str | None, limit: int) -> dict[str, Any]:
    """The caller's own log, message by message; the whole one where the closed game opened it."""
    found = desk.at(asked)
    whole = _may_read_all(found)
    key, seat = found.standing.key, found.seat.id
    n = 0 if after is None else feed.place(key, seat, after)
    seq = feed.row_of(desk.games, found.game, found.head.seq, seat, n + 1) - 1
    entries: list[dict[str, Any]] = []
    last = n
    for row in desk.games.each_row(found.game, seq, found.head.seq):
        entry = _entry(row, found, whole)
        last = feed.count_of(row, seat)
        if entry is not None:
            entries.append(entry)
        if len(entries) == limit:
            break
    more = len(entries) == limit and last < found.standing.shown_to(seat)
    return {"log": entries, "cursor": feed.cursor(key, seat, last), "more": more}


def _may_read_all(found: At) -> bool:
    opened = found.standing.table.log_opened
    return opened == "all" or (opened == "gm" and found.seat.gm)


def _entry(row: Row, found: At, whole: bool) -> dict[str, Any] | None:
    """A row as the seat may read it: the message only of its own acts and of those that hide nothing."""
    seat = found.seat.id
    events = feed.told_whole(row) if whole else feed.told(row, seat, found.standing.key)
    own = row.seat == seat
    if not (events or own or whole):
        return None
    entry: dict[str, Any] = {"at": stamp(row.at), "kind": row.kind}
    if whole or own or (row.kind != "veiled" and feed.saw_all(row, seat)):
        message = msgspec.json.decode(row.message)
        name = message.pop("type", row.kind) if isinstance(message, dict) else row.kind
        entry |= {"seat": row.seat or None, "message": {"name": name, "params": message}}
    if row.undone and row.kind in PLAYED:
        entry["undone"] = True
    return {**entry, "events": events}
