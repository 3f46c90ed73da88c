"""What processes of their own do to an SQLite store. `python -m tests.store.load share|kill FILE`."""

from __future__ import annotations

import contextlib
import os
import signal
import sqlite3
import sys
import threading
from contextlib import closing

from service.store.cache import Cache
from service.store.games import Games
from service.store.records import Clash
from tests.store.samples import appended, create

ROWS = 100
SHARED = "shared"
KILLS = 20
GAMES = ("k0", "k1", "k2", "k3")


def share(file: str) -> None:
    """Add `ROWS` rows to a game that others write to as well."""
    with closing(Games(f"sqlite:///{file}", Cache(""))) as games:
        done = 0
        while done < ROWS:
            with contextlib.suppress(Clash):
                games.append(appended(games.head(SHARED)[0].seq, SHARED))
                done += 1


def kill(file: str) -> None:
    """Kill a writing process again and again: what it was told to be kept is there. It forks before first use."""
    for number in range(KILLS):
        games = Games(f"sqlite:///{file}", Cache(""))
        reads, writes = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reads)
            write_until_killed(games, writes)
        os.close(writes)
        told = killed_after(child, reads, acknowledgements=1 + 3 * number)
        check(file, told)
        games.close()


def write_until_killed(games: Games, writes: int) -> None:
    def play(game: str) -> None:
        if games.mark_of(game) is None:
            create(games, game)
        while True:
            seq = games.head(game)[0].seq
            games.append(appended(seq, game))
            os.write(writes, b"%b %d\n" % (game.encode(), seq + 1))

    for game in GAMES:
        threading.Thread(target=play, args=(game,)).start()
    signal.pause()


def killed_after(child: int, reads: int, acknowledgements: int) -> list[str]:
    with os.fdopen(reads) as pipe:
        told = [pipe.readline() for _ in range(acknowledgements)]
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        return told + pipe.readlines()


def check(file: str, told: list[str]) -> None:
    with closing(sqlite3.connect(file)) as database:
        kept = set(database.execute("SELECT game, seq FROM rows"))
        heads = dict(database.execute("SELECT id, seq FROM games"))
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    for line in told:
        game, seq = line.split()
        assert (game, int(seq)) in kept, line
    for game, seq in heads.items():
        assert sorted(s for g, s in kept if g == game) == list(range(1, seq + 1))


if __name__ == "__main__":
    {"share": share, "kill": kill}[sys.argv[1]](sys.argv[2])
