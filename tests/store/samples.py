"""Games and rows to keep."""

from __future__ import annotations

from typing import Any

from service.store.games import Games
from service.store.records import Append, Epoch, Row


def row(seq: int, **changed: Any) -> Row:
    plain: dict[str, Any] = {
        "seq": seq,
        "at": 1_790_000_000_000 + seq,
        "seat": "gm",
        "kind": "command",
        "message": b'{"type":"go"}',
        "events": b"[]",
        "shown": b'{"gm":1}',
        "digest": f"digest {seq}",
        "base": f"base {seq}",
        "rules_version": "1",
    }
    return Row(**(plain | changed))


def epoch(game: str, number: int = 1, ended: int | None = None) -> Epoch:
    return Epoch(game, number, b"\x00secret\xff" + bytes([number]), f"commitment {number}", 1_000 * number, ended)


def create(games: Games, game: str = "g", **changed: Any) -> None:
    plain: dict[str, Any] = {
        "system": "trial",
        "standing": b"standing 1",
        "credentials": {"hash": "gm"},
        "row": row(1, kind="created"),
        "epoch": epoch(game),
        "due": None,
        "mark": "made",
    }
    games.create(game, **(plain | changed))


def appended(seq: int, game: str = "g", row_with: dict[str, Any] | None = None, **changed: Any) -> Append:
    """What was decided on `seq`."""
    new = row(seq + 1, **(row_with or {}))
    plain: dict[str, Any] = {"game": game, "seq": seq, "row": new, "standing": b"standing %d" % (seq + 1), "due": None}
    return Append(**(plain | changed))


def play(games: Games, rows: int, game: str = "g") -> None:
    """A new game with that many rows."""
    create(games, game)
    for seq in range(1, rows):
        games.append(appended(seq, game))
