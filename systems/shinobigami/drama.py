"""Drama Scene Checks: Recovery, Information and Emotion (SG-D06, SG-D11..D15, SG-E03..E05)."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from systems.core.ask import PASS, OneOf, Question, asked, offer
from systems.core.calls import Outcome, Report
from systems.core.errors import Illegal
from systems.core.game import Message, Step, change
from systems.core.play import Play, Throw
from systems.core.text import Because, Term, because
from systems.core.values import Map
from systems.shinobigami.answers import EXTRA, ChooseCategory, ChooseRecovery, ChooseSign
from systems.shinobigami.checks import SkillCheck, fumble_value, natural, succeeds
from systems.shinobigami.effects import Situation, own_modifier
from systems.shinobigami.ids import Category, Clan, Count, Id
from systems.shinobigami.information import Backgrounds, Ties, learners
from systems.shinobigami.names import calls
from systems.shinobigami.rolls import explained
from systems.shinobigami.scene import (
    BondSet,
    Graded,
    Learned,
    Scene,
    SceneCall,
    Taught,
    Tie,
    change_health,
)
from systems.shinobigami.sheet import Ailment, Background, Character, Someone, sheet_of
from systems.shinobigami.switches import Switches
from systems.shinobigami.wounds import can_recover, lose_random, recover_after_critical, recover_some

SAFEHOUSE = 2  # SG-B31
TRAITOR = 1  # SG-B33
EMOTIONS = calls.tables["emotion"]
POSITIVE: tuple[str, ...] = tuple(row.facts["positive"] for row in EMOTIONS.rows)
NEGATIVE: tuple[str, ...] = tuple(row.facts["negative"] for row in EMOTIONS.rows)
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
    lines = (because("SG-C03", "natural", natural=shown),)
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
    """Decisions in the order they are asked: Categories (or `extra`), or ailments (a plain id is its first instance)."""

    categories: Annotated[tuple[Category | Literal["extra"], ...], Meta(max_length=16)] = ()
    ailments: Annotated[tuple[Id | Ailment, ...], Meta(max_length=16)] = ()


class RecoveryParams(Struct, frozen=True, cache_hash=True, kw_only=True, forbid_unknown_fields=True):
    scene_player: Someone
    target_number: Count | None
    choices: Chosen = Chosen()
    switches: Switches = Switches()

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
    rules = tuple(["SG-D06", "SG-D11", "SG-B31", "SG-C07", "SG-H07", "SG-H27", "SG-U12", "SG-Z58", "SG-Z78"])
    grades = GRADES
    params = RecoveryParams
    outcome = RecoveryOutcome

    def begin(self, p: RecoveryParams) -> Scene:
        sheet = able(p.sheet)
        if not can_recover(sheet):
            raise Illegal("nothing_to_recover", "SG-D11")
        _instances(sheet, p.choices)
        scene = change(Scene.of(sheet), switches=p.switches)
        return scene.doing(Recovers(sheet.id, drama_check(sheet, p.target_number, "recovery")))

    def decide(self, p: RecoveryParams, game: Scene, question: Question) -> Message | None:
        """The first choices are the benefit, what is left belongs to a Critical, which may be left out."""
        amount = amount_of(p.sheet)
        categories, ailments = p.choices.categories, _instances(p.sheet, p.choices)
        if question.topic != "critical_recovery":
            if categories:
                return ChooseRecovery(categories[:amount])
            return ChooseRecovery((), ailments[:amount]) if ailments else None
        categories, ailments = (categories[amount:], ailments) if categories else ((), ailments[amount:])
        offered = ChooseRecovery(categories[:1]), ChooseRecovery((), ailments[:1])
        return next((one for one in offered if one != ChooseRecovery() and not question.refuse(one)), PASS)

    def told(self, p: RecoveryParams, game: Scene, throws: tuple[Throw, ...]) -> Report:
        after, grade = game[p.sheet.id], str(game.grade)
        if succeeds(grade):
            _all_used(p, grade)
        _, lines = told_roll(drama_check(p.sheet, p.target_number, "recovery"), throws)
        outcome = RecoveryOutcome(lost=after.lost, extra_lost=after.extra_lost, ailments=after.afflictions)
        return Report(outcome, lines)


def _instances(sheet: Character, chosen: Chosen) -> tuple[Ailment, ...]:
    """The instances that are meant. Raises `Illegal` `invalid_choice` for what is not lost or not there."""
    left = list(sheet.afflictions)
    found = []
    for one in chosen.ailments:
        match = next((a for a in left if a == one or a.id == one), None)
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


class Investigates(Step, Struct, frozen=True, cache_hash=True, tag="information_check_made"):
    """The Information Check; on success the item is learned and shared (SG-D12, SG-I05)."""

    who: str
    check: SkillCheck
    subject: str
    kind: str
    index: int

    def run(self, play: Play[Scene]) -> None:
        grade = play.check(self.check, f"information_check:{self.who}")
        play.emit(Graded(grade))
        if succeeds(grade):
            by = learners(self.who, self.subject, play.game.ties, switches=play.game.switches)
            taught = (Taught(one, self.kind, self.subject, self.index) for one in by)
            play.emit(Learned(tuple(taught)))
        heavy_wound(play, self.who)


class InformationParams(Struct, frozen=True, cache_hash=True, kw_only=True, forbid_unknown_fields=True):
    """`target_number` is needed; `kind` `ohgi` is refused (SG-I04)."""

    scene_player: Someone
    subject: Id
    kind: Literal["secret", "location", "ohgi"]
    index: Annotated[int, Meta(ge=1, le=1_000_000)] = 1
    target_number: Count | UnsetType | None = UNSET
    subject_clan: Clan | UnsetType = UNSET
    backgrounds: Backgrounds = ()
    bonds: Ties = ()
    choices: Chosen = Chosen()
    switches: Switches = Switches()

    @property
    def sheet(self) -> Character:
        return sheet_of(self.scene_player)

    @property
    def check(self) -> SkillCheck:
        """Traitor gives +1 on a member of the chosen clan (SG-D13, SG-B33)."""
        taken = (
            *(one if isinstance(one, Background) else Background(one) for one in self.backgrounds),
            *self.sheet.taken,
        )
        traitor = any(one.id == "traitor" and one.params.clan == self.subject_clan for one in taken)
        needed = None if self.target_number is UNSET else self.target_number
        return drama_check(self.sheet, needed, "information", TRAITOR * traitor)


class InformationOutcome(Outcome, frozen=True, kw_only=True):
    """The Check Result, who learned it, and what the Scene Player has lost afterwards."""

    total: int
    learned_by: tuple[str, ...]
    lost: tuple[Category, ...]


class InformationCheck(SceneCall[InformationParams]):
    id = "information_check"
    rules = tuple(["SG-D06", "SG-D12", "SG-D13", "SG-D15", "SG-B33", "SG-H23", "SG-I04", "SG-I05", "SG-Z16", "SG-Z21"])
    grades = GRADES
    params = InformationParams
    outcome = InformationOutcome

    def begin(self, p: InformationParams) -> Scene:
        sheet = able(p.sheet)
        if any((one.kind, one.subject, one.index) == (p.kind, p.subject, p.index) for one in sheet.known):
            raise Illegal("already_known", "SG-D12")
        if p.subject == sheet.id:
            raise Illegal("cannot_target_self", "SG-D12")
        if p.kind == "ohgi":
            raise Illegal("ohgi_not_investigable", "SG-I04")
        if p.target_number is UNSET:
            raise Illegal("invalid_choice", "SG-C02", choice="target_number")
        scene = change(Scene.of(sheet), ties=p.bonds, switches=p.switches)
        return scene.doing(Investigates(sheet.id, p.check, p.subject, p.kind, p.index))

    def decide(self, p: InformationParams, game: Scene, question: Question) -> Message | None:
        chosen = ChooseCategory(p.choices.categories[:1])
        return None if question.refuse(chosen) else chosen

    def told(self, p: InformationParams, game: Scene, throws: tuple[Throw, ...]) -> Report:
        total, lines = told_roll(p.check, throws)
        learned_by = tuple(one.who for one in game.taught)
        lines += tuple(because("SG-I05", "learned", who=one) for one in learned_by)
        outcome = InformationOutcome(total=total, learned_by=learned_by, lost=game[p.sheet.id].lost)
        return Report(outcome, lines)


class Feels(Step, Struct, frozen=True, cache_hash=True, tag="emotion_check_made"):
    """The Emotion Check; on success both roll, then each takes a sign or keeps the old bond (SG-E03, SG-E04)."""

    who: str
    check: SkillCheck
    target: str

    def run(self, play: Play[Scene]) -> None:
        grade = play.check(self.check, f"emotion_check:{self.who}")
        play.emit(Graded(grade))
        if succeeds(grade):
            self.bond(play)
        heavy_wound(play, self.who)

    def bond(self, play: Play[Scene]) -> None:
        pairs = ((self.who, self.target), (self.target, self.who))
        rows = tuple(EMOTIONS.roll(play, f"emotion:{holder}").id for holder, _ in pairs)
        questions = [which_sign(play.game, *pair, row) for pair, row in zip(pairs, rows, strict=True)]
        answers = play.ask_all(questions)
        for (holder, toward), row, answer in zip(pairs, rows, answers, strict=True):
            if isinstance(answer, ChooseSign) and answer.sign != "keep":
                play.emit(BondSet(Tie(holder, toward, emotion_of(row, answer.sign), answer.sign)))


def emotion_of(row: str, sign: str) -> str:
    return str(EMOTIONS[row].facts["positive" if sign == "+" else "negative"])


def signs_open_to(sheet: Character, row: str) -> tuple[str, ...]:
    """Lack of Emotion forces the other sign (SG-E05, SG-B37)."""
    lacking = sheet.background("lack_of_emotion")
    forbidden = lacking.params.emotion if lacking else None
    return tuple(sign for sign in ("+", "-") if emotion_of(row, sign) != forbidden)


def which_sign(scene: Scene, holder: str, toward: str, row: str) -> Question:
    """The sign of the rolled emotion, or `keep` where there is a bond already."""
    signs = signs_open_to(scene[holder], row)
    if any((tie.holder, tie.toward) == (holder, toward) for tie in scene.ties):
        signs += ("keep",)
    return asked(
        holder, "choose_sign", offer(ChooseSign, sign=OneOf(signs)), silence=ChooseSign(signs[-1]), subject=row
    )


class EmotionParams(Struct, frozen=True, cache_hash=True, kw_only=True, forbid_unknown_fields=True):
    """`lack_of_emotion` names the emotion that somebody lacks; `choices` the sign each takes, or `keep`."""

    scene_player: Someone
    target: Someone
    target_number: Count | None
    lack_of_emotion: Map[str, str] = Map()
    bonds: Ties = ()
    choices: Map[str, Literal["+", "-", "keep"]] = Map()

    @property
    def pair(self) -> tuple[Character, Character]:
        """The two, with the Flaw that the parameters give them."""
        first, second = (self._with_flaw(sheet_of(one)) for one in (self.scene_player, self.target))
        return first, second

    def _with_flaw(self, sheet: Character) -> Character:
        emotion = self.lack_of_emotion.get(sheet.id)
        if emotion is None:
            return sheet
        others = tuple(one for one in sheet.taken if one.id != "lack_of_emotion")
        flaw = Background("lack_of_emotion", change(Background("").params, emotion=emotion))
        return change(sheet, backgrounds=(*others, flaw))


class EmotionOutcome(Outcome, frozen=True, kw_only=True):
    """The bonds between the two, the Scene Player's first."""

    bonds: tuple[Tie, ...]


