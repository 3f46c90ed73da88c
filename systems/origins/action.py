"""An action from its throw to its consequences (chapters 3, 4 and 10)."""

from __future__ import annotations

from msgspec import Struct

from systems.core.ask import Question
from systems.core.errors import Illegal
from systems.core.game import Message, Public, Step, change
from systems.core.play import GM_ONLY, Play
from systems.core.seats import Seat
from systems.origins.answers import (
    ChooseControlled,
    ChooseOption,
    Glory,
    SpendEffect,
    UseEnemyTurn,
    controlled_question,
    enemy_turn_question,
    glory_question,
    option_question,
    spend_question,
)
from systems.origins.consequence import Barred
from systems.origins.dice import Reading, SkillRoll, effect_of
from systems.origins.effect import Bought, CollectParams, EffectItem, State, buy, collect_bonuses
from systems.origins.enemies import meets, one_less
from systems.origins.fight import Action, Fight
from systems.origins.harm import pay
from systems.origins.honor import GLORY_DICE, glory_roll
from systems.origins.position import Cell, cell
from systems.origins.reaction import Face
from systems.origins.vocabulary import MAX_HONOR, Band, Letter


class DeclareAction(Message, Struct, frozen=True, cache_hash=True, tag="declare_action", kw_only=True):
    """A player's action in a fight: skill, approach, target and what the effect is meant to buy (SO-B19)."""

    who: str
    skill: str
    approach: str = ""
    target: str = ""
    plan: tuple[EffectItem, ...] = ()

    def refuse(self, game: Fight, seat: Seat, question: Question | None) -> Illegal | None:
        fighter = game.fighters.get(self.who)
        if fighter is None or not seat.speaks_for(self.who):
            return Illegal("not_your_turn", "SO-B09")
        if fighter.dead:
            return Illegal("dead", "SO-A11")
        if fighter.unconscious:
            return Illegal("unconscious", "SO-A12")
        if Barred(self.skill, self.approach, self.target) in fighter.barred:
            return Illegal("approach_lost", "SO-P16")
        return None if self.plan else Illegal("plan_missing", "SO-B19")

    def carry_out(self, play: Play[Fight], seat: Seat) -> None:
        bonus = collect_bonuses(
            CollectParams(actor=self.who, roll="action", target=self.target, states=play.game.states)
        )
        pool = play.game.fighters[self.who].dots.get(self.skill, 0) + bonus.bonus_dice
        play.emit(
            ActionDeclared(
                Action(
                    actor=self.who,
                    skill=self.skill,
                    approach=self.approach,
                    target=self.target,
                    pool=pool,
                    bonus_effect=bonus.bonus_effect,
                )
            )
        )
        play.then(RollAction(), ReadAction(), UseEffect())


class ActionDeclared(Public, Struct, frozen=True, cache_hash=True, tag="action_declared"):
    """The action stands; nothing of it changes after the dice (SO-C17)."""

    action: Action

    def applied(self, game: Fight) -> Fight:
        return change(game, action=self.action)


class RollAction(Step, Struct, frozen=True, cache_hash=True, tag="roll_action"):
    """The pool is thrown, Glory may join it, then the result is accepted (SO-C18, SO-O16)."""

    def run(self, play: Play[Fight]) -> None:
        action = play.game.acting
        reading = play.check(SkillRoll(action.pool), "action")
        play.emit(ActionRolled(reading.band, reading.triple_crit))
        fighter = play.game.fighters[action.actor]
        if fighter.honor == MAX_HONOR and not fighter.glory_used and action.pool + GLORY_DICE > 0:
            reading = self._with_glory(play, action, reading)
        play.emit(ResultAccepted())

    def _with_glory(self, play: Play[Fight], action: Action, reading: Reading) -> Reading:
        if isinstance(play.ask(glory_question(action.actor)), Glory):
            reading = play.check(glory_roll(action.pool, reading), "glory")
            play.emit(GloryUsed(action.actor))
            play.emit(ActionRolled(reading.band, reading.triple_crit))
        return reading


class ActionRolled(Public, Struct, frozen=True, cache_hash=True, tag="action_rolled"):
    """What the dice of the action show now; not final before it is accepted."""

    band: Band
    triple_crit: bool = False

    def applied(self, game: Fight) -> Fight:
        return change(game, action=change(game.acting, band=self.band, triple_crit=self.triple_crit))


class GloryUsed(Public, Struct, frozen=True, cache_hash=True, tag="glory_used"):
    """Once a session, at no cost of honor (SO-O17)."""

    who: str

    def applied(self, game: Fight) -> Fight:
        return game.with_fighter(self.who, change(game.fighters[self.who], glory_used=True))


class ResultAccepted(Public, Struct, frozen=True, cache_hash=True, tag="result_accepted"):
    """The roll is final: it has its effect, and a natural critical wakes the Critical Ability (SO-K02, SO-K06)."""

    def applied(self, game: Fight) -> Fight:
        action = game.acting
        fighter = game.fighters[action.actor]
        effect = effect_of(
            "combat", action.band or "fail", action.bonus_effect, action.penalty_effect + fighter.reduced_next
        )
        game = change(game, action=change(action, effect=effect))
        if action.band == "crit":
            game = change(game, abilities=(*game.abilities, action.actor))
        return game.with_fighter(action.actor, change(fighter, reduced_next=0)) if fighter.reduced_next else game


