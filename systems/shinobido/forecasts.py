"""Questions about fights and plans: how many attacks, who wins a duel, how to spend Focus, what a pip is worth."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Annotated, Literal

from msgspec import Meta, Struct

from systems.core import solve
from systems.core.calls import Outcome
from systems.core.errors import OddsTooLarge
from systems.core.game import change
from systems.core.odds import Distribution
from systems.core.values import Map
from systems.shinobido.blows import FocusAttackQuestion, targeting
from systems.shinobido.names import calls
from systems.shinobido.odds import focus_attack
from systems.shinobido.parts import MOST_CONCENTRATION, Act, Penalty
from systems.shinobido.policies import following
from systems.shinobido.scene_call import acting
from systems.shinobido.sheet import Art, Sheet, settled
from systems.shinobido.state import Scene
from systems.shinobido.strikes import LEAST_DAMAGE, MOST_DAMAGE, Strike
from systems.shinobido.switches import Switches

A, B = "a", "b"
MOST_WITHIN = 100  # attacks looked ahead
MOST_WOUNDS_LEFT = 15  # a chain has a state for every number of wounds

FightPolicy = Literal["attack_every_turn"]
Within = Annotated[tuple[Annotated[int, Meta(ge=0, le=MOST_WITHIN)], ...], Meta(max_length=20)]


@lru_cache(maxsize=4096)
def after_attack(attacker: Sheet, target: Sheet, switches: Switches) -> Distribution[Sheet]:
    """The target after one basic attack by the policy `attack_every_turn`, which neither surges nor rerolls."""
    strike = Strike(who=A, target=B, act=Act(tags=("melee",)))
    scene = Scene((strike,), Map({A: attacker, B: target}), switches, rerolls=False)
    ends = solve.settle(scene, following(a="attack_every_turn", b="attack_every_turn"))
    return ends.by(lambda end: end.cast[B])


def refuse_long(*fighters: Sheet) -> None:
    """Raises `OddsTooLarge` for those who can take very many wounds, as a grunt with a Health of its own may."""
    for one in fighters:
        if (left := one.health - one.wounds) > MOST_WOUNDS_LEFT:
            raise OddsTooLarge("wounds", left, MOST_WOUNDS_LEFT)


class AttacksParams(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, cache_hash=True):
    """The target does not act, the attacker stays as its sheet says."""

    actor: Sheet
    target: Sheet
    policy: FightPolicy = "attack_every_turn"
    within: Within = (3, 6)
    options: Switches = Switches()


class AttacksOutcome(Outcome, frozen=True, kw_only=True):
    """`expected_attacks` is null if the target may stand for ever."""

    expected_attacks: Fraction | None
    p_down_within: Map[int, Fraction]


@calls.odds("attacks_to_down", "SD-Q11")
def attacks_to_down(p: AttacksParams) -> AttacksOutcome:
    """How many attacks until the target drops: a chain over its wounds."""
    actor, target = settled(p.actor), settled(p.target)
    acting(actor)
    targeting(actor, target)
    refuse_long(target)
    expected = expected_moves(target, lambda one: after_attack(actor, one, p.options).weights, _is_out)
    return AttacksOutcome(expected_attacks=expected, p_down_within=Map(_within(actor, target, p)))


def _is_out(sheet: Sheet) -> bool:
    return sheet.status != "standing"


def expected_moves(
    start: Sheet, following: Callable[[Sheet], Mapping[Sheet, Fraction]], ends: Callable[[Sheet], bool]
) -> Fraction | None:
    try:
        return solve.absorb(start, following, ends)[1]
    except ValueError:
        return None


def _within(actor: Sheet, target: Sheet, p: AttacksParams) -> dict[int, Fraction]:
    now = Distribution({target: Fraction(1)})
    found: dict[int, Fraction] = {}
    for attacks in range(max(p.within, default=0) + 1):
        found[attacks] = now.where(_is_out)
        after: dict[Sheet, Fraction] = {}
        for sheet, share in now:
            onward = {sheet: Fraction(1)} if _is_out(sheet) else after_attack(actor, sheet, p.options).weights
            for reached, chance in onward.items():
                after[reached] = after.get(reached, Fraction(0)) + share * chance
        now = Distribution(after)
    return {attacks: found[attacks] for attacks in p.within}


class Duel(Struct, frozen=True, cache_hash=True):
    """Two who attack by turns: whose turn it is, and how both stand."""

    a: Sheet
    b: Sheet
    turn: Literal["a", "b"]


class DuelParams(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, cache_hash=True):
    a: Sheet
    b: Sheet
    first: Literal["a", "b"] = "a"
    policy: FightPolicy = "attack_every_turn"
    options: Switches = Switches()


class DuelOutcome(Outcome, frozen=True, kw_only=True):
    """Turns of both together. Both are null if the duel may never end."""

    p_a_wins: Fraction | None
    expected_turns: Fraction | None


@calls.odds("duel", "SD-Q12")
def duel(p: DuelParams) -> DuelOutcome:
    """Basic attacks by turns until one drops: a chain over the wounds of both, exact."""
    a, b = settled(p.a), settled(p.b)
    acting(a)
    acting(b)
    refuse_long(a, b)
    try:
        ends, turns = solve.absorb(turn_of(p.first, a, b), lambda one: _turn(one, p.options), lambda one: one in _WON)
    except ValueError:
        return DuelOutcome(p_a_wins=None, expected_turns=None)
    return DuelOutcome(p_a_wins=ends[_WON[0]], expected_turns=turns)


_NOBODY = Sheet(attributes=Map())
_WON = (Duel(_NOBODY, _NOBODY, "a"), Duel(_NOBODY, _NOBODY, "b"))  # a has won, b has won


def turn_of(who: Literal["a", "b"], a: Sheet, b: Sheet) -> Duel:
    """A turn begins: a guard ends, one who is surprised loses it and is so no longer (SD-C02, SD-C30, SD-T06)."""
    mover = a if who == A else b
    if not (mover.guarding or mover.surprised):
        return Duel(a, b, who)
    ready = change(mover, guarding=False, surprised=False)
    a, b = (ready, b) if who == A else (a, ready)
    if not mover.surprised:
        return Duel(a, b, who)
    return turn_of("b" if who == A else "a", a, b)


def _turn(now: Duel, switches: Switches) -> dict[Duel, Fraction]:
    """One attack by whose turn it is; a duel that is won forgets how."""
    by_a = now.turn == A
    attacked = after_attack(now.a, now.b, switches) if by_a else after_attack(now.b, now.a, switches)
    found: dict[Duel, Fraction] = {}
    for sheet, chance in attacked:
        if _is_out(sheet):
            after = _WON[0] if by_a else _WON[1]
        else:
            after = turn_of("b", now.a, sheet) if by_a else turn_of("a", sheet, now.b)
        found[after] = found.get(after, Fraction(0)) + chance
    return found


class PlanParams(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, cache_hash=True):
    actor: Sheet
    target: Sheet
    art: Art
    penalty: Penalty = 0


class PlanOutcome(Outcome, frozen=True, kw_only=True):
    """Wounds are not cut at Health."""

    damage: int
    concentrate: int
    expected_wounds: Fraction


@calls.odds("focus_plan", "SD-Q14")
def focus_plan(p: PlanParams) -> PlanOutcome:
    """The split of the pool with most expected wounds; on ties less Focus, then less Concentrate.

    Raises `Illegal` as the check `focus_attack` does, focus_insufficient without any Focus.
    """
    pool = settled(p.actor).pool
    plans = [
        _plan(p, damage, concentrate)
        for damage in range(LEAST_DAMAGE, MOST_DAMAGE + 1)
        for concentrate in range(MOST_CONCENTRATION + 1)
        if damage + concentrate <= max(pool, LEAST_DAMAGE)
    ]
    return min(plans, key=lambda one: (-one.expected_wounds, one.damage + one.concentrate, one.concentrate))


def _plan(p: PlanParams, damage: int, concentrate: int) -> PlanOutcome:
    asked = FocusAttackQuestion(
        actor=p.actor, target=p.target, art=p.art, penalty=p.penalty, damage=damage, concentrate=concentrate
    )
    expected = focus_attack(asked).expected_wounds
    return PlanOutcome(damage=damage, concentrate=concentrate, expected_wounds=expected)
