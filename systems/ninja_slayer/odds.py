"""The digest's odds questions (section 25): the checks of the game followed down every branch of their dice."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from fractions import Fraction
from typing import Annotated, Any, TypeVar

from msgspec import Meta, Struct

from systems.core.calls import Outcome
from systems.core.game import Game
from systems.core.odds import Distribution, branches, distribution, sums
from systems.core.play import AssumedAnswers, Play
from systems.core.solve import settle
from systems.ninja_slayer.attack import Striking, Style, criticals
from systems.ninja_slayer.dice import ALL_SUCCESSES, AtMost, Counting, Evading, Matching, eyes, refuse_long_eyes
from systems.ninja_slayer.difficulty import NORMAL, level_of
from systems.ninja_slayer.evasion import evading, evasion_modifiers
from systems.ninja_slayer.explain import modified
from systems.ninja_slayer.names import calls
from systems.ninja_slayer.rolls import Contending, Contest, Side
from systems.ninja_slayer.shock import HEART_ATTACK, endured, row_key
from systems.ninja_slayer.words import Atmosphere, Count, Dice, Difficulty, PatternText, PoolSize
from systems.ninja_slayer.wounds import HEART, ROW

H = TypeVar("H", bound=Hashable)


def followed(rule: Callable[[Play[Any]], H]) -> Distribution[H]:
    """What a rule without questions gives, exactly."""
    return Distribution(branches(lambda chance: rule(Play(Game(), chance, AssumedAnswers(), keep=False))))


class PoolQuestion(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    pool: PoolSize
    difficulty: Difficulty = "NORMAL"

    def counting(self, cap: int = 1) -> Counting:
        return Counting(max(0, self.pool), level_of(self.difficulty), cap)


class Success(Outcome, frozen=True, kw_only=True):
    p_success: Fraction


class Chance(Outcome, frozen=True, kw_only=True):
    p: Fraction


@calls.odds("check", "NS-C01 NS-C02 NS-C08")
def check_odds(p: PoolQuestion) -> Success:
    return Success(p_success=distribution(p.counting()).where(lambda counted: counted.success))


class AtLeastQuestion(PoolQuestion, frozen=True, kw_only=True, forbid_unknown_fields=True):
    successes: Count


@calls.odds("at_least", "NS-C07 NS-C08")
def at_least_odds(p: AtLeastQuestion) -> Chance:
    reached = distribution(p.counting(max(1, min(p.successes, ALL_SUCCESSES))))
    return Chance(p=reached.where(lambda counted: counted.successes >= p.successes))


class EyesQuestion(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The roll alone; no check has to succeed."""

    pool: PoolSize
    pattern: PatternText


@calls.odds("eyes", "NS-C10 NS-C11 NS-C12")
def eyes_odds(p: EyesQuestion) -> Chance:
    dice, pattern = max(0, p.pool), eyes(p.pattern)
    refuse_long_eyes(dice, pattern)
    return Chance(p=distribution(Matching(dice, pattern))[True])


@calls.odds("reroll", "NS-X12 NS-Y01")
def reroll_odds(p: PoolQuestion) -> Success:
    """One reroll after a failure: the same dice at the same difficulty, once (NS-Y01, NS-RUL42)."""

    def rule(play: Play[Any]) -> bool:
        return play.check(p.counting(), "check").success or play.check(p.counting(), "reroll").success

    return Success(p_success=followed(rule)[True])


