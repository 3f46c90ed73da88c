"""Plain dice notation: `2d6+1>=7`, `5b6>=4` (dice that reach the target), `d66`, `4d6kh1` and `kl`.

The dice are the kernel's checks, so throws and exact odds come from the same reading.
"""

from __future__ import annotations

import re
from bisect import insort
from fractions import Fraction
from itertools import accumulate
from math import comb
from typing import Any, Literal

from msgspec import Struct

from systems.core.checks import Check, Fold
from systems.core.dice import MAX_DICE_PER_REQUEST, MAX_DICE_PER_THROW, Pool
from systems.core.errors import Illegal, OddsTooLarge, TooManyDice
from systems.core.odds import MAX_MEMORIES, Distribution, distribution
from systems.core.play import Play
from systems.core.tables import Key

MAX_CHARACTERS = 100
MAX_SIDES = 1_000
MAX_TERMS = 10
MAX_WORK = 1_000_000  # steps over all dice of one exact computation, about a third of a second
MAX_TOTALS = 5_000  # different totals of one throw
KEEP_WORK = 3  # how much more a memory costs that holds single dice

Compare = Literal[">=", "<=", ">", "<", "="]
Keep = Literal["", "h", "l"]

_DICE = re.compile(r"\s*([+-]?)\s*(?:([0-9]{0,3})d([0-9]{1,4})(?:k([hl])([0-9]{1,3}))?|([0-9]{1,6}))", re.ASCII)
_COMPARE = re.compile(r"\s*(>=|<=|>|<|=)\s*(-?[0-9]{1,6})\s*", re.ASCII)
_COUNTED = re.compile(r"\s*([0-9]{1,3})b([0-9]{1,4})", re.ASCII)
_D66 = re.compile(r"\s*d66\s*", re.ASCII)


class Kept(Fold[tuple[int, tuple[int, ...]], int], Struct, frozen=True, cache_hash=True):
    """The sum of `count` dice, or of the `kept` highest or lowest of them.

    The memory is the sum of all and the dice on the smaller side of the cut, so that many kept dice cost little.
    """

    count: int
    sides: int
    keep: Keep = ""
    kept: int = 0

    @property
    def pool(self) -> Pool:
        return Pool(self.count, self.sides)

    @property
    def _few(self) -> tuple[int, bool, bool]:
        """How many dice are remembered, whether the highest, and whether those are the kept ones."""
        if not self.keep:
            return 0, True, False
        inside = self.kept <= self.count - self.kept
        return (self.kept if inside else self.count - self.kept), (self.keep == "h") == inside, inside

    def start(self) -> tuple[int, tuple[int, ...]]:
        return 0, ()

    def add(self, memory: tuple[int, tuple[int, ...]], face: int) -> tuple[int, tuple[int, ...]]:
        (total, few), (size, highest, inside) = memory, self._few
        if size:
            remembered = list(few)
            insort(remembered, face)
            few = tuple(remembered[-size:] if highest else remembered[:size])
        return (0 if inside else total + face), few

    def outcome(self, memory: tuple[int, tuple[int, ...]]) -> int:
        total, few = memory
        return sum(few) if self._few[2] else total - sum(few)

    def work(self) -> int:
        """What the exact odds cost. Raises `OddsTooLarge` for too many totals, or if too much must be remembered."""
        if not self.keep:
            if (totals := self.count * (self.sides - 1) + 1) > MAX_TOTALS:
                raise OddsTooLarge("totals", totals, MAX_TOTALS)
            return totals * self.count // 2
        size, _, inside = self._few
        memories = comb(size + self.sides - 1, size) * (1 if inside else self.count * (self.sides - 1) + 1)
        if memories > MAX_MEMORIES:
            raise OddsTooLarge("memories", memories, MAX_MEMORIES)
        return memories * self.count * self.sides * KEEP_WORK // 2

    def odds(self) -> Distribution[int]:
        """The exact distribution of the total."""
        return distribution(self) if self.keep else _sum_of(self.count, self.sides)


class Reaching(Fold[int, int], Struct, frozen=True, cache_hash=True):
    """How many of `count` dice compare well with the target."""

    count: int
    sides: int
    compare: Compare
    target: int

    @property
    def pool(self) -> Pool:
        return Pool(self.count, self.sides)

    def start(self) -> int:
        return 0

    def add(self, memory: int, face: int) -> int:
        return memory + compared(face, self.compare, self.target)

    def outcome(self, memory: int) -> int:
        return memory


class Term(Struct, frozen=True, cache_hash=True):
    """A throw with its sign and its own text."""

    check: Any
    sign: int
    text: str


