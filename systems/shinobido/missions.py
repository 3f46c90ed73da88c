"""Missions, scenes, nights and long tasks (sections 6, 9, 11 and 17)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from msgspec import Struct

from systems.core.ask import Offer, OneOf, offer
from systems.core.errors import Illegal
from systems.core.game import Step, change
from systems.core.play import Play
from systems.core.seats import Seat
from systems.shinobido.declaring import Declarable
from systems.shinobido.deeds import Attempt, Dying
from systems.shinobido.events import MeritGranted
from systems.shinobido.happenings import MissionEnded, MissionStarted, Rested, SceneEnded, SceneStarted, TaskProgressed
from systems.shinobido.parts import Act, PenaltyPart, limits
from systems.shinobido.sheet import Sheet
from systems.shinobido.standing import Command, at_peace, narrating, there, undecided, unfit, waits
from systems.shinobido.state import Scene, Task
from systems.shinobido.turns import MERIT
from systems.shinobido.vocabulary import Name, attribute_named

DANGER = 4  # segments of the danger clock (SD-L01)
SEGMENTS = (4, 6, 8)


class _Narrated(Command):
    """The Narrator's alone, and not while a fight or a decision is open."""

    def judge(self, game: Scene, seat: Seat) -> None:
        narrating(seat)
        undecided(game)
        at_peace(game)

    @classmethod
    def may(cls, game: Scene, seat: Seat) -> bool:
        return seat.gm and not game.fight and not waits(game)


class StartMission(_Narrated, Struct, frozen=True, cache_hash=True, tag="start_mission"):
    """SD-T01."""

    @classmethod
    def offers(cls, game: Scene, seat: Seat) -> Iterable[Offer]:
        if cls.may(game, seat) and game.story.phase == "between":
            yield offer(cls)

    def carry_out(self, play: Play[Scene], seat: Seat) -> None:
        play.emit(MissionStarted(play.game.story.mission + 1))


class StartScene(_Narrated, Struct, frozen=True, cache_hash=True, tag="start_scene"):
    """SD-T02, SD-T08."""

    title: Name = ""

    @classmethod
    def offers(cls, game: Scene, seat: Seat) -> Iterable[Offer]:
        if cls.may(game, seat) and game.story.phase == "mission":
            yield offer(cls)

    def carry_out(self, play: Play[Scene], seat: Seat) -> None:
        play.emit(SceneStarted(play.game.story.scene + 1, self.title))


class EndScene(_Narrated, Struct, frozen=True, cache_hash=True, tag="end_scene"):
    """The dying are settled first, then the counters go and the Down wake (SD-T05, SD-T11, SD-W12, SD-W14)."""

    @classmethod
    def offers(cls, game: Scene, seat: Seat) -> Iterable[Offer]:
        if cls.may(game, seat) and game.story.phase == "scene":
            yield offer(cls)

    def carry_out(self, play: Play[Scene], seat: Seat) -> None:
        dying = ((who, one) for who, one in play.game.cast.items() if one.status == "dying")
        play.then(*(Dying(who, one.overkill) for who, one in dying), CloseScene())


class CloseScene(Step, Struct, frozen=True, cache_hash=True, tag="close_scene"):
    def run(self, play: Play[Scene]) -> None:
        play.emit(SceneEnded(play.game.story.scene))


class EndMission(_Narrated, Struct, frozen=True, cache_hash=True, tag="end_mission"):
    """Merit for every living PC, then downtime (SD-T07, SD-G05, SD-W11)."""

    outcome: Literal["success", "partial", "failure"]

    @classmethod
    def offers(cls, game: Scene, seat: Seat) -> Iterable[Offer]:
        if cls.may(game, seat) and game.story.phase in ("mission", "scene"):
            yield offer(cls, outcome=OneOf(tuple(MERIT)))

    def carry_out(self, play: Play[Scene], seat: Seat) -> None:
        for who, sheet in play.game.cast.items():
            if sheet.kind == "pc" and sheet.status != "dead":
                play.emit(MeritGranted(who, MERIT[self.outcome]))
        play.emit(MissionEnded(self.outcome))


