"""The routes that need no game: systems, checks, queries, odds, tables, characters, batches."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from flask import Response, request

from service.api.http import answer, answer_bytes, body, encode, flag, language, unless_known
from service.api.operations import Routes
from service.usecases import batch, descriptions, dice, questions, tables
from service.usecases.catalogue import Catalogue
from service.usecases.checks import Checks
from service.usecases.kept import KeptRolls


def blueprint(catalogue: Catalogue, kept: KeptRolls) -> Routes:
    """Routes over the installed systems."""
    routes = Routes("stateless", "Stateless: ask, get an answer")
    checks = Checks(catalogue)

    @lru_cache(maxsize=256)
    def told(system: str, language: str) -> bytes:
        return encode(descriptions.full(catalogue.system(system), language))

    def once(raw: Any, make: Callable[[], dict[str, Any]]) -> Response:
        """The answer of a throw; with an Idempotency-Key the first one, kept."""
        key = request.environ.get("HTTP_IDEMPOTENCY_KEY")
        if key is None:
            return answer(make())
        asked = f"{request.path}?{request.environ.get('QUERY_STRING', '')}"
        found = kept.once(key, asked, raw, language(), make)
        replayed = {"Idempotency-Replayed": "true"} if found.replayed else {}
        return answer_bytes(found.answer, headers={"Content-Language": found.language, **replayed})

    @routes.get("/v1/systems")
    def list_systems() -> Response:
        """All installed game systems."""
        return unless_known(encode(descriptions.all_systems(catalogue.systems, language())))

    @routes.get("/v1/systems/<system>")
    def describe_system(system: str) -> Response:
        """Everything that can be asked of one system."""
        catalogue.system(system)
        return unless_known(told(system, language()))

    @routes.get("/v1/rolls/<roll>")
    def find_roll(roll: str) -> Response:
        """The answer of a roll that was made with an Idempotency-Key, for a day."""
        found = kept.find(roll)
        return answer_bytes(found.answer, headers={"Content-Language": found.language, "Cache-Control": "no-store"})

    @routes.post("/v1/systems/<system>/checks/<check>")
    def throw_check(system: str, check: str) -> Response:
        """Resolve one check."""
        raw, odds = body(), flag("odds")
        return once(raw, lambda: checks.throw(system, check, raw, language(), odds))

    @routes.post("/v1/systems/<system>/checks/<check>/odds")
    def check_odds(system: str, check: str) -> Response:
        """Exact odds of a check; nothing is thrown."""
        return answer(checks.odds(system, check, body(), language()))

    @routes.post("/v1/systems/<system>/queries/<query>")
    def ask_query(system: str, query: str) -> Response:
        """Ask a question without dice."""
        return answer(questions.answer(catalogue, system, "query", query, body(), language()))

    @routes.post("/v1/systems/<system>/odds/<question>")
    def ask_odds(system: str, question: str) -> Response:
        """Ask a question that is answered in exact fractions."""
        return answer(questions.answer(catalogue, system, "odds", question, body(), language()))

    @routes.get("/v1/systems/<system>/tables/<table>")
    def read_table(system: str, table: str) -> Response:
        """The rows of a table."""
        return answer(tables.rows(catalogue, system, table, language()))

    @routes.post("/v1/systems/<system>/tables/<table>/roll")
    def throw_on_table(system: str, table: str) -> Response:
        """Throw once on a table."""
        raw = body()
        return once(raw, lambda: tables.throw(catalogue, system, table, raw, language()))

    @routes.post("/v1/systems/<system>/characters/validate")
    def validate_character(system: str) -> Response:
        """Check and derive a character sheet; nothing is stored."""
        return answer(questions.validate_character(catalogue, system, body(), language()))

    @routes.post("/v1/rolls")
    def throw_batch() -> Response:
        """Up to 100 checks across systems, each with its own answer or problem."""
        raw, odds = body(), flag("odds")
        return once(raw, lambda: batch.throw_all(checks, raw, language(), odds))

    @routes.post("/v1/dice")
    def throw_dice() -> Response:
        """Throw plain dice notation, with exact odds."""
        raw = body()
        return once(raw, lambda: dice.throw(raw, language()))

    return routes
