"""Commands of a running game. So far: the attack, with its windows (sections 7 and 13)."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from systems.core.ask import Between, Offer, OneOf, Question, offer
from systems.core.errors import Illegal
from systems.core.game import Message
from systems.core.play import Play
from systems.core.seats import Seat
from systems.shinobido.blows import targeting
from systems.shinobido.parts import MOST_CONCENTRATION, Act, limits
from systems.shinobido.scene_call import acting, affording
from systems.shinobido.state import Scene
from systems.shinobido.strikes import Strike, weapon_refused


class Attack(Message, Struct, frozen=True, cache_hash=True, tag="attack"):
    """A basic attack on another one who stands (SD-C08, SD-C10). What the Narrator adds stands in the state."""

    actor: str
    target: str
    concentrate: int = 0
    tags: tuple[str, ...] = ("melee",)
    weapon_modifier: int = 0

    @classmethod
    def offers(cls, game: Scene, seat: Seat) -> Iterable[Offer]:
        up = tuple(who for who, sheet in game.cast.items() if sheet.status == "standing")
        for actor in up:
            targets = tuple(who for who in up if who != actor)
            if seat.plays(actor) and targets:
                focus = Between(0, min(MOST_CONCENTRATION, game.cast[actor].pool))
                yield offer(cls, actor=OneOf((actor,)), target=OneOf(targets), concentrate=focus)

    def refuse(self, game: Scene, seat: Seat, question: Question | None) -> Illegal | None:
        if self.actor not in game.cast or not seat.speaks_for(self.actor):
            return Illegal("not_owner", "SD-P03")
        try:
            self._legal(game)
        except Illegal as refusal:
            return refusal
        return None

    def _legal(self, game: Scene) -> None:
        actor = game.cast[self.actor]
        acting(actor)
        if self.target == self.actor:
            raise Illegal("target_self", "SD-C10")
        if self.target not in game.cast:
            raise Illegal("target_out", "SD-C10")
        targeting(actor, game.cast[self.target])
        limits(self._act, game.switches)
        weapon_refused(self.weapon_modifier)
        affording(actor, self.concentrate)

    @property
    def _act(self) -> Act:
        return Act(concentrate=self.concentrate, tags=self.tags)

    def carry_out(self, play: Play[Scene], seat: Seat) -> None:
        play.then(Strike(who=self.actor, target=self.target, act=self._act, weapon_modifier=self.weapon_modifier))
