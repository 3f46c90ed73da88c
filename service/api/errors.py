"""Everything that goes wrong leaves as problem+json."""

from __future__ import annotations

import logging
from typing import Any

from flask import Flask, Response, request
from flask_smorest import Api
from werkzeug.exceptions import HTTPException, MethodNotAllowed

from service.api.http import problem
from service.problems import Problem
from service.store.records import StoreAway

RETRY_SECONDS = 5
LOG = logging.getLogger("ninja_rules")
_KINDS = {404: "no_route", 405: "wrong_method", 413: "too_large", 415: "not_json", 400: "bad_request"}


class ProblemApi(Api):  # type: ignore[misc]
    """flask-smorest without its own error bodies and pages."""

    def _register_error_handlers(self) -> None:
        """Errors are ours (`register`)."""


def register(app: Flask) -> None:
    """Handlers of refusals, of Flask's own errors and of anything unexpected."""
    app.register_error_handler(Problem, problem)
    app.register_error_handler(StoreAway, lambda error: problem(store_away(error)))
    app.register_error_handler(HTTPException, _of_flask)
    app.register_error_handler(Exception, lambda error: problem(unexpected(error)))


def _of_flask(error: HTTPException) -> Response:
    status = error.code or 500
    headers: dict[str, Any] = {}
    if isinstance(error, MethodNotAllowed):
        headers["Allow"] = ", ".join(sorted(error.valid_methods or ()))
    kind = _KINDS.get(status, "bad_request" if status < 500 else "unexpected")
    return problem(
        Problem(
            status, kind, headers=headers, method=request.method, path=request.path[:200], allowed=headers.get("Allow")
        )
    )


def store_away(error: StoreAway) -> Problem:
    """The database cannot be reached: why is told to the log, the caller may come again."""
    number = request.environ.get("ninja_rules.request_id", "-")
    LOG.warning("request %s: the database is away: %s", number, error.why)
    return Problem(503, "store_away", headers={"Retry-After": str(RETRY_SECONDS)})


def unexpected(error: Exception) -> Problem:
    """An error of our own: told to the log in full, to the caller as a number to find it by."""
    number = request.environ.get("ninja_rules.request_id", "-")
    LOG.error("request %s: %s %s failed", number, request.method, request.path, exc_info=error)
    return Problem(500, "unexpected", request=number, more={"request_id": number})
