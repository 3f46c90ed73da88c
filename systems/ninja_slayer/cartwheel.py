"""Continuous cartwheels, the movement style of the core rules (8.3)."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta, Struct

from systems.core.calls import Outcome, Report, Verdict
from systems.core.play import Play, Throw
from systems.core.tables import load_tables
from systems.core.text import because
from systems.ninja_slayer.dice import Counting, counted_in, eyes
from systems.ninja_slayer.difficulty import level_of, shifted, word_of
from systems.ninja_slayer.explain import difficulty_lines, modifiers, pool_line
from systems.ninja_slayer.names import calls
from systems.ninja_slayer.words import PoolSize, Steps

_STYLE = load_tables("systems.ninja_slayer")["styles"]["cartwheel"].facts
BASE = level_of(_STYLE["difficulty"])  # NS-G14
MOVE_FACTOR = int(_STYLE["move_factor"])  # NS-G15
EVASION_MOD, ATTACK_MOD = int(_STYLE["evasion_mod"]), int(_STYLE["attack_phase_mod"])  # NS-G16, NS-G17
WINDOW, DOOR = eyes(_STYLE["window_pattern"]), eyes(_STYLE["door_pattern"])  # NS-G20, NS-RUL17


class CartwheelParams(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Wazamae dice with what gear and state add; in exploration nobody throws (NS-G21, NS-RUL52)."""

    pool: PoolSize
    leg: Annotated[int, Meta(ge=1, le=100)]
    mods: Steps = ()
    exploration: bool = False


class CartwheelOutcome(Outcome, frozen=True, kw_only=True):
    difficulty: str
    squares_allowed: int
    evasion_mod_until_next_go: int
    attack_phase_mod: int
    pass_blocked_window: bool
    pass_blocked_door: bool


def _report(p: CartwheelParams, verdict: Verdict, throws: tuple[Throw, ...]) -> Report:
    done, faces = bool(verdict.success), throws[0].faces if throws else ()
    level = shifted(BASE, p.mods)
    outcome = CartwheelOutcome(
        difficulty=word_of(level),
        squares_allowed=MOVE_FACTOR * p.leg if done else 0,
        evasion_mod_until_next_go=EVASION_MOD if done else 0,
        attack_phase_mod=ATTACK_MOD if done else 0,
        pass_blocked_window=done and WINDOW.match(faces),
        pass_blocked_door=done and DOOR.match(faces),
    )
    if p.exploration:
        return Report(outcome, (because("NS-G21", "no_throw_exploring"),))
    counted = pool_line(counted_in(throws, "cartwheel", level), p.pool, level)
    ending = because("NS-G15", "cartwheel_done", squares=outcome.squares_allowed)
    lines = (*difficulty_lines(BASE, modifiers(p.mods)), counted)
    return Report(outcome, (*lines, ending if done else because("NS-G19", "cartwheel_failed")))


@calls.check(
    "cartwheel",
    rules="NS-G14 NS-G15 NS-G16 NS-G17 NS-G18 NS-G19 NS-G20 NS-G21",
    grades="failure success critical",
    report=_report,
    outcome=CartwheelOutcome,
)
def cartwheel(play: Play[Any], p: CartwheelParams) -> Verdict:
    """Wazamae at NORMAL (NS-G14). Success doubles the legs, over enemies and obstacles but not walls (NS-G15, NS-G18),
    eases evasion and hampers attacks (NS-G16, NS-G17); a failure goes nowhere (NS-G19, NS-RUL16)."""
    if p.exploration:
        return Verdict("success", True)
    counted = play.check(Counting(max(p.pool, 0), shifted(BASE, p.mods), patterns=(WINDOW,)), "cartwheel")
    if not counted.success:
        return Verdict("failure", False)
    return Verdict("critical" if counted.eyes[0] else "success", True)
