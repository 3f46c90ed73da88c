"""Sessions of the dice: a secret is committed to, used up and revealed, so that everybody can check every roll."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from typing import Any, Literal

import msgspec

from service.store.records import Epoch, Row
from service.usecases.games import feed
from service.usecases.games.allowed import gm_only, still_open
from service.usecases.games.desk import Asked, At, Desk, Reply
from service.usecases.games.draft import Draft
from service.usecases.games.times import stamp
from systems.core.dice import PROOF_ALGORITHM, SeededDice, recompute
from systems.core.errors import Illegal
from systems.core.game import DiceRolled
from systems.core.game import change as changed
from systems.core.table import EpochEnded, GameClosed

MOST_ROWS = 200  # read at once


def end_epoch(desk: Desk, asked: Asked) -> Reply:
    """The session is over (GM): its dice secret is open, the next one committed to. Not while a question is open."""

    def decide(found: At, draft: Draft) -> None:
        _may_end(found)
        secret = secrets.token_bytes(32)
        number = found.standing.epoch + 1
        begun = Epoch(found.game, number, secret, SeededDice(secret, found.game).commitment, draft.now)
        draft.message = {"type": "end_epoch"}
        _reveal(desk, found, draft, begun)

    return desk.act(asked, decide)


def close(desk: Desk, asked: Asked, open_log: Literal["gm", "all"]) -> Reply:
    """The game is over (GM): the last secret is open, nothing more is played, and the log is open to those named."""

    def decide(found: At, draft: Draft) -> None:
        _may_end(found)
        draft.message = {"type": "close", "open_log": open_log}
        _reveal(desk, found, draft, None)
        draft.tell(GameClosed(open_log))

    return desk.act(asked, decide)


def _may_end(found: At) -> None:
    gm_only(found)
    still_open(found)
    if found.standing.waiting is not None:
        raise Illegal("decision_pending", "")


def _reveal(desk: Desk, found: At, draft: Draft, begun: Epoch | None) -> None:
    running = desk.games.secret(found.game)
    following = begun.commitment if begun else ""
    draft.tell(EpochEnded(running.number, running.commitment, running.secret.hex(), following))
    draft.appended["ended"] = changed(running, ended=draft.now)
    if begun:
        draft.appended["begun"] = begun
        draft.set(epoch=begun.number, counter=0, commitment=following)


def proof(desk: Desk, asked: Asked) -> dict[str, Any]:
    """Every commitment; of each ended epoch the secret and every roll. Of a running one nothing else, not a count."""
    found = desk.at(asked)
    epochs = [_as_of(found, one) for one in desk.games.epochs(found.game) if one.number <= found.standing.epoch]
    rolls = _rolls(desk, found, {one.number: one for one in epochs if one.ended is not None})
    return {
        "game": found.game,
        "algorithm": PROOF_ALGORITHM,
        "epochs": [_shown(one, rolls.get(one.number, [])) for one in epochs],
    }


def _as_of(found: At, epoch: Epoch) -> Epoch:
    """As it was when the game stood where it was found, even if the epoch has ended a moment ago."""
    running = epoch.number == found.standing.epoch and not found.standing.table.closed
    return changed(epoch, ended=None) if running else epoch


def _shown(epoch: Epoch, rolls: list[dict[str, Any]]) -> dict[str, Any]:
    ended = epoch.ended is not None
    shown: dict[str, Any] = {
        "number": epoch.number,
        "commitment": epoch.commitment,
        "began": stamp(epoch.began),
        "ended": stamp(epoch.ended) if epoch.ended is not None else None,
        "secret": epoch.secret.hex() if ended else None,
    }
    return shown | ({"rolls": rolls} if ended else {})


def _rolls(desk: Desk, found: At, ended: dict[int, Epoch]) -> dict[int, list[dict[str, Any]]]:
    """By epoch, in the order of their counters; those of real dice have none and stay in the order of the log."""
    epoch = 1
    listed: dict[int, dict[Any, dict[str, Any]]] = {number: {} for number in ended}
    for row in _rows(desk, found):
        for at, event in enumerate(msgspec.json.decode(row.events, type=list[dict[str, Any]])):
            kind = event["type"]
            if kind == DiceRolled.stable_id() and epoch in ended:
                roll = found.system.codec.decode(msgspec.json.encode(event), DiceRolled)
                if not _came_again(roll, ended, listed, epoch):
                    _list(roll, feed.cursors(row, found.seat.id, found.standing.key).get(at), listed[epoch])
            elif kind == EpochEnded.stable_id():
                epoch += 1
    return {number: sorted(rolls.values(), key=_place) for number, rolls in listed.items()}


def _rows(desk: Desk, found: At) -> Iterator[Row]:
    seq = -1
    while rows := desk.games.rows(found.game, seq, MOST_ROWS, found.head.seq):
        yield from rows
        seq = rows[-1].seq


def _came_again(
    roll: DiceRolled, ended: dict[int, Epoch], listed: dict[int, dict[Any, dict[str, Any]]], epoch: int
) -> bool:
    """Whether these are the dice of an undone row: listed before, in an earlier epoch at times."""
    if not roll.proof or recompute(ended[epoch].secret, roll.proof, roll.pool) == roll.faces:
        return False
    known = (rolls.get(_counter(roll)) for number, rolls in listed.items() if number < epoch)
    return any(one is not None and tuple(one["faces"]) == roll.faces for one in known)


def _list(roll: DiceRolled, cursor: str | None, rolls: dict[Any, dict[str, Any]]) -> None:
    counter = _counter(roll) if roll.proof else None
    key = counter if counter is not None else f"real {len(rolls)}"
    shown = {
        "counter": counter,
        "sides": roll.pool.sides,
        "count": roll.pool.count,
        "faces": list(roll.faces),
        "label": roll.label if cursor else None,
        "event": cursor,
    }
    rolls.setdefault(key, shown)


def _counter(roll: DiceRolled) -> int:
    return int(roll.proof.rpartition(":")[2])


def _place(roll: dict[str, Any]) -> int:
    return -1 if roll["counter"] is None else int(roll["counter"])
