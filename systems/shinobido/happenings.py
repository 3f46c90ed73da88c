"""What happens around the rolls of a game: missions, scenes, fights, turns, the Narrator's acts (section 15)."""

from __future__ import annotations

import msgspec
from msgspec import Struct

from systems.core.game import Event, Message, Public, change
from systems.core.override import Overriding
from systems.core.seats import Seat
from systems.core.values import Map
from systems.shinobido.events import pool_with
from systems.shinobido.parts import PenaltyPart
from systems.shinobido.recovery import after_downtime, after_mission_start, after_night, after_scene, recomputed
from systems.shinobido.sheet import Sheet
from systems.shinobido.state import Fight, OpenAction, Phase, Scene, Secret, Shown, Task
from systems.shinobido.turns import in_order
from systems.shinobido.vocabulary import Status


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


class CharacterAdvanced(Public, Struct, frozen=True, cache_hash=True, tag="CharacterAdvanced"):
    """The sheet after something was bought (SD-G09)."""

    who: str
    sheet: Sheet

    def applied(self, game: Scene) -> Scene:
        return change(game, cast=game.cast.put(self.who, self.sheet))


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


class CombatStarted(Public, Struct, frozen=True, cache_hash=True, tag="CombatStarted"):
    """SD-C01. `ambush`: the side that lies in wait (SD-C02)."""

    sides: Map[str, tuple[str, ...]]
    ambush: str | None

    def applied(self, game: Scene) -> Scene:
        return change(game, fight=Fight(self.sides), open_action=None)


class InitiativeRolled(Event, Struct, frozen=True, cache_hash=True, tag="InitiativeRolled"):
    """A place in the order of the fight (SD-C03, SD-C04, SD-C06); `acts_for`: a side that acts as a block (SD-C33)."""

    who: str
    total: int
    hidden: bool
    side: str = ""
    late: bool = False

    def applied(self, game: Scene) -> Scene:
        fight = game.fight
        if fight is None:
            return game
        totals = fight.totals.put(self.who, self.total)
        late = (*fight.late, self.who) if self.late else fight.late
        sides = fight.sides
        if self.late and self.who not in sides.get(self.side, ()):
            sides = sides.put(self.side, (*sides.get(self.side, ()), self.who))
        after = change(fight, totals=totals, late=late, sides=sides)
        return change(game, fight=change(after, order=order_of(after, game)))

    def seen_by(self, viewer: Seat) -> Event | None:
        return change(self, total=0) if self.hidden and not viewer.speaks_for(self.who) else self


def order_of(fight: Fight, game: Scene) -> tuple[str, ...]:
    """Each for oneself, or the sides as blocks behind those who rolled for them (SD-C04, SD-C33)."""
    rolled = in_order(fight.totals.dict(), game.cast)
    if game.switches.initiative != "side":
        return rolled
    blocks: list[str] = []
    for who in rolled:
        if who not in blocks:
            blocks += [one for one in fight.sides.get(fight.side_of(who), (who,)) if one not in blocks]
    return tuple(blocks)


class TurnStarted(Public, Struct, frozen=True, cache_hash=True, tag="TurnStarted"):
    """A guard ends, help that this character gave and that was not used ends (SD-C21, SD-C30)."""

    who: str

    def applied(self, game: Scene) -> Scene:
        acted = tuple(one for one in game.fight.acted if one != self.who) if game.fight else ()
        return turn_comes(game, self.who).with_fight(turn=self.who, acted=acted)


class TurnSkipped(Public, Struct, frozen=True, cache_hash=True, tag="turn_skipped"):
    """The surprised lose the first turn, and with it the mark (SD-T06, SD-C02)."""

    who: str

    def applied(self, game: Scene) -> Scene:
        return turn_comes(game, self.who).with_sheet(self.who, surprised=False)


def turn_comes(game: Scene, who: str) -> Scene:
    helped = {ally: tuple(one for one in by if one != who) for ally, by in game.story.assists.items()}
    after = game.with_story(assists=Map({ally: by for ally, by in helped.items() if by}))
    return after.with_sheet(who, guarding=False) if game.cast[who].guarding else after


class TurnEnded(Public, Struct, frozen=True, cache_hash=True, tag="TurnEnded"):
    who: str

    def applied(self, game: Scene) -> Scene:
        return game


class RoundAdvanced(Public, Struct, frozen=True, cache_hash=True, tag="RoundAdvanced"):
    """The order begins again; latecomers are in it now (SD-T06, SD-C06)."""

    round: int

    def applied(self, game: Scene) -> Scene:
        return game.with_fight(round=self.round, acted=(), attacked=Map(), late=())


class CombatEnded(Public, Struct, frozen=True, cache_hash=True, tag="CombatEnded"):
    """Guards, surprise, unspent help and the order of turns are gone (SD-C26)."""

    winner: str | None

    def applied(self, game: Scene) -> Scene:
        calm = {
            who: change(sheet, guarding=False, surprised=False) if sheet.guarding or sheet.surprised else sheet
            for who, sheet in game.cast.items()
        }
        return change(game, cast=Map(calm), fight=None).with_story(assists=Map())


class GuardTaken(Public, Struct, frozen=True, cache_hash=True, tag="GuardTaken"):
    who: str

    def applied(self, game: Scene) -> Scene:
        return used(game.with_sheet(self.who, guarding=True), self.who)


class FocusGathered(Event, Struct, frozen=True, cache_hash=True, tag="focus_gathered"):
    """The turn went into Focus (SD-F15)."""

    who: str
    amount: int
    hidden: bool

    def applied(self, game: Scene) -> Scene:
        return used(game.with_sheet(self.who, focus=pool_with(game.cast[self.who], self.amount)), self.who)

    def seen_by(self, viewer: Seat) -> Event | None:
        return change(self, amount=0) if self.hidden and not viewer.speaks_for(self.who) else self


class Assisted(Public, Struct, frozen=True, cache_hash=True, tag="Assisted"):
    """A +1 that waits for the ally's next declared action (SD-C21, SD-M07)."""

    who: str
    ally: str
    helpers: int

    def applied(self, game: Scene) -> Scene:
        assists = game.story.assists
        waiting = (*assists.get(self.ally, ()), self.who)
        return used(game.with_story(assists=assists.put(self.ally, waiting)), self.who)


class Passed(Public, Struct, frozen=True, cache_hash=True, tag="passed"):
    """A turn in which nothing is done (SD-C24)."""

    who: str

    def applied(self, game: Scene) -> Scene:
        return used(game, self.who)


class Yielded(Public, Struct, frozen=True, cache_hash=True, tag="Yielded"):
    """Captured, by one's own will or in place of death (SD-C23, SD-C25)."""

    who: str
    status: Status = "captured"

    def applied(self, game: Scene) -> Scene:
        return used(game.with_sheet(self.who, status=self.status), self.who)


class Finished(Public, Struct, frozen=True, cache_hash=True, tag="Finished"):
    """Somebody who lies Down is struck again (SD-C25)."""

    who: str
    target: str

    def applied(self, game: Scene) -> Scene:
        return used(game, self.who)


class CharacterDied(Public, Struct, frozen=True, cache_hash=True, tag="CharacterDied"):
    who: str

    def applied(self, game: Scene) -> Scene:
        return game.with_sheet(self.who, status="dead", overkill=0)


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
    value: msgspec.Raw
    reason: str
    secret: bool

    def applied(self, game: Scene) -> Scene:
        after: Scene = super().applied(game)
        return recomputed(after)
