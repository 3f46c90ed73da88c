"""What is answered in the middle of an action, and why it may be refused (chapters 4 to 7)."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from systems.core.ask import AnyText, Offer, OneOf, Pass, Question, asked, offer
from systems.core.errors import Illegal
from systems.core.game import Message
from systems.core.play import GM_ONLY
from systems.core.seats import Seat
from systems.origins.armor import refuse_armor
from systems.origins.chart import WOUND
from systems.origins.defence import refuse_defence
from systems.origins.effect import PlanPart, refuse_plan
from systems.origins.fight import Fight
from systems.origins.honor import refuse_glory
from systems.origins.vocabulary import DEFENSIVE_SKILLS, Letter


class Glory(Message, Struct, frozen=True, cache_hash=True, tag="glory"):
    """Three more dice upon the roll, once a session (SO-O16)."""

    def refuse(self, game: Fight, seat: Seat, question: Question | None) -> Illegal | None:
        if question is None or question.topic != "accept_result":
            return Illegal("result_accepted", "SO-O16")
        fighter = game.fighters[question.about]
        if fighter.glory_used:
            return Illegal("glory_used", "SO-O16")
        return refuse_glory(fighter.honor, game.acting.pool)


class AcceptResult(Message, Struct, frozen=True, cache_hash=True, tag="accept_result"):
    """The roll stands; after this there is no Glory."""


class ChooseControlled(Message, Struct, frozen=True, cache_hash=True, tag="choose_controlled"):
    """Withdraw from a controlled 4-5, or go through with it (SO-P05, SO-P06)."""

    choice: Literal["withdraw", "succeed"]


class UseEnemyTurn(Message, Struct, frozen=True, cache_hash=True, tag="use_enemy_turn"):
    """The GM imposes the consequence for one enemy turn, or keeps the turn (SO-E03, SO-R38)."""

    gm_uses_turn: bool


class ChooseOption(Message, Struct, frozen=True, cache_hash=True, tag="choose_option"):
    """Which of the consequences of the position comes, before its die (SO-P11)."""

    option: Letter


class CallDefense(Message, Struct, frozen=True, cache_hash=True, tag="call_defense"):
    """The GM names the skill to defend with; for kinds other than harm only if it is allowed (SO-D02, SO-D06)."""

    skill: str = ""
    gm_allows: bool = False


class Respond(Message, Struct, frozen=True, cache_hash=True, tag="respond"):
    """Take the consequence, defend against it, or stop it with armor (SO-D13); `name` is that of the wound.

    The digest calls `how` type, which is the word that stored messages use for their class.
    """

    how: Literal["take", "defend", "armor"] = "take"
    alternate: bool = False
    skill: str = ""
    name: str = WOUND

    def refuse(self, game: Fight, seat: Seat, question: Question | None) -> Illegal | None:
        if question is None or game.facing is None or self.how == "take":
            return None
        faced, fighter = game.facing, game.fighters[question.about]
        if self.how == "armor":
            if faced.blow.kind != "harm":
                return Illegal("armor_not_applicable", "SO-H16")
            if fighter.armor is None:
                return Illegal("item_missing", "SO-H08")
            return refuse_armor(fighter.armor, fighter.load, unconscious=not fighter.able, config=game.config)
        if question.topic != "respond":
            return Illegal("already_defended", "SO-D12")
        if not fighter.able:
            return Illegal("unconscious", "SO-A12")
        skill = self.skill if self.alternate else None
        return refuse_defence(
            faced.blow, skill, gm_allows=faced.gm_allows, alternate=self.alternate, chakra=fighter.chakra
        )


TAKE = Respond()


class DefendAlly(Message, Struct, frozen=True, cache_hash=True, tag="defend_ally"):
    """Step in for an ally: roll the defence, or take the consequence as it is (SO-T06)."""

    mode: Literal["roll", "take"]

    def refuse(self, game: Fight, seat: Seat, question: Question | None) -> Illegal | None:
        if question is None or game.facing is None:
            return Illegal("must_declare_before_roll", "SO-T02")
        if question.about == game.facing.who:
            return Illegal("cannot_target_self", "SO-T05")
        if self.mode == "take":
            return None
        faced, chakra = game.facing, game.fighters[question.about].chakra
        return refuse_defence(faced.blow, None, gm_allows=faced.gm_allows, alternate=False, chakra=chakra)


class SpendEffect(Message, Struct, frozen=True, cache_hash=True, tag="spend_effect"):
    """What the effect of the action buys (chapter 9); what is not spent is lost."""

    plan: tuple[PlanPart, ...]

    def refuse(self, game: Fight, seat: Seat, question: Question | None) -> Illegal | None:
        action = game.acting
        position = game.fighters[action.actor].position
        return refuse_plan(action.effect, self.plan, position or "terrible", healing_jutsu=False)


def glory_question(who: str) -> Question:
    return asked(who, "accept_result", offer(AcceptResult), offer(Glory), silence=AcceptResult())


def controlled_question(who: str) -> Question:
    choices = OneOf(("succeed", "withdraw"))
    return asked(who, "choose_controlled", offer(ChooseControlled, choice=choices), silence=ChooseControlled("succeed"))


def enemy_turn_question(enemy: str) -> Question:
    uses = offer(UseEnemyTurn, gm_uses_turn=OneOf((True, False)))
    return asked(GM_ONLY, "use_enemy_turn", uses, silence=UseEnemyTurn(True), subject=enemy)


def option_question(chooser: str, letters: tuple[str, ...]) -> Question:
    return asked(chooser, "choose_option", offer(ChooseOption, option=OneOf(letters)), silence=ChooseOption("A"))


def call_question(fight: Fight, label: str) -> Question:
    """Asked of the GM: for harm one of the five defensive skills, else any skill, or no defence at all."""
    if fight.faced.blow.kind == "harm":
        harm = offer(CallDefense, skill=OneOf(DEFENSIVE_SKILLS))
        return asked(GM_ONLY, "call_defense", harm, silence=CallDefense(DEFENSIVE_SKILLS[0]), subject=label)
    allowed = offer(CallDefense, skill=AnyText(), gm_allows=OneOf((True,)))
    return asked(GM_ONLY, "call_defense", allowed, offer(CallDefense), silence=CallDefense(), subject=label)


def respond_question(fight: Fight, label: str) -> Question:
    """Asked of the one whom the consequence strikes: what is possible now."""
    who, silent = fight.faced.who, Question(fight.faced.who, "respond", ())
    name = AnyText()
    plain = (TAKE, Respond("defend"), Respond("armor"))
    possible = [one.how for one in plain if one.refuse(fight, Seat(who), silent) is None]
    offers = [_response(OneOf((how,))) for how in possible]
    others = tuple(one for one in DEFENSIVE_SKILLS if one != fight.faced.skill)
    if Respond("defend", True, others[0]).refuse(fight, Seat(who), silent) is None:
        alternate = OneOf((True,))
        offers.append(offer(Respond, how=OneOf(("defend",)), alternate=alternate, skill=OneOf(others), name=name))
    return asked(who, "respond", *offers, silence=TAKE, subject=label)


def ally_question(fight: Fight, ally: str, label: str) -> Question:
    """Asked of an able ally; an undefendable blow can only be taken (SO-T07)."""
    rolled = DefendAlly("roll").refuse(fight, Seat(ally), Question(ally, "defend_ally", ())) is None
    modes = OneOf(("roll", "take") if rolled else ("take",))
    return asked(ally, "defend_ally", offer(Pass), offer(DefendAlly, mode=modes), subject=label)


def armor_question(who: str, label: str) -> Question:
    """Whether armor stops what is left of a harm once no defence is possible any more (SO-H17, SO-T07)."""
    kinds = OneOf(("take", "armor"))
    return asked(who, "armor", _response(kinds), silence=TAKE, subject=label)


def _response(kinds: OneOf) -> Offer:
    return offer(Respond, how=kinds, name=AnyText())


def spend_question(who: str) -> Question:
    return asked(who, "spend_effect", offer(SpendEffect), silence=SpendEffect(()))
