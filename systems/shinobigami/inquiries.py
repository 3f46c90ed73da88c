"""The Information Check (SG-D12, SG-D13)."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from systems.core.ask import Question
from systems.core.calls import Outcome, Report
from systems.core.errors import Illegal
from systems.core.game import Event, Message, Step, change
from systems.core.play import Play, Throw
from systems.core.text import because
from systems.shinobigami.answers import ChooseCategory
from systems.shinobigami.checks import SkillCheck, succeeds
from systems.shinobigami.drama import GRADES, Chosen, able, drama_check, heavy_wound, told_roll
from systems.shinobigami.ids import Category, Clan, Count, Id
from systems.shinobigami.information import Backgrounds, Ties, learners
from systems.shinobigami.names import calls
from systems.shinobigami.scene import Graded, Learned, Scene, SceneCall, Taught
from systems.shinobigami.sheet import Background, Character, Someone, sheet_of
from systems.shinobigami.switches import Switches

TRAITOR = 1  # SG-B33


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
    """`target_number` is needed unless the check is refused anyway; `kind` `ohgi` always is (SG-I04)."""

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

    def __post_init__(self) -> None:
        if self.target_number is UNSET and self.refusal is None:
            raise ValueError("target_number is needed")

    @property
    def refusal(self) -> Illegal | None:
        """Why there is no such check, whatever its Target Number (SG-D12, SG-I04)."""
        if any((one.kind, one.subject, one.index) == (self.kind, self.subject, self.index) for one in self.sheet.known):
            return Illegal("already_known", "SG-D12")
        if self.subject == self.sheet.id:
            return Illegal("cannot_target_self", "SG-D12")
        return Illegal("ohgi_not_investigable", "SG-I04") if self.kind == "ohgi" else None

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
    rules = ("SG-D06", "SG-D12", "SG-D13", "SG-D15", "SG-B33", "SG-H23", "SG-I04", "SG-I05", "SG-Z16", "SG-Z21")
    grades = GRADES
    params = InformationParams
    outcome = InformationOutcome

    def begin(self, p: InformationParams) -> Scene:
        sheet = able(p.sheet)
        if p.refusal:
            raise p.refusal
        scene = change(Scene.of(sheet), ties=p.bonds, switches=p.switches)
        return scene.doing(Investigates(sheet.id, p.check, p.subject, p.kind, p.index))

    def decide(self, p: InformationParams, game: Scene, question: Question) -> Message | None:
        chosen = ChooseCategory(p.choices.categories[:1])
        return None if question.refuse(chosen) else chosen

    def answered(
        self, p: InformationParams, game: Scene, events: tuple[Event, ...], throws: tuple[Throw, ...]
    ) -> Report:
        total, lines = told_roll(p.check, throws)
        learned_by = tuple(one.who for one in game.taught)
        lines += tuple(because("SG-I05", "learned", who=one) for one in learned_by)
        outcome = InformationOutcome(total=total, learned_by=learned_by, lost=game[p.sheet.id].lost)
        return Report(outcome, lines)


calls.add(InformationCheck())