class OpposedQuestion(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    a: PoolQuestion
    b: PoolQuestion


class OpposedOdds(Outcome, frozen=True, kw_only=True):
    p_win: Fraction
    p_tie: Fraction
    p_lose: Fraction


@calls.odds("opposed", "NS-C20 NS-C21 NS-C22")
def opposed_odds(p: OpposedQuestion) -> OpposedOdds:
    """The steps of the opposed check itself, seen by side `a`."""
    sides = (("a", p.a), ("b", p.b))
    contending = tuple(Contending(Side(id=id, pool=one.pool, difficulty=one.difficulty)) for id, one in sides)
    won = settle(Contest(agenda=contending)).by(lambda game: game.leader)
    return OpposedOdds(p_win=won["a"], p_tie=won[None], p_lose=won["b"])


class CounterQuestion(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    dice: Dice
    difficulty: Difficulty = "NORMAL"
    attack_successes: Count


class CounterOdds(Outcome, frozen=True, kw_only=True):
    p_evade: Fraction
    p_counter: Fraction


@calls.odds("counter", "NS-K01")
def counter_odds(p: CounterQuestion) -> CounterOdds:
    against = min(p.attack_successes, ALL_SUCCESSES)
    ended = distribution(Evading(p.dice, level_of(p.difficulty), against))
    return CounterOdds(p_evade=1 - ended["failed"], p_counter=ended["surpassed"])


class WasshoiQuestion(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    dkk: Count


class EntryOdds(Outcome, frozen=True, kw_only=True):
    p_entry: Fraction


@calls.odds("wasshoi", "NS-W07 NS-W09")
def wasshoi_odds(p: WasshoiQuestion) -> EntryOdds:
    return EntryOdds(p_entry=distribution(AtMost(p.dkk))[True])


class HitThroughQuestion(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One unarmed melee check of a ninja; all evasion dice are committed."""

    pool: PoolSize
    evasion_dice: Dice
    attack_difficulty: Difficulty = "NORMAL"
    atmosphere: Atmosphere = "normal"


class HitThroughOdds(Outcome, frozen=True, kw_only=True):
    p_damage: Fraction
    p_satsubatsu_lands: Fraction
    p_instant_death: Fraction


@calls.odds("hit_through", "NS-A02 NS-A03 NS-A04 NS-E09 NS-S07 NS-S13")
def hit_through_odds(p: HitThroughQuestion) -> HitThroughOdds:
    level = level_of(p.attack_difficulty)

    def rule(play: Play[Any]) -> tuple[bool, bool, bool]:
        struck = play.check(Striking(max(0, p.pool), level, criticals(Style())), "attack")
        if not struck.hit or _evaded(play, struck.critical == "namu", p):
            return False, False, False
        deadly = bool(struck.critical) and play.check(ROW, "satsubatsu") == HEART
        return True, bool(struck.critical), deadly

    ended = followed(rule)
    return HitThroughOdds(
        p_damage=ended.where(lambda end: end[0]),
        p_satsubatsu_lands=ended.where(lambda end: end[1]),
        p_instant_death=ended.where(lambda end: end[2]),
    )


def _evaded(play: Play[Any], namu: bool, p: HitThroughQuestion) -> bool:
    if not p.evasion_dice:
        return False
    level = modified(NORMAL, evasion_modifiers("melee", namu, p.atmosphere, "ninja", ()))
    return evading(play, p.evasion_dice, level, None, "evasion") != "failed"


class SplitQuestion(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    parts: Annotated[tuple[Dice, ...], Meta(min_length=1, max_length=20)]
    difficulty: Difficulty = "NORMAL"


class SplitOdds(Outcome, frozen=True, kw_only=True):
    expected_hits: Fraction
    p_at_least_one: Fraction


@calls.odds("split_hits", "NS-A11 NS-A17")
def split_odds(p: SplitQuestion) -> SplitOdds:
    """Each part is a check of its own (NS-A11)."""
    level = level_of(p.difficulty)
    hits = sums(tuple(Counting(dice, level) for dice in p.parts), _hit)
    return SplitOdds(expected_hits=hits.mean(lambda count: count), p_at_least_one=1 - hits[0])


def _hit(counted: Any) -> int:
    return int(counted.success)


class VolleyQuestion(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One shot of each mob, damage 1, nobody evades; `k` hits are asked about."""

    count: Annotated[int, Meta(ge=1, le=100)]
    pool: PoolSize
    difficulty: Difficulty = "NORMAL"
    k: Count = 1


class VolleyOdds(Outcome, frozen=True, kw_only=True):
    p_any: Fraction
    expected_damage: Fraction
    p_at_least: Fraction


@calls.odds("volley", "NS-E10 NS-E17")
def volley_odds(p: VolleyQuestion) -> VolleyOdds:
    shot = Counting(max(0, p.pool), level_of(p.difficulty))
    hits = sums((shot,) * p.count, _hit)
    return VolleyOdds(
        p_any=1 - hits[0],
        expected_damage=hits.mean(lambda count: count),
        p_at_least=hits.where(lambda count: count >= p.k),
    )


class ShockOdds(Outcome, frozen=True, kw_only=True):
    p_resist: Fraction
    p_heart_attack: Fraction


@calls.odds("nrs", "NS-L01 NS-L02")
def shock_odds(p: PoolQuestion) -> ShockOdds:
    row_key(p.difficulty)
    rows = followed(lambda play: endured(play, p.pool, p.difficulty))
    return ShockOdds(p_resist=rows[None], p_heart_attack=rows[HEART_ATTACK])
