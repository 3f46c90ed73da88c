"""Checks: what is thrown and how the faces are read.

A check is a frozen, hashable value. Play reads a throw with it, odds read every throw with it, simulation draws its
outcomes: the reading is written once. The outcome is only what rules branch on.
"""

from __future__ import annotations

from typing import Any, Final, Generic, TypeVar, cast

from msgspec import Struct

from systems.core.dice import Faces, Pool

T = TypeVar("T")
M = TypeVar("M")


class _Again:
    def __repr__(self) -> str:
        return "AGAIN"


AGAIN: Final = _Again()
"""A reading that returns this has the dice thrown again (uniform choice by rejection)."""


class Check(Generic[T]):
    """A few dice, read all at once. Subclasses are frozen Structs with a `pool` and a `read`."""

    @property
    def pool(self) -> Pool:
        raise NotImplementedError

    def read(self, faces: Faces) -> T:
        """The outcome of one throw; faces come highest first unless the pool is ordered."""
        raise NotImplementedError


class Fold(Check[T], Generic[M, T]):
    """A pool of any size, read die by die, so that odds need not list its throws.

    `memory` must be hashable and should remember no more than the outcome needs.
    """

    def start(self) -> M:
        raise NotImplementedError

    def add(self, memory: M, face: int) -> M:
        raise NotImplementedError

    def outcome(self, memory: M) -> T:
        raise NotImplementedError

    def read(self, faces: Faces) -> T:
        memory = self.start()
        for face in faces:
            memory = self.add(memory, face)
        return self.outcome(memory)


class Pick(Check[int], Struct, frozen=True, cache_hash=True):
    """Uniform choice of 0..n-1: no die for one thing, a d6 up to six, two d6 up to 36 …; too high throws again.

    Raises `ValueError` if there is nothing to choose from.
    """

    n: int

    def __post_init__(self) -> None:
        if self.n < 1:
            raise ValueError("nothing to choose from")

    @property
    def pool(self) -> Pool:
        dice = 0
        while 6**dice < self.n:
            dice += 1
        return Pool(dice, ordered=True)

    def read(self, faces: Faces) -> int:
        index = 0
        for face in faces:
            index = index * 6 + face - 1
        return index if index < self.n else cast(int, AGAIN)


class Total(Fold[int, int], Struct, frozen=True, cache_hash=True):
    """The sum of `count` dice plus `plus`."""

    count: int
    sides: int = 6
    plus: int = 0

    @property
    def pool(self) -> Pool:
        return Pool(self.count, self.sides)

    def start(self) -> int:
        return self.plus

    def add(self, memory: int, face: int) -> int:
        return memory + face

    def outcome(self, memory: int) -> int:
        return memory


def same_kind(a: Check[Any], b: Check[Any]) -> bool:
    return type(a) is type(b) and a == b
