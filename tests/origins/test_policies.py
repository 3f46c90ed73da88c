"""Policies decide legally, whole actions under them are exact, and explanations are whole sentences (section 22.1)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from msgspec import Struct

from systems.core import solve
from systems.core.ask import Question
from systems.core.calls import resolve
from systems.core.convert import to_struct
from systems.core.dice import ScriptedDice
from systems.core.errors import Illegal
from systems.core.game import Message
from systems.core.odds import Distribution
from systems.core.play import Policy, PolicyAnswers
from systems.core.seats import Seat
from systems.core.text import LANGUAGES
from systems.core.values import Map
from systems.origins.action import DeclareAction
from systems.origins.armor import Armor, Load
from systems.origins.effect import Clock
from systems.origins.fight import Fight, Fighter, Foe
from systems.origins.policies import POLICIES
from tests.vectors import cases

from .asking import CALLS, ORIGINS

AKI = Seat("s1", characters=("aki",))
CUT = DeclareAction(who="aki", skill="blades", target="oni", plan=("damage",))


class Legal(Struct, frozen=True):
    """A policy whose every answer is held against what is offered."""

    policy: Policy

    def answer(self, question: Question, look: Callable[[], Fight]) -> Message:
        answer, seat = self.policy.answer(question, look), Seat("x", characters=(question.about,))
        assert question.refuse(answer) is None and answer.refuse(look(), seat, question) is None
        return answer


def outcomes(player: str, enemy: str, position: Any = "desperate", difficulty: Any = "average") -> Distribution[Fight]:
    dots = Map({"blades": 2, "analyze": 2})
    fighters = {
        "aki": Fighter(
            position=position, chakra=4, dots=dots, honor=10, armor=Armor(weight="light"), load=Load("light")
        ),
        "bo": Fighter(chakra=6, dots=dots),
    }
    start = Fight(fighters=Map(fighters), foes=Map({"oni": Foe(difficulty=difficulty, turns_left=1, clock=Clock(4))}))
    answers = PolicyAnswers(
        {
            "aki": Legal(POLICIES[player]),
            "bo": Legal(POLICIES[player]),
            "gm": Legal(POLICIES[enemy]),
        },
        lambda game, about: ORIGINS.view(game, Seat(about, characters=(about,))),
    )
    return solve.odds_of(start, CUT, AKI, answers)


@pytest.mark.parametrize("difficulty", ["average", "harder"])
@pytest.mark.parametrize("enemy", ["greedy", "patient"])
@pytest.mark.parametrize("player", ["brute", "careful", "team"])
def test_every_pair_of_policies_plays_a_whole_action(player: str, enemy: str, difficulty: str) -> None:
    """SO-P21: against a harder enemy the GM names the kind."""
    for position in ("controlled", "terrible"):
        assert sum(p for _, p in outcomes(player, enemy, position, difficulty)) == 1


def test_what_sets_them_apart() -> None:
    struck = {
        enemy: outcomes("brute", enemy).where(lambda one: one.foes["oni"].turns_left == 0)
        for enemy in ("greedy", "patient")
    }
    assert struck["patient"] < struck["greedy"], "a patient enemy only loses turns to good rolls"
    opened = outcomes("team", "greedy").where(lambda one: bool(one.states))
    assert opened > 0 == outcomes("brute", "greedy").where(lambda one: bool(one.states)), "SO-F08"
    better = outcomes("careful", "patient").where(lambda one: one.fighters["aki"].position == "risky")
    assert better > 0 == outcomes("brute", "patient").where(lambda one: one.fighters["aki"].position == "risky")
    helped = outcomes("team", "greedy").where(lambda one: one.fighters["bo"].chakra < 6)
    assert helped > 0 == outcomes("brute", "greedy").where(lambda one: one.fighters["bo"].chakra < 6), "SO-T06"


VECTORS = [one for one in cases.read(cases.HERE / "data" / "origins.vectors.json") if one["action"] in CALLS.checks]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_explanation_is_a_whole_sentence(language: str) -> None:
    words, told = ORIGINS.labels(language), 0
    for case in VECTORS:
        if "already_rolled" in case["given"]:
            continue
        check = CALLS.checks[case["action"]]
        try:
            resolution = resolve(check, to_struct(case["given"], check.params), ScriptedDice(case.get("dice", [])))
        except Illegal:
            continue
        for line in resolution.report.explain:
            sentence = words.explain(line)
            assert "…" not in sentence and sentence != line.key and line.rule in ORIGINS.rules
            told += 1
    assert told > 300
