"""Clocks that fill, timelines that advance, and things that last until a point of a timeline. None reads wall time."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

Overflow = Literal["lost", "carry", "signed"]


class Ticked(Struct, frozen=True):
    """A clock after ticking: how often it filled (negative for a signed clock that emptied) and what was lost."""

    clock: ProgressClock
    fills: int
    lost: int


class ProgressClock(Struct, frozen=True, cache_hash=True):
    """A track of `segments` that fills tick by tick.

    `overflow` says what becomes of ticks beyond the last segment: `lost`; `carry` (the clock starts again with them and
    may fill several times at once); `signed` (runs both ways between -segments and +segments, pays out and carries at
    either end). `hidden` hides the clock from players, `progress_hidden` only its filling.
    """

    name: str
    segments: int
    filled: int = 0
    overflow: Overflow = "lost"
    owner: str = ""
    hidden: bool = False
    progress_hidden: bool = False

    @property
    def full(self) -> bool:
        return self.filled >= self.segments

    def tick(self, ticks: int = 1) -> Ticked:
        filled = self.filled + ticks
        if self.overflow == "lost":
            kept = max(0, min(self.segments, filled))
            crossed = int(kept == self.segments and self.filled < self.segments)
            return Ticked(replace(self, filled=kept), crossed, abs(filled - kept))
        sign = -1 if filled < 0 else 1
        if self.overflow == "carry" and sign < 0:
            return Ticked(replace(self, filled=0), 0, -filled)
        fills, rest = divmod(abs(filled), self.segments)
        return Ticked(replace(self, filled=sign * rest), sign * fills, 0)

    def emptied(self) -> ProgressClock:
        return replace(self, filled=0)


class Timeline(Struct, frozen=True, cache_hash=True):
    """Nested counters, coarse to fine, each from 1: cycle 2, round 1, turn 3. Advancing one restarts the finer ones."""

    units: tuple[str, ...]
    counts: tuple[int, ...]

    @classmethod
    def begin(cls, *units: str) -> Timeline:
        return cls(units, (1,) * len(units))

    def __getitem__(self, unit: str) -> int:
        return self.counts[self.units.index(unit)]

    def advance(self, unit: str) -> Timeline:
        at = self.units.index(unit)
        finer = (1,) * (len(self.units) - at - 1)
        return Timeline(self.units, (*self.counts[:at], self.counts[at] + 1, *finer))

    def point(self, unit: str) -> tuple[int, ...]:
        """Which `unit` it is now: equal points are the same round, cycle or session."""
        return self.counts[: self.units.index(unit) + 1]

    def during(self, unit: str, what: str) -> Lasting:
        """Something that lasts until the present `unit` ends."""
        return Lasting(what, unit, self.point(unit))


class Lasting(Struct, frozen=True, cache_hash=True):
    """A state or a used-up limit that ends with one round, scene, cycle … of a timeline (a duration, "once per …")."""

    what: str
    unit: str
    point: tuple[int, ...]

    def holds(self, now: Timeline) -> bool:
        return now.point(self.unit) == self.point


def still(lasting: tuple[Lasting, ...], now: Timeline) -> tuple[Lasting, ...]:
    """Those that have not ended."""
    return tuple(one for one in lasting if one.holds(now))


def is_used(lasting: tuple[Lasting, ...], what: str, now: Timeline) -> bool:
    """Whether a limit such as "once per round" is spent."""
    return any(one.what == what and one.holds(now) for one in lasting)
