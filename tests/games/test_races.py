"""Several at once: clashes decide again, keys carry out once, on both databases, with a cache that comes and goes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import redis

from service.problems import Problem
from service.store.cache import Cache
from service.store.embedded import EmbeddedCache
from service.usecases.games import answering
from tests.store.conftest import fresh_database

from .playing import Playing

THREADS = 8


@pytest.fixture(params=["sqlite", "postgres"])
def table(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Playing]:
    url = fresh_database(request.getfixturevalue("postgres"), "desk") if request.param == "postgres" else tmp_path
    found = Playing(url)
    yield found
    found.games.close()


def at_once(what: Callable[[int], Any]) -> list[Any]:
    """What each of several threads got, or was refused with."""

    def one(at: int) -> Any:
        try:
            return what(at)
        except Problem as refusal:
            return refusal.more.get("code", refusal.status)

    with ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(one, range(THREADS)))


def test_of_many_who_strike_at_once_one_does(table: Playing) -> None:
    found = at_once(lambda _: table.strikes("a", "b"))
    assert sum(not isinstance(one, str) for one in found) == 1
    assert {one for one in found if isinstance(one, str)} == {"decision_pending"}
    assert len(table.faces()) == 1


def test_one_key_sent_many_times_at_once_is_carried_out_once(table: Playing) -> None:
    found = at_once(lambda _: table.strikes("a", "b", key="k" * 22, mark="m"))
    assert len(table.faces()) == 1
    first = found[0].answer
    assert all(one.answer == first for one in found) and sum(not one.replayed for one in found) == 1


def test_two_players_answer_at_once_and_neither_is_lost(table: Playing) -> None:
    table.strikes("a", "b")
    questions = {who: table.questions(who)[0] for who in "ab"}
    at_once(lambda at: table.answers("ab"[at % 2], "pass", questions["ab"[at % 2]]))
    assert not any(one["id"] in questions.values() for one in table.view("gm").get("open_questions", ()))


def test_standing_answers_of_many_threads_are_all_kept(table: Playing) -> None:
    at_once(lambda at: answering.always(table.desk(), table.asked("b"), f"topic_{at}", "pass", {}, "revoked"))
    assert {one["topic"] for one in table.view("b")["standing_answers"]} == {f"topic_{at}" for at in range(THREADS)}


def test_a_cache_that_is_flushed_or_full_of_old_copies_is_never_believed(tmp_path: Path, valkey: EmbeddedCache) -> None:
    table = Playing(tmp_path, Cache(valkey.url))
    raw = redis.Redis.from_url(valkey.url)
    name = next(key for key in raw.keys() if table.id.encode() in key)  # noqa: SIM118
    old = raw.get(name)
    table.strikes("a", "b")
    assert old is not None and raw.get(name) != old
    raw.set(name, old)
    assert table.view("b")["paused"], "an old copy would show a game that waits for nobody"
    table.until_the_end()
    raw.flushall()
    assert table.view("b")["waiting_for"][0]["character"] == "b"
    table.games.close()
    raw.close()
