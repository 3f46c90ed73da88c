"""What happens around the rolls of a game: missions, scenes, fights, turns, the Narrator's acts (section 15)."""

from __future__ import annotations

from msgspec import Struct

from systems.core.game import Event, Message, Public, change
from systems.core.override import Overriding
from systems.core.seats import Seat
from systems.core.values import Map
from systems.shinobido.parts import PenaltyPart
from systems.shinobido.recovery import after_downtime, after_mission_start, after_night, after_scene, recomputed
from systems.shinobido.sheet import Sheet
from systems.shinobido.state import OpenAction, Phase, Scene, Secret, Shown, Task


class CharacterCreated(Event, Struct, frozen=True, cache_hash=True, tag="CharacterCreated"):
    """A character comes in; the values of the Narrator's figures are hidden (SD-P04, SD-P05, SD-A12)."""

    sheet: Sheet
    hidden: bool

    def applied(self, game: Scene) -> Scene:
        hidden = (*game.hidden, self.sheet.id) if self.hidden else game.hidden
        return change(game, cast=game.cast.put(self.sheet.id, self.sheet), hidden=hidden)

    def seen_by(self, viewer: Seat) -> Event | None:
        if not self.hidden or viewer.gm:
            return self
        shown = Sheet(id=self.sheet.id, name=self.sheet.name, kind="npc", attributes=Map())
        return change(self, sheet=shown)


class CharacterAdvanced(Event, Struct, frozen=True, cache_hash=True, tag="CharacterAdvanced"):
    """The sheet after something was bought (SD-G09)."""

    who: str
    sheet: Sheet

    def applied(self, game: Scene) -> Scene:
        return change(game, cast=game.cast.put(self.who, self.sheet))

    def seen_by(self, viewer: Seat) -> Event | None:
        return self if self.sheet.kind == "pc" or viewer.gm else None


class MeritSpent(Public, Struct, frozen=True, cache_hash=True, tag="MeritSpent"):
    """No refunds (SD-G06, SD-G11)."""

    who: str
    amount: int

    def applied(self, game: Scene) -> Scene:
        sheet = game.cast[self.who]
        return game.with_sheet(self.who, merit=sheet.merit - self.amount, merit_spent=sheet.merit_spent + self.amount)


class MissionStarted(Public, Struct, frozen=True, cache_hash=True, tag="MissionStarted"):
    """Focus full, counters of the mission at 0 (SD-T01, SD-F02)."""

    number: int

    def applied(self, game: Scene) -> Scene:
        cast = Map({who: after_mission_start(sheet) for who, sheet in game.cast.items()})
        return change(game, cast=cast).with_story(phase="mission", mission=self.number, scene=0, title="")


class SceneStarted(Public, Struct, frozen=True, cache_hash=True, tag="SceneStarted"):
    number: int
    title: str

    def applied(self, game: Scene) -> Scene:
        return game.with_story(phase="scene", scene=self.number, title=self.title)


class SceneEnded(Public, Struct, frozen=True, cache_hash=True, tag="SceneEnded"):
    """Per-scene state is cleared, the Down wake, those who fled come back (SD-T05, SD-T11, SD-W12, SD-X13)."""

    number: int

    def applied(self, game: Scene) -> Scene:
        wake = game.switches.wake_at_scene_end
        cast = Map({who: after_scene(sheet, wake) for who, sheet in game.cast.items()})
        ended = change(game, cast=cast, open_action=None, blow=None, fight=None)
        return ended.with_story(phase="mission", title="", assists=Map(), failures=Map(), apart=())


class MissionEnded(Public, Struct, frozen=True, cache_hash=True, tag="MissionEnded"):
    """Downtime follows: all wounds healed, Focus full (SD-T07, SD-W11)."""

    outcome: str

    def applied(self, game: Scene) -> Scene:
        cast = Map({who: after_downtime(sheet) for who, sheet in game.cast.items()})
        return change(game, cast=cast, open_action=None).with_story(phase="between", scene=0, title="")


class Rested(Public, Struct, frozen=True, cache_hash=True, tag="Rested"):
    """A night (SD-W10)."""

    who: str

    def applied(self, game: Scene) -> Scene:
        return change(game, cast=game.cast.put(self.who, after_night(game.cast[self.who])))


class ActionDeclared(Event, Struct, frozen=True, cache_hash=True, tag="ActionDeclared"):
    """An action is named; of a hidden character others see what and at whom, not what is spent (SD-R07, SD-T03)."""

    who: str
    action: str
    target: str
    message: Message | None
    hidden: bool

    def applied(self, game: Scene) -> Scene:
        return change(game, open_action=OpenAction(self.who, self.message)) if self.message else game

    def seen_by(self, viewer: Seat) -> Event | None:
        return change(self, message=None) if self.hidden and not viewer.speaks_for(self.who) else self


