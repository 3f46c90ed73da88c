"""Calls the game by its public names, as a request does."""

from __future__ import annotations

import json
from typing import Any

import pytest

from systems.core.calls import odds, resolve
from systems.core.convert import to_plain, to_struct
from systems.core.dice import ScriptedDice
from systems.core.errors import Illegal
from systems.core.game import Game
from systems.core.odds import Distribution
from systems.core.play import AssumedAnswers, DiceChance, Play
from systems.core.text import Labels
from systems.ninja_slayer.system import NinjaSlayer

SYSTEM = NinjaSlayer()
CALLS = SYSTEM.calls
ENGLISH: Labels = SYSTEM.labels("en")
KARATE_5 = {"karate": 5, "neuron": 4, "wazamae": 4}


def plain(outcome: Any) -> dict[str, Any]:
    """An outcome as it stands in JSON."""
    read: dict[str, Any] = json.loads(json.dumps(to_plain(outcome)))
    return read


def throw(name: str, dice: str = "", **params: Any) -> dict[str, Any]:
    """A check with scripted dice, which must be used up: grade, success and the outcome fields."""
    call, faces = CALLS.checks[name], ScriptedDice([int(face) for face in dice if face != " "])
    done = resolve(call, to_struct(params, call.params), faces)
    faces.close()
    assert all("…" not in ENGLISH.explain(line) for line in done.report.explain)
    assert done.verdict.grade in call.grades
    return {"grade": done.verdict.grade, "success": done.verdict.success, **plain(done.report.outcome)}


def told(name: str, dice: str = "", **params: Any) -> list[str]:
    """The explanation of a check in English."""
    call = CALLS.checks[name]
    done = resolve(call, to_struct(params, call.params), ScriptedDice([int(face) for face in dice if face != " "]))
    return [ENGLISH.explain(line) for line in done.report.explain]


def ask(name: str, **params: Any) -> dict[str, Any]:
    """A query."""
    query = CALLS.queries[name]
    return plain(query.function(to_struct(params, query.params)))


def chance(name: str, **params: Any) -> dict[str, str]:
    """An odds question."""
    question = CALLS.odds_questions[name]
    return plain(question.function(to_struct(params, question.params)))


def exact(name: str, **params: Any) -> Distribution[Any]:
    """The exact odds of a check."""
    call = CALLS.checks[name]
    return odds(call, to_struct(params, call.params))


def refused(name: str, **params: Any) -> str:
    """The code of the refusal; nothing is thrown."""
    with pytest.raises(Illegal) as refusal:
        throw(name, "", **params)
    return refusal.value.code


def query_refused(name: str, **params: Any) -> str:
    with pytest.raises(Illegal) as refusal:
        ask(name, **params)
    return refusal.value.code


def roll(table: str, dice: str, **params: Any) -> list[str]:
    """A throw on a table: the rows it leads to, by id."""
    faces = ScriptedDice([int(face) for face in dice])
    play: Play[Game] = Play(Game(), DiceChance(faces), AssumedAnswers())
    if table in CALLS.table_rolls:
        call = CALLS.table_rolls[table]
        rows = [row for _, row in call.function(play, to_struct(params, call.params))]
    else:
        rows = [CALLS.tables[table].roll(play).id]
    faces.close()
    return rows
