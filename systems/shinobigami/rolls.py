"""Skill Checks by name: the bare check, and the check after a broken Perfect Success (SG-C01..C20, SG-O35)."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from systems.core.calls import Outcome, Report, Verdict
from systems.core.dice import Faces
from systems.core.errors import Illegal
from systems.core.play import Play, Throw
from systems.core.text import Because, Term, because
from systems.shinobigami.checks import (
    CRITICAL_VALUE,
    Consequence,
    Grade,
    SkillCheck,
    consequence,
    natural,
    succeeds,
)
from systems.shinobigami.ids import Context, Count, CriticalValue, FumbleValue, Wide
from systems.shinobigami.names import calls
from systems.shinobigami.switches import Switches

GRADES = "critical fumble success failure"
PERFECT_SUCCESS_RESULT = 10  # SG-C16, SG-O15

Modifiers = Annotated[tuple[Wide, ...], Meta(max_length=64)]
Auto = Literal["perfect_success"]


class SkillCheckParams(Struct, frozen=True, cache_hash=True, kw_only=True, forbid_unknown_fields=True):
    """A check whose Target Number and Fumble Value are known already."""

    target_number: Count | None
    modifiers: Modifiers = ()
    fumble_value: FumbleValue | None = 2
    critical_value: CriticalValue = CRITICAL_VALUE
    context: Context = "drama"
    auto: Auto | UnsetType = UNSET
    backlash: bool = False
    gm_modifier: Wide | UnsetType = UNSET
    n: Wide = 2
    switches: Switches = Switches()


class SkillCheckOutcome(Outcome, frozen=True, kw_only=True):
    """`natural` is null without dice, `total` where there is no Check Result."""

    natural: int | None
    total: int | None
    consequence: Consequence


def passed(grade: Grade) -> Verdict:
    return Verdict(grade, succeeds(grade))


def report_check(p: SkillCheckParams, verdict: Verdict, throws: tuple[Throw, ...]) -> Report:
    if not throws:
        automatic = because("SG-C16", "perfect_success") if verdict.success else because("SG-C17", "backlash")
        total = PERFECT_SUCCESS_RESULT if verdict.success else None
        return Report(SkillCheckOutcome(natural=None, total=total, consequence="none"), (automatic,))
    check = _declared(p)
    lines = tuple(because("SG-C05", "modifier", modifier=one) for one in p.modifiers)
    if p.gm_modifier is not UNSET:
        lines += (because("SG-C04", "gm_modifier", modifier=p.gm_modifier),)
    return reading(check, throws[-1].arranged, p.context, lines)


@calls.check(
    "skill_check",
    rules="SG-C01 SG-C02 SG-C03 SG-C04 SG-C05 SG-C06 SG-C07 SG-C08 SG-C09 SG-C12 SG-C13 SG-C14 SG-C16 SG-C17 SG-C19",
    grades=GRADES,
    report=report_check,
    outcome=SkillCheckOutcome,
)
def skill_check(play: Play[Any], p: SkillCheckParams) -> Verdict:
    check = _declared(p)
    if p.auto is not UNSET:  # SG-C16: no dice, no Critical; it beats Backlash (SG-W41)
        return passed("success")
    if p.backlash:  # SG-C17
        return passed("failure")
    return passed(play.check(check, "skill_check"))


def _declared(p: SkillCheckParams) -> SkillCheck:
    """All modifiers add up (SG-C05). Raises `Illegal` for a GM modifier that is not one point, and for too few dice."""
    allowed = (1, -1) if p.switches.gm_roll_modifier else ()  # SG-U01
    if p.gm_modifier is not UNSET and p.gm_modifier not in allowed:
        raise Illegal("gm_modifier_range", "SG-C04", modifier=p.gm_modifier)
    if p.n <= 1:
        raise Illegal("dice_count", "SG-C19", n=p.n)
    modifier = sum(p.modifiers) + (0 if p.gm_modifier is UNSET else p.gm_modifier)
    return SkillCheck(p.target_number, modifier, p.fumble_value, p.critical_value, p.n)


def reading(check: SkillCheck, faces: Faces, context: Context, modifiers: tuple[Because, ...] = ()) -> Report:
    """A final roll taken apart: dice, every modifier, what was needed, and what follows."""
    grade, shown = check.read(faces), natural(faces)
    follows = consequence(grade, context)
    outcome = SkillCheckOutcome(natural=shown, total=shown + check.modifier, consequence=follows)
    return Report(outcome, (because("SG-C03", "natural", natural=shown), *modifiers, *explained(check, shown, grade)))


def explained(check: SkillCheck, shown: int, grade: Grade) -> tuple[Because, ...]:
    """Why a natural roll has its grade."""
    if grade == "fumble":
        return (because("SG-C09", "fumble", natural=shown, fumble_value=check.fumble_value),)
    if grade == "critical":
        return (because("SG-C07", "critical", natural=shown, critical_value=check.least_critical),)
    if check.target_number is None:
        return (because("SG-M12", "critical_only"),)
    total = shown + check.modifier
    return (because("SG-C03", grade, total=total, target_number=check.target_number),)


class BrokenParams(Struct, frozen=True, cache_hash=True, kw_only=True, forbid_unknown_fields=True):
    """The check that a broken Perfect Success was meant for."""

    target_number: Count | None
    modifiers: Modifiers = ()
    fumble_value: FumbleValue | None = 2
    critical_value: CriticalValue = CRITICAL_VALUE
    context: Context = "drama"
    switches: Switches = Switches()


def _report_broken(p: BrokenParams, verdict: Verdict, throws: tuple[Throw, ...]) -> Report:
    if throws:
        lines = tuple(because("SG-C05", "modifier", modifier=one) for one in p.modifiers)
        return reading(_behind(p), throws[-1].arranged, p.context, lines)
    lost = because("SG-U06", "roll_lost", switch=Term("option_value", p.switches.broken_perfect_success))
    return Report(SkillCheckOutcome(natural=None, total=None, consequence="none"), (lost,))


def _behind(p: BrokenParams) -> SkillCheck:
    return SkillCheck(p.target_number, sum(p.modifiers), p.fumble_value, p.critical_value)


@calls.check(
    "perfect_success_broken",
    rules="SG-O35 SG-U06 SG-Z19",
    grades=GRADES,
    report=_report_broken,
    outcome=SkillCheckOutcome,
)
def perfect_success_broken(play: Play[Any], p: BrokenParams) -> Verdict:
    """The Ohgi has no effect: the check is rolled, or fails by the switch."""
    if p.switches.broken_perfect_success == "check_fails":
        return passed("failure")
    return passed(play.check(_behind(p), "skill_check"))
