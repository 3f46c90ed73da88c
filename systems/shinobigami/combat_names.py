"""The combat checks by name: one attack, a Plot group, an Ohgi, its break, and a loss window, without a game."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from systems.core.ask import PASS, Question
from systems.core.calls import CheckCall, Outcome, Report, Verdict
from systems.core.errors import Illegal
from systems.core.game import CarryOut, Message, change
from systems.core.play import Throw
from systems.core.seats import GM
from systems.core.text import Because, Term, because
from systems.core.values import Map
from systems.shinobigami.answers import ChooseAilment, ChooseCategory, ChooseRecovery
from systems.shinobigami.combat import Attack, Dodge, DodgeWith, PassTurn
from systems.shinobigami.combat_state import Battle, Fighter
from systems.shinobigami.ids import Battlefield, Category, Id, Phase, Plot
from systems.shinobigami.names import calls
from systems.shinobigami.sheet import Ailment, Character, Someone, sheet_of
from systems.shinobigami.switches import USUAL, Switches

Lost = tuple[Category, ...]
Choice = Annotated[tuple[Id, ...], Meta(max_length=64)]


class Choices(Struct, frozen=True, cache_hash=True, kw_only=True, forbid_unknown_fields=True):
    """Decisions of players in the order they are asked: Categories given up or recovered, ailments inflicted."""

    categories: Choice = ()
    ailments: Choice = ()


class AttackParams(Struct, frozen=True, cache_hash=True, kw_only=True, forbid_unknown_fields=True):
    attacker: Character
    defender: Character
    ninpo: Id
    assigned_skill: Id
    dodge_with: DodgeWith = "assigned"
    phase: Phase = "main"
    battlefield: Battlefield = "level_ground"
    choices: Choices = Choices()
    switches: Switches = Switches()


class AttackOutcome(Outcome, frozen=True, kw_only=True):
    """Values after the group is finished; `dodge` is "none" if nothing was thrown (SG-W50)."""

    attack: str
    dodge: str
    hit: bool
    defender_lost: tuple[Category, ...]
    defender_extra_lost: int | UnsetType = UNSET
    defender_slots_lost: int | UnsetType = UNSET
    defender_ailments: tuple[Ailment, ...]
    attacker_lost: tuple[Category, ...]
    backlash: tuple[str, ...]
    dropped: tuple[str, ...]
    knocked_out: tuple[str, ...]


class ResolveGroupParams(Struct, frozen=True, cache_hash=True, kw_only=True, forbid_unknown_fields=True):
    plot: Plot
    members: Annotated[tuple[Character, ...], Meta(min_length=1, max_length=16)]
    actions: Annotated[tuple[GroupAction, ...], Meta(max_length=16)]
    phase: Phase = "main"
    battlefield: Battlefield = "level_ground"
    switches: Switches = Switches()


class GroupAction(Struct, frozen=True, cache_hash=True, kw_only=True, forbid_unknown_fields=True):
    """What one member of the group does, in handling order (SG-A10, SG-W30)."""

    by: Id
    ninpo: Id
    assigned_skill: Id
    target: Id
    dodge_with: DodgeWith = "assigned"


class AttackResult(Struct, frozen=True):
    by: str
    hit: bool


class ResolveGroupOutcome(Outcome, frozen=True, kw_only=True):
    attacks: tuple[AttackResult, ...]
    lost: Map[str, tuple[Category, ...]]
    ailments: Map[str, tuple[Ailment, ...]]
    backlash: tuple[str, ...]
    dropped: tuple[str, ...]


class AttackCall(CheckCall[AttackParams, Battle]):
    """One attack; every other member of the Plot group passes."""

    id = "attack"
    rules = (
        "SG-W30",
        "SG-W31",
        "SG-W32",
        "SG-W33",
        "SG-W34",
        "SG-W35",
        "SG-W36",
        "SG-W38",
        "SG-W40",
        "SG-W41",
        "SG-W42",
        "SG-W52",
        "SG-X03",
        "SG-U07",
        "SG-U10",
    )
    grades = ("hit", "dodged", "missed", "pending")
    params = AttackParams
    outcome = AttackOutcome

    def begin(self, p: AttackParams) -> Battle:
        battle = battle_of((p.attacker, p.defender), p.phase, p.battlefield, p.switches)
        battle = battle.with_fighter(p.defender.id, acted=True)
        attack = Attack(p.attacker.id, p.ninpo, p.assigned_skill, (p.defender.id,))
        battle = change(battle, acting=battle[p.attacker.id].plot)
        if refusal := attack.refuse(battle, GM, None) or Dodge(p.dodge_with).refuse(battle, GM, ASKED):
            raise refusal
        return doing(battle, attack)

    def decide(self, p: AttackParams, game: Battle, question: Question) -> Message | None:
        if question.topic == "dodge":
            return Dodge(p.dodge_with)
        left = _left(p, game)
        if left != p.choices and (answer := chosen(game, left, question)):
            return answer
        return chosen(game, p.choices, question, p.defender.lost)

    def is_decided(self, p: AttackParams, game: Battle) -> bool:
        return bool(game.exchanges)

    def verdict(self, p: AttackParams, game: Battle, pending: str | None) -> Verdict:
        exchange = next(iter(game.exchanges), None)
        if exchange is None:
            return Verdict("pending")
        if exchange.hit:
            return Verdict("hit", True)
        return Verdict("dodged" if exchange.attack in ("success", "critical") else "missed", False)

    def report(self, p: AttackParams, game: Battle, throws: tuple[Throw, ...], pending: Question | None) -> Report:
        exchange = next(iter(game.exchanges), None)
        if exchange is None:
            return Report(None, told(throws))
        attacker, defender = game[p.attacker.id].sheet, game[p.defender.id].sheet
        outcome = AttackOutcome(
            attack=exchange.attack,
            dodge=exchange.dodge,
            hit=exchange.hit,
            defender_lost=defender.lost,
            defender_extra_lost=defender.extra_lost if defender.extra_lp else UNSET,
            defender_slots_lost=defender.slots_lost if defender.is_enemy else UNSET,
            defender_ailments=defender.afflictions,
            attacker_lost=attacker.lost,
            backlash=backlash(game),
            dropped=dropped(game),
            knocked_out=knocked_out(game),
        )
        return Report(outcome, told(throws, game))


def _left(p: AttackParams, game: Battle) -> Choices:
    """The choices without what a Critical has given back to the attacker, which is asked first (SG-W38)."""
    now, categories, ailments = game[p.attacker.id].sheet, list(p.choices.categories), list(p.choices.ailments)
    for place in p.attacker.lost:
        if place in categories and place not in now.lost:
            categories.remove(place)
    for one in p.attacker.afflictions:
        if one.id in ailments and one not in now.afflictions:
            ailments.remove(one.id)
    return Choices(categories=tuple(categories), ailments=tuple(ailments))


class ResolveGroupCall(CheckCall[ResolveGroupParams, Battle]):
    """All members of one Plot group; nothing takes effect before the last has finished (SG-W48..W50)."""

    id = "resolve_group"
    rules = ("SG-W48", "SG-W49", "SG-W50")
    grades = ("resolved",)
    params = ResolveGroupParams
    outcome = ResolveGroupOutcome

    def begin(self, p: ResolveGroupParams) -> Battle:
        battle = change(battle_of(p.members, p.phase, p.battlefield, p.switches), acting=p.plot)
        attacks = [Attack(one.by, one.ninpo, one.assigned_skill, (one.target,)) for one in p.actions]
        acting = [one.by for one in p.actions]
        for at, attack in enumerate(attacks):
            if attack.who in acting[:at]:
                raise Illegal("already_attacked", "SG-N09")
            if refusal := attack.refuse(battle, GM, None):
                raise refusal
        passing = (PassTurn(one.id) for one in battle.group if one.id not in acting)
        return doing(battle, *attacks, *passing)

    def decide(self, p: ResolveGroupParams, game: Battle, question: Question) -> Message | None:
        if question.topic == "dodge":
            by = question.subject.removeprefix("by:")
            return Dodge(next(one.dodge_with for one in p.actions if one.by == by))
        return chosen(game, Choices(), question)

    def verdict(self, p: ResolveGroupParams, game: Battle, pending: str | None) -> Verdict:
        return Verdict("resolved")

    def is_decided(self, p: ResolveGroupParams, game: Battle) -> bool:
        return True

    def report(
        self, p: ResolveGroupParams, game: Battle, throws: tuple[Throw, ...], pending: Question | None
    ) -> Report:
        outcome = ResolveGroupOutcome(
            attacks=tuple(AttackResult(one.by, one.hit) for one in game.exchanges),
            lost=Map({one.id: one.sheet.lost for one in game.fighters}),
            ailments=Map({one.id: one.sheet.afflictions for one in game.fighters}),
            backlash=backlash(game),
            dropped=dropped(game),
        )
        return Report(outcome, told(throws, game))


ASKED = Question("", "dodge", ())


def battle_of(
    sheets: Iterable[Someone],
    phase: Phase,
    battlefield: Battlefield = "level_ground",
    switches: Switches = USUAL,
) -> Battle:
    """A battle of these sheets in seat order; the sheet brings Plot, Backlash and Cost with it."""
    listed = [sheet_of(one) for one in sheets]
    order = sorted(range(len(listed)), key=lambda at: (at if listed[at].seat is None else listed[at].seat, at))
    fighters = tuple(Fighter(listed[at], listed[at].plot or 0, backlash=listed[at].backlash) for at in order)
    if len({one.id for one in fighters}) != len(fighters):
        raise Illegal("cannot_target_self", "SG-W31")
    return Battle(fighters=fighters, phase=phase, battlefield=battlefield, switches=switches)


def doing(battle: Battle, *messages: Message) -> Battle:
    return change(battle, agenda=tuple(CarryOut(one, GM) for one in messages))


def chosen(game: Battle, choices: Choices, question: Question, before: Lost = ()) -> Message | None:
    """The next of the listed choices that the question can take; windows pass; without a fitting one it stays open.

    A listed Category that was given up already is no longer held, so the order of the list is the order of asking.
    Raises `Illegal` `invalid_choice` if all of them had been lost `before` (SG-H02).
    """
    if question.topic in ("after_roll", "loss"):
        return PASS
    sheet = game[question.about].sheet
    if question.topic == "choose_recovery":
        return _recovery(sheet, choices)
    if question.topic == "choose_ailment":
        return _ailment(choices.ailments[:1], question)
    pool = sheet.held if question.subject == "lose" else sheet.lost
    wanted = [offer for offer in question.offers if offer.action == "choose_category"]
    points = getattr(dict(wanted[0].params)["categories"], "at_least", 1) if wanted else 1
    fitting = tuple(dict.fromkeys(one for one in choices.categories if one in pool))[:points]
    if len(fitting) == points:
        return ChooseCategory(fitting)
    if choices.categories and all(one in before for one in choices.categories):
        raise Illegal("invalid_choice", "SG-H02", categories=list(choices.categories))
    return None


def _ailment(chosen: tuple[str, ...], question: Question) -> Message | None:
    """Raises `Illegal` `invalid_choice` for what is no ailment (SG-W34)."""
    answer = ChooseAilment(chosen)
    if chosen and question.refuse(answer):
        raise Illegal("invalid_choice", "SG-W34", ailments=list(chosen))
    return answer if chosen else None


def _recovery(sheet: Character, choices: Choices) -> Message:
    """One point or one ailment after a Critical (SG-C07); nothing listed recovers nothing."""
    category = next((one for one in choices.categories if one in sheet.lost), None)
    ailment = next((one for one in sheet.afflictions if one.id in choices.ailments), None)
    if category:
        return ChooseRecovery((category,))
    return ChooseRecovery((), (ailment,)) if ailment else PASS


def backlash(game: Battle) -> tuple[str, ...]:
    return tuple(one.id for one in game.fighters if one.backlash)


def dropped(game: Battle) -> tuple[str, ...]:
    return tuple(one.id for one in game.fighters if one.dropped)


def knocked_out(game: Battle) -> tuple[str, ...]:
    return tuple(one.id for one in game.fighters if one.knocked_out)


_RULE_OF = {
    "attack": "SG-W32",
    "dodge": "SG-W33",
    "ohgi_break": "SG-O32",
    "category": "SG-H01",
    "critical_damage": "SG-W34",
    "ailment": "SG-H03",
    "immortal_body": "SG-O13",
}


def told(throws: tuple[Throw, ...], game: Battle | None = None) -> tuple[Because, ...]:
    """One line for every throw, whose and for what; and one for everybody who stands or is out at the end."""
    lines = tuple(_told(one) for one in throws)
    return lines if game is None else lines + tuple(_stands(one) for one in game.fighters)


def _stands(fighter: Fighter) -> Because:
    if fighter.dropped:
        return because("SG-W54", "dropped_out", who=fighter.id, lp=fighter.sheet.lp)
    return because("SG-H10", "still_in", who=fighter.id, lp=fighter.sheet.lp)


def _told(throw: Throw) -> Because:
    what, _, who = throw.label.partition(":")
    rule = _RULE_OF.get(what, "SG-A05")
    return because(rule, "combat_roll", what=Term("roll", what), who=who or "-", natural=sum(throw.faces))


calls.add(AttackCall())
calls.add(ResolveGroupCall())
