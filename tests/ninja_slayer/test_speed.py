"""What exact odds of attacks cost: in branches, which are the same everywhere; times with `--benchmark-enable`.

Measured cold on the reference machine: 5+5+4 under `evade_baseline` 0.35 s (must hold: 1.5 s), by a plan 0.1 s; seven
dice against seven with counter and counter-evasion 5 ms (must hold: 100 ms).
"""

from __future__ import annotations

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from systems.core import solve
from systems.core.game import CarryOut
from systems.core.odds import Budget, Distribution
from systems.core.play import PolicyAnswers
from systems.core.seats import GM
from systems.core.values import Map
from systems.ninja_slayer.fight import Fight
from systems.ninja_slayer.policies import POLICIES, glance
from systems.ninja_slayer.sequence import Melee, MeleePart
from systems.ninja_slayer.sheet import Character

ATTACKER = Character(karate=14, neuron=4, wazamae=4, leg=7, hp=13, spirit=4, initiative=4, evasion_now=14)
TARGET = Character(karate=7, neuron=4, wazamae=4, leg=4, hp=7, spirit=4, initiative=4, evasion_now=7)


def exchange(parts: tuple[int, ...], branches: int) -> Distribution[Fight]:
    answers = PolicyAnswers(dict.fromkeys("at", POLICIES["evade_baseline"]), glance)
    attack = Melee("a", tuple(MeleePart("t", dice) for dice in parts))
    fight = Fight(agenda=(CarryOut(attack, GM),), fighters=Map({"a": ATTACKER, "t": TARGET}))
    return solve.settle(fight, answers, Budget(branches))


@pytest.mark.parametrize(("parts", "branches"), [((7,), 100), ((5, 5, 4), 20_000)])
def test_odds_of_an_attack(benchmark: BenchmarkFixture, parts: tuple[int, ...], branches: int) -> None:
    ended = benchmark(exchange, parts, branches)
    assert sum(p for _, p in ended) == 1
    assert ended.where(lambda game: not game.fighters["a"].able) == 0, "hp 13: no counter fells him"
    assert 0 < ended.where(lambda game: game.fighters["t"].gone) < 1
