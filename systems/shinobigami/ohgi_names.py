"""The Ohgi checks by name: use, break, and the loss window (SG-O11..O36, SG-H09, SG-H10)."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import UNSET, Meta, Struct, UnsetType

from systems.core.ask import PASS, Question
from systems.core.calls import CheckCall, Outcome, Report, Verdict
from systems.core.errors import Illegal, OddsTooLarge
from systems.core.game import CarryOut, Message, Step, change
from systems.core.play import Play, Throw
from systems.core.seats import GM
from systems.core.values import Map
from systems.shinobigami.checks import SkillCheck, succeeds
from systems.shinobigami.combat import Attack, Dodge, refused_cost, refused_reach
from systems.shinobigami.combat_names import Choice, Choices, backlash, battle_of, chosen, dropped, told
from systems.shinobigami.combat_state import Battle
from systems.shinobigami.group import GroupEnds, TakeDeferred
from systems.shinobigami.ids import Category, Context, Count, Id, Phase
from systems.shinobigami.losses import (
    Loss,
    Struck,
    immortal_body,
    restore,
)
from systems.shinobigami.names import calls
from systems.shinobigami.ninpo import find
from systems.shinobigami.ohgi import RANGES, OhgiLoss, refused_targets
from systems.shinobigami.reactions import BREAK, OhgiBreak, breaks
from systems.shinobigami.sheet import Ailment, Character, Ohgi, Someone, sheet_of
from systems.shinobigami.switches import Switches

TYPES = (
    "critical_hit",
    "area_attack",
    "immortal_body",
    "perfect_defense",
    "perfect_success",
    "dark_interference",
    "extra_ninpo",
)
MOST_BREAKERS = 8  # of one Ohgi, whose checks exact odds follow together
LAST_MOMENT = ("immortal_body", "perfect_defense")  # in the loss window also at 0 Life Points (SG-H10)
Lost = tuple[Category, ...]


class LossEvent(Struct, frozen=True, cache_hash=True, kw_only=True, forbid_unknown_fields=True):
    """A loss that has just been marked: whose, which Categories, and whether another character caused it (SG-O14)."""

    target: Someone
    just_lost: Lost = ()
    gained_ailments: Choice = ()
    by_other: bool = True


class UseOhgiParams(Struct, frozen=True, cache_hash=True, kw_only=True, forbid_unknown_fields=True):
    type: Id
    user: Someone = "user"
    target: Someone | None = None
    targets: Annotated[tuple[Someone, ...], Meta(max_length=16)] = ()
    event: LossEvent | None = None
    ninpo: Id | None = None
    phase: Phase = "main"
    choices: Map[str, Choice] = Map()
    uses_this_session_before: Count = 0
    switches: Switches = Switches()

    @property
    def struck(self) -> tuple[Character, ...]:
        """Whom it is used on: one target or several."""
        return tuple(sheet_of(one) for one in (self.targets or ((self.target,) if self.target is not None else ())))


class UseOhgiOutcome(Outcome, frozen=True, kw_only=True):
    """What has changed; lists by id where several targets were named, single values where one character is meant."""

    lost: Lost | dict[str, Lost] | UnsetType = UNSET
    extra_lost: int | dict[str, int] | UnsetType = UNSET
    recovered: int | UnsetType = UNSET
    restored: Lost | UnsetType = UNSET
    ailments: tuple[Ailment, ...] | UnsetType = UNSET
    dropped: bool | tuple[str, ...] | UnsetType = UNSET
    knocked_out: bool | tuple[str, ...] | UnsetType = UNSET


class Immortal(Step, Struct, frozen=True, cache_hash=True, tag="immortal"):
    """Immortal Body outside a window (SG-O13)."""

    who: str

    def run(self, play: Play[Battle]) -> None:
        immortal_body(play, self.who)


class Restores(Step, Struct, frozen=True, cache_hash=True, tag="restores"):
    """Perfect Defense on a loss that is marked already (SG-O14, SG-H09)."""

    who: str
    loss: Loss
    kept: Lost
    by_other: bool

    def run(self, play: Play[Battle]) -> None:
        left = restore(play, self.who, self.loss).plus(Loss(self.kept))
        if left.points and play.game.counts(self.by_other):
            play.emit(Struck(self.who))


class UseOhgiCall(CheckCall[UseOhgiParams, Battle]):
    """An Ohgi that nobody breaks; the break window is `ohgi_break`."""

    id = "use_ohgi"
    rules = (
        "SG-O01",
        "SG-O03",
        "SG-O11",
        "SG-O12",
        "SG-O13",
        "SG-O14",
        "SG-O17",
        "SG-O18",
        "SG-O19",
        "SG-O20",
        "SG-H09",
        "SG-Z13",
        "SG-Z22",
    )
    grades = ("applied",)
    params = UseOhgiParams
    outcome = UseOhgiOutcome

    def begin(self, p: UseOhgiParams) -> Battle:
        if p.type not in TYPES:
            raise Illegal("ohgi_type_unknown", "SG-B14", type=p.type)
        if p.type not in LAST_MOMENT and sheet_of(p.user).knocked_out:
            raise Illegal("knocked_out", "SG-O03")
        if p.type in RANGES:
            return self._attack_ohgi(p)
        if p.type == "immortal_body":
            user = _owning(p)
            battle = change(
                battle_of((user,), p.phase, switches=p.switches), uses=Map({user.id: p.uses_this_session_before})
            )
            return change(battle, agenda=(Immortal(user.id),))
        if p.type == "perfect_defense":
            return self._defense(p)
        if p.type == "extra_ninpo":
            return self._ninpo(p)
        raise Illegal("ohgi_timing", "SG-O03")

    def _attack_ohgi(self, p: UseOhgiParams) -> Battle:
        user = _owning(p)
        battle = battle_of((user, *p.struck), p.phase, switches=p.switches)
        targets = tuple(one.id for one in p.struck)
        if refusal := refused_targets(battle, battle[user.id], p.type, targets):
            raise refusal
        losses = (OhgiLoss(user.id, target, p.type) for target in targets)
        return change(battle, agenda=(*losses, GroupEnds()))

    def _defense(self, p: UseOhgiParams) -> Battle:
        if p.event is None or not p.event.just_lost:
            raise Illegal("ohgi_timing", "SG-O14")
        sheet = sheet_of(p.event.target)
        marked = sheet.with_lost((*sheet.lost, *p.event.just_lost))
        kept = tuple(one for one in p.event.just_lost if one in p.choices.get("keep_lost", ()))
        if len(kept) != len(p.choices.get("keep_lost", ())):
            raise Illegal("invalid_choice", "SG-H09", choice="keep_lost")
        back = Loss(tuple(one for one in p.event.just_lost if one not in kept))
        restores = Restores(sheet.id, back, kept, p.event.by_other)
        return change(battle_of((marked,), p.phase, switches=p.switches), agenda=(restores, GroupEnds()))

    def _ninpo(self, p: UseOhgiParams) -> Battle:
        """One of its two ninpo with the Ohgi's skill; Range and Cost are the ninpo's (SG-O17, SG-O18)."""
        user = _owning(p)
        ohgi, ninpo = _of_type(user, p.type), find(p.ninpo or "")
        if ninpo.type == "equip" or (ohgi.params.ninpo and ninpo.id not in ohgi.params.ninpo):
            raise Illegal("ohgi_extra_ninpo_choice", "SG-B16", ninpo=ninpo.id)
        battle = battle_of((user, *p.struck), p.phase, switches=p.switches)
        battle = change(battle, acting=battle[user.id].plot)
        attacks, targets = ninpo.type == "attack" and bool(p.struck), tuple(one.id for one in p.struck)
        out_of_reach = refused_reach(battle, battle[user.id], targets, ninpo) if attacks else None
        if refusal := out_of_reach or refused_cost(battle[user.id], ninpo):
            raise refusal
        if not attacks:
            return battle
        skill = ohgi.assigned_skill or (ninpo.assigned_skill and ninpo.assigned_skill.fixed) or ""
        attack = Attack(user.id, ninpo.id, skill, targets)
        for one in p.struck:
            battle = battle.with_fighter(one.id, acted=True)
        return change(battle, agenda=(CarryOut(attack, GM),))

    def decide(self, p: UseOhgiParams, game: Battle, question: Question) -> Message | None:
        if question.topic == "dodge":
            return Dodge("assigned")
        if question.subject == "restore":
            return question.silence
        listed = p.choices.get(question.about, p.choices.get("categories", ()))
        before = next((one.lost for one in p.struck if one.id == question.about), ())
        choices = Choices(categories=listed, ailments=p.choices.get("ailments", ()))
        message = chosen(game, choices, question, before)
        if message is None and question.about in p.choices:
            raise Illegal("invalid_choice", "SG-H02", choice=question.about)
        return message

    def verdict(self, p: UseOhgiParams, game: Battle, pending: str | None) -> Verdict:
        return Verdict("applied", True)

    def is_decided(self, p: UseOhgiParams, game: Battle) -> bool:
        return True

    def report(self, p: UseOhgiParams, game: Battle, throws: tuple[Throw, ...], pending: Question | None) -> Report:
        if pending:
            return Report(None, told(throws, game))
        if p.event is not None and p.type == "perfect_defense":
            return Report(_defended(p.event, game), told(throws, game))
        return Report(_immortal(p, game) if p.type == "immortal_body" else _struck(p, game), told(throws, game))


def _owning(p: UseOhgiParams) -> Character:
    """The user; a sheet that lists no Ohgi of this type gets it, since the case says that it is used."""
    user = sheet_of(p.user)
    if any(one.type == p.type for one in user.own_ohgi):
        return user
    return change(user, ohgi=(*user.ohgi, Ohgi(id=f"own_{p.type}", type=p.type)))


def _of_type(user: Character, kind: str) -> Ohgi:
    return next(one for one in user.own_ohgi if one.type == kind)


def _defended(event: LossEvent, game: Battle) -> UseOhgiOutcome:
    fighter = game[sheet_of(event.target).id]
    return UseOhgiOutcome(
        lost=fighter.sheet.lost,
        restored=tuple(one for one in event.just_lost if one not in fighter.sheet.lost),
        ailments=fighter.sheet.afflictions,
        dropped=fighter.dropped,
        knocked_out=fighter.knocked_out,
    )


def _immortal(p: UseOhgiParams, game: Battle) -> UseOhgiOutcome:
    before = sheet_of(p.user)
    after = game[before.id].sheet
    return UseOhgiOutcome(
        lost=after.lost, extra_lost=after.extra_lost, recovered=after.lp - before.lp, ailments=after.afflictions
    )


def _struck(p: UseOhgiParams, game: Battle) -> UseOhgiOutcome:
    sheets = [game[one.id].sheet for one in p.struck]
    out = tuple(one.id for one in game.fighters if one.knocked_out)
    if not sheets:
        return UseOhgiOutcome()
    if len(p.targets):
        return UseOhgiOutcome(
            lost={one.id: one.lost for one in sheets},
            extra_lost={one.id: one.extra_lost for one in sheets},
            dropped=dropped(game),
            knocked_out=out,
        )
    return UseOhgiOutcome(
        lost=sheets[0].lost,
        extra_lost=sheets[0].extra_lost,
        ailments=sheets[0].afflictions,
        dropped=dropped(game),
        knocked_out=out,
    )


class BrokenOhgi(Struct, frozen=True, cache_hash=True, kw_only=True, forbid_unknown_fields=True):
    owner: Id
    type: Id
    assigned_skill: Id


class OhgiBreakParams(Struct, frozen=True, cache_hash=True, kw_only=True, forbid_unknown_fields=True):
    ohgi: BrokenOhgi
    context: Context = "combat"
    breakers: Annotated[tuple[Character, ...], Meta(max_length=16)] = ()


class BreakRoll(Struct, frozen=True):
    target_number: int | None
    success: bool


class OhgiBreakOutcome(Outcome, frozen=True, kw_only=True):
    """`effect_applied`: the Ohgi had an effect; it counts as used either way (SG-O33)."""

    broken: bool
    rolls: tuple[BreakRoll, ...]
    backlash: tuple[str, ...]
    effect_applied: bool
    ohgi_used: bool = True


class Breaking(Battle, frozen=True, cache_hash=True, kw_only=True):
    """A battle in which one Ohgi has been declared."""

    broken: bool = False


class TriesBreak(Step, Struct, frozen=True, cache_hash=True, tag="tries_break"):
    """One breaker after another in seat order; the first success ends the window (SG-O33)."""

    who: str
    user: str
    ohgi: Ohgi

    def run(self, play: Play[Any]) -> None:
        if breaks(play, self.who, self.user, self.ohgi):
            play.game = change(play.game, broken=True)
            play.drop(TakeDeferred())


class OhgiBreakCall(CheckCall[OhgiBreakParams, Breaking]):
    """Those who knew the details before the declaration try to break it (SG-O31)."""

    id = "ohgi_break"
    rules = ("SG-O31", "SG-O32", "SG-O33", "SG-O34", "SG-O35", "SG-O36", "SG-Z20")
    grades = ("broken", "not_broken")
    params = OhgiBreakParams
    outcome = OhgiBreakOutcome

    def begin(self, p: OhgiBreakParams) -> Breaking:
        for breaker in p.breakers:
            if breaker.knocked_out:
                raise Illegal("knocked_out", "SG-O31", character=breaker.id)
            if breaker.id == p.ohgi.owner:
                raise Illegal("cannot_target_self", "SG-O31")
            if not breaker.in_scene:
                raise Illegal("not_in_scene", "SG-O31", character=breaker.id)
            if not breaker.knows_ohgi:
                raise Illegal("ohgi_unknown", "SG-O31", character=breaker.id)
        ordered = battle_of(p.breakers, "main")
        fighters = (*battle_of((Character(id=p.ohgi.owner),), "main").fighters, *ordered.fighters)
        ohgi = Ohgi(id="declared", type=p.ohgi.type, assigned_skill=p.ohgi.assigned_skill)
        tries = (TriesBreak(one.id, p.ohgi.owner, ohgi) for one in ordered.fighters)
        return Breaking(fighters=fighters, context=p.context, agenda=(*tries, TakeDeferred()))

    def refuse_odds(self, p: OhgiBreakParams) -> None:
        """Who has fallen into Backlash is followed, too; the question `ohgi_survives` takes more breakers."""
        if len(p.breakers) > MOST_BREAKERS:
            raise OddsTooLarge("breakers", len(p.breakers), MOST_BREAKERS)

    def decide(self, p: OhgiBreakParams, game: Breaking, question: Question) -> Message | None:
        return OhgiBreak(True) if question.topic == BREAK else PASS

    def verdict(self, p: OhgiBreakParams, game: Breaking, pending: str | None) -> Verdict:
        return Verdict("broken", True) if game.broken else Verdict("not_broken", False)

    def report(self, p: OhgiBreakParams, game: Breaking, throws: tuple[Throw, ...], pending: Question | None) -> Report:
        thrown = [(throw.check.check, throw) for throw in throws]
        rolls = tuple(
            BreakRoll(check.target_number, succeeds(check.read(throw.arranged)))
            for check, throw in thrown
            if isinstance(check, SkillCheck)
        )
        outcome = OhgiBreakOutcome(
            broken=game.broken, rolls=rolls, backlash=backlash(game), effect_applied=not game.broken
        )
        return Report(outcome, told(throws, game))


calls.add(UseOhgiCall())
calls.add(OhgiBreakCall())
