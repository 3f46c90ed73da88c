"""What odds say is what all throws together say."""

from __future__ import annotations

from collections.abc import Hashable
from fractions import Fraction
from itertools import permutations, product
from math import factorial
from typing import Any

import icepool
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct

from systems.core.checks import AGAIN, Check, Fold, Pick, Total, same_kind
from systems.core.dice import Faces, FastDice, Pool, ScriptedDice
from systems.core.errors import OddsTooLarge
from systems.core.game import Game
from systems.core.odds import BranchingChance, Budget, Distribution, Remembered, branches, distribution, throws, ways
from systems.core.play import DiceChance, Play, roll_off

from .pools import FirstBeatsLast, KeepHighest, Spread, Successes, brute
from .toy import Reach

small = st.builds(Pool, st.integers(0, 5), st.integers(1, 6))
ordered = st.builds(Pool, st.integers(0, 4), st.integers(1, 6), st.just(True))
checks: st.SearchStrategy[Check[Any]] = st.one_of(
    st.builds(Successes, small, st.integers(0, 7)),
    st.builds(KeepHighest, small, st.integers(0, 3)),
    st.builds(Spread, small),
    st.builds(FirstBeatsLast, ordered),
    st.builds(Successes, ordered, st.integers(0, 7)),
    st.builds(Total, st.integers(0, 5), st.integers(1, 6), st.integers(-3, 3)),
    st.builds(Reach, st.integers(2, 13)),
)


@given(checks)
def test_odds_are_brute_force(check: Check[Any]) -> None:
    assert distribution(check).weights == brute(check)


@given(checks)
def test_probabilities_sum_to_one(check: Check[Any]) -> None:
    assert sum(p for _, p in distribution(check)) == 1
    assert sum(count for _, count in ways(check)) == check.pool.ways


@given(st.one_of(small, ordered))
def test_throws_are_distinct_and_all(pool: Pool) -> None:
    listed = list(throws(pool))
    assert len({faces for faces, _ in listed}) == len(listed)
    assert sum(count for _, count in listed) == pool.ways
    assert all(faces == pool.arranged(faces) and pool.fits(faces) for faces, _ in listed)


folds = st.one_of(st.builds(Successes, small, st.integers(1, 6)), st.builds(KeepHighest, small, st.integers(1, 3)))


@given(folds, st.data())
def test_a_fold_is_its_reading(fold: Fold[Any, Any], data: st.DataObject) -> None:
    """Play reads the whole throw, odds go die by die in any order: the same outcome."""
    faces = data.draw(st.tuples(*[st.integers(1, fold.pool.sides)] * fold.pool.count))
    memory = fold.start()
    for face in faces:
        memory = fold.add(memory, face)
    assert fold.outcome(memory) == fold.read(fold.pool.arranged(faces))


@pytest.mark.parametrize("count", [30, 200])
def test_large_pools_agree_with_icepool(count: int) -> None:
    exact = distribution(Successes(Pool(count), 5)).by(lambda outcome: outcome[0])
    witness = count @ (icepool.d6 >= 5)
    assert all(exact[successes] == witness.probability(successes) for successes in range(count + 1))


@pytest.mark.parametrize("count", [30, 200])
def test_two_sixes_in_large_pools_agree_with_icepool(count: int) -> None:
    witness = count @ (icepool.d6 == 6)
    twice = distribution(Successes(Pool(count))).where(lambda outcome: outcome[1] == 2)
    assert twice == 1 - witness.probability(0) - witness.probability(1)


def test_totals_and_kept_dice_agree_with_icepool() -> None:
    total, kept = 200 @ icepool.d6, icepool.d6.pool(30).highest(3).sum()
    assert all(distribution(Total(200))[one] == total.probability(one) for one in range(200, 1201))
    assert all(distribution(KeepHighest(Pool(30)))[one] == kept.probability(one) for one in range(3, 19))


@given(st.integers(1, 216))
def test_a_pick_is_uniform_with_the_fewest_dice(n: int) -> None:
    exact = distribution(Pick(n))
    assert exact.weights == dict.fromkeys(range(n), Fraction(1, n))
    assert Pick(n).pool.count == next(dice for dice in range(4) if 6**dice >= n)


@pytest.mark.parametrize("n", [0, -1])
def test_there_must_be_something_to_pick(n: int) -> None:
    with pytest.raises(ValueError, match="nothing to choose"):
        play_with([]).pick(n, "any")


def play_with(faces: list[int]) -> Play[Game]:
    return Play(Game(), DiceChance(ScriptedDice(faces)), None)  # type: ignore[arg-type]


