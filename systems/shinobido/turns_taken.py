"""What a turn may be spent on without an attack, and what is free in it (SD-C07, SD-C19 to SD-C25, SD-H05, SD-X07)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from msgspec import Struct

from systems.core.ask import Offer, OneOf, Pass, offer
from systems.core.errors import Illegal
from systems.core.game import Event, Step
from systems.core.play import Play
from systems.core.seats import Seat
from systems.shinobido.answers import chosen, decision
from systems.shinobido.commands import actors
from systems.shinobido.deeds import Dying, SecondWind, ShakeOff
from systems.shinobido.deeds_by_name import SurgeParams, surging_refused
from systems.shinobido.events import DecisionAnswered, DecisionOffered
from systems.shinobido.fight_events import (
    Assisted,
    CharacterDied,
    Finished,
    FocusGathered,
    GuardTaken,
    Passed,
    TurnEnded,
    Yielded,
)
from systems.shinobido.parts import MOST_HELPERS, wound_penalty
from systems.shinobido.standing import (
    Command,
    at_peace,
    fighting,
    narrating,
    owned,
    ready,
    standing,
    there,
    undecided,
    waits,
    within_reach,
)
from systems.shinobido.state import Scene
from systems.shinobido.turn_order import NextTurn, Onward

GATHERED = 2  # SD-F15


class _Plain(Command):
    """A turn spent without dice."""

    actor: str

    @classmethod
    def offers(cls, game: Scene, seat: Seat) -> Iterable[Offer]:
        for actor in actors(game, seat, True):
            yield offer(cls, actor=OneOf((actor,)))

    def judge(self, game: Scene, seat: Seat) -> None:
        ready(game, seat, self.actor)

    def carry_out(self, play: Play[Scene], seat: Seat) -> None:
        who = owned(play.game, seat, self.actor)
        play.emit(self.spent(play.game, who))
        play.then(Onward(who))

    def spent(self, game: Scene, who: str) -> Event:
        """What the turn was spent on."""
        raise NotImplementedError


class Guard(_Plain, Struct, frozen=True, cache_hash=True, tag="guard"):
    """+2 to Defense and every avoid value until one's next turn (SD-C19)."""

    actor: str = ""

    def spent(self, game: Scene, who: str) -> Event:
        return GuardTaken(who)


class GatherFocus(_Plain, Struct, frozen=True, cache_hash=True, tag="gather_focus"):
    """+2 Focus (SD-F15, SD-F16)."""

    actor: str = ""

    @classmethod
    def offers(cls, game: Scene, seat: Seat) -> Iterable[Offer]:
        for actor in actors(game, seat, True):
            if game.cast[actor].pool < game.cast[actor].focus_max:
                yield offer(cls, actor=OneOf((actor,)))

    def judge(self, game: Scene, seat: Seat) -> None:
        actor = ready(game, seat, self.actor)
        if actor.pool >= actor.focus_max:
            raise Illegal("focus_full", "SD-F15")

    def spent(self, game: Scene, who: str) -> Event:
        sheet = game.cast[who]
        return FocusGathered(who, min(GATHERED, sheet.focus_max - sheet.pool), who in game.hidden)


