"""Wounds, waking and chakra by themselves, hunger, thirst and travel (chapters 5.2, 6.1, 6.3, 6.4)."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from systems.core.calls import Outcome, Report, Verdict
from systems.core.errors import Illegal
from systems.core.play import Play, Throw
from systems.core.text import Term, because
from systems.origins.chart import (
    DRAINED,
    HUNGER,
    THIRST,
    UNHARMED,
    WOUND,
    HarmChart,
    Recorded,
    heal,
    record,
    refuse_full_clock,
    without,
)
from systems.origins.dice import PoolParams, Reading, SkillRoll, band_line, pool_lines, read, sixes_in
from systems.origins.names import calls
from systems.origins.options import DEFAULT, Config
from systems.origins.vocabulary import BANDS, MAX_CHAKRA, Chakra, HealingTicks, Level, Params, Text, Ticks, Whole

ANIMAL_CLOCK = 4  # SO-R30
WOKEN_CHAKRA = 1  # SO-D19


class Paid(Struct, frozen=True, cache_hash=True):
    """Chakra after a payment, and whether it knocked the payer out."""

    chakra: int
    unconscious: bool = False


def pay(chakra: int, cost: int) -> Paid:
    """A price above the chakra left empties it and knocks out; paying exactly down to 0 does not (SO-D16, SO-D17).

    A negative cost restores, at most to 10 (SO-D21).
    """
    return Paid(0, True) if cost > chakra else Paid(min(MAX_CHAKRA, chakra - cost))


def pay_chosen(chakra: int, cost: int, rule: str = "SO-D18") -> int:
    """Chakra after a price that one may leave unpaid: it must be affordable (SO-D18, SO-R20). Raises `Illegal`."""
    if cost > chakra:
        raise Illegal("insufficient_chakra", rule, chakra=chakra, cost=cost)
    return chakra - cost


class PayParams(Params, frozen=True, kw_only=True):
    chakra: Chakra = 0
    cost: Whole = 0
    voluntary: bool = False


class PayOutcome(Outcome, frozen=True, kw_only=True):
    chakra: int
    unconscious: bool


@calls.query("pay_chakra", rules="SO-D16 SO-D17 SO-D18")
def pay_chakra(p: PayParams) -> PayOutcome:
    """Raises `insufficient_chakra` for a voluntary price that cannot be paid."""
    if p.voluntary:
        return PayOutcome(chakra=pay_chosen(p.chakra, p.cost), unconscious=False)
    paid = pay(p.chakra, p.cost)
    return PayOutcome(chakra=paid.chakra, unconscious=paid.unconscious)


class RestoreParams(Params, frozen=True, kw_only=True):
    chakra: Chakra = 0
    amount: Whole = 0


class RestoreOutcome(Outcome, frozen=True, kw_only=True):
    chakra: int


@calls.query("restore_chakra", rules="SO-D21")
def restore_chakra(p: RestoreParams) -> RestoreOutcome:
    """Chakra never rises above 10."""
    return RestoreOutcome(chakra=pay(p.chakra, -p.amount).chakra)


class TakeHarmParams(Params, frozen=True, kw_only=True):
    harm_chart: HarmChart = UNHARMED
    level: Level
    name: Text = WOUND
    healing_clock: HealingTicks = 0
    config: Config = DEFAULT

    def __post_init__(self) -> None:
        refuse_full_clock(self.healing_clock, self.config)


class TakeHarmOutcome(Outcome, frozen=True, kw_only=True):
    harm_chart: HarmChart
    recorded_level: int | None
    dead: bool
    healing_clock: int


@calls.query("take_harm", rules="SO-H01 SO-H02 SO-H03 SO-H04 SO-H24")
def take_harm(p: TakeHarmParams) -> TakeHarmOutcome:
    """A wound is written on the chart; healing progress stays unless switched (SO-H24, SO-R26)."""
    after = record(p.harm_chart, p.level, p.name, p.config.harm_boxes)
    clock = 0 if p.config.clear_healing_on_new_harm else p.healing_clock
    return TakeHarmOutcome(harm_chart=after.chart, recorded_level=after.level, dead=after.dead, healing_clock=clock)


class HealParams(Params, frozen=True, kw_only=True):
    harm_chart: HarmChart = UNHARMED
    healing_clock: HealingTicks = 0
    ticks: Whole = 0
    config: Config = DEFAULT

    def __post_init__(self) -> None:
        refuse_full_clock(self.healing_clock, self.config)


class HealOutcome(Outcome, frozen=True, kw_only=True):
    harm_chart: HarmChart
    healing_clock: int
    fills: int


@calls.query("heal", rules="SO-H19 SO-H20 SO-H21 SO-H22 SO-H23")
def heal_query(p: HealParams) -> HealOutcome:
    """Ticks on the healing clock."""
    after = heal(p.harm_chart, p.healing_clock, p.ticks, p.config)
    return HealOutcome(harm_chart=after.chart, healing_clock=after.clock, fills=after.fills)


class AwakenParams(Params, frozen=True, kw_only=True):
    harm_chart: HarmChart = UNHARMED
    unconscious: bool = True
    config: Config = DEFAULT


class AwakenOutcome(Outcome, frozen=True, kw_only=True):
    chakra: int
    harm_chart: HarmChart
    recorded_level: int | None
    dead: bool
    unconscious: bool


def drain(chart: HarmChart, config: Config) -> Recorded:
    """Waking writes Drained on the chart: an ordinary level 1 wound that can climb and kill (SO-D19, SO-D20)."""
    return record(chart, 1, DRAINED, config.harm_boxes)


@calls.query("awaken", rules="SO-D19 SO-D20")
def awaken(p: AwakenParams) -> AwakenOutcome:
    """Raises `not_unconscious`."""
    if not p.unconscious:
        raise Illegal("not_unconscious", "SO-D19")
    after = drain(p.harm_chart, p.config)
    return AwakenOutcome(
        chakra=WOKEN_CHAKRA, harm_chart=after.chart, recorded_level=after.level, dead=after.dead, unconscious=False
    )


Lack = Literal["food", "water"]
LACKING: dict[str, str] = {"food": HUNGER, "water": THIRST}


class PrivationParams(PoolParams, frozen=True, kw_only=True):
    lack: Lack
    chakra: Chakra = 0
    harm_chart: HarmChart = UNHARMED
    config: Config = DEFAULT


class PrivationOutcome(Outcome, frozen=True, kw_only=True):
    passed: bool
    result: int
    chakra: int
    unconscious: bool
    harm_chart: HarmChart
    recorded_level: int | None
    dead: bool


def privation_price(reading: Reading) -> int:
    """Chakra for a day without food or water that was passed: six minus result; a critical is free (SO-H29, SO-R28)."""
    return 6 - reading.result


def _privation_report(p: PrivationParams, verdict: Verdict, throws: tuple[Throw, ...]) -> Report:
    reading = read(throws[0])
    paid = pay(p.chakra, privation_price(reading)) if reading.success else Paid(p.chakra)
    after = Recorded(p.harm_chart)
    if not reading.success:
        after = record(p.harm_chart, 1, LACKING[p.lack], p.config.harm_boxes)
    outcome = PrivationOutcome(
        passed=reading.success,
        result=reading.result,
        chakra=paid.chakra,
        unconscious=paid.unconscious,
        harm_chart=after.chart,
        recorded_level=after.level,
        dead=after.dead,
    )
    name = Term("harm_name", LACKING[p.lack])
    told = (
        because("SO-H29", "privation_passed", cost=privation_price(reading))
        if reading.success
        else because("SO-H32", "privation_failed", harm=name, level=after.level)
    )
    faint = (because("SO-H31", "privation_faint"),) if paid.unconscious else ()
    return Report(outcome, (*pool_lines(p), band_line(reading, sixes_in(throws[0])), told, *faint))


@calls.check(
    "privation_test",
    rules="SO-H29 SO-H30 SO-H31 SO-H32",
    grades=BANDS,
    report=_privation_report,
    outcome=PrivationOutcome,
)
def privation_test(play: Play[Any], p: PrivationParams) -> Verdict:
    """A day without food, or without water: the same test, food first (SO-H29, SO-H30, SO-R27, SO-R28, SO-R29)."""
    reading = play.check(SkillRoll(p.dice), f"{p.lack} test")
    return Verdict(reading.band, reading.success)


class EatParams(Params, frozen=True, kw_only=True):
    kind: Lack
    harm_chart: HarmChart = UNHARMED


class EatOutcome(Outcome, frozen=True, kw_only=True):
    harm_chart: HarmChart


@calls.query("eat", rules="SO-H33")
def eat(p: EatParams) -> EatOutcome:
    """Eating removes every Hunger, drinking every Thirst."""
    return EatOutcome(harm_chart=without(p.harm_chart, LACKING[p.kind]))


class TravelParams(Params, frozen=True, kw_only=True):
    characters: Whole = 0
    necessities: Whole = 0
    animals: Annotated[tuple[Ticks, ...], Meta(max_length=100)] = ()
    feed: Whole = 0
    grazing: bool = False


class TravelOutcome(Outcome, frozen=True, kw_only=True):
    necessities: int
    characters_without: int
    feed: int
    animal_clocks: tuple[int, ...]


@calls.query("travel_day", rules="SO-H28 SO-H34")
def travel_day(p: TravelParams) -> TravelOutcome:
    """One necessity a character (SO-R29); animals are fed in listed order, the unfed tick once (SO-H34, SO-R30)."""
    fed = len(p.animals) if p.grazing else min(p.feed, len(p.animals))
    clocks = (*p.animals[:fed], *(min(ANIMAL_CLOCK, filled + 1) for filled in p.animals[fed:]))
    return TravelOutcome(
        necessities=max(0, p.necessities - p.characters),
        characters_without=max(0, p.characters - p.necessities),
        feed=p.feed if p.grazing else p.feed - fed,
        animal_clocks=clocks,
    )
