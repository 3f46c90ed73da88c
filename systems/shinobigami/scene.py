"""The state of a check outside battle: the sheets of those concerned, bonds, and what was learned."""

from __future__ import annotations

from abc import abstractmethod
from typing import Generic, TypeVar, cast

from msgspec import Struct

from systems.core.ask import Question
from systems.core.calls import CheckCall, Report, Verdict
from systems.core.game import Event, Game, Message, Public, Step, change
from systems.core.play import Play, Throw
from systems.core.seats import Seat
from systems.core.values import Map
from systems.shinobigami.checks import succeeds
from systems.shinobigami.ids import Category, Id, Line
from systems.shinobigami.sheet import Ailment, Character
from systems.shinobigami.switches import Switches

P = TypeVar("P", bound=Struct)

PENDING = "pending"


class Tie(Struct, frozen=True, cache_hash=True, forbid_unknown_fields=True):
    """A bond as it is listed: who holds it toward whom, and what it is (SG-E01)."""

    holder: Id
    toward: Id
    emotion: Line = ""
    sign: Line = ""


class Taught(Struct, frozen=True, cache_hash=True, omit_defaults=True):
    """Somebody learned an item; `by` is `infoshare` if it came over a bond (SG-I05)."""

    who: str
    kind: str
    subject: str
    index: int = 0
    by: str = ""


class Scene(Game, frozen=True, cache_hash=True, kw_only=True):
    """Sheets by id, bonds as listed, what was learned in order, and the final grade.

    Of several checks, `well` counts the successes and `last` is the latest grade; `others` are all other characters.
    """

    sheets: Map[str, Character] = Map()
    ties: tuple[Tie, ...] = ()
    taught: tuple[Taught, ...] = ()
    well: int = 0
    last: str = ""
    others: tuple[str, ...] = ()
    switches: Switches = Switches()
    grade: str | None = None

    @classmethod
    def of(cls, *sheets: Character) -> Scene:
        return cls(sheets=Map({one.id: one for one in sheets}))

    def __getitem__(self, who: str) -> Character:
        """The sheet; somebody without one has no data (section 28)."""
        return cast(Character, self.sheets.get(who) or Character(id=who))

    def put(self, sheet: Character) -> Scene:
        return change(self, sheets=self.sheets.put(sheet.id, sheet))

    def doing(self, *steps: Step) -> Scene:
        return change(self, agenda=self.agenda + steps)


class HealthChanged(Public, Struct, frozen=True, cache_hash=True, tag="health_changed"):
    """Life Points, ailments or the Cycle's penalty of a sheet that lies open (section 3)."""

    who: str
    lost: tuple[Category, ...]
    extra_lost: int
    slots_lost: int
    ailments: tuple[Ailment, ...]
    cycle_penalty: int

    def applied(self, game: Scene) -> Scene:
        sheet = game[self.who].with_lost(self.lost).with_ailments(self.ailments).with_extra_lost(self.extra_lost)
        return game.put(change(sheet, slots_lost=self.slots_lost, cycle_penalty=self.cycle_penalty))


class GearLost(Event, Struct, frozen=True, cache_hash=True, tag="gear_lost"):
    """A piece is gone; what it was stays covered (SG-Y03)."""

    who: str
    gear: str

    def applied(self, game: Scene) -> Scene:
        return game.put(game[self.who].with_gear(self.gear, -1))

    def seen_by(self, viewer: Seat) -> Event | None:
        return self if viewer.speaks_for(self.who) else GearLost(self.who, "")


class Learned(Public, Struct, frozen=True, cache_hash=True, tag="information_learned"):
    """Who knows what is public, the content is not (SG-Y05, SG-Z66)."""

    taught: tuple[Taught, ...]

    def applied(self, game: Scene) -> Scene:
        return change(game, taught=game.taught + self.taught)


class BondSet(Public, Struct, frozen=True, cache_hash=True, tag="bond_set"):
    """A bond replaces what its holder felt before (SG-E01)."""

    tie: Tie

    def applied(self, game: Scene) -> Scene:
        others = (one for one in game.ties if (one.holder, one.toward) != (self.tie.holder, self.tie.toward))
        return change(game, ties=(*others, self.tie))


class CheckMade(Public, Struct, frozen=True, cache_hash=True, tag="check_made"):
    """The final grade of one of several checks."""

    who: str
    what: str
    grade: str

    def applied(self, game: Scene) -> Scene:
        return change(game, well=game.well + succeeds(self.grade), last=self.grade)


class RowThrown(Public, Struct, frozen=True, cache_hash=True, tag="fumble_row_thrown"):
    """Which row of the Fumble table it is."""

    who: str
    row: str

    def applied(self, game: Scene) -> Scene:
        return game


class Graded(Public, Struct, frozen=True, cache_hash=True, tag="check_graded"):
    """The final grade of a check (SG-R06)."""

    grade: str

    def applied(self, game: Scene) -> Scene:
        return change(game, grade=self.grade)


def change_health(play: Play[Scene], sheet: Character) -> None:
    """Say what an open sheet has become, if it has changed."""
    if sheet != play.game[sheet.id]:
        state = (sheet.lost, sheet.extra_lost, sheet.slots_lost, sheet.afflictions, sheet.cycle_penalty)
        play.emit(HealthChanged(sheet.id, *state))


class SceneCall(CheckCall[P, Scene], Generic[P]):
    """A check by name that runs on a scene."""

    def verdict(self, p: P, game: Scene, pending: str | None) -> Verdict:
        return self.graded(game.grade) if game.grade else Verdict(PENDING)

    def graded(self, grade: str) -> Verdict:
        return Verdict(grade, succeeds(grade))

    def told(
        self, p: P, game: Scene, events: tuple[Event, ...], throws: tuple[Throw, ...], pending: Question | None
    ) -> Report:
        return self.answered(p, game, events, throws) if game.grade else Report(None)

    @abstractmethod
    def answered(self, p: P, game: Scene, events: tuple[Event, ...], throws: tuple[Throw, ...]) -> Report:
        """The outcome fields and explanations of a check whose grade is final."""

    def decide(self, p: P, game: Scene, question: Question) -> Message | None:
        return question.silence
