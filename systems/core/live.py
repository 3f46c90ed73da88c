"""Live play: a step that stops at a question is run again with its transcript when the answers are in.

Nothing is suspended. What is stored of an open step is data: the state in which it began, its transcript, the events
already shown and the open window. Restarting every process between two answers changes nothing.
"""

from __future__ import annotations

from typing import Any, Generic, TypeVar

from msgspec import Struct

from systems.core.ask import Question, names
from systems.core.checks import Check
from systems.core.dice import Dice, Faces, Pool, Source
from systems.core.errors import Diverged, Illegal, Unanswered
from systems.core.game import CarryOut, DiceRolled, Event, Game, Message, Step, StepsPlanned, change
from systems.core.play import DiceChance, Play, Throw, ThrownChance
from systems.core.seats import Seat
from systems.core.values import Map

G = TypeVar("G", bound=Game)
T = TypeVar("T")


class Thrown(Struct, frozen=True, tag="throw"):
    """A throw of a step: it must come again with the same label and pool."""

    label: str
    pool: Pool
    faces: Faces
    source: Source
    proof: str
    seen_by: str


class Answered(Struct, frozen=True, tag="window"):
    """A closed window: who was asked what, and the answers."""

    asked: tuple[tuple[str, str], ...]
    answers: tuple[Message, ...]


class Stamped(Struct, frozen=True, tag="stamp"):
    """When a run of the step began, in milliseconds."""

    now: int


Entry = Thrown | Answered | Stamped


class Window(Struct, frozen=True):
    """The open questions of a step; `given` holds sealed answers by the place of their question.

    In a veiled window only the asked may know that there is one; everybody else sees that the game is paused.
    """

    questions: tuple[Question, ...]
    veiled: bool
    given: Map[int, Message] = Map()

    def open_for(self, character: str) -> tuple[int, ...]:
        return tuple(at for at, one in enumerate(self.questions) if one.about == character and at not in self.given)

    @property
    def complete(self) -> bool:
        return len(self.given) == len(self.questions)


class Waiting(Struct, Generic[G], frozen=True):
    """An open step. `before` is the state in which it began, `seen` the one that views show meanwhile."""

    before: G
    seen: G
    transcript: tuple[Entry, ...]
    shown: tuple[Event, ...]
    window: Window


class Progress(Struct, Generic[G], frozen=True):
    """How far a message went: the state, what newly happened and was thrown, and the open step if there is one."""

    game: G
    events: tuple[Event, ...]
    throws: tuple[Throw, ...]
    waiting: Waiting[G] | None = None


class _Cursor:
    """Walks a transcript while its step runs again."""

    def __init__(self, entries: tuple[Entry, ...]) -> None:
        self._entries, self._at = entries, 0
        self.made: list[Entry] = []

    def next(self, kind: type[T], what: str) -> T | None:
        if self._at == len(self._entries):
            return None
        entry = self._entries[self._at]
        if not isinstance(entry, kind):
            raise Diverged(f"the rule wants {what}, the transcript has {entry}")
        self._at += 1
        self.made.append(entry)
        return entry

    def stamps(self) -> int | None:
        """The last stamp among the entries that come next."""
        now = None
        while self._at < len(self._entries) and isinstance(stamp := self._entries[self._at], Stamped):
            now = stamp.now
            self._at += 1
            self.made.append(stamp)
        return now

    @property
    def rest(self) -> tuple[Entry, ...]:
        return self._entries[self._at :]


class _LiveChance(ThrownChance):
    """Faces of the transcript first, then fresh ones; every throw is an event of the play."""

    play: Play[Any]

    def __init__(self, cursor: _Cursor, dice: Dice) -> None:
        super().__init__()
        self._cursor, self._fresh = cursor, DiceChance(dice)

    @property
    def throws(self) -> list[Throw]:
        """What was thrown anew."""
        return self._fresh.throws

    def faces(self, label: str, pool: Pool, seen_by: str, check: Check[Any] | None) -> Faces:
        entry = self._cursor.next(Thrown, f"a throw of {pool} for {label}")
        if entry is None:
            self._fresh.faces(label, pool, seen_by, check)
            one = self.throws[-1]
            self._cursor.made.append(Thrown(label, pool, one.faces, one.source, one.proof, seen_by))
        else:
            one = Throw(label, pool, entry.faces, entry.source, entry.proof, entry.seen_by, check)
            if (entry.label, entry.pool) != (label, pool):
                raise Diverged(f"the rule throws {pool} for {label}, the transcript has {entry}")
        self.last = one
        self.play.emit(DiceRolled(label, pool, one.faces, one.source, one.seen_by, one.proof))
        return one.faces


