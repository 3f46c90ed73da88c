"""A table to play at: the made-up system Scuffle with games, on a real SQLite file, a fresh desk for each message."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec

from service.store.cache import Cache
from service.store.games import Games
from service.usecases.catalogue import Catalogue
from service.usecases.games import answering, offering, opening, reading, undoing
from service.usecases.games.desk import Asked, Desk, Reply, token_hash
from service.usecases.games.views import view_of
from systems.core.ask import Offer
from systems.core.calls import Verdict
from systems.core.game import Message
from systems.core.seats import Seat
from systems.core.system import NoSwitches
from systems.core.table import CastChanged, SeatAdded, SeatTaken
from tests.core.toy import Fight, FightView, Scuffle, Strike, calls, new_fight

TOKENS = {"a": "t_a", "b": "t_b"}


class Playable(Scuffle):
    """Scuffle between a and b: whoever's go it is strikes, everybody may reroll unseen."""

    state = Fight

    def new_game(self, switches: NoSwitches) -> Fight:
        return new_fight("a", "b")

    def characters(self, game: Fight) -> tuple[str, ...]:
        return tuple(game.ninja)

    def turns(self, game: Fight) -> tuple[str, ...]:
        return () if game.over else (game.turn,)

    def verdict(self, message: Message, before: Fight, after: Fight) -> Verdict:
        assert isinstance(message, Strike)
        hurt = after.ninja[message.target].life < before.ninja[message.target].life
        return Verdict("hit" if hurt else "miss", hurt)

    def examples(self, view: FightView, seat: Seat, offer: Offer) -> Iterable[Message]:
        others = [one for one in view.life if one != view.turn]
        return (Strike(view.turn, other) for other in others)


SYSTEM = Playable("scuffle", "tests.core", calls)


class Playing:
    """Two players, a and b, and the GM."""

    def __init__(self, at: Path | str, cache: Cache | None = None, **options: Any) -> None:
        self.now = 1_000_000
        url = at if isinstance(at, str) else f"sqlite:///{at}/games.db"
        self.games = Games(url, cache or Cache(""))
        desk = self.desk()
        table, switches = opening.options_of(desk, SYSTEM, options)
        made = opening.create(
            desk, opening.Opening(SYSTEM, "A duel", "GM", table, SYSTEM.new_game(switches), None, "made")
        )
        self.id, self.gm = made.answer["id"], made.answer["token"]
        for name in TOKENS:
            self._seat(name)

    def desk(self) -> Desk:
        """A desk that remembers nothing, as another process has it."""
        return Desk(self.games, Catalogue({"scuffle": SYSTEM}), lambda: self.now)

    def _seat(self, name: str) -> None:
        desk = self.desk()

        def decide(found: Any, draft: Any) -> None:
            for event in (SeatAdded(name, name.upper(), "player"), SeatTaken(name), CastChanged(name, name)):
                draft.tell(event)
            draft.appended["credentials"] = {**found.head.credentials, token_hash(TOKENS[name]): name}

        desk.act(self.asked("gm"), decide)

    def asked(self, who: str, **more: Any) -> Asked:
        return Asked(self.id, TOKENS.get(who, self.gm), **more)

    def strikes(self, who: str, target: str, **more: Any) -> Reply:
        return answering.command(self.desk(), self.asked(who, **more), "strike", {"who": who, "target": target})

    def gm_does(self, act: str, **params: Any) -> Reply:
        return answering.command(self.desk(), self.asked("gm"), act, params)

    def answers(self, who: str, action: str, question: str | None = None, **more: Any) -> Reply:
        id = question or self.questions(who)[0]
        return answering.answer(self.desk(), self.asked(who, **more), id, action, {})

    def passes(self, *who: str) -> None:
        for one in who:
            self.answers(one, "pass")

    def until_the_end(self) -> None:
        """Everybody passes until nothing waits."""
        while self.view("gm")["paused"]:
            self.passes(*(one for one in TOKENS if self.questions(one)))

    def bytes_for(self, who: str) -> bytes:
        return view_of(self.desk().at(self.asked(who)))

    def view(self, who: str) -> Any:
        return msgspec.json.decode(self.bytes_for(who))

    def questions(self, who: str) -> list[str]:
        pending = self.view(who)["pending"]
        return [one["id"] for one in pending["questions"]] if pending else []

    def events(self, who: str, after: str | None = None, limit: int = 500) -> dict[str, Any]:
        return reading.events(self.desk(), self.asked(who), after, limit)

    def log(self, who: str) -> list[dict[str, Any]]:
        entries: list[dict[str, Any]] = reading.log(self.desk(), self.asked(who), None, 500)["log"]
        return entries

    def undo(self, to: str) -> Reply:
        return undoing.undo(self.desk(), self.asked("gm"), to)

    def odds(self, who: str) -> dict[str, Any]:
        target = next(one for one in TOKENS if one != who)
        return offering.odds(self.desk(), self.asked(who), "strike", {"who": who, "target": target})

    def faces(self, who: str = "gm") -> list[list[int]]:
        return [one["faces"] for one in self.events(who)["events"] if one["type"] == "DiceRolled"]
