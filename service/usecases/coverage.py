"""Which rules the code implements and the tests prove, found by the rule ids that they name."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Literal

from msgspec import Struct

from systems.core.system import Rule, System

State = Literal["implemented and tested", "implemented only", "not yet (needs a game)", "advice", "left out", "missing"]
STATES: tuple[State, ...] = (
    "implemented and tested",
    "implemented only",
    "missing",
    "not yet (needs a game)",
    "left out",
    "advice",
)
MISSING: tuple[State, ...] = ("implemented only", "missing")
TESTS = Path("tests")


class Covered(Struct, frozen=True):
    """How one rule stands."""

    id: str
    rule: Rule
    state: State


class Coverage(Struct, frozen=True):
    """How all rules of a system stand; `unknown` are ids that the code names but the digest does not have."""

    rules: tuple[Covered, ...]
    unknown: tuple[str, ...]

    def ids(self, state: State) -> tuple[str, ...]:
        return tuple(one.id for one in self.rules if one.state == state)


def covered(system: System, tests: Path = TESTS) -> Coverage:
    """Read off the system's sources and data, and off the tests in `tests` (none if the folder is not there)."""
    shape = _shape(system.rules)
    data = _tables(system)
    named = _named(shape, _sources(system)) | data
    proved = _named(shape, _texts(tests)) | (data if tests.is_dir() else set())
    return Coverage(
        tuple(Covered(id, rule, _state(id, rule, named, proved)) for id, rule in system.rules.items()),
        tuple(sorted(named - set(system.rules))),
    )


def _state(id: str, rule: Rule, named: set[str], proved: set[str]) -> State:
    if id in named:
        return "implemented and tested" if id in proved else "implemented only"
    if rule.left_out:
        return "left out"
    if rule.scope == "advice" or rule.kind == "advice":
        return "advice"
    return "missing" if rule.scope == "check" else "not yet (needs a game)"


def report(system: System, only_missing: bool = False, tests: Path = TESTS) -> str:
    """The coverage of a system as text: a line of counts, then one line a rule."""
    found = covered(system, tests)
    counts = ", ".join(f"{len(found.ids(state))} {state}" for state in STATES)
    lines = [f"{system.id}: {len(found.rules)} rules: {counts}"]
    if not tests.is_dir():
        lines.append(f"  (no folder {tests} here: run this in the repository to see what is tested)")
    for one in found.rules:
        if not only_missing or one.state in MISSING:
            why = one.rule.left_out or one.rule.line
            lines.append(f"  {one.id:10} {one.state:24} {why}")
    lines += [f"  {id:10} {'unknown':24} named in the code, not in the digest" for id in found.unknown]
    return "\n".join(lines)


def _shape(rules: Mapping[str, Rule]) -> re.Pattern[str]:
    """What an id of this system looks like: its prefix, letters, digits."""
    prefixes = sorted({id.split("-")[0] for id in rules}) or ["-"]
    return re.compile(rf"\b(?:{'|'.join(prefixes)})-[A-Z]*[0-9]+[a-z]?\b")


def _named(shape: re.Pattern[str], texts: Iterable[str]) -> set[str]:
    return {id for text in texts for id in shape.findall(text)}


def _sources(system: System) -> Iterable[str]:
    folder = files(system.package)
    return [one.read_text(encoding="utf-8") for one in folder.iterdir() if one.name.endswith(".py")]


def _tables(system: System) -> set[str]:
    """Tables of data are checked for gaps and overlaps whenever they are read."""
    return {rule for table in system.calls.tables.values() for rule in table.rules}


@cache
def _texts(tests: Path) -> tuple[str, ...]:
    """The texts of the tests; of the worked cases only the rules that they name."""
    if not tests.is_dir():
        return ()
    code = [path.read_text(encoding="utf-8") for path in sorted(tests.rglob("*.py"))]
    cases = [_rules_of(path) for path in sorted(tests.rglob("*.vectors.json"))]
    return (*code, *cases)


def _rules_of(path: Path) -> str:
    raw = json.loads(path.read_text(encoding="utf-8"))
    found = raw if isinstance(raw, list) else raw["vectors"]
    return " ".join(id for case in found for id in case.get("rule", ()))
