"""Policies of battle for simulations and exact odds; each sees its question, which says what lies open (section 27)."""

from __future__ import annotations

from typing import Any

from systems.core.ask import PASS, Question
from systems.core.game import Message
from systems.shinobigami.checks import SUCCESSES
from systems.shinobigami.combat import Dodge
from systems.shinobigami.losses import PerfectDefense
from systems.shinobigami.reactions import AFTER_ROLL, BREAK, LOSS, Interfere, OhgiBreak, UseGear


class Passive:
    """Dodges with the attack's skill, breaks what it can, reacts to nothing."""

    id = "passive"

    def answer(self, question: Question, look: Any) -> Message:
        if question.topic == "dodge":
            return Dodge("assigned")
        if question.topic == BREAK:
            return OhgiBreak(True)
        return PASS if question.topic in (AFTER_ROLL, LOSS) else question.silence


class Reactive(Passive):
    """First chance: a Soma Pill on every own failure, a Prayer Seal or Dark Interference on every other success."""

    id = "reactive"

    def answer(self, question: Question, look: Any) -> Message:
        if question.topic == AFTER_ROLL and len(question.offers) > 1:
            _, roller, grade = question.subject.split(":")
            if (roller == question.about) == (grade in SUCCESSES):
                return PASS
            offered = [one.action for one in question.offers]
            if "use_gear" in offered:
                return UseGear("soma_pill" if roller == question.about else "prayer_seal")
            return Interfere(0)
        if question.topic == LOSS and any(one.action == "perfect_defense" for one in question.offers):
            return PerfectDefense() if question.subject.endswith(question.about) else PASS
        return super().answer(question, look)


POLICIES = {one.id: one for one in (Passive(), Reactive())}
