"""Rolls that a client may ask for twice: the first answer is kept for a day and given again.

A roll is made first and kept in one atomic step; if an answer was already kept under the key, the new one is dropped
unseen. So there is no moment in which a request is "still running", and two at once get the same dice.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from hashlib import sha256
from typing import Any, NamedTuple

import msgspec

from service.problems import Problem, refusal
from service.store.cache import Cache, CacheAway

SECONDS_KEPT = 24 * 60 * 60
RETRY_SECONDS = 5
KEY = re.compile(r"[!-~]{22,64}")
_ROLL = re.compile(r"(r_[0-9a-f]{32})(?:-([0-9]{1,3}))?", re.ASCII)


class Kept(NamedTuple):
    """An answer as it goes out, with its language, and whether it was given before."""

    answer: bytes
    language: str
    replayed: bool = False


class KeptRolls:
    """The answers of rolls with an `Idempotency-Key`."""

    def __init__(self, cache: Cache, encode: Callable[[Any], bytes]) -> None:
        self._cache, self._encode = cache, encode

    def once(self, key: str, asked: str, raw: Any, language: str, make: Callable[[], dict[str, Any]]) -> Kept:
        """The answer of `make`, or the one kept under the key. `asked` and `raw` are the path and body of the request.

        Raises `Problem`: 400 for a key of the wrong form, 422 if the key was used for something else, 503 while the
        cache is away.
        """
        if not KEY.fullmatch(key):
            raise Problem(400, "bad_key")
        id, mark = roll_id(key), mark_of(asked, raw).encode()
        answer = self._encode(_with_ids(make(), id))
        value = b"\n".join((mark, language.encode(), answer))
        try:
            before = self._cache.keep_first(f"roll:{id}", value, SECONDS_KEPT)
        except CacheAway:
            raise _away() from None
        if before is None:
            return Kept(answer, language)
        kept_mark, kept_language, kept_answer = before.split(b"\n", 2)
        if kept_mark != mark:
            raise refusal("key_reused")
        return Kept(kept_answer, kept_language.decode(), replayed=True)

    def find(self, id: str) -> Kept:
        """The kept answer with that id, or one roll of a kept batch. Raises `Problem` 404 or 503."""
        named = _ROLL.fullmatch(id)
        try:
            found = self._cache.find(f"roll:{named[1]}") if named else None
        except CacheAway:
            raise _away() from None
        if not named or found is None:
            raise Problem(404, "unknown_roll")
        _, language, answer = found.split(b"\n", 2)
        return Kept(answer if named[2] is None else _one_of(answer, int(named[2])), language.decode())


def roll_id(key: str) -> str:
    """The id of the roll with that key: clients can work it out themselves."""
    return "r_" + sha256(key.encode()).hexdigest()[:32]


def mark_of(asked: str, raw: Any) -> str:
    """What a request is recognised by: its path and its body, whatever the order of fields and blanks in it."""
    return sha256(asked.encode() + b"\n" + msgspec.json.encode(raw, order="sorted")).hexdigest()


def _with_ids(answer: dict[str, Any], id: str) -> dict[str, Any]:
    answer["id"] = id
    for place, one in enumerate(answer["rolls"]):
        if "id" in one:
            one["id"] = f"{id}-{place}"
    return answer


def _one_of(answer: bytes, place: int) -> bytes:
    rolls = msgspec.json.decode(answer).get("rolls", [])
    if place >= len(rolls) or "id" not in rolls[place]:
        raise Problem(404, "unknown_roll")
    return msgspec.json.encode(rolls[place])


def _away() -> Problem:
    return Problem(503, "cache_away", headers={"Retry-After": str(RETRY_SECONDS)})
