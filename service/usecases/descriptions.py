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
        **_messages(system, words),
        "character": json_schema(system.calls.sheet_check.params) if system.calls.sheet_check else None,
        "schemas": {"params": params_shared, "outcomes": outcomes_shared},
    }


def _marks(system: System) -> str:
    """How the marks of the rules are read: the head of the system's `data/rules.toml`."""
    file = files(system.package).joinpath("data/rules.toml")
    lines = file.read_text(encoding="utf-8").splitlines() if file.is_file() else []
    head = takewhile(lambda line: line.startswith("#"), lines)
    return "\n".join(line.lstrip("# ") for line in head)


class GivenFor(Struct, frozen=True):
    """What is answered in the place of somebody."""

    action: str
    params: dict[str, Any] = {}


class GmAnswer(Struct, frozen=True):
    """The GM answers in the place of whom the question is for."""

    question: str
    answer: GivenFor


class GmSkip(Struct, frozen=True):
    """The GM lets a question be answered with silence."""

    question: str


class GmCancel(Struct, frozen=True):
    """The GM takes back the command that waits."""

    reason: str = ""


GM_ACTS: Mapping[str, type[Struct]] = {"gm_answer": GmAnswer, "gm_skip": GmSkip, "gm_cancel": GmCancel}
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


def _messages(system: System, words: Labels) -> dict[str, Any]:
    """The commands and answers of the system's games, with the switches that a game may begin with."""
    if system.state is None:
        return {"commands": [], "answers": [], "switches": None}
    known = sorted(system.codec.messages.items())
    commands = [_message(name, one, words) for name, one in known if not one.answers_only]
    acts = [_message(name, one, words) for name, one in GM_ACTS.items()]
    answers = [_message(name, one, words) for name, one in known if one.answers_only]
    return {"commands": commands + acts, "answers": answers, "switches": json_schema(system.switches)}


def _message(name: str, kind: type[Struct], words: Labels) -> dict[str, Any]:
    """A message with the schema of its parameters, complete in itself; its name is told beside them."""
    schema = dict(json_schema(kind))
    tag = kind.__struct_config__.tag_field
    if tag:
        schema["properties"] = {one: value for one, value in schema["properties"].items() if one != tag}
        schema["required"] = [one for one in schema.get("required", ()) if one != tag]
    about = (kind.__doc__ or "").strip().partition("\n")[0]
    return {"name": name, "text": words.find("names", "command", name) or about, "params": schema}


def _table(system: System, table: str, words: Labels) -> dict[str, Any]:
    """What a table is; one that is computed is not computed for that."""
    calls = system.calls
    found = calls.tables.get(table) or RowTable(table, calls.computed_tables[table][0], ())
    return summary(system, found, words)


def _option(one: Struct, words: Labels) -> dict[str, Any]:
    told = structs.asdict(one)
    return {"id": told["id"], "text": words.word("options", told["id"]), **told}
