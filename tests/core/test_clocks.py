"""Clocks lose no tick unsaid; what lasts ends with its round, scene or cycle."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from systems.core.clocks import Lasting, ProgressClock, Timeline, is_used, still

OVERFLOWS = st.sampled_from(["lost", "carry", "signed"])
clocks = st.integers(1, 12).flatmap(
    lambda segments: st.builds(
        ProgressClock,
        st.just("alarm"),
        st.just(segments),
        st.integers(0, segments - 1),
        OVERFLOWS,
    )
)
ticks = st.integers(-40, 40)


@given(clocks, ticks)
def test_no_tick_vanishes(clock: ProgressClock, count: int) -> None:
    """What stood and what came is what stands, what filled the clock, and what was lost."""
    after = clock.tick(count)
    paid = 0 if clock.overflow == "lost" else after.fills * clock.segments
    lost = after.lost if count > 0 else -after.lost
    assert clock.filled + count == after.clock.filled + paid + lost


@given(clocks, ticks)
def test_a_clock_stays_within_its_segments(clock: ProgressClock, count: int) -> None:
    after = clock.tick(count).clock
    lowest = -clock.segments if clock.overflow == "signed" else 0
    assert lowest <= after.filled <= clock.segments
    assert after == ProgressClock(clock.name, clock.segments, after.filled, clock.overflow), "nothing else changes"


@given(clocks, st.lists(st.integers(0, 12), max_size=6))
def test_ticking_at_once_or_one_by_one_is_the_same(clock: ProgressClock, parts: list[int]) -> None:
    at, fills, lost = clock, 0, 0
    for part in parts:
        ticked = at.tick(part)
        at, fills, lost = ticked.clock, fills + ticked.fills, lost + ticked.lost
    whole = clock.tick(sum(parts))
    assert (at, fills, lost) == (whole.clock, whole.fills, whole.lost)


@pytest.mark.parametrize(
    ("overflow", "count", "filled", "fills", "lost"),
    [
        ("lost", 9, 4, 1, 7),
        ("lost", -5, 0, 0, 3),
        ("lost", 2, 4, 1, 0),
        ("carry", 9, 3, 2, 0),
        ("carry", 2, 0, 1, 0),
        ("carry", -5, 0, 0, 3),
        ("signed", 9, 3, 2, 0),
        ("signed", -5, -3, 0, 0),
        ("signed", -7, -1, -1, 0),
    ],
)
def test_a_clock_of_four_that_stands_at_two(overflow: str, count: int, filled: int, fills: int, lost: int) -> None:
    after = ProgressClock("alarm", 4, 2, overflow).tick(count)  # type: ignore[arg-type]
    assert (after.clock.filled, after.fills, after.lost) == (filled, fills, lost)


def test_a_full_clock_fills_once_and_can_be_emptied() -> None:
    full = ProgressClock("alarm", 4).tick(4)
    assert full.fills == 1 and full.clock.full
    assert full.clock.tick(1).fills == 0
    assert full.clock.emptied() == ProgressClock("alarm", 4)


UNITS = ("cycle", "round", "turn")


@given(st.lists(st.sampled_from(UNITS), max_size=12), st.sampled_from(UNITS))
def test_advancing_restarts_the_finer_and_keeps_the_coarser(path: list[str], unit: str) -> None:
    now = Timeline.begin(*UNITS)
    for one in path:
        now = now.advance(one)
    after, at = now.advance(unit), UNITS.index(unit)
    assert after.counts == (*now.counts[:at], now.counts[at] + 1, *[1] * (2 - at))
    assert after[unit] == now[unit] + 1


@given(st.sampled_from(UNITS), st.lists(st.sampled_from(UNITS), max_size=8))
def test_what_lasts_ends_with_its_unit_and_not_before(unit: str, path: list[str]) -> None:
    now = Timeline.begin(*UNITS)
    stunned = now.during(unit, "stunned")
    for one in path:
        now = now.advance(one)
    ended = any(UNITS.index(one) <= UNITS.index(unit) for one in path)
    assert stunned.holds(now) is not ended
    assert still((stunned,), now) == (() if ended else (stunned,))


def test_once_per_round_comes_back_with_the_round() -> None:
    now = Timeline.begin("scene", "round")
    used = (now.during("round", "surge"),)
    assert is_used(used, "surge", now) and not is_used(used, "dodge", now)
    assert not is_used(used, "surge", now.advance("round"))
    assert not is_used(used, "surge", now.advance("scene")), "another first round is not the same round"
    assert used == (Lasting("surge", "round", (1, 1)),)
