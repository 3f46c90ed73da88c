"""Scuffle with what its games lack: characters that come and go as documents, and picks that stay sealed."""

from __future__ import annotations

import sys
from typing import Any

import msgspec
from msgspec import Struct

from service.usecases.catalogue import Catalogue
from service.usecases.games import answering, clocks, seats
from service.usecases.games.desk import Asked, Desk, Reply
from systems.core.ask import Question
from systems.core.errors import Illegal
from systems.core.game import Event, Message, Public, change
from systems.core.play import Play
from systems.core.seats import Seat
from systems.core.system import NoSwitches
from systems.core.values import Map
from tests.core import toy
from tests.core.toy import Fight, FightView, Ninja, calls

from . import playing
from .playing import Playable, Playing


class Brawl(Fight, frozen=True, cache_hash=True):
    """A fight in which everybody may wager unseen on how it ends."""

    wagers: Map[str, str] = Map()

    def violated(self) -> Illegal | None:
        return None if self.turn in self.ninja else Illegal("nobodys_turn", "TOY-1")


class BrawlView(Struct, frozen=True):
    fight: FightView
    wagers: Map[str, str]


class Wager(Message, Struct, frozen=True, cache_hash=True, tag="wager"):
    who: str
    on: str

    def refuse(self, game: Brawl, seat: Seat, question: Question | None) -> Illegal | None:
        return None if seat.speaks_for(self.who) else Illegal("not_yours", "TOY-5")

    def carry_out(self, play: Play[Brawl], seat: Seat) -> None:
        play.emit(Wagered(self.who, self.on))


class Wagered(Event, Struct, frozen=True, cache_hash=True, tag="wagered"):
    who: str
    on: str

    def applied(self, game: Brawl) -> Brawl:
        return change(game, wagers=game.wagers.put(self.who, self.on))

    def seen_by(self, viewer: Seat) -> Event | None:
        return self if viewer.plays(self.who) else None


class Join(Message, Struct, frozen=True, cache_hash=True, tag="join"):
    who: str
    life: int

    def refuse(self, game: Brawl, seat: Seat, question: Question | None) -> Illegal | None:
        return Illegal("name_taken", "TOY-6") if self.who in game.ninja else None

    def carry_out(self, play: Play[Brawl], seat: Seat) -> None:
        play.emit(Joined(self.who, self.life))


class Joined(Public, Struct, frozen=True, cache_hash=True, tag="joined"):
    who: str
    life: int

    def applied(self, game: Brawl) -> Brawl:
        return change(game, ninja=game.ninja.put(self.who, Ninja(self.life)))


class Brawls(Playable):
    chapters = (toy, sys.modules[__name__])  # type: ignore[assignment]
    state = Brawl

    def new_game(self, switches: NoSwitches) -> Brawl:
        return Brawl(ninja=Map({one: Ninja() for one in "ab"}), turn="a")

    def view(self, state: Any, seat: Seat) -> Any:
        own = Map({who: on for who, on in state.wagers.items() if seat.plays(who)})
        return BrawlView(super().view(state, seat), own)

    def without_sealed(self, game: Brawl, characters: tuple[str, ...]) -> Brawl:
        return change(game, wagers=Map({who: on for who, on in game.wagers.items() if who not in characters}))

    def sheet_of(self, game: Brawl, character: str) -> Any:
        return {"who": character, "life": game.ninja[character].life}

    def arriving(self, sheet: Any, seat: Seat) -> Message | Illegal:
        return msgspec.convert(sheet, Join)


BRAWLS = Brawls("scuffle", "tests.core", calls)


class Hall(Playing):
    """Playing at brawls."""

    def __init__(self, *args: Any, **options: Any) -> None:
        plain, playing.SYSTEM = playing.SYSTEM, BRAWLS
        try:
            super().__init__(*args, **options)
        finally:
            playing.SYSTEM = plain

    def desk(self) -> Desk:
        return Desk(self.games, Catalogue({"scuffle": BRAWLS}), lambda: self.now)

    def with_token(self, token: str, **more: Any) -> Asked:
        return Asked(self.id, token, **more)

    def wagers(self, who: str, on: str) -> Reply:
        return answering.command(self.desk(), self.asked(who), "wager", {"who": who, "on": on})

    def invites(self, name: str = "C", **more: Any) -> dict[str, Any]:
        return seats.add(self.desk(), self.asked("gm"), seats.SeatBody(name, **more)).answer

    def redeems(self, code: str, key: str | None = None) -> dict[str, Any]:
        return seats.redeem(self.desk(), code, key, "en").answer

    def clock(self, who: str, name: str, segments: int = 4, **more: Any) -> str:
        body = clocks.ClockBody(name, segments, **more)
        return str(clocks.make(self.desk(), self.asked(who), body).answer["id"])

    def said(self, who: str) -> list[str]:
        return [one["type"] for one in self.events(who)["events"]]

    def shown_to(self, who: str) -> tuple[bytes, Any, Any, Any]:
        """Everything that a seat can read of the game."""
        listed = clocks.listed(self.desk(), self.asked(who))
        return self.bytes_for(who), self.events(who), self.log(who), listed
