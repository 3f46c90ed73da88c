"""The OpenAPI document of the installed systems: generated, with an example for every operation that was really run."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

import yaml
from flask import Flask
from flask_smorest import Api

from service.api.http import encode
from service.forms.form import published
from service.usecases.catalogue import Catalogue, names_by_kind, path_of
from systems.core.calls import CheckCall
from systems.core.system import System

ID, AT = "r_9f86d081884c7d659a2feaa0c55ad015", "2026-12-01T12:00:00Z"
TEMPLATES = {
    "check": "/v1/systems/{system}/checks/{check}",
    "query": "/v1/systems/{system}/queries/{query}",
    "odds": "/v1/systems/{system}/odds/{question}",
}
LONGEST_LIST = 2  # entries of a list in the example of a long answer
LONG = ("describe_system", "read_table", "list_systems")

FIXED: dict[str, Any] = {
    "ready": {"status": "ready", "degraded": []},
    "metrics": 'ninja_rules_requests_total{worker="7",method="POST",status="200"} 42\n',
    "openapi_yaml": "openapi: 3.1.0\n",
    "openapi_json": {"openapi": "3.1.0"},
    "docs": "<!doctype html>\n",
    "front": "",
    "docs_script": '"use strict";\n',
    "docs_style": ":root {}\n",
}

Document = dict[str, Any]


def document(app: Flask, api: Api, catalogue: Catalogue) -> Document:
    """The document. It depends on nothing but the installed systems."""
    found: Document = api.spec.to_dict()
    for system in catalogue.systems.values():
        _add_names(found, system)
    _add_examples(app, found, catalogue)
    steady: Document = json.loads(encode(found))
    return steady


def as_yaml(found: Document) -> str:
    return yaml.dump(found, Dumper=_Plain, sort_keys=False, allow_unicode=True, width=120)


class _Plain(yaml.CSafeDumper if hasattr(yaml, "CSafeDumper") else yaml.SafeDumper):  # type: ignore[misc]
    def ignore_aliases(self, data: Any) -> bool:
        return True


@cache
def examples() -> Mapping[str, Mapping[str, Any]]:
    """Example bodies: system -> "kind/name" -> body; taken from the worked cases of the digests."""
    raw = files("service.web").joinpath("examples.json").read_text(encoding="utf-8")
    found: Mapping[str, Mapping[str, Any]] = json.loads(raw)
    return found


def _add_names(found: Document, system: System) -> None:
    """One path for each check, query and odds question, with the schemas of its own parameters and outcome."""
    calls = system.calls  # by name: which chapter was imported first must not show
    refs = f"#/components/schemas/{system.id}.%s.{{name}}"
    for kind, names in (("check", calls.checks), ("query", calls.queries), ("odds", calls.odds_questions)):
        listed: list[Any] = [named for _, named in sorted(names.items())]
        params, shared = published([one.params for one in listed], True, refs % "params")
        outcomes, shared_outcomes = published([one.outcome for one in listed], False, refs % "outcome")
        for direction, schemas in (("params", shared), ("outcome", shared_outcomes)):
            found["components"]["schemas"] |= {f"{system.id}.{direction}.{name}": one for name, one in schemas.items()}
        template = found["paths"][TEMPLATES[kind]]["post"]
        for one, asked, told in zip(listed, params, outcomes, strict=True):
            found["paths"][path_of(system.id, kind, one.id)] = {
                "post": _named(template, system, kind, one, asked, told)
            }


def _named(template: Document, system: System, kind: str, one: Any, params: Document, outcome: Document) -> Document:
    words = system.labels("en")
    body = json.loads(json.dumps(template["requestBody"]))
    media = body["content"]["application/json"]
    media["schema"] = {"allOf": [media["schema"], {"properties": {"params": params}}]}
    answer = template["responses"]["200"]["content"]["application/json"]["schema"]
    more: Document = {"properties": {"outcome": _outcome(one, outcome)}}
    return {
        "operationId": f"{system.id}_{kind}_{one.id}",
        "summary": f"{words.find('system', 'name') or system.id}: {words.word('names', kind, one.id)}",
        "description": f"Rules {', '.join(one.rules)}",
        "tags": [system.id],
        "parameters": template["parameters"],
        "requestBody": body,
        "responses": {
            "200": {
                "description": "The answer",
                "content": {"application/json": {"schema": {"allOf": [answer, more]}}},
            },
            "default": template["responses"]["default"],
        },
    }


def _outcome(one: Any, outcome: Document) -> Document:
    if not isinstance(one, CheckCall):
        return outcome
    grade = {"properties": {"grade": {"type": "string", "examples": list(one.grades)}}}
    return {"anyOf": [{"allOf": [grade, outcome]}, {"required": ["pending"]}, grade]}


def _add_examples(app: Flask, found: Document, catalogue: Catalogue) -> None:
    client = app.test_client()
    for path, operation, body in _calls(found, catalogue):
        answer = client.open(path, method="GET" if body is None else "POST", json=body)
        if body is not None:
            operation["requestBody"]["content"]["application/json"]["example"] = body
        content = said(operation).get("content", {})
        for media in content.values() if answer.status_code == 200 else ():
            media["example"] = _told(answer, operation["operationId"])
    _add_played_examples(found)
    _add_fixed_examples(found)


def said(operation: Document) -> Document:
    """What an operation answers when all goes well."""
    found: Document = next(one for status, one in operation["responses"].items() if status.startswith("2"))
    return found


@cache
def played() -> Mapping[str, Mapping[str, Any]]:
    """Requests and answers of games that were really played: operation -> body, answer."""
    raw = files("service.web").joinpath("played.json").read_text(encoding="utf-8")
    found: Mapping[str, Mapping[str, Any]] = json.loads(raw)
    return found


def _add_played_examples(found: Document) -> None:
    for methods in found["paths"].values():
        for operation in (one for method, one in methods.items() if method != "parameters"):
            one = played().get(operation["operationId"])
            if one is None:
                continue
            for media in operation.get("requestBody", {}).get("content", {}).values():
                media["example"] = one["body"]
            for media in said(operation).get("content", {}).values():
                media["example"] = one["answer"]


def _add_fixed_examples(found: Document) -> None:
    """Examples of what depends on the moment or is too long."""
    check = found["paths"][TEMPLATES["check"]]["post"]["responses"]["200"]["content"]["application/json"]
    fixed = {**FIXED, "find_roll": check.get("example", {})}
    for methods in found["paths"].values():
        for operation in (one for method, one in methods.items() if method != "parameters"):
            for media in said(operation).get("content", {}).values():
                media.setdefault("example", fixed.get(operation["operationId"], {}))


def _told(answer: Any, operation: str) -> Any:
    if not answer.is_json:
        return answer.text[:60]
    found = _steady(answer.json)
    return _shortened(found) if operation in LONG else found


def _steady(answer: Any) -> Any:
    """An answer without what differs each time."""
    if isinstance(answer, list):
        return [_steady(one) for one in answer]
    if not isinstance(answer, dict):
        return answer
    fixed = {"id": ID, "at": AT} if "rolls" in answer else {}
    return {name: _steady(value) for name, value in answer.items()} | {k: v for k, v in fixed.items() if k in answer}


def _shortened(answer: Any) -> Any:
    if isinstance(answer, list):
        return [_shortened(one) for one in answer[:LONGEST_LIST]]
    if isinstance(answer, dict):
        return {name: {} if name == "schemas" else _shortened(one) for name, one in answer.items()}
    return answer


def _calls(found: Document, catalogue: Catalogue) -> Iterator[tuple[str, Document, Any]]:
    """Every operation with the request that is its example (body None: GET)."""
    for system in catalogue.systems.values():
        for kind in TEMPLATES:
            for name in names_by_kind(system)[kind]:
                path = path_of(system.id, kind, name)
                yield path, found["paths"][path]["post"], _body(system.id, kind, name)
    generic = dict(_generic_calls(catalogue))
    for methods in found["paths"].values():
        for operation in (one for method, one in methods.items() if method != "parameters"):
            if call := generic.get(operation["operationId"]):
                yield call[0], operation, call[1]


def _body(system: str, kind: str, name: str) -> Any:
    return examples().get(system, {}).get(f"{kind}/{name}", {})


def _generic_calls(catalogue: Catalogue) -> Iterator[tuple[str, tuple[str, Any]]]:
    """The request of each operation whose path has variables, with the first names that there are."""
    yield "list_systems", ("/v1/systems", None)
    yield "throw_dice", ("/v1/dice", {"notation": "2d6+1>=7", "label": "climb", "faces": [3, 5]})
    yield "healthy", ("/healthz", None)
    for system in list(catalogue.systems.values())[:1]:
        yield "describe_system", (f"/v1/systems/{system.id}", None)
        yield from _first_calls(system, names_by_kind(system))
        yield from _table_calls(catalogue, system)
    for system in catalogue.systems.values():
        if system.calls.sheet_check:
            yield "validate_character", (f"/v1/systems/{system.id}/characters/validate", _body(system.id, "sheet", ""))


def _first_calls(system: System, names: Mapping[str, tuple[str, ...]]) -> Iterator[tuple[str, tuple[str, Any]]]:
    for check in names["check"][:1]:
        body = _body(system.id, "check", check)
        yield "throw_check", (path_of(system.id, "check", check), body)
        yield "check_odds", (path_of(system.id, "check", check) + "/odds", body)
        yield "throw_batch", ("/v1/rolls", {"rolls": [{"system": system.id, "check": check, **body}]})
    for query in names["query"][:1]:
        yield "ask_query", (path_of(system.id, "query", query), _body(system.id, "query", query))
    for question in names["odds"][:1]:
        yield "ask_odds", (path_of(system.id, "odds", question), _body(system.id, "odds", question))


def _table_calls(catalogue: Catalogue, system: System) -> Iterator[tuple[str, tuple[str, Any]]]:
    """A simple table, thrown with a real die."""
    for table in system.calls.table_ids:
        found = catalogue.table(system.id, table)
        if found.dice == "1d6" and table not in system.calls.table_rolls:
            path = path_of(system.id, "table", table)
            yield "read_table", (path, None)
            yield "throw_on_table", (f"{path}/roll", {"faces": [4]})
            return
