"""The state of a fight between characters, and the facts that change it (23.2, 23.3).

`part` numbers the part of a split attack or the bundle of a volley that an event belongs to.
"""

from __future__ import annotations

from msgspec import Struct

from systems.core.ask import Question
from systems.core.errors import Illegal
from systems.core.game import Event, Game, Message, Public, change
from systems.core.seats import Seat
from systems.core.values import Map
from systems.ninja_slayer import wounds
from systems.ninja_slayer.dice import Evasion
from systems.ninja_slayer.sheet import Character
from systems.ninja_slayer.words import Atmosphere, DamageType

NM = "nm"  # about whom the NM's own questions are


class Blow(Struct, frozen=True, cache_hash=True):
    """Damage that nobody evades any more: all that its consequences depend on."""

    at: str
    part: int = 1
    base: int = 1
    heavy_blow: int = 0  # the highest that applies so far (NS-S12)
    satsubatsu: bool = False
    row: int = 0  # a row that needs no throw (kaishaku)
    no_heavy_blow: bool = False  # NS-G24
    spirit: int = 0
    mercy: bool = False
    counter: bool = False


class Hit(Struct, frozen=True, cache_hash=True, tag="hit"):
    """One pending hit: what the defender sees before deciding (NS-E08).

    `number` counts the hits of this attack; `successes` as far as they are told apart.
    """

    blow: Blow
    by: str
    number: int
    kind: DamageType
    level: int
    successes: int
    namu: bool = False
    auto: bool = False


class MobHit(Struct, frozen=True, cache_hash=True):
    mob: str
    successes: int


class Bundle(Struct, frozen=True, cache_hash=True, tag="bundle"):
    """Hits of mobs alike that arrive together (NS-E10, NS-E14, NS-E17). `hits` names the mobs where they are known."""

    at: str
    part: int
    kind: DamageType
    damage: int
    successes: int
    level: int
    staggered: bool = False
    barrage: bool = False
    hits: tuple[MobHit, ...] = ()

    @property
    def size(self) -> int:
        """How many hits may be met one by one; those of nobody in particular come as one."""
        return max(1, len(self.hits))


class Wave(Struct, frozen=True, cache_hash=True):
    """What the mobs' shots of one number have hit so far."""

    damage: int = 0
    successes: int = 0
    hits: tuple[MobHit, ...] = ()


class Switches(Struct, frozen=True, cache_hash=True, kw_only=True):
    """The options of the table that a fight looks at (section 19)."""

    barrage: bool = False
    mob_full: bool = False
    instant_death_to_stun: bool = False


class Fight(Game, frozen=True, cache_hash=True):
    """Characters by id; `shown` are those whose values everybody may see (23.2: players' characters).

    `facing` is what the open evasion question is about, `waves` what a volley has hit so far.
    """

    fighters: Map[str, Character] = Map()
    shown: tuple[str, ...] = ()
    atmosphere: Atmosphere = "normal"
    switches: Switches = Switches()
    facing: Hit | Bundle | None = None
    waves: tuple[Wave, ...] = ()

    def with_fighter(self, who: str, character: Character) -> Fight:
        if character is self.fighters[who]:
            return self
        return change(self, fighters=self.fighters.put(who, character))


def actor(game: Fight, seat: Seat, who: str) -> Illegal | None:
    """The refusals that every action shares (section 23)."""
    if who not in game.fighters:
        return Illegal("unknown_actor", "NS-RUL55", actor=who)
    if not seat.speaks_for(who):
        return Illegal("not_controller", "NS-RUL55", actor=who)
    if not game.fighters[who].able:
        return Illegal("unconscious_cannot_act", "NS-H12", actor=who)
    return None


class HitFaced(Public, Struct, frozen=True, cache_hash=True, tag="hit_faced"):
    """A hit or bundle is open and its target has to decide, knowing all of it (NS-E08, NS-Q03)."""

    what: Hit | Bundle

    def applied(self, game: Fight) -> Fight:
        return change(game, facing=self.what)


class EvasionDeclined(Public, Struct, frozen=True, cache_hash=True, tag="evasion_declined"):
    who: str
    part: int

    def applied(self, game: Fight) -> Fight:
        return change(game, facing=None)


class EvasionRolled(Public, Struct, frozen=True, cache_hash=True, tag="evasion_rolled"):
    """Dice thrown to evade; they are spent either way (NS-D15)."""

    who: str
    part: int
    level: int
    evasion: int
    emergency: int
    result: Evasion
    counter: bool = False

    def applied(self, game: Fight) -> Fight:
        spent = game.fighters[self.who].spent(self.evasion, self.emergency)
        return change(game, facing=None, fighters=game.fighters.put(self.who, spent))


