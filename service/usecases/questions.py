"""Queries and odds questions: no dice, one answer."""

from __future__ import annotations

from typing import Any

from service.usecases.answers import explained
from service.usecases.catalogue import Bound, Catalogue
from service.usecases.fractions import plain
from service.usecases.refusals import refusing
from systems.core.calls import OddsQuestion, Query, Report


def answer(catalogue: Catalogue, system: str, kind: str, name: str, raw: Any, language: str) -> dict[str, Any]:
    """The answer of a query ("query") or an odds question ("odds"). Raises `Problem`."""
    field = "query" if kind == "query" else "question"
    return {"system": system, field: name, **_outcome(catalogue.question(system, kind, name), raw, language)}


def validate_character(catalogue: Catalogue, system: str, raw: Any, language: str) -> dict[str, Any]:
    """A sheet checked, all errors at once, and derived. The sheet may stand alone as `character`. Raises `Problem`."""
    bound = catalogue.sheet_check(system)
    if isinstance(raw, dict) and "character" in raw and "params" not in raw:
        raw = {"params": raw}
    found = _outcome(bound, raw, language)
    words = bound.system.labels(language)
    errors = [{"code": code, "detail": words.sentence("errors", code, {})} for code in found["outcome"]["errors"]]
    return {"system": system, "outcome": found["outcome"], "errors": errors}


def _outcome(bound: Bound[Query | OddsQuestion], raw: Any, language: str) -> dict[str, Any]:
    body = bound.form.read(raw)
    words = bound.system.labels(language)
    with refusing(words, language):
        found = bound.named.function(body.params)
    if isinstance(found, Report):
        return {"outcome": plain(found.outcome), "explain": explained(found.explain, words)}
    return {"outcome": plain(found), "explain": []}
