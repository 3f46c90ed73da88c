"""Evading: its difficulty, what may be committed, and the check itself (section 10)."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta, Struct

from systems.core.calls import Outcome, Report, Verdict
from systems.core.errors import Illegal
from systems.core.play import Play, Throw
from systems.core.text import Term, because
from systems.ninja_slayer.dice import ALL_SUCCESSES, Evading, Evasion, counted_in
from systems.ninja_slayer.difficulty import level_of, word_of
from systems.ninja_slayer.explain import Modifier, difficulty_lines, modified, modifiers, pool_line
from systems.ninja_slayer.names import calls
from systems.ninja_slayer.words import (
    Atmosphere,
    Category,
    Condition,
    Count,
    DamageType,
    Dice,
    Difficulty,
    PoolSize,
    Steps,
)

NAMU_STEPS = 1  # NS-S03
CARTWHEEL_STEPS = -1  # NS-G16
ADRENALINE_STEPS = -1  # NS-N04
_AIR: dict[tuple[Atmosphere, DamageType], int] = {
    ("hard", "melee"): 1,  # NS-O04
    ("ultra_hard", "melee"): 2,  # NS-O05
    ("ultra_hard", "shuriken"): 1,
    ("ultra_hard", "jutsu"): 1,
}
_OWN = Term("modifier", "own")


def air(type: DamageType, atmosphere: Atmosphere, source: Category) -> tuple[Modifier, ...]:
    """Steps of the atmosphere. It leaves mobs and surroundings alone (NS-O06), and guns (NS-O07, NS-RUL43)."""
    steps = 0 if source == "mob" else _AIR.get((atmosphere, type), 0)
    rule = "NS-O04" if atmosphere == "hard" else "NS-O05"
    return modifiers((steps,), Term("atmosphere", atmosphere), rule) if steps else ()


def evasion_modifiers(
    type: DamageType,
    namu: bool,
    atmosphere: Atmosphere,
    source: Category,
    own: tuple[int, ...],
    cartwheeled: bool = False,
    adrenaline: bool = False,
) -> tuple[Modifier, ...]:
    """Everything that moves an evasion check along the ladder, to be added and then clamped (NS-E09)."""
    steps = modifiers((NAMU_STEPS,), Term("general", "namu"), "NS-S03") if namu else ()
    steps += air(type, atmosphere, source)
    if cartwheeled:
        steps += modifiers((CARTWHEEL_STEPS,), Term("condition", "cartwheeled"), "NS-G16")
    if adrenaline:
        steps += modifiers((ADRENALINE_STEPS,), Term("condition", "adrenaline_evade"), "NS-N04")
    return steps + modifiers(own, _OWN, "NS-E09")


class EvasionDifficultyParams(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """NORMAL unless the weapon or effect says otherwise (NS-E02, NS-M21)."""

    type: DamageType = "melee"
    base: Difficulty = "NORMAL"
    namu: bool = False
    source_category: Category = "ninja"
    defender_mods: Steps = ()
    atmosphere: Atmosphere = "normal"
    defender_cartwheeled: bool = False
    adrenaline_evade: bool = False


class EvasionDifficulty(Outcome, frozen=True, kw_only=True):
    difficulty: str


@calls.query("evasion_difficulty", "NS-E02 NS-E09 NS-M21 NS-S02 NS-S03 NS-N04 NS-O04 NS-O05 NS-O06 NS-O07 NS-W14")
def evasion_difficulty(p: EvasionDifficultyParams) -> EvasionDifficulty:
    """Base, namu, atmosphere and the defender's states together (NS-E09); the reaper's own -1 (NS-W14) is one of
    `defender_mods`."""
    given = evasion_modifiers(
        p.type,
        p.namu,
        p.atmosphere,
        p.source_category,
        p.defender_mods,
        p.defender_cartwheeled,
        p.adrenaline_evade,
    )
    return EvasionDifficulty(difficulty=word_of(modified(level_of(p.base), given)))


class EvadeParams(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is evaded, by whom, and the dice committed before the throw (NS-E03)."""

    evasion_now: PoolSize = 0
    emergency_now: Dice = 0
    use_evasion: Dice = 0
    use_emergency: Dice = 0
    difficulty: Difficulty = "NORMAL"
    attack_type: DamageType = "melee"
    attack_successes: Count = 0
    bundle: Annotated[int, Meta(ge=1, le=100)] = 1
    time_lag: bool = False
    defender_category: Category = "ninja"
    state: Condition = "ok"

    @property
    def dice(self) -> int:
        return self.use_evasion + self.use_emergency

    @property
    def may_counter(self) -> bool:
        """Ninja answer melee only (NS-K01)."""
        return self.defender_category == "ninja" and self.attack_type == "melee"

    def refusal(self) -> Illegal | None:
        """Why this evasion is not legal; nothing is thrown then."""
        if self.defender_category == "mob":
            return Illegal("mob_cannot_evade", "NS-E06")
        if self.state != "ok":
            return Illegal("evasion_not_allowed", "NS-E07", state=Term("state", self.state))
        if not self.dice:
            return Illegal("no_evasion_dice_committed", "NS-E03")
        if self.use_evasion > max(0, self.evasion_now):
            return Illegal("insufficient_evasion_dice", "NS-E03", left=max(0, self.evasion_now))
        if self.use_emergency > self.emergency_now:
            return Illegal("insufficient_emergency_dice", "NS-D11", left=self.emergency_now)
        if self.bundle > 1 and self.time_lag:
            return Illegal("bundle_not_allowed_time_lag", "NS-E13")
        if self.bundle > 1 and self.defender_category != "ninja":
            return Illegal("bundle_ninja_only", "NS-E21")
        return None


