"""The life of an action: declared, penalised, rolled, resolved (SD-T03), and what the Narrator adds on the way."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from systems.core.ask import Between, Offer, OneOf, offer
from systems.core.errors import Illegal
from systems.core.game import Step
from systems.core.play import Play
from systems.core.seats import Seat
from systems.shinobido.happenings import ActionDeclared, ActionResolved, ActionRolled, ActionWithdrawn, PenaltySet
from systems.shinobido.parts import (
    LEAST_PENALTY,
    MOST_CONCENTRATION,
    MOST_HELPERS,
    MOST_PENALTY,
    Act,
    Penalty,
    PenaltyPart,
    limits,
)
from systems.shinobido.rolling import AwardDescription
from systems.shinobido.scene_call import affording
from systems.shinobido.sheet import Sheet
from systems.shinobido.standing import Command, narrating, owned, ready
from systems.shinobido.state import OpenAction, Scene
from systems.shinobido.turn_order import Onward

__all__ = ["AwardDescription"]


class Declarable(Command):
    """An action that is declared and then rolled. Subclasses say at whom, with which roll, and what it costs."""

    actor: str
    concentrate: int
    tags: tuple[str, ...]

    def judge(self, game: Scene, seat: Seat, rolling: bool = False) -> None:
        actor = ready(game, seat, self.actor, self.in_combat_only(), rolling)
        self.aim(game, actor)
        limits(Act(concentrate=self.concentrate), game.switches)
        self.afford(game, actor)

    @classmethod
    def in_combat_only(cls) -> bool:
        return False

    def aim(self, game: Scene, actor: Sheet) -> None:
        """Raises `Illegal` for a target or a value of its own that does not go."""

    def afford(self, game: Scene, actor: Sheet) -> None:
        affording(actor, self.concentrate)

    def aimed_at(self) -> str:
        return ""

    def same_as(self, who: str) -> str:
        """What makes it the same check as an earlier one (SD-R14); empty where that does not matter."""
        return ""

    def attribute_used(self) -> str:
        """The attribute that helpers need (SD-M07)."""
        return ""

    def steps(self, game: Scene, who: str, act: Act) -> tuple[Step, ...]:
        raise NotImplementedError

    def carry_out(self, play: Play[Scene], seat: Seat) -> None:
        who = owned(play.game, seat, self.actor)
        play.emit(ActionDeclared(who, self.id, self.aimed_at(), self, who in play.game.hidden))
        if play.game.switches.auto_penalty_zero:
            throw(play)


def throw(play: Play[Scene]) -> None:
    """The dice of the open action (SD-R07, SD-X16)."""
    action = play.game.open_action
    if action is None or not isinstance(action.message, Declarable):
        return
    message, who = action.message, action.who
    steps = message.steps(play.game, who, act_of(play.game, action, message))
    play.emit(ActionRolled(who, message.aimed_at() if message.in_combat_only() else ""))
    play.then(*steps, Resolve(who, message.same_as(who)), Onward(who))


def act_of(game: Scene, action: OpenAction, message: Declarable) -> Act:
    """What stands around the action when its dice fall: all but Concentrate comes from the state (13.1)."""
    return Act(
        penalty=action.penalty,
        award=action.award,
        concentrate=message.concentrate,
        helpers=helping(game, action.who, message.attribute_used()),
        previous_failures=game.story.failures.get(message.same_as(action.who), 0),
        tags=message.tags,
    )


def helping(game: Scene, who: str, attribute: str) -> int:
    """In a fight every assist counts; else those who stand and have the attribute at 1 or more (SD-M07, SD-C21)."""
    by = game.story.assists.get(who, ())
    if not game.fight and attribute:
        by = tuple(
            one
            for one in by
            if one not in game.cast or (game.cast[one].status == "standing" and game.cast[one].rating(attribute) >= 1)
        )
    return min(MOST_HELPERS, len(by))


class Resolve(Step, Struct, frozen=True, cache_hash=True, tag="resolve"):
    """The action is through; a failed check is remembered (SD-R14)."""

    who: str
    same: str = ""

    def run(self, play: Play[Scene]) -> None:
        play.emit(ActionResolved(self.who, "" if play.game.result else self.same))


class RollDice(Command, Struct, frozen=True, cache_hash=True, tag="roll"):
    """The owner throws; with the penalty not set yet the Narrator is waited for (SD-T03, SD-X16)."""

    actor: str = ""

    @classmethod
    def offers(cls, game: Scene, seat: Seat) -> Iterable[Offer]:
        action = game.open_action
        if action and action.phase == "penalised" and seat.speaks_for(action.who) and not game.open_decision:
            yield offer(cls, actor=OneOf((action.who,)))

    def judge(self, game: Scene, seat: Seat) -> None:
        action = own_action(game, seat, self.actor)
        if game.open_decision or (action.phase == "declared" and not game.switches.auto_penalty_zero):
            raise Illegal("decision_pending", "SD-T03")
        if not action.open:
            raise Illegal("action_locked", "SD-R13")
        if isinstance(action.message, Declarable):
            action.message.judge(game, Seat(seat.id, seat.role, (action.who,)), rolling=True)

    def carry_out(self, play: Play[Scene], seat: Seat) -> None:
        throw(play)


def own_action(game: Scene, seat: Seat, actor: str) -> OpenAction:
    """The open action of somebody whom the seat speaks for (SD-P03). Raises `Illegal`."""
    action = game.open_action
    if action is None:
        owned(game, seat, actor)
        raise Illegal("no_decision", "SD-T03")
    if not seat.speaks_for(action.who) or actor not in ("", action.who):
        raise Illegal("not_owner", "SD-P03")
    return action


class WithdrawAction(Command, Struct, frozen=True, cache_hash=True, tag="withdraw_action"):
    """Before the dice at no cost; after them it is locked (SD-R13)."""

    actor: str = ""

    @classmethod
    def offers(cls, game: Scene, seat: Seat) -> Iterable[Offer]:
        action = game.open_action
        if action and action.open and seat.speaks_for(action.who) and not game.open_decision:
            yield offer(cls, actor=OneOf((action.who,)))

    def judge(self, game: Scene, seat: Seat) -> None:
        if not own_action(game, seat, self.actor).open:
            raise Illegal("action_locked", "SD-R13")

    def carry_out(self, play: Play[Scene], seat: Seat) -> None:
        if play.game.open_action:
            play.emit(ActionWithdrawn(play.game.open_action.who))


class SetPenalty(Command, Struct, frozen=True, cache_hash=True, tag="set_penalty"):
    """The Narrator's circumstances, a sum or its parts, before the dice (SD-N02, SD-N05, SD-M08 to SD-M10)."""

    penalty: Penalty = 0
    secret_reason: bool = False

    @classmethod
    def offers(cls, game: Scene, seat: Seat) -> Iterable[Offer]:
        if seat.gm and game.open_action and game.open_action.open and not game.open_decision:
            yield offer(cls, penalty=Between(LEAST_PENALTY, MOST_PENALTY), secret_reason=OneOf((False, True)))

    def judge(self, game: Scene, seat: Seat) -> None:
        narrating(seat)
        if game.open_action is None or not game.open_action.open:
            raise Illegal("penalty_locked", "SD-N02")
        limits(Act(penalty=self.parts), game.switches)

    @property
    def parts(self) -> tuple[PenaltyPart, ...]:
        return (PenaltyPart(value=self.penalty),) if isinstance(self.penalty, int) else self.penalty

    def carry_out(self, play: Play[Scene], seat: Seat) -> None:
        if action := play.game.open_action:
            shown = play.game.switches.open_penalty
            play.emit(PenaltySet(action.who, self.parts, self.secret_reason, shown))


def focus_domain(sheet: Sheet) -> Between:
    """How much may be concentrated (SD-M06)."""
    return Between(0, min(MOST_CONCENTRATION, sheet.pool))
