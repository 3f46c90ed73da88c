"""What holds for every installed system, whatever game it is."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import msgspec
import pytest

from service.forms.form import published
from systems.core.calls import PENDING, CheckCall, odds, resolve
from systems.core.convert import to_struct
from systems.core.dice import FastDice
from systems.core.errors import Illegal, OddsTooLarge
from systems.core.odds import Budget
from systems.core.system import System, installed
from systems.core.text import LANGUAGES, read_toml
from tests.vectors import cases

TRIALS = 400
MAX_BRANCHES = 20_000  # checks with more are simulated in their own tests
EXAMPLES = 2  # parameters a check is simulated with

SYSTEMS = tuple(installed().values())
each_system = pytest.mark.parametrize("system", SYSTEMS, ids=lambda one: one.id)
each_language = pytest.mark.parametrize("language", LANGUAGES)


def words(system: System, language: str) -> Mapping[str, Any]:
    return read_toml(system.package, f"labels/{language}.toml")


def paths(words: Mapping[str, Any], *above: str) -> Iterator[tuple[str, ...]]:
    for key, value in words.items():
        if isinstance(value, Mapping):
            yield from paths(value, *above, key)
        else:
            yield (*above, key)


def names(system: System) -> dict[str, list[str]]:
    calls = system.calls
    return {
        "check": [*calls.checks],
        "query": [*calls.queries],
        "odds": [*calls.odds_questions],
        "table": [*calls.table_ids],
    }


@cache
def source(system: System) -> str:
    folder = Path(str(files(system.package)))
    return "\n".join(path.read_text(encoding="utf-8") for path in sorted(folder.rglob("*.py")))


def missing(wanted: Iterator[str] | list[str] | set[str], there: Mapping[str, Any]) -> list[str]:
    return sorted({one for one in wanted if not there.get(one)})


@each_language
@each_system
def test_every_name_has_a_word(system: System, language: str) -> None:
    labels = words(system, language).get("names", {})
    lacking = {kind: missing(ids, labels.get(kind, {})) for kind, ids in names(system).items()}
    assert not any(lacking.values()), lacking


@each_system
def test_every_word_for_a_name_has_its_name(system: System) -> None:
    promised = words(system, "en").get("names", {})
    lacking = {kind: sorted({*promised.get(kind, {})} - {*ids}) for kind, ids in names(system).items()}
    assert not any(lacking.values()), lacking


@each_language
@each_system
def test_every_grade_has_a_word(system: System, language: str) -> None:
    grades = [grade for check in system.calls.checks.values() for grade in check.grades]
    assert not missing(grades, words(system, language).get("grades", {}))


@each_language
@each_system
def test_every_refusal_has_a_sentence(system: System, language: str) -> None:
    codes = re.findall(r'\bIllegal\(\s*"(\w+)"', source(system))
    assert not missing(codes, words(system, language).get("errors", {}))


@each_system
def test_every_explanation_has_a_sentence(system: System) -> None:
    keys = re.findall(r'\bbecause\(\s*[^,()]+,\s*"(\w+)"', source(system))
    for language in LANGUAGES:
        assert not missing(keys, words(system, language).get("explain", {})), language


@each_language
@each_system
def test_every_language_has_the_same_words(system: System, language: str) -> None:
    english, own = ({*paths(words(system, one))} for one in ("en", language))
    assert own == english, sorted(own ^ english)[:20]


@each_language
@each_system
def test_sentences_are_filled_with_the_same_facts(system: System, language: str) -> None:
    for section in ("errors", "explain"):
        english, own = (words(system, one).get(section, {}) for one in ("en", language))
        wrong = {key: text for key, text in own.items() if not fields(text) <= fields(english.get(key, ""))}
        assert not wrong, wrong


def fields(sentence: str) -> set[str]:
    """What fills a sentence. Raises `ValueError` for one that cannot be filled."""
    sentence.format_map(Counter(re.findall(r"{(\w+)", sentence)))
    return set(re.findall(r"{(\w+)", sentence))


@each_system
def test_parameters_and_outcomes_are_frozen_and_have_schemas(system: System) -> None:
    calls = system.calls
    named = [*calls.checks.values(), *calls.queries.values(), *calls.odds_questions.values()]
    kinds = [kind for one in named for kind in (one.params, one.outcome)]
    for kind in (*kinds, *(roll.params for roll in calls.table_rolls.values())):
        assert issubclass(kind, msgspec.Struct) and kind.__struct_config__.frozen, kind
        published([kind], kind.__struct_config__.forbid_unknown_fields, "#/{name}")


@each_system
def test_every_table_loads(system: System) -> None:
    for id in system.calls.table_ids:
        table = system.calls.find_table(id)
        assert table and table.rows, id


@each_system
def test_every_rule_that_a_name_rests_on_is_known(system: System) -> None:
    calls = system.calls
    tables = [table for id in calls.table_ids if (table := calls.find_table(id))]
    named = [*calls.checks.values(), *calls.queries.values(), *calls.odds_questions.values(), *tables]
    assert not {one.id: unknown for one in named if (unknown := {*one.rules} - {*system.rules})}
    assert not [one.id for one in named if not one.rules]


@cache
def examples(system: str) -> Mapping[str, list[dict[str, Any]]]:
    """Parameters of each check in our worked cases that the rules do not refuse."""
    found: dict[str, list[dict[str, Any]]] = {}
    for case in cases.read(cases.HERE / "data" / f"{system}.vectors.json"):
        try:
            call = cases.called(case)
        except cases.Unsupported:
            continue
        if call.kind == "check" and "error" not in case["expect"]:
            found.setdefault(call.name, []).append(call.params)
    return found


CHECKS = [
    pytest.param(check, params, id=f"{system.id}-{name}-{number}")
    for system in SYSTEMS
    if (cases.HERE / "data" / f"{system.id}.vectors.json").is_file()
    for name, check in system.calls.checks.items()
    for number, params in enumerate(examples(system.id).get(name, [])[:EXAMPLES])
]


@pytest.mark.parametrize(("check", "params"), CHECKS)
def test_thrown_checks_agree_with_their_odds(check: CheckCall[Any, Any], params: dict[str, Any]) -> None:
    """Within five standard errors, and nothing comes that has no probability."""
    p = to_struct(params, check.params)
    try:
        exact = odds(check, p, budget=Budget(MAX_BRANCHES))
    except (OddsTooLarge, Illegal):
        pytest.skip("no exact odds for these parameters")
    assert sum(share for _, share in exact) == 1
    seen = Counter(resolve(check, p, FastDice(f"law/{number}")).verdict for number in range(TRIALS))
    for verdict in {*seen, *exact.weights}:
        share = float(exact[verdict])
        error = (TRIALS * share * (1 - share)) ** 0.5
        assert share > 0 and abs(seen[verdict] - TRIALS * share) <= 5 * error + 1, (verdict, share, seen)
    assert {verdict.grade for verdict in exact.weights} <= {*check.grades, PENDING, None}
