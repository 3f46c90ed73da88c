"""Where rolls happen: who is there, what stands at stake, and what has just come of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

from msgspec import Struct

from systems.core.errors import Illegal
from systems.core.game import Game, Message, change
from systems.core.play import ALL, GM_ONLY
from systems.core.values import Map
from systems.shinobido.parts import PenaltyPart
from systems.shinobido.rolls import OpenDice
from systems.shinobido.sheet import Sheet, faults
from systems.shinobido.switches import Switches


class Blow(Struct, frozen=True, cache_hash=True):
    """How the last attack or hazard went. `stood`: what a Last Stand brought, None without one."""

    hit: bool = True
    dealt: int = 0  # wounds before the cap at Health (SD-C17)
    overkill: int = 0  # wounds beyond Health (SD-W01)
    hindrance: int = 0  # severity dealt (SD-X07)
    fell: bool = False  # wounds reached Health (SD-W05)
    stood: bool | None = None


class OpenRed(Struct, frozen=True, cache_hash=True):
    """A roll that waits for its roller: throw a red die again or leave it (SD-M14)."""

    who: str
    kind: str
    dice: OpenDice


Phase = Literal["declared", "penalised", "rolled", "awarding", "resolved", "withdrawn"]


class OpenAction(Struct, frozen=True, cache_hash=True):
    """The action that was declared last, as far as it got (SD-T03)."""

    who: str
    message: Message
    phase: Phase = "declared"
    penalty: tuple[PenaltyPart, ...] = ()
    secret_reason: bool = False
    award: int = 0

    @property
    def open(self) -> bool:
        """Whether its dice are still to be thrown."""
        return self.phase in ("declared", "penalised")


class Fight(Struct, frozen=True, cache_hash=True):
    """An open combat (section 7). `late`: who acts from the next round; `attacked`: by whom, this round."""

    sides: Map[str, tuple[str, ...]]
    order: tuple[str, ...] = ()
    round: int = 1
    turn: str = ""
    acted: tuple[str, ...] = ()
    totals: Map[str, int] = Map()
    attacked: Map[str, tuple[str, ...]] = Map()
    late: tuple[str, ...] = ()

    def named(self) -> Iterator[str]:
        """Whoever takes part, and whose turn it is."""
        for ids in (*self.sides.values(), self.order, self.acted, self.late, *self.attacked.values()):
            yield from ids
        yield from self.attacked
        yield from (self.turn,) if self.turn else ()

    def side_of(self, who: str) -> str:
        return next((side for side, ids in self.sides.items() if who in ids), "")

    def opponents(self, who: str) -> tuple[str, ...]:
        own = self.side_of(who)
        return tuple(one for side, ids in self.sides.items() if side != own for one in ids)

    def earlier_attackers(self, who: str, target: str) -> int:
        """How many others have attacked the target this round (SD-C27)."""
        return sum(one != who for one in self.attacked.get(target, ()))


class Task(Struct, frozen=True, cache_hash=True):
    """A long task: the clock of the work and the clock of the danger (SD-L01)."""

    segments: int
    attribute: str
    penalty: int = 0
    progress: int = 0
    danger: int = 0


class Secret(Struct, frozen=True, cache_hash=True):
    """A secret check that waits for its reveal (SD-P09)."""

    id: str
    who: str
    attribute: str
    total: int


class Shown(Struct, frozen=True, cache_hash=True):
    """What the Narrator revealed, and to which seats (none named: to all); it stays revealed (SD-P13)."""

    what: str
    fields: tuple[str, ...] = ()
    to: tuple[str, ...] = ()


class Story(Struct, frozen=True, cache_hash=True):
    """Where a running game stands outside its fights. Stateless calls have no phase."""

    phase: Literal["", "between", "mission", "scene"] = ""
    mission: int = 0
    scene: int = 0
    title: str = ""
    assists: Map[str, tuple[str, ...]] = Map()
    failures: Map[str, int] = Map()
    apart: tuple[tuple[str, str], ...] = ()
    tasks: Map[str, Task] = Map()
    secrets: tuple[Secret, ...] = ()
    shown: tuple[Shown, ...] = ()


class Scene(Game, frozen=True, cache_hash=True):
    """A scene. Players know nothing of the ratings of those who are `hidden` (SD-P05).

    With `rerolls` off nobody is asked to throw a red die again. `result` is the reading of the last roll that was no
    blow: 0 for a failure.
    """

    cast: Map[str, Sheet] = Map()
    switches: Switches = Switches()
    hidden: tuple[str, ...] = ()
    rerolls: bool = True
    open_roll: OpenRed | None = None
    result: int = 0
    blow: Blow | None = None
    fight: Fight | None = None
    open_action: OpenAction | None = None
    open_decision: str = ""
    story: Story = Story()

    def violated(self) -> Illegal | None:
        """Wounds, Focus, Merit and ratings stay within their bounds, and who is named is there (SD-N06)."""
        for who, sheet in self.cast.items():
            if sheet.merit < 0 or sheet.wounds < 0 or any(True for _ in faults(sheet)):
                return Illegal("invariant_violated", "SD-N06", character=who)
        strangers = [one for one in self._named() if one not in self.cast]
        return Illegal("invariant_violated", "SD-N06", character=strangers[0]) if strangers else None

    def _named(self) -> Iterator[str]:
        """Every character that something of the state points at."""
        yield from self.hidden
        if self.open_action:
            yield self.open_action.who
        for one in self.story.secrets:
            yield one.who
        for pair in self.story.apart:
            yield from pair
        for ally, helpers in self.story.assists.items():
            yield from (ally, *helpers)
        if self.fight:
            yield from self.fight.named()

    def with_fight(self, **changes: Any) -> Scene:
        return change(self, fight=change(self.fight, **changes)) if self.fight else self

    def with_story(self, **changes: Any) -> Scene:
        return change(self, story=change(self.story, **changes))

    def with_sheet(self, who: str, **changes: Any) -> Scene:
        return change(self, cast=self.cast.put(who, change(self.cast[who], **changes)))

    def seen_by(self, who: str) -> str:
        """Who may see the dice of a character's rolls: for hidden values only the Narrator (SD-P07, SD-P10)."""
        return GM_ONLY if who in self.hidden else ALL
