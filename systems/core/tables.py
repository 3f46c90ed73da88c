"""Tables of the rulebooks: rows with stable ids; one that is thrown on refuses gaps and overlaps."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from systems.core.checks import Check
from systems.core.dice import Faces, Pool
from systems.core.odds import throws
from systems.core.text import read_toml

if TYPE_CHECKING:
    from systems.core.play import Play

_POOLS: dict[str, Pool] = {
    "1d3": Pool(1),
    "1d5": Pool(1, 5),
    "1d6": Pool(1),
    "1d20": Pool(1, 20),
    "2d6": Pool(2),
    "d66": Pool(2, ordered=True),
    "d66s": Pool(2),
}


class Key(Check[int], Struct, frozen=True, cache_hash=True):
    """The throw that finds a row: a total, a d3 (a d6 halved up), or two dice read as tens and units.

    `d66` reads the dice in the order they fell, `d66s` the lower one as tens.
    """

    dice: str
    plus: int = 0

    @property
    def pool(self) -> Pool:
        return _POOLS[self.dice]

    def read(self, faces: Faces) -> int:
        if self.dice == "1d3":
            return (faces[0] + 1) // 2 + self.plus
        if self.dice == "d66":
            return 10 * faces[0] + faces[1]
        if self.dice == "d66s":
            return 10 * faces[1] + faces[0]
        return sum(faces) + self.plus


class Row(Struct, frozen=True):
    """One row: the keys `low`..`high` that lead to it (None: not thrown), its id and its facts (numbers, ids)."""

    id: str
    low: int | None = None
    high: int | None = None
    facts: Mapping[str, Any] = {}

    def covers(self, result: int) -> bool:
        return self.low is not None and self.high is not None and self.low <= result <= self.high


class RowTable:
    """A table with the rule that prints it and, if it is thrown on, its dice."""

    def __init__(self, id: str, rules: tuple[str, ...], rows: tuple[Row, ...], dice: str | None = None) -> None:
        self.id, self.rules, self.rows, self.dice = id, rules, rows, dice
        self._by_id = {row.id: row for row in rows}
        if len(self._by_id) != len(rows):
            raise ValueError(f"table {id}: a row id stands twice")
        if dice in _POOLS:
            self._prove(Key(dice))

    def _prove(self, key: Key) -> None:
        for result in sorted({key.read(faces) for faces, _ in throws(key.pool)}):
            hits = sum(row.covers(result) for row in self.rows)
            if hits != 1:
                raise ValueError(f"table {self.id}: {hits} rows for {result}")

    def __getitem__(self, row: str) -> Row:
        return self._by_id[row]

    def roll(self, play: Play[Any], label: str = "", plus: int = 0) -> Row:
        """Throw on the table. Raises `ValueError` if it is not thrown on."""
        if self.dice not in _POOLS:
            raise ValueError(f"table {self.id} is not thrown on")
        return self.at(play.check(Key(self.dice, plus), label or self.id))

    def at(self, result: int) -> Row:
        """The row of a result. Raises `KeyError` if no row has it."""
        for row in self.rows:
            if row.covers(result):
                return row
        raise KeyError(result)


@cache
def load_tables(package: str) -> Mapping[str, RowTable]:
    """The tables in `data/tables.toml` of a package. Raises `ValueError` for gaps, overlaps and double ids."""
    raw = read_toml(package, "data/tables.toml")
    return {id: _table(id, table) for id, table in raw.items() if isinstance(table, Mapping)}


def _table(id: str, raw: Mapping[str, Any]) -> RowTable:
    rule = raw.get("rule", ())
    return RowTable(id, (rule,) if isinstance(rule, str) else tuple(rule), _rows(raw.get("rows", [])), raw.get("dice"))


def _rows(raw: list[dict[str, Any]]) -> tuple[Row, ...]:
    rows = []
    for number, one in enumerate(raw, 1):
        at = one.get("at")
        low, high = (at, at) if isinstance(at, int) or at is None else at
        facts = {name: value for name, value in one.items() if name not in ("at", "id")}
        rows.append(Row(str(one.get("id", number)), low, high, facts))
    return tuple(rows)