class Rest(_Narrated, Struct, frozen=True, cache_hash=True, tag="rest"):
    """SD-W10."""

    character: str

    @classmethod
    def offers(cls, game: Scene, seat: Seat) -> Iterable[Offer]:
        living = tuple(who for who, one in game.cast.items() if one.status != "dead")
        if cls.may(game, seat) and living:
            yield offer(cls, character=OneOf(living))

    def judge(self, game: Scene, seat: Seat) -> None:
        super().judge(game, seat)
        if there(game, self.character, "SD-W10").status == "dead":
            raise Illegal("target_dead", "SD-W10")

    def carry_out(self, play: Play[Scene], seat: Seat) -> None:
        play.emit(Rested(self.character))


class LongTask(Declarable, Struct, frozen=True, cache_hash=True, tag="long_task"):
    """With `segments` the Narrator sets the clock up; without, the owner tries (SD-L01, SD-X15)."""

    clock: Name
    segments: int = 0
    attribute: str = ""
    penalty: int = 0
    actor: str = ""
    concentrate: int = 0
    tags: tuple[str, ...] = ()

    @classmethod
    def offers(cls, game: Scene, seat: Seat) -> Iterable[Offer]:
        open_tasks = tuple(id for id, one in game.story.tasks.items() if not decided(one))
        if open_tasks and game.switches.long_tasks and not game.fight and not waits(game):
            up = tuple(who for who, one in game.cast.items() if one.status == "standing" and seat.speaks_for(who))
            if up:
                yield offer(cls, clock=OneOf(open_tasks), actor=OneOf(up))

    def judge(self, game: Scene, seat: Seat, rolling: bool = False) -> None:
        if not self.segments:
            super().judge(game, seat, rolling)
            return
        narrating(seat)
        self._allowed(game)
        attribute_named(self.attribute)
        if self.segments not in SEGMENTS:
            raise unfit("segments", f"one of {SEGMENTS}")
        limits(Act(penalty=self.penalty), game.switches)

    def aim(self, game: Scene, actor: Sheet) -> None:
        self._allowed(game)
        if self.clock not in game.story.tasks or decided(game.story.tasks[self.clock]):
            raise unfit("clock", "no such task is open")

    def _allowed(self, game: Scene) -> None:
        if not game.switches.long_tasks:
            raise Illegal("option_disabled", "SD-X15", option="long_tasks")

    def carry_out(self, play: Play[Scene], seat: Seat) -> None:
        if self.segments:
            task = Task(self.segments, attribute_named(self.attribute), self.penalty)
            play.emit(TaskProgressed(self.clock, task))
        else:
            super().carry_out(play, seat)

    def steps(self, game: Scene, who: str, act: Act) -> tuple[Step, ...]:
        task = game.story.tasks[self.clock]
        harder = (*act.penalties, PenaltyPart(value=task.penalty, reason="long_task"))
        attempt = Attempt(who=who, attribute=task.attribute, act=change(act, penalty=harder))
        return attempt, Fill(who, self.clock)


def decided(task: Task) -> bool:
    """The clock that fills first decides."""
    return task.progress >= task.segments or task.danger >= DANGER


class Fill(Step, Struct, frozen=True, cache_hash=True, tag="fill"):
    """A success fills as many segments as its degree, a failure one of the danger (SD-L01)."""

    who: str
    clock: str

    def run(self, play: Play[Scene]) -> None:
        task, degree = play.game.story.tasks[self.clock], play.game.result
        if degree:
            after = change(task, progress=min(task.segments, task.progress + degree))
        else:
            after = change(task, danger=min(DANGER, task.danger + 1))
        play.emit(TaskProgressed(self.clock, after, self.who))
