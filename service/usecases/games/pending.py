"""What a seat is told of an open step: its own questions, and that the game is paused."""

from __future__ import annotations

from typing import Any

from service.usecases.answers import question_shown
from service.usecases.games.standing import Standing
from service.usecases.games.times import stamp
from systems.core.convert import to_plain
from systems.core.game import Message
from systems.core.seats import Seat
from systems.core.system import System


def pending_shown(standing: Standing[Any], seat: Seat) -> dict[str, Any] | None:
    """The caller's own open questions; None if nothing waits."""
    if standing.waiting is None:
        return None
    return {"questions": [_question(standing, at) for at in own_open(standing, seat.id)], "paused": True}


def own_open(standing: Standing[Any], seat: str) -> list[int]:
    """The places of the questions that the seat has still to answer."""
    if standing.waiting is None:
        return []
    window = standing.waiting.window
    asked = enumerate(window.questions)
    player = standing.table.player_of
    return [at for at, one in asked if at not in window.given and player(one.about) == seat]


def _question(standing: Standing[Any], at: int) -> dict[str, Any]:
    assert standing.waiting
    question = standing.waiting.window.questions[at]
    shown = question_shown(question)
    return {
        "id": standing.question_id(at),
        "topic": shown["topic"],
        "about": shown["about"],
        "offers": shown["offers"],
        "silence": message_shown(question.silence),
        "deadline": stamp(standing.due) if standing.due else None,
    }


def message_shown(message: Message) -> dict[str, Any]:
    params = to_plain(message)
    return {"action": params.pop("type"), "params": params}


def all_questions(standing: Standing[Any]) -> list[dict[str, Any]]:
    """For the GM: every open question, without what it offers; in a veiled window not even whether it is answered."""
    if standing.waiting is None:
        return []
    window = standing.waiting.window
    player = standing.table.player_of
    return [
        {
            "id": standing.question_id(at),
            "about": one.about,
            "seat": player(one.about),
            **({} if window.veiled else {"topic": one.topic, "answered": at in window.given}),
        }
        for at, one in enumerate(window.questions)
    ]


def waiting_for(system: System, standing: Standing[Any]) -> list[dict[str, Any]]:
    """Whom all may know to be waited for: the asked of an open window who have not answered, or whose turn it is."""
    player = standing.table.player_of
    if standing.waiting is None:
        turns = system.turns(standing.game)
        return [{"character": one, "seat": player(one), "topic": "turn"} for one in turns]
    window = standing.waiting.window
    if window.veiled:
        return []
    return [
        {"character": one.about, "seat": player(one.about), "topic": one.topic}
        for at, one in enumerate(window.questions)
        if at not in window.given
    ]
