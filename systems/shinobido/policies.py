"""Policies that odds and simulations name: they answer the questions of a scene (table `policies`)."""

from __future__ import annotations

from typing import Any

from systems.core.ask import Question
from systems.core.game import Message
from systems.core.play import Answers, Policy, PolicyAnswers
from systems.shinobido.answers import Decide, UseReroll
from systems.shinobido.state import OpenRed, Scene


class AttackEveryTurn:
    """A basic attack every turn, nothing else: no Surge, no reroll."""

    def answer(self, question: Question, look: Any) -> Message:
        return Decide("decline" if question.topic == "surge_offer" else "no")


class RerollHigherRed:
    """After a failure the higher red die again, of equal ones the first; never after a success (SD-Q09)."""

    def answer(self, question: Question, look: Any) -> Message:
        seen = look() if question.topic == "reroll_offer" else None
        if not isinstance(seen, OpenRed) or seen.dice.total > 0:
            return question.silence
        return UseReroll("red1" if seen.dice.red1 >= seen.dice.red2 else "red2")


POLICIES: dict[str, Policy] = {"attack_every_turn": AttackEveryTurn(), "reroll_higher_red": RerollHigherRed()}


def own_dice(scene: Scene, who: str) -> OpenRed | None:
    """What a character's player sees of an open roll: the own dice (SD-P07)."""
    return scene.open_roll if scene.open_roll and scene.open_roll.who == who else None


def following(**policies: str) -> Answers:
    """Answers of characters that follow policies, by character."""
    return PolicyAnswers({who: POLICIES[policy] for who, policy in policies.items()}, own_dice)
