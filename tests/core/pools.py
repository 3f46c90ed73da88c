"""Readings that the tests of the kernel share."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from typing import Any

from msgspec import Struct

from systems.core.checks import AGAIN, Check, Fold
from systems.core.dice import Faces, Pool


class Successes(Fold[tuple[int, int], tuple[int, int]], Struct, frozen=True, cache_hash=True):
    """How many dice reach `reach`, and how many show their highest face (up to two of these)."""

    pool: Pool
    reach: int = 4

    def start(self) -> tuple[int, int]:
        return 0, 0

    def add(self, memory: tuple[int, int], face: int) -> tuple[int, int]:
        return memory[0] + (face >= self.reach), min(2, memory[1] + (face == self.pool.sides))

    def outcome(self, memory: tuple[int, int]) -> tuple[int, int]:
        return memory


class KeepHighest(Fold[Faces, int], Struct, frozen=True, cache_hash=True):
    """The sum of the `keep` highest dice."""

    pool: Pool
    keep: int = 3

    def start(self) -> Faces:
        return ()

    def add(self, memory: Faces, face: int) -> Faces:
        return tuple(sorted((*memory, face), reverse=True)[: self.keep])

    def outcome(self, memory: Faces) -> int:
        return sum(memory)


class Spread(Check[int], Struct, frozen=True, cache_hash=True):
    """Highest minus lowest die, read all at once."""

    pool: Pool

    def read(self, faces: Faces) -> int:
        return faces[0] - faces[-1] if faces else 0


class FirstBeatsLast(Check[bool], Struct, frozen=True, cache_hash=True):
    """Points at dice by their place, so the pool is ordered."""

    pool: Pool

    def read(self, faces: Faces) -> bool:
        return bool(faces) and faces[0] > faces[-1]


def brute(check: Check[Any]) -> dict[Any, Fraction]:
    """Every throw one after the other: the witness against clever counting."""
    pool = check.pool
    every = product(range(1, pool.sides + 1), repeat=pool.count)
    found = Counter(check.read(pool.arranged(faces)) for faces in every)
    found.pop(AGAIN, None)
    return {outcome: Fraction(count, found.total()) for outcome, count in found.items()}
