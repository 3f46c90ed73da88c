"""A made-up system with one name of every form that the service must carry."""

from __future__ import annotations

import sys
from fractions import Fraction
from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from systems.core.ask import Between, Pass, asked, offer
from systems.core.calls import Calls, NoParams, Outcome, Report, SheetOutcome, Verdict
from systems.core.checks import Check, Total
from systems.core.dice import Faces, Pool
from systems.core.errors import Illegal
from systems.core.game import Message
from systems.core.play import Play, Throw
from systems.core.system import BasicSystem
from systems.core.tables import Row, RowTable
from systems.core.text import because
from systems.core.values import Map

FATE = RowTable("fate", ("TR-9",), tuple(Row(f"row_{at}", at, at, {"worth": at}) for at in range(1, 7)), "1d6")
READ_ONLY = RowTable("steps", ("TR-9",), (Row("first"), Row("second")))
calls = Calls({"fate": FATE, "steps": READ_ONLY})


class Gear(Struct, frozen=True, cache_hash=True):
    name: str
    weight: Annotated[int, Meta(ge=0, le=9)] = 1


class LeapParams(Struct, frozen=True, cache_hash=True):
    """A leap over a ditch."""

    target: int = 7
    style: Literal["plain", "wild"] = "plain"
    gear: tuple[Gear, ...] = ()
    skills: Map[str, int] = Map()
    share: Fraction | None = None
    place: tuple[int, int] = (0, 0)
    careful: bool = False
    note: str | UnsetType = UNSET

    def __post_init__(self) -> None:
        if self.careful and self.style == "wild":
            raise ValueError("a wild leap is not careful")


class LeapOutcome(Outcome, frozen=True, kw_only=True):
    total: int
    share: Fraction | UnsetType = UNSET


def report(p: LeapParams, verdict: Verdict, throws: tuple[Throw, ...]) -> Report:
    total = sum(throws[0].faces)
    outcome = LeapOutcome(total=total, share=UNSET if p.share is None else p.share)
    return Report(outcome, (because("TR-3", "leap", total=total, target=p.target),))


@calls.check("leap", rules="TR-3", grades="success failure", report=report, outcome=LeapOutcome)
def leap(play: Play[Any], p: LeapParams) -> Verdict:
    if p.target > 100:
        raise Illegal("too_high", "TR-4", target=p.target)
    success = play.check(Total(2), "leap") >= p.target
    return Verdict("success" if success else "failure", success)


class Again(Message, Struct, frozen=True, cache_hash=True, tag="again"):
    """Throw once more, with a modifier."""

    plus: Annotated[int, Meta(ge=0, le=3)] = 0


class AskedParams(Struct, frozen=True, cache_hash=True):
    dice: Annotated[int, Meta(ge=1, le=300)] = 1


class AskedOutcome(Outcome, frozen=True, kw_only=True):
    total: int


def asked_report(p: AskedParams, verdict: Verdict, throws: tuple[Throw, ...]) -> Report:
    return Report(AskedOutcome(total=sum(throws[-1].faces)))


@calls.check("asked", rules="TR-5", grades="low high", report=asked_report, outcome=AskedOutcome)
def asked_check(play: Play[Any], p: AskedParams) -> Verdict:
    low = play.check(Total(p.dice), "first") < 4 * p.dice
    if low:
        answer = play.ask(asked("you", "again", offer(Pass), offer(Again, plus=Between(0, 3))))
        if isinstance(answer, Again):
            low = play.check(Total(p.dice, plus=answer.plus), "second") < 4 * p.dice
    return Verdict("low" if low else "high")


class Highest(Check[int], Struct, frozen=True, cache_hash=True):
    """Read all at once, so that its odds must list every throw."""

    pool: Pool = Pool(40)

    def read(self, faces: Faces) -> int:
        return faces[0]


@calls.check("wide", rules="TR-5", grades="rolled", report=asked_report, outcome=AskedOutcome)
def wide(play: Play[Any], p: NoParams) -> Verdict:
    play.check(Highest(), "wide")
    return Verdict("rolled")


class StruckOutcome(Outcome, frozen=True, kw_only=True):
    """An outcome with a field `pending` of its own."""

    pending: str | UnsetType = UNSET


@calls.check(
    "struck", rules="TR-5", grades="stood fell", report=lambda p, v, t: Report(StruckOutcome()), outcome=StruckOutcome
)
def struck(play: Play[Any], p: NoParams) -> Verdict:
    answer = play.ask(asked("you", "surge_offer", offer(Pass), offer(Again, plus=Between(0, 3))))
    return Verdict("stood" if isinstance(answer, Again) else "fell")


@calls.check("bursts", rules="TR-6", grades="burst", report=asked_report, outcome=AskedOutcome)
def bursts(play: Play[Any], p: NoParams) -> Verdict:
    raise RuntimeError("a secret of the house")


class CrowdParams(Struct, frozen=True, cache_hash=True):
    throws: Annotated[int, Meta(ge=1, le=100)] = 1
    salt: int = 0


@calls.check("crowd", rules="TR-5", grades="rolled", report=asked_report, outcome=AskedOutcome)
def crowd(play: Play[Any], p: CrowdParams) -> Verdict:
    for _ in range(p.throws):
        play.check(Total(1), "one of many")
    return Verdict("rolled")


class BrokenOutcome(Outcome, frozen=True, kw_only=True):
    total: int


@calls.query("broken", rules="TR-6")
def broken(p: NoParams) -> BrokenOutcome:
    raise RuntimeError("a secret of the house")


class Chances(Outcome, frozen=True, kw_only=True):
    chance: Fraction
    distribution: Map[int, Fraction]
    sure: bool


@calls.odds("chances", rules="TR-7")
def chances(p: NoParams) -> Chances:
    return Chances(chance=Fraction(1, 36), distribution=Map({2: Fraction(1, 36), 3: Fraction(1, 18)}), sure=False)


class ValidOutcome(Outcome, frozen=True, kw_only=True):
    valid: bool


class SheetParams(Struct, frozen=True):
    name: str


@calls.query("validate_character", rules="TR-8")
def validate_character(p: SheetParams) -> ValidOutcome:
    return ValidOutcome(valid=p.name != "")


class CheckParams(Struct, frozen=True):
    character: SheetParams


@calls.sheet("TR-8")
def check_sheet(p: CheckParams) -> SheetOutcome:
    errors = () if p.character.name else ("nameless",)
    return SheetOutcome(valid=not errors, errors=errors)


class Trial(BasicSystem):
    chapters = (sys.modules[__name__],)


TRIAL = Trial("trial", "tests.service", calls)
