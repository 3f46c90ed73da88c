"""The ladder of difficulties (NS-C02): words, levels, and the steps between them.

A level is a whole number from 1 (KIDS) over 3 (NORMAL) and 5 (UH) without upper end: 4 + n is UHn.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from systems.core.errors import Illegal
from systems.core.tables import load_tables

_LADDER = load_tables("systems.ninja_slayer")["difficulty_ladder"].rows
_STEPS = {row.id: int(row.facts["step"]) for row in _LADDER if "step" in row.facts}
_WORDS = {step: word for word, step in _STEPS.items()}
_BEYOND = re.compile(r"UH([2-9]|[1-9][0-9]|100)", re.ASCII)

KIDS, NORMAL, HARD, ULTRA_HARD = _STEPS["KIDS"], _STEPS["NORMAL"], _STEPS["HARD"], _STEPS["UH"]
BEYOND = 4  # NS-C02: UHn stands at step 4 + n


def level_of(word: str, rule: str = "NS-C15") -> int:
    """The level of a difficulty word. Raises `Illegal` `unknown_difficulty` (NS-C15)."""
    if word in _STEPS:
        return _STEPS[word]
    found = _BEYOND.fullmatch(word)
    if not found:
        raise Illegal("unknown_difficulty", rule, difficulty=word)
    return BEYOND + int(found[1])


def word_of(level: int) -> str:
    return _WORDS.get(level) or f"UH{level - BEYOND}"


def shifted(level: int, steps: Iterable[int]) -> int:
    """All modifiers added first (NS-C04, NS-C05), then the floor at KIDS (NS-C06, NS-RUL01)."""
    return max(KIDS, level + sum(steps))


def target_face(level: int) -> int:
    """The lowest face that counts as a success (NS-C02)."""
    return min(level, ULTRA_HARD) + 1


def sixes_needed(level: int) -> int:
    """How many counting dice make the first success: one up to UH, n at UHn (NS-C02, NS-C08)."""
    return max(1, level - BEYOND)
