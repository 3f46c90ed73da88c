"""Policies and samples: the same rules, decided and drawn fast."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from systems.core import simulate, solve
from systems.core.ask import PASS, Question
from systems.core.checks import Check, Total
from systems.core.dice import Pool
from systems.core.game import Message
from systems.core.odds import distribution
from systems.core.play import AssumedAnswers, PolicyAnswers
from systems.core.seats import Seat

from .pools import Spread, Successes
from .toy import SCUFFLE, Fight, FightView, Spend, Strike, new_fight

A = Seat("s1", characters=("a",))


class Looks:
    """Spends its charm where it looks and still has it."""

    def __init__(self, looks: bool) -> None:
        self.looks = looks

    def answer(self, question: Question, look: Any) -> Message:
        return Spend() if self.looks and look().charms[question.about] else PASS


@pytest.mark.parametrize("looks", [True, False])
def test_a_view_is_made_only_if_the_policy_looks(looks: bool) -> None:
    seen: list[str] = []

    def view(game: Fight, character: str) -> FightView:
        seen.append(character)
        return SCUFFLE.view(game, Seat("any", characters=(character,)))

    answers = PolicyAnswers({"a": Looks(looks)}, view)
    after = simulate.carry_out(new_fight("a", "b"), Strike("a", "b"), A, simulate.SampledChance(1), answers)
    assert set(seen) == ({"a"} if looks else set())
    assert after.ninja["a"].charms == (0 if looks else 1)


def test_who_has_no_policy_does_what_odds_assume() -> None:
    fight, strike = new_fight("a", "b"), Strike("a", "b")
    nobody = solve.odds_of(fight, strike, A, PolicyAnswers({}, None))
    assert nobody.weights == solve.odds_of(fight, strike, A, AssumedAnswers()).weights


@pytest.mark.parametrize("check", [Total(2), Successes(Pool(30)), Spread(Pool(4)), Total(100, 20)], ids=str)
def test_samples_agree_with_odds(check: Check[Any]) -> None:
    chance, trials = simulate.SampledChance(11), 40_000
    drawn = Counter(chance.check(check, "any", "all") for _ in range(trials))
    exact = distribution(check)
    for outcome, p in exact:
        if p * trials > 5:
            error = (float(p) * (1 - float(p)) / trials) ** 0.5
            assert abs(drawn[outcome] / trials - p) < 4 * error
    assert all(exact[outcome] for outcome in drawn)


def test_where_odds_are_too_large_samples_throw() -> None:
    chance = simulate.SampledChance(2)
    assert 0 <= chance.check(Spread(Pool(80)), "any", "all") <= 5
    assert 200 <= chance.check(Total(200, 100), "any", "all") <= 20000


def run(seed: int | str) -> list[Any]:
    chance = simulate.SampledChance(seed)
    return [(chance.check(Total(3), "any", "all"), chance.rank(4, "any")) for _ in range(40)]


def test_the_same_seed_gives_the_same_run() -> None:
    assert run(3) == run(3) != run(4)
    assert run("job/3") == run("job/3") != run("job/4")


def test_sampled_ranks_are_uniform() -> None:
    chance, trials = simulate.SampledChance(8), 3000
    first = [chance.rank(3, "any")[0] for _ in range(trials)]
    assert all(abs(first.count(one) / trials - 1 / 3) < 4 * (2 / 9 / trials) ** 0.5 for one in range(3))
