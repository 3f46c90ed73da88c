"""What the rules cost: simulated battles, exact odds cold and warm (`pytest tests/benchmarks --benchmark-enable`).

Goals: 3,000 simulated messages a second on one core; odds of a check to 30 dice 20 ms cold and 1 ms warm, of 200 dice
1 s. Without `--benchmark-enable` each runs once and only its result is looked at.
"""

from __future__ import annotations

from typing import Any

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from systems.core import odds as exact
from systems.core import simulate
from systems.core.ask import Question
from systems.core.calls import odds
from systems.core.convert import to_struct
from systems.core.game import Message
from systems.core.play import Play, PolicyAnswers
from systems.core.seats import GM
from systems.core.system import installed
from systems.shinobigami.combat import Attack, PassTurn
from systems.shinobigami.policies import POLICIES
from tests.flows.test_shinobigami import battle

BLOWS = {
    "akari": ("blade", "botan"),
    "doro": ("curse", "botan"),
    "botan": ("poison", "akari"),
    "chidori": ("trap", "botan"),
}


class Counted(PolicyAnswers):
    """Policy answers, counted: every command and every answer is a message."""

    count = 0

    def window(self, play: Play[Any], questions: tuple[Question, ...], veiled: bool) -> tuple[Message, ...]:
        self.count += len(questions)
        return super().window(play, questions, veiled)


def battles(rounds: int) -> tuple[int, int]:
    """Whole rounds of the battle of the flow test with reactions; commands and answers carried out."""
    answers = Counted(dict.fromkeys(BLOWS, POLICIES["reactive"]), lambda game, who: game)
    chance, commands = simulate.SampledChance(1), 0
    for _ in range(rounds):
        game = battle()
        while game.acting is not None:
            who = game.group[0].id
            skill, target = BLOWS[who]
            blow: Message = Attack(who, "close_combat_attack", skill, (target,))
            message = PassTurn(who) if blow.refuse(game, GM, None) else blow
            game = simulate.carry_out(game, message, GM, chance, answers)
            commands += 1
    return commands, answers.count


def test_simulated_battles_of_shinobigami(benchmark: BenchmarkFixture) -> None:
    """100 rounds; `messages` in the extra figures, divided by the time, is the rate."""
    commands, answers = benchmark(battles, 100)
    benchmark.extra_info.update(commands=commands, answers=answers, messages=commands + answers)
    assert commands > 250 and answers > commands


POOLS: list[tuple[str, str, dict[str, Any]]] = [
    ("ninja_slayer", "check", {"pool": 30, "difficulty": "HARD", "eyes": ["6,6"]}),
    ("ninja_slayer", "check", {"pool": 100, "instant_dice": 100, "instant_available": 100}),
    ("origins", "roll", {"pool": 30}),
    ("origins", "action_roll", {"pool": 30, "position": "desperate"}),
    ("shinobigami", "skill_check", {"target_number": 7, "n": 30}),
    ("shinobido", "check", {"actor": {"attributes": {"agility": 3}}, "attribute": "agility"}),
]


def forget() -> None:
    for cached in (exact.ways, exact.weighed, exact.distribution):
        cached.cache_clear()


@pytest.mark.parametrize("cold", [True, False], ids=["cold", "warm"])
@pytest.mark.parametrize(("system", "check", "params"), POOLS)
def test_odds_of_a_pool(
    benchmark: BenchmarkFixture, system: str, check: str, params: dict[str, Any], cold: bool
) -> None:
    call = installed()[system].calls.checks[check]
    given = to_struct(params, call.params)
    found = benchmark.pedantic(odds, (call, given), setup=forget if cold else None, rounds=20, warmup_rounds=1)
    assert sum(p for _, p in found) == 1


def test_a_duel_of_shinobido(benchmark: BenchmarkFixture) -> None:
    """Two wounded and wounding each other to the end, exact, cold: within 1 s."""
    question = installed()["shinobido"].calls.odds_questions["duel"]
    sides = {"a": {"attributes": {"strength": 3, "agility": 3}}, "b": {"attributes": {"strength": 2, "wits": 2}}}
    given = to_struct(sides, question.params)
    answer: Any = benchmark.pedantic(question.function, (given,), setup=forget, rounds=5)
    assert 0 < answer.p_a_wins < 1
