"""Exact odds of checks (SG-Q01..Q09, Q13, Q15, Q16): the same checks, followed down every branch of their dice."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from fractions import Fraction
from typing import Annotated, Any, TypeVar

from msgspec import Meta, Struct

from systems.core.calls import Outcome
from systems.core.errors import OddsTooLarge
from systems.core.game import Game, Step, change
from systems.core.odds import Distribution, branches, distribution
from systems.core.play import AssumedAnswers, Play
from systems.core.solve import settle
from systems.core.values import Map
from systems.shinobigami.chance import random_skill
from systems.shinobigami.checks import CRITICAL_VALUE, Grade, Interfered, Reading, SkillCheck, fumble_value, succeeds
from systems.shinobigami.ids import Battlefield, Count, CriticalValue, FumbleValue, Id, Plot, Wide
from systems.shinobigami.names import calls
from systems.shinobigami.sheet import Character, target_number

H = TypeVar("H", bound=Hashable)

MOST_CYCLES = 1_000  # repetitions that are followed one by one
BATTLEFIELDS = calls.tables["battlefield"]

Pieces = Annotated[int, Meta(ge=0, le=6)]


def follow(procedure: Callable[[Play[Any]], H]) -> Distribution[H]:
    """What a piece of the rules leads to, with exact probabilities."""
    return Distribution(branches(lambda chance: procedure(Play(Game(), chance, AssumedAnswers(), keep=False))))


def p_success(check: SkillCheck) -> Fraction:
    return distribution(check).where(succeeds)


class CheckedParams(Struct, frozen=True, cache_hash=True, kw_only=True, forbid_unknown_fields=True):
    """A check: null for no usable skill, and for a check without Fumble."""

    target_number: Count | None
    modifier: Wide = 0
    fumble_value: FumbleValue | None = 2
    critical_value: CriticalValue = CRITICAL_VALUE

    @property
    def check(self) -> SkillCheck:
        return SkillCheck(self.target_number, self.modifier, self.fumble_value, self.critical_value)


class CheckOdds(Outcome, frozen=True, kw_only=True):
    p_success: Fraction
    p_critical: Fraction
    p_fumble: Fraction


class SuccessOdds(Outcome, frozen=True, kw_only=True):
    p_success: Fraction


@calls.odds("check", "SG-Q01 SG-Q02 SG-C14")
def check_odds(p: CheckedParams) -> CheckOdds:
    grades = distribution(p.check)
    return CheckOdds(p_success=grades.where(succeeds), p_critical=grades["critical"], p_fumble=grades["fumble"])


class Rerolling(Game, frozen=True, cache_hash=True, kw_only=True):
    """A check under rerolls: the pills and seals that are left, and the last roll."""

    check: SkillCheck
    pills: int = 0
    seals: int = 0
    grade: Grade | None = None


class RollsAgain(Step, Struct, frozen=True, cache_hash=True, tag="rolls_again"):
    """A roll; every success meets a Prayer Seal, every failure a Soma Pill, while there are any (SG-G03, SG-G04)."""

    def run(self, play: Play[Rerolling]) -> None:
        game = change(play.game, grade=play.check(play.game.check, "skill_check"))
        seal, pill = succeeds(str(game.grade)) and game.seals > 0, not succeeds(str(game.grade)) and game.pills > 0
        play.game = change(game, seals=game.seals - seal, pills=game.pills - pill)
        if seal or pill:
            play.then(self)


def _with_gear(check: SkillCheck, pills: int, seals: int) -> SuccessOdds:
    ends = settle(Rerolling(check=check, pills=pills, seals=seals, agenda=(RollsAgain(),)))
    return SuccessOdds(p_success=ends.where(lambda game: succeeds(str(game.grade))))


class SomaParams(CheckedParams, frozen=True, cache_hash=True, kw_only=True, forbid_unknown_fields=True):
    soma_pills: Pieces = 1


@calls.odds("check_with_soma", "SG-Q03 SG-R03")
def soma_odds(p: SomaParams) -> SuccessOdds:
    return _with_gear(p.check, p.soma_pills, 0)


class SealParams(CheckedParams, frozen=True, cache_hash=True, kw_only=True, forbid_unknown_fields=True):
    prayer_seals: Pieces = 1
    soma_pills: Pieces = 0


@calls.odds("check_against_seals", "SG-Q04 SG-R03")
def seal_odds(p: SealParams) -> SuccessOdds:
    return _with_gear(p.check, p.soma_pills, p.prayer_seals)


def survives(roll: Reading) -> bool:
    """A success that stays one whichever die Dark Interference turns into a 1 (SG-R04)."""
    return succeeds(roll.now) and succeeds(roll.first) and succeeds(roll.second)


@calls.odds("check_against_dark_interference", "SG-Q05 SG-R04 SG-O16")
def interference_odds(p: CheckedParams) -> SuccessOdds:
    return SuccessOdds(p_success=distribution(Interfered(p.check)).where(survives))


class BrokenOdds(Outcome, frozen=True, kw_only=True):
    p_broken: Fraction


@calls.odds("break_against_interference", "SG-Q09 SG-O33")
def break_odds(p: CheckedParams) -> BrokenOdds:
    return BrokenOdds(p_broken=distribution(Interfered(p.check)).where(survives))


class SkillOption(CheckedParams, frozen=True, cache_hash=True, kw_only=True, forbid_unknown_fields=True):
    id: Id


class BestParams(Struct, frozen=True, cache_hash=True, kw_only=True, forbid_unknown_fields=True):
    options: Annotated[tuple[SkillOption, ...], Meta(min_length=1, max_length=100)]


class BestOdds(Outcome, frozen=True, kw_only=True):
    """The first of the best, and every option's chance."""

    best: Id
    p_success: Map[str, Fraction]


