"""Drama Scene Checks (SG-D06, SG-D15) and the first of them, the Recovery Check (SG-D11)."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from systems.core.ask import PASS, Question
from systems.core.calls import Outcome, Report
from systems.core.errors import Illegal
from systems.core.game import Event, Message, Step, change
from systems.core.play import Play, Throw
from systems.core.text import Because, because
from systems.shinobigami.answers import EXTRA, ChooseRecovery
from systems.shinobigami.checks import SkillCheck, fumble_value, natural, succeeds
from systems.shinobigami.effects import Situation, own_modifier
from systems.shinobigami.ids import Category, Count, Id
from systems.shinobigami.names import calls
from systems.shinobigami.rolls import explained
from systems.shinobigami.scene import (
    Graded,
    Scene,
    SceneCall,
    change_health,
)
from systems.shinobigami.sheet import Ailment, Character, Someone, sheet_of
from systems.shinobigami.switches import Switches
from systems.shinobigami.wounds import can_recover, lose_random, recover_after_critical, recover_some

SAFEHOUSE = 2  # SG-B31
GRADES = ("critical", "fumble", "success", "failure")


def drama_check(sheet: Character, needed: int | None, what: str, bonus: int = 0) -> SkillCheck:
    """A Drama Scene Check of this character (SG-C10); `what` is `recovery`, `information` or `emotion`."""
    return SkillCheck(needed, own_modifier(sheet, Situation(applies_to=what)) + bonus, fumble_value("drama"))


def able(sheet: Character) -> Character:
    """Raises `Illegal` `knocked_out`: no checks at 0 LP (SG-H08)."""
    if sheet.knocked_out:
        raise Illegal("knocked_out", "SG-H08")
    return sheet


def heavy_wound(play: Play[Scene], who: str) -> None:
    """1 close damage after an own Attack, Information or Emotion Check, when that is final (SG-H23, SG-D15, SG-Z16)."""
    if play.game[who].has_ailment("heavy_wound"):
        change_health(play, lose_random(play, play.game[who], 1))


def told_roll(check: SkillCheck, throws: tuple[Throw, ...]) -> tuple[int, tuple[Because, ...]]:
    """Total and explanation of the check that was thrown first."""
    faces = throws[0].arranged
    shown = natural(faces)
    lines: tuple[Because, ...] = (because("SG-C03", "natural", natural=shown),)
    if check.modifier:
        lines += (because("SG-C05", "modifier", modifier=check.modifier),)
    return shown + check.modifier, lines + explained(check, shown, check.read(faces))


class Recovers(Step, Struct, frozen=True, cache_hash=True, tag="recovery_check_made"):
    """The Recovery Check, its benefit, and what a Critical adds (SG-D11, SG-C07)."""

    who: str
    check: SkillCheck

    def run(self, play: Play[Scene]) -> None:
        grade = play.check(self.check, f"recovery_check:{self.who}")
        play.emit(Graded(grade))
        if not succeeds(grade):
            return
        sheet = play.game[self.who]
        change_health(play, recover_some(play, sheet, amount_of(sheet)))
        if grade == "critical":
            after = recover_after_critical(play, play.game[self.who], play.game.switches, "critical_recovery")
            change_health(play, after)


def amount_of(sheet: Character) -> int:
    """Two of the same sort with a Safehouse, else one (SG-B31, SG-Z58)."""
    return SAFEHOUSE if sheet.background("safehouse") else 1


class Chosen(Struct, frozen=True, cache_hash=True, forbid_unknown_fields=True):
    """Decisions in the order they are asked: Categories (or `extra`), or ailments (an id is its first instance)."""

    categories: Annotated[tuple[Category | Literal["extra"], ...], Meta(max_length=16)] = ()
    ailments: Annotated[tuple[Id | Ailment, ...], Meta(max_length=16)] = ()


class RecoveryParams(Struct, frozen=True, cache_hash=True, kw_only=True, forbid_unknown_fields=True):
    """`target_number` is needed where there is something to recover."""

    scene_player: Someone
    target_number: Count | UnsetType | None = UNSET
    choices: Chosen = Chosen()
    switches: Switches = Switches()

    def __post_init__(self) -> None:
        if self.target_number is UNSET and can_recover(self.sheet):
            raise ValueError("target_number is needed")

    @property
    def check(self) -> SkillCheck:
        return drama_check(self.sheet, None if self.target_number is UNSET else self.target_number, "recovery")

    @property
    def sheet(self) -> Character:
        return sheet_of(self.scene_player)


class RecoveryOutcome(Outcome, frozen=True, kw_only=True):
    """What is still lost afterwards."""

    lost: tuple[Category, ...]
    extra_lost: int
    ailments: tuple[Ailment, ...]


class RecoveryCheck(SceneCall[RecoveryParams]):
    id = "recovery_check"
    rules = ("SG-D06", "SG-D11", "SG-B31", "SG-C07", "SG-H07", "SG-H27", "SG-U12", "SG-Z58", "SG-Z78")
    grades = GRADES
    params = RecoveryParams
    outcome = RecoveryOutcome

    def begin(self, p: RecoveryParams) -> Scene:
        sheet = able(p.sheet)
        if not can_recover(sheet):
            raise Illegal("nothing_to_recover", "SG-D11")
        _instances(sheet, p.choices)
        scene = change(Scene.of(sheet), switches=p.switches)
        return scene.doing(Recovers(sheet.id, p.check))

    def decide(self, p: RecoveryParams, game: Scene, question: Question) -> Message | None:
        """The first choices are the benefit, what is left belongs to a Critical, which may be left out."""
        amount = amount_of(p.sheet)
        categories, ailments = p.choices.categories, _instances(p.sheet, p.choices)
        if question.topic != "critical_recovery":
            if categories:
                return ChooseRecovery(categories[:amount])
            if ailments:
                return ChooseRecovery((), ailments[:amount])
            return question.silence if _no_choice(p.sheet) else None
        categories, ailments = (categories[amount:], ailments) if categories else ((), ailments[amount:])
        offered = ChooseRecovery(categories[:1]), ChooseRecovery((), ailments[:1])
        return next((one for one in offered if one != ChooseRecovery() and not question.refuse(one)), PASS)

    def answered(self, p: RecoveryParams, game: Scene, events: tuple[Event, ...], throws: tuple[Throw, ...]) -> Report:
        after, grade = game[p.sheet.id], str(game.grade)
        if succeeds(grade):
            _all_used(p, grade)
        _, lines = told_roll(p.check, throws)
        outcome = RecoveryOutcome(lost=after.lost, extra_lost=after.extra_lost, ailments=after.afflictions)
        return Report(outcome, lines)


def _no_choice(sheet: Character) -> bool:
    """Whether there is one sort of things to recover, and all of them come back."""
    points, ailments = len(sheet.lost) + sheet.extra_lost, len(sheet.afflictions)
    return not (points and ailments) and points + ailments <= amount_of(sheet)


def _instances(sheet: Character, chosen: Chosen) -> tuple[Ailment, ...]:
    """The instances that are meant. Raises `Illegal` `invalid_choice` for what is not lost or not there."""
    left = list(sheet.afflictions)
    found = []
    for one in chosen.ailments:
        match = next((a for a in left if one in (a, a.id)), None)
        if match is None:
            raise Illegal("invalid_choice", "SG-D11", choice="ailments")
        left.remove(match)
        found.append(match)
    open_places = (*sheet.lost, *(EXTRA,) * sheet.extra_lost)
    if any(chosen.categories.count(one) > open_places.count(one) for one in chosen.categories):
        raise Illegal("invalid_choice", "SG-D11", choice="categories")
    return tuple(found)


def _all_used(p: RecoveryParams, grade: str) -> None:
    """Raises `Illegal` `invalid_choice` for more than the check gives, or for two sorts at once (SG-Z58)."""
    amount, points, ailments = amount_of(p.sheet), len(p.choices.categories), len(p.choices.ailments)
    if grade == "critical":
        bonus = 2 if p.switches.critical_recovery == "and" else 1
        too_many = points + ailments > amount + bonus or min(points, ailments) > bonus
    else:
        too_many = points + ailments > amount or bool(points and ailments)
    if too_many:
        raise Illegal("invalid_choice", "SG-Z58", choice="categories")


calls.add(RecoveryCheck())
