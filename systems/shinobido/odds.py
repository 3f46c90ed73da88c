"""Questions about one roll or one blow, answered in exact fractions by the rules themselves (section 25)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Literal

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import asdict

from systems.core import calls as named
from systems.core import solve
from systems.core.calls import CheckCall, Outcome, Verdict
from systems.core.errors import Illegal, OddsTooLarge
from systems.core.game import Step, change
from systems.core.odds import BranchingChance, Distribution, branches, distribution
from systems.core.play import AssumedAnswers, Play
from systems.core.values import Map
from systems.shinobido import edges
from systems.shinobido.blows import (
    AttackByName,
    AttackParams,
    AttackQuestion,
    FocusAttackByName,
    FocusAttackParams,
    FocusAttackQuestion,
)
from systems.shinobido.checks import ContestParams
from systems.shinobido.deeds_by_name import SurgeByName, SurgeParams
from systems.shinobido.events import ResultKept
from systems.shinobido.names import calls
from systems.shinobido.parts import AWARDS
from systems.shinobido.policies import following
from systems.shinobido.rolling import roll
from systems.shinobido.rolls import CERTAIN_FROM, IMPOSSIBLE_TO, Part, Roll
from systems.shinobido.scene_call import ACTOR, TARGET
from systems.shinobido.sheet import Sheet, settled
from systems.shinobido.state import Blow, Scene
from systems.shinobido.strikes import GUARD
from systems.shinobido.switches import Switches
from systems.shinobido.turns import InitiativeParams, in_order, ready, rollers
from systems.shinobido.vocabulary import LEAST_RATING, MOST_RATING, Rating, Whole
from systems.shinobido.wounding import surge_roll

MOST_DEGREES = 1_000


def plain_roll(
    modifier: int, reading: Literal["success", "degree", "wounds", "total"] = "success"
) -> Distribution[int]:
    """A roll whose modifier is given outright."""
    return distribution(Roll("check", (Part("modifier", modifier, "SD-R04"),), reading))


def chance(modifier: int) -> Fraction:
    """The chance of a total above 0."""
    return plain_roll(modifier)[1]


class Modifier(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, cache_hash=True):
    """All that joins the net."""

    modifier: Whole


class SuccessChance(Outcome, frozen=True, kw_only=True):
    p_success: Fraction
    impossible: bool | UnsetType = UNSET
    certain: bool | UnsetType = UNSET


@calls.odds("success", "SD-Q01 SD-R10")
def success(p: Modifier) -> SuccessChance:
    return SuccessChance(
        p_success=chance(p.modifier),
        impossible=p.modifier <= IMPOSSIBLE_TO or UNSET,
        certain=p.modifier >= CERTAIN_FROM or UNSET,
    )


class Net(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, cache_hash=True):
    net: Whole


class NetChance(Outcome, frozen=True, kw_only=True):
    p_net: Fraction


@calls.odds("net", "SD-Q02")
def net(p: Net) -> NetChance:
    return NetChance(p_net=plain_roll(0, "total")[p.net])


class AwardChances(Outcome, frozen=True, kw_only=True):
    p_by_award: Map[int, Fraction]


@calls.odds("award", "SD-Q03")
def award(p: Modifier) -> AwardChances:
    return AwardChances(
        p_by_award=Map({grade: chance(p.modifier + int(facts["bonus"])) for grade, facts in AWARDS.items()})
    )


class BlowChances(Outcome, frozen=True, kw_only=True):
    """Wounds are not cut at Health. `p_down`: they reach it; `p_out`: also a Last Stand, if one is left, fails."""

    p_hit: Fraction
    p_wound: Fraction
    expected_wounds: Fraction
    wounds: Map[int, Fraction]
    p_down: Fraction
    p_out: Fraction


def blow_chances(call: CheckCall[Any, Any], p: AttackParams | FocusAttackParams) -> BlowChances:
    """The check itself, followed to its end; a Surge is used when offered."""
    ends = solve.settle(call.begin(p))
    wounds = ends.by(lambda scene: _blow(scene).dealt)
    return BlowChances(
        p_hit=ends.where(lambda scene: _blow(scene).hit),
        p_wound=1 - wounds[0],
        expected_wounds=wounds.mean(lambda number: number),
        wounds=Map(wounds.weights),
        p_down=ends.where(lambda scene: _blow(scene).fell),
        p_out=ends.where(lambda scene: _blow(scene).fell and scene.cast[TARGET].status != "standing"),
    )


def _blow(scene: Scene) -> Blow:
    return scene.blow or Blow(hit=False)


@calls.odds("attack", "SD-Q04 SD-Q05")
def attack(p: AttackQuestion) -> BlowChances:
    return blow_chances(AttackByName(), AttackParams(**asdict(p)))


@calls.odds("focus_attack", "SD-Q06")
def focus_attack(p: FocusAttackQuestion) -> BlowChances:
    return blow_chances(FocusAttackByName(), FocusAttackParams(**asdict(p)))


class ContestChances(Outcome, frozen=True, kw_only=True):
    p_a: Fraction
    p_tie: Fraction
    p_b: Fraction


@calls.odds("contest", "SD-Q07")
def contest(p: ContestParams) -> ContestChances:
    found = named.odds(calls.checks["contest"], p)
    return ContestChances(
        p_a=found[Verdict("a_wins", True)], p_tie=found[Verdict("tie")], p_b=found[Verdict("b_wins", False)]
    )


class SurgeChanceParams(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, cache_hash=True):
    """Two ratings, or a sheet; a Second Wind needs the sheet with its wounds."""

    strength: Rating = 0
    tenacity: Rating = 0
    actor: Sheet | None = None
    mode: Literal["last_stand", "second_wind"] = "last_stand"
    options: Switches = Switches()

    @property
    def sheet(self) -> Sheet:
        return self.actor or Sheet(attributes=Map({"strength": self.strength, "tenacity": self.tenacity}))


class SurgeChance(Outcome, frozen=True, kw_only=True):
    modifier: int
    p_success: Fraction


@calls.odds("surge", "SD-Q08")
def surge(p: SurgeChanceParams) -> SurgeChance:
    """Would I stay up? Raises `Illegal` as the check `heroic_surge` does."""
    asked = SurgeParams(actor=p.sheet, mode=p.mode, options=p.options)
    found = named.odds(SurgeByName(), asked)
    modifier = surge_roll(settled(asked.actor), p.mode, p.options).modifier
    return SurgeChance(modifier=modifier, p_success=found[Verdict("success", True)])


class RerollParams(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, cache_hash=True):
    modifier: Whole
    edge: str = "foxs_luck"
    policy: Literal["reroll_higher_red"] = "reroll_higher_red"


class RerollChance(Outcome, frozen=True, kw_only=True):
    p_success: Fraction


class GivenRoll(Step, Struct, frozen=True, cache_hash=True, tag="given_roll"):
    """A roll whose modifier is given outright, by a character who may have an Edge for it."""

    who: str
    modifier: int

    def run(self, play: Play[Scene]) -> None:
        parts = (Part("modifier", self.modifier, "SD-R04"),)
        play.emit(ResultKept(self.who, "check", roll(play, self.who, Roll("check", parts))))


@calls.odds("reroll", "SD-Q09")
def reroll(p: RerollParams) -> RerollChance:
    """What a red-die reroll is worth. Raises `Illegal` unknown_edge, reroll_not_allowed."""
    if p.edge not in edges.EDGES:
        raise Illegal("unknown_edge", "SD-A10")
    if not any(True for _ in edges.effects((p.edge,), "reroll_red")):
        raise Illegal("reroll_not_allowed", "SD-M14")
    lucky = settled(Sheet(attributes=Map(), edges=(p.edge,)))
    scene = Scene((GivenRoll(ACTOR, p.modifier),), Map({ACTOR: lucky}))
    ends = solve.settle(scene, following(**{ACTOR: p.policy}))
    return RerollChance(p_success=ends.where(lambda end: end.result > 0))


class AttackModifier(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, cache_hash=True):
    attack_modifier: Whole


class UnknownDefenseChances(Outcome, frozen=True, kw_only=True):
    p_hit_by_defense: Map[int, Fraction]


@calls.odds("unknown_defense", "SD-Q10 SD-P06")
def unknown_defense(p: AttackModifier) -> UnknownDefenseChances:
    """Against a stranger: one chance for every Defense there can be, never one number (SD-P06)."""
    values = range(LEAST_RATING, MOST_RATING + 1)
    return UnknownDefenseChances(p_hit_by_defense=Map({value: chance(p.attack_modifier - value) for value in values}))


class InitiativeChanceParams(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, cache_hash=True):
    a: Sheet
    b: Sheet
    options: Switches = Switches()


class InitiativeChance(Outcome, frozen=True, kw_only=True):
    p_a_first: Fraction


@calls.odds("initiative", "SD-Q13 SD-C04")
def initiative(p: InitiativeChanceParams) -> InitiativeChance:
    """Ties go to whom the order of play favours."""
    a, b = (sheet if sheet.id else change(sheet, id=id) for id, sheet in (("a", p.a), ("b", p.b)))
    who = rollers(InitiativeParams(combatants=(a, b)))
    scene = Scene(cast=Map(who), switches=p.options, rerolls=False)

    def first(chance: BranchingChance) -> str:
        play = Play(scene, chance, AssumedAnswers(), keep=False)
        return in_order({id: ready(play, id) for id, _ in who}, scene.cast)[0]

    return InitiativeChance(p_a_first=branches(first)[a.id])


class DegreeChances(Outcome, frozen=True, kw_only=True):
    p_degree_at_least: Map[int, Fraction]


@calls.odds("degree", "SD-Q16")
def degree(p: Modifier) -> DegreeChances:
    """From degree 1 to the highest that can be. Raises `OddsTooLarge` beyond a thousand degrees."""
    found = plain_roll(p.modifier, "degree")
    most = max(1, *(reached for reached, _ in found))
    if most > MOST_DEGREES:
        raise OddsTooLarge("degrees", most, MOST_DEGREES)
    at_least = {least: _at_least(found, least) for least in range(1, most + 1)}
    return DegreeChances(p_degree_at_least=Map(at_least))


def _at_least(found: Distribution[int], least: int) -> Fraction:
    return found.where(lambda reached: reached >= least)


class GuardWorth(Outcome, frozen=True, kw_only=True):
    p_hit: Fraction
    p_hit_guarded: Fraction


@calls.odds("guard_worth", "SD-Q17")
def guard_worth(p: AttackModifier) -> GuardWorth:
    return GuardWorth(p_hit=chance(p.attack_modifier), p_hit_guarded=chance(p.attack_modifier - GUARD))
