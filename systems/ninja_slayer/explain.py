"""Sums taken apart: difficulties step by step (players ask "why HARD?") and counted pools die by die."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from systems.core.text import Because, Term, because
from systems.ninja_slayer.difficulty import ULTRA_HARD, shifted, sixes_needed, target_face, word_of

GIVEN = Term("modifier", "given")

Lines = tuple[Because, ...]


class Modifier(Struct, frozen=True, cache_hash=True):
    """So many steps on the ladder, from where, by which rule."""

    steps: int
    source: Term
    rule: str


def modifiers(steps: Iterable[int], source: Term = GIVEN, rule: str = "NS-C04") -> tuple[Modifier, ...]:
    return tuple(Modifier(one, source, rule) for one in steps)


def modified(level: int, given: Iterable[Modifier]) -> int:
    """All added, then clamped (NS-C05, NS-C06)."""
    return shifted(level, (one.steps for one in given))


def difficulty_lines(level: int, given: tuple[Modifier, ...]) -> Lines:
    """From the printed difficulty to the one that is thrown against."""
    return _taken_apart(because("NS-C02", "difficulty_base", difficulty=word_of(level)), level, given)


def evasion_lines(level: int, given: tuple[Modifier, ...]) -> Lines:
    """The same for the check that would evade (NS-E02, NS-E09)."""
    return _taken_apart(because("NS-E02", "evasion_base", difficulty=word_of(level)), level, given)


def _taken_apart(first: Because, level: int, given: tuple[Modifier, ...]) -> Lines:
    lines = [first]
    lines += [because(one.rule, "difficulty_step", source=one.source, steps=f"{one.steps:+d}") for one in given]
    if given:
        lines.append(because("NS-C05", "difficulty_sum", difficulty=word_of(modified(level, given))))
    return tuple(lines)


def pool_line(successes: int, dice: int, level: int) -> Because:
    """How many of the dice count (NS-C07, NS-C08)."""
    if dice <= 0:
        return because("NS-C09", "no_dice")
    if level > ULTRA_HARD:
        return because("NS-C08", "sixes_counted", successes=successes, dice=dice, needed=sixes_needed(level))
    return because("NS-C07", "dice_counted", successes=successes, dice=dice, face=target_face(level))
