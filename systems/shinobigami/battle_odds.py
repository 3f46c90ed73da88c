"""Exact odds of damage, Plots and tables (SG-Q10..Q12, Q14, Q17..Q20)."""

from __future__ import annotations

from fractions import Fraction
from math import prod
from typing import Annotated

from msgspec import Meta, Struct

from systems.core.calls import Outcome
from systems.core.checks import Total
from systems.core.errors import Illegal, OddsTooLarge
from systems.core.game import Step
from systems.core.odds import Distribution, distribution
from systems.core.play import Play
from systems.core.solve import settle
from systems.core.values import Map
from systems.shinobigami.chance import COLUMN
from systems.shinobigami.emotions import EMOTIONS
from systems.shinobigami.ids import Category, Count, Plot
from systems.shinobigami.matrix import CATEGORIES
from systems.shinobigami.names import calls
from systems.shinobigami.odds import MOST_CYCLES, follow
from systems.shinobigami.range import in_range
from systems.shinobigami.scene import Scene, change_health
from systems.shinobigami.sheet import Character
from systems.shinobigami.wounds import critical_amount, extreme_hits, random_point

MOST_DAMAGE = 36  # points that are followed die by die
SURE_AFTER = 6  # rounds after which an extreme Battlefield always hits (SG-W52)
VICTIM = "victim"

Chances = Map[Plot, Fraction]
SixCategories = Annotated[tuple[Category, ...], Meta(max_length=6)]
LpCount = Annotated[int, Meta(ge=0, le=6)]


class CriticalHits(Step, Struct, frozen=True, cache_hash=True, tag="critical_hits"):
    """A Critical with close basic damage (SG-W34)."""

    amount: int

    def run(self, play: Play[Scene]) -> None:
        play.then(*(CriticalPoint(),) * critical_amount(play, self.amount, VICTIM))


class CriticalPoint(Step, Struct, frozen=True, cache_hash=True, tag="critical_point"):
    """One of its points: a lost Category has no effect."""

    def run(self, play: Play[Scene]) -> None:
        change_health(play, random_point(play, play.game[VICTIM], rechosen=False))


class CloseCriticalParams(Struct, frozen=True, cache_hash=True, kw_only=True, forbid_unknown_fields=True):
    """`lost`: how many Categories are lost before."""

    lost: LpCount = 0
    normal_amount: Annotated[int, Meta(ge=1, le=1_000_000)] = 1


class ExpectedLp(Outcome, frozen=True, kw_only=True):
    expected_lp_lost: Fraction


def _lp_lost(p: CloseCriticalParams) -> Distribution[int]:
    """Raises `OddsTooLarge` beyond 36 points."""
    if p.normal_amount > MOST_DAMAGE:
        raise OddsTooLarge("damage", p.normal_amount, MOST_DAMAGE)
    victim = Character(id=VICTIM, lost=CATEGORIES[: p.lost])
    ends = settle(Scene.of(victim).doing(CriticalHits(p.normal_amount)))
    return ends.by(lambda game: len(game[VICTIM].lost) - p.lost)


@calls.odds("close_critical_expected_lp", "SG-Q10 SG-W34 SG-H01")
def close_critical_mean(p: CloseCriticalParams) -> ExpectedLp:
    return ExpectedLp(expected_lp_lost=_lp_lost(p).mean(lambda lost: lost))


class CloseDistributionParams(CloseCriticalParams, frozen=True, cache_hash=True, kw_only=True):
    lp: LpCount


class Chance(Outcome, frozen=True, kw_only=True):
    p: Fraction


@calls.odds("close_critical_distribution", "SG-Q10 SG-W34 SG-H01")
def close_critical_exactly(p: CloseDistributionParams) -> Chance:
    return Chance(p=_lp_lost(p)[p.lp])


class CloseCategoryParams(Struct, frozen=True, cache_hash=True, kw_only=True, forbid_unknown_fields=True):
    category: Category
    lost: SixCategories = ()


@calls.odds("close_category", "SG-Q11 SG-H01")
def close_category(p: CloseCategoryParams) -> Chance:
    """By the die alone; a Category that is lost already cannot be hit."""
    hit = distribution(COLUMN).where(lambda column: CATEGORIES[column] == p.category)
    return Chance(p=Fraction(0) if p.category in p.lost else hit)


class ImmortalParams(Struct, frozen=True, cache_hash=True, kw_only=True, forbid_unknown_fields=True):
    """`use`: which use of the session it is."""

    use: Annotated[int, Meta(ge=1, le=1_000_000)]


class RecoveredLp(Outcome, frozen=True, kw_only=True):
    expected_lp_recovered: Fraction


