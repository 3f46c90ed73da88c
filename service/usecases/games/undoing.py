"""Undo (GM): the game as it was at an earlier event. The table, the log and the dice never go back."""

from __future__ import annotations

import msgspec

from service.problems import Problem
from service.store.records import Row
from service.usecases.games import feed
from service.usecases.games.allowed import gm_only, still_open
from service.usecases.games.desk import OPEN, Asked, At, Desk, Reply
from service.usecases.games.draft import Draft
from service.usecases.games.feed import Personal
from service.usecases.games.standing import decoded
from systems.core.game import Event, Game, change
from systems.core.table import TableEvent, Undone

MOST_ROWS = 200  # read at once
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
        draft.undo_after = target
        draft.personal = _told(desk, found, target)
        game = restored(desk, found, target)
        draft.set(game=game, start=None, waiting=None, window="", due=None, undone=True)
        draft.tell(Undone())

    return desk.act(asked, decide)


def _whole_before(desk: Desk, found: At, seq: int) -> int:
    """The last row up to `seq` after which no step waited. Raises `Problem` 422 for what was undone before."""
    if seq > found.head.seq:
        raise Problem(422, "bad_cursor", more={"code": "bad_cursor"})
    while row := desk.games.row(found.game, seq):
        if row.undone and row.kind in PLAYED:
            raise Problem(422, "already_undone", more={"code": "already_undone"})
        if not row.digest.startswith(OPEN):
            return seq
        seq -= 1
    raise Problem(422, "bad_cursor", more={"code": "bad_cursor"})


def restored(desk: Desk, found: At, seq: int) -> Game:
    """The game after that row: the last snapshot before it, and the events since."""
    snapshot = desk.games.snapshot_before(found.game, seq)
    assert snapshot, "the first row has one"
    at, raw = snapshot
    game: Game = decoded(found.system, raw).game
    while rows := desk.games.rows(found.game, at, MOST_ROWS, seq):
        at = rows[-1].seq
        for row in rows:
            game = _after(found, game, row)
    return game


def _after(found: At, game: Game, row: Row) -> Game:
    if row.undone or row.kind not in PLAYED:
        return game
    for raw in msgspec.json.decode(row.events, type=list[msgspec.Raw]):
        event = found.system.codec.decode(raw, Event)
        if not isinstance(event, TableEvent):
            game = event.applied(game)
    return game


def _told(desk: Desk, found: At, seq: int) -> Personal:
    def personal(event: Event, seat: str) -> Event:
        if not isinstance(event, Undone):
            return event
        return change(event, to=feed.cursor(found.standing.key, seat, feed.count_at(desk.games, found.game, seq, seat)))

    return personal
