"""What all routes of games share: who asks, and how the answer goes out."""

from __future__ import annotations

import re
from typing import Any, Final

from flask import Response
from werkzeug.datastructures import Headers

from service.api.http import JSON, Answer, Environ, bearer, encode, key_of, language, mark_of_request
from service.problems import Problem
from service.usecases.games.desk import Asked, Reply, unknown_game

_GAME = re.compile(r"g_[A-Za-z0-9_-]{1,64}")
PRIVATE: Final = ("Cache-Control", "private, no-store")
_TYPE: Final = ("Content-Type", JSON)


def asker(environ: Environ, game: str) -> Asked:
    """Who reads. Raises `Problem` 401 without a token, 404 for what is no game's id."""
    token = bearer(environ)
    if not token:
        raise Problem(401, "no_token", headers={"WWW-Authenticate": "Bearer"})
    if not _GAME.fullmatch(game):
        raise unknown_game()
    return Asked(game, token, language(environ))


def sender(
    environ: Environ, who: Asked, raw: Any, faces: tuple[int, ...] | None = None, guarded: bool = False
) -> Asked:
    """The asker with all that this request says. `guarded`: `If-Match` counts. Raises `Problem` 400 for a bad key."""
    key = key_of(environ)
    match = environ.get("HTTP_IF_MATCH", "").strip() if guarded else ""
    if key is None and not match and faces is None:
        return who
    mark = "" if key is None else mark_of_request(environ, raw)
    return Asked(who.game, who.token, who.language, key, mark, match if match not in ("", "*") else None, faces)


def told(reply: Reply, location: str | None = None) -> Response:
    """What the sender is told; with the place of something new, 201."""
    headers = [_TYPE, PRIVATE]
    if reply.replayed:
        headers.append(("Idempotency-Replayed", "true"))
    if location is None:
        return Answer(reply.raw or encode(reply.answer), 200, Headers(headers))
    return Response(encode(reply.answer), 201, Headers([*headers, ("Location", location)]))


def shown(value: Any) -> Response:
    """What the caller reads of a game; it is theirs alone."""
    return Answer(encode(value), 200, Headers([_TYPE, PRIVATE]))
