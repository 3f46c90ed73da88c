"""Downtime: rest, treatment, foraging and work (chapters 6.3 and 14)."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta

from systems.core.calls import Outcome, Report, Verdict
from systems.core.clocks import ProgressClock
from systems.core.errors import Illegal
from systems.core.play import Play, Throw
from systems.core.text import Because, Term, because
from systems.origins.chart import UNHARMED, WOUND, HarmChart, Recorded, heal, record, refuse_full_clock
from systems.origins.dice import (
    Modifier,
    PoolParams,
    SkillRoll,
    band_line,
    effect_lines,
    effect_of,
    given_effect,
    pool_lines,
    read,
    sixes_in,
)
from systems.origins.harm import pay, pay_chosen
from systems.origins.honor import Standing, tick_honor
from systems.origins.names import calls
from systems.origins.options import DEFAULT, Config
from systems.origins.vocabulary import BANDS, Chakra, HealingTicks, Honor, HonorClock, Params, Points, Whole

HERB_EFFECT = 2  # SO-H27
WORK_CLOCK = 4  # SO-W07
WORK_BONUS = 2  # SO-W09, SO-W10: of either modifier
DANGER_CHAKRA = 2  # SO-W10


class RestParams(Params, frozen=True, kw_only=True):
    comfort: Literal["exposed", "rugged", "comfortable", "pampered", "luxurious"]
    chakra: Chakra = 0
    gold: Whole = 0
    harm_chart: HarmChart = UNHARMED
    healing_clock: HealingTicks = 0
    config: Config = DEFAULT

    def __post_init__(self) -> None:
        refuse_full_clock(self.healing_clock, self.config)


class RestOutcome(Outcome, frozen=True, kw_only=True):
    chakra: int
    gold: int
    harm_chart: HarmChart
    healing_clock: int


@calls.query("rest", rules="SO-W04")
def rest(p: RestParams) -> RestOutcome:
    """Two healing ticks and chakra by comfort, without a roll (SO-R52). Raises `insufficient_gold`."""
    comfort = calls.tables["comfort"][p.comfort].facts
    if comfort["gold"] > p.gold:
        raise Illegal("insufficient_gold", "SO-W04", gold=p.gold, cost=comfort["gold"])
    after = heal(p.harm_chart, p.healing_clock, comfort["healing_ticks"], p.config)
    return RestOutcome(
        chakra=pay(p.chakra, -comfort["chakra"]).chakra,
        gold=p.gold - comfort["gold"],
        harm_chart=after.chart,
        healing_clock=after.clock,
    )


class TreatParams(PoolParams, frozen=True, kw_only=True):
    herb: bool = False
    bonus_effect: Points = 0
    harm_chart: HarmChart = UNHARMED
    healing_clock: HealingTicks = 0
    config: Config = DEFAULT

    def __post_init__(self) -> None:
        super().__post_init__()
        refuse_full_clock(self.healing_clock, self.config)


class TreatOutcome(Outcome, frozen=True, kw_only=True):
    effect: int
    harm_chart: HarmChart
    healing_clock: int
    fills: int


def _treat_report(p: TreatParams, verdict: Verdict, throws: tuple[Throw, ...]) -> Report:
    reading = read(throws[0])
    herb = HERB_EFFECT if p.herb else 0
    effect = effect_of("downtime", reading.band, p.bonus_effect + herb)
    after = heal(p.harm_chart, p.healing_clock, effect, p.config)
    outcome = TreatOutcome(effect=effect, harm_chart=after.chart, healing_clock=after.clock, fills=after.fills)
    changes = (*given_effect("downtime", p.bonus_effect), Modifier("SO-H27", "effect_herb", herb))
    lines = (*pool_lines(p), band_line(reading, sixes_in(throws[0])), *effect_lines("downtime", reading.band, *changes))
    told = because("SO-H26", "treated", fills=after.fills, clock=after.clock)
    return Report(outcome, (*lines, told))


@calls.check("treat", rules="SO-H26 SO-H27", grades=BANDS, report=_treat_report, outcome=TreatOutcome)
def treat(play: Play[Any], p: TreatParams) -> Verdict:
    """A downtime of treatment: effect ticks the patient's healing clock (SO-R73); a herb adds two and is used up."""
    reading = play.check(SkillRoll(p.dice), "treatment")
    return Verdict(reading.band, reading.success)


class ForageParams(PoolParams, frozen=True, kw_only=True):
    bonus_effect: Points = 0


class ForageOutcome(Outcome, frozen=True, kw_only=True):
    effect: int
    resources_gold: int


def _forage_report(p: ForageParams, verdict: Verdict, throws: tuple[Throw, ...]) -> Report:
    reading = read(throws[0])
    effect = effect_of("downtime", reading.band, p.bonus_effect)
    told = effect_lines("downtime", reading.band, *given_effect("downtime", p.bonus_effect))
    worth = because("SO-W06", "foraged", gold=effect)
    lines = (*pool_lines(p), band_line(reading, sixes_in(throws[0])), *told, worth)
    return Report(ForageOutcome(effect=effect, resources_gold=effect), lines)


