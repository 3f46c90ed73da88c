"""How a character of a scene rolls: four dice, then perhaps a red one again (SD-R07, SD-M14)."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from systems.core.ask import Between, Offer, Question, asked, offer
from systems.core.errors import Illegal
from systems.core.game import Message, Step
from systems.core.play import Play, Throw
from systems.core.seats import Seat
from systems.shinobido.answers import Decide, chosen, decision, reroll_offer
from systems.shinobido.events import (
    AwardGranted,
    DecisionAnswered,
    DecisionOffered,
    DieRerolled,
    FocusGained,
    FocusSpent,
    MeritGranted,
    ResultKept,
    RollResolved,
    pool_with,
)
from systems.shinobido.parts import AWARDS, Act
from systems.shinobido.rolls import OpenRoll, RedAgain, Roll, degree_of, read
from systems.shinobido.sheet import Sheet
from systems.shinobido.state import Scene
from systems.shinobido.told import Rolled
from systems.shinobido.vocabulary import RedDie

REROLL = "reroll"
NARRATOR = "gm"  # the one asked about awards: a character nobody plays, so its questions go to the Narrator
MOST_AWARD_MERIT = 2  # a mission (SD-G04)


def roll(play: Play[Scene], who: str, one: Roll, label: str = "", concealed: bool = False) -> int:
    """The reading of one roll. Who may throw a red die again is asked before anything follows from the dice.

    `concealed`: it meets values of a hidden opponent (SD-P07).
    """
    scene = play.game
    seen_by = scene.seen_by(who)
    hidden, may = who in scene.hidden, scene.cast[who].may_reroll
    if not scene.rerolls or not (may or hidden):  # a hidden Edge must not show in who is asked (SD-P05)
        result = play.check(one, label or one.kind, seen_by)
        record(play, who, one, play.last, None, concealed)
        return result
    dice = play.check(OpenRoll(one), label or one.kind, seen_by)
    first = play.last
    play.emit(DecisionOffered(who, "reroll_offer", hidden, one.kind, dice))
    answer = chosen(play.ask_all((reroll_offer(who, one.kind, may),), veiled=hidden)[0])
    play.emit(DecisionAnswered(who, "reroll_offer", answer, hidden))
    if (die := red_die(answer)) is None:
        record(play, who, one, first, None, concealed)
        return read(one.reading, dice.total)
    result = play.check(RedAgain(die, dice.without(die), one.reading), REROLL, seen_by)
    again = play.last
    play.emit(DieRerolled(who, die, hidden, again.faces[0] if again else 0))
    record(play, who, one, first, again, concealed)
    return result


def record(
    play: Play[Scene],
    who: str,
    one: Roll,
    first: Throw | None,
    again: Throw | None = None,
    concealed: bool = False,
    secret: bool = False,
) -> None:
    """What the log tells of a roll that was thrown (SD-P12); odds and simulations do without."""
    if first is None:
        return
    die = (again.check.die, again.faces[0]) if again else None
    done = Rolled(one, first.faces, die)
    play.emit(
        RollResolved(
            who, one.kind, one.parts, done.net, done.total, done.success, degree_of(done.total) or None,
            who in play.game.hidden, concealed, done.net_before if again else None, secret,
            reasons_secret(play.game, who),
        )
    )  # fmt: skip


def reasons_secret(scene: Scene, who: str) -> bool:
    """Whether the Narrator keeps the reason of this roll's penalty (SD-N05)."""
    action = scene.open_action
    return action is not None and action.who == who and action.phase == "rolled" and action.secret_reason


def red_die(answer: str) -> RedDie | None:
    """The die that an answer to `reroll_offer` names; None leaves the dice as they are."""
    if answer == "red1":
        return "red1"
    return "red2" if answer == "red2" else None


def act_roll(play: Play[Scene], who: str, act: Act, damage: int, one: Roll, concealed: bool = False) -> int:
    """A declared action: Focus goes when the dice are thrown, an award's Focus comes when they are resolved.

    So an award cannot pay for its own action, and comes whether it succeeds or fails (SD-F10, SD-F14, SD-G03).
    """
    spend(play, who, act.concentrate + damage)
    if awards_late(play.game):
        total = roll(play, who, Roll(one.kind, one.parts, "total"), concealed=concealed)
        return read(one.reading, awarded(play, who, one.kind, total, concealed))
    result = roll(play, who, one, concealed=concealed)
    credit(play, who, act.award)
    return result


