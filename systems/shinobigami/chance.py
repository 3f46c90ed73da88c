"""Random helpers: D66, a random skill, one of n (SG-A01, SG-A02, SG-A05, SG-M13), and the tables they serve."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import UNSET, Meta, Struct, UnsetType

from systems.core.calls import NoParams, Outcome, Report, Verdict
from systems.core.checks import Pick, Total
from systems.core.play import Play, Throw
from systems.core.tables import Key, Row
from systems.core.text import Term, because
from systems.shinobigami.ids import Category, Clan
from systems.shinobigami.matrix import CATEGORIES, PLACES, category_of, skill_at
from systems.shinobigami.names import calls

ROLLED = Verdict("rolled")
D66 = Key("d66s")  # the lower die gives the tens (SG-A02)
COLUMN = Pick(len(CATEGORIES))
ROW = Total(2)


class D66Outcome(Outcome, frozen=True, kw_only=True):
    result: int


def _report_d66(p: NoParams, verdict: Verdict, throws: tuple[Throw, ...]) -> Report:
    result = D66.read(throws[0].arranged)
    return Report(D66Outcome(result=result), (because("SG-A02", "d66", result=result),))


@calls.check("d66", rules="SG-A01 SG-A02", grades="rolled", report=_report_d66, outcome=D66Outcome)
def d66(play: Play[Any], p: NoParams) -> Verdict:
    play.check(D66, "d66")
    return ROLLED


class RandomSkillParams(Struct, frozen=True, cache_hash=True, kw_only=True, forbid_unknown_fields=True):
    category: Category | UnsetType = UNSET


class RandomSkillOutcome(Outcome, frozen=True, kw_only=True):
    category: Category
    skill: str


def random_skill(play: Play[Any], category: Category | None = None) -> str:
    """1d6 for the column unless the Category is fixed, then 2d6 for the row (SG-M13)."""
    column = category or CATEGORIES[play.check(COLUMN, "column")]
    return skill_at(column, play.check(ROW, "row"))


def _report_skill(p: RandomSkillParams, verdict: Verdict, throws: tuple[Throw, ...]) -> Report:
    category = CATEGORIES[COLUMN.read(throws[0].arranged)] if p.category is UNSET else p.category
    skill = skill_at(category, ROW.read(throws[-1].arranged))
    line = because("SG-M13", "random_skill", category=Term("category", category), skill=Term("skill", skill))
    return Report(RandomSkillOutcome(category=category, skill=skill), (line,))


@calls.check("random_skill", rules="SG-M13", grades="rolled", report=_report_skill, outcome=RandomSkillOutcome)
def roll_skill(play: Play[Any], p: RandomSkillParams) -> Verdict:
    random_skill(play, None if p.category is UNSET else p.category)
    return ROLLED


class RandomPickParams(Struct, frozen=True, cache_hash=True, kw_only=True, forbid_unknown_fields=True):
    n: Annotated[int, Meta(ge=1, le=36)]


class RandomPickOutcome(Outcome, frozen=True, kw_only=True):
    """`index` counts from 1."""

    index: int


def _report_pick(p: RandomPickParams, verdict: Verdict, throws: tuple[Throw, ...]) -> Report:
    index = 1 + (Pick(p.n).read(throws[-1].arranged) if throws else 0)
    return Report(RandomPickOutcome(index=index), (because("SG-A05", "random_pick", index=index, n=p.n),))


@calls.check("random_pick", rules="SG-A05 SG-Z11", grades="rolled", report=_report_pick, outcome=RandomPickOutcome)
def random_pick(play: Play[Any], p: RandomPickParams) -> Verdict:
    play.pick(p.n, "random_pick")
    return ROLLED


@calls.table("skill_matrix", "SG-M01 SG-M13")
def skill_matrix() -> tuple[Row, ...]:
    return tuple(
        Row(skill, facts={"category": category_of(skill), "column": at.column + 1, "row": at.row})
        for skill, at in PLACES.items()
    )


@calls.table_roll("skill_matrix")
def roll_matrix(play: Play[Any], p: RandomSkillParams) -> tuple[tuple[str, str], ...]:
    return (("skill_matrix", random_skill(play, None if p.category is UNSET else p.category)),)


class CoverParams(Struct, frozen=True, cache_hash=True, kw_only=True, forbid_unknown_fields=True):
    clan: Clan


@calls.table_roll("cover")
def roll_cover(play: Play[Any], p: CoverParams) -> tuple[tuple[str, str], ...]:
    """1d6 on the column of the clan (SG-T08, SG-B04)."""
    result = play.check(Key("1d6"), "cover")
    rows = (row for row in calls.tables["cover"].rows if row.facts["clan"] == p.clan and row.covers(result))
    return (("cover", next(rows).id),)


@calls.table_roll("ohgi_name")
def roll_ohgi_name(play: Play[Any], p: NoParams) -> tuple[tuple[str, str], ...]:
    """2d6 name two word lists, a D66 on each gives the words (SG-T09)."""
    row = calls.tables["ohgi_name"].roll(play)
    words = tuple((one, calls.tables[one].roll(play).id) for one in row.facts["lists"])
    return (("ohgi_name", row.id), *words)


@calls.table_roll("prize_effect")
def roll_prize_effect(play: Play[Any], p: NoParams) -> tuple[tuple[str, str], ...]:
    """A curse is joined by two more throws (SG-T12)."""
    table = calls.tables["prize_effect"]
    rows: list[tuple[str, str]] = []
    left = 1
    while left:
        row = table.roll(play)
        rows.append((table.id, row.id))
        left += row.facts.get("throws", 0) - 1
    return tuple(rows)