class PenaltySet(Event, Struct, frozen=True, cache_hash=True, tag="PenaltySet"):
    """The circumstances; their reason, or all of it, may stay the Narrator's (SD-N05, SD-P08, SD-X11)."""

    who: str
    penalty: tuple[PenaltyPart, ...]
    secret_reason: bool
    open_penalty: bool

    def applied(self, game: Scene) -> Scene:
        if game.open_action is None:
            return game
        after = change(game.open_action, phase="penalised", penalty=self.penalty, secret_reason=self.secret_reason)
        return change(game, open_action=after)

    def seen_by(self, viewer: Seat) -> Event | None:
        if viewer.gm:
            return self
        if not self.open_penalty:
            return change(self, penalty=())
        return change(self, penalty=without_reasons(self.penalty)) if self.secret_reason else self


def without_reasons(penalty: tuple[PenaltyPart, ...]) -> tuple[PenaltyPart, ...]:
    """The sum alone, which is public, without what it is made of."""
    return (PenaltyPart(value=sum(part.value for part in penalty)),)


class ActionWithdrawn(Public, Struct, frozen=True, cache_hash=True, tag="ActionWithdrawn"):
    """Before the dice, at no cost (SD-R13)."""

    who: str

    def applied(self, game: Scene) -> Scene:
        return _phase(game, "withdrawn")


class ActionRolled(Public, Struct, frozen=True, cache_hash=True, tag="action_rolled"):
    """The dice of the open action are about to fall: the turn is used, helpers have helped (SD-C05, SD-M07)."""

    who: str
    target: str = ""

    def applied(self, game: Scene) -> Scene:
        after = game.with_story(assists=game.story.assists.without(self.who))
        fight = after.fight
        if fight and self.target:
            before = tuple(one for one in fight.attacked.get(self.target, ()) if one != self.who)
            after = after.with_fight(attacked=fight.attacked.put(self.target, (*before, self.who)))
        return _phase(used(after, self.who), "rolled")


class ActionResolved(Public, Struct, frozen=True, cache_hash=True, tag="action_resolved"):
    """The open action is through; `failed` counts as an earlier failure of the same check (SD-R14)."""

    who: str
    failed: str = ""

    def applied(self, game: Scene) -> Scene:
        after = _phase(game, "resolved")
        if not self.failed:
            return after
        failures = after.story.failures
        return after.with_story(failures=failures.put(self.failed, failures.get(self.failed, 0) + 1))

    def seen_by(self, viewer: Seat) -> Event | None:
        return self if viewer.gm else change(self, failed="")


def _phase(game: Scene, phase: Phase) -> Scene:
    action = game.open_action
    return change(game, open_action=change(action, phase=phase)) if action else game


def used(game: Scene, who: str) -> Scene:
    """The action of the turn is spent."""
    fight = game.fight
    return game.with_fight(acted=(*fight.acted, who)) if fight and fight.turn == who else game


class ContestResolved(Public, Struct, frozen=True, cache_hash=True, tag="contest_resolved"):
    """Who had the higher total; None on a tie, which changes nothing (SD-O05, SD-O06)."""

    a: str
    b: str
    winner: str | None

    def applied(self, game: Scene) -> Scene:
        return change(game, result=int(self.winner == self.a))


class Revealed(Event, Struct, frozen=True, cache_hash=True, tag="Revealed"):
    """Known from now on to those seats, or to all (SD-P13). `told` is what a secret check showed."""

    shown: Shown
    told: int | None = None

    def applied(self, game: Scene) -> Scene:
        return game.with_story(shown=(*game.story.shown, self.shown))

    def seen_by(self, viewer: Seat) -> Event | None:
        return self if viewer.gm or not self.shown.to or viewer.id in self.shown.to else None


class SecretChecked(Event, Struct, frozen=True, cache_hash=True, tag="secret_checked"):
    """Nobody but the Narrator learns that dice fell (SD-P09)."""

    secret: Secret

    def applied(self, game: Scene) -> Scene:
        return game.with_story(secrets=(*game.story.secrets, self.secret))

    def seen_by(self, viewer: Seat) -> Event | None:
        return self if viewer.gm else None


class TaskProgressed(Public, Struct, frozen=True, cache_hash=True, tag="TaskProgressed"):
    """The two clocks of a long task (SD-L01)."""

    clock: str
    task: Task
    who: str = ""

    def applied(self, game: Scene) -> Scene:
        return game.with_story(tasks=game.story.tasks.put(self.clock, self.task))


class OptionChanged(Public, Struct, frozen=True, cache_hash=True, tag="OptionChanged"):
    """A switch of the table, shown to all (SD-X17)."""

    option: str
    value: int | str | bool | None

    def applied(self, game: Scene) -> Scene:
        return change(game, switches=change(game.switches, **{self.option: self.value}))


class NarratorOverride(Overriding, Struct, frozen=True, cache_hash=True, tag="NarratorOverride"):
    """The Narrator's word on one value (SD-N06); what follows from ratings follows at once (SD-D06)."""

    path: str
    value: str
    reason: str
    secret: bool

    def applied(self, game: Scene) -> Scene:
        after: Scene = super().applied(game)
        return recomputed(after)
