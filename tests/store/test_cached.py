"""Redis keeps a copy of where a game stands. It may be gone, old or wrong; what is said is always what SQL says."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
import redis

from service.store.cache import Cache
from service.store.embedded import EmbeddedCache, claim
from service.store.games import Games
from tests.store.samples import appended, create, play

NAME = "standing:g"


@pytest.fixture
def client(valkey: EmbeddedCache) -> Iterator[redis.Redis]:
    with redis.Redis.from_url(valkey.url) as found:
        found.flushall()
        yield found


@pytest.fixture
def games(sqlite: str, valkey: EmbeddedCache, client: redis.Redis) -> Iterator[Games]:
    with closing(Games(sqlite, Cache(valkey.url))) as found:
        yield found


def standing(games: Games) -> bytes:
    return games.standing(games.head("g")[0])


def test_the_copy_is_used_and_ends_after_a_day(games: Games, client: redis.Redis) -> None:
    create(games)
    stamp, _, kept = client.get(NAME).partition(b"\n")
    assert kept == b"standing 1" and stamp.split()[0] == b"1"
    client.set(NAME, stamp + b"\nthe copy\nhas lines")
    assert standing(games) == b"the copy\nhas lines"
    games.append(appended(1))
    assert standing(games) == b"standing 2" and 86_000 < client.ttl(NAME) <= 86_400


def test_a_flush_loses_nothing_and_the_copy_comes_back(games: Games, client: redis.Redis) -> None:
    play(games, 3)
    kept = client.get(NAME)
    client.flushall()
    assert standing(games) == b"standing 3" and client.get(NAME) == kept


def test_older_copies_are_not_believed(games: Games, client: redis.Redis) -> None:
    play(games, 2)
    old = client.get(NAME)
    games.append(appended(2))
    new = client.get(NAME)
    client.set(NAME, old)
    assert standing(games) == b"standing 3" and client.get(NAME) == new


@pytest.mark.parametrize("copy", [b"", b"3", b"3\nfalse", b"3 \nfalse", b"\nfalse", b"3 0123456789abcdef\nfalse"])
def test_copies_of_something_else_are_not_believed(games: Games, client: redis.Redis, copy: bytes) -> None:
    """The same seq is not enough: the game may have been made anew, or the database restored."""
    play(games, 3)
    client.set(NAME, copy)
    assert standing(games) == b"standing 3"


def test_deleting_takes_the_copy_along(games: Games, client: redis.Redis) -> None:
    create(games)
    games.delete("g")
    assert client.exists(NAME) == 0


def test_listeners_are_woken_after_the_commit(games: Games, client: redis.Redis) -> None:
    create(games)
    with client.pubsub(ignore_subscribe_messages=True) as heard:
        heard.subscribe("game:g")
        assert heard.get_message(timeout=5) is None
        games.append(appended(1))
        assert heard.get_message(timeout=5)["channel"] == b"game:g"
        games.delete("g")
        assert heard.get_message(timeout=5)["channel"] == b"game:g"


def test_a_killed_cache_is_no_error(sqlite: str, tmp_path: Path) -> None:
    with claim(tmp_path):
        own = EmbeddedCache(tmp_path)
        own.start()
        with closing(Games(sqlite, Cache(own.url))) as games:
            play(games, 2)
            own.stop()
            games.append(appended(2))
            assert standing(games) == b"standing 3"
            own.start()
            games.append(appended(3))
            assert standing(games) == b"standing 4"
            games.delete("g")
        own.stop()


def test_none_is_configured(on_sqlite: Games) -> None:
    play(on_sqlite, 2)
    assert standing(on_sqlite) == b"standing 2"
