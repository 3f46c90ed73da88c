"""One file, many writers, and everything that can befall it."""

from __future__ import annotations

import fcntl
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from service.settings import BadSetting, Settings
from service.store import changes, faults
from service.store.cache import Cache
from service.store.engine import engine
from service.store.games import Games
from service.store.records import Clash, StoreAway
from service.store.schema import upgrade
from service.store.writer import Writer
from tests.store import load
from tests.store.samples import appended, create, play

ROOT = Path(__file__).parents[2]


@contextmanager
def listening(event: str, listener: Callable[..., None]) -> Iterator[None]:
    sa.event.listen(sa.Engine, event, listener)
    try:
        yield
    finally:
        sa.event.remove(sa.Engine, event, listener)


@contextmanager
def lock_held(file: Path) -> Iterator[None]:
    """As another process holds it while it writes."""
    with file.with_name(f"{file.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def all_at_once(jobs: list[Callable[[], Any]]) -> list[Any]:
    """What each returns or raises, each in a thread of its own."""
    results: list[Any] = [None] * len(jobs)

    def run(number: int) -> None:
        try:
            results[number] = jobs[number]()
        except Exception as error:
            results[number] = error

    threads = [threading.Thread(target=run, args=(number,)) for number in range(len(jobs))]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    return results


class TestGroups:
    def test_what_comes_meanwhile_is_committed_together(self, on_sqlite: Games, tmp_path: Path) -> None:
        for number in range(8):
            create(on_sqlite, f"g{number}")
        commits: list[object] = []
        jobs = [lambda n=number: on_sqlite.append(appended(1, f"g{n}")) for number in range(8)]
        with listening("commit", commits.append):
            with lock_held(tmp_path / "games.db"):
                threads = [threading.Thread(target=job) for job in jobs]
                for one in threads:
                    one.start()
                time.sleep(0.3)
            for one in threads:
                one.join()
        assert 1 <= len(commits) < 8
        assert [on_sqlite.head(f"g{number}")[0].seq for number in range(8)] == [2] * 8

    def test_under_load(self, on_sqlite: Games) -> None:
        for number in range(8):
            create(on_sqlite, f"g{number}")
        commits: list[object] = []

        def run(game: str) -> None:
            for seq in range(1, 51):
                on_sqlite.append(appended(seq, game))

        with listening("commit", commits.append):
            assert all_at_once([lambda n=number: run(f"g{n}") for number in range(8)]) == [None] * 8
        assert len(commits) < 300

    def test_a_clash_does_not_hurt_its_group(self, on_sqlite: Games, tmp_path: Path) -> None:
        play(on_sqlite, 3)
        create(on_sqlite, "other")
        jobs = [lambda: on_sqlite.append(appended(3)), lambda: on_sqlite.append(appended(3))]
        jobs += [lambda: on_sqlite.append(appended(1)), lambda: on_sqlite.append(appended(1, "other"))]
        results = all_at_once(jobs)
        assert sorted(type(one).__name__ for one in results[:2]) == ["Clash", "str"]
        assert isinstance(results[2], Clash) and isinstance(results[3], str)
        assert on_sqlite.head("g")[0].seq == 4 and on_sqlite.head("other")[0].seq == 2

    def test_closing_carries_out_what_waits(self, on_sqlite: Games, sqlite: str, tmp_path: Path) -> None:
        create(on_sqlite)
        with lock_held(tmp_path / "games.db"):
            last = threading.Thread(target=lambda: on_sqlite.append(appended(1)))
            last.start()
            time.sleep(0.1)
            end = threading.Thread(target=on_sqlite.close)
            end.start()
        end.join()
        last.join()
        with pytest.raises(StoreAway, match="closed"):
            on_sqlite.append(appended(2))
        with closing(Games(sqlite, Cache(""))) as again:
            assert again.head("g")[0].seq == 2


class TestTrouble:
    def test_what_was_given_up_is_never_carried_out(self, tmp_path: Path) -> None:
        file = tmp_path / "games.db"
        made = engine(f"sqlite:///{file}")
        upgrade(made)
        writer = Writer(made, file, seconds_to_wait=0.2)
        with closing(Games(f"sqlite:///{file}", Cache(""))) as games:
            create(games)
            with lock_held(file), pytest.raises(StoreAway, match="busy"):
                writer.carry_out(lambda connection: changes.append(connection, appended(1), "n"))
            writer.carry_out(lambda connection: changes.settle_due(connection, "g", 1, 5))
            assert games.head("g")[0].seq == 1 and games.due(9, 9) == ["g"]
        writer.close()
        made.dispose()

    def test_a_locked_database(self, on_sqlite: Games, tmp_path: Path) -> None:
        play(on_sqlite, 2)
        with closing(sqlite3.connect(tmp_path / "games.db", isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(StoreAway, match="locked"):
                on_sqlite.append(appended(2))
            assert on_sqlite.head("g")[0].seq == 2 and on_sqlite.awake()
        on_sqlite.append(appended(2))
        assert on_sqlite.head("g")[0].seq == 3

    @pytest.mark.parametrize(
        ("limit", "lifted", "why"),
        [
            ("max_page_count = 1", "max_page_count = 100000", faults.FULL),
            ("query_only = 1", "query_only = 0", "written"),
        ],
    )
    def test_a_disk_that_is_full_or_cannot_be_written(self, sqlite: str, limit: str, lifted: str, why: str) -> None:
        with closing(Games(sqlite, Cache(""))) as games:
            play(games, 2)
        limited: list[Any] = []

        def limit_it(connection: Any, _: object) -> None:
            connection.execute(f"PRAGMA {limit}")
            limited.append(connection)

        large = appended(2, standing=b"x" * 1_000_000)
        with closing(Games(sqlite, Cache(""))) as games:
            with listening("connect", limit_it):
                results = all_at_once([lambda: games.append(large), lambda: games.append(large)])
                assert all(isinstance(one, StoreAway) and why in one.why for one in results)
                assert games.head("g")[0].seq == 2 and len(games.rows("g", 0, 9)) == 2
            for connection in limited:
                with suppress(sqlite3.ProgrammingError):  # it is closed
                    connection.execute(f"PRAGMA {lifted}")
            games.append(large)
            assert games.standing(games.head("g")[0]) == large.standing

    def test_a_place_where_nothing_can_be(self, tmp_path: Path) -> None:
        stone = tmp_path / "stone"
        stone.write_text("")
        with closing(Games(f"sqlite:///{stone}/games.db", Cache(""))) as games:
            assert not games.awake()
            with pytest.raises(StoreAway) as told:
                create(games)
            assert str(tmp_path) not in told.value.why
            stone.unlink()
            create(games)
            assert games.awake()

    def test_a_file_that_is_no_database(self, tmp_path: Path) -> None:
        (tmp_path / "games.db").write_bytes(b"a letter, not a database " * 200)
        with closing(Games(f"sqlite:///{tmp_path}/games.db", Cache(""))) as games:
            assert not games.awake()

    def test_a_mistake_of_ours_is_no_trouble_of_the_database(self, on_sqlite: Games) -> None:
        create(on_sqlite)
        with pytest.raises(sa.exc.IntegrityError):
            on_sqlite.append(appended(1, row_with={"digest": None}))
        on_sqlite.append(appended(1))


class TestProcesses:
    def test_two_write_one_file(self, on_sqlite: Games, tmp_path: Path) -> None:
        create(on_sqlite, load.SHARED)
        file = str(tmp_path / "games.db")
        command = (sys.executable, "-W", "error", "-m", "tests.store.load", "share", file)
        both = [subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True) for _ in range(2)]
        errors = [one.communicate(timeout=60)[1] for one in both]
        assert errors == ["", ""] and [one.returncode for one in both] == [0, 0]
        kept = on_sqlite.rows(load.SHARED, 0, 1_000)
        assert [one.seq for one in kept] == list(range(1, 2 * load.ROWS + 2))

    def test_what_was_acknowledged_outlives_a_kill(self, tmp_path: Path) -> None:
        command = (sys.executable, "-W", "error", "-m", "tests.store.load", "kill", str(tmp_path / "games.db"))
        ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
        assert (ended.returncode, ended.stderr) == (0, "")


class TestUrl:
    def test_sqlite_is_in_the_directory_of_the_service(self) -> None:
        assert Settings(data=Path("/srv/n")).database == "sqlite:////srv/n/games.db"
        assert Settings(database_url="postgresql+psycopg://h/d").database == "postgresql+psycopg://h/d"

    @pytest.mark.parametrize("url", ["", "mysql://u:secret@h/d", "sqlite://", "sqlite:///:memory:", "sqlite:///"])
    def test_others_are_refused_without_repeating_them(self, url: str) -> None:
        with pytest.raises(BadSetting) as told:
            Games(url, Cache(""))
        assert "secret" not in str(told.value)

    def test_a_path_is_taken_as_it_is(self, tmp_path: Path) -> None:
        place = tmp_path / "a b%20c?d#e"
        with closing(Games(f"sqlite:///{place}/games.db", Cache(""))) as games:
            create(games)
        assert (place / "games.db").exists()