class EmotionCheck(SceneCall[EmotionParams]):
    id = "emotion_check"
    rules = tuple(["SG-D06", "SG-D14", "SG-D15", "SG-B37", "SG-E02", "SG-E03", "SG-E04", "SG-E05", "SG-T04"])
    grades = GRADES
    params = EmotionParams
    outcome = EmotionOutcome

    def begin(self, p: EmotionParams) -> Scene:
        player, target = p.pair
        able(player)
        if not (player.in_scene and target.in_scene):
            raise Illegal("not_in_scene", "SG-D14")
        if player.id == target.id:
            raise Illegal("cannot_target_self", "SG-D14")
        scene = change(Scene.of(player, target), ties=p.bonds)
        return scene.doing(Feels(player.id, drama_check(player, p.target_number, "emotion"), target.id))

    def decide(self, p: EmotionParams, game: Scene, question: Question) -> Message | None:
        sign = p.choices.get(question.about)
        if question.topic != "choose_sign" or sign is None:
            return None
        chosen = ChooseSign(sign)
        return question.silence if question.refuse(chosen) else chosen

    def told(self, p: EmotionParams, game: Scene, throws: tuple[Throw, ...]) -> Report:
        player, target = p.pair
        _, lines = told_roll(drama_check(player, p.target_number, "emotion"), throws)
        for sheet, throw in zip((player, target), throws[1:3], strict=False):
            row = EMOTIONS.at(sum(throw.faces)).id
            _refuse_sign(p, sheet, row)
            lines += (because("SG-T04", "emotion", who=sheet.id, row=Term("emotion_row", row)),)
        pairs = ((player.id, target.id), (target.id, player.id))
        bonds = (tie for pair in pairs for tie in game.ties if (tie.holder, tie.toward) == pair)
        return Report(EmotionOutcome(bonds=tuple(bonds)), lines)


def _refuse_sign(p: EmotionParams, sheet: Character, row: str) -> None:
    """Raises `Illegal` for a choice that the rolled row does not allow."""
    sign = p.choices.get(sheet.id)
    if sign == "keep" and not any(tie.holder == sheet.id for tie in p.bonds):
        raise Illegal("invalid_choice", "SG-E04", choice=sheet.id)
    if sign in ("+", "-") and sign not in signs_open_to(sheet, row):
        raise Illegal("emotion_forbidden", "SG-E05", emotion=Term("emotion", emotion_of(row, sign)))


for _check in (RecoveryCheck(), InformationCheck(), EmotionCheck()):
    calls.add(_check)
