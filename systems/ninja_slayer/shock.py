"""Ninja reality shock, an optional module (section 20; NS-RUL45)."""

from __future__ import annotations

from typing import Any

from msgspec import UNSET, Struct, UnsetType

from systems.core.calls import Outcome, Report, Verdict
from systems.core.errors import Illegal
from systems.core.play import Play, Throw
from systems.core.tables import Key, RowTable, load_tables
from systems.core.text import Because, Term, because, read_toml
from systems.ninja_slayer.dice import Counting, counted_in, thrown
from systems.ninja_slayer.difficulty import level_of
from systems.ninja_slayer.explain import difficulty_lines, pool_line
from systems.ninja_slayer.names import calls
from systems.ninja_slayer.words import Category, Difficulty, PoolSize

_TABLE: RowTable = load_tables("systems.ninja_slayer")["nrs_table"]
_RAW = read_toml("systems.ninja_slayer", "data/tables.toml")["nrs_table"]
HEART_ATTACK = 7  # the last row, reached by D6 + 1 only


class ShockThrow(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What decides the dice of the row: EASY, NORMAL, HARD or UH."""

    difficulty: Difficulty = "NORMAL"


class ShockParams(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    pool: PoolSize
    difficulty: Difficulty = "NORMAL"
    category: Category = "mob"


class ShockOutcome(Outcome, frozen=True, kw_only=True):
    row: int | UnsetType = UNSET


def row_key(difficulty: str) -> Key:
    """The dice of a row: D3, D6, or D6 + 1 (NS-L02; the D3 is half a die rounded up, NS-C24, NS-RUL05).

    Raises `Illegal` `unknown_difficulty` for a difficulty that the shock does not know (NS-L01).
    """
    if difficulty not in _RAW["dice_by"]:
        raise Illegal("unknown_difficulty", "NS-L01", difficulty=difficulty)
    return Key(_RAW["dice_by"][difficulty], _RAW["add_by"].get(difficulty, 0))


def endured(play: Play[Any], pool: int, difficulty: str) -> int | None:
    """The shock: None if it is borne, else the row (NS-L01, NS-L02)."""
    key = row_key(difficulty)
    if play.check(Counting(max(pool, 0), level_of(difficulty)), "nrs_check").success:
        return None
    return play.check(key, "nrs_table")


def _report(p: ShockParams, verdict: Verdict, throws: tuple[Throw, ...]) -> Report:
    level = level_of(p.difficulty)
    lines = (*difficulty_lines(level, ()), pool_line(counted_in(throws, "nrs_check", level), p.pool, level))
    die = thrown(throws, "nrs_table")
    if die is None:
        return Report(ShockOutcome(), (*lines, because("NS-L01", "shock_borne")))
    row = row_key(p.difficulty).read(die.arranged)
    return Report(ShockOutcome(row=row), (*lines, _row_line(row)))


def _row_line(row: int) -> Because:
    return because("NS-L02", "shock_row", row=row, effect=Term("nrs_row", _TABLE.at(row).id))


@calls.check("nrs_check", rules="NS-L01 NS-L02 NS-L03", grades="success failure", report=_report, outcome=ShockOutcome)
def nrs_check(play: Play[Any], p: ShockParams) -> Verdict:
    """Ninja never suffer it (NS-L03)."""
    if p.category == "ninja":
        raise Illegal("nrs_not_for_ninja", "NS-L03")
    row = endured(play, p.pool, p.difficulty)
    return Verdict("success" if row is None else "failure", row is None)


@calls.table_roll("nrs_table")
def roll_nrs_table(play: Play[Any], p: ShockThrow) -> tuple[tuple[str, str], ...]:
    """One throw for a row, by the difficulty of the check that failed (NS-L02)."""
    return (("nrs_table", _TABLE.at(play.check(row_key(p.difficulty), "nrs_table")).id),)
