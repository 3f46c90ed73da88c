"""Damage and what it takes: Life Points, extra points, slots, ailments, and the loss window (SG-H01..H13, SG-W34)."""

from __future__ import annotations

from msgspec import Struct

from systems.core.ask import OneOf, Question, SubsetOf, asked, offer
from systems.core.checks import Total
from systems.core.game import Message, Public, Step, change
from systems.core.play import Play
from systems.shinobigami.ailments import AILMENTS, gained, roll_ailment
from systems.shinobigami.answers import EXTRA, ChooseAilment
from systems.shinobigami.combat_state import Battle, Fighter
from systems.shinobigami.health import change_sheet
from systems.shinobigami.ids import Category
from systems.shinobigami.ninpo import DamageKind
from systems.shinobigami.reactions import LOSS, PASSING, GearUsed, UseGear, first_of, uses_ohgi
from systems.shinobigami.sheet import Ailment, Character
from systems.shinobigami.wounds import (
    absorbed,
    chosen_points,
    critical_amount,
    healed,
    picked,
    random_point,
)

PERFECT_DEFENSE_POINTS = 4  # SG-O14
BEAD = OneOf(("bead_of_life",))


class Loss(Struct, frozen=True, cache_hash=True):
    """What one loss event took: Categories, extra points, and slots of an Enemy (SG-H11)."""

    categories: tuple[Category, ...] = ()
    extra: int = 0
    slots: int = 0

    @property
    def points(self) -> int:
        return len(self.categories) + self.extra + self.slots

    def plus(self, other: Loss) -> Loss:
        return Loss(self.categories + other.categories, self.extra + other.extra, self.slots + other.slots)


class PerfectDefense(Message, Struct, frozen=True, cache_hash=True, tag="perfect_defense"):
    """Up to four points of the loss just suffered never happened (SG-O14, SG-H09)."""


class ImmortalBody(Message, Struct, frozen=True, cache_hash=True, tag="immortal_body"):
    """1d6 less the uses so far come back, all ailments go (SG-O13)."""


class Struck(Public, Struct, frozen=True, cache_hash=True, tag="struck"):
    """The loss is final and somebody else caused it (SG-W54)."""

    who: str

    def applied(self, game: Battle) -> Battle:
        return game.with_fighter(self.who, struck=True)


class OhgiCounted(Public, Struct, frozen=True, cache_hash=True, tag="ohgi_counted"):
    """One more use of an Immortal Body in this session, broken ones included (SG-O13)."""

    who: str

    def applied(self, game: Battle) -> Battle:
        return change(game, uses=game.uses.put(self.who, game.uses.get(self.who, 0) + 1))


class Damage(Step, Struct, frozen=True, cache_hash=True, tag="damage"):
    """One damage entry against one victim, rolled and marked now (SG-H11, SG-Z77).

    `critical`: the basic damage of a critical Attack Check (SG-W34). `by` is empty if no other character caused it.
    """

    victim: str
    by: str
    kind: DamageKind
    amount: int
    critical: bool = False

    def run(self, play: Play[Battle]) -> None:
        if play.game[self.victim].dropped:
            return
        if self.kind == "mob":
            self._ailments(play)
        else:
            self._points(play)

    def _points(self, play: Play[Battle]) -> None:
        points = self.amount
        if self.critical:
            points = critical_amount(play, points, self.victim)  # SG-Z44
        loses(play, Suffers(self.victim, bool(self.by), points, self.kind == "ranged", not self.critical))

    def _ailments(self, play: Play[Battle]) -> None:
        for _ in range(self.amount):  # SG-Z43: one that cannot be gained is wasted
            play.then(GainAilment(self.victim, self._chosen(play) if self.critical else ""))

    def _chosen(self, play: Play[Battle]) -> str:
        choice = offer(ChooseAilment, ailments=SubsetOf(AILMENTS, 1, 1))
        default = ChooseAilment(AILMENTS[:1])
        answer = play.ask(asked(self.by, "choose_ailment", choice, silence=default, subject=self.victim))
        return answer.ailments[0] if isinstance(answer, ChooseAilment) else default.ailments[0]


class Suffers(Step, Struct, frozen=True, cache_hash=True, tag="suffers"):
    """Points of one loss event that are still to be marked: chosen by the victim, or one Category die each (SG-H05).

    `rechosen`: a die that hits a lost Category lets the victim choose; else that point has no effect (SG-W34).
    """

    victim: str
    by_other: bool
    points: int
    chosen: bool
    rechosen: bool = True
    so_far: Loss = Loss()

    def run(self, play: Play[Battle]) -> None:
        before, left = play.game[self.victim].sheet, 0
        if self.chosen or before.is_enemy:
            change_sheet(play, chosen_points(play, before, self.points))
        elif self.points:
            change_sheet(play, random_point(play, before, rechosen=self.rechosen))
            left = self.points - 1 if before.held else 0
        loss = self.so_far.plus(_difference(before, play.game[self.victim].sheet))
        play.then(change(self, points=left, so_far=loss) if left else LossFinal(self.victim, self.by_other, loss))


