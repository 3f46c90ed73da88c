"""The plain roll, the action roll and the rolls of downtime and starting position (chapters 3, 4 and 8)."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from systems.core.calls import Outcome, Report, Verdict
from systems.core.errors import Illegal
from systems.core.play import Play, Throw
from systems.core.text import Because, Term, because
from systems.core.values import Map
from systems.origins import position as positions
from systems.origins.armor import dice_penalty
from systems.origins.dice import (
    Extra,
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
from systems.origins.harm import pay_chosen
from systems.origins.names import calls
from systems.origins.options import DEFAULT, Config
from systems.origins.position import Threat
from systems.origins.vocabulary import BANDS, Band, Chakra, ItemState, Level, Points, Position

Mode = Literal["highest", "lowest_of_two"]


class RollOutcome(Outcome, frozen=True, kw_only=True):
    pool: int
    mode: Mode
    result: int
    sixes: int
    crit: bool
    triple_crit: bool
    band: Band


def roll_outcome(throw: Throw, dice: int) -> RollOutcome:
    """The fields of a thrown pool, read from its record."""
    reading = read(throw)
    return RollOutcome(
        pool=dice,
        mode="highest" if dice >= 1 else "lowest_of_two",
        result=reading.result,
        sixes=sixes_in(throw),
        crit=reading.crit,
        triple_crit=reading.triple_crit,
        band=reading.band,
    )


def _roll_report(p: PoolParams, verdict: Verdict, throws: tuple[Throw, ...]) -> Report:
    lines = (*pool_lines(p), band_line(read(throws[0]), sixes_in(throws[0])))
    return Report(roll_outcome(throws[0], p.dice), lines)


@calls.check(
    "roll", rules="SO-C01 SO-C02 SO-C03 SO-C04 SO-C05 SO-C06", grades=BANDS, report=_roll_report, outcome=RollOutcome
)
def roll(play: Play[Any], p: PoolParams) -> Verdict:
    """A pool, read."""
    reading = play.check(SkillRoll(p.dice), "pool")
    return Verdict(reading.band, reading.success)


class DowntimeRollParams(PoolParams, frozen=True, kw_only=True):
    bonus_effect: Points = 0
    penalty_effect: Points = 0


class DowntimeRollOutcome(Outcome, frozen=True, kw_only=True):
    band: Band
    result: int
    effect: int


def _downtime_report(p: DowntimeRollParams, verdict: Verdict, throws: tuple[Throw, ...]) -> Report:
    reading = read(throws[0])
    effect = effect_of("downtime", reading.band, p.bonus_effect, p.penalty_effect)
    told = effect_lines("downtime", reading.band, *given_effect("downtime", p.bonus_effect, p.penalty_effect))
    outcome = DowntimeRollOutcome(band=reading.band, result=reading.result, effect=effect)
    return Report(outcome, (*pool_lines(p), band_line(reading, sixes_in(throws[0])), *told))


@calls.check(
    "downtime_roll",
    rules="SO-C08 SO-C11 SO-W21",
    grades=BANDS,
    report=_downtime_report,
    outcome=DowntimeRollOutcome,
)
def downtime_roll(play: Play[Any], p: DowntimeRollParams) -> Verdict:
    """Any roll outside combat: no position, no consequence (SO-C08, SO-R07)."""
    reading = play.check(SkillRoll(p.dice), "pool")
    return Verdict(reading.band, reading.success)


class StartPositionOutcome(Outcome, frozen=True, kw_only=True):
    band: Band
    position: Position
    critical_ability_triggered: bool


def _start_report(p: PoolParams, verdict: Verdict, throws: tuple[Throw, ...]) -> Report:
    reading = read(throws[0])
    position = positions.start_position(reading.band)
    outcome = StartPositionOutcome(band=reading.band, position=position, critical_ability_triggered=False)
    told = because("SO-B05", "start_position", position=Term("position", position))
    return Report(outcome, (*pool_lines(p), band_line(reading, sixes_in(throws[0])), told))


@calls.check(
    "start_position",
    rules="SO-B04 SO-B05 SO-B06",
    grades=BANDS,
    report=_start_report,
    outcome=StartPositionOutcome,
)
def start_position(play: Play[Any], p: PoolParams) -> Verdict:
    """The roll with which everybody enters a fight; it wakes no Critical Ability and no enemy (SO-B06)."""
    reading = play.check(SkillRoll(p.dice), "position")
    return Verdict(reading.band, reading.success)


class Hampered(Struct, frozen=True, cache_hash=True):
    """What wounds in the way of an action cost: each row once (SO-H05, SO-H06, SO-C16, SO-R23)."""

    effect: int
    dice: int
    chakra: int


def hampered(levels: tuple[int, ...], chakra: int, *, helped: bool, push: bool, config: Config) -> Hampered:
    """The price of the hampering rows. Level 3 needs an ally's help, or chakra (SO-R24).

    Raises `needs_help`, and `insufficient_chakra` if the push cannot be paid (SO-D18).
    """
    cost = 0
    if 3 in levels and not helped:
        if not push or config.level3_push_cost is None:
            raise Illegal("needs_help", "SO-H05")
        cost = config.level3_push_cost
        pay_chosen(chakra, cost)
    rows = calls.tables["harm_row"]
    return Hampered(
        effect=rows["level_1"].facts["penalty_effect"] if 1 in levels else 0,
        dice=rows["level_2"].facts["penalty_dice"] if 2 in levels else 0,
        chakra=cost,
    )


class ActionRollParams(PoolParams, frozen=True, kw_only=True):
    """A skill that fits badly comes with penalty dice or penalty effect (SO-C13), an unfit one with `no_effect`."""

    position: Position | UnsetType = UNSET
    bonus_effect: Points = 0
    penalty_effect: Points = 0
    no_effect: bool = False
    hampering_levels: Annotated[tuple[Level, ...], Meta(max_length=40)] = ()
    helped: bool = False
    push: bool = False
    chakra: Chakra = 0
    item_state: ItemState = "sound"
    config: Config = DEFAULT

    @property
    def hampered(self) -> Hampered:
        """Raises `Illegal`."""
        return hampered(self.hampering_levels, self.chakra, helped=self.helped, push=self.push, config=self.config)

    @property
    def extras(self) -> tuple[Extra, ...]:
        return (
            Extra("SO-C15", "pool_item", -dice_penalty(self.item_state)),
            Extra("SO-H05", "pool_harm", -self.hampered.dice),
        )

    @property
    def thrown(self) -> int:
        """The pool after every penalty (SO-C01)."""
        return self.dice + sum(one.dice for one in self.extras)


class ActionRollOutcome(RollOutcome, frozen=True, kw_only=True):
    effect: int
    options: Map[str, tuple[Threat, ...]]
    choice: tuple[str, ...]
    chakra: int


def _action_report(p: ActionRollParams, verdict: Verdict, throws: tuple[Throw, ...]) -> Report:
    rolled, band, cost = roll_outcome(throws[0], p.thrown), read(throws[0]).band, p.hampered
    cell = positions.cell(p.position, band)
    penalty = p.penalty_effect + cost.effect
    outcome = ActionRollOutcome(
        pool=rolled.pool,
        mode=rolled.mode,
        result=rolled.result,
        sixes=rolled.sixes,
        crit=rolled.crit,
        triple_crit=rolled.triple_crit,
        band=band,
        effect=0 if p.no_effect else effect_of("combat", band, p.bonus_effect, penalty),
        options=cell.options,
        choice=cell.choice,
        chakra=p.chakra - cost.chakra,
    )
    lines = (*pool_lines(p, *p.extras), band_line(read(throws[0]), rolled.sixes), *_action_effect_lines(p, band))
    return Report(outcome, (*lines, *_push_lines(cost), *option_lines(p.position, cell)))


def _action_effect_lines(p: ActionRollParams, band: Band) -> tuple[Because, ...]:
    if p.no_effect:
        return (because("SO-C14", "effect_none"),)
    harm = Modifier("SO-H05", "effect_harm", -p.hampered.effect)
    return effect_lines("combat", band, *given_effect("combat", p.bonus_effect, p.penalty_effect), harm)


def _push_lines(cost: Hampered) -> tuple[Because, ...]:
    return (because("SO-H05", "push", cost=cost.chakra),) if cost.chakra else ()


def option_lines(position: Position | UnsetType | None, cell: positions.Cell) -> tuple[Because, ...]:
    """What may come of the roll in its position: a choice, or the consequences of each option (SO-P03)."""
    if not isinstance(position, str):
        return ()
    where = Term("position", position)
    if cell.choice:
        return (because("SO-P05", "controlled_choice", position=where),)
    if not cell.options:
        return (because("SO-P04", "no_consequence", position=where),)
    return tuple(
        because(
            "SO-P12" if not threat.defendable else "SO-P03",
            "threat_undefendable" if not threat.defendable else "threat",
            option=Term("option", letter),
            severity=Term("severity", threat.severity),
            surcharge=threat.surcharge,
        )
        for letter, threats in cell.options.items()
        for threat in threats
    )


@calls.check(
    "action_roll",
    rules="SO-C07 SO-C09 SO-C10 SO-C12 SO-C14 SO-C15 SO-C16 SO-P03 SO-P04 SO-P05 SO-P06 SO-P07 SO-P08 SO-P09"
    " SO-P10 SO-P11 SO-P12 SO-H05 SO-H06",
    grades=BANDS,
    report=_action_report,
    outcome=ActionRollOutcome,
)
def action_roll(play: Play[Any], p: ActionRollParams) -> Verdict:
    """An action at the combat rate, up to the point where consequences would be settled.

    Raises `item_broken` (SO-C15), `needs_help`, `insufficient_chakra` (SO-H05).
    """
    if p.item_state == "broken":
        raise Illegal("item_broken", "SO-C15")
    reading = play.check(SkillRoll(p.thrown), "action")
    return Verdict(reading.band, reading.success)