def test_a_pick_throws_again_what_is_too_high() -> None:
    play = play_with([6, 5, 2])
    assert play.pick(4, "any") == 1
    assert [throw.faces for throw in play._chance.throws] == [(6,), (5,), (2,)]  # type: ignore[attr-defined]
    assert play_with([]).pick(1, "one thing needs no die") == 0


def test_ranks_are_uniform_in_odds() -> None:
    exact = branches(lambda chance: chance.rank(4, "any"))
    assert exact == dict.fromkeys(permutations(range(4)), Fraction(1, 24))


@pytest.mark.parametrize("n", [0, 1, 2, 3])
def test_a_roll_off_is_uniform_in_throws(n: int) -> None:
    """Over all first throws without a tie every order comes equally often."""
    found: dict[Faces, int] = {}
    for faces in product(range(1, 7), repeat=n):
        if len(set(faces)) == n:
            order = roll_off(n, lambda count, faces=faces: faces)
            found[order] = found.get(order, 0) + 1
    assert len(found) == factorial(n) and len(set(found.values())) == 1


def test_those_tied_throw_again_and_only_they() -> None:
    play = play_with([3, 1, 3, 2, 2, 5, 4])
    assert play.rank(("a", "b", "c"), "who is first") == ("b", "c", "a")
    assert [throw.faces for throw in play._chance.throws] == [(3, 1, 3), (2, 2), (5, 4)]  # type: ignore[attr-defined]


def test_simulated_roll_offs_agree_with_odds() -> None:
    chance, first, trials = DiceChance(FastDice(4)), 0, 2000
    for _ in range(trials):
        first += chance.rank(3, "any")[0] == 0
    assert abs(first / trials - 1 / 3) < 4 * (2 / 9 / trials) ** 0.5


def two_throws(chance: BranchingChance) -> Hashable:
    first = chance.check(Total(1), "first", "all")
    return first + chance.check(Total(2), "second", "all") if first < 4 else first


def test_branches_follow_every_path_once() -> None:
    expected: dict[Any, Fraction] = {4: Fraction(1, 6), 5: Fraction(1, 6), 6: Fraction(1, 6)}
    for first, *rest in product(range(1, 4), range(1, 7), range(1, 7)):
        total = first + sum(rest)
        expected[total] = expected.get(total, Fraction(0)) + Fraction(1, 216)
    assert branches(two_throws) == expected


class Coins(Check[bool], Struct, frozen=True, cache_hash=True):
    """Two coins until they differ."""

    pool: Pool = Pool(2, 2, ordered=True)

    def read(self, faces: Faces) -> bool:
        return AGAIN if faces[0] == faces[1] else faces[0] == 1  # type: ignore[return-value]


def test_what_is_thrown_again_has_no_weight() -> None:
    assert distribution(Coins()).weights == {True: Fraction(1, 2), False: Fraction(1, 2)}


LARGE = [Spread(Pool(60)), Successes(Pool(201)), Total(1, 10**9), Total(200, 100), KeepHighest(Pool(40, 100), 5)]


@pytest.mark.parametrize("check", LARGE, ids=str)
def test_large_odds_are_refused_with_what_would_fit(check: Check[Any]) -> None:
    with pytest.raises(OddsTooLarge) as refused:
        ways(check)
    assert refused.value.asked > refused.value.limit >= 0


def test_large_ranks_are_refused_before_they_are_listed() -> None:
    with pytest.raises(OddsTooLarge):
        branches(lambda chance: chance.rank(30, "any"))


def test_a_budget_is_spent_in_branches() -> None:
    with pytest.raises(OddsTooLarge) as refused:
        branches(lambda chance: [chance.check(Total(1), "d6", "all") for _ in range(9)] and 0, Budget(100))
    assert refused.value.limit == 100


def test_distributions_merge_filter_and_average() -> None:
    exact = Distribution({1: Fraction(1, 2), 2: Fraction(1, 3), 3: Fraction(1, 6)})
    assert exact.by(lambda face: face % 2 == 1).weights == {True: Fraction(2, 3), False: Fraction(1, 3)}
    assert exact.where(lambda face: face > 1) == Fraction(1, 2)
    assert exact.mean(lambda face: face) == Fraction(5, 3)
    assert exact[9] == 0


def test_checks_are_alike_by_kind_and_value() -> None:
    assert same_kind(Total(2), Total(2)) and not same_kind(Total(2), Total(3)) and not same_kind(Total(2), Reach(2))


def test_what_is_remembered_has_an_end() -> None:
    weighing = Remembered(lambda check: tuple(range(check.pool.count)), len, room=100)
    for count in range(1, 60):
        assert len(weighing(Total(count))) == count
    assert weighing._filled <= 100 and set(weighing._kept) == {Total(59)}
    weighing.cache_clear()
    assert not weighing._kept and weighing._filled == 0
