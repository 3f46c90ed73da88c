"""The Emotion Check and the bonds that it makes (SG-D14, SG-E03..E05)."""

from __future__ import annotations

from typing import Literal

from msgspec import UNSET, Struct, UnsetType

from systems.core.ask import OneOf, Question, asked, offer
from systems.core.calls import Outcome, Report
from systems.core.errors import Illegal
from systems.core.game import Event, Message, Step, change
from systems.core.play import Play, Throw
from systems.core.text import Term, because
from systems.core.values import Map
from systems.shinobigami.answers import ChooseSign
from systems.shinobigami.checks import SkillCheck, succeeds
from systems.shinobigami.drama import GRADES, able, drama_check, heavy_wound, told_roll
from systems.shinobigami.ids import Count
from systems.shinobigami.information import Ties
from systems.shinobigami.names import calls
from systems.shinobigami.scene import BondSet, Graded, Scene, SceneCall, Tie
from systems.shinobigami.sheet import Background, Character, Someone, sheet_of

EMOTIONS = calls.tables["emotion"]
POSITIVE: tuple[str, ...] = tuple(row.facts["positive"] for row in EMOTIONS.rows)
NEGATIVE: tuple[str, ...] = tuple(row.facts["negative"] for row in EMOTIONS.rows)


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
    """`lack_of_emotion` names the emotion that somebody lacks; `choices` the sign each takes, or `keep`.

    `target_number` is needed unless the check is refused anyway.
    """

    scene_player: Someone
    target: Someone
    target_number: Count | UnsetType | None = UNSET
    lack_of_emotion: Map[str, str] = Map()
    bonds: Ties = ()
    choices: Map[str, Literal["+", "-", "keep"]] = Map()

    def __post_init__(self) -> None:
        if self.target_number is UNSET and self.refusal is None:
            raise ValueError("target_number is needed")

    @property
    def refusal(self) -> Illegal | None:
        """Why there is no such check, whatever its Target Number (SG-D14)."""
        player, target = sheet_of(self.scene_player), sheet_of(self.target)
        if not (player.in_scene and target.in_scene):
            return Illegal("not_in_scene", "SG-D14")
        return Illegal("cannot_target_self", "SG-D14") if player.id == target.id else None

    @property
    def check(self) -> SkillCheck:
        needed = None if self.target_number is UNSET else self.target_number
        return drama_check(self.pair[0], needed, "emotion")

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
    rules = ("SG-D06", "SG-D14", "SG-D15", "SG-B37", "SG-E02", "SG-E03", "SG-E04", "SG-E05", "SG-T04")
    grades = GRADES
    params = EmotionParams
    outcome = EmotionOutcome

    def begin(self, p: EmotionParams) -> Scene:
        player, target = p.pair
        able(player)
        if p.refusal:
            raise p.refusal
        scene = change(Scene.of(player, target), ties=p.bonds)
        return scene.doing(Feels(player.id, p.check, target.id))

    def decide(self, p: EmotionParams, game: Scene, question: Question) -> Message | None:
        sign = p.choices.get(question.about)
        if question.topic != "choose_sign" or sign is None:
            return None
        chosen = ChooseSign(sign)
        return question.silence if question.refuse(chosen) else chosen

    def answered(self, p: EmotionParams, game: Scene, events: tuple[Event, ...], throws: tuple[Throw, ...]) -> Report:
        player, target = p.pair
        _, lines = told_roll(p.check, throws)
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
    other = next(one.id for one in p.pair if one.id != sheet.id)
    if sign == "keep" and not any((tie.holder, tie.toward) == (sheet.id, other) for tie in p.bonds):
        raise Illegal("invalid_choice", "SG-E04", choice=sheet.id)
    if sign in ("+", "-") and sign not in signs_open_to(sheet, row):
        raise Illegal("emotion_forbidden", "SG-E05", emotion=Term("emotion", emotion_of(row, sign)))


calls.add(EmotionCheck())
