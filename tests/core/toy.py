"""Scuffle: a made-up fifth system that exercises the kernel. It touches no other file.

Each ninja has 3 life and one charm. On your go you strike: 2d6, 6 or more hits unless the target dodges with 7 or more.
After every throw anybody may spend a charm to have it thrown again, unseen by the others, and the window reopens.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from itertools import product
from typing import Any

from msgspec import Struct

from systems.core.ask import Offer, OneOf, Pass, Question, asked, offer
from systems.core.calls import Calls, Outcome, Report, Verdict
from systems.core.checks import Check
from systems.core.dice import Faces, Pool
from systems.core.errors import Illegal
from systems.core.game import Event, Game, Message, Public, Step, change
from systems.core.play import Play, Throw
from systems.core.seats import Seat
from systems.core.system import BasicSystem, Case
from systems.core.tables import Row, RowTable
from systems.core.text import because
from systems.core.values import Map

HIT_FROM, DODGE_FROM = 6, 7  # totals of 2d6


class Reach(Check[bool], Struct, frozen=True, cache_hash=True):
    target: int
    pool: Pool = Pool(2)

    def read(self, faces: Faces) -> bool:
        return sum(faces) >= self.target


class Ninja(Struct, frozen=True, cache_hash=True):
    life: int = 3
    charms: int = 1


class Fight(Game, frozen=True, cache_hash=True):
    ninja: Map[str, Ninja] = Map()
    turn: str = ""

    @property
    def over(self) -> bool:
        return any(one.life == 0 for one in self.ninja.values())

    def with_ninja(self, who: str, **changes: int) -> Fight:
        return change(self, ninja=self.ninja.put(who, change(self.ninja[who], **changes)))


class Spend(Message, Struct, frozen=True, cache_hash=True, tag="spend"):
    def refuse(self, game: Fight, seat: Seat, question: Question | None) -> Illegal | None:
        return None if question else Illegal("nothing_to_reroll", "TOY-2")


class Strike(Message, Struct, frozen=True, cache_hash=True, tag="strike"):
    who: str
    target: str

    @classmethod
    def offers(cls, game: Fight, seat: Seat) -> Iterable[Offer]:
        others = tuple(one for one in game.ninja if one != game.turn)
        if not game.over and seat.plays(game.turn):
            yield offer(cls, who=OneOf((game.turn,)), target=OneOf(others))

    def refuse(self, game: Fight, seat: Seat, question: Question | None) -> Illegal | None:
        if self.who != game.turn or not seat.speaks_for(self.who):
            return Illegal("not_your_turn", "TOY-1")
        return None if self.target in game.ninja and self.target != self.who else Illegal("no_target", "TOY-1")

    def carry_out(self, play: Play[Fight], seat: Seat) -> None:
        play.then(Throwing(self.who, "strike", HIT_FROM, self.target), EndGo())


class Throwing(Step, Struct, frozen=True, cache_hash=True, tag="throwing"):
    by: str
    what: str
    target_number: int
    target: str

    def run(self, play: Play[Fight]) -> None:
        success = play.check(Reach(self.target_number), f"{self.what} by {self.by}")
        play.emit(WasThrown(self.by, self.what, success))
        spenders = [
            who for who, one in zip(play.game.ninja, self.window(play, success), strict=True) if isinstance(one, Spend)
        ]
        if spenders:
            play.emit(CharmSpent(play.rank(spenders, "who is first")[0]))
            play.then(self)
        elif success and self.what == "strike":
            play.then(Throwing(self.target, "dodge", DODGE_FROM, self.target))
        elif not success and self.what == "dodge":
            play.emit(Wounded(self.target))

    def window(self, play: Play[Fight], success: bool) -> tuple[Message, ...]:
        shown = "success" if success else "failure"
        questions = [
            asked(who, f"reroll_{self.what}", offer(Pass), *((offer(Spend),) if one.charms else ()), subject=shown)
            for who, one in play.game.ninja.items()
        ]
        return play.ask_all(questions, veiled=True)


class EndGo(Step, Struct, frozen=True, cache_hash=True, tag="end_go"):
    def run(self, play: Play[Fight]) -> None:
        play.emit(GoEnded())


class WasThrown(Public, Struct, frozen=True, cache_hash=True, tag="was_thrown"):
    by: str
    what: str
    success: bool

    def applied(self, game: Fight) -> Fight:
        return game


class CharmSpent(Event, Struct, frozen=True, cache_hash=True, tag="charm_spent"):
    by: str

    def applied(self, game: Fight) -> Fight:
        return game.with_ninja(self.by, charms=0)

    def seen_by(self, viewer: Seat) -> Event | None:
        return self if viewer.speaks_for(self.by) else CharmSpent("somebody")


class Wounded(Public, Struct, frozen=True, cache_hash=True, tag="wounded"):
    who: str

    def applied(self, game: Fight) -> Fight:
        return game.with_ninja(self.who, life=game.ninja[self.who].life - 1)


class GoEnded(Public, Struct, frozen=True, cache_hash=True, tag="go_ended"):
    def applied(self, game: Fight) -> Fight:
        order = tuple(game.ninja)
        return change(game, turn=order[(order.index(game.turn) + 1) % len(order)])


def new_fight(*who: str) -> Fight:
    return Fight(ninja=Map({one: Ninja() for one in who}), turn=who[0])


class LeapParams(Struct, frozen=True, cache_hash=True):
    target: int = 7


class LeapOutcome(Outcome, frozen=True, kw_only=True):
    total: int


FATE = RowTable("fate", ("TOY-9",), tuple(Row(f"row_{at}", at, at) for at in range(1, 7)), "1d6")
calls = Calls({"fate": FATE})


def report(p: LeapParams, verdict: Verdict, throws: tuple[Throw, ...]) -> Report:
    total = sum(throws[0].faces)
    return Report(LeapOutcome(total=total), (because("TOY-3", "leap", total=total, target=p.target),))


@calls.check("leap", rules="TOY-3", grades="success failure", report=report, outcome=LeapOutcome)
def leap(play: Play[Any], p: LeapParams) -> Verdict:
    success = play.check(Reach(p.target), "leap")
    return Verdict("success" if success else "failure", success)


class FightView(Struct, frozen=True):
    """What a seat may know: everybody's life, and whose charm is left only of its own."""

    turn: str
    life: Map[str, int]
    charms: Map[str, int]


class Scuffle(BasicSystem):
    chapters = (sys.modules[__name__],)

    def view(self, state: Fight, seat: Seat) -> FightView:
        own = {who: one.charms for who, one in state.ninja.items() if seat.speaks_for(who)}
        return FightView(state.turn, Map({who: one.life for who, one in state.ninja.items()}), Map(own))

    def imagine(self, view: FightView, message: Message | None = None) -> Iterable[Case[Fight]]:
        unknown = [who for who in view.life if who not in view.charms]
        for left in product((0, 1), repeat=len(unknown)):
            given = dict(zip(unknown, left, strict=True))
            charms = {**view.charms.dict(), **given}
            ninja = Map({who: Ninja(life, charms[who]) for who, life in view.life.items()})
            yield Case(given, Fight(ninja=ninja, turn=view.turn))


SCUFFLE = Scuffle("scuffle", "tests.core", calls)
