"""Steps that merge say what one long run says; chains end as worked out by hand."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from systems.core import simulate, solve
from systems.core.errors import Illegal, OddsTooLarge
from systems.core.game import CarryOut, change
from systems.core.odds import Budget, branches
from systems.core.play import AssumedAnswers, PolicyAnswers
from systems.core.seats import Seat
from systems.core.values import Map

from .test_kernel_flow import SpendWhenPossible
from .toy import Fight, Ninja, Strike, new_fight

A = Seat("s1", characters=("a",))
half = Fraction(1, 2)


@pytest.mark.parametrize("spenders", ["", "a", "ab"])
def test_merged_steps_are_one_long_run(spenders: str) -> None:
    answers = PolicyAnswers({who: SpendWhenPossible() for who in spenders}, None)
    begun = change(new_fight("a", "b"), agenda=(CarryOut(Strike("a", "b"), A),))
    unmerged = branches(lambda chance: simulate.run(begun, chance, answers))
    assert solve.settle(begun, answers).weights == unmerged


def test_what_the_rules_refuse_has_no_odds() -> None:
    with pytest.raises(Illegal, match="not_your_turn"):
        solve.odds_of(new_fight("a", "b"), Strike("b", "a"), A)


def test_a_spent_budget_is_an_error() -> None:
    begun = change(new_fight("a", "b"), agenda=(CarryOut(Strike("a", "b"), A),))
    with pytest.raises(OddsTooLarge):
        solve.settle(begun, AssumedAnswers(), Budget(1))


def ladder(n: int, up: Fraction, stay: Fraction = Fraction(0)) -> Any:
    """A walk between 0 and n."""
    return lambda at: {at + 1: up, at - 1: 1 - up - stay, at: stay}


@given(st.integers(2, 8), st.fractions(Fraction(1, 5), Fraction(4, 5), max_denominator=7), st.data())
def test_the_gamblers_ruin(n: int, up: Fraction, data: st.DataObject) -> None:
    """Reaching n before 0: (1 - r^i) / (1 - r^n) with r = down/up."""
    start = data.draw(st.integers(1, n - 1))
    exact, _ = solve.absorb(start, ladder(n, up), lambda at: at in (0, n))
    r = (1 - up) / up
    assert exact[n] == (Fraction(start, n) if r == 1 else (1 - r**start) / (1 - r**n))
    assert exact[0] == 1 - exact[n]


@pytest.mark.parametrize("stay", [Fraction(0), half, Fraction(9, 10)])
def test_the_length_of_a_fair_walk(stay: Fraction) -> None:
    """From i to 0 or n: i(n - i) moves, longer by what is spent standing still."""
    _, moves = solve.absorb(3, ladder(7, (1 - stay) / 2, stay), lambda at: at in (0, 7))
    assert moves == 12 / (1 - stay)


def test_a_chain_without_loops_needs_no_equations() -> None:
    exact, moves = solve.absorb(
        "a", {"a": {"b": half, "end": half}, "b": {"end": half, "stop": half}}.__getitem__, ends
    )
    assert exact.weights == {"end": Fraction(3, 4), "stop": Fraction(1, 4)} and moves == Fraction(3, 2)


def ends(state: str) -> bool:
    return state in ("end", "stop")


def test_a_start_that_is_an_end() -> None:
    exact, moves = solve.absorb("end", {}.__getitem__, ends)
    assert exact.weights == {"end": 1} and moves == 0


@pytest.mark.parametrize(
    "chain",
    [
        {"a": {"a": Fraction(1)}},
        {"a": {"b": Fraction(1)}, "b": {"a": Fraction(1)}},
        {"a": {"b": half, "end": half}, "b": {"b": Fraction(1)}},
    ],
)
def test_a_chain_that_may_never_end_is_refused(chain: dict[str, dict[str, Fraction]]) -> None:
    with pytest.raises(ValueError, match="never end"):
        solve.absorb("a", chain.__getitem__, ends)


def test_too_many_states_are_refused() -> None:
    with pytest.raises(OddsTooLarge) as refused:
        solve.absorb(0, lambda at: {at + 1: half, -1: half}, lambda at: at == -1)
    assert refused.value.limit == solve.MAX_STATES


def test_too_many_states_that_reach_one_another_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solve, "MAX_TERMS", 1000)
    with pytest.raises(OddsTooLarge) as refused:
        solve.absorb(20, ladder(200, half), lambda at: at in (0, 200))
    assert refused.value.asked == 199 > refused.value.limit


@given(st.integers(0, 1000))
def test_random_chains_are_probabilities_and_agree_with_power_iteration(seed: int) -> None:
    random = Random(seed)
    chain = {at: random_move(random) for at in range(6)}
    exact, moves = solve.absorb(0, chain.__getitem__, lambda at: at < 0)
    assert sum(p for _, p in exact) == 1 and all(p > 0 for _, p in exact) and moves >= 1
    mass, ended = {0: 1.0}, {-1: 0.0, -2: 0.0}
    for _ in range(400):
        onward: dict[int, float] = {}
        for at, p in mass.items():
            for after, share in chain[at].items():
                into = ended if after < 0 else onward
                into[after] = into.get(after, 0.0) + p * float(share)
        mass = onward
    assert all(abs(float(exact[end]) - p) < 1e-9 for end, p in ended.items())


def random_move(random: Random) -> dict[int, Fraction]:
    weights = {random.randrange(6): random.randint(1, 5) for _ in range(3)} | {-random.randint(1, 2): 2}
    return {after: Fraction(weight, sum(weights.values())) for after, weight in weights.items()}


def test_merging_takes_the_deepest_first() -> None:
    """Ten coins counted: 2^10 paths, but only 11 ends and 66 states."""
    visited: list[tuple[int, int]] = []

    def onward(at: tuple[int, int]) -> dict[tuple[int, int], Fraction] | None:
        visited.append(at)
        left, heads = at
        return {(left - 1, heads): half, (left - 1, heads + 1): half} if left else None

    exact = solve.merge((10, 0), onward, lambda at: at[0])
    assert exact[0, 5] == Fraction(252, 1024) and len(visited) == 66


def test_whole_fights_are_symmetric() -> None:
    """Who goes first has the edge, whoever that is."""

    def go(state: Fight) -> dict[Fight, Fraction]:
        other = next(one for one in state.ninja if one != state.turn)
        seat = Seat("any", characters=(state.turn,))
        return solve.settle(change(state, agenda=(CarryOut(Strike(state.turn, other), seat),))).weights

    def first_wins(turn: str) -> Fraction:
        start = Fight(ninja=Map({"a": Ninja(2, 0), "b": Ninja(2, 0)}), turn=turn)
        exact, _ = solve.absorb(start, go, lambda state: state.over)
        return exact.where(lambda state: state.ninja[turn].life > 0)

    assert first_wins("a") == first_wins("b") > half
