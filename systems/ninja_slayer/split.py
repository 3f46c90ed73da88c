"""Dividing a pool into several attacks: legality, staggering, and how many there may be (9.3 and section 16)."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from systems.core.calls import Outcome
from systems.core.errors import Illegal
from systems.core.values import Map
from systems.ninja_slayer.names import calls
from systems.ninja_slayer.sheet import Character, auto_skills
from systems.ninja_slayer.words import AttackKind, Dice, Id, Ids, Number, PoolSize

WeaponProperty = Literal["none", "capable", "inherent"]
Plus = Annotated[tuple[Number, ...], Meta(max_length=20)]


class SplitPart(Struct, frozen=True, cache_hash=True, kw_only=True, forbid_unknown_fields=True):
    target: Id
    dice: Dice


class SplitParams(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Targets and dice of every part, named before the throw (NS-A11)."""

    kind: AttackKind
    pool: PoolSize
    max_attacks: Annotated[int, Meta(ge=1, le=1_000_000)]
    parts: Annotated[tuple[SplitPart, ...], Meta(min_length=1, max_length=100)]
    skills: Ids = ()
    weapon_multi: WeaponProperty = "none"
    weapon_time_lag: WeaponProperty = "none"


class SplitOutcome(Outcome, frozen=True, kw_only=True):
    valid: bool
    unused_dice: int
    time_lag: Map[str, bool]


def unused_dice(dice: tuple[int, ...], pool: int, max_attacks: int) -> int:
    """Dice that are not thrown; they may be left over (NS-RUL41).

    Raises `Illegal` for too many parts (NS-A13), an empty part or more dice than the pool (NS-A12).
    """
    if len(dice) > max_attacks:
        raise Illegal("too_many_attacks", "NS-A13", parts=len(dice), allowed=max_attacks)
    if any(part < 1 for part in dice):
        raise Illegal("split_part_empty", "NS-A12")
    if sum(dice) > max(0, pool):
        raise Illegal("split_exceeds_pool", "NS-A12", dice=sum(dice), pool=max(0, pool))
    return max(0, pool) - sum(dice)


@calls.query("split_pool", "NS-A11 NS-A12 NS-A13 NS-A14 NS-A15 NS-A16 NS-X08 NS-X09 NS-X10")
def split_pool(p: SplitParams) -> SplitOutcome:
    """Melee parts may seek different neighbours (NS-A14), shots only with multi-target (NS-A16): inherent in the weapon
    (NS-X09), or by skill with a weapon that can (NS-X08)."""
    targets = tuple(dict.fromkeys(part.target for part in p.parts))
    if p.kind == "ranged" and len(targets) > 1 and not _has(p.weapon_multi, "multi_target" in p.skills):
        raise Illegal("multi_target_not_allowed", "NS-A16")
    unused = unused_dice(tuple(part.dice for part in p.parts), p.pool, p.max_attacks)
    aimed = {target: sum(part.target == target for part in p.parts) for target in targets}
    staggers = staggered(p.kind, p.weapon_time_lag, "time_lag" in p.skills)
    return SplitOutcome(
        valid=True, unused_dice=unused, time_lag=Map({target: n > 1 and staggers for target, n in aimed.items()})
    )


def staggered(kind: AttackKind, weapon: WeaponProperty, skill: bool) -> bool:
    """Several melee parts on one target always are (NS-A15), shots by weapon and skill (NS-X10)."""
    return kind == "melee" or _has(weapon, skill)


def _has(weapon: WeaponProperty, skill: bool) -> bool:
    return weapon == "inherent" or (weapon == "capable" and skill)


Value = Annotated[int, Meta(ge=0, le=1_000)]


class MaxAttacksParams(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`plus` are the +X of the kind of attack, `multi_plus` those of multi-attack beside a borrowed rapid fire."""

    kind: AttackKind
    skill: Value = 1
    plus: Plus = ()
    cap: Value | None = None
    style_fixed: Value | None = None
    gun_rapid: Value | None = None
    use_rapid_for_melee: bool = False
    rapid: Value = 1
    multi_plus: Plus = ()


class MaxAttacks(Outcome, frozen=True, kw_only=True):
    max_attacks: int


@calls.query("max_attacks", "NS-M20 NS-X05 NS-X06 NS-X07 NS-X11")
def max_attacks(p: MaxAttacksParams) -> MaxAttacks:
    """The value of the skill (NS-X05), of the gun (NS-M20, NS-X07), or rapid fire in place of multi-attack (NS-X11),
    plus the highest +X; a fixed style ignores every +X, a cap comes last (NS-X06)."""
    value, plus = p.skill, p.plus
    if p.kind == "melee" and p.use_rapid_for_melee:
        value, plus = p.rapid, p.multi_plus  # NS-RUL61
    elif p.kind == "ranged" and p.gun_rapid is not None:
        value = p.gun_rapid
    value = p.style_fixed if p.style_fixed is not None else value + max(plus, default=0)
    return MaxAttacks(max_attacks=value if p.cap is None else min(value, p.cap))


def attacks_allowed(attacker: Character, kind: AttackKind, cap: int | None = None, by_wazamae: bool = False) -> int:
    """Multi-attack or rapid fire of a character, then the style's cap (NS-G23, NS-X06). A melee style that rolls
    Wazamae may use rapid fire instead (NS-X11)."""
    multi, rapid = _value(attacker, "multi_attack_"), _value(attacker, "rapid_fire_")
    if kind == "ranged":
        return max_attacks(MaxAttacksParams(kind=kind, skill=rapid, cap=cap)).max_attacks
    ways = [MaxAttacksParams(kind=kind, skill=multi, cap=cap)]
    if by_wazamae:
        ways.append(MaxAttacksParams(kind=kind, use_rapid_for_melee=True, rapid=rapid, cap=cap))
    return max(max_attacks(way).max_attacks for way in ways)


def _value(attacker: Character, family: str) -> int:
    """The best of the skills that a character has by itself (NS-X01) or is lent (NS-X04)."""
    gained = auto_skills(*(attacker.originally(name) for name in ("karate", "neuron", "wazamae")))
    levels = [skill.removeprefix(family) for skill in (*gained, *(attacker.skills or ()))]
    return max((int(level) for level in levels if level in _LEVELS), default=1)


_LEVELS = tuple(str(level) for level in range(1, 21))  # of multi-attack and rapid fire
