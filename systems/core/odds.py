"""Exact odds: the same rules, followed down every branch of their dice.

Probabilities are `Fraction`s that sum to 1. Every computation has a budget and raises `OddsTooLarge` beyond it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import comb, factorial, gcd, prod
from threading import Lock
from typing import Any, Generic, TypeVar

from systems.core.checks import AGAIN, Check, Fold
from systems.core.dice import MAX_DICE_PER_THROW, Faces, Pool
from systems.core.errors import OddsTooLarge

T = TypeVar("T")
H = TypeVar("H", bound=Hashable)
K = TypeVar("K", bound=Hashable)

MAX_LISTED_THROWS = 60_000  # distinct throws of one pool that a reading without a fold may be asked about
MAX_MEMORIES = 20_000  # distinct memories of one fold
MAX_MOVES = 12_000_000  # memory times face, over all dice of one fold: about a second
MAX_REMEMBERED = 50_000  # outcomes that all remembered checks may have together
MAX_BRANCHES = 400_000  # paths through the dice of one computation


class Distribution(Generic[H]):
    """Outcome -> exact probability (0..1, together 1)."""

    __slots__ = ("weights",)

    def __init__(self, weights: dict[H, Fraction]) -> None:
        self.weights = weights

    def __getitem__(self, outcome: H) -> Fraction:
        return self.weights.get(outcome, Fraction(0))

    def __iter__(self) -> Iterator[tuple[H, Fraction]]:
        return iter(self.weights.items())

    def where(self, wanted: Callable[[H], bool]) -> Fraction:
        return sum((p for outcome, p in self.weights.items() if wanted(outcome)), Fraction(0))

    def mean(self, value: Callable[[H], int | Fraction]) -> Fraction:
        return sum((p * value(outcome) for outcome, p in self.weights.items()), Fraction(0))

    def by(self, key: Callable[[H], K]) -> Distribution[K]:
        """The distribution of `key(outcome)`; equal keys are merged."""
        merged: dict[K, Fraction] = defaultdict(Fraction)
        for outcome, p in self.weights.items():
            merged[key(outcome)] += p
        return Distribution(dict(merged))


class Budget:
    """How much work one exact computation may cost, counted in branches; never in seconds, so that it is repeatable."""

    __slots__ = ("left", "limit")

    def __init__(self, branches: int = MAX_BRANCHES) -> None:
        self.left = self.limit = branches

    def spend(self, branches: int = 1) -> None:
        self.left -= branches
        if self.left < 0:
            raise OddsTooLarge("branches", self.limit - self.left, self.limit)


def throws(pool: Pool) -> Iterator[tuple[Faces, int]]:
    """Every distinct throw of the pool with its number of ways; lazily, for a pool can have very many."""
    faces = range(pool.sides, 0, -1)
    if pool.ordered:
        yield from ((throw, 1) for throw in product(faces, repeat=pool.count))
        return
    ways = factorial(pool.count)
    for throw in combinations_with_replacement(faces, pool.count):
        yield throw, ways // prod(map(factorial, Counter(throw).values()))


def _distinct(pool: Pool) -> int:
    return pool.ways if pool.ordered else comb(pool.count + pool.sides - 1, pool.count)


class Remembered(Generic[T]):
    """A function of a check whose results are kept: `room` outcomes in all, so that memory stays flat.

    `size` says how many outcomes a result has; when there is no room left the oldest results go.
    """

    def __init__(self, function: Callable[[Check[Any]], T], size: Callable[[T], int], room: int) -> None:
        self._function, self._size, self._room = function, size, room
        self._kept: dict[Check[Any], T] = {}
        self._lock = Lock()
        self._filled = 0

    def __call__(self, check: Check[Any]) -> T:
        found = self._kept.get(check)
        if found is None:
            found = self._function(check)
            self._keep(check, found)
        return found

    def _keep(self, check: Check[Any], found: T) -> None:
        with self._lock:
            if check in self._kept:
                return
            self._kept[check] = found
            self._filled += self._size(found) + 1
            while self._filled > self._room:
                self._filled -= self._size(self._kept.pop(next(iter(self._kept)))) + 1

    def cache_clear(self) -> None:
        with self._lock:
            self._kept.clear()
            self._filled = 0


def remembered(size: Callable[[Any], int]) -> Callable[[Callable[[Check[Any]], T]], Remembered[T]]:
    return lambda function: Remembered(function, size, MAX_REMEMBERED)


@remembered(len)
def ways(check: Check[Any]) -> tuple[tuple[Any, int], ...]:
    """The distinct outcomes of one check with their number of ways; throws that are thrown again do not count.

    Raises `OddsTooLarge` for pools over 200 dice, for readings without a fold over 60,000 distinct throws, and for
    folds that remember too much or would take more than about a second.
    """
    pool = check.pool
    if pool.count > MAX_DICE_PER_THROW:
        raise OddsTooLarge("dice", pool.count, MAX_DICE_PER_THROW)
    found: dict[Any, int] = defaultdict(int)
    for outcome, count in _folded(check) if isinstance(check, Fold) else _listed(check):
        if outcome is not AGAIN:
            found[outcome] += count
    return tuple(found.items())


def _listed(check: Check[T]) -> Iterator[tuple[T, int]]:
    if (distinct := _distinct(check.pool)) > MAX_LISTED_THROWS:
        raise OddsTooLarge("throws", distinct, MAX_LISTED_THROWS)
    return ((check.read(faces), count) for faces, count in throws(check.pool))


def _folded(check: Fold[Any, T]) -> Iterator[tuple[T, int]]:
    pool, moves = check.pool, 0
    faces = range(1, pool.sides + 1)
    onward: dict[Any, tuple[tuple[Any, int], ...]] = {}
    memories: dict[Any, int] = {check.start(): 1}
    for dice in range(pool.count):
        moves += len(memories) * pool.sides
        if moves > MAX_MOVES:
            raise OddsTooLarge("dice", pool.count, dice)
        after: dict[Any, int] = defaultdict(int)
        for memory, count in memories.items():
            if (steps := onward.get(memory)) is None:
                steps = onward[memory] = tuple(Counter(check.add(memory, face) for face in faces).items())
            for following, among in steps:
                after[following] += count * among
        memories = after
        if len(memories) > MAX_MEMORIES:
            raise OddsTooLarge("memories", len(memories), MAX_MEMORIES)
    return ((check.outcome(memory), count) for memory, count in memories.items())


@remembered(lambda found: len(found.weights))
def distribution(check: Check[Any]) -> Distribution[Any]:
    """The exact distribution of one check's outcomes."""
    options = ways(check)
    total = sum(count for _, count in options)
    return Distribution({outcome: Fraction(count, total) for outcome, count in options})


