"""One attack check: pool, difficulty, styles, criticals (9.1, 9.2, 8.5); the checks `melee` and `ranged`."""

from __future__ import annotations

from typing import Any

from msgspec import UNSET, Struct, UnsetType

from systems.core.calls import Outcome, Report, Verdict
from systems.core.checks import Fold
from systems.core.dice import Pool
from systems.core.errors import Illegal
from systems.core.play import Play, Throw
from systems.core.tables import load_tables
from systems.core.text import Because, Term, because
from systems.ninja_slayer.dice import Counting, Eyes, Memory, counted_in, eyes, refuse_long_eyes, thrown
from systems.ninja_slayer.difficulty import NORMAL, level_of, word_of
from systems.ninja_slayer.evasion import evasion_modifiers
from systems.ninja_slayer.explain import (
    Lines,
    Modifier,
    difficulty_lines,
    evasion_lines,
    modified,
    modifiers,
    pool_line,
)
from systems.ninja_slayer.names import calls
from systems.ninja_slayer.sheet import Character
from systems.ninja_slayer.words import Atmosphere, Damage, DamageType, Difficulty, PatternText, Steps, StyleId

AUTO_SUCCESSES = 1  # of a hit without a throw (NS-C18, NS-RUL57)
FOCUS_STEPS, CARTWHEEL_STEPS, SUDDEN_STEPS, ADRENALINE_STEPS = -1, 1, 1, -1  # NS-T13, NS-G17, NS-A10, NS-N03
SATSUBATSU, NAMU = "6,6", "6,6,6"  # NS-A04
SIX = eyes("6")

_STYLES = load_tables("systems.ninja_slayer")["styles"]


class Style(Struct, frozen=True, cache_hash=True):
    """A combat style as far as it touches the attack (NS-G13, NS-G23, NS-G24)."""

    id: str = ""
    pool: str = ""  # the ability it rolls, if not the usual one
    steps: int = 0
    heavy_blow: int = 0
    cap: int | None = None
    satsubatsu: str = SATSUBATSU
    namu: str = NAMU
    no_heavy_blow: bool = False


def style_of(id: StyleId | None, kind: str) -> Style:
    """A combat style serves melee only; a movement style is none (NS-T18, NS-T19).

    Raises `Illegal` `style_type_mismatch`.
    """
    if id is None:
        return Style()
    facts = _STYLES[id].facts
    if facts["type"] != "combat" or kind != "melee":
        raise Illegal("style_type_mismatch", "NS-T19", style=Term("style", id))
    return Style(
        id,
        facts.get("pool", ""),
        facts.get("difficulty_mod", 0),
        facts.get("heavy_blow", 0),
        facts.get("multi_attack_cap"),
        facts.get("satsubatsu", SATSUBATSU),
        facts.get("namu", NAMU),
        facts.get("no_heavy_blow", False),
    )


def style_steps(style: Style) -> tuple[Modifier, ...]:
    return modifiers((style.steps,), Term("style", style.id), "NS-G23") if style.steps else ()


