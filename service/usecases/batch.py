"""Up to a hundred checks in one request, each with its own answer or problem."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

from msgspec import Meta, Struct

from service.forms.form import Form
from service.problems import FieldError, Misfit, Problem, invalid
from service.usecases.answers import new_id, now
from service.usecases.chances import batch_budget
from service.usecases.checks import Checks
from systems.core.odds import Budget

MAX_ROLLS = 100
OWN = ("system", "check")


class Batch(Struct, frozen=True):
    """The body: each roll is a check's body with `system` and `check` beside it."""

    rolls: Annotated[tuple[dict[str, Any], ...], Meta(min_length=1, max_length=MAX_ROLLS)]


BATCH = Form(Batch)


def throw_all(
    checks: Checks, raw: Any, language: str, with_odds: bool, unexpected: Callable[[Exception], Problem]
) -> dict[str, Any]:
    """The answers in the order of the rolls; at most 2,000 dice in all. Raises `Problem`.

    What fails in one roll, expected or not, is that roll's problem; `unexpected` reports an error of our own.
    """
    spent, shown, budget = 0, [], batch_budget()
    for roll in BATCH.read(raw).rolls:
        try:
            answer = _throw(checks, roll, language, with_odds, spent, budget)
            spent += sum(len(one["faces"]) for one in answer["rolls"])
        except Problem as problem:
            answer = problem.document(language)
        except Exception as error:
            answer = unexpected(error).document(language)
        shown.append(answer)
    return {"id": new_id(), "rolls": shown, "at": now()}


def _throw(
    checks: Checks, roll: dict[str, Any], language: str, with_odds: bool, spent: int, budget: Budget
) -> dict[str, Any]:
    missing = [name for name in OWN if not isinstance(roll.get(name), str)]
    if missing:
        key = {True: "missing", False: "text"}
        raise invalid([FieldError((name,), Misfit(key[name not in roll])) for name in missing])
    body = {name: value for name, value in roll.items() if name not in OWN}
    return checks.throw(roll["system"], roll["check"], body, language, with_odds, spent, budget)
