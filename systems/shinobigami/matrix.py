"""The Skill Matrix: six Categories of eleven skills, the Gaps between them, and distances (SG-M01..M08)."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, cast

from msgspec import Struct

from systems.core.errors import Illegal
from systems.core.text import read_toml
from systems.shinobigami.ids import Category
from systems.shinobigami.names import calls

FIRST_ROW, LAST_ROW = 2, 12  # SG-M01
ROWS = LAST_ROW - FIRST_ROW + 1
OPEN_GAP, FILLED_GAP = 2, 1  # squares for crossing it (SG-M04)

Gaps = tuple[str, ...]


class Place(Struct, frozen=True):
    """Where a skill stands: its column 0..5 and its row 2..12."""

    column: int
    row: int


_RAW: Any = read_toml("systems.shinobigami", "data/skills.toml")["categories"]
CATEGORIES: tuple[Category, ...] = tuple(cast(Category, one["id"]) for one in _RAW)
COLUMNS: tuple[tuple[str, ...], ...] = tuple(tuple(one["skills"]) for one in _RAW)
PLACES: dict[str, Place] = {
    skill: Place(column, row) for column, skills in enumerate(COLUMNS) for row, skill in enumerate(skills, FIRST_ROW)
}
SKILLS: tuple[str, ...] = tuple(PLACES)
_GAPS: dict[str, Gaps] = {one["id"]: tuple(one["gaps"]) for one in _RAW}
_CLANS = calls.tables["clan"]
CLANS: tuple[str, ...] = tuple(row.id for row in _CLANS.rows)


def place(skill: str) -> Place:
    """Raises `Illegal` `unknown_skill` for what is none of the 66 (SG-B05)."""
    if skill not in PLACES:
        raise Illegal("unknown_skill", "SG-B05", skill=skill)
    return PLACES[skill]


def category_of(skill: str) -> Category:
    return CATEGORIES[place(skill).column]


def skill_at(category: Category, row: int) -> str:
    return COLUMNS[CATEGORIES.index(category)][row - FIRST_ROW]


def in_column_order(categories: tuple[Category, ...]) -> tuple[Category, ...]:
    """Each of them once, from left to right."""
    return tuple(one for one in CATEGORIES if one in categories)


def specialised_category(clan: str) -> Category:
    """Raises `Illegal` `unknown_clan` (SG-B02)."""
    if clan not in CLANS:
        raise Illegal("unknown_clan", "SG-B02", clan=clan)
    return cast(Category, _CLANS[clan].facts["specialised_category"])


def gaps_beside(category: str) -> Gaps:
    """The two Gaps beside a Category; those of the specialised one are filled (SG-B07, SG-M03)."""
    return _GAPS[category]


def distance(a: str, b: str, *, clan: str | None, wrap_columns: bool = False, wrap_rows: bool = False) -> int:
    """Squares from one skill to another for a member of `clan` (None: every Gap is open). SG-M04..M08."""
    filled = gaps_beside(specialised_category(clan)) if clan is not None else ()
    return squares(place(a), place(b), filled, wrap_columns, wrap_rows)


@lru_cache(maxsize=65536)
def squares(a: Place, b: Place, filled: Gaps, wrap_columns: bool = False, wrap_rows: bool = False) -> int:
    """Rows and crossed Gaps, no diagonal steps (SG-M04); nothing wraps without an effect (SG-M05, SG-Z04)."""
    down = abs(a.row - b.row)
    if wrap_rows:
        down = min(down, ROWS - down)  # SG-M07
    left, right = sorted((a.column, b.column))
    inside = sum(_crossing(gap, filled) for gap in range(left + 1, right + 1))
    if wrap_columns:  # SG-M06: over the outer Gap g0, if that is cheaper
        around = sum(_crossing(gap % len(CATEGORIES), filled) for gap in range(right + 1, len(CATEGORIES) + left + 1))
        inside = min(inside, around)
    return down + inside


def _crossing(gap: int, filled: Gaps) -> int:
    """One step into an open Gap and one out of it; a filled Gap does not exist (SG-M02, SG-M04)."""
    return FILLED_GAP if f"g{gap}" in filled else OPEN_GAP
