"""One throw of a Skill Check: Critical, Fumble, success or failure (SG-C03..C14, SG-C19), and the Fumble Value."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from systems.core.checks import Check, Fold
from systems.core.dice import Faces, Pool
from systems.shinobigami.ids import Battlefield, Context

Grade = Literal["critical", "fumble", "success", "failure"]
Consequence = Literal["none", "recover_one", "fumble_table", "backlash"]

SUCCESSES: tuple[Grade, ...] = ("critical", "success")
BASIC_FUMBLE_VALUE = 2  # SG-C10
HIGHEST_FUMBLE_VALUE = 11  # SG-C11
CRITICAL_VALUE = 12  # SG-C08: never above


class SkillCheck(Fold[Faces, Grade], Struct, frozen=True, cache_hash=True):
    """`n` dice of which the two highest count (SG-C19), in the order they fell so that a rule can point at one.

    Without a `target_number` only a Critical succeeds (SG-M12); without a `fumble_value` nothing is a Fumble.
    """

    target_number: int | None
    modifier: int = 0
    fumble_value: int | None = BASIC_FUMBLE_VALUE
    critical_value: int = CRITICAL_VALUE
    n: int = 2

    @property
    def pool(self) -> Pool:
        return Pool(self.n, ordered=True)

    def start(self) -> Faces:
        return ()

    def add(self, memory: Faces, face: int) -> Faces:
        return tuple(sorted((*memory, face), reverse=True)[:2])

    def outcome(self, memory: Faces) -> Grade:
        """Fumble, then Critical, then the total against the Target Number (SG-C14); both look at the dice only."""
        natural = sum(memory)
        if self.fumble_value is not None and natural <= self.fumble_value:  # SG-C09
            return "fumble"
        if natural >= self.least_critical:  # SG-C07
            return "critical"
        enough = self.target_number is not None and natural + self.modifier >= self.target_number  # SG-C03
        return "success" if enough else "failure"

    @property
    def least_critical(self) -> int:
        """The Critical Value moves up to F + 1 if the Fumble Value reaches it (SG-C12, SG-Z07)."""
        return max(self.critical_value, (self.fumble_value or 0) + 1)


class Reading(Struct, frozen=True, cache_hash=True):
    """A roll as far as rules branch on it: its grade, and the grade it has if the first, second or both dice are 1."""

    now: Grade
    first: Grade
    second: Grade
    both: Grade

    def with_one(self, die: int) -> Reading:
        """Die 0 or 1 becomes a 1: everything is computed anew (SG-R04)."""
        if die == 0:
            return Reading(self.first, self.first, self.both, self.both)
        return Reading(self.second, self.both, self.second, self.both)


class Interfered(Check[Reading], Struct, frozen=True, cache_hash=True):
    """The throw of a Skill Check of two dice, read as it fell and as Dark Interference could make it."""

    check: SkillCheck

    @property
    def pool(self) -> Pool:
        return self.check.pool

    def read(self, faces: Faces) -> Reading:
        first, second = faces
        return Reading(*(self.check.read(one) for one in ((first, second), (1, second), (first, 1), (1, 1))))


def natural(faces: Faces) -> int:
    """The sum of the two highest dice (SG-C03, SG-C19)."""
    return sum(sorted(faces, reverse=True)[:2])


def succeeds(grade: str) -> bool:
    return grade in SUCCESSES


def fumble_value(
    context: Context,
    plot: int | None = None,
    ninpo_cost: int = 0,
    battlefield: Battlefield = "level_ground",
    fumble_mod: int = 0,
) -> int | None:
    """The Fumble Value F by context (SG-C10); None if no Fumble is possible (SG-C11).

    Before the first Plot of a battle, and outside of it, there is no Plot: F is 2 (SG-Z26).
    """
    value = BASIC_FUMBLE_VALUE
    if context == "drama":
        value += ninpo_cost  # SG-N11
    if context == "combat" and plot:  # at Plot 0 it stays 2 (SG-W14)
        value = plot
    if context in ("plot", "combat") and battlefield == "congestion":  # SG-W05, SG-Z61
        value += 1
    value = min(HIGHEST_FUMBLE_VALUE, value + fumble_mod)
    return None if value < BASIC_FUMBLE_VALUE else value


def consequence(grade: str, context: Context) -> Consequence:
    """What a final roll leads to: a Fumble's consequence follows from where it happens, not from F (SG-C13)."""
    if grade == "critical":
        return "recover_one"
    if grade != "fumble":
        return "none"
    return "backlash" if context == "combat" else "fumble_table"
