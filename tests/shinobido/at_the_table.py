"""A running game as its tests play it: every message live, every open step as another process would read it."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec

from systems.core import live
from systems.core.ask import AnyText, Between, Offer, OneOf, SubsetOf
from systems.core.dice import Dice, Pool, ScriptedDice
from systems.core.errors import Illegal
from systems.core.game import Event, Message
from systems.core.live import Waiting
from systems.core.seats import GM, Seat
from systems.shinobido.answers import Decide
from systems.shinobido.state import Scene
from systems.shinobido.switches import Switches
from systems.shinobido.system import Shinobido

SYSTEM = Shinobido()
AKI, BEN = Seat("s1", characters=("aki",)), Seat("s2", characters=("ben",))
SEATS = (GM, AKI, BEN)
WATCHER = Seat("s3", "spectator")


def stored(value: Any, kind: Any) -> Any:
    return SYSTEM.codec.decode(SYSTEM.codec.encode(value), kind)


class Steady(Dice):
    """Throws as they were laid out, then threes."""

    source = "table"

    def __init__(self) -> None:
        self.next: list[list[int]] = []

    def faces(self, pool: Pool, label: str) -> tuple[tuple[int, ...], str]:
        return tuple(self.next.pop(0)) if self.next else (3,) * pool.count, ""


class Session:
    """A game played live; rerolls are declined unless a test answers itself (`patient`)."""

    def __init__(self, game: Scene | None = None, dice: Dice | None = None, **switches: Any) -> None:
        self.start = game or SYSTEM.new_game(Switches(**switches))
        self.game, self.waiting = self.start, None
        self.dice: Dice = dice or Steady()
        self.events: list[Event] = []

    waiting: Waiting[Scene] | None

    def says(self, message: Message, seat: Seat = GM, *throws: list[int], patient: bool = False) -> None:
        """One command. Refused ones raise `Illegal`."""
        message = SYSTEM.codec.message(msgspec.json.decode(SYSTEM.codec.encode(message)))
        self._lay(throws)
        progress = live.command(self.game, message, seat, self.dice)
        self.events.append(live.planned(message, seat))
        self._went(progress, patient)

    def answers(self, message: Message, seat: Seat = GM, *throws: list[int], patient: bool = False) -> None:
        assert self.waiting
        self._lay(throws)
        self._went(live.answer(self.waiting, 0, message, seat, self.dice), patient)

    def refuses(self, message: Message, code: str, seat: Seat = GM) -> None:
        """Nothing is thrown and nothing changes."""
        before, events = self.game, len(self.events)
        try:
            live.command(self.game, message, seat, ScriptedDice([]))
        except Illegal as refusal:
            assert refusal.code == code, f"{message} refused with {refusal}"
        else:
            raise AssertionError(f"{message} was not refused")
        assert self.game is before and len(self.events) == events

    def refuses_answer(self, message: Message, code: str, seat: Seat = GM) -> None:
        assert self.waiting
        try:
            live.answer(self.waiting, 0, message, seat, ScriptedDice([]))
        except Illegal as refusal:
            assert refusal.code == code
        else:
            raise AssertionError(f"{message} was not refused")

    def _lay(self, throws: tuple[list[int], ...]) -> None:
        if isinstance(self.dice, Steady):
            self.dice.next = list(throws)

    def _went(self, progress: live.Progress[Scene], patient: bool = True) -> None:
        self.events += progress.events
        self.waiting = stored(progress.waiting, Waiting[Scene]) if progress.waiting else None
        self.game = progress.game
        assert stored(self.game, Scene) == self.game
        for event in progress.events:
            assert stored(event, Event) == event
        while self.topic == "reroll_offer" and not patient:
            assert self.waiting
            self._went(live.answer(self.waiting, 0, Decide("no"), GM, self.dice))

    @property
    def topic(self) -> str:
        return self.waiting.window.questions[0].topic if self.waiting else ""

    @property
    def seen(self) -> Scene:
        return self.waiting.seen if self.waiting else self.game

    def replayed(self) -> Scene:
        return live.replay(self.start, tuple(self.events))

    def looks(self, seat: Seat) -> bytes:
        """All that a seat can know: its view and the events shown to it."""
        shown = [masked for event in self.events if (masked := event.seen_by(seat))]
        return msgspec.json.encode([SYSTEM.codec.encode(SYSTEM.view(self.seen, seat)).decode(), len(shown)]) + (
            b"".join(SYSTEM.codec.encode(one) for one in shown)
        )


def seeded(name: str) -> Dice:
    return _Random(name)


class _Random(Dice):
    source = "fast"

    def __init__(self, seed: str) -> None:
        self._random = Random(seed)

    def faces(self, pool: Any, label: str) -> tuple[tuple[int, ...], str]:
        return tuple(self._random.randint(1, pool.sides) for _ in range(pool.count)), ""


def some_value(domain: Any, random: Random) -> Any:
    if isinstance(domain, OneOf):
        return random.choice(domain.values)
    if isinstance(domain, Between):
        return random.randint(domain.low, domain.high)
    if isinstance(domain, SubsetOf):
        return tuple(domain.values[: domain.at_least])
    assert isinstance(domain, AnyText)
    return ""


def some_message(offer: Offer, random: Random) -> Message:
    kind = SYSTEM.codec.messages[offer.action]
    return kind(**{name: some_value(domain, random) for name, domain in offer.params})


def awaited(session: Session) -> Iterator[tuple[Seat, Offer]]:
    for seat in SEATS:
        for offer in SYSTEM.offers(session.game, seat):
            yield seat, offer
