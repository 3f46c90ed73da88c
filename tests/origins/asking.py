"""Asking Origins by name, as the service does."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest

from systems.core.calls import odds, resolve
from systems.core.convert import to_plain, to_struct
from systems.core.dice import ScriptedDice
from systems.core.errors import Illegal
from systems.core.system import installed

ORIGINS = installed()["origins"]
CALLS = ORIGINS.calls


def plain(outcome: Any) -> dict[str, Any]:
    """An outcome as JSON has it."""
    read: dict[str, Any] = json.loads(json.dumps(to_plain(outcome)))
    return read


def throw(name: str, /, *faces: int, **given: Any) -> dict[str, Any]:
    """The outcome of a check with these faces, which must fit exactly."""
    check, dice = CALLS.checks[name], ScriptedDice(faces)
    resolution = resolve(check, to_struct(given, check.params), dice)
    dice.close()
    assert resolution.verdict.grade in (*check.grades, None) or resolution.pending
    shown = {"grade": resolution.verdict.grade, "success": resolution.verdict.success}
    outcome = {**shown, **(plain(resolution.report.outcome) or {})}
    if resolution.pending:
        outcome["pending"] = resolution.pending.topic
    return outcome


def ask(name: str, /, **given: Any) -> dict[str, Any]:
    """The outcome of a query."""
    query = CALLS.queries[name]
    return plain(query.function(to_struct(given, query.params)))


def chance(name: str, /, **given: Any) -> dict[str, Any]:
    """The outcome of an odds question."""
    question = CALLS.odds_questions[name]
    return plain(question.function(to_struct(given, question.params)))


def grades(name: str, /, **given: Any) -> dict[str | None, Fraction]:
    """The exact odds of a check by grade; they sum to 1."""
    check = CALLS.checks[name]
    found = odds(check, to_struct(given, check.params)).by(lambda one: one.grade)
    assert sum(found.weights.values()) == 1
    return found.weights


def refused(name: str, /, **given: Any) -> str:
    """The code of a refusal; its rule is one of the digest's, and nothing was thrown."""
    with pytest.raises(Illegal) as refusal:
        throw(name, **given) if name in CALLS.checks else ask(name, **given)
    assert refusal.value.rule in ORIGINS.rules
    return refusal.value.code


def chart(*rows: str) -> dict[str, list[str]]:
    """A harm chart: one word of letters for each row, a letter for each wound."""
    return {str(level): list(row) for level, row in enumerate((*rows, "", "", "")[:3], 1)}
