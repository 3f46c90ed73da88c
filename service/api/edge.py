"""The outermost layer, plain WSGI because every request pays for it: ids, CORS, limits, counts."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Iterable
from itertools import count
from time import perf_counter
from typing import Any

from service import problems
from service.api.counts import Counts
from service.api.http import ADDRESS, LANGUAGE, encode, language
from service.problems import Problem
from service.settings import Settings
from service.usecases.limits import RateLimit, address_of

REQUEST_ID = "ninja_rules.request_id"
UNLIMITED = ("/healthz", "/readyz")

_ID = re.compile(r"[A-Za-z0-9._:-]{1,64}", re.ASCII)
_OPEN = [
    ("Access-Control-Allow-Origin", "*"),
    (
        "Access-Control-Expose-Headers",
        "Content-Language, ETag, Idempotency-Replayed, Location, Retry-After, X-Request-ID",
    ),
    ("Vary", "Accept-Language"),
    ("X-Content-Type-Options", "nosniff"),
]
_PREFLIGHT = [
    ("Access-Control-Allow-Methods", "GET, POST, PUT, PATCH, DELETE, OPTIONS"),
    (
        "Access-Control-Allow-Headers",
        "Accept-Language, Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, "
        "X-Request-ID",
    ),
    ("Access-Control-Max-Age", "86400"),
    ("Content-Length", "0"),
]

Environ = dict[str, Any]
Start = Callable[..., Any]
Wsgi = Callable[[Environ, Start], Iterable[bytes]]


class Edge:
    """Wraps the Flask application."""

    def __init__(self, inner: Wsgi, settings: Settings, counts: Counts) -> None:
        self._inner, self._proxies, self._counts = inner, settings.proxies, counts
        self._limit = RateLimit(settings.rate)
        self._prefix, self._numbers = f"{secrets.token_hex(6)}-", count(1)

    def __call__(self, environ: Environ, start_response: Start) -> Iterable[bytes]:
        began = perf_counter()
        given = environ.get("HTTP_X_REQUEST_ID", "")
        number = given if given and _ID.fullmatch(given) else f"{self._prefix}{next(self._numbers):x}"
        environ[REQUEST_ID] = number

        def start(status: str, headers: list[tuple[str, str]], exc_info: Any = None) -> Any:
            self._counts.add(environ["REQUEST_METHOD"], status[:3], perf_counter() - began)
            said = [("Content-Language", environ[LANGUAGE])] if LANGUAGE in environ else []
            return start_response(status, [*headers, *said, *_OPEN, ("X-Request-ID", number)], exc_info)

        answered = self._at_the_door(environ, start)
        return self._inner(environ, start) if answered is None else answered

    def _at_the_door(self, environ: Environ, start: Start) -> Iterable[bytes] | None:
        """A preflight or a refusal that needs no application."""
        if environ["REQUEST_METHOD"] == "OPTIONS" and "HTTP_ACCESS_CONTROL_REQUEST_METHOD" in environ:
            start("204 No Content", _PREFLIGHT)
            return [b""]
        forwarded = environ.get("HTTP_X_FORWARDED_FOR", "")
        address = environ[ADDRESS] = address_of(environ.get("REMOTE_ADDR", ""), forwarded, self._proxies)
        wait = self._limit.wait_seconds(address)
        if not wait or environ["PATH_INFO"] in UNLIMITED:
            return None
        return self._refused(environ, start, wait)

    def _refused(self, environ: Environ, start: Start, wait: int) -> list[bytes]:
        refusal = Problem(429, "rate_limited", limit=self._limit.limit, seconds=wait)
        raw = encode(refusal.document(language(environ)))
        headers = {
            "Content-Type": problems.MEDIA_TYPE,
            "Content-Length": str(len(raw)),
            "Retry-After": str(wait),
        }
        start("429 Too Many Requests", list(headers.items()))
        return [raw]
