"""Sessions of the dice: a secret is committed to, used up and revealed, so that everybody can check every roll."""

from __future__ import annotations

import secrets
from typing import Any, Literal

from service.store.records import Epoch
from service.usecases.games import feed
from service.usecases.games.allowed import gm_only, still_open
from service.usecases.games.desk import Asked, At, Desk, Reply
from service.usecases.games.draft import Draft
from service.usecases.games.times import stamp
from systems.core.dice import PROOF_ALGORITHM, SeededDice
from systems.core.errors import Illegal
from systems.core.game import DiceRolled, Event
from systems.core.game import change as changed
from systems.core.table import EpochEnded, GameClosed


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
        draft.set(epoch=begun.number, epoch_since=found.head.seq + 1, counter=0, commitment=following)


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
    """By epoch, in the order of their counters; dice that came again after an undo are listed once."""
    epoch = 1
    listed: dict[int, dict[int, dict[str, Any]]] = {number: {} for number in ended}
    for row in desk.games.each_row(found.game, -1, found.head.seq):
        cursors = feed.cursors(row, found.seat.id, found.standing.key)
        for at, event in enumerate(found.system.codec.decode(row.events, list[Event])):
            if isinstance(event, DiceRolled) and epoch in ended:
                _list(event, cursors.get(at), listed[epoch])
            epoch += isinstance(event, EpochEnded)
    return {number: [rolls[one] for one in sorted(rolls)] for number, rolls in listed.items()}


def _list(roll: DiceRolled, cursor: str | None, rolls: dict[int, dict[str, Any]]) -> None:
    """Real dice have no counter and no proof; they stay in the order of the log."""
    counter = int(roll.proof.rpartition(":")[2]) if roll.proof else None
    shown = {
        "counter": counter,
        "sides": roll.pool.sides,
        "count": roll.pool.count,
        "faces": list(roll.faces),
        "label": roll.label if cursor else None,
        "event": cursor,
    }
    rolls.setdefault(len(rolls) if counter is None else counter, shown)
