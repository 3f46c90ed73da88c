"""The end of a Cycle: one check per kind of ailment (SG-P11, SG-H27, SG-Z74)."""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from systems.core.ask import PASS, Question
from systems.core.calls import Outcome, Report, Verdict
from systems.core.errors import Illegal, OddsTooLarge
from systems.core.game import Event, Message, Step, change
from systems.core.play import Play, Throw
from systems.core.text import Term, because
from systems.shinobigami.ailments import RECOVERY_SKILLS, cured
from systems.shinobigami.checks import SkillCheck, consequence, fumble_value, succeeds
from systems.shinobigami.effects import Situation, own_modifier
from systems.shinobigami.fumble import throw_fumble
from systems.shinobigami.ids import Id
from systems.shinobigami.names import calls
from systems.shinobigami.scene import PENDING, CheckMade, Graded, RowThrown, Scene, SceneCall, change_health
from systems.shinobigami.sheet import Ailment, Character, target_number
from systems.shinobigami.switches import Switches
from systems.shinobigami.wounds import recover_after_critical

HARDENED = 2  # SG-B35
MOST_KINDS = 3  # kinds of ailments whose checks exact odds follow together
LONGEST_SHEET = {1: 1_000_000, 2: 300, 3: 22}  # kinds -> skills, bonds and ninpo that a Fumble may seal in between


def recovery_of(sheet: Character, kind: str) -> SkillCheck:
    """The check against one kind of ailment, outside of any scene (SG-P11, SG-Z26, SG-Z84)."""
    needed = target_number(sheet, RECOVERY_SKILLS[kind])
    modifier = own_modifier(sheet, Situation(applies_to="other")) + HARDENED * bool(sheet.background("hardened"))
    return SkillCheck(needed.value, modifier, fumble_value("cycle_end"))


def kinds_of(sheet: Character) -> tuple[str, ...]:
    """The kinds of ailments, each once, in sheet order."""
    return tuple(dict.fromkeys(one.id for one in sheet.afflictions if one.id in RECOVERY_SKILLS))


class ShakesOff(Step, Struct, frozen=True, cache_hash=True, tag="shakes_off"):
    """The check against one kind: success removes all its instances; the Fumble table applies (SG-C13)."""

    who: str
    kind: str

    def run(self, play: Play[Scene]) -> None:
        sheet = play.game[self.who]
        grade = play.check(recovery_of(sheet, self.kind), f"{self.kind}:{self.who}")
        play.emit(CheckMade(self.who, self.kind, grade))
        if succeeds(grade):
            change_health(play, cured(sheet, self.kind))
        follows = consequence(grade, "cycle_end")
        if follows == "recover_one":
            change_health(play, recover_after_critical(play, play.game[self.who], play.game.switches))
        elif follows == "fumble_table":
            play.then(Stumbles(self.who))


class Stumbles(Step, Struct, frozen=True, cache_hash=True, tag="cycle_end_stumbles"):
    """A Fumble at the end of a Cycle: the table, before the next check (SG-C13)."""

    who: str

    def run(self, play: Play[Scene]) -> None:
        throw_fumble(play, self.who)


class CycleEnds(Step, Struct, frozen=True, cache_hash=True, tag="cycle_end_checks"):
    """All checks of one character, in the order that its player chose (SG-Z74)."""

    who: str
    order: tuple[str, ...]

    def run(self, play: Play[Scene]) -> None:
        play.then(*(ShakesOff(self.who, kind) for kind in self.order), Summed(self.who, len(self.order)))


class Summed(Step, Struct, frozen=True, cache_hash=True, tag="cycle_end_summed"):
    """One check has its own grade; several succeed all, in part, or not at all."""

    who: str
    checks: int

    def run(self, play: Play[Scene]) -> None:
        play.emit(Graded(summed(play.game, self.checks)))


def summed(scene: Scene, checks: int) -> str:
    """The grade of the only check, or how many of several succeeded."""
    if checks == 1:
        return scene.last
    return "success" if scene.well == checks else "partial" if scene.well else "failure"


