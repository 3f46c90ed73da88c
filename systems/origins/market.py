"""Markets: one item, scrolls, and selling (chapter 15)."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import UNSET, Meta, Struct, UnsetType

from systems.core.calls import Outcome, Report, Verdict
from systems.core.checks import Check
from systems.core.dice import Faces, Pool
from systems.core.errors import Illegal
from systems.core.play import Play, Throw
from systems.core.text import Because, Term, because
from systems.origins.dice import (
    Extra,
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
from systems.origins.names import calls
from systems.origins.vocabulary import BANDS, MANY, Nation, Params, Points, Whole

FOUND_FROM = 2  # SO-M01, SO-R53
REQUESTED_FROM = 3  # SO-M06
DESCRIPTION_DICE = -2  # SO-M05
Price = Annotated[int, Meta(ge=1, le=MANY)]


class ShopParams(PoolParams, frozen=True, kw_only=True):
    market_price: Price
    bonus_effect: Points = 0

    def price(self, effect: int) -> int | None:
        """Each effect beyond two takes one gold off, down to one (SO-M02); None if nothing was found (SO-M01)."""
        return max(1, self.market_price - (effect - FOUND_FROM)) if effect >= FOUND_FROM else None


class ShopOutcome(Outcome, frozen=True, kw_only=True):
    effect: int
    available: bool
    price: int | None


def _shop_report(p: ShopParams, verdict: Verdict, throws: tuple[Throw, ...]) -> Report:
    reading = read(throws[0])
    effect = effect_of("downtime", reading.band, p.bonus_effect)
    price = p.price(effect)
    outcome = ShopOutcome(effect=effect, available=price is not None, price=price)
    told = because("SO-M01", "not_found") if price is None else because("SO-M02", "found", price=price)
    effects = effect_lines("downtime", reading.band, *given_effect("downtime", p.bonus_effect))
    return Report(outcome, (*pool_lines(p), band_line(reading, sixes_in(throws[0])), *effects, told))


@calls.check("shop", rules="SO-M01 SO-M02 SO-M03", grades=BANDS, report=_shop_report, outcome=ShopOutcome)
def shop(play: Play[Any], p: ShopParams) -> Verdict:
    """One specific item in a downtime (SO-M03); everyday goods need no roll."""
    reading = play.check(SkillRoll(p.dice), "commerce")
    return Verdict(reading.band, effect_of("downtime", reading.band, p.bonus_effect) >= FOUND_FROM)


class Shown(Check[None], Struct, frozen=True, cache_hash=True):
    """One die of the scroll tables. No rule branches on it: what it means is read from the record."""

    sides: int

    @property
    def pool(self) -> Pool:
        return Pool(1, self.sides)

    def read(self, faces: Faces) -> None:
        return None


class ScrollParams(PoolParams, frozen=True, kw_only=True):
    requested: Nation
    local: Nation
    neighbours: Annotated[tuple[Nation, ...], Meta(max_length=20)] = ()
    description: bool = False

    @property
    def extra(self) -> Extra:
        return Extra("SO-M05", "pool_description", DESCRIPTION_DICE if self.description else 0)

    @property
    def thrown(self) -> int:
        return self.dice + self.extra.dice

    def nations(self, effect: int) -> tuple[Nation | None, ...]:
        """The nation of each scroll found, in the order of the dice; None is a random one (SO-M06, SO-M10)."""
        if effect < FOUND_FROM:
            return (None,)
        if effect < REQUESTED_FROM:
            return (self.local,)
        return (self.requested, *(None,) * (effect - REQUESTED_FROM))

    def answered(self, effect: int) -> bool:
        """Whether the first scroll is of the requested nation, and not by chance (SO-M09)."""
        return self.nations(effect)[0] == self.requested

    def matches(self, effect: int, place: int) -> bool:
        """Whether this scroll answers the request: it fits the description and rolls no skill (SO-M09, SO-R54)."""
        return self.description and place == 0 and self.answered(effect)

    def price(self, nation: str) -> int:
        """Gold by distance (SO-M08)."""
        distance = "local" if nation == self.local else "neighbouring" if nation in self.neighbours else "distant"
        return int(calls.tables["scroll_price"][distance].facts["gold"])


class Scroll(Struct, frozen=True, kw_only=True):
    """A scroll on offer; set and skill are the results of 1d5 and 1d6, absent where the GM picks a fitting skill."""

    nation: Nation
    price: int
    skill_set: int | UnsetType = UNSET
    skill: int | UnsetType = UNSET
    matches_description: bool


class ScrollOutcome(Outcome, frozen=True, kw_only=True):
    pool: int
    effect: int
    scrolls: tuple[Scroll, ...]


def _scrolls(p: ScrollParams, effect: int, faces: list[int]) -> tuple[Scroll, ...]:
    found: list[Scroll] = []
    for place, fixed in enumerate(p.nations(effect)):
        nation: Nation = fixed or calls.tables["scroll_nation"].at(faces.pop(0)).id  # type: ignore[assignment]
        if p.matches(effect, place):
            found.append(Scroll(nation=nation, price=p.price(nation), matches_description=True))
            continue
        skill_set, skill = faces.pop(0), faces.pop(0)
        found.append(
            Scroll(
                nation=nation,
                price=p.price(nation),
                skill_set=skill_set,
                skill=skill,
                matches_description=False,
            )
        )
    return tuple(found)


def _scroll_report(p: ScrollParams, verdict: Verdict, throws: tuple[Throw, ...]) -> Report:
    reading = read(throws[0])
    effect = effect_of("downtime", reading.band)
    scrolls = _scrolls(p, effect, [throw.faces[0] for throw in throws[1:]])
    lines = (*pool_lines(p, p.extra), band_line(reading, sixes_in(throws[0])), *effect_lines("downtime", reading.band))
    told = tuple(_scroll_line(scroll) for scroll in scrolls)
    return Report(ScrollOutcome(pool=p.thrown, effect=effect, scrolls=scrolls), (*lines, *told))


def _scroll_line(scroll: Scroll) -> Because:
    nation = Term("nation", scroll.nation)
    if scroll.matches_description:
        return because("SO-M09", "scroll_matches", nation=nation, price=scroll.price)
    return because(
        "SO-M07",
        "scroll",
        nation=nation,
        price=scroll.price,
        set=_number(scroll.skill_set),
        skill=_number(scroll.skill),
    )


def _number(value: int | UnsetType) -> int | None:
    return value if isinstance(value, int) else None


@calls.check(
    "scroll_shop",
    rules="SO-M05 SO-M06 SO-M07 SO-M08 SO-M09 SO-M10",
    grades=BANDS,
    report=_scroll_report,
    outcome=ScrollOutcome,
)
def scroll_shop(play: Play[Any], p: ScrollParams) -> Verdict:
    """Scrolls of a nation: Commerce first, then for each scroll 1d20 if its nation is random, 1d5 and 1d6."""
    reading = play.check(SkillRoll(p.thrown), "commerce")
    effect = effect_of("downtime", reading.band)
    for place, nation in enumerate(p.nations(effect)):
        if nation is None:
            play.check(Shown(20), f"nation {place + 1}")
        if not p.matches(effect, place):
            play.check(Shown(5), f"skill set {place + 1}")
            play.check(Shown(6), f"skill {place + 1}")
    return Verdict(reading.band, reading.success)


class SellParams(Params, frozen=True, kw_only=True):
    values: Annotated[tuple[Whole, ...], Meta(max_length=200)] = ()
    merchant: bool = True


class SellOutcome(Outcome, frozen=True, kw_only=True):
    gold: int


@calls.query("sell", rules="SO-M04")
def sell(p: SellParams) -> SellOutcome:
    """Half of the sum, rounded down (SO-R55, SO-A07). Raises `no_merchant`."""
    if not p.merchant:
        raise Illegal("no_merchant", "SO-M04")
    return SellOutcome(gold=sum(p.values) // 2)
