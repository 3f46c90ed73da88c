"""A server that goes away, comes back, or leaves open how a commit ended."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy as sa

from service.store import direct, faults
from service.store.cache import Cache
from service.store.engine import engine
from service.store.games import Games
from service.store.records import OutcomeUnknown, StoreAway
from tests.store.conftest import fresh_database
from tests.store.proxy import Wire
from tests.store.samples import appended, create, play


@pytest.fixture
def database(postgres: str) -> str:
    return fresh_database(postgres, "games")


@pytest.fixture
def wire(database: str) -> Iterator[Wire]:
    with tempfile.TemporaryDirectory() as place:  # a short path: it holds a socket
        host = sa.make_url(database).query["host"]
        with closing(Wire(Path(str(host)), Path(place))) as found:
            yield found


@pytest.fixture
def games(wire: Wire) -> Iterator[Games]:
    with closing(Games(wire.url, Cache(""))) as found:
        yield found


def test_away_and_back(games: Games, wire: Wire) -> None:
    play(games, 2)
    wire.down()
    assert not games.awake()
    for asked in (lambda: games.head("g"), lambda: games.append(appended(2)), lambda: games.due(1, 1)):
        with pytest.raises(StoreAway) as told:
            asked()
        assert told.value.why == faults.UNREACHABLE
    wire.up()
    games.append(appended(2))
    assert games.awake() and games.head("g")[0].seq == 3


def test_it_need_not_be_there_at_first(games: Games, wire: Wire) -> None:
    wire.down()
    assert not games.awake()
    wire.up()
    create(games)


def test_connections_that_the_server_ended_are_made_anew(games: Games, database: str) -> None:
    play(games, 2)
    admin = engine(database)
    with admin.connect() as connection:
        ended = (
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = 'games'"
        )
        assert connection.execute(sa.text(ended)).all()
    admin.dispose()
    games.append(appended(2))
    assert games.head("g")[0].seq == 3


def test_cut_before_the_commit(games: Games, wire: Wire) -> None:
    play(games, 2)
    wire.cut = "before"
    with pytest.raises(StoreAway) as told:
        games.append(appended(2))
    assert not isinstance(told.value, OutcomeUnknown) and games.head("g")[0].seq == 2
    games.append(appended(2))


def test_cut_after_the_commit(games: Games, wire: Wire) -> None:
    play(games, 2)
    wire.cut = "after"
    games.append(appended(2))
    assert games.head("g")[0].seq == 3


def test_a_commit_that_hangs_is_ended(games: Games, wire: Wire) -> None:
    """The server never hears of it and holds the game: it must be surely over before we say that it failed."""
    play(games, 2)
    wire.cut = "held"
    with pytest.raises(StoreAway) as told:
        games.append(appended(2))
    assert not isinstance(told.value, OutcomeUnknown) and games.head("g")[0].seq == 2
    games.append(appended(2))


def test_nobody_can_say_how_it_ended(games: Games, wire: Wire, database: str) -> None:
    play(games, 2)
    wire.cut, wire.stays_down = "after", True
    own = engine(wire.url)
    try:
        with pytest.raises(OutcomeUnknown):
            direct.Direct(own, seconds_to_find_out=0.5).carry_out(
                lambda connection: connection.execute(sa.text("UPDATE games SET due = 5"))
            )
    finally:
        own.dispose()
    assert wire.was_cut.wait(5)
    with closing(Games(database, Cache(""))) as others:
        assert others.due(9, 9) == ["g"]


def test_a_lock_that_others_hold(games: Games, database: str) -> None:
    play(games, 2)
    other = engine(database)
    with other.connect() as connection:
        connection.execute(sa.text("SELECT 1 FROM games FOR UPDATE"))
        with pytest.raises(StoreAway, match=faults.LOCKED):
            games.append(appended(2))
    other.dispose()
    games.append(appended(2))


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://postgres:secret@127.0.0.1:1/games",
        "postgresql://nobody:secret@/games?host={host}",
        "postgresql://postgres:secret@/none?host={host}",
    ],
)
def test_why_in_words_without_secrets(database: str, url: str) -> None:
    host = sa.make_url(database).query["host"]
    with closing(Games(url.format(host=host), Cache(""))) as games:
        with pytest.raises(StoreAway) as told:
            create(games)
        assert told.value.why == faults.UNREACHABLE