class Assist(Command, Struct, frozen=True, cache_hash=True, tag="assist"):
    """A helper's +1 for an ally; in a fight it is the helper's turn (SD-C21, SD-M07)."""

    ally: str
    actor: str = ""

    @classmethod
    def offers(cls, game: Scene, seat: Seat) -> Iterable[Offer]:
        for actor in _helpers(game, seat):
            allies = tuple(one for one in standing(game) if one != actor and len(_waiting(game, one)) < MOST_HELPERS)
            if allies:
                yield offer(cls, actor=OneOf((actor,)), ally=OneOf(allies))

    def judge(self, game: Scene, seat: Seat) -> None:
        who = owned(game, seat, self.actor)
        if game.open_decision or (game.fight and game.open_action and game.open_action.open):
            raise Illegal("decision_pending", "SD-T09")
        ready(game, seat, self.actor, in_combat_only=False, rolling=True)
        ally = there(game, self.ally, "SD-C21")
        if self.ally == who:
            raise Illegal("target_self", "SD-C21")
        if ally.status in ("dead", "fled", "captured"):
            raise Illegal("target_dead" if ally.status == "dead" else "target_out", "SD-C21")
        if ally.status != "standing":
            raise Illegal("target_down", "SD-C21")
        within_reach(game, who, self.ally)
        if len(_waiting(game, self.ally)) >= MOST_HELPERS:
            raise Illegal("too_many_helpers", "SD-M07")

    def carry_out(self, play: Play[Scene], seat: Seat) -> None:
        who = owned(play.game, seat, self.actor)
        play.emit(Assisted(who, self.ally, len(_waiting(play.game, self.ally)) + 1))
        play.then(Onward(who))


def _helpers(game: Scene, seat: Seat) -> tuple[str, ...]:
    """Out of a fight help may be given to an action that is declared already."""
    if game.fight or game.open_decision:
        return actors(game, seat, True)
    return tuple(who for who in standing(game) if seat.speaks_for(who))


def _waiting(game: Scene, ally: str) -> tuple[str, ...]:
    helpers: tuple[str, ...] = game.story.assists.get(ally, ())
    return helpers


class PassTurn(_Plain, Pass, frozen=True, cache_hash=True, tag="pass"):
    """Nothing is done this turn (SD-C24)."""

    actor: str = ""

    def spent(self, game: Scene, who: str) -> Event:
        return Passed(who)


class Yield(_Plain, Struct, frozen=True, cache_hash=True, tag="yield"):
    """Captured; the winner decides what follows (SD-C23)."""

    actor: str = ""

    def spent(self, game: Scene, who: str) -> Event:
        return Yielded(who)


class Finish(Command, Struct, frozen=True, cache_hash=True, tag="finish"):
    """The end of one who lies Down; a player character's player is asked (SD-C25, SD-X08)."""

    target: str
    actor: str = ""

    @classmethod
    def offers(cls, game: Scene, seat: Seat) -> Iterable[Offer]:
        for actor in actors(game, seat, True):
            lying = tuple(who for who, one in game.cast.items() if one.status in ("down", "dying"))
            if lying:
                yield offer(cls, actor=OneOf((actor,)), target=OneOf(lying))

    def judge(self, game: Scene, seat: Seat) -> None:
        actor = ready(game, seat, self.actor)
        if self.target not in game.cast or game.cast[self.target].status not in ("down", "dying"):
            raise Illegal("target_not_down", "SD-C25")
        within_reach(game, actor.id, self.target)

    def carry_out(self, play: Play[Scene], seat: Seat) -> None:
        who = owned(play.game, seat, self.actor)
        play.emit(Finished(who, self.target))
        asks = play.game.cast[self.target].kind == "pc" and play.game.switches.pc_death_consent
        if asks:
            play.emit(DecisionOffered(self.target, "death_consent", self.target in play.game.hidden))
            play.then(Consent(self.target), Onward(who))
        else:
            play.emit(CharacterDied(self.target))
            play.then(Onward(who))


class Consent(Step, Struct, frozen=True, cache_hash=True, tag="consent"):
    """Whether a player's character dies or is taken (SD-C25, SD-T10)."""

    who: str

    def run(self, play: Play[Scene]) -> None:
        answer = chosen(play.ask(decision("death_consent", self.who, "finish")))
        play.emit(DecisionAnswered(self.who, "death_consent", answer, self.who in play.game.hidden))
        play.emit(CharacterDied(self.who) if answer == "accept" else Yielded(self.who))


