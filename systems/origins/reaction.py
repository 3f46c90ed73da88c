"""A consequence as it is faced: its die, the GM's call, and the answers of the one struck and of allies."""

from __future__ import annotations

from msgspec import Struct

from systems.core.game import Event, Message, Public, Step, change
from systems.core.play import Play
from systems.core.seats import Seat
from systems.origins.answers import (
    TAKE,
    CallDefense,
    DefendAlly,
    Respond,
    ally_question,
    armor_question,
    call_question,
    respond_question,
)
from systems.origins.armor import Armor, Load, protect
from systems.origins.chart import record
from systems.origins.consequence import moot_kinds, pick_kind, throw_kind
from systems.origins.defence import Blow, settle_defence
from systems.origins.dice import SkillRoll
from systems.origins.enemies import may_pick_kind
from systems.origins.fight import Facing, Fight, Settled, suffering
from systems.origins.harm import Paid
from systems.origins.position import Threat
from systems.origins.vocabulary import SIZE, Kind


class Face(Step, Struct, frozen=True, cache_hash=True, tag="face_consequence"):
    """One consequence from its die to its end, before the next (SO-P13, SO-D13)."""

    who: str
    threat: Threat
    enemy: str
    number: int

    @property
    def label(self) -> str:
        return f"consequence {self.number}"

    def run(self, play: Play[Fight]) -> None:
        moot = self._moot(play.game)
        kind = self._kind(play, moot)
        blow = Blow(
            kind=kind,
            size=SIZE[self.threat.severity],
            surcharge=self.threat.surcharge,
            defendable=self.threat.defendable,
        )
        play.emit(Came(Facing(who=self.who, blow=blow, severity=self.threat.severity, enemy=self.enemy)))
        if kind in moot:
            play.emit(Ended(Settled(kind=kind, severity=self.threat.severity)))
            return
        if blow.defendable:
            call = play.ask(call_question(play.game, self.label))
            if isinstance(call, CallDefense):
                play.emit(Called(call.skill, call.gm_allows or kind == "harm"))
        self._answer(play)

    def _moot(self, fight: Fight) -> tuple[Kind, ...]:
        """Kinds that could take nothing more (SO-P20); outside an action an effect is still to come (SO-P24)."""
        own = fight.action if fight.action and fight.action.actor == self.who and fight.action.band else None
        return moot_kinds(own.effect if own else 1, fight.fighters[self.who].position)

    def _kind(self, play: Play[Fight], moot: tuple[Kind, ...]) -> Kind:
        """Named by the GM where that is allowed, else by the die (SO-P21, SO-G04)."""
        foe = play.game.foes.get(self.enemy)
        picked = None
        if may_pick_kind(foe.difficulty if foe else None, play.game.config):
            picked = pick_kind(play, self.label)
        return picked or throw_kind(play, moot, play.game.config, self.label)

    def _answer(self, play: Play[Fight]) -> None:
        """One open window: an ally who steps in goes before the answer of the one struck (SO-T02, SO-T06)."""
        allies = tuple(id for id, one in play.game.fighters.items() if one.able and id != self.who)
        questions = [ally_question(play.game, ally, self.label) for ally in allies]
        answer, *others = play.ask_all([respond_question(play.game, self.label), *questions])
        for ally, other in zip(allies, others, strict=True):
            if isinstance(other, DefendAlly):
                play.emit(SteppedIn(ally, self.who))
                self._shielded(play, ally, other)
                return
        self._responded(play, answer)

    def _shielded(self, play: Play[Fight], ally: str, answer: DefendAlly) -> None:
        if answer.mode == "roll":
            self._defended(play, ally, Respond("defend"))
        else:
            self._left(play, ally, play.game.faced.blow.size, TAKE)

    def _responded(self, play: Play[Fight], answer: Message) -> None:
        response = answer if isinstance(answer, Respond) else TAKE
        if response.how == "armor":
            self._negated(play, self.who)
        elif response.how == "defend":
            self._defended(play, self.who, response)
        else:
            self._suffered(play, self.who, play.game.faced.blow.size, response.name)

    def _defended(self, play: Play[Fight], who: str, response: Respond) -> None:
        """The defence is thrown and settled in one payment (SO-D08)."""
        faced, fighter = play.game.faced, play.game.fighters[who]
        skill = response.skill if response.alternate else faced.skill
        reading = play.check(SkillRoll(play.game.defence_pool(who, skill)), f"defence {self.number}")
        settled = settle_defence(reading, faced.blow, fighter.chakra, alternate=response.alternate)
        play.emit(DefenceRolled(who, settled.paid, reading.crit))
        if settled.left is None:
            play.emit(Ended(Settled(kind=faced.blow.kind, severity=faced.severity, avoided=True)))
        else:
            self._left(play, who, settled.left, response)

    def _left(self, play: Play[Fight], who: str, size: int, response: Respond) -> None:
        """What no defence stops any more: harm may still meet armor (SO-H15, SO-H17)."""
        if play.game.faced.blow.kind == "harm" and play.game.fighters[who].armed(play.game.config):
            answer = play.ask(armor_question(who, self.label))
            if isinstance(answer, Respond) and answer.how == "armor":
                self._negated(play, who)
                return
        self._suffered(play, who, size, response.name)

    def _negated(self, play: Play[Fight], who: str) -> None:
        fighter, faced = play.game.fighters[who], play.game.faced
        if fighter.armor:
            after = protect(fighter.armor, fighter.load)
            play.emit(ArmorUsed(who, after.armor, after.spent))
        play.emit(Ended(Settled(kind=faced.blow.kind, severity=faced.severity, avoided=True, negated=True)))

    def _suffered(self, play: Play[Fight], who: str, size: int, name: str) -> None:
        faced, chart = play.game.faced, play.game.fighters[who].harm_chart
        kind = faced.blow.kind
        level = record(chart, size, name, play.game.config.harm_boxes).level if kind == "harm" else None
        play.emit(Suffered(who, kind, size, name))
        if kind == "complication":
            play.emit(DangerTicked(size, play.game.danger.hidden))
        play.emit(Ended(Settled(kind=kind, severity=faced.severity, size=size, recorded_level=level)))