class CounterDeclared(Public, Struct, frozen=True, cache_hash=True, tag="counter_declared"):
    by: str
    at: str
    part: int
    level: int

    def applied(self, game: Fight) -> Fight:
        return game


class DamageApplied(Event, Struct, frozen=True, cache_hash=True, tag="damage_applied"):
    """Damage that landed. What is left of it, and the vitality lost, only the owner and the NM may know of enemies."""

    who: str
    part: int
    row: int
    heavy_blow: int
    before: int
    final: int | None
    lost: int | None
    paid: int | None
    shown: bool
    counter: bool = False

    def applied(self, game: Fight) -> Fight:
        return game.with_fighter(self.who, wounds.struck(game.fighters[self.who], self.lost or 0, self.paid or 0))

    def seen_by(self, viewer: Seat) -> Event | None:
        if self.shown or viewer.speaks_for(self.who):
            return self
        return change(self, final=None, lost=None, paid=None)


class StateChanged(Public, Struct, frozen=True, cache_hash=True, tag="state_changed"):
    """A character dropped or left the map: everybody sees that."""

    who: str
    state: str

    def applied(self, game: Fight) -> Fight:
        return game


class Maimed(Public, Struct, frozen=True, cache_hash=True, tag="maimed"):
    """The side effects of a row that cost vitality (NS-S09, NS-S10); `knocked_away` is row 1."""

    who: str
    part: int
    row: int
    knocked_away: bool

    def applied(self, game: Fight) -> Fight:
        return game.with_fighter(self.who, wounds.maimed(game.fighters[self.who], self.row))


class SpiritDrained(Event, Struct, frozen=True, cache_hash=True, tag="spirit_drained"):
    who: str
    points: int | None
    shown: bool

    def applied(self, game: Fight) -> Fight:
        return game.with_fighter(self.who, wounds.drained(game.fighters[self.who], self.points or 0))

    def seen_by(self, viewer: Seat) -> Event | None:
        return self if self.shown or viewer.speaks_for(self.who) else change(self, points=None)


class InstantDeath(Public, Struct, frozen=True, cache_hash=True, tag="instant_death"):
    """Row 6 landed on somebody who is not immune (NS-S13), or was softened to unconsciousness (NS-S15)."""

    who: str
    part: int
    softened: bool = False

    def applied(self, game: Fight) -> Fight:
        target = game.fighters[self.who]
        return game.with_fighter(self.who, wounds.stunned(target) if self.softened else wounds.slain(target))


class MobRemoved(Public, Struct, frozen=True, cache_hash=True, tag="mob_removed"):
    """A mob met by satsubatsu (NS-S08)."""

    who: str
    part: int

    def applied(self, game: Fight) -> Fight:
        return game.with_fighter(self.who, wounds.removed(game.fighters[self.who]))


class HitWasted(Public, Struct, frozen=True, cache_hash=True, tag="hit_wasted"):
    """Its target had left the map (NS-A18)."""

    part: int

    def applied(self, game: Fight) -> Fight:
        return game


class PartsCancelled(Public, Struct, frozen=True, cache_hash=True, tag="parts_cancelled"):
    """Their attacker went down (NS-A19, NS-RUL22)."""

    by: str
    parts: tuple[int, ...]

    def applied(self, game: Fight) -> Fight:
        return game


class DeclineEvasion(Message, Struct, frozen=True, cache_hash=True, tag="decline_evasion"):
    """The damage is taken; always legal while the question is open (NS-E05)."""

    def refuse(self, game: Fight, seat: Seat, question: Question | None) -> Illegal | None:
        return unless_asked(question, "evasion", "already_evaded", "NS-E01")


class DeclineCounter(Message, Struct, frozen=True, cache_hash=True, tag="decline_counter"):
    """A counter is never compulsory (NS-K11)."""

    def refuse(self, game: Fight, seat: Seat, question: Question | None) -> Illegal | None:
        return unless_asked(question, "counter", "counter_not_available", "NS-K01")


class Endurance(Message, Struct, frozen=True, cache_hash=True, tag="endurance"):
    """The owner's choice to pay spirit for the points below 0 (NS-H06, NS-H07)."""

    accept: bool = True

    def refuse(self, game: Fight, seat: Seat, question: Question | None) -> Illegal | None:
        return unless_asked(question, "endurance", "insufficient_spirit", "NS-H06")


def unless_asked(question: Question | None, topic: str, code: str, rule: str) -> Illegal | None:
    """The refusal of an answer that no open question wants."""
    return None if question and question.topic == topic else Illegal(code, rule)


DECLINE_EVASION, DECLINE_COUNTER = DeclineEvasion(), DeclineCounter()
