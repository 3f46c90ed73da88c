"""The decisions of a scene as messages and questions (tables `decisions`, SD-T09, SD-T10)."""

from __future__ import annotations

from functools import lru_cache
from typing import ClassVar

from msgspec import Struct

from systems.core.ask import Offer, OneOf, Question, asked, offer
from systems.core.errors import Illegal
from systems.core.game import Message
from systems.core.seats import Seat
from systems.shinobido.names import calls
from systems.shinobido.sheet import Sheet, has_reroll
from systems.shinobido.state import Scene
from systems.shinobido.vocabulary import Die

_DECISIONS = {row.id: row.facts for row in calls.tables["decisions"].rows}


class Decide(Message, Struct, frozen=True, cache_hash=True, tag="answer_decision"):
    """The answer to an open decision, one of those that the table `decisions` lists for it."""

    answer: str | int
    answers_only: ClassVar[bool] = True

    def refuse(self, game: Scene, seat: Seat, question: Question | None) -> Illegal | None:
        if question is None:
            return Illegal("no_decision", "SD-T09")
        return None if seat.speaks_for(question.about) else Illegal("not_owner", "SD-P03")


class UseReroll(Message, Struct, frozen=True, cache_hash=True, tag="use_reroll"):
    """The other way to say yes to a `reroll_offer`: the die that is thrown again (SD-M14)."""

    reroll: Die
    answers_only: ClassVar[bool] = True

    def refuse(self, game: Scene, seat: Seat, question: Question | None) -> Illegal | None:
        who = (question.about,) if question else seat.characters
        sheets = [game.cast[one] for one in who if one in game.cast]
        refusals = [reroll_refused(sheet, self.reroll) for sheet in sheets]
        if refusals and all(refusals):
            return refusals[0]
        offered = question is not None and question.topic == "reroll_offer"
        return None if offered else Illegal("no_decision", "SD-T09")


def reroll_refused(sheet: Sheet, die: Die) -> Illegal | None:
    """Why this die cannot be thrown again by this character: no Edge or a green die, or the scene's reroll is spent."""
    if die not in ("red1", "red2") or not has_reroll(sheet):
        return Illegal("reroll_not_allowed", "SD-M14")
    return Illegal("reroll_used", "SD-M14") if sheet.reroll_used else None


def decision(topic: str, about: str, subject: str, *more: Offer) -> Question:
    """A question of the table `decisions`; silence, and what odds assume, is its default."""
    default = Decide(_DECISIONS[topic]["default"])
    answers = offer(Decide, answer=OneOf(tuple(_DECISIONS[topic]["answers"])))
    return asked(about, topic, answers, *more, silence=default, subject=subject)


@lru_cache(maxsize=256)
def reroll_offer(about: str, kind: str, may: bool = True) -> Question:
    """Right after one's own dice: a red die again? `subject` is the kind of roll (SD-M14).

    One whose Edges are hidden is asked in any case, and offered nothing if there is none.
    """
    if not may:
        return asked(about, "reroll_offer", offer(Decide, answer=OneOf(("no",))), silence=Decide("no"), subject=kind)
    return decision("reroll_offer", about, kind, offer(UseReroll, reroll=OneOf(("red1", "red2"))))


@lru_cache(maxsize=256)
def surge_offer(about: str) -> Question:
    """Before anything else happens to one who drops: a Last Stand? (SD-H02)"""
    return decision("surge_offer", about, "last_stand")


def chosen(message: Message) -> str:
    """What was decided, as an id of the table `decisions`."""
    return message.reroll if isinstance(message, UseReroll) else str(getattr(message, "answer", ""))
