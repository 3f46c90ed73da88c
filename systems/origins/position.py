"""Positions, and what a band means in each (chapter 4)."""

from __future__ import annotations

import msgspec
from msgspec import Struct, UnsetType

from systems.core.values import Map
from systems.origins.names import calls
from systems.origins.vocabulary import POSITIONS, Band, Letter, Position, Severity


class Threat(Struct, frozen=True, cache_hash=True):
    """A consequence before its die: how severe, how much dearer to defend, and whether at all (SO-P12, SO-R12)."""

    severity: Severity
    surcharge: int
    defendable: bool


class Cell(Struct, frozen=True):
    """One cell of the outcome table (SO-P03 to SO-P10)."""

    options: Map[str, tuple[Threat, ...]] = Map()
    choice: tuple[str, ...] = ()

    def threats(self, letter: Letter) -> tuple[Threat, ...]:
        """The consequences of an option; where there is only A nothing is chosen (SO-P11)."""
        chosen = self.options.get(letter) or self.options.get("A")
        return chosen or ()


def _cell(raw: dict[str, object]) -> Cell:
    options = msgspec.convert(raw.get("options", {}), dict[str, tuple[Threat, ...]])
    return Cell(Map(options), msgspec.convert(raw.get("choice", ()), tuple[str, ...]))


_BANDS: tuple[Band, ...] = ("fail", "partial", "full", "crit")
_CELLS: dict[tuple[str, str], Cell] = {
    (row.id, band): _cell(row.facts[band]) for row in calls.tables["position_outcome"].rows for band in _BANDS
}
_NOWHERE = Cell()


def cell(position: Position | UnsetType | None, band: Band) -> Cell:
    """What a band means in a position; a roll without a position has neither options nor a choice."""
    return _CELLS[position, band] if isinstance(position, str) else _NOWHERE


def worse(position: Position, steps: int = 1) -> Position:
    """Down the ladder, at most to terrible (SO-P01)."""
    return POSITIONS[min(len(POSITIONS) - 1, POSITIONS.index(position) + steps)]


def better(position: Position, steps: int = 1) -> Position:
    """Up the ladder, at most to controlled (SO-P01)."""
    return POSITIONS[max(0, POSITIONS.index(position) - steps)]


def start_position(band: Band) -> Position:
    """SO-B05: terrible cannot come up."""
    position: Position = calls.tables["start_position_by_band"][band].facts["position"]
    return position