@calls.check("forage", rules="SO-W06 SO-W12", grades=BANDS, report=_forage_report, outcome=ForageOutcome)
def forage(play: Play[Any], p: ForageParams) -> Verdict:
    """Resources worth one gold per effect; dice of gear and jutsu come as bonus dice (SO-W12)."""
    reading = play.check(SkillRoll(p.dice), "forage")
    return Verdict(reading.band, reading.success)


WorkModifier = Literal["dishonorable", "dangerous"]


class WorkParams(PoolParams, frozen=True, kw_only=True):
    clock: Annotated[int, Meta(ge=0, le=3)] = 0
    bonus_effect: Points = 0
    modifiers: Annotated[tuple[WorkModifier, ...], Meta(max_length=10)] = ()
    gm_cost: Literal["harm", "chakra"] = "harm"
    chakra: Chakra = 0
    harm_chart: HarmChart = UNHARMED
    honor: Honor = 0
    honor_clock: HonorClock = 0
    job_changed: bool = False
    town_changed: bool = False
    in_town: bool = True
    config: Config = DEFAULT

    @property
    def dishonorable(self) -> bool:
        return "dishonorable" in self.modifiers

    @property
    def dangerous(self) -> bool:
        return "dangerous" in self.modifiers

    @property
    def extra(self) -> int:
        return WORK_BONUS if self.modifiers else 0

    def ticked(self, effect: int) -> tuple[int, int]:
        """Gold earned and the clock afterwards; another job or town empties it first (SO-W08)."""
        begun = 0 if self.job_changed or self.town_changed else self.clock
        after = ProgressClock("work", WORK_CLOCK, begun, "carry").tick(effect)
        return after.fills, after.clock.filled


class WorkOutcome(Outcome, frozen=True, kw_only=True):
    effect: int
    gold_earned: int
    clock: int
    chakra: int
    harm_chart: HarmChart
    recorded_level: int | None
    honor: int
    honor_clock: int


def _work_report(p: WorkParams, verdict: Verdict, throws: tuple[Throw, ...]) -> Report:
    reading = read(throws[0])
    effect = effect_of("downtime", reading.band, p.bonus_effect + p.extra)
    gold, clock = p.ticked(effect)
    wounded = p.dangerous and p.gm_cost == "harm"
    after = record(p.harm_chart, 1, WOUND, p.config.harm_boxes) if wounded else Recorded(p.harm_chart)
    standing = tick_honor(p.honor, p.honor_clock, -1) if p.dishonorable else Standing(p.honor, p.honor_clock)
    outcome = WorkOutcome(
        effect=effect,
        gold_earned=gold,
        clock=clock,
        chakra=p.chakra - (DANGER_CHAKRA if p.dangerous and not wounded else 0),
        harm_chart=after.chart,
        recorded_level=after.level,
        honor=standing.honor,
        honor_clock=standing.clock,
    )
    changes = (*given_effect("downtime", p.bonus_effect), Modifier(_price_rule(p), "effect_work", p.extra))
    lines = (*pool_lines(p), band_line(reading, sixes_in(throws[0])), *effect_lines("downtime", reading.band, *changes))
    return Report(outcome, (*lines, because("SO-W07", "worked", gold=gold, clock=clock), *_price_lines(p, after)))


def _price_rule(p: WorkParams) -> str:
    return "SO-W09" if p.dishonorable else "SO-W10"


def _price_lines(p: WorkParams, after: Recorded) -> tuple[Because, ...]:
    """The price of the modifier, paid whatever the result (SO-W11)."""
    if not p.modifiers:
        return ()
    if p.dishonorable:
        return (because("SO-W09", "work_honor"),)
    price = because("SO-W10", "work_price", price=Term("work_price", p.gm_cost))
    return (price, because("SO-H04", "dies")) if after.dead else (price,)


@calls.check(
    "work",
    rules="SO-W07 SO-W08 SO-W09 SO-W10 SO-W11 SO-W12",
    grades=BANDS,
    report=_work_report,
    outcome=WorkOutcome,
)
def work(play: Play[Any], p: WorkParams) -> Verdict:
    """A job: effect ticks a 4-clock, each fill pays one gold.

    Raises `not_in_town` (SO-W07), `work_modifier_conflict` (SO-W11), `insufficient_chakra` where the price of danger
    is two chakra that the worker does not have (SO-W10, SO-D18, SO-R60).
    """
    if not p.in_town:
        raise Illegal("not_in_town", "SO-W07")
    if len(p.modifiers) > 1:
        raise Illegal("work_modifier_conflict", "SO-W11")
    if p.dangerous and p.gm_cost == "chakra":
        pay_chosen(p.chakra, DANGER_CHAKRA, "SO-W10")
    reading = play.check(SkillRoll(p.dice), "work")
    return Verdict(reading.band, reading.success)