def spend(play: Play[Scene], who: str, focus: int) -> None:
    """Focus leaves the pool with the throw (SD-F10)."""
    if focus:
        play.emit(FocusSpent(who, focus, who in play.game.hidden))


def awards_late(scene: Scene) -> bool:
    """Whether awards of this game are given after the dice (SD-G02, SD-X02)."""
    return bool(scene.story.phase) and scene.switches.award_timing == "after_roll"


def credit(play: Play[Scene], who: str, grade: int) -> None:
    """Focus and Merit of an award (SD-G01, SD-G03, SD-G04, SD-F16)."""
    if focus := AWARDS[grade]["focus"]:
        play.emit(FocusGained(who, focus, who in play.game.hidden))
    if play.game.story.phase and (merit := merit_of(grade, play.game.cast[who])):
        play.emit(MeritGranted(who, merit, from_award=True))


def merit_of(grade: int, sheet: Sheet) -> int:
    """At most two a mission come from awards (SD-G04)."""
    return int(AWARDS[grade]["merit"]) if sheet.merit_from_awards < MOST_AWARD_MERIT else 0


def award_event(scene: Scene, who: str, grade: int, total: int | None = None, concealed: bool = False) -> AwardGranted:
    """An award with what it brings (SD-G01)."""
    sheet, facts = scene.cast[who], AWARDS[grade]
    return AwardGranted(
        who=who,
        grade=grade,
        bonus=int(facts["bonus"]),
        focus=pool_with(sheet, int(facts["focus"])),
        merit=sheet.merit + merit_of(grade, sheet),
        hidden=concealed or who in scene.hidden,
        total=total,
        success=None if total is None else total > 0,
    )


class AwardDescription(Message, Struct, frozen=True, cache_hash=True, tag="award_description"):
    """A good description is rewarded, before the dice or, by the switch, after them (SD-G01, SD-G02, SD-M05)."""

    grade: int

    @classmethod
    def offers(cls, game: Scene, seat: Seat) -> Iterable[Offer]:
        action = game.open_action
        if seat.gm and action and action.open and not game.open_decision and not awards_late(game):
            yield offer(cls, grade=Between(0, max(AWARDS)))

    def refuse(self, game: Scene, seat: Seat, question: Question | None) -> Illegal | None:
        if not seat.gm:
            return Illegal("not_narrator", "SD-P02")
        if question is not None:
            offered = question.topic == "award_offer"
            return None if not offered or self.grade in AWARDS else Illegal("award_out_of_range", "SD-M05")
        if game.open_decision:
            return Illegal("decision_pending", "SD-T09")
        action = game.open_action
        if action is None or not action.open or awards_late(game):
            return Illegal("award_locked", "SD-G02")
        return None if self.grade in AWARDS else Illegal("award_out_of_range", "SD-M05")

    def carry_out(self, play: Play[Scene], seat: Seat) -> None:
        if action := play.game.open_action:
            play.emit(award_event(play.game, action.who, self.grade))


def award_offer(kind: str) -> Question:
    """After the dice, to the Narrator: is the description worth something? (SD-G02)"""
    grades = Between(0, max(AWARDS))
    question = decision("award_offer", NARRATOR, kind, offer(AwardDescription, grade=grades))
    return asked(NARRATOR, "award_offer", *question.offers, silence=Decide(0), subject=kind)


def awarded(play: Play[Scene], who: str, kind: str, total: int, concealed: bool = False) -> int:
    """The total after an award that is given once the dice lie open (SD-G02, SD-J17)."""
    play.emit(DecisionOffered(who, "award_offer", who in play.game.hidden, kind))
    answer = play.ask(award_offer(kind))
    grade = answer.grade if isinstance(answer, AwardDescription) else int(chosen(answer))
    play.emit(DecisionAnswered(who, "award_offer", str(grade), who in play.game.hidden))
    after = total + int(AWARDS[grade]["bonus"])
    play.emit(award_event(play.game, who, grade, after, concealed))
    credit(play, who, grade)
    return after


class AwardLate(Step, Struct, frozen=True, kw_only=True, cache_hash=True, tag="award_late"):
    """A check whose dice lie open waits for its award (SD-G02, SD-T03)."""

    who: str
    kind: str
    total: int
    concealed: bool = False

    def run(self, play: Play[Scene]) -> None:
        after = awarded(play, self.who, self.kind, self.total, self.concealed)
        play.emit(ResultKept(self.who, self.kind, degree_of(after)))
