"""Where rolls happen: who is there, what stands at stake, and what has just come of it."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from systems.core.game import Game, change
from systems.core.play import ALL, GM_ONLY
from systems.core.values import Map
from systems.shinobido.rolls import OpenDice
from systems.shinobido.sheet import Sheet
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

    def with_sheet(self, who: str, **changes: Any) -> Scene:
        return change(self, cast=self.cast.put(who, change(self.cast[who], **changes)))

    def seen_by(self, who: str) -> str:
        """Who may see the dice of a character's rolls: for hidden values only the Narrator (SD-P07, SD-P10)."""
        return GM_ONLY if who in self.hidden else ALL
