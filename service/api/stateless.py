"""The routes that need no game: systems, checks, queries, odds, tables, characters, batches, plain dice."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from flask import Response

from service.api import documented as doc
from service.api.errors import unexpected
from service.api.http import LANGUAGE, Environ, answer, answer_bytes, asked, body, encode, flag, language, unless_known
from service.api.operations import Routes
from service.usecases import batch, descriptions, dice, questions, tables
from service.usecases.catalogue import Catalogue
from service.usecases.checks import Checks
from service.usecases.kept import KeptRolls


def reading(catalogue: Catalogue) -> Routes:
    """What systems there are, and what they offer."""
    routes = Routes("systems", "What can be asked")

    @lru_cache(maxsize=256)
    def told(system: str, words: str) -> bytes:
        return encode(descriptions.full(catalogue.system(system), words))

    @routes.get("/v1/systems", doc.SYSTEMS)
    def list_systems() -> Response:
        """All installed game systems."""
        return unless_known(encode(descriptions.all_systems(catalogue.systems, language(asked()))))

    @routes.get("/v1/systems/<system>", doc.SYSTEM)
    def describe_system(system: str) -> Response:
        """Everything that can be asked of one system."""
        catalogue.system(system)
        return unless_known(told(system, language(asked())))

    @routes.get("/v1/systems/<system>/tables/<table>", doc.TABLE)
    def read_table(system: str, table: str) -> Response:
        """The rows of a table."""
        return answer(tables.rows(catalogue, system, table, language(asked())))

    return routes


def asking(catalogue: Catalogue, checks: Checks) -> Routes:
    """Questions that throw nothing."""
    routes = Routes("questions", "Ask without dice")

    @routes.post("/v1/systems/<system>/checks/<check>/odds", doc.CHECK_ODDS)
    def check_odds(system: str, check: str) -> Response:
        """Exact odds of a check; nothing is thrown."""
        environ = asked()
        return answer(checks.odds(system, check, body(environ), language(environ)))

    @routes.post("/v1/systems/<system>/queries/<query>", doc.QUERY)
    def ask_query(system: str, query: str) -> Response:
        """Ask a question without dice."""
        environ = asked()
        return answer(questions.answer(catalogue, system, "query", query, body(environ), language(environ)))

    @routes.post("/v1/systems/<system>/odds/<question>", doc.ODDS)
    def ask_odds(system: str, question: str) -> Response:
        """Ask a question that is answered in exact fractions."""
        environ = asked()
        return answer(questions.answer(catalogue, system, "odds", question, body(environ), language(environ)))

    @routes.post("/v1/systems/<system>/characters/validate", doc.CHARACTER)
    def validate_character(system: str) -> Response:
        """Check and derive a character sheet; nothing is stored."""
        environ = asked()
        return answer(questions.validate_character(catalogue, system, body(environ), language(environ)))

    return routes


def _once(kept: KeptRolls, environ: Environ, raw: Any, make: Callable[[], dict[str, Any]]) -> Response:
    """The answer of `make`; with an Idempotency-Key the first one that was given."""
    key = environ.get("HTTP_IDEMPOTENCY_KEY")
    if key is None:
        return answer(make())
    path = f"{environ['PATH_INFO']}?{environ.get('QUERY_STRING', '')}"
    found = kept.once(key, path, raw, language(environ), make)
    environ[LANGUAGE] = found.language
    return answer_bytes(found.answer, headers={"Idempotency-Replayed": "true"} if found.replayed else {})


def throwing(catalogue: Catalogue, checks: Checks, kept: KeptRolls) -> Routes:
    """Everything that throws dice; with an Idempotency-Key the first answer is kept for a day."""
    routes = Routes("rolls", "Throw dice")

    @routes.post("/v1/systems/<system>/checks/<check>", doc.CHECK)
    def throw_check(system: str, check: str) -> Response:
        """Resolve one check."""
        environ = asked()
        raw, odds = body(environ), flag(environ, "odds")
        return _once(kept, environ, raw, lambda: checks.throw(system, check, raw, language(environ), odds))

    @routes.post("/v1/systems/<system>/tables/<table>/roll", doc.TABLE_ROLL)
    def throw_on_table(system: str, table: str) -> Response:
        """Throw once on a table."""
        environ = asked()
        raw = body(environ)
        return _once(kept, environ, raw, lambda: tables.throw(catalogue, system, table, raw, language(environ)))

    @routes.post("/v1/rolls", doc.BATCH)
    def throw_batch() -> Response:
        """Up to 100 checks across systems, each with its own answer or problem."""
        environ = asked()
        raw, odds = body(environ), flag(environ, "odds")
        return _once(kept, environ, raw, lambda: batch.throw_all(checks, raw, language(environ), odds, unexpected))

    @routes.get("/v1/rolls/<roll>", doc.KEPT_ROLL)
    def find_roll(roll: str) -> Response:
        """The answer of a roll that was made with an Idempotency-Key, for a day."""
        found = kept.find(roll)
        asked()[LANGUAGE] = found.language
        return answer_bytes(found.answer, headers={"Cache-Control": "no-store"})

    @routes.post("/v1/dice", doc.DICE)
    def throw_dice() -> Response:
        """Throw plain dice notation, with exact odds."""
        environ = asked()
        raw = body(environ)
        return _once(kept, environ, raw, lambda: dice.throw(raw, language(environ)))

    return routes