class Came(Public, Struct, frozen=True, cache_hash=True, tag="consequence_came"):
    """Which consequence it is; all may see it (SO-G03, SO-G04)."""

    facing: Facing

    def applied(self, game: Fight) -> Fight:
        return change(game, facing=self.facing)


class Called(Public, Struct, frozen=True, cache_hash=True, tag="defence_called"):
    """With which skill it may be defended, if at all (SO-D02, SO-D06)."""

    skill: str
    allowed: bool

    def applied(self, game: Fight) -> Fight:
        return change(game, facing=change(game.faced, skill=self.skill, gm_allows=self.allowed))


class SteppedIn(Public, Struct, frozen=True, cache_hash=True, tag="stepped_in"):
    """An ally faces the consequence instead; it keeps its properties (SO-T06, SO-T07)."""

    ally: str
    instead_of: str

    def applied(self, game: Fight) -> Fight:
        return change(game, facing=change(game.faced, who=self.ally))


class DefenceRolled(Public, Struct, frozen=True, cache_hash=True, tag="defence_rolled"):
    """What the defence cost; a natural critical wakes the roller's Critical Ability (SO-D15)."""

    who: str
    paid: Paid
    crit: bool

    def applied(self, game: Fight) -> Fight:
        game = game.with_fighter(self.who, game.fighters[self.who].paid(self.paid))
        return change(game, abilities=(*game.abilities, self.who)) if self.crit else game


class ArmorUsed(Public, Struct, frozen=True, cache_hash=True, tag="armor_used"):
    """Armor stopped a harm, whatever its level (SO-H09)."""

    who: str
    armor: Armor
    spent: int

    def applied(self, game: Fight) -> Fight:
        fighter = game.fighters[self.who]
        load = Load(fighter.load.level, self.spent) if fighter.load else None
        return game.with_fighter(self.who, change(fighter, armor=self.armor, load=load))


class Suffered(Public, Struct, frozen=True, cache_hash=True, tag="suffered"):
    """A consequence struck somebody."""

    who: str
    kind: Kind
    size: int
    name: str

    def applied(self, game: Fight) -> Fight:
        return suffering(game, self.who, self.kind, self.size, self.name)


class DangerTicked(Event, Struct, frozen=True, cache_hash=True, tag="danger_ticked"):
    """A complication moved the danger clock (SO-P17); if the GM keeps it secret players do not see it (SO-G03)."""

    ticks: int
    hidden: bool

    def applied(self, game: Fight) -> Fight:
        return change(game, danger=game.danger.tick(self.ticks).clock)

    def seen_by(self, viewer: Seat) -> Event | None:
        return None if self.hidden and not viewer.gm else self


class Ended(Public, Struct, frozen=True, cache_hash=True, tag="consequence_ended"):
    """The consequence is settled."""

    settled: Settled

    def applied(self, game: Fight) -> Fight:
        action = change(game.action, settled=(*game.action.settled, self.settled)) if game.action else None
        return change(game, facing=None, action=action)
