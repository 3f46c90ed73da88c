"""A game as one seat may see it."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Any

import msgspec

from service.usecases.games import feed
from service.usecases.games.pending import all_questions, message_shown, pending_shown, waiting_for
from service.usecases.games.standing import Standing
from systems.core.clocks import ProgressClock
from systems.core.convert import encoded, to_plain
from systems.core.seats import Seat
from systems.core.table import clock_seen_by

if TYPE_CHECKING:
    from service.usecases.games.desk import At


def view_of(at: At) -> bytes:
    """The view as it goes out; the same bytes as long as the seat may see the same."""
    standing, seat = at.standing, at.seat
    table = standing.table
    timeline = at.system.timeline(standing.seen)
    shown: dict[str, Any] = {
        "id": at.game,
        "system": at.system.id,
        "title": table.title,
        "you": {"seat": seat.id, "name": table.seats[seat.id].name, "role": seat.role, "characters": seat.characters},
        "seats": seats_shown(standing),
        "options": {"dice": standing.options.dice, "window_seconds": standing.options.window_seconds},
        "closed": table.closed,
        "dice_commitment": standing.commitment,
        "cursor": feed.cursor(standing.key, seat.id, standing.shown_to(seat.id)),
        "paused": standing.waiting is not None,
        "pending": pending_shown(standing, seat),
        "waiting_for": waiting_for(at.system, standing),
        "clocks": clocks_shown(standing, seat),
        "timeline": dict(zip(timeline.units, timeline.counts, strict=True)) if timeline else None,
        "standing_answers": standing_answers_shown(standing, seat),
        "state": to_plain(at.system.view(standing.seen, seat)),
    }
    if seat.gm:
        shown["open_questions"] = all_questions(standing)
    return msgspec.json.encode(shown, enc_hook=encoded)


def etag(view: bytes) -> str:
    return f'"{sha256(view).hexdigest()[:32]}"'


def seats_shown(standing: Standing[Any]) -> list[dict[str, Any]]:
    table = standing.table
    return [
        {
            "id": id,
            "name": chair.name,
            "role": chair.role,
            "taken": chair.taken,
            "characters": list(table.played_by(id)),
        }
        for id, chair in table.seats.items()
    ]


def clocks_shown(standing: Standing[Any], seat: Seat) -> dict[str, Any]:
    """The free clocks that the seat may know of."""
    shown: dict[str, Any] = {}
    for id, clock in standing.table.clocks.items():
        masked = clock_seen_by(clock, seat)
        if masked is not None:
            shown[id] = clock_shown(masked, progress=masked is clock)
    return shown


def clock_shown(clock: ProgressClock, progress: bool = True) -> dict[str, Any]:
    shown: dict[str, Any] = to_plain(clock)
    if not progress:
        shown["filled"] = None
    return shown


def standing_answers_shown(standing: Standing[Any], seat: Seat) -> list[dict[str, Any]]:
    own = (one for one in standing.always if one.seat == seat.id)
    return [{"topic": one.topic, "answer": message_shown(one.answer), "until": one.until} for one in own]