@remembered(lambda found: len(found[0]))
def weighed(check: Check[Any]) -> tuple[tuple[tuple[Any, int], ...], int]:
    options = ways(check)
    return options, sum(count for _, count in options)


class BranchingChance:
    """The chance source of exact odds: follows one path of outcomes and notes the branches not taken."""

    __slots__ = ("_budget", "_path", "_taken", "denominator", "numerator", "untried")

    def __init__(self, path: tuple[int, ...], budget: Budget) -> None:
        self._path, self._budget = path, budget
        self._taken: list[int] = []
        self.numerator = self.denominator = 1
        self.untried: list[tuple[int, ...]] = []

    def check(self, check: Check[T], label: str, seen_by: str) -> T:
        options, total = weighed(check)
        index = self._branch(len(options))
        outcome: T
        outcome, count = options[index]
        self.numerator *= count
        self.denominator *= total
        return outcome

    def rank(self, n: int, label: str) -> tuple[int, ...]:
        orders = factorial(n)
        self.denominator *= orders
        return _order(n, self._branch(orders))

    def _branch(self, options: int) -> int:
        depth = len(self._taken)
        if depth < len(self._path):
            index = self._path[depth]
        else:
            index = 0
            if options > 1:
                self._budget.spend(options - 1)
                self.untried += [(*self._taken, i) for i in range(1, options)]
        self._taken.append(index)
        return index


def _order(n: int, index: int) -> tuple[int, ...]:
    """The order of 0..n-1 at place `index` of all n! orders."""
    left, order = list(range(n)), []
    for size in range(n, 0, -1):
        index, at = divmod(index, size)
        order.append(left.pop(at))
    return tuple(order)


def branches(procedure: Callable[[BranchingChance], H], budget: Budget | None = None) -> dict[H, Fraction]:
    """What `procedure` returns, with the exact probability of each result; it is run once per path of its dice."""
    budget = budget or Budget()
    found: dict[H, dict[int, int]] = {}
    paths: list[tuple[int, ...]] = [()]
    while paths:
        chance = BranchingChance(paths.pop(), budget)
        by_denominator = found.setdefault(procedure(chance), {})
        by_denominator[chance.denominator] = by_denominator.get(chance.denominator, 0) + chance.numerator
        paths += chance.untried
    return {outcome: _sum(parts.items()) for outcome, parts in found.items()}


def _sum(parts: Iterable[tuple[int, int]]) -> Fraction:
    return sum((Fraction(numerator, denominator) for denominator, numerator in parts), Fraction(0))


def sums(checks: Sequence[Check[Any]], value: Callable[[Any], int]) -> Distribution[int]:
    """The distribution of the sum of `value(outcome)` over independent checks, added one check after another.

    Whole weights are carried along, so that hundreds of checks cost no long chain of fractions.
    """
    found: dict[int, int] = {0: 1}
    total = 1
    for check in checks:
        own: dict[int, int] = defaultdict(int)
        options, among = weighed(check)
        for outcome, count in options:
            own[value(outcome)] += count
        shared = gcd(among, *own.values())
        after: dict[int, int] = defaultdict(int)
        for so_far, count in found.items():
            for added, ways_of_it in own.items():
                after[so_far + added] += count * (ways_of_it // shared)
        found, total = after, total * (among // shared)
    return Distribution({outcome: Fraction(count, total) for outcome, count in found.items()})