class ReadAction(Step, Struct, frozen=True, cache_hash=True, tag="read_action"):
    """The cell of position and band: a choice, or the enemy's turn and its consequences (SO-P03)."""

    def run(self, play: Play[Fight]) -> None:
        action = play.game.acting
        at = cell(play.game.fighters[action.actor].position, action.band or "fail")
        if at.choice:
            answer = play.ask(controlled_question(action.actor))
            withdraw = isinstance(answer, ChooseControlled) and answer.choice == "withdraw"
            play.emit(Withdrew() if withdraw else WentThrough())
        elif self._struck(play, action, at):
            threats = at.threats(chosen_option(play, action.actor, at))
            play.then(*(Face(action.actor, one, action.target, number) for number, one in enumerate(threats, 1)))

    def _struck(self, play: Play[Fight], action: Action, at: Cell) -> bool:
        """Whether the consequence comes: a hazard always strikes (SO-P25), an enemy with a turn that the GM uses."""
        foe = play.game.foes.get(action.target)
        if foe is None or foe.defeated:
            return bool(at.options) and foe is None
        met = meets(foe.difficulty, foe.turns_left, at, action.read, play.game.config)
        if met == "loses" and foe.turns_left:
            play.emit(TurnLost(action.target))
        if met != "may_strike":
            return False
        answer = play.ask(enemy_turn_question(action.target))
        if not (isinstance(answer, UseEnemyTurn) and answer.gm_uses_turn):
            return False
        play.emit(TurnUsed(action.target))
        return True


def chosen_option(play: Play[Fight], who: str, at: Cell) -> Letter:
    """Option A, B or C, chosen before the die by the GM unless switched (SO-P11, SO-R11)."""
    letters = tuple(at.options)
    if len(letters) == 1:
        return "A"
    chooser = who if play.game.config.option_chooser == "player" else GM_ONLY
    answer = play.ask(option_question(chooser, letters))
    return answer.option if isinstance(answer, ChooseOption) else "A"


class Withdrew(Public, Struct, frozen=True, cache_hash=True, tag="withdrew"):
    """Not successful, no effect, position and enemy turns untouched (SO-P05, SO-E07, SO-R16)."""

    def applied(self, game: Fight) -> Fight:
        return change(game, action=change(game.acting, withdrawn=True, effect=0))


class WentThrough(Public, Struct, frozen=True, cache_hash=True, tag="went_through"):
    """Full success, but the position becomes risky (SO-P06)."""

    def applied(self, game: Fight) -> Fight:
        actor = game.acting.actor
        return game.with_fighter(actor, change(game.fighters[actor], position="risky"))


class TurnLost(Public, Struct, frozen=True, cache_hash=True, tag="turn_lost"):
    """The roll took a turn from the enemy (SO-E05)."""

    enemy: str

    def applied(self, game: Fight) -> Fight:
        foe = game.foes[self.enemy]
        return game.with_foe(self.enemy, change(foe, turns_left=one_less(foe.turns_left)))


class TurnUsed(Public, Struct, frozen=True, cache_hash=True, tag="turn_used"):
    """The enemy spent one turn on the consequence (SO-E03)."""

    enemy: str

    def applied(self, game: Fight) -> Fight:
        foe = game.foes[self.enemy]
        return game.with_foe(self.enemy, change(foe, turns_left=one_less(foe.turns_left)))


class UseEffect(Step, Struct, frozen=True, cache_hash=True, tag="use_effect"):
    """The effect is spent when every consequence is settled, even by the fallen (SO-P23, SO-R14)."""

    def run(self, play: Play[Fight]) -> None:
        action = play.game.acting
        if action.effect:
            answer = play.ask(spend_question(action.actor))
            plan = answer.plan if isinstance(answer, SpendEffect) else ()
            position = play.game.fighters[action.actor].position
            play.emit(EffectSpent(buy(action.effect, plan, position or "terrible")))
        play.emit(ActionEnded())


class EffectSpent(Public, Struct, frozen=True, cache_hash=True, tag="effect_spent"):
    """What the effect bought (chapter 9)."""

    bought: Bought

    def applied(self, game: Fight) -> Fight:
        action, bought = game.acting, self.bought
        fighter = game.fighters[action.actor]
        position = bought.position if fighter.position and isinstance(bought.position, str) else fighter.position
        chakra = pay(fighter.chakra, -bought.chakra).chakra
        game = game.with_fighter(action.actor, change(fighter, position=position, chakra=chakra))
        made = tuple(State(kind=kind, owner=action.actor, target=action.target) for kind in bought.states)
        game = change(game, states=(*game.states, *made))
        foe = game.foes.get(action.target)
        return game.with_foe(action.target, change(foe, clock=foe.clock.ticked(bought.damage))) if foe else game


class ActionEnded(Public, Struct, frozen=True, cache_hash=True, tag="action_ended"):
    """Nothing of the action is open any more."""

    def applied(self, game: Fight) -> Fight:
        return change(game, action=None)
