"""What each seat was shown of a row, fixed when the row was made: later changes of seats or rules do not alter it.

A cursor names the place of an event among those shown to one seat, so nobody learns how much others were shown.
"""

from __future__ import annotations

import base64
import binascii
import hmac
from collections.abc import Callable, Mapping
from hashlib import blake2b
from typing import Any

import msgspec
from msgspec import Raw, Struct

from service.problems import refusal
from service.store.games import Games
from service.store.records import Row
from service.usecases.games.standing import PUBLIC
from service.usecases.games.times import stamp
from systems.core.game import DiceRolled, Event, change
from systems.core.seats import Seat
from systems.core.system import Codec
from systems.core.table import Cancelled, Table, Undone
from systems.core.values import Map

TAG_BYTES, CURSOR_LENGTH = 11, 20

Personal = Callable[[Event, str], Event]
"""An event with what only one seat reads in it, such as its own cursor."""


class Shown(Struct, frozen=True, omit_defaults=True):
    """Of one row to one seat: how many events it has seen after it, which of the row's, and those shown otherwise."""

    n: int
    seen: tuple[int, ...] = ()
    masked: dict[str, Raw] = {}


_SHOWN = msgspec.json.Decoder(dict[str, Shown])
_EVENTS = msgspec.json.Decoder(list[dict[str, Any]])


def shown(
    events: tuple[Event, ...], table: Table, counts: Map[str, int], codec: Codec, personal: Personal | None = None
) -> dict[str, Shown]:
    """What each seat is shown of these events."""
    public = counts.get(PUBLIC, 0)
    return {
        seat: _shown_to(table.seat(seat), events, counts.get(seat, public), codec, personal)
        for seat in (*table.seats, PUBLIC)
    }


def counted(found: Mapping[str, Shown]) -> Map[str, int]:
    """How many events each seat has been shown by now."""
    return Map({seat: one.n for seat, one in found.items()})


def _shown_to(viewer: Seat, events: tuple[Event, ...], n: int, codec: Codec, personal: Personal | None) -> Shown:
    seen: list[int] = []
    masked: dict[str, Raw] = {}
    for at, event in enumerate(events):
        view = event.seen_by(viewer)
        if view is None:
            continue
        seen.append(at)
        view = personal(view, viewer.id) if personal else view
        if view is not event and not isinstance(event, DiceRolled):  # of throws nobody is ever told the proof here
            masked[str(at)] = Raw(codec.encode(view))
    return Shown(n + len(seen), tuple(seen), masked)


def told(row: Row, seat: str, key: str) -> list[dict[str, Any]]:
    """The events of a row as the seat was shown them, each with its cursor and time."""
    return told_of(_of(row.shown, seat), row, seat, key)


def told_of(one: Shown, row: Row, seat: str, key: str) -> list[dict[str, Any]]:
    """The same where it is known already what the seat was shown."""
    events = _EVENTS.decode(row.events)
    first, at = one.n - len(one.seen) + 1, stamp(row.at)
    found = (one.masked.get(str(place)) or events[place] for place in one.seen)
    return [_told(raw, cursor(key, seat, first + place), at) for place, raw in enumerate(found)]


def cursors(row: Row, seat: str, key: str) -> dict[int, str]:
    """The cursor of each event of the row that the seat was shown, by its place in the row."""
    one = _of(row.shown, seat)
    first = one.n - len(one.seen) + 1
    return {at: cursor(key, seat, first + place) for place, at in enumerate(one.seen)}


def told_whole(row: Row) -> list[dict[str, Any]]:
    """All events of a row, for whoever may read the whole log."""
    return [_told(raw, None, stamp(row.at)) for raw in _EVENTS.decode(row.events)]


def saw_all(row: Row, seat: str) -> bool:
    """Whether nothing that anybody was shown of the row was kept from the seat."""
    everybody = _SHOWN.decode(row.shown)
    mine = everybody.get(seat) or everybody[PUBLIC]
    most = {at for one in everybody.values() for at in one.seen}
    return not mine.masked and set(mine.seen) == most


def _told(raw: Raw | dict[str, Any], id: str | None, at: str) -> dict[str, Any]:
    event: dict[str, Any] = raw if isinstance(raw, dict) else msgspec.json.decode(raw)
    kind = event.pop("type")
    if kind == "DiceRolled":
        event = {"label": event["label"], "sides": event["pool"]["sides"], "faces": event["faces"],
                 "source": event["source"], "audience": event["audience"]}  # fmt: skip
    named = {"id": id} if id else {}
    return {**named, "type": kind, **event, "at": at}


def _of(raw: bytes, seat: str) -> Shown:
    everybody = _SHOWN.decode(raw)
    return everybody.get(seat) or everybody[PUBLIC]


def count_of(row: Row, seat: str) -> int:
    """How many events the seat had been shown after the row."""
    return _of(row.shown, seat).n


def count_at(games: Games, game: str, seq: int, seat: str) -> int:
    """How many events the seat had been shown when the row was made."""
    raw = games.counts(game, seq) if seq >= 0 else None
    return _of(raw, seat).n if raw else 0


def pointing_back(games: Games, game: str, key: str, seq: int) -> Personal:
    """Fills in what is taken back: each seat's own cursor as it was when the row was made."""

    def personal(event: Event, seat: str) -> Event:
        if isinstance(event, Undone):
            return change(event, to=cursor(key, seat, count_at(games, game, seq, seat)))
        if isinstance(event, Cancelled):
            return change(event, since=cursor(key, seat, count_at(games, game, seq, seat)))
        return event

    return personal


def row_of(games: Games, game: str, last: int, seat: str, n: int) -> int:
    """The seq of the first row after which the seat had seen at least `n` events; `last` + 1 if there is none."""
    low, high = 0, last + 1
    while low < high:
        middle = (low + high) // 2
        if count_at(games, game, middle, seat) >= n:
            high = middle
        else:
            low = middle + 1
    return low


def events_after(row: Row, seat: str, key: str, n: int) -> list[dict[str, Any]]:
    """The events of the row that the seat was shown beyond its first `n`."""
    one = _of(row.shown, seat)
    return told_of(one, row, seat, key)[max(0, n - (one.n - len(one.seen))) :]


def cursor(key: str, seat: str, n: int) -> str:
    """The opaque name of the n-th event that a seat was shown (0: before the first); no other seat can use it."""
    return base64.urlsafe_b64encode(n.to_bytes(4, "big") + _tag(key, seat, n)).decode()


def place(key: str, seat: str, cursor: str) -> int:
    """The place that a cursor of this seat names. Raises `Problem` 422."""
    try:
        raw = base64.urlsafe_b64decode(cursor.encode("ascii")) if len(cursor) == CURSOR_LENGTH else b""
    except (ValueError, binascii.Error):
        raw = b""
    n = int.from_bytes(raw[:4], "big")
    if len(raw) != 4 + TAG_BYTES or not hmac.compare_digest(_tag(key, seat, n), raw[4:]):
        raise refusal("bad_cursor")
    return n


def _tag(key: str, seat: str, n: int) -> bytes:
    return blake2b(f"{seat}:{n}".encode(), digest_size=TAG_BYTES, key=key.encode()).digest()