class Formula(Struct, frozen=True, cache_hash=True):
    """What a notation means: throws, a number added, and what the total is compared with.

    `counts`: the total is a number of successes, and one is enough.
    """

    terms: tuple[Term, ...]
    plus: int = 0
    compare: Compare | None = None
    target: int = 0
    counts: bool = False

    def throw(self, play: Play[Any]) -> int:
        return self.plus + sum(term.sign * int(play.check(term.check, term.text)) for term in self.terms)

    def success(self, total: int) -> bool | None:
        """Whether that total is what was wanted; None if nothing was."""
        if self.counts:
            return total >= 1
        return compared(total, self.compare, self.target) if self.compare else None

    def odds(self) -> Distribution[int]:
        """The exact distribution of the total. Raises `OddsTooLarge`."""
        work = sum(term.check.work() for term in self.terms if isinstance(term.check, Kept))
        if work > MAX_WORK:
            raise OddsTooLarge("steps", work, MAX_WORK)
        found = {self.plus: Fraction(1)}
        for term in self.terms:
            thrown = term.check.odds() if isinstance(term.check, Kept) else distribution(term.check)
            found = _added(found, thrown, term.sign)
        return Distribution(found)


def _sum_of(count: int, sides: int) -> Distribution[int]:
    """The sum of equal dice, one die after another: the ways of a total are the last `sides` ways before it."""
    ways = [1]
    for _ in range(count):
        sums = [0, *accumulate(ways), *[sum(ways)] * (sides - 1)]
        ways = [sums[at] - sums[max(0, at - sides)] for at in range(1, len(sums))]
    every = sides**count
    return Distribution({count + at: Fraction(number, every) for at, number in enumerate(ways)})


def _added(before: dict[int, Fraction], thrown: Distribution[int], sign: int) -> dict[int, Fraction]:
    if len(before) == 1:
        ((start, _),) = before.items()
        return {start + sign * value: p for value, p in thrown}
    if (work := len(before) * len(thrown.weights)) > MAX_MEMORIES:
        raise OddsTooLarge("sums", work, MAX_MEMORIES)
    found: dict[int, Fraction] = {}
    for total, p in before.items():
        for value, q in thrown:
            found[total + sign * value] = found.get(total + sign * value, Fraction(0)) + p * q
    return found


def compared(value: int, compare: Compare, target: int) -> bool:
    if compare == ">=":
        return value >= target
    if compare == "<=":
        return value <= target
    if compare == ">":
        return value > target
    return value < target if compare == "<" else value == target


def parse(text: str) -> Formula:
    """The meaning of a notation. Raises `Illegal` that says where it stops making sense, and `TooManyDice`."""
    if len(text) > MAX_CHARACTERS:
        raise Illegal("notation_too_long", "", limit=MAX_CHARACTERS)
    low = text.lower()
    if _D66.fullmatch(low):
        return Formula((Term(Key("d66"), 1, "d66"),))
    return _counted(low) if _COUNTED.match(low) else _summed(low)


def _counted(text: str) -> Formula:
    dice = _COUNTED.match(text)
    assert dice
    wanted = _COMPARE.fullmatch(text, dice.end())
    if not wanted:
        raise Illegal("notation_needs_target", "", text=text)
    count, sides = _checked(int(dice[1]), int(dice[2]))
    compare: Any = wanted[1]
    check: Check[int] = Reaching(count, sides, compare, int(wanted[2]))
    return Formula((Term(check, 1, dice[0].strip()),), counts=True)


def _summed(text: str) -> Formula:
    terms: list[Term] = []
    at = plus = parts = 0
    while (found := _DICE.match(text, at)) and (parts == 0 or found[1]) and parts < MAX_TERMS:
        at, parts = found.end(), parts + 1
        sign = -1 if found[1] == "-" else 1
        if found[6]:
            plus += sign * int(found[6])
        else:
            terms.append(_term(found, sign))
    wanted = _COMPARE.fullmatch(text, at)
    if not terms or (not wanted and text[at:].strip()):
        raise Illegal("notation_unreadable", "", position=at + 1, rest=text[at : at + 20] or "-")
    compare: Any = wanted[1] if wanted else None
    return Formula(tuple(terms), plus, compare, int(wanted[2]) if wanted else 0)


def _term(found: re.Match[str], sign: int) -> Term:
    count, sides = _checked(int(found[2] or 1), int(found[3]))
    keep: Any = found[4] or ""
    kept = int(found[5] or 0)
    if keep and not 1 <= kept <= count:
        raise Illegal("notation_keeps_too_many", "", kept=kept, count=count)
    return Term(Kept(count, sides, keep, kept), sign, found[0].strip().lstrip("+-").strip())


def _checked(count: int, sides: int) -> tuple[int, int]:
    if not 2 <= sides <= MAX_SIDES:
        raise Illegal("notation_sides", "", sides=sides, most=MAX_SIDES)
    if count < 1:
        raise Illegal("notation_no_dice", "")
    if count > MAX_DICE_PER_THROW:
        raise TooManyDice(count, MAX_DICE_PER_THROW, MAX_DICE_PER_REQUEST)
    return count, sides