class _LiveAnswers:
    """Answers of the transcript. Before its last window closes, the events must be those already shown."""

    def __init__(self, cursor: _Cursor, shown: tuple[Event, ...]) -> None:
        self._cursor, self._shown = cursor, shown

    def window(self, play: Play[Any], questions: tuple[Question, ...], veiled: bool) -> tuple[Message, ...]:
        entry = self._cursor.next(Answered, f"answers of {names(questions)}")
        if entry is None:
            raise Unanswered(questions, veiled)
        if entry.asked != names(questions):
            raise Diverged(f"the rule asks {names(questions)}, the transcript has {entry.asked}")
        if (now := self._cursor.stamps()) is not None:
            play.now = now
        if not self._cursor.rest and tuple(play.events) != self._shown:
            raise Diverged("the events differ from those already shown")
        return entry.answers


def command(game: G, message: Message, seat: Seat, dice: Dice, now: int = 0) -> Progress[G]:
    """Carry out a command on a state whose agenda is empty, as far as it goes without an answer.

    Raises `Illegal` if the rules refuse it; then nothing was thrown.
    """
    if game.agenda:
        raise Illegal("decision_pending", "")
    if refusal := message.refuse(game, seat, None):
        raise refusal
    return advance(change(game, agenda=(CarryOut(message, seat),)), dice, now)


def answer(waiting: Waiting[G], at: int, message: Message, seat: Seat, dice: Dice, now: int = 0) -> Progress[G]:
    """Answer the question at place `at` of the open window; the step runs on when all answers are in.

    Raises `Illegal` if the seat is not asked, has answered, or the answer is not legal.
    """
    window = waiting.window
    if at in window.given or not 0 <= at < len(window.questions):
        raise Illegal("not_asked", "")
    question = window.questions[at]
    if not seat.speaks_for(question.about):
        raise Illegal("not_asked", "")
    if refusal := message.refuse(waiting.seen, seat, question) or question.refuse(message):
        raise refusal
    return _given(waiting, at, message, dice, now)


def silence(waiting: Waiting[G], at: int, dice: Dice, now: int = 0) -> Progress[G]:
    """A deadline, an absent player or the GM's skip: the question gets what silence means."""
    return _given(waiting, at, waiting.window.questions[at].silence, dice, now)


def _given(waiting: Waiting[G], at: int, message: Message, dice: Dice, now: int) -> Progress[G]:
    window = change(waiting.window, given=waiting.window.given.put(at, message))
    if not window.complete:
        return Progress(waiting.before, (), (), change(waiting, window=window))
    closed = Answered(names(window.questions), window.given.values())
    transcript = (*waiting.transcript, closed, Stamped(now))
    return _run(waiting.before, transcript, waiting.shown, dice, now)


def advance(game: G, dice: Dice, now: int = 0) -> Progress[G]:
    """Do what the agenda holds until it is empty or a question is open."""
    return _run(game, (Stamped(now),), (), dice, now)


def _run(game: G, transcript: tuple[Entry, ...], shown: tuple[Event, ...], dice: Dice, now: int) -> Progress[G]:
    events: list[Event] = []
    throws: list[Throw] = []
    while game.agenda:
        cursor = _Cursor(transcript)
        chance = _LiveChance(cursor, dice)
        began = cursor.stamps()
        play: Play[G] = Play(game, chance, _LiveAnswers(cursor, shown), now if began is None else began)
        chance.play = play
        waiting = _stops(play, cursor, game)
        events += play.events[len(shown) :]
        throws += chance.throws
        if waiting:
            return Progress(game, tuple(events), tuple(throws), waiting)
        if cursor.rest:
            raise Diverged(f"the rule ended before its transcript: {cursor.rest}")
        game, transcript, shown = play.game, (Stamped(now),), ()
    return Progress(game, tuple(events), tuple(throws))


def _stops(play: Play[G], cursor: _Cursor, before: G) -> Waiting[G] | None:
    try:
        play.begin().run(play)
    except Unanswered as stop:
        window = Window(stop.questions, stop.veiled)
        return Waiting(before, play.game, tuple(cursor.made), tuple(play.events), window)
    return None


def replay(game: G, events: tuple[Event, ...]) -> G:
    """The state that a log of events leads to; nothing is thrown or decided again."""
    for event in events:
        game = event.applied(game)
    return game


def planned(message: Message, seat: Seat) -> StepsPlanned:
    """The event with which a log begins a command."""
    steps: tuple[Step, ...] = (CarryOut(message, seat),)
    return StepsPlanned(steps)