class EvadeOutcome(Outcome, frozen=True, kw_only=True):
    difficulty: str
    successes: int
    evaded: bool
    counter_available: bool
    evasion_left: int
    emergency_left: int


def evading(play: Play[Any], dice: int, level: int, against: int | None, label: str) -> Evasion:
    """One evasion check; `against` are the successes that a counter must surpass, None where none may follow."""
    return play.check(Evading(dice, level, ALL_SUCCESSES if against is None else against), label)


def _report(p: EvadeParams, verdict: Verdict, throws: tuple[Throw, ...]) -> Report:
    level = level_of(p.difficulty)
    successes = counted_in(throws, "evade", level)
    counter = p.may_counter and successes > max(0, p.attack_successes)
    outcome = EvadeOutcome(
        difficulty=word_of(level),
        successes=successes,
        evaded=bool(verdict.success),
        counter_available=counter,
        evasion_left=p.evasion_now - p.use_evasion,
        emergency_left=p.emergency_now - p.use_emergency,
    )
    lines = [*difficulty_lines(level, ()), pool_line(successes, p.dice, level)]
    lines.append(because("NS-E04" if outcome.evaded else "NS-E05", "evaded" if outcome.evaded else "not_evaded"))
    lines.append(because("NS-D15", "dice_spent", evasion=p.use_evasion, emergency=p.use_emergency))
    if outcome.evaded:
        key = "counter_open" if counter else "counter_closed"
        lines.append(because("NS-K01", key, own=successes, attack=p.attack_successes))
    return Report(outcome, tuple(lines))


@calls.check(
    "evade",
    rules="NS-E01 NS-E03 NS-E04 NS-E05 NS-E06 NS-E07 NS-E12 NS-E13 NS-E21 NS-D11 NS-D12 NS-D15 NS-D16 NS-K01",
    grades="success failure",
    report=_report,
    outcome=EvadeOutcome,
)
def evade(play: Play[Any], p: EvadeParams) -> Verdict:
    """One attempt against one damage (NS-E01); one success cancels it, a whole bundle included (NS-E04, NS-E12).

    Emergency dice work beside an empty or negative pool (NS-D11, NS-D12, NS-D16).
    """
    level = level_of(p.difficulty)
    if refusal := p.refusal():
        raise refusal
    evaded = evading(play, p.dice, level, None, "evade") != "failed"
    return Verdict("success" if evaded else "failure", evaded)
