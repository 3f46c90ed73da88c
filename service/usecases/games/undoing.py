"""Undo (GM): the game as it was at an earlier event. The table, the log and the dice never go back."""

from __future__ import annotations

from service.problems import refusal
from service.store.records import Row
from service.usecases.games import feed
from service.usecases.games.allowed import gm_only, still_open
from service.usecases.games.desk import OPEN, Asked, At, Desk, Reply
from service.usecases.games.draft import Draft
from service.usecases.games.standing import decoded
from systems.core.game import Event, Game
from systems.core.table import TableEvent, Undone

PLAYED = ("command", "answer", "silence", "veiled")


def undo(desk: Desk, asked: Asked, to: str) -> Reply:
    """Back to just after the event `to`; inside a command, back to its beginning."""

    def decide(found: At, draft: Draft) -> None:
        gm_only(found)
        still_open(found)
        n = feed.place(found.standing.key, found.seat.id, to)
        seq = feed.row_of(desk.games, found.game, found.head.seq, found.seat.id, n)
        target = _whole_before(desk, found, seq)
        draft.kind, draft.message = "undo", {"type": "undo"}
        draft.personal = feed.pointing_back(desk.games, found.game, found.standing.key, target)
        draft.take_back(restored(desk, found, target), target)
        draft.tell(Undone())

    return desk.act(asked, decide)


def _whole_before(desk: Desk, found: At, seq: int) -> int:
    """The last row up to `seq` after which no step waited. Raises `Problem` 422 for what was undone before."""
    if seq > found.head.seq:
        raise refusal("bad_cursor")
    while row := desk.games.row(found.game, seq):
        if row.undone and row.kind in PLAYED:
            raise refusal("already_undone")
        if not row.digest.startswith(OPEN):
            return seq
        seq -= 1
    raise refusal("bad_cursor")


def restored(desk: Desk, found: At, seq: int) -> Game:
    """The game after that row: the last snapshot before it, and the events since."""
    snapshot = desk.games.snapshot_before(found.game, seq)
    assert snapshot, "the first row has one"
    at, raw = snapshot
    game: Game = decoded(found.system, raw).game
    for row in desk.games.each_row(found.game, at, seq):
        game = _after(found, game, row)
    return game


def _after(found: At, game: Game, row: Row) -> Game:
    if row.undone or row.kind not in PLAYED:
        return game
    for event in found.system.codec.decode(row.events, list[Event]):
        if not isinstance(event, TableEvent):
            game = event.applied(game)
    return game
