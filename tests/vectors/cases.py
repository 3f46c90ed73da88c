"""Worked cases of the rulebooks: how one is read, what it calls, and how its expectation is compared.

A case names an action, what is given, the dice in order, and what to expect. A stateless action is called by its public
name; nothing here knows a rule.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from systems.core.calls import resolve
from systems.core.convert import to_plain, to_struct
from systems.core.dice import ScriptedDice
from systems.core.errors import Illegal
from systems.core.system import System, installed

HERE = Path(__file__).parent
PREFIXES = {"SG": "shinobigami", "SO": "origins", "NS": "ninja_slayer", "SD": "shinobido"}


class Unsupported(Exception):
    """The action needs a running game, which is not there yet."""


class Called(NamedTuple):
    """A public name with its parameters."""

    kind: str  # check, query or odds
    name: str
    params: dict[str, Any]


class Answer(NamedTuple):
    """What came back: outcome fields, or the code of a refusal."""

    outcome: dict[str, Any] | None
    error: str | None = None


Driver = Callable[[System, Called, list[int]], Answer]


def read(path: Path) -> list[dict[str, Any]]:
    raw = json.loads(path.read_text(encoding="utf-8"))
    return raw if isinstance(raw, list) else raw["vectors"]


def system_of(case: Mapping[str, Any]) -> str:
    return PREFIXES[case["rule"][0].split("-")[0]]


def called(case: Mapping[str, Any]) -> Called:
    """The public name that a case calls. Raises `Unsupported` for what needs a game."""
    game = system_of(case)
    system = installed()[game]
    adapter = import_module(f"tests.vectors.adapters.{game}")
    action, given = case["action"], dict(case["given"])
    if state := sorted(set(given) & adapter.STATE.get(action, set())):
        raise Unsupported(f"unsupported: {action} with {', '.join(state)}")
    if action == "odds":
        return Called("odds", given.pop("question"), given)
    if action in system.calls.checks:
        return Called("check", action, given)
    if action in system.calls.queries:
        return Called("query", action, given)
    raise Unsupported(f"unsupported: {action}")


def direct(system: System, call: Called, faces: list[int]) -> Answer:
    """Calls the rules without HTTP."""
    calls = system.calls
    try:
        if call.kind == "check":
            check = calls.checks[call.name]
            dice = ScriptedDice(faces)
            resolution = resolve(check, to_struct(call.params, check.params), dice)
            dice.close()
            verdict = resolution.verdict
            outcome = to_plain(resolution.report.outcome)
            return Answer({"grade": verdict.grade, "success": verdict.success, **outcome})
        named = calls.queries[call.name] if call.kind == "query" else calls.odds_questions[call.name]
        return Answer(to_plain(named.function(to_struct(call.params, named.params))))
    except Illegal as refusal:
        return Answer(None, refusal.code)
    except msgspec.ValidationError as misfit:
        raise AssertionError(f"{call} does not fit: {misfit}") from misfit


def run(case: Mapping[str, Any], driver: Driver = direct) -> None:
    """Play one case and compare. Raises `Unsupported`, or `AssertionError` with the first difference."""
    game = system_of(case)
    adapter = import_module(f"tests.vectors.adapters.{game}")
    answer = _answered(case, installed()[game], adapter, driver)
    expected = dict(case["expect"])
    if "error" in expected and answer.outcome is None:
        assert answer.error == expected["error"], f"refused with {answer.error}"
        return
    assert answer.outcome is not None, f"refused with {answer.error}"
    tolerance = expected.pop("tolerance", case.get("tolerance", 0))
    for name, wanted in expected.items():
        got = answer.outcome.get(adapter.RENAMED.get(name, name))
        where = f"{name}: expected {wanted}, got {got} in {answer.outcome}"
        if name in adapter.SETS and isinstance(got, list | tuple):
            assert sorted(map(str, got)) == sorted(map(str, wanted)), where
        else:
            assert same(wanted, got, tolerance), where


def played(case: Mapping[str, Any]) -> bool:
    """Whether the case is a message of a running game that its adapter can build (`PLAYED` names the actions)."""
    adapter = import_module(f"tests.vectors.adapters.{system_of(case)}")
    return case["action"] in getattr(adapter, "PLAYED", ())


def _answered(case: Mapping[str, Any], system: System, adapter: Any, driver: Driver) -> Answer:
    """By its public name, or else played as a message of a running game. Raises `Unsupported`."""
    faces = list(case.get("dice", ()))
    try:
        call = called(case)
    except Unsupported:
        if not played(case):
            raise
        answer: Answer = adapter.play(system, case, faces)
        return answer
    return driver(system, call, faces)


def same(wanted: Any, got: Any, tolerance: float = 0) -> bool:
    """Equal as a case means it: listed fields only, fractions as numbers, decimals within the tolerance."""
    if isinstance(wanted, dict):
        return isinstance(got, dict) and all(same(one, got.get(key), tolerance) for key, one in wanted.items())
    if isinstance(wanted, list):
        return (
            isinstance(got, list | tuple)
            and len(wanted) == len(got)
            and all(same(a, b, tolerance) for a, b in zip(wanted, got, strict=True))
        )
    if tolerance and isinstance(wanted, int | float) and got is not None:
        return math.isclose(float(Fraction(got)), wanted, rel_tol=0, abs_tol=tolerance)
    if isinstance(wanted, str) and isinstance(got, str) and wanted != got:
        return _number(wanted) is not None and _number(wanted) == _number(got)
    return type(wanted) is type(got) and bool(wanted == got)


def _number(text: str) -> Fraction | None:
    try:
        return Fraction(text)
    except ValueError:
        return None
