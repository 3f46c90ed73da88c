"""Free progress clocks of a game. Whoever may not know of a hidden one finds nothing of it by any route."""

from __future__ import annotations

import re
from typing import Annotated, Any

from msgspec import Meta, Struct, structs

from service.problems import at as misfit
from service.problems import invalid, refusal
from service.usecases.games.allowed import still_open
from service.usecases.games.desk import Asked, At, Desk, Reply
from service.usecases.games.draft import Draft
from service.usecases.games.views import clock_shown, clocks_shown
from systems.core.clocks import Overflow, ProgressClock
from systems.core.errors import Illegal
from systems.core.game import change as changed
from systems.core.table import ClockRemoved, ClockSet, ClockTicked, clock_seen_by

MOST_CLOCKS = 100  # of the GM
MOST_OWN = 20  # of each player
MOST_SEGMENTS = 1_000
MOST_TICKS = 1_000

Name = Annotated[str, Meta(min_length=1, max_length=100)]
Id = Annotated[str, Meta(pattern="^[a-z0-9_-]{1,60}$")]
Segments = Annotated[int, Meta(ge=1, le=MOST_SEGMENTS)]
Filled = Annotated[int, Meta(ge=-MOST_SEGMENTS, le=MOST_SEGMENTS)]
Owner = Annotated[str, Meta(max_length=60)]


class ClockBody(Struct, frozen=True):
    """A new clock; without an id it gets one out of its name. `owner` is a seat."""

    name: Name
    segments: Segments
    filled: Filled = 0
    overflow: Overflow = "lost"
    owner: Owner = ""
    hidden: bool = False
    progress_hidden: bool = False
    id: Id | None = None


class ClockChange(Struct, frozen=True):
    """What is to be different about a clock."""

    name: Name | None = None
    segments: Segments | None = None
    filled: Filled | None = None
    overflow: Overflow | None = None
    owner: Owner | None = None
    hidden: bool | None = None
    progress_hidden: bool | None = None


def listed(desk: Desk, asked: Asked) -> dict[str, Any]:
    """The clocks that the caller may know of, by id."""
    found = desk.at(asked)
    return {"clocks": clocks_shown(found.standing, found.seat)}


def make(desk: Desk, asked: Asked, body: ClockBody) -> Reply:
    """A new clock: of the GM, or of a player, who then owns it.

    The ids of a player's clocks begin with its seat, so that none meets a hidden one.
    """

    def decide(found: At, draft: Draft) -> None:
        still_open(found)
        owner = _owner(found, body.owner)
        clock = ProgressClock(
            body.name, body.segments, body.filled, body.overflow, owner, body.hidden, body.progress_hidden
        )
        _fits(clock)
        id = _new_id(found, body)
        draft.message = {"type": "make_clock", "clock": id}
        draft.tell(ClockSet(id, clock))
        draft.more |= {"id": id, "clock": clock_shown(clock)}

    return desk.act(asked, decide)


def tick(desk: Desk, asked: Asked, clock: str, ticks: int) -> Reply:
    """Move a clock (GM, or its owner): how often it filled, and what went beyond it."""
    if ticks == 0 or abs(ticks) > MOST_TICKS:
        raise invalid([misfit(("ticks",), "not_zero", low=-MOST_TICKS, high=MOST_TICKS)])

    def decide(found: At, draft: Draft) -> None:
        ticked = _mine(found, clock).tick(ticks)
        draft.message = {"type": "tick_clock", "clock": clock, "ticks": ticks}
        draft.tell(ClockTicked(clock, ticked.clock, ticks, ticked.fills, ticked.lost))
        draft.more |= {"clock": clock_shown(ticked.clock), "fills": ticked.fills, "lost": ticked.lost}

    return desk.act(asked, decide)


def change(desk: Desk, asked: Asked, clock: str, body: ClockChange) -> Reply:
    """Another name, length, state … of a clock (GM, or its owner, who cannot give it away)."""

    def decide(found: At, draft: Draft) -> None:
        old = _mine(found, clock)
        given = {name: value for name, value in structs.asdict(body).items() if value is not None}
        if "owner" in given:
            given["owner"] = _owner(found, given["owner"])
        new = changed(old, **given)
        _fits(new)
        draft.message = {"type": "change_clock", "clock": clock}
        if new.hidden and (not old.hidden or new.owner != old.owner):  # it goes out of somebody's sight
            draft.tell(ClockRemoved(clock, old))
        draft.tell(ClockSet(clock, new))
        draft.more["clock"] = clock_shown(new)

    return desk.act(asked, decide)


def remove(desk: Desk, asked: Asked, clock: str) -> Reply:
    """A clock is gone (GM, or its owner)."""

    def decide(found: At, draft: Draft) -> None:
        old = _mine(found, clock)
        draft.message = {"type": "remove_clock", "clock": clock}
        draft.tell(ClockRemoved(clock, old))

    return desk.act(asked, decide)


def _mine(found: At, id: str) -> ProgressClock:
    """The clock, if the caller may move it. 404 for one that it may not know of, as for one that there is not."""
    clock: ProgressClock | None = found.standing.table.clocks.get(id)
    if clock is None or clock_seen_by(clock, found.seat) is None:
        raise refusal("unknown_clock", 404)
    if not found.seat.gm and clock.owner != found.seat.id:
        raise Illegal("not_your_clock", "")
    still_open(found)
    return clock


def _owner(found: At, owner: str) -> str:
    if found.seat.gm:
        if owner and owner not in found.standing.table.seats:
            raise invalid([misfit(("owner",), "choice", accepted=", ".join(found.standing.table.seats))])
        return owner
    if found.seat.role != "player":
        raise refusal("spectators_watch")
    if owner not in ("", found.seat.id):
        raise Illegal("not_gm", "")
    return found.seat.id


def _new_id(found: At, body: ClockBody) -> str:
    """A free id. Raises `Problem` 422 if the given one is taken."""
    clocks = found.standing.table.clocks
    prefix = "" if found.seat.gm else f"{found.seat.id}."
    own = [one for one in clocks if (one.startswith(prefix) if prefix else "." not in one)]
    most = MOST_OWN if prefix else MOST_CLOCKS
    if len(own) >= most:
        raise refusal("too_many", limit=most)
    if body.id is not None:
        if prefix + body.id in clocks:
            raise refusal("clock_exists", name=prefix + body.id)
        return prefix + body.id
    plain = re.sub(r"[^a-z0-9]+", "-", body.name.lower()).strip("-")[:40] or "clock"
    numbered = (f"{prefix}{plain}-{number}" for number in range(2, most + 2))
    return next(one for one in (prefix + plain, *numbered) if one not in clocks)


def _fits(clock: ProgressClock) -> None:
    low = -clock.segments if clock.overflow == "signed" else 0
    if not low <= clock.filled <= clock.segments:
        raise invalid([misfit(("filled",), "range", low=low, high=clock.segments)])


__all__ = ["ClockBody", "ClockChange", "change", "listed", "make", "remove", "tick"]
