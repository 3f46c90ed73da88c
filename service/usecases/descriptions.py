"""What a system offers, told completely: names with their schemas, tables, rulings, options, words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib.resources import files
from itertools import takewhile
from typing import Any

from msgspec import Struct, structs

from service.forms.form import json_schema, published
from service.usecases.tables import summary
from systems.core.calls import CheckCall, OddsQuestion, Query
from systems.core.convert import to_plain
from systems.core.system import System
from systems.core.tables import RowTable
from systems.core.text import Labels

PARAMS = "#/schemas/params/{name}"
OUTCOMES = "#/schemas/outcomes/{name}"


def brief(system: System, language: str) -> dict[str, Any]:
    """A system in a few lines."""
    words = system.labels(language)
    return {
        "id": system.id,
        "name": words.find("system", "name") or system.id,
        "dice": words.find("system", "dice") or "",
        "edition": words.find("system", "edition") or "",
        "rules_version": system.rules_version,
        "languages": system.languages,
    }


def all_systems(systems: Mapping[str, System], language: str) -> dict[str, Any]:
    return {"systems": [brief(system, language) for system in systems.values()]}


def full(system: System, language: str) -> dict[str, Any]:
    """Everything that can be asked of a system. Shared parts of the schemas stand once, under `schemas`."""
    words, names = system.labels(language), list(_names(system))
    params, params_shared = published([one.params for _, one in names], True, PARAMS)
    outcomes, outcomes_shared = published([one.outcome for _, one in names], False, OUTCOMES)
    told = [_name(kind, one, words, *schemas) for (kind, one), *schemas in zip(names, params, outcomes, strict=True)]
    rules = [{"id": id, **to_plain(rule)} for id, rule in system.rules.items()]
    return {
        **brief(system, language),
        "names": told,
        "tables": [_table(system, table, words) for table in system.calls.table_ids],
        "options": [_option(one, words) for one in system.options],
        "rulings": [rule["id"] for rule in rules if rule["kind"] == "ruling"],
        "rules": rules,
        "marks": _marks(system),
        "character": json_schema(system.calls.sheet_check.params) if system.calls.sheet_check else None,
        "schemas": {"params": params_shared, "outcomes": outcomes_shared},
    }


def _marks(system: System) -> str:
    """How the marks of the rules are read: the head of the system's `data/rules.toml`."""
    file = files(system.package).joinpath("data/rules.toml")
    lines = file.read_text(encoding="utf-8").splitlines() if file.is_file() else []
    head = takewhile(lambda line: line.startswith("#"), lines)
    return "\n".join(line.lstrip("# ") for line in head)


Named = CheckCall[Any, Any] | Query | OddsQuestion


def _names(system: System) -> Iterable[tuple[str, Named]]:
    calls = system.calls
    for kind, names in (("check", calls.checks), ("query", calls.queries), ("odds", calls.odds_questions)):
        known: Mapping[str, Any] = names
        yield from ((kind, known[name]) for name in sorted(known))


def _name(kind: str, one: Named, words: Labels, params: Any, outcome: Any) -> dict[str, Any]:
    told: dict[str, Any] = {
        "name": one.id,
        "kind": kind,
        "text": words.word("names", kind, one.id),
        "rules": one.rules,
        "params": params,
        "outcome": outcome,
    }
    if isinstance(one, CheckCall):
        told["grades"] = [{"id": grade, "text": words.grade(grade)} for grade in one.grades]
    return told


def _table(system: System, table: str, words: Labels) -> dict[str, Any]:
    """What a table is; one that is computed is not computed for that."""
    calls = system.calls
    found = calls.tables.get(table) or RowTable(table, calls.computed_tables[table][0], ())
    return summary(system, found, words)


def _option(one: Struct, words: Labels) -> dict[str, Any]:
    told = structs.asdict(one)
    return {"id": told["id"], "text": words.word("options", told["id"]), **told}