class HeroicSurge(Command, Struct, frozen=True, cache_hash=True, tag="heroic_surge"):
    """A Second Wind, free before the action of one's turn (SD-H04 to SD-H06); a Last Stand is an answer."""

    actor: str = ""
    mode: Literal["second_wind", "last_stand"] = "second_wind"

    @classmethod
    def offers(cls, game: Scene, seat: Seat) -> Iterable[Offer]:
        for actor in actors(game, seat, False):
            sheet = game.cast[actor]
            if sheet.surges_left and wound_penalty(sheet, game.switches):
                yield offer(cls, actor=OneOf((actor,)))

    def judge(self, game: Scene, seat: Seat) -> None:
        actor = ready(game, seat, self.actor, in_combat_only=False)
        surging_refused(actor, SurgeParams(actor=actor, mode=self.mode, options=game.switches))
        if self.mode == "last_stand":
            raise Illegal("surge_not_applicable", "SD-H02")

    def carry_out(self, play: Play[Scene], seat: Seat) -> None:
        play.then(SecondWind(owned(play.game, seat, self.actor)))


class ShakeOffHindrance(_Plain, Struct, frozen=True, cache_hash=True, tag="shake_off"):
    """A turn against a hindrance (SD-X07)."""

    actor: str = ""

    @classmethod
    def offers(cls, game: Scene, seat: Seat) -> Iterable[Offer]:
        for actor in actors(game, seat, True):
            if game.switches.focus_effects and game.cast[actor].hindrance:
                yield offer(cls, actor=OneOf((actor,)))

    def judge(self, game: Scene, seat: Seat) -> None:
        actor = ready(game, seat, self.actor)
        if not game.switches.focus_effects:
            raise Illegal("option_disabled", "SD-X07", option="focus_effects")
        if not actor.hindrance:
            raise Illegal("no_hindrance", "SD-X07")

    def carry_out(self, play: Play[Scene], seat: Seat) -> None:
        who = owned(play.game, seat, self.actor)
        play.then(ShakeOff(who), Onward(who))


class DyingCheck(Command, Struct, frozen=True, cache_hash=True, tag="dying_check"):
    """Outside a fight the Narrator calls for it (SD-W14)."""

    actor: str

    @classmethod
    def offers(cls, game: Scene, seat: Seat) -> Iterable[Offer]:
        dying = tuple(who for who, one in game.cast.items() if one.status == "dying")
        if seat.gm and dying and not game.fight and not waits(game):
            yield offer(cls, actor=OneOf(dying))

    def judge(self, game: Scene, seat: Seat) -> None:
        narrating(seat)
        undecided(game)
        at_peace(game)
        if there(game, self.actor, "SD-W14").status == "dead":
            raise Illegal("actor_dead", "SD-W14")
        if game.cast[self.actor].status != "dying":
            raise Illegal("target_not_down", "SD-W14")

    def carry_out(self, play: Play[Scene], seat: Seat) -> None:
        play.then(Dying(self.actor, play.game.cast[self.actor].overkill))


class EndTurn(Command, Struct, frozen=True, cache_hash=True, tag="end_turn"):
    """The turn goes on to the next who stands (SD-T06)."""

    actor: str = ""

    @classmethod
    def offers(cls, game: Scene, seat: Seat) -> Iterable[Offer]:
        fight = game.fight
        if fight and fight.turn and seat.speaks_for(fight.turn) and not waits(game):
            yield offer(cls, actor=OneOf((fight.turn,)))

    def judge(self, game: Scene, seat: Seat) -> None:
        fight = game.fight
        if seat.gm and fight and not self.actor:
            undecided(game)
            return
        who = owned(game, seat, self.actor)
        undecided(game)
        fighting(game)
        if fight and fight.turn != who:
            raise Illegal("not_your_turn", "SD-T06")

    def carry_out(self, play: Play[Scene], seat: Seat) -> None:
        if play.game.fight:
            play.emit(TurnEnded(play.game.fight.turn))
            play.then(NextTurn())
