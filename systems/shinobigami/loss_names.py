"""The loss window by name: reactions to a loss, then drop-out and knock-out (SG-H08..H10, SG-W54)."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from systems.core.ask import Question
from systems.core.calls import CheckCall, Outcome, Report, Verdict
from systems.core.errors import Illegal
from systems.core.game import Message, Step, change
from systems.core.play import Play, Throw
from systems.core.seats import GM
from systems.shinobigami.answers import ChooseCategory
from systems.shinobigami.checks import succeeds
from systems.shinobigami.combat_names import battle_of, told
from systems.shinobigami.combat_state import Battle
from systems.shinobigami.group import GroupEnds
from systems.shinobigami.ids import Id, Phase
from systems.shinobigami.losses import (
    ImmortalBody,
    Loss,
    PerfectDefense,
    Struck,
    loss_question,
    reacted,
    restore,
)
from systems.shinobigami.names import calls
from systems.shinobigami.ninpo import Ninpo, catalogue, find
from systems.shinobigami.ohgi_names import TYPES, Lost
from systems.shinobigami.reactions import TO_BREAK, UseGear, check_of
from systems.shinobigami.sheet import Character, Ohgi
from systems.shinobigami.switches import Switches


class LossReaction(Struct, frozen=True, cache_hash=True, kw_only=True, forbid_unknown_fields=True):
    """`kind`: bead_of_life, immortal_body, perfect_defense, or a ninpo with a loss timing."""

    by: Id
    kind: Id
    category: Id | None = None


class LossWindowParams(Struct, frozen=True, cache_hash=True, kw_only=True, forbid_unknown_fields=True):
    victim: Character
    just_lost: Lost
    by_other: bool = True
    phase: Phase = "main"
    switches: Switches = Switches()
    reactions: Annotated[tuple[LossReaction, ...], Meta(max_length=32)] = ()


class LossWindowOutcome(Outcome, frozen=True, kw_only=True):
    lost: Lost
    knocked_out: bool
    dropped: bool


class GivenReactions(Step, Struct, frozen=True, cache_hash=True, tag="given_reactions"):
    """A loss window whose reactions are known in advance; then the loss is final (SG-H10)."""

    victim: str
    by_other: bool
    loss: Loss
    reactions: tuple[LossReaction, ...]

    def run(self, play: Play[Battle]) -> None:
        loss, stays = self.loss, False
        for one in self.reactions:
            if one.kind in catalogue():
                loss, stays = _by_ninpo(play, one, self.victim, loss, stays)
            else:
                loss = reacted(play, one.by, self._answer(play, one, loss), self.victim, loss)
        if loss.points and play.game.counts(self.by_other) and not stays:
            play.emit(Struck(self.victim))

    def _answer(self, play: Play[Battle], one: LossReaction, loss: Loss) -> Message:
        """The reaction as the message that a window would take. Raises `Illegal` if it would not."""
        question = loss_question(play.game[one.by], self.victim)
        answer: Message = PerfectDefense()
        if one.kind == "immortal_body":
            answer = ImmortalBody()
        elif one.kind == "bead_of_life":
            answer = UseGear("bead_of_life", one.category)
        elif one.kind != "perfect_defense":
            raise Illegal("ninpo_unknown", "SG-H10", ninpo=one.kind)
        if not loss.points and one.kind == "perfect_defense":
            raise Illegal("ohgi_timing", "SG-O14")
        if refusal := answer.refuse(play.game, GM, question) or question.refuse(answer):
            raise refusal if refusal.code != "not_offered" else Illegal("invalid_choice", "SG-H10")
        return answer


def _by_ninpo(play: Play[Battle], one: LossReaction, victim: str, loss: Loss, stays: bool) -> tuple[Loss, bool]:
    """A ninpo with a loss or drop-out timing: the loss goes to another, or does not put out (SG-N02, SG-Z76)."""
    ninpo = find(one.kind)
    if not _works(play, one.by, ninpo):
        return loss, stays
    for effect in ninpo.effects:
        if effect.op == "redirect_loss" or (effect.op == "cancel" and effect.what == "lp_loss"):
            loss = restore(play, victim, loss, loss.points)
        elif effect.op == "cancel" and effect.what == "drop_out" and play.game.phase == "main":
            stays = True
    return loss, stays


def _works(play: Play[Battle], who: str, ninpo: Ninpo) -> bool:
    """A ninpo with an assigned skill needs a successful check (SG-N02)."""
    skill = ninpo.assigned_skill.fixed if ninpo.assigned_skill else None
    if skill is None:
        return True
    return succeeds(play.check(check_of(play.game, who, skill, TO_BREAK), f"ninpo:{who}"))


class LossWindowCall(CheckCall[LossWindowParams, Battle]):
    """Reactions to a loss in order, then drop-out and knock-out (SG-H08..H10, SG-W54)."""

    id = "loss_window"
    rules = ("SG-H08", "SG-H09", "SG-H10", "SG-W54", "SG-X02", "SG-U07", "SG-Z14", "SG-Z47")
    grades = ("resolved",)
    params = LossWindowParams
    outcome = LossWindowOutcome

    def begin(self, p: LossWindowParams) -> Battle:
        marked = p.victim.with_lost((*p.victim.lost, *p.just_lost))
        others = dict.fromkeys(one.by for one in p.reactions if one.by != p.victim.id)
        victim = _with_ohgi(marked, p)
        battle = battle_of(
            (victim, *(_with_ohgi(Character(id=one), p) for one in others)), p.phase, switches=p.switches
        )
        given = GivenReactions(p.victim.id, p.by_other, Loss(p.just_lost), p.reactions)
        return change(battle, agenda=(given, GroupEnds()))

    def decide(self, p: LossWindowParams, game: Battle, question: Question) -> Message | None:
        """Immortal Body begins with the Categories that its reactions name, the others follow in column order."""
        silence = question.silence
        if question.subject != "recover" or not isinstance(silence, ChooseCategory):
            return silence
        named = (one.category for one in p.reactions if one.by == question.about and one.kind == "immortal_body")
        places = dict.fromkeys((*named, *game[question.about].sheet.lost))
        back = tuple(one for one in places if one in game[question.about].sheet.lost)
        return ChooseCategory(back[: len(silence.categories)])

    def verdict(self, p: LossWindowParams, game: Battle, pending: str | None) -> Verdict:
        return Verdict("resolved")

    def is_decided(self, p: LossWindowParams, game: Battle) -> bool:
        return True

    def report(self, p: LossWindowParams, game: Battle, throws: tuple[Throw, ...], pending: Question | None) -> Report:
        victim = game[p.victim.id]
        outcome = LossWindowOutcome(lost=victim.sheet.lost, knocked_out=victim.knocked_out, dropped=victim.dropped)
        return Report(outcome, told(throws, game))


def _with_ohgi(sheet: Character, p: LossWindowParams) -> Character:
    """Whoever uses an Ohgi in the case has it, also where the sheet does not list it."""
    kinds = dict.fromkeys(one.kind for one in p.reactions if one.by == sheet.id and one.kind in TYPES)
    missing = tuple(one for one in kinds if not any(own.type == one for own in sheet.own_ohgi))
    return change(sheet, ohgi=(*sheet.ohgi, *(Ohgi(id=f"own_{one}", type=one) for one in missing)))


calls.add(LossWindowCall())
