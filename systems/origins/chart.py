"""The harm chart: wounds that climb when their row is full, and how they heal (chapters 6.1 and 6.3)."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct, field

from systems.origins.options import DEFAULT, Config, HarmBoxes
from systems.origins.vocabulary import LEVELS, Part, Text

Names = Annotated[tuple[Text, ...], Meta(max_length=40)]

HUNGER, THIRST, DRAINED, WOUND = "Hunger", "Thirst", "Drained", "Wound"
UNHEALABLE = (HUNGER, THIRST)  # SO-H22


class HarmChart(Part, frozen=True, cache_hash=True):
    """The wounds of each row by name, in the order in which they came."""

    level_1: Names = field(default=(), name="1")
    level_2: Names = field(default=(), name="2")
    level_3: Names = field(default=(), name="3")

    @property
    def rows(self) -> tuple[tuple[str, ...], ...]:
        return (self.level_1, self.level_2, self.level_3)

    def row(self, level: int) -> tuple[str, ...]:
        return self.rows[level - 1]

    def with_row(self, level: int, names: tuple[str, ...]) -> HarmChart:
        rows = list(self.rows)
        rows[level - 1] = names
        return HarmChart(*rows)

    @property
    def healable(self) -> bool:
        """Whether anything on the chart can heal (SO-H21, SO-H22)."""
        return any(name not in UNHEALABLE for row in self.rows for name in row)


UNHARMED = HarmChart()


class Recorded(Struct, frozen=True, cache_hash=True):
    """A chart after a wound, and the level at which it was written; None when nothing was."""

    chart: HarmChart
    level: int | None = None
    dead: bool = False


def record(chart: HarmChart, level: int, name: str, boxes: HarmBoxes = DEFAULT.harm_boxes) -> Recorded:
    """Write a wound: in its row (SO-H02), else the next with a free box (SO-H03), else the character dies (SO-H04)."""
    for row in range(level, len(LEVELS) + 1):
        if len(chart.row(row)) < boxes.of(row):
            return Recorded(chart.with_row(row, (*chart.row(row), name)), row)
    return Recorded(chart, dead=True)


def without(chart: HarmChart, name: str) -> HarmChart:
    """Every wound of that name is gone, at whatever level (SO-H33)."""
    return HarmChart(*(tuple(one for one in row if one != name) for row in chart.rows))


def eased(chart: HarmChart, boxes: HarmBoxes) -> HarmChart:
    """Every healable wound drops one level, from level 1 upward; one without a free box below stays (SO-H23)."""
    for level in LEVELS:
        staying: list[str] = []
        below = chart.row(level - 1) if level > 1 else ()
        for name in chart.row(level):
            if name in UNHEALABLE or (level > 1 and len(below) >= boxes.of(level - 1)):
                staying.append(name)
            elif level > 1:
                below = (*below, name)
        chart = chart.with_row(level, tuple(staying))
        if level > 1:
            chart = chart.with_row(level - 1, below)
    return chart


def refuse_full_clock(healing_clock: int, config: Config) -> None:
    """Raises `ValueError` for a healing clock that is full: it would have healed already (SO-H19)."""
    if healing_clock >= config.healing_clock_size:
        raise ValueError("`healing_clock` must be less than the size of the clock")


class Healed(Struct, frozen=True):
    """A chart and its clock after ticks, and how often the clock filled."""

    chart: HarmChart
    clock: int
    fills: int


def heal(chart: HarmChart, clock: int, ticks: int, config: Config = DEFAULT) -> Healed:
    """Tick the healing clock: a fill eases all wounds (SO-H19, SO-R25), the rest carries over (SO-H20).

    Without a healable wound the clock is 0 and ticks are lost (SO-H21).
    """
    filled, fills = clock + ticks, 0
    while chart.healable and filled >= config.healing_clock_size:
        filled -= config.healing_clock_size
        fills += 1
        after = eased(chart, config.harm_boxes)
        if after == chart:  # blocked for good, so the other fills change nothing either
            more, filled = divmod(filled, config.healing_clock_size)
            return Healed(chart, filled, fills + more)
        chart = after
    return Healed(chart, filled if chart.healable else 0, fills)
