"""Actions with dice as commands: attack, art, checks, first aid, flight (sections 7, 8, 9 and 13)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from msgspec import Struct

from systems.core.ask import Between, Offer, OneOf, offer
from systems.core.errors import Illegal
from systems.core.game import Message, Step
from systems.core.seats import Seat
from systems.shinobido.blows import targeting
from systems.shinobido.checks import present
from systems.shinobido.declaring import Declarable, focus_domain
from systems.shinobido.deeds import Aid, Attempt, Flight
from systems.shinobido.parts import Act
from systems.shinobido.scene_call import affording
from systems.shinobido.sheet import Art, Sheet
from systems.shinobido.standing import standing, there, waits, within_reach
from systems.shinobido.state import Scene
from systems.shinobido.strikes import (
    DOMAINS,
    LEAST_DAMAGE,
    MOST_DAMAGE,
    Strike,
    damage_refused,
    known_art,
    weapon_refused,
)
from systems.shinobido.vocabulary import ATTRIBUTES, attribute_named


def actors(game: Scene, seat: Seat, in_combat_only: bool) -> tuple[str, ...]:
    """Who of those for whom the seat speaks may act now."""
    if waits(game):
        return ()
    up = tuple(who for who in standing(game) if seat.speaks_for(who))
    fight = game.fight
    if fight is None:
        return () if in_combat_only else up
    idle = () if in_combat_only else tuple(who for who in up if who not in fight.order)
    return (*((fight.turn,) if fight.turn in up and fight.turn not in fight.acted else ()), *idle)


def others(game: Scene, actor: str) -> tuple[str, ...]:
    """Whom one can attack: everybody else who stands in the fight (SD-C10, SD-K03)."""
    ids = game.fight.order if game.fight else tuple(game.cast)
    return tuple(who for who in standing(game, ids) if who != actor)


class _Strike(Declarable):
    target: str

    @classmethod
    def in_combat_only(cls) -> bool:
        return True

    def aimed_at(self) -> str:
        return self.target

    def facing(self, game: Scene, actor: Sheet, far: bool) -> None:
        if self.target == actor.id:
            raise Illegal("target_self", "SD-C10")
        target = there(game, self.target, "SD-C10")
        targeting(actor, target)
        if game.fight and self.target not in game.fight.order:
            raise Illegal("target_out", "SD-C01")
        within_reach(game, actor.id, self.target, far)

    def earlier(self, game: Scene, who: str) -> int:
        return game.fight.earlier_attackers(who, self.target) if game.fight else 0


class Attack(_Strike, Struct, frozen=True, cache_hash=True, tag="attack"):
    """A basic attack on another one who stands (SD-C08, SD-C10). What the Narrator adds stands in the state."""

    actor: str
    target: str
    concentrate: int = 0
    tags: tuple[str, ...] = ("melee",)
    weapon_modifier: int = 0
    description: str = ""

    @classmethod
    def offers(cls, game: Scene, seat: Seat) -> Iterable[Offer]:
        for actor in actors(game, seat, True):
            if targets := others(game, actor):
                focus = focus_domain(game.cast[actor])
                yield offer(cls, actor=OneOf((actor,)), target=OneOf(targets), concentrate=focus)

    def aim(self, game: Scene, actor: Sheet) -> None:
        self.facing(game, actor, "ranged" in self.tags)
        weapon_refused(self.weapon_modifier)

    def attribute_used(self) -> str:
        return "agility"

    def steps(self, game: Scene, who: str, act: Act) -> tuple[Step, ...]:
        return (
            Strike(
                who=who,
                target=self.target,
                act=act,
                earlier_attackers=self.earlier(game, who),
                weapon_modifier=self.weapon_modifier,
            ),
        )


class FocusAttack(_Strike, Struct, frozen=True, cache_hash=True, tag="focus_attack"):
    """An art with 1 to 5 Focus for its damage (SD-F04 to SD-F06, SD-F14, SD-X07)."""

    actor: str
    target: str
    art: Art
    damage: int
    effect: Literal["wounds", "hinder"] = "wounds"
    concentrate: int = 0
    tags: tuple[str, ...] = ()
    description: str = ""

    @classmethod
    def offers(cls, game: Scene, seat: Seat) -> Iterable[Offer]:
        effects = ("wounds", "hinder") if game.switches.focus_effects else ("wounds",)
        for actor in actors(game, seat, True):
            sheet, targets = game.cast[actor], others(game, actor)
            if targets and sheet.arts and sheet.pool and sheet.kind != "grunt":
                yield offer(
                    cls,
                    actor=OneOf((actor,)),
                    target=OneOf(targets),
                    art=OneOf(sheet.arts),
                    damage=Between(LEAST_DAMAGE, min(MOST_DAMAGE, sheet.pool)),
                    effect=OneOf(effects),
                )

    def aim(self, game: Scene, actor: Sheet) -> None:
        self.facing(game, actor, True)
        if self.effect == "hinder" and not game.switches.focus_effects:
            raise Illegal("option_disabled", "SD-X07", option="focus_effects")
        known_art(actor, self.art)
        damage_refused(self.damage)

    def afford(self, game: Scene, actor: Sheet) -> None:
        affording(actor, self.damage + self.concentrate)

    def attribute_used(self) -> str:
        return str(DOMAINS[self.art.domain]["attack"])

    def steps(self, game: Scene, who: str, act: Act) -> tuple[Step, ...]:
        return (
            Strike(
                who=who,
                target=self.target,
                act=act,
                earlier_attackers=self.earlier(game, who),
                art=known_art(game.cast[who], self.art),
                damage=self.damage,
                hinders=self.effect == "hinder",
            ),
        )


class _Attempt(Declarable):
    attribute: str
    concentrate: int
    tags: tuple[str, ...]

    def attribute_used(self) -> str:
        return attribute_named(self.attribute)

    def same_as(self, who: str) -> str:
        return ":".join((who, self.attribute_used(), self.aimed_at(), *self.tags))


class Check(_Attempt, Struct, frozen=True, cache_hash=True, tag="check"):
    """Any other deed; in a fight it uses the turn (SD-R04, SD-R08, SD-C31, SD-K01, SD-K02)."""

    attribute: str
    actor: str = ""
    concentrate: int = 0
    tags: tuple[str, ...] = ()
    description: str = ""

    @classmethod
    def offers(cls, game: Scene, seat: Seat) -> Iterable[Offer]:
        for actor in actors(game, seat, False):
            focus = focus_domain(game.cast[actor])
            yield offer(cls, actor=OneOf((actor,)), attribute=OneOf(ATTRIBUTES), concentrate=focus)

    def aim(self, game: Scene, actor: Sheet) -> None:
        attribute_named(self.attribute)

    def steps(self, game: Scene, who: str, act: Act) -> tuple[Step, ...]:
        return (Attempt(who=who, attribute=self.attribute_used(), act=act),)


class OpposedCheck(_Attempt, Struct, frozen=True, cache_hash=True, tag="opposed_check"):
    """A deed against somebody who does not roll (SD-O01, SD-O03)."""

    opponent: str
    attribute: str
    opposing_attribute: str
    actor: str = ""
    concentrate: int = 0
    tags: tuple[str, ...] = ()
    description: str = ""

    @classmethod
    def offers(cls, game: Scene, seat: Seat) -> Iterable[Offer]:
        for actor in actors(game, seat, False):
            against = tuple(
                who for who, one in game.cast.items() if who != actor and one.status not in ("dead", "fled")
            )
            if against:
                attributes = OneOf(ATTRIBUTES)
                yield offer(
                    cls,
                    actor=OneOf((actor,)),
                    opponent=OneOf(against),
                    attribute=attributes,
                    opposing_attribute=attributes,
                )

    def aimed_at(self) -> str:
        return self.opponent

    def aim(self, game: Scene, actor: Sheet) -> None:
        present(there(game, self.opponent, "SD-O01"))
        attribute_named(self.attribute)
        attribute_named(self.opposing_attribute)

    def steps(self, game: Scene, who: str, act: Act) -> tuple[Step, ...]:
        opposing = attribute_named(self.opposing_attribute)
        return (Attempt(who=who, attribute=self.attribute_used(), act=act, opponent=self.opponent, opposing=opposing),)


class FirstAid(Declarable, Struct, frozen=True, cache_hash=True, tag="first_aid"):
    """One try per patient and scene (SD-W09)."""

    patient: str
    actor: str = ""
    concentrate: int = 0
    tags: tuple[str, ...] = ()
    description: str = ""

    @classmethod
    def offers(cls, game: Scene, seat: Seat) -> Iterable[Offer]:
        hurt = tuple(
            who for who, one in game.cast.items() if one.wounds and not one.first_aid_tried and one.status != "dead"
        )
        for actor in actors(game, seat, False):
            if hurt:
                yield offer(cls, actor=OneOf((actor,)), patient=OneOf(hurt))

    def aimed_at(self) -> str:
        return self.patient

    def attribute_used(self) -> str:
        return "intellect"

    def aim(self, game: Scene, actor: Sheet) -> None:
        patient = there(game, self.patient, "SD-W09")
        if patient.status == "dead":
            raise Illegal("target_dead", "SD-W09")
        within_reach(game, actor.id, self.patient)
        if not patient.wounds:
            raise Illegal("no_wounds", "SD-W09")
        if patient.first_aid_tried:
            raise Illegal("first_aid_used", "SD-W09")

    def steps(self, game: Scene, who: str, act: Act) -> tuple[Step, ...]:
        fighting = game.fight is not None and who in game.fight.order
        return (Aid(who=who, patient=self.patient, act=act, in_combat=fighting, on_oneself=who == self.patient),)


class Flee(Declarable, Struct, frozen=True, cache_hash=True, tag="flee"):
    """Away from the swiftest opponent who stands (SD-C22)."""

    actor: str = ""
    concentrate: int = 0
    tags: tuple[str, ...] = ()
    description: str = ""

    @classmethod
    def in_combat_only(cls) -> bool:
        return True

    @classmethod
    def offers(cls, game: Scene, seat: Seat) -> Iterable[Offer]:
        for actor in actors(game, seat, True):
            yield offer(cls, actor=OneOf((actor,)), concentrate=focus_domain(game.cast[actor]))

    def attribute_used(self) -> str:
        return "agility"

    def steps(self, game: Scene, who: str, act: Act) -> tuple[Step, ...]:
        return (Flight(who=who, opponents=game.fight.opponents(who) if game.fight else (), act=act),)


ACTIONS: tuple[type[Message], ...] = (Attack, FocusAttack, Check, OpposedCheck, FirstAid, Flee)
