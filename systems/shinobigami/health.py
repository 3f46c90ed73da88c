"""What becomes of an open sheet in battle: its Life Points and ailments, and the recovery after a Critical (SG-C07)."""

from __future__ import annotations

from msgspec import Struct

from systems.core.game import Public, change
from systems.core.play import Play
from systems.shinobigami.combat_state import Battle
from systems.shinobigami.ids import Category
from systems.shinobigami.sheet import Ailment, Character
from systems.shinobigami.wounds import recover_after_critical


class SheetChanged(Public, Struct, frozen=True, cache_hash=True, tag="sheet_changed"):
    """Life Points, extra points, slots or ailments of a sheet that lies open (section 3)."""

    who: str
    lost: tuple[Category, ...]
    extra_lost: int
    slots_lost: int
    ailments: tuple[Ailment, ...]

    def applied(self, game: Battle) -> Battle:
        sheet = game[self.who].sheet.with_lost(self.lost).with_ailments(self.ailments)
        sheet = change(sheet.with_extra_lost(self.extra_lost), slots_lost=self.slots_lost)
        return game.with_fighter(self.who, sheet=sheet)


def recover_one(play: Play[Battle], who: str) -> None:
    """After a Critical, at once, also inside a group (SG-C07, SG-C20)."""
    change_sheet(play, recover_after_critical(play, play.game[who].sheet, play.game.switches))


def change_sheet(play: Play[Battle], sheet: Character) -> None:
    """Say what an open sheet has become, if it has changed."""
    if sheet != play.game[sheet.id].sheet:
        play.emit(SheetChanged(sheet.id, sheet.lost, sheet.extra_lost, sheet.slots_lost, sheet.afflictions))