class CycleEndParams(Struct, frozen=True, cache_hash=True, kw_only=True, forbid_unknown_fields=True):
    """`order`: every kind of ailment once; absent = as on the sheet."""

    character: Character
    order: Annotated[tuple[Id, ...], Meta(max_length=16)] | UnsetType = UNSET
    switches: Switches = Switches()

    @property
    def kinds(self) -> tuple[str, ...]:
        return kinds_of(self.character) if self.order is UNSET else self.order


class Shaken(Struct, frozen=True):
    id: str
    success: bool


class CycleEndOutcome(Outcome, frozen=True, kw_only=True):
    """For one kind `target_number` and, after a Fumble, `fumble_row`; for several `results` in order."""

    target_number: int | UnsetType | None = UNSET
    fumble_row: str | UnsetType = UNSET
    results: tuple[Shaken, ...] | UnsetType = UNSET
    ailments: tuple[Ailment, ...]


class CycleEndRecovery(SceneCall[CycleEndParams]):
    id = "cycle_end_recovery"
    rules = ("SG-P11", "SG-H27", "SG-B35", "SG-C13", "SG-C18", "SG-Z26", "SG-Z74", "SG-Z84")
    grades = ("critical", "fumble", "success", "partial", "failure")
    params = CycleEndParams
    outcome = CycleEndOutcome

    def begin(self, p: CycleEndParams) -> Scene:
        if p.character.knocked_out:
            raise Illegal("knocked_out", "SG-H08")
        kinds = kinds_of(p.character)
        if not kinds:
            raise Illegal("nothing_to_recover", "SG-P11")
        if sorted(p.kinds) != sorted(kinds):
            raise Illegal("invalid_choice", "SG-P11", choice="order")
        return change(Scene.of(p.character), switches=p.switches).doing(CycleEnds(p.character.id, p.kinds))

    def refuse_odds(self, p: CycleEndParams) -> None:
        """What Fumbles leave behind changes the checks that follow; three kinds, or a long sheet, are too much."""
        kinds, sheet = len(p.kinds), p.character
        if kinds > MOST_KINDS:
            raise OddsTooLarge("ailments", kinds, MOST_KINDS)
        fit, open_to_it = LONGEST_SHEET[kinds], len(sheet.skills) + len(sheet.bonds) + len(sheet.ninpo)
        if open_to_it > fit:
            raise OddsTooLarge("sheet", open_to_it, fit)

    def is_decided(self, p: CycleEndParams, game: Scene) -> bool:
        """Once the last check is thrown; what its Fumble leaves behind changes no grade."""
        return bool(game.last) and not any(isinstance(step, ShakesOff) for step in game.agenda)

    def verdict(self, p: CycleEndParams, game: Scene, pending: str | None) -> Verdict:
        return self.graded(summed(game, len(p.kinds))) if self.is_decided(p, game) else Verdict(PENDING)

    def decide(self, p: CycleEndParams, game: Scene, question: Question) -> Message | None:
        """A Critical's recovery may be left out; what a Fumble takes falls on what stands first."""
        return PASS if question.topic == "choose_recovery" else question.silence

    def answered(self, p: CycleEndParams, game: Scene, events: tuple[Event, ...], throws: tuple[Throw, ...]) -> Report:
        ailments = game[p.character.id].afflictions
        made = [one for one in events if isinstance(one, CheckMade)]
        lines = tuple(
            because("SG-P11", "shaken", ailment=Term("ailment", one.what), result=Term("check_grade", one.grade))
            for one in made
        )
        if len(made) > 1:
            results = tuple(Shaken(one.what, succeeds(one.grade)) for one in made)
            return Report(CycleEndOutcome(results=results, ailments=ailments), lines)
        needed = recovery_of(p.character, p.kinds[0]).target_number
        row = next((one.row for one in events if isinstance(one, RowThrown)), UNSET)
        return Report(CycleEndOutcome(target_number=needed, fumble_row=row, ailments=ailments), lines)

    def graded(self, grade: str) -> Verdict:
        return Verdict(grade, succeeds(grade))


calls.add(CycleEndRecovery())
