"""Redis as a cache: it may be away at any moment, and nothing is lost but convenience."""

from __future__ import annotations

from typing import Any

import redis
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

SECONDS_TO_CONNECT = 0.3
SECONDS_TO_ANSWER = 1.0

_KEEP_FIRST = """
local kept = redis.call('GET', KEYS[1])
if kept then return kept end
redis.call('SET', KEYS[1], ARGV[1], 'EX', ARGV[2])
return false
"""


class CacheAway(Exception):
    """Redis does not answer, or none is configured."""


class Cache:
    """A few values for a while. Every call is one round trip and raises `CacheAway` if Redis does not answer."""

    def __init__(self, url: str) -> None:
        self._redis = _connected(url) if url else None
        self._keep_first: Any = self._redis.register_script(_KEEP_FIRST) if self._redis else None

    def awake(self) -> bool:
        try:
            return bool(self._client().ping())
        except (RedisError, CacheAway):
            return False

    def keep_first(self, name: str, value: bytes, seconds: int) -> bytes | None:
        """Keep a value unless one is kept already; that one is returned and stays."""
        self._client()
        try:
            kept: bytes | None = self._keep_first(keys=[name], args=[value, seconds])
        except RedisError as error:
            raise CacheAway from error
        return kept

    def find(self, name: str) -> bytes | None:
        try:
            found: bytes | None = self._client().get(name)
        except RedisError as error:
            raise CacheAway from error
        return found

    def _client(self) -> Any:
        if self._redis is None:
            raise CacheAway
        return self._redis


def _connected(url: str) -> Any:
    """A client that connects when it is first used and tries a lost connection once more."""
    return redis.Redis.from_url(
        url,
        socket_connect_timeout=SECONDS_TO_CONNECT,
        socket_timeout=SECONDS_TO_ANSWER,
        retry=Retry(NoBackoff(), 1),
    )