def loses(play: Play[Battle], suffering: Suffers) -> None:
    """Begin a loss event: unmarked extra points take it first, without a die (SG-H04)."""
    before = play.game[suffering.victim].sheet
    after, left = absorbed(before, suffering.points)
    change_sheet(play, after)
    play.then(change(suffering, points=left, so_far=_difference(before, after)))


class GainAilment(Step, Struct, frozen=True, cache_hash=True, tag="gain_ailment"):
    """The victim gets an ailment; an empty id is rolled on the table (SG-H03, SG-H20)."""

    victim: str
    ailment: str = ""

    def run(self, play: Play[Battle]) -> None:
        sheet = play.game[self.victim].sheet
        change_sheet(play, gained(play, sheet, self.ailment) if self.ailment else roll_ailment(play, sheet))


class LossFinal(Step, Struct, frozen=True, cache_hash=True, tag="loss_final"):
    """The loss window after a loss event, and what stands when it closes (SG-H10)."""

    victim: str
    by_other: bool
    loss: Loss

    def run(self, play: Play[Battle]) -> None:
        loss = loss_window(play, self.victim, self.loss)
        if loss.points and play.game.counts(self.by_other):
            play.emit(Struck(self.victim))


def loss_window(play: Play[Battle], victim: str, loss: Loss) -> Loss:
    """Reactions to a loss until all pass; what is left of it. Healing is no part of the loss (SG-Z14)."""
    while loss.points:
        asked_now = [one for one in play.game.fighters if one.able or (one.id == victim and not one.dropped)]
        reaction = first_of(play, [loss_question(one, victim) for one in asked_now])
        if reaction is None:
            return loss
        by, answer = reaction
        loss = reacted(play, by, answer, victim, loss)
    return loss


def reacted(play: Play[Battle], by: str, answer: Message, victim: str, loss: Loss) -> Loss:
    """What is left of a loss after one reaction to it (SG-H10)."""
    if isinstance(answer, UseGear):
        play.emit(GearUsed(by, answer.gear))
        heal(play, by, answer.category, answer.ailment)
    elif isinstance(answer, PerfectDefense) and uses_ohgi(play, by, "perfect_defense"):
        return restore(play, victim, loss)
    elif isinstance(answer, ImmortalBody):
        immortal_body(play, by)
    return loss


def loss_question(fighter: Fighter, victim: str) -> Question:
    """What a fighter may do in the window after a loss (SG-H10)."""
    offers = [PASSING]
    offers += [offer(PerfectDefense)] if fighter.ohgi_of("perfect_defense") else []
    if fighter.id == victim:
        if fighter.has_gear("bead_of_life"):
            places = (*fighter.sheet.lost, *([EXTRA] if fighter.sheet.extra_lost else []), None)
            ailments = OneOf((*fighter.sheet.afflictions, None))
            offers.append(offer(UseGear, gear=BEAD, category=OneOf(places), ailment=ailments))
        offers += [offer(ImmortalBody)] if fighter.ohgi_of("immortal_body") else []
    return asked(fighter.id, LOSS, *offers, subject=f"{LOSS}:{victim}")


def heal(play: Play[Battle], who: str, place: str | None, ailment: Ailment | None) -> None:
    """One Life Point (a Category or `extra`) or one instance of an ailment comes back (SG-G02, SG-H07, SG-H27)."""
    places, ailments = (place,) if place and not ailment else (), (ailment,) if ailment else ()
    change_sheet(play, healed(play.game[who].sheet, places, ailments))


def restore(play: Play[Battle], victim: str, loss: Loss, points: int = PERFECT_DEFENSE_POINTS) -> Loss:
    """Perfect Defense gives back up to four points; the victim chooses which if there are more (SG-H09)."""
    sheet = play.game[victim].sheet
    back = picked(play, victim, loss.categories, points, "restore")
    extra = min(loss.extra, points - len(back))
    slots = min(loss.slots, points - len(back) - extra)
    given_back = healed(sheet, back + (EXTRA,) * extra)
    change_sheet(play, change(given_back, slots_lost=sheet.slots_lost - slots))
    left = tuple(one for one in loss.categories if one not in back)
    return Loss(left, loss.extra - extra, loss.slots - slots)


def immortal_body(play: Play[Battle], who: str) -> int:
    """max(0, 1d6 - k) points come back, k uses in the session with this one; all ailments go. The points (SG-O13)."""
    play.emit(OhgiCounted(who))
    if not uses_ohgi(play, who, "immortal_body"):
        return 0
    points = play.check(Total(1), f"immortal_body:{who}") - play.game.uses.get(who, 1)
    change_sheet(play, play.game[who].sheet.with_ailments(()))
    return recover(play, who, max(0, points))


def recover(play: Play[Battle], who: str, points: int) -> int:
    """Lost points come back, Categories at the owner's choice, then extra points; how many came back (SG-H07)."""
    sheet = play.game[who].sheet
    back = picked(play, who, sheet.lost, points, "recover")
    extra = min(points - len(back), sheet.extra_lost)
    change_sheet(play, healed(sheet, back + (EXTRA,) * extra))
    return len(back) + extra


def _difference(before: Character, after: Character) -> Loss:
    categories = tuple(one for one in after.lost if one not in before.lost)
    return Loss(categories, after.extra_lost - before.extra_lost, after.slots_lost - before.slots_lost)
