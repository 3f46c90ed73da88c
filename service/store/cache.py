"""Redis as a cache: it may be away at any moment, and nothing is lost but convenience."""

from __future__ import annotations

from typing import Any

import redis
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

SECONDS_TO_CONNECT = 0.3
SECONDS_TO_ANSWER = 1.0
SECONDS_OF_STANDING = 24 * 60 * 60

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

    def find_standing(self, game: str, stamp: str) -> bytes | None:
        """The standing that was put with exactly that stamp; any other is none, however it got there."""
        found = self.find(_standing(game)) or b""
        kept, _, standing = found.partition(b"\n")
        return standing if kept == stamp.encode() else None

    def put_standing(self, game: str, stamp: str, standing: bytes) -> None:
        try:
            self._client().set(_standing(game), _stamped(stamp, standing), ex=SECONDS_OF_STANDING)
        except RedisError as error:
            raise CacheAway from error

    def put_and_wake(self, game: str, stamp: str, standing: bytes) -> None:
        """Keeps the standing, then wakes all who listen to `game:<id>`."""
        pipeline = self._client().pipeline(transaction=False)
        pipeline.set(_standing(game), _stamped(stamp, standing), ex=SECONDS_OF_STANDING)
        pipeline.publish(f"game:{game}", b"")
        self._run(pipeline)

    def drop_and_wake(self, game: str) -> None:
        pipeline = self._client().pipeline(transaction=False)
        pipeline.delete(_standing(game))
        pipeline.publish(f"game:{game}", b"")
        self._run(pipeline)

    def _run(self, pipeline: Any) -> None:
        try:
            pipeline.execute()
        except RedisError as error:
            raise CacheAway from error

    def _client(self) -> Any:
        if self._redis is None:
            raise CacheAway
        return self._redis


def _standing(game: str) -> str:
    return f"standing:{game}"


def _stamped(stamp: str, standing: bytes) -> bytes:
    return b"%b\n%b" % (stamp.encode(), standing)


def _connected(url: str) -> Any:
    """A client that connects when it is first used and tries a lost connection once more."""
    return redis.Redis.from_url(
        url,
        socket_connect_timeout=SECONDS_TO_CONNECT,
        socket_timeout=SECONDS_TO_ANSWER,
        retry=Retry(NoBackoff(), 1),
    )