@calls.odds("best_skill", "SG-Q06")
def best_skill(p: BestParams) -> BestOdds:
    chances = {option.id: p_success(option.check) for option in p.options}
    return BestOdds(best=max(chances, key=lambda option: chances[option]), p_success=Map(chances))


class ExchangeParams(Struct, frozen=True, cache_hash=True, kw_only=True, forbid_unknown_fields=True):
    """An attack and the Dodge against it; `critical_value` is the attack's."""

    attack_target_number: Count | None
    dodge_target_number: Count | None
    attacker_plot: Plot
    defender_plot: Plot
    battlefield: Battlefield = "level_ground"
    critical_value: CriticalValue = CRITICAL_VALUE


class ExchangeOdds(Outcome, frozen=True, kw_only=True):
    p_hit: Fraction
    p_attacker_backlash: Fraction
    p_defender_backlash: Fraction
    p_hit_critical: Fraction


@calls.odds("attack_exchange", "SG-Q07 SG-W32 SG-W33 SG-W05 SG-C10")
def exchange_odds(p: ExchangeParams) -> ExchangeOdds:
    water = int(BATTLEFIELDS[p.battlefield].facts.get("dodge_modifier", 0))  # SG-W05
    attack = _in_battle(p.attack_target_number, 0, p.attacker_plot, p.battlefield, p.critical_value)
    dodge = _in_battle(p.dodge_target_number, water, p.defender_plot, p.battlefield, CRITICAL_VALUE)

    def exchange(play: Play[Any]) -> tuple[str, str]:
        grade = play.check(attack, "attack")
        return grade, (play.check(dodge, "dodge") if succeeds(grade) else "none")  # SG-W32: a miss needs no Dodge

    grades = follow(exchange)
    return ExchangeOdds(
        p_hit=grades.where(lambda pair: succeeds(pair[0]) and not succeeds(pair[1])),
        p_attacker_backlash=grades.where(lambda pair: pair[0] == "fumble"),
        p_defender_backlash=grades.where(lambda pair: pair[1] == "fumble"),
        p_hit_critical=grades.where(lambda pair: pair[0] == "critical" and not succeeds(pair[1])),
    )


