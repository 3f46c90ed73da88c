"""Calls the game by its public names, as a request does."""

from __future__ import annotations

import json
from typing import Any

from systems.core.calls import odds, resolve
from systems.core.convert import to_plain, to_struct
from systems.core.dice import ScriptedDice
from systems.core.errors import Illegal
from systems.core.game import Game
from systems.core.play import AssumedAnswers, DiceChance, Play
from systems.shinobigami.system import Shinobigami

CALLS = Shinobigami.calls
AKARI = {"id": "akari", "clan": "kurama", "skills": ["blade", "hand_to_hand", "speed", "escape", "analysis", "poison"]}
BOTAN = {
    "id": "botan",
    "clan": "hirasaka",
    "skills": ["poison", "manipulation", "bluff", "infiltration", "creature_mastery", "illusion"],
}


def plain(outcome: Any) -> dict[str, Any]:
    """An outcome as it leaves the service."""
    answer: dict[str, Any] = json.loads(json.dumps(to_plain(outcome)))
    return answer


def throw(name: str, /, *dice: int, **params: Any) -> dict[str, Any]:
    """A check with scripted dice, which must be used up: grade, success and the outcome fields."""
    call, faces = CALLS.checks[name], ScriptedDice(dice)
    done = resolve(call, to_struct(params, call.params), faces)
    faces.close()
    assert done.report.explain or done.pending
    pending = done.pending.topic if done.pending else None
    verdict = {"grade": done.verdict.grade, "success": done.verdict.success, "pending": pending}
    return {**verdict, **plain(done.report.outcome)}


def ask(name: str, /, **params: Any) -> dict[str, Any]:
    """A query."""
    query = CALLS.queries[name]
    return plain(query.function(to_struct(params, query.params)))


def exact(question: str, /, **params: Any) -> dict[str, Any]:
    """An odds question."""
    asked = CALLS.odds_questions[question]
    return plain(asked.function(to_struct(params, asked.params)))


def chances(name: str, /, **params: Any) -> dict[str, str]:
    """The exact odds of a check: grade -> fraction."""
    call = CALLS.checks[name]
    found = odds(call, to_struct(params, call.params))
    assert sum(p for _, p in found) == 1
    return {verdict.grade: str(p) for verdict, p in found}


def refused(kind: str, name: str, /, *dice: int, **params: Any) -> str:
    """The code with which a name of this kind (check, query, odds) is refused."""
    try:
        throw(name, *dice, **params) if kind == "check" else (ask if kind == "query" else exact)(name, **params)
    except Illegal as refusal:
        return refusal.code
    raise AssertionError(f"{name} is not refused")


def roll_table(table: str, /, *dice: int, **params: Any) -> list[str]:
    """The rows of a throw on a table."""
    chance, faces = CALLS.table_rolls[table], ScriptedDice(dice)
    play: Play[Any] = Play(Game(), DiceChance(faces), AssumedAnswers())
    rows = chance.function(play, to_struct(params, chance.params))
    faces.close()
    return [row for _, row in rows]
