"""The table of a game: who sits there, who plays whom, free clocks. It changes at any time and is never rolled back."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

from systems.core.clocks import ProgressClock
from systems.core.game import Event, Public, change
from systems.core.seats import GM, Role, Seat
from systems.core.values import Map


class Chair(Struct, frozen=True, cache_hash=True):
    """A seat: what it is called, its role, and whether somebody has redeemed its invite."""

    name: str
    role: Role
    taken: bool = False


class Table(Struct, frozen=True, cache_hash=True):
    """Everything beside the game itself. Characters that nobody plays belong to the GM."""

    title: str = ""
    seats: Map[str, Chair] = Map()
    cast: Map[str, str] = Map()  # character -> seat
    clocks: Map[str, ProgressClock] = Map()
    closed: bool = False
    log_opened: Literal["", "gm", "all"] = ""

    @property
    def gm(self) -> str:
        return next((id for id, chair in self.seats.items() if chair.role == "gm"), GM.id)

    def player_of(self, character: str) -> str:
        """The seat that answers for a character; the GM where nobody plays it or its seat is gone."""
        seat = self.cast.get(character)
        return seat if seat in self.seats else self.gm

    def seat(self, id: str) -> Seat:
        """The seat as a viewer and an actor; one that is gone only looks on."""
        chair = self.seats.get(id)
        return Seat(id, chair.role if chair else "spectator", self.played_by(id))

    def played_by(self, id: str) -> tuple[str, ...]:
        return tuple(one for one in self.cast if self.player_of(one) == id)


class TableEvent(Event, undecided=True):
    """Something that happened at the table, not in the game: `applied` changes the table."""

    def applied(self, table: Table) -> Table:
        raise NotImplementedError


class _Open(TableEvent, Public):
    pass


class GameCreated(_Open, Struct, frozen=True, tag="GameCreated"):
    """The first event: the game is there, with its first GM's seat and the commitment of its dice."""

    title: str
    seat: str
    name: str
    commitment: str

    def applied(self, table: Table) -> Table:
        chair = Chair(self.name, "gm", taken=True)
        return change(table, title=self.title, seats=table.seats.put(self.seat, chair))


class SeatAdded(_Open, Struct, frozen=True, tag="SeatAdded"):
    seat: str
    name: str
    role: Role

    def applied(self, table: Table) -> Table:
        return change(table, seats=table.seats.put(self.seat, Chair(self.name, self.role)))


class SeatTaken(_Open, Struct, frozen=True, tag="SeatTaken"):
    """Somebody redeemed the invite of a seat."""

    seat: str

    def applied(self, table: Table) -> Table:
        return _chair(table, self.seat, taken=True)


class SeatReinvited(_Open, Struct, frozen=True, tag="SeatReinvited"):
    """The seat is open to somebody else: its token ended and what it had sealed is dropped."""

    seat: str

    def applied(self, table: Table) -> Table:
        return _chair(table, self.seat, taken=False)


class SeatChanged(_Open, Struct, frozen=True, tag="SeatChanged"):
    seat: str
    name: str
    role: Role

    def applied(self, table: Table) -> Table:
        return _chair(table, self.seat, name=self.name, role=self.role)


class SeatLeft(_Open, Struct, frozen=True, tag="SeatLeft"):
    """The seat is gone; its characters and open questions pass to the GM."""

    seat: str

    def applied(self, table: Table) -> Table:
        return change(table, seats=table.seats.without(self.seat))


class CastChanged(_Open, Struct, frozen=True, tag="CastChanged"):
    """From now on this seat plays the character."""

    character: str
    seat: str

    def applied(self, table: Table) -> Table:
        return change(table, cast=table.cast.put(self.character, self.seat))


class _OfClock(TableEvent):
    """A hidden clock is the GM's and its owner's, a hidden progress is not shown to the others."""

    clock: str
    state: ProgressClock

    def applied(self, table: Table) -> Table:
        return change(table, clocks=table.clocks.put(self.clock, self.state))

    def seen_by(self, viewer: Seat) -> Event | None:
        seen = clock_seen_by(self.state, viewer)
        return self if seen is self.state else self._masked(seen) if seen else None

    def _masked(self, state: ProgressClock) -> Event | None:
        return change(self, state=state)  # type: ignore[type-var]


class ClockSet(_OfClock, Struct, frozen=True, tag="ClockSet"):
    """A clock was made or changed."""

    clock: str
    state: ProgressClock


class ClockTicked(_OfClock, Struct, frozen=True, tag="ClockTicked"):
    """A clock after `ticks`: how often it filled (negative: emptied) and what went beyond it (`lost`)."""

    clock: str
    state: ProgressClock
    ticks: int
    fills: int
    lost: int

    def _masked(self, state: ProgressClock) -> Event | None:
        return None


class ClockRemoved(_OfClock, Struct, frozen=True, tag="ClockRemoved"):
    """`state` is what it was, for who may know of it."""

    clock: str
    state: ProgressClock

    def applied(self, table: Table) -> Table:
        return change(table, clocks=table.clocks.without(self.clock))


class EpochEnded(_Open, Struct, frozen=True, tag="EpochEnded"):
    """A session is over: the secret of its dice is open, and the next one is committed to."""

    number: int
    commitment: str
    secret: str
    next_commitment: str

    def applied(self, table: Table) -> Table:
        return table


class GameClosed(_Open, Struct, frozen=True, tag="GameClosed"):
    """Nothing more is played; `open_log` says who may read the whole log."""

    open_log: Literal["gm", "all"]

    def applied(self, table: Table) -> Table:
        return change(table, closed=True, log_opened=self.open_log)


class Undone(_Open, Struct, frozen=True, tag="Undone"):
    """Everything of the game after the event `to` is to be forgotten; each viewer gets its own cursor."""

    to: str = ""

    def applied(self, table: Table) -> Table:
        return table


class Cancelled(_Open, Struct, frozen=True, tag="Cancelled"):
    """The command that waited was taken back: everything after the event `since` is to be forgotten."""

    since: str = ""
    reason: str = ""

    def applied(self, table: Table) -> Table:
        return table


class GameImported(_Open, Struct, frozen=True, tag="GameImported"):
    """The game goes on from an export; its cast was put in place by the first row."""

    title: str
    table: Table

    def applied(self, table: Table) -> Table:
        return change(self.table, title=self.title)


def clock_seen_by(clock: ProgressClock, seat: Seat) -> ProgressClock | None:
    """The clock as the seat may know it, perhaps without its progress; None for a hidden one."""
    if seat.gm or clock.owner == seat.id:
        return clock
    if clock.hidden:
        return None
    return change(clock, filled=0) if clock.progress_hidden else clock


def _chair(table: Table, seat: str, **changes: Any) -> Table:
    chair = table.seats.get(seat)
    return change(table, seats=table.seats.put(seat, change(chair, **changes))) if chair else table