def _in_battle(needed: int | None, modifier: int, plot: int, field: Battlefield, critical_value: int) -> SkillCheck:
    return SkillCheck(needed, modifier, fumble_value("combat", plot, battlefield=field), critical_value)


class Breaker(Struct, frozen=True, cache_hash=True, kw_only=True, forbid_unknown_fields=True):
    target_number: Count | None
    fumble_value: FumbleValue | None = 2


class SurvivesParams(Struct, frozen=True, cache_hash=True, kw_only=True, forbid_unknown_fields=True):
    breakers: Annotated[tuple[Breaker, ...], Meta(max_length=64)]


class SurvivesOdds(Outcome, frozen=True, kw_only=True):
    p_survives: Fraction


class Tries(Game, frozen=True, cache_hash=True, kw_only=True):
    """Attempts one after another until one succeeds."""

    done: bool = False


class Attempt(Step, Struct, frozen=True, cache_hash=True, tag="attempt"):
    """One attempt; the first success ends them (SG-O33)."""

    check: SkillCheck

    def run(self, play: Play[Tries]) -> None:
        if succeeds(play.check(self.check, "attempt")):
            play.drop()
            play.game = change(play.game, done=True)


def _any_succeeds(*checks: SkillCheck) -> Fraction:
    return settle(Tries(agenda=tuple(Attempt(one) for one in checks))).where(lambda game: game.done)


@calls.odds("ohgi_survives", "SG-Q08 SG-O33")
def survival_odds(p: SurvivesParams) -> SurvivesOdds:
    checks = (SkillCheck(one.target_number, 0, one.fumble_value) for one in p.breakers)
    return SurvivesOdds(p_survives=1 - _any_succeeds(*checks))


class FumbleParams(Struct, frozen=True, cache_hash=True, kw_only=True, forbid_unknown_fields=True):
    plot: Plot
    battlefield: Battlefield = "level_ground"


class FumbleOdds(Outcome, frozen=True, kw_only=True):
    p_fumble: Fraction


@calls.odds("fumble_by_plot", "SG-Q13 SG-C10 SG-C11")
def fumble_odds(p: FumbleParams) -> FumbleOdds:
    check = _in_battle(None, 0, p.plot, p.battlefield, CRITICAL_VALUE)
    return FumbleOdds(p_fumble=distribution(check)["fumble"])


class RandomSkillParams(Struct, frozen=True, cache_hash=True, kw_only=True, forbid_unknown_fields=True):
    character: Character
    modifier: Wide = 0
    fumble_value: FumbleValue | None = 2
    critical_value: CriticalValue = CRITICAL_VALUE


@calls.odds("random_skill_check", "SG-Q15 SG-M13")
def random_skill_odds(p: RandomSkillParams) -> SuccessOdds:
    """A random skill, then a check with it, as for a Special Incursion (SG-U02)."""

    def procedure(play: Play[Any]) -> bool:
        needed = target_number(p.character, random_skill(play)).value
        return succeeds(play.check(SkillCheck(needed, p.modifier, p.fumble_value, p.critical_value), "skill_check"))

    return SuccessOdds(p_success=follow(procedure)[True])


class GoneParams(CheckedParams, frozen=True, cache_hash=True, kw_only=True, forbid_unknown_fields=True):
    cycles: Annotated[int, Meta(ge=1, le=1_000_000)]


class GoneOdds(Outcome, frozen=True, kw_only=True):
    p_gone: Fraction


@calls.odds("ailment_gone", "SG-Q16 SG-P11")
def gone_odds(p: GoneParams) -> GoneOdds:
    """One check at the end of each Cycle. Raises `OddsTooLarge` beyond 1,000 Cycles."""
    if p.cycles > MOST_CYCLES:
        raise OddsTooLarge("cycles", p.cycles, MOST_CYCLES)
    return GoneOdds(p_gone=_any_succeeds(*(p.check,) * p.cycles))
