"""The Narrator opens and closes fights, sets hazards and calls for contests (sections 3.2 and 7)."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from systems.core.ask import Offer, OneOf, offer
from systems.core.errors import Illegal
from systems.core.game import Step
from systems.core.play import Play
from systems.core.seats import Seat
from systems.core.values import Map
from systems.shinobido.checks import present
from systems.shinobido.fight_events import CombatEnded, CombatStarted, InitiativeRolled
from systems.shinobido.happenings import ContestResolved
from systems.shinobido.parts import Occasion, own, wounded
from systems.shinobido.rolling import roll
from systems.shinobido.rolls import Roll
from systems.shinobido.scene_call import acting
from systems.shinobido.standing import Command, at_peace, fighting, narrating, standing, there, undecided, waits
from systems.shinobido.state import Scene
from systems.shinobido.turn_order import NextTurn, Onward, winner_of
from systems.shinobido.turns import Notice, precedence, ready
from systems.shinobido.vocabulary import Tags, attribute_named
from systems.shinobido.wounding import Damage, Withstand


class StartCombat(Command, Struct, frozen=True, cache_hash=True, tag="start_combat"):
    """Sides, perhaps an ambush, surprise, initiative, the first turn (SD-C01 to SD-C04, SD-T02, SD-T04)."""

    sides: Map[str, tuple[str, ...]]
    ambush: str | None = None

    def judge(self, game: Scene, seat: Seat) -> None:
        narrating(seat)
        undecided(game)
        at_peace(game)
        ids = [one for members in self.sides.values() for one in members]
        fit = all(one in game.cast and game.cast[one].status == "standing" for one in ids)
        if len(self.sides) < 2 or not all(self.sides.values()) or len(set(ids)) < len(ids) or not fit:
            raise Illegal("bad_sides", "SD-C01")
        if self.ambush is not None and self.ambush not in self.sides:
            raise Illegal("bad_sides", "SD-C02")

    def carry_out(self, play: Play[Scene], seat: Seat) -> None:
        cast = play.game.cast
        play.emit(CombatStarted(self.sides, self.ambush))
        lying_in_wait = self.sides.get(self.ambush, ()) if self.ambush else ()
        if lying_in_wait:
            best = max(cast[one].rating("agility") for one in lying_in_wait)
            waited_for = (one for side, ids in self.sides.items() if side != self.ambush for one in ids)
            play.then(*(Notice(one, best) for one in waited_for))
        play.then(*(TakePlace(one) for one in self._rollers(play.game)), NextTurn())

    def _rollers(self, game: Scene) -> tuple[str, ...]:
        """Everybody as listed, or one for each side (SD-C03, SD-C33)."""
        members = tuple(tuple(ids) for ids in self.sides.values())
        if game.switches.initiative == "side":
            return tuple(min(ids, key=lambda one: precedence(game.cast[one])) for ids in members)
        return tuple(one for ids in members for one in ids)


class TakePlace(Step, Struct, frozen=True, cache_hash=True, tag="take_place"):
    """One rolls initiative and is put into the order (SD-C03, SD-C06)."""

    who: str
    side: str = ""
    late: bool = False

    def run(self, play: Play[Scene]) -> None:
        total = ready(play, self.who)
        play.emit(InitiativeRolled(self.who, total, self.who in play.game.hidden, self.side, self.late))


class LateArrival(Command, Struct, frozen=True, cache_hash=True, tag="late_arrival"):
    """Somebody joins and acts from the next round (SD-C06)."""

    character: str
    side: str

    @classmethod
    def offers(cls, game: Scene, seat: Seat) -> Iterable[Offer]:
        if seat.gm and game.fight and not waits(game):
            outside = tuple(who for who in standing(game) if who not in game.fight.order)
            if outside:
                yield offer(cls, character=OneOf(outside), side=OneOf(tuple(game.fight.sides)))

    def judge(self, game: Scene, seat: Seat) -> None:
        narrating(seat)
        undecided(game)
        fighting(game)
        fight = game.fight
        newcomer = self.character in game.cast and game.cast[self.character].status == "standing"
        if not newcomer or not fight or self.character in fight.order or self.side not in fight.sides:
            raise Illegal("bad_sides", "SD-C06")

    def carry_out(self, play: Play[Scene], seat: Seat) -> None:
        play.then(TakePlace(self.character, self.side, True))


class EndCombat(Command, Struct, frozen=True, cache_hash=True, tag="end_combat"):
    """The Narrator ends the fight (SD-C26)."""

    @classmethod
    def offers(cls, game: Scene, seat: Seat) -> Iterable[Offer]:
        if seat.gm and game.fight and not game.open_decision:
            yield offer(cls)

    def judge(self, game: Scene, seat: Seat) -> None:
        narrating(seat)
        if game.open_decision:
            raise Illegal("decision_pending", "SD-T09")
        fighting(game)

    def carry_out(self, play: Play[Scene], seat: Seat) -> None:
        play.emit(CombatEnded(winner_of(play.game)[1]))


class Hazard(Command, Struct, frozen=True, cache_hash=True, tag="hazard"):
    """Harm without an attack roll, for anyone but the dead (SD-C28, SD-K04, SD-N09)."""

    target: str
    damage_rating: int

    def judge(self, game: Scene, seat: Seat) -> None:
        narrating(seat)
        undecided(game)
        if there(game, self.target, "SD-C28").status == "dead":
            raise Illegal("target_dead", "SD-C28")

    def carry_out(self, play: Play[Scene], seat: Seat) -> None:
        play.then(Withstand(self.target, Damage(self.damage_rating)), Onward())


class Contest(Command, Struct, frozen=True, cache_hash=True, tag="contest"):
    """Both roll, the higher total wins (SD-O05, SD-O06)."""

    a: str
    b: str
    a_attribute: str
    b_attribute: str
    tags: Tags = ()

    def judge(self, game: Scene, seat: Seat) -> None:
        narrating(seat)
        undecided(game)
        for one in (self.a, self.b):
            acting(there(game, one, "SD-O05"))
            present(game.cast[one])
        if self.a == self.b:
            raise Illegal("target_self", "SD-O05")
        attribute_named(self.a_attribute)
        attribute_named(self.b_attribute)

    def carry_out(self, play: Play[Scene], seat: Seat) -> None:
        play.then(Compete(self))


class Compete(Step, Struct, frozen=True, cache_hash=True, tag="compete"):
    contest: Contest

    def run(self, play: Play[Scene]) -> None:
        one, scene = self.contest, play.game
        concealed = one.a in scene.hidden or one.b in scene.hidden
        totals = []
        for who, attribute in ((one.a, one.a_attribute), (one.b, one.b_attribute)):
            occasion = Occasion("contest", attribute_named(attribute), one.tags)
            parts = (*own(scene.cast[who], occasion, scene.switches), *wounded(scene.cast[who], scene.switches))
            totals.append(roll(play, who, Roll("contest", parts, "total"), f"contest {who}", concealed))
        winner = None if totals[0] == totals[1] else one.a if totals[0] > totals[1] else one.b
        play.emit(ContestResolved(one.a, one.b, winner))
