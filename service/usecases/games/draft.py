"""One message being decided: what it changes, before it is written down."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from hashlib import sha256
from typing import Any

from msgspec import Struct

from service.problems import refusal
from service.store.records import Row, RowKind
from service.usecases.games.standing import PUBLIC, Standing, StandingAnswer
from systems.core import live
from systems.core.dice import Dice, Faces, Pool, ScriptedDice, SeededDice
from systems.core.dice import Source as Source_
from systems.core.game import DiceRolled, Event, Game, Message, change
from systems.core.live import Progress, Waiting
from systems.core.seats import Seat
from systems.core.system import System
from systems.core.table import CastChanged, TableEvent


class AgainDice(Dice):
    """The faces of a row that was undone, for the same message on the same state; then fresh ones."""

    source: Source_ = "seeded"

    def __init__(self, before: Sequence[DiceRolled], fresh: Dice) -> None:
        self._before, self._fresh = list(before), fresh
        self.source = before[0].source if before else fresh.source

    def faces(self, pool: Pool, label: str) -> tuple[Faces, str]:
        if self._before and self._before[0].pool == pool:
            one = self._before.pop(0)
            return one.faces, one.proof
        self._before = []
        return self._fresh.faces(pool, label)


class Draft:
    """Collects events and the standing that they lead to."""

    def __init__(self, system: System, standing: Standing[Any], seat: Seat, now: int) -> None:
        self.system, self.standing, self.seat, self.now = system, standing, seat, now
        self._known = system.characters(standing.start or standing.game)
        self.events: list[Event] = []
        self.kind: RowKind = "table"
        self.message: Any = {}
        self.base = ""
        self.undo_after: int | None = None
        self.personal: Any = None
        self.snapshot = False  # whether undo must begin here, because no event says how the game changed
        self.more: dict[str, Any] = {}  # of the reply
        self.secrets: dict[str, Any] = {}  # of the reply, never stored
        self.appended: dict[str, Any] = {}  # of the row's transaction

    def set(self, **changes: Any) -> None:
        self.standing = change(self.standing, **changes)

    def tell(self, event: TableEvent) -> None:
        """Something happens at the table."""
        self.events.append(event)
        self.set(table=event.applied(self.standing.table))

    def progressed(self, progress: Progress[Any], first: Event | None = None) -> None:
        """A step went on."""
        self.events += [*((first,) if first else ()), *progress.events]
        opened = progress.waiting and not _same_window(progress.waiting, self.standing.waiting)
        self.set(game=progress.game, waiting=progress.waiting)
        if progress.waiting is None:
            self.set(start=None, window="", due=None)
        elif opened:
            seconds = self.standing.options.window_seconds
            due = self.now + seconds * 1000 if seconds else None
            self.set(window=secrets.token_hex(8), due=due)

    def take_back(self, game: Game, after: int) -> None:
        """The game stands as it did when the row `after` was made; nothing waits, and the rows since are undone."""
        self.undo_after = after
        self.set(game=game, start=None, waiting=None, window="", due=None, undone=True)

    def settle(self, dice: Dice) -> None:
        """Standing answers are given, newcomers find their players."""
        while (found := self._standing_answer()) is not None:
            at, answer = found
            assert self.standing.waiting
            self.progressed(live.answer(self.standing.waiting, at, answer, self._asked(at), dice, self.now))
        self._newcomers()

    def _asked(self, at: int) -> Seat:
        assert self.standing.waiting
        table = self.standing.table
        about = self.standing.waiting.window.questions[at].about
        return table.seat(table.player_of(about))

    def _standing_answer(self) -> tuple[int, Message] | None:
        waiting, always = self.standing.waiting, self.living_answers()
        if waiting is None or not always:
            return None
        for at, question in enumerate(waiting.window.questions):
            seat = self._asked(at)
            for one in always:
                fits = one.seat == seat.id and one.topic == question.topic and at not in waiting.window.given
                if fits and not (one.answer.refuse(waiting.seen, seat, question) or question.refuse(one.answer)):
                    return at, one.answer
        return None

    def living_answers(self) -> tuple[StandingAnswer, ...]:
        """Standing answers that have not ended with their scene or round."""
        if not self.standing.always:
            return ()
        game = self.standing.seen
        kept = tuple(one for one in self.standing.always if one.point == point_of(self.system, game, one.until))
        if kept != self.standing.always:
            self.set(always=kept)
        return kept

    def _newcomers(self) -> None:
        """Who came in by a player's own message is that player's; all others are the GM's until told otherwise."""
        if self.seat.role != "player" or self.standing.waiting is not None:
            return
        for one in self.system.characters(self.standing.game):
            if one not in self._known and one not in self.standing.table.cast:
                self.tell(CastChanged(one, self.seat.id))

    def row(self, seq: int, shown: bytes, key: str | None, mark: str) -> Row:
        encode = self.system.codec.encode
        return Row(
            seq=seq,
            at=self.now,
            seat=self.seat.id if self.seat.id != PUBLIC else "",
            kind=self.kind,
            message=encode(self.message),
            events=encode(self.events),
            shown=shown,
            digest=self.standing.digest,
            base=self.base,
            rules_version=self.system.rules_version,
            key=key,
            mark=mark,
        )


def _same_window(one: Waiting[Any], other: Waiting[Any] | None) -> bool:
    """Whether only an answer was sealed meanwhile; the same questions may well be asked twice."""
    return other is not None and one.before is other.before and one.transcript is other.transcript


def point_of(system: System, game: Game, until: str) -> tuple[int, ...]:
    """Where in the game's time it is, as far as a standing answer looks at it."""
    timeline = system.timeline(game)
    unit = {"scene_end": "scene", "round_end": "round"}.get(until)
    return timeline.point(unit) if timeline and unit in timeline.units else ()


def recognised_by(standing: Standing[Any], seat: Seat, message: bytes) -> str:
    """What a message is recognised by after an undo: the state before it, who sends it, and what it says."""
    return sha256(standing.digest.encode() + b"|" + seat.id.encode() + b"|" + message).hexdigest()[:32]


class Source(Struct, frozen=True):
    """The dice of one message, and what is to be said about them at its end."""

    dice: Dice
    seeded: SeededDice | None = None

    def close(self) -> None:
        """Raises `FacesMismatch` if faces are left over."""
        if isinstance(self.dice, ScriptedDice):
            self.dice.close()


def table_faces(faces: tuple[int, ...] | None, dice: str) -> None:
    """Raises `Problem` 422 if faces come where the server throws."""
    if faces is not None and dice == "server":
        raise refusal("server_throws")
