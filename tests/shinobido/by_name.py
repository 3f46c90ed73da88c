"""Calls of the stateless names as a client makes them."""

from __future__ import annotations

from typing import Any

import pytest

from systems.core.calls import Resolution, resolve
from systems.core.convert import to_plain, to_struct
from systems.core.dice import ScriptedDice
from systems.core.errors import Illegal
from systems.shinobido.system import Shinobido

SYSTEM = Shinobido()
CALLS = SYSTEM.calls

EVEN = [3, 3, 3, 3]  # net 0


def net(wanted: int) -> list[int]:
    """Four dice with this net."""
    greens = 7 + (wanted + 1) // 2
    reds = greens - wanted
    return [greens - greens // 2, greens // 2, reds - reds // 2, reds // 2]


def person(**ratings: Any) -> dict[str, Any]:
    """A sheet: ratings, and whatever else a sheet holds."""
    attributes = {name: ratings.pop(name) for name in tuple(ratings) if name in NAMES}
    return {"attributes": attributes, **ratings}


NAMES = ("intellect", "wits", "strength", "agility", "tenacity", "charisma", "wit", "charm")
BALANCED = person(intellect=1, wits=2, strength=2, agility=2, tenacity=1, charisma=1)


def resolved(name: str, dice: list[int], given: dict[str, Any]) -> Resolution:
    call, source = CALLS.checks[name], ScriptedDice(dice)
    resolution = resolve(call, to_struct(given, call.params), source)
    source.close()
    return resolution


def check(name: str, dice: list[int], **given: Any) -> dict[str, Any]:
    """The outcome of a check with its grade; the dice must fit exactly."""
    found = resolved(name, dice, given)
    assert found.verdict.grade in CALLS.checks[name].grades
    return {"grade": found.verdict.grade, "success": found.verdict.success, **to_plain(found.report.outcome)}


def query(name: str, **given: Any) -> dict[str, Any]:
    named = CALLS.queries[name]
    return to_plain(named.function(to_struct(given, named.params)))  # type: ignore[no-any-return]


def odds(name: str, **given: Any) -> Any:
    named = CALLS.odds_questions[name]
    return named.function(to_struct(given, named.params))


def refused(kind: str, name: str, **given: Any) -> tuple[str, str]:
    """Error id and rule of a refusal; no die is thrown."""
    with pytest.raises(Illegal) as refusal:
        if kind == "check":
            check(name, [], **given)
        elif kind == "query":
            query(name, **given)
        else:
            odds(name, **given)
    return refusal.value.code, refusal.value.rule
