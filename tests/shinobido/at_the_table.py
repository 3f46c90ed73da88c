"""A running game as its tests play it: every message live, every open step as another process would read it."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec

from systems.core import live
from systems.core.ask import AnyText, Between, Offer, OneOf, SubsetOf
from systems.core.dice import Dice, ScriptedDice
from systems.core.errors import Illegal
from systems.core.game import Event, Message
from systems.core.live import Waiting
from systems.core.seats import GM, Seat
from systems.shinobido.state import Scene
from systems.shinobido.switches import Switches
from systems.shinobido.system import Shinobido

SYSTEM = Shinobido()
AKI, BEN = Seat("s1", characters=("aki",)), Seat("s2", characters=("ben",))
SEATS = (GM, AKI, BEN)
WATCHER = Seat("s3", "spectator")


def stored(value: Any, kind: Any) -> Any:
    return SYSTEM.codec.decode(SYSTEM.codec.encode(value), kind)


class Session:
    """`faces` are used up exactly; a game without them is thrown from its seed."""

    def __init__(self, game: Scene | None = None, dice: Dice | None = None, **switches: Any) -> None:
        self.start = game or SYSTEM.new_game(Switches(**switches))
        self.game, self.waiting = self.start, None
        self.dice: Dice = dice or ScriptedDice([])
        self.events: list[Event] = []

    waiting: Waiting[Scene] | None

    def says(self, message: Message, seat: Seat = GM, faces: list[int] | None = None) -> tuple[Event, ...]:
        message = SYSTEM.codec.message(msgspec.json.decode(SYSTEM.codec.encode(message)))
        self._faces(faces)
        progress = live.command(self.game, message, seat, self.dice)
        self.events.append(live.planned(message, seat))
        return self._went(progress)

    def answers(self, message: Message, seat: Seat = GM, faces: list[int] | None = None) -> tuple[Event, ...]:
        assert self.waiting
        self._faces(faces)
        at = next(at for at in range(len(self.waiting.window.questions)) if at not in self.waiting.window.given)
        return self._went(live.answer(self.waiting, at, message, seat, self.dice))

    def silence(self, faces: list[int] | None = None) -> tuple[Event, ...]:
        assert self.waiting
        self._faces(faces)
        return self._went(live.silence(self.waiting, 0, self.dice))

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

    def _faces(self, faces: list[int] | None) -> None:
        if faces is not None:
            self.dice = ScriptedDice(faces)

    def _went(self, progress: live.Progress[Scene]) -> tuple[Event, ...]:
        self.events += progress.events
        self.waiting = stored(progress.waiting, Waiting[Scene]) if progress.waiting else None
        self.game = progress.game
        if isinstance(self.dice, ScriptedDice):
            self.dice.close()
        assert stored(self.game, Scene) == self.game
        for event in progress.events:
            assert stored(event, Event) == event
        return progress.events

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
