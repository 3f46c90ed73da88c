"""Checks of the game as folds: pools of d6 whose dice are counted, never summed, and eye designations."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from math import prod
from typing import Literal

from msgspec import Struct

from systems.core.checks import Check, Fold
from systems.core.dice import Faces, Pool
from systems.core.errors import Illegal, OddsTooLarge
from systems.core.play import Throw
from systems.ninja_slayer.difficulty import NORMAL, sixes_needed, target_face

ALL_SUCCESSES = 1_000  # more than any pool can have
MAX_MEMORIES = 30_000  # of designations, die by die, that odds follow (one of six faces with 100 dice: 6,400)

_PATTERN = re.compile(r"[1-6]\+?(,[1-6]\+?)*", re.ASCII)
_FACES = range(1, 7)

Memory = tuple[int, ...]
Evasion = Literal["failed", "evaded", "surpassed"]
"""How an evasion check ended; a counter needs more successes than the attack had (NS-K01)."""


class Eyes(Struct, frozen=True, cache_hash=True):
    """An eye designation as counters that a throw has to fill (NS-C10, NS-C11).

    Serving exact tokens first and open ones from the highest down (NS-C12) succeeds exactly when every counter fills:
    `exact[f]` dice showing f, and for each open token n+ so many spare dice of n or more as there are tokens of n or
    more. `gains[f]` lists for a face the counters it feeds: first its own, then (once that is full) the open ones.
    """

    needs: tuple[int, ...]
    own: tuple[int, ...]
    open: tuple[tuple[int, ...], ...]

    @property
    def start(self) -> Memory:
        return (0,) * len(self.needs)

    def add(self, memory: Memory, face: int) -> Memory:
        own = self.own[face - 1]
        if own >= 0 and memory[own] < self.needs[own]:
            return (*memory[:own], memory[own] + 1, *memory[own + 1 :])
        fed = self.open[face - 1]
        if not fed:
            return memory
        return tuple(min(need, n + (at in fed)) for at, (n, need) in enumerate(zip(memory, self.needs, strict=True)))

    def matched(self, memory: Memory) -> bool:
        return memory == self.needs

    def match(self, faces: Iterable[int]) -> bool:
        memory = self.start
        for face in faces:
            memory = self.add(memory, face)
        return self.matched(memory)


@lru_cache(maxsize=1024)
def eyes(pattern: str) -> Eyes:
    """The designation out of its text, such as `6,5+`. Raises `Illegal` `invalid_pattern` (NS-C15, NS-RUL55)."""
    if not _PATTERN.fullmatch(pattern):
        raise Illegal("invalid_pattern", "NS-C15", pattern=pattern)
    tokens = pattern.split(",")
    exact = sorted({int(token) for token in tokens if not token.endswith("+")})
    least = sorted({int(token[0]) for token in tokens if token.endswith("+")})
    needs = [tokens.count(str(face)) for face in exact]
    needs += [sum(token.endswith("+") and int(token[0]) >= low for token in tokens) for low in least]
    own = tuple(exact.index(face) if face in exact else -1 for face in _FACES)
    fed = tuple(tuple(len(exact) + at for at, low in enumerate(least) if face >= low) for face in _FACES)
    return Eyes(tuple(needs), own, fed)


def refuse_long_eyes(dice: int, *patterns: Eyes) -> None:
    """Raises `OddsTooLarge` where so many dice would fill designations in too many ways."""
    memories = dice * prod(min(need, dice) + 1 for pattern in patterns for need in pattern.needs)
    if memories > MAX_MEMORIES:
        raise OddsTooLarge("memories", memories, MAX_MEMORIES)


class Counted(Struct, frozen=True, cache_hash=True):
    """What a rule gets of a counted pool: successes (up to a cap), and which designations came with a success."""

    successes: int
    eyes: tuple[bool, ...] = ()

    @property
    def success(self) -> bool:
        return self.successes > 0


class Counting(Fold[tuple[int, tuple[Memory, ...]], Counted], Struct, frozen=True, cache_hash=True):
    """`dice` d6 at a difficulty (NS-C01). No dice, no success (NS-C09, NS-RUL02).

    Successes are counted up to `cap`: beyond it nothing depends on them. Up to UH each die of the target or more is one
    (NS-C07), at UHn the nth six is the first (NS-C08). Designations do not feel the difficulty (NS-C13) but need the
    check to succeed (NS-C14, NS-RUL03).
    """

    dice: int
    level: int = NORMAL
    cap: int = 1
    patterns: tuple[Eyes, ...] = ()

    @property
    def pool(self) -> Pool:
        return Pool(self.dice)

    def start(self) -> tuple[int, tuple[Memory, ...]]:
        return 0, tuple(pattern.start for pattern in self.patterns)

    def add(self, memory: tuple[int, tuple[Memory, ...]], face: int) -> tuple[int, tuple[Memory, ...]]:
        hits, seen = memory
        if face >= target_face(self.level):
            hits = min(hits + 1, self.cap + sixes_needed(self.level) - 1)
        return hits, tuple([pattern.add(part, face) for pattern, part in zip(self.patterns, seen, strict=True)])

    def outcome(self, memory: tuple[int, tuple[Memory, ...]]) -> Counted:
        hits, seen = memory
        successes = max(0, hits - sixes_needed(self.level) + 1)
        found = zip(self.patterns, seen, strict=True)
        return Counted(successes, tuple([successes > 0 and pattern.matched(part) for pattern, part in found]))


class Evading(Fold[int, Evasion], Struct, frozen=True, cache_hash=True):
    """Evasion dice against an attack of `against` successes (NS-E04, NS-K01; at UHn by NS-C08 as well, NS-K10)."""

    dice: int
    level: int
    against: int

    @property
    def pool(self) -> Pool:
        return Pool(self.dice)

    def start(self) -> int:
        return 0

    def add(self, memory: int, face: int) -> int:
        counts = face >= target_face(self.level)
        return min(memory + counts, self.against + sixes_needed(self.level))

    def outcome(self, memory: int) -> Evasion:
        successes = memory - sixes_needed(self.level) + 1
        if successes <= 0:
            return "failed"
        return "surpassed" if successes > self.against else "evaded"


class Matching(Fold[Memory, bool], Struct, frozen=True, cache_hash=True):
    """Whether `dice` d6 contain a designation, without any check."""

    dice: int
    pattern: Eyes

    @property
    def pool(self) -> Pool:
        return Pool(self.dice)

    def start(self) -> Memory:
        return self.pattern.start

    def add(self, memory: Memory, face: int) -> Memory:
        return self.pattern.add(memory, face)

    def outcome(self, memory: Memory) -> bool:
        return self.pattern.matched(memory)


class Recorded(Fold[None, None], Struct, frozen=True, cache_hash=True):
    """Dice on which nothing branches; the report reads their faces in the order of the throw."""

    dice: int

    @property
    def pool(self) -> Pool:
        return Pool(self.dice, ordered=True)

    def start(self) -> None:
        return None

    def add(self, memory: None, face: int) -> None:
        return None

    def outcome(self, memory: None) -> None:
        return None


class AtMost(Check[bool], Struct, frozen=True, cache_hash=True):
    """Two dice whose sum is compared (NS-C23): at most `limit`."""

    limit: int

    @property
    def pool(self) -> Pool:
        return Pool(2)

    def read(self, faces: Faces) -> bool:
        return sum(faces) <= self.limit


def successes_in(faces: Iterable[int], level: int) -> int:
    """All successes of a throw at a level, for reports."""
    dice = tuple(faces)
    return Counting(len(dice), level, ALL_SUCCESSES).read(dice).successes


def thrown(throws: tuple[Throw, ...], label: str) -> Throw | None:
    """The record with that label, if the rule threw it."""
    return next((throw for throw in throws if throw.label == label), None)


def counted_in(throws: tuple[Throw, ...], label: str, level: int) -> int:
    """All successes of the throw with that label; none if nothing was thrown (NS-C09)."""
    throw = thrown(throws, label)
    return successes_in(throw.faces, level) if throw else 0
