"""Requests in, bytes out: what all routes share."""

from __future__ import annotations

import hmac
import re
from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Any

import msgspec
from flask import Response, request
from werkzeug.datastructures import Headers

from service import problems
from service.problems import Problem
from service.strictjson import load
from service.usecases.kept import KEY, mark_of
from service.usecases.limits import AtOnce
from service.words import language_of
from systems.core.convert import encoded

MAX_BODY = 64 * 1024  # bytes
MAX_IMPORT = 2 * 1024 * 1024  # bytes of a whole game
JSON = "application/json"
LANGUAGE = "ninja_rules.language"
ADDRESS = "ninja_rules.address"
MAX_ARRIVING = 32  # bodies of one address that may be on their way at once: each holds a thread of the worker
_ARRIVING = AtOnce(MAX_ARRIVING)
_DIGITS = re.compile(r"[0-9]{1,9}")
_ENCODER = msgspec.json.Encoder(enc_hook=encoded)

Environ = dict[str, Any]


def asked() -> Environ:
    """The WSGI environment of the request: looked up once, for Flask's proxies are slow."""
    return request.environ


def language(environ: Environ) -> str:
    """The caller's language, worked out once; the edge puts it into the answer's headers."""
    known: str | None = environ.get(LANGUAGE)
    if known is None:
        header = environ.get("HTTP_ACCEPT_LANGUAGE")
        known = environ[LANGUAGE] = language_of(header) if header else "en"
    return known


def body(environ: Environ, most: int = MAX_BODY) -> Any:
    """The parsed body; a request without any says the same as `{}`. Raises `Problem` 413, 415 or 400."""
    return {} if _is_bare(environ) else load(_raw_body(environ, most))


def _is_bare(environ: Environ) -> bool:
    """Neither a media type nor a byte of body, as `curl -X POST` sends it."""
    length = environ.get("CONTENT_LENGTH") or "0"
    return length == "0" and not environ.get("CONTENT_TYPE") and "HTTP_TRANSFER_ENCODING" not in environ


def _raw_body(environ: Environ, most: int) -> bytes:
    kind = environ.get("CONTENT_TYPE", "")
    if kind != JSON and not _is_json(kind):
        raise Problem(415, "not_json", got=kind[:100] or "-")
    length = environ.get("CONTENT_LENGTH")
    if length and (not (length.isascii() and length.isdigit()) or int(length[:12]) > most):
        raise Problem(413, "too_large", limit=most)
    raw = _read(environ, int(length) if length else most + 1)
    if len(raw) > most:
        raise Problem(413, "too_large", limit=most)
    return raw


def _read(environ: Environ, most: int) -> bytes:
    """Up to so many bytes of the body. Raises `Problem` 429 if too many of this client's bodies are on their way."""
    address = environ.get(ADDRESS, "")
    if not _ARRIVING.enter(address):
        raise Problem(429, "bodies_on_their_way", headers={"Retry-After": "1"}, limit=_ARRIVING.limit)
    try:
        raw: bytes = environ["wsgi.input"].read(most)
    finally:
        _ARRIVING.leave(address)
    return raw


def _is_json(kind: str) -> bool:
    name, _, parameters = kind.partition(";")
    charset = parameters.replace(" ", "").replace('"', "").lower()
    return name.strip().lower() == JSON and charset in ("", "charset=utf-8")


def encode(value: Any) -> bytes:
    return _ENCODER.encode(value)


class Answer(Response):
    """A 200 with a body: its headers are complete, so werkzeug's look for what to correct is left out."""

    def get_wsgi_response(self, environ: Environ) -> tuple[Iterable[bytes], str, list[tuple[str, str]]]:
        body = () if environ["REQUEST_METHOD"] == "HEAD" else (self.get_data(),)
        return body, "200 OK", self.headers.to_wsgi_list()


def answer(value: Any) -> Response:
    """A JSON answer."""
    raw = _ENCODER.encode(value)
    return Answer(raw, 200, Headers([("Content-Type", JSON)]))


def answer_bytes(raw: bytes, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    given = Headers([("Content-Type", JSON), *(headers or {}).items()])
    return Response(raw, status, given)


def unless_known(raw: bytes) -> Response:
    """An answer that seldom changes, or 304 if the client has it already."""
    mark = f'"{sha256(raw).hexdigest()[:32]}"'
    headers = {"ETag": mark, "Cache-Control": "no-cache"}
    if mark in request.environ.get("HTTP_IF_NONE_MATCH", ""):
        return answer_bytes(b"", 304, headers)
    return answer_bytes(raw, headers=headers)


def problem(refusal: Problem) -> Response:
    """A refusal as problem+json in the caller's language."""
    raw = encode(refusal.document(language(asked())))
    headers = {"Content-Type": problems.MEDIA_TYPE, "Cache-Control": "no-store", **refusal.headers}
    return Response(raw, refusal.status, headers)


def flag(environ: Environ, name: str) -> bool:
    """A true/false of the query string. Raises `Problem` 422 for anything else."""
    if not environ.get("QUERY_STRING"):
        return False
    value = request.args.get(name, "false")
    if value not in ("true", "false"):
        raise problems.invalid([problems.at((name,), "boolean")])
    return value == "true"


def number(environ: Environ, name: str, default: int, low: int, high: int) -> int:
    """A whole number of the query string. Raises `Problem` 422 for anything else."""
    value = argument(environ, name)
    if value is None:
        return default
    if not _DIGITS.fullmatch(value) or not low <= int(value) <= high:
        raise problems.invalid([problems.at((name,), "integer", low=low, high=high)])
    return int(value)


def argument(environ: Environ, name: str) -> str | None:
    """A text of the query string."""
    return request.args.get(name) if environ.get("QUERY_STRING") else None


def bearer(environ: Environ) -> str:
    """The token of the header, never of the URL or a cookie; empty without one."""
    scheme, _, token = str(environ.get("HTTP_AUTHORIZATION", "")).partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""


def is_one_of(token: str, known: Iterable[str]) -> bool:
    """Whether it is known; how far a wrong one fits cannot be timed."""
    raw = token.encode()
    return any(hmac.compare_digest(raw, one.encode()) for one in known)


def key_of(environ: Environ) -> str | None:
    """The idempotency key, if there is one. Raises `Problem` 400 for one of the wrong form."""
    key: str | None = environ.get("HTTP_IDEMPOTENCY_KEY")
    if key is not None and not KEY.fullmatch(key):
        raise Problem(400, "bad_key")
    return key


def mark_of_request(environ: Environ, raw: Any) -> str:
    """What a request is recognised by when it comes again: where it goes and its body."""
    return mark_of(f"{environ['PATH_INFO']}?{environ.get('QUERY_STRING', '')}", raw)
