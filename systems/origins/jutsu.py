"""Jutsu outside combat: using, learning and altering them (chapter 12)."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import UNSET, Meta, UnsetType

from systems.core.calls import Outcome, Report, Verdict
from systems.core.errors import Illegal
from systems.core.play import Play, Throw
from systems.core.text import because
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
from systems.origins.vocabulary import BANDS, Band, Chakra, Points, Whole

JUTSU_CLOCK = 4  # SO-J05, SO-J11
ClockTicks = Annotated[int, Meta(ge=0, le=JUTSU_CLOCK)]


class UseJutsuParams(PoolParams, frozen=True, kw_only=True):
    chakra: Chakra = 0
    bonus_effect: Points = 0
    config: Config = DEFAULT


class UseJutsuOutcome(Outcome, frozen=True, kw_only=True):
    chakra: int
    effect: int
    band: Band
    consequence: bool


def _use_report(p: UseJutsuParams, verdict: Verdict, throws: tuple[Throw, ...]) -> Report:
    reading = read(throws[0])
    cost = p.config.jutsu_free_cost
    outcome = UseJutsuOutcome(
        chakra=p.chakra - cost,
        effect=effect_of("downtime", reading.band, p.bonus_effect),
        band=reading.band,
        consequence=False,
    )
    told = effect_lines("downtime", reading.band, *given_effect("downtime", p.bonus_effect))
    price = because("SO-J02", "jutsu_cost", cost=cost)
    return Report(outcome, (*pool_lines(p), band_line(reading, sixes_in(throws[0])), *told, price))


@calls.check("use_jutsu_free", rules="SO-J02", grades=BANDS, report=_use_report, outcome=UseJutsuOutcome)
def use_jutsu_free(play: Play[Any], p: UseJutsuParams) -> Verdict:
    """A jutsu outside combat, without consequences. Raises `insufficient_chakra` (SO-D18)."""
    pay_chosen(p.chakra, p.config.jutsu_free_cost, "SO-J02")
    reading = play.check(SkillRoll(p.dice), "jutsu")
    return Verdict(reading.band, reading.success)


class LearnParams(PoolParams, frozen=True, kw_only=True):
    clock: ClockTicks = 0
    has_scroll: bool = True
    known: bool = False
    in_nation_of_origin: bool = False
    teacher: PoolParams | None = None
    dojo: bool = False
    dojo_gold: Whole = 0
    gold: Whole = 0
    config: Config = DEFAULT

    @property
    def bought(self) -> int:
        """Points of effect that the dojo sells for the gold offered (SO-J09, SO-R59)."""
        return self.dojo_gold // self.config.dojo_gold_per_effect


class LearnOutcome(Outcome, frozen=True, kw_only=True):
    teacher_dice: int
    pool: int
    effect: int
    clock: int
    learned: bool
    gold: int
    scroll_value: int | UnsetType = UNSET


def _learn_extras(p: LearnParams, taught: int) -> tuple[Extra, ...]:
    nation = Extra("SO-J07", "pool_nation", int(p.in_nation_of_origin))
    return Extra("SO-J08", "pool_teacher", taught), nation


def _learn_report(p: LearnParams, verdict: Verdict, throws: tuple[Throw, ...]) -> Report:
    reading = read(throws[-1])
    taught = effect_of("downtime", read(throws[0]).band) if p.teacher else 0
    extras, dojo = _learn_extras(p, taught), Modifier("SO-J09", "effect_dojo", p.bought)
    effect = effect_of("downtime", reading.band, p.bought)
    clock = min(JUTSU_CLOCK, p.clock + effect)  # SO-J05: excess is lost
    learned = clock == JUTSU_CLOCK
    outcome = LearnOutcome(
        teacher_dice=taught,
        pool=p.dice + sum(one.dice for one in extras),
        effect=effect,
        clock=clock,
        learned=learned,
        gold=p.gold - p.bought * p.config.dojo_gold_per_effect,
        scroll_value=0 if learned else UNSET,  # SO-J10
    )
    lines = (*pool_lines(p, *extras), band_line(reading, sixes_in(throws[-1])))
    told = because("SO-J05", "learned" if learned else "learning", clock=clock, size=JUTSU_CLOCK)
    return Report(outcome, (*lines, *effect_lines("downtime", reading.band, dojo), told))


@calls.check(
    "learn_jutsu",
    rules="SO-J05 SO-J06 SO-J07 SO-J08 SO-J09 SO-J10",
    grades=BANDS,
    report=_learn_report,
    outcome=LearnOutcome,
)
def learn_jutsu(play: Play[Any], p: LearnParams) -> Verdict:
    """The teacher first, whose effect becomes dice of the learner (SO-J08).

    Raises `scroll_missing`, `jutsu_already_known` (SO-J06, SO-R51), `no_dojo`, `insufficient_gold` (SO-J09).
    """
    _refuse_learning(p)
    taught = 0
    if p.teacher:
        taught = effect_of("downtime", play.check(SkillRoll(p.teacher.dice), "teacher").band)
    reading = play.check(SkillRoll(p.dice + sum(one.dice for one in _learn_extras(p, taught))), "learner")
    return Verdict(reading.band, reading.success)


def _refuse_learning(p: LearnParams) -> None:
    if not p.has_scroll:
        raise Illegal("scroll_missing", "SO-J06")
    if p.known:
        raise Illegal("jutsu_already_known", "SO-J06")
    if p.dojo_gold and not p.dojo:
        raise Illegal("no_dojo", "SO-J09")
    if p.dojo_gold > p.gold:
        raise Illegal("insufficient_gold", "SO-J09", gold=p.gold, cost=p.dojo_gold)


class ModifyParams(PoolParams, frozen=True, kw_only=True):
    clock: ClockTicks = 0
    modification_scroll: bool = False
    learning_clock: ClockTicks = 0


class ModifyOutcome(Outcome, frozen=True, kw_only=True):
    effect: int
    clock: int
    modified: bool
    gains_power: bool
    must_relearn: bool
    learning_clock: int


def _modify_report(p: ModifyParams, verdict: Verdict, throws: tuple[Throw, ...]) -> Report:
    reading = read(throws[0])
    effect = effect_of("downtime", reading.band)
    clock = min(JUTSU_CLOCK, p.clock + effect)
    modified = clock == JUTSU_CLOCK
    outcome = ModifyOutcome(
        effect=effect,
        clock=clock,
        modified=modified,
        gains_power=modified and p.modification_scroll,  # SO-J13, SO-R75
        must_relearn=modified,
        learning_clock=0 if modified else p.learning_clock,  # SO-J12
    )
    lines = (*pool_lines(p), band_line(reading, sixes_in(throws[0])), *effect_lines("downtime", reading.band))
    told = because("SO-J12" if modified else "SO-J11", "altered" if modified else "altering", clock=clock)
    return Report(outcome, (*lines, told))


@calls.check("modify_jutsu", rules="SO-J11 SO-J12 SO-J13", grades=BANDS, report=_modify_report, outcome=ModifyOutcome)
def modify_jutsu(play: Play[Any], p: ModifyParams) -> Verdict:
    """Scroll Craft on the clock of the altered form; when it is full the jutsu is learned anew from 0."""
    reading = play.check(SkillRoll(p.dice), "alteration")
    return Verdict(reading.band, reading.success)