@calls.odds("immortal_body", "SG-Q12 SG-O13")
def immortal_body_mean(p: ImmortalParams) -> RecoveredLp:
    """Before the cap by what was lost."""
    return RecoveredLp(expected_lp_recovered=distribution(Total(1, plus=-p.use)).mean(lambda points: max(0, points)))


class InRangeParams(Struct, frozen=True, cache_hash=True, kw_only=True, forbid_unknown_fields=True):
    own_plot: Plot
    range: Count | None
    target_plots: Chances


class InRangeOdds(Outcome, frozen=True, kw_only=True):
    p_in_range: Fraction


def _plots(chances: Chances) -> Distribution[int]:
    """Raises `Illegal` `invalid_choice` if these are no probabilities that sum to 1."""
    if sum(chances.values()) != 1 or any(p < 0 for p in chances.values()):
        raise Illegal("invalid_choice", "SG-W12", choice="plots")
    return Distribution(chances.dict())


@calls.odds("target_in_range", "SG-Q14 SG-N05 SG-W14")
def in_range_odds(p: InRangeParams) -> InRangeOdds:
    reached = _plots(p.target_plots).where(lambda plot: in_range(p.own_plot, plot, p.range, "attack", "level_ground"))
    return InRangeOdds(p_in_range=reached)


class FoundParams(Struct, frozen=True, cache_hash=True, kw_only=True, forbid_unknown_fields=True):
    """The chance of each player in one Cycle, and how many Cycles."""

    p: Annotated[tuple[Fraction, ...], Meta(max_length=64)]
    cycles: Annotated[int, Meta(ge=0, le=1_000_000)]


class FoundOdds(Outcome, frozen=True, kw_only=True):
    p_found: Fraction


MOST_BITS = 12_000  # of a denominator; about 3,600 digits


@calls.odds("information_found", "SG-Q17")
def found_odds(p: FoundParams) -> FoundOdds:
    """The players' chances are given, so there are no dice to follow.

    Raises `OddsTooLarge` beyond 1,000 Cycles, or where the fraction would be too long to write down.
    """
    if any(not 0 <= one <= 1 for one in p.p):
        raise Illegal("invalid_choice", "SG-Q17", choice="p")
    missed = prod((1 - one for one in p.p), start=Fraction(1))
    fit = min(MOST_CYCLES, MOST_BITS // missed.denominator.bit_length())
    if p.cycles > fit:
        raise OddsTooLarge("cycles", p.cycles, fit)
    return FoundOdds(p_found=1 - missed**p.cycles)


class ExtremeParams(Struct, frozen=True, cache_hash=True, kw_only=True, forbid_unknown_fields=True):
    round: Annotated[int, Meta(ge=1, le=1_000_000)]


class ExtremeOdds(Outcome, frozen=True, kw_only=True):
    p_hit: Fraction


@calls.odds("extreme_hit", "SG-Q18 SG-W52")
def extreme_odds(p: ExtremeParams) -> ExtremeOdds:
    """Hit at least once by the end of that round."""
    rounds = range(1, min(p.round, SURE_AFTER) + 1)
    return ExtremeOdds(p_hit=follow(lambda play: any(extreme_hits(play, one) for one in rounds))[True])


class EmotionRowsParams(Struct, frozen=True, cache_hash=True, kw_only=True, forbid_unknown_fields=True):
    """Whether both sides want a certain row."""

    both: bool = False


@calls.odds("emotion_rows", "SG-Q19 SG-T04")
def emotion_rows(p: EmotionRowsParams) -> Chance:
    wanted = EMOTIONS.rows[0].id
    sides = 2 if p.both else 1
    return Chance(p=follow(lambda play: all(EMOTIONS.roll(play).id == wanted for _ in range(sides)))[True])


class FirstStrikeParams(Struct, frozen=True, cache_hash=True, kw_only=True, forbid_unknown_fields=True):
    own_plots: Chances
    target_plots: Chances


class FirstStrikeOdds(Outcome, frozen=True, kw_only=True):
    p_first: Fraction
    p_simultaneous: Fraction


@calls.odds("first_strike", "SG-Q20 SG-W12 SG-W30")
def first_strike(p: FirstStrikeParams) -> FirstStrikeOdds:
    pairs = [(own, other, a * b) for own, a in _plots(p.own_plots) for other, b in _plots(p.target_plots)]
    return FirstStrikeOdds(
        p_first=sum((chance for own, other, chance in pairs if own > other), Fraction(0)),
        p_simultaneous=sum((chance for own, other, chance in pairs if own == other), Fraction(0)),
    )