class Critical(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Designations other than the usual ones; an ability that changes one leaves the other (NS-S05)."""

    satsubatsu: PatternText | UnsetType = UNSET
    namu: PatternText | UnsetType = UNSET


class Criticals(Struct, frozen=True, cache_hash=True):
    """What makes a successful check a satsubatsu, and a namu besides."""

    satsubatsu: Eyes
    namu: Eyes


def criticals(style: Style, given: Critical | UnsetType = UNSET) -> Criticals:
    """Those of the style (NS-G24), unless an ability names others. Raises `Illegal` `invalid_pattern`."""
    own = Critical() if given is UNSET else given
    return Criticals(eyes(_or(own.satsubatsu, style.satsubatsu)), eyes(_or(own.namu, style.namu)))


def _or(value: str | UnsetType, otherwise: str) -> str:
    return otherwise if value is UNSET else value


class Struck(Struct, frozen=True, cache_hash=True):
    """How an attack check ended: successes up to a cap, and the critical it is ("", satsubatsu or namu)."""

    successes: int
    critical: str = ""
    six: bool = False

    @property
    def hit(self) -> bool:
        return self.successes > 0

    @property
    def grade(self) -> str:
        return self.critical or ("hit" if self.hit else "miss")


Hits = tuple[int, tuple[Memory, ...]]


class Striking(Fold[Hits, Struck], Struct, frozen=True, cache_hash=True):
    """One attack check. `special` is None where there can be no satsubatsu (NS-S01); then there is no namu (NS-S04).

    Successes are told apart up to `cap`; `watch_six` tells whether the check contains a 6.
    """

    dice: int
    level: int = NORMAL
    special: Criticals | None = None
    cap: int = 1
    watch_six: bool = False

    @property
    def pool(self) -> Pool:
        return Pool(self.dice)

    @property
    def counting(self) -> Counting:
        special = (self.special.satsubatsu, self.special.namu) if self.special else ()
        return Counting(self.dice, self.level, self.cap, special + ((SIX,) if self.watch_six else ()))

    def start(self) -> Hits:
        return self.counting.start()

    def add(self, memory: Hits, face: int) -> Hits:
        return self.counting.add(memory, face)

    def outcome(self, memory: Hits) -> Struck:
        counted = self.counting.outcome(memory)
        six = self.watch_six and counted.eyes[-1]
        if not self.special or not counted.eyes[0]:
            return Struck(counted.successes, "", six)
        return Struck(counted.successes, "namu" if counted.eyes[1] else "satsubatsu", six)


class AttackParams(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An attack on a target and the circumstances that a game would know by itself."""

    attacker: Character
    target: Character
    style: StyleId | None = None
    mods: Steps = ()
    critical: Critical | UnsetType = UNSET
    base_damage: Damage = 1
    visible: bool = True
    focus: bool = False
    cartwheeled: bool = False
    adrenaline_attack: bool = False
    atmosphere: Atmosphere = "normal"

    def steps(self, style: Style) -> tuple[Modifier, ...]:
        """All standing modifiers; they add up (NS-A05, NS-RUL37)."""
        steps = modifiers((FOCUS_STEPS,), Term("condition", "focus"), "NS-T13") if self.focus else ()
        if self.cartwheeled:
            steps += modifiers((CARTWHEEL_STEPS,), Term("condition", "cartwheeled"), "NS-G17")
        if self.adrenaline_attack:
            steps += modifiers((ADRENALINE_STEPS,), Term("condition", "adrenaline_attack"), "NS-N03")
        return steps + style_steps(style) + modifiers(self.mods)


class MeleeParams(AttackParams, frozen=True, kw_only=True, forbid_unknown_fields=True):
    adjacent: bool = True


class RangedParams(AttackParams, frozen=True, kw_only=True, forbid_unknown_fields=True):
    adjacent: bool = False
    sudden_shuriken: bool = False
    type: DamageType = "shuriken"
    weapon_evasion: Difficulty = "NORMAL"

    def steps(self, style: Style) -> tuple[Modifier, ...]:
        steps = super().steps(style)
        if self.sudden_shuriken:
            steps += modifiers((SUDDEN_STEPS,), Term("general", "sudden_shuriken"), "NS-A10")
        return steps


class AttackOutcome(Outcome, frozen=True, kw_only=True):
    """`evasion_difficulty` is that of the hit as it came out, `evadable` whether anybody may try."""

    difficulty: str
    successes: int
    hit: bool
    auto: bool
    satsubatsu: bool
    namu: bool
    base_damage: int
    evasion_difficulty: str
    evadable: bool


class _Plan(Struct, frozen=True):
    """One attack, made ready for the throw."""

    dice: int
    steps: tuple[Modifier, ...]
    special: Criticals | None
    type: DamageType
    weapon_evasion: int

    @property
    def level(self) -> int:
        return modified(NORMAL, self.steps)


def attack_pool(attacker: Character, type: DamageType, style: Style) -> int:
    """Karate for melee (NS-A02), Wazamae for shooting of any kind (NS-A07), or what the style rolls; `pool` replaces
    them all. Never below 0 (NS-C09)."""
    if attacker.pool is not UNSET:
        return max(0, attacker.pool)
    if style.pool:
        return attacker.ability(style.pool)
    return attacker.ability("karate" if type == "melee" else "wazamae")


def _melee_plan(p: MeleeParams) -> _Plan:
    """Refuses, or makes ready (NS-A01, NS-A02)."""
    _refuse_actor(p.attacker)
    if not p.adjacent or p.target.gone:
        raise Illegal("not_adjacent", "NS-A01")
    style = style_of(p.style, "melee")
    special = criticals(style, p.critical) if p.attacker.ninja else None
    return _Plan(attack_pool(p.attacker, "melee", style), p.steps(style), special, "melee", NORMAL)


def _ranged_plan(p: RangedParams) -> _Plan:
    """Refuses, or makes ready (NS-A06, NS-A07, NS-A10); no critical unless one is given (NS-A08)."""
    _refuse_actor(p.attacker)
    if p.adjacent:
        raise Illegal("adjacent_target_not_shootable", "NS-A06")
    if not p.visible or p.target.gone:
        raise Illegal("no_line_of_sight", "NS-A06")
    if p.sudden_shuriken and p.style:
        raise Illegal("style_not_allowed_with_sudden_shuriken", "NS-A10", style=Term("style", p.style))
    style = style_of(p.style, "ranged")
    special = criticals(style, p.critical) if p.attacker.ninja and p.critical is not UNSET else None
    evasion = level_of(p.weapon_evasion)
    return _Plan(attack_pool(p.attacker, p.type, style), p.steps(style), special, p.type, evasion)


def _refuse_actor(attacker: Character) -> None:
    if not attacker.able:
        raise Illegal("unconscious_cannot_act", "NS-H12", state=Term("state", attacker.condition))


def _plan(p: MeleeParams | RangedParams) -> _Plan:
    return _melee_plan(p) if isinstance(p, MeleeParams) else _ranged_plan(p)


def _attack(play: Play[Any], p: MeleeParams | RangedParams) -> Verdict:
    plan = _plan(p)
    if p.target.condition == "unconscious":
        return Verdict("auto", True)
    struck = play.check(Striking(plan.dice, plan.level, plan.special), "attack")
    return Verdict(struck.grade, struck.hit)


def _report(p: MeleeParams | RangedParams, verdict: Verdict, throws: tuple[Throw, ...]) -> Report:
    plan, hit, auto = _plan(p), bool(verdict.success), verdict.grade == "auto"
    namu = verdict.grade == "namu"
    evasion = evasion_modifiers(plan.type, namu, p.atmosphere, p.attacker.kind, p.target.evasion_mods or ())
    successes = AUTO_SUCCESSES if auto else counted_in(throws, "attack", plan.level)
    outcome = AttackOutcome(
        difficulty=word_of(plan.level),
        successes=successes,
        hit=hit,
        auto=auto,
        satsubatsu=verdict.grade in ("satsubatsu", "namu"),
        namu=namu,
        base_damage=p.base_damage,
        evasion_difficulty=word_of(modified(plan.weapon_evasion, evasion)),
        evadable=hit and not auto and not p.target.mob,
    )
    if auto:
        return Report(outcome, (because("NS-A20", "auto_hit"),))
    throw = thrown(throws, "attack")
    counted = pool_line(successes, throw.pool.count if throw else 0, plan.level)
    lines: Lines = (*difficulty_lines(NORMAL, plan.steps), counted, _grade_line(verdict.grade))
    return Report(outcome, (*lines, *(evasion_lines(plan.weapon_evasion, evasion) if hit else ())))


def _grade_line(grade: str | None) -> Because:
    assert grade is not None
    rule = {"miss": "NS-C01", "hit": "NS-A03", "satsubatsu": "NS-A04", "namu": "NS-S03"}[grade]
    return because(rule, f"attack_{grade}")


@calls.check(
    "melee",
    rules="NS-A01 NS-A02 NS-A03 NS-A04 NS-A05 NS-A20 NS-S01 NS-S02 NS-S03 NS-S04 NS-S05 NS-G23 NS-G24",
    grades="miss hit satsubatsu namu auto",
    report=_report,
    outcome=AttackOutcome,
)
def melee(play: Play[Any], p: MeleeParams) -> Verdict:
    """A blow against a neighbour (NS-A01). Spare successes add no damage (NS-A03); the unconscious are hit without a
    throw, so without a critical (NS-A20, NS-RUL29)."""
    return _attack(play, p)


@calls.check(
    "ranged",
    rules="NS-A06 NS-A07 NS-A08 NS-A09 NS-A10 NS-A20 NS-M18 NS-M21",
    grades="miss hit satsubatsu namu auto",
    report=_report,
    outcome=AttackOutcome,
)
def ranged(play: Play[Any], p: RangedParams) -> Verdict:
    """A shot at somebody visible who does not stand beside (NS-A06). Every ninja has shuriken at hand: damage 1, NORMAL
    both ways (NS-A09, NS-M18); with another weapon drawn the throw is one step harder (NS-A10)."""
    return _attack(play, p)


def _limit(p: MeleeParams | RangedParams) -> None:
    plan = _plan(p)
    if plan.special:
        refuse_long_eyes(plan.dice, plan.special.satsubatsu, plan.special.namu)


melee.limit_odds(_limit)
ranged.limit_odds(_limit)
