"""How odds and simulations let characters and enemies decide (chapter 22.1). A policy sees only its seat's view."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from msgspec import Struct

from systems.core.ask import PASS, Question
from systems.core.game import Message
from systems.core.play import Policy
from systems.origins.answers import (
    TAKE,
    AcceptResult,
    CallDefense,
    ChooseControlled,
    ChooseOption,
    DefendAlly,
    Glory,
    Respond,
    SpendEffect,
    UseEnemyTurn,
)
from systems.origins.consequence import ChooseKind
from systems.origins.defence import settle_defence
from systems.origins.dice import readings
from systems.origins.effect import EffectItem, PlanPart
from systems.origins.fight import Fight
from systems.origins.vocabulary import DEFENSIVE_SKILLS, Letter

BOLD = Fraction(1, 4)  # brute and team defend up to this chance of fainting
TEAM_CHAKRA = 4  # team helps while it has that much

Look = Callable[[], Fight]


def faint_chance(view: Fight, who: str) -> Fraction:
    """The chance that a defence against the open consequence overdraws this character's chakra."""
    faced = view.faced
    shown = readings(view.defence_pool(who, faced.skill))
    return shown.where(lambda one: settle_defence(one, faced.blow, view.fighters[who].chakra).paid.unconscious)


def offers(question: Question, action: str, **params: object) -> bool:
    """Whether a message of that kind, with these values, is among what is offered."""
    for one in question.offers:
        domains = dict(one.params)
        if one.action == action and all(name in domains and domains[name].allows(x) for name, x in params.items()):
            return True
    return False


class Brute(Struct, frozen=True):
    """Always damage; defends harm while fainting is unlikely, else armor, else takes it."""

    def answer(self, question: Question, look: Look) -> Message:
        match question.topic:
            case "accept_result":
                return Glory() if look().acting.band == "fail" else AcceptResult()
            case "choose_controlled":
                return self.controlled()
            case "respond" | "armor":
                return self.respond(question, look())
            case "defend_ally":
                return self.shield(question, look())
            case "spend_effect":
                return SpendEffect(self.plan(look(), question.about))
        return question.assumed

    def controlled(self) -> Message:
        return ChooseControlled("succeed")

    def dares(self, view: Fight, who: str) -> bool:
        return view.faced.blow.kind == "harm" and faint_chance(view, who) <= BOLD

    def respond(self, question: Question, view: Fight) -> Message:
        if offers(question, "respond", how="defend") and self.dares(view, question.about):
            return Respond("defend")
        return Respond("armor") if offers(question, "respond", how="armor") else TAKE

    def shield(self, question: Question, view: Fight) -> Message:
        return PASS

    def plan(self, view: Fight, who: str) -> tuple[PlanPart, ...]:
        return (PlanPart("damage", view.acting.effect),)


class Careful(Brute, frozen=True):
    """Gets out of desperate first, defends everything that it can expect to pay, withdraws where it may."""

    def controlled(self) -> Message:
        return ChooseControlled("withdraw")

    def dares(self, view: Fight, who: str) -> bool:
        return faint_chance(view, who) <= Fraction(1, 2)

    def plan(self, view: Fight, who: str) -> tuple[PlanPart, ...]:
        deep = view.fighters[who].position in ("desperate", "terrible")
        return _first("increase_position", view.acting.effect) if deep else super().plan(view, who)


class Team(Brute, frozen=True):
    """One makes a weak spot, the others strike; helps allies while it has chakra."""

    def shield(self, question: Question, view: Fight) -> Message:
        rich = view.fighters[question.about].chakra >= TEAM_CHAKRA
        if rich and offers(question, "defend_ally", mode="roll") and self.dares(view, question.about):
            return DefendAlly("roll")
        return PASS

    def plan(self, view: Fight, who: str) -> tuple[PlanPart, ...]:
        opened = any(one.kind == "weak_spot" for one in view.states)
        return super().plan(view, who) if opened else _first("weak_spot", view.acting.effect)


def _first(item: EffectItem, effect: int) -> tuple[PlanPart, ...]:
    """One of these for two points, the rest as damage; all damage if there are not two points."""
    if effect < 2:
        return (PlanPart("damage", effect),)
    return (PlanPart(item, 2), PlanPart("damage", effect - 2)) if effect > 2 else (PlanPart(item, 2),)


class Adversary(Struct, frozen=True):
    """The enemy's side: whether turns are used after a roll, and which option."""

    uses_turn: bool
    option: Letter

    def answer(self, question: Question, look: Look) -> Message:
        match question.topic:
            case "use_enemy_turn":
                return UseEnemyTurn(self.uses_turn)
            case "choose_option":
                return ChooseOption(self.option)
            case "choose_kind":
                return ChooseKind("harm")
            case "call_defense":
                return CallDefense(DEFENSIVE_SKILLS[0]) if look().faced.blow.kind == "harm" else CallDefense()
        return question.assumed


POLICIES: dict[str, Policy] = {
    "brute": Brute(),
    "careful": Careful(),
    "team": Team(),
    "greedy": Adversary(uses_turn=True, option="A"),
    "patient": Adversary(uses_turn=False, option="C"),
}
