"""A table that is thrown on has exactly one row for every result."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from systems.core.dice import ScriptedDice
from systems.core.game import Game
from systems.core.odds import distribution
from systems.core.play import DiceChance, Play
from systems.core.tables import Key, Row, RowTable

RESULTS = {
    "1d3": range(1, 4),
    "1d5": range(1, 6),
    "1d6": range(1, 7),
    "1d20": range(1, 21),
    "2d6": range(2, 13),
    "d66": [10 * tens + units for tens in range(1, 7) for units in range(1, 7)],
    "d66s": [10 * tens + units for tens in range(1, 7) for units in range(tens, 7)],
}


def table(dice: str, *spans: tuple[int, int]) -> RowTable:
    return RowTable("fate", ("X-1",), tuple(Row(f"row_{low}", low, high) for low, high in spans), dice)


def play_with(*faces: int) -> Play[Any]:
    return Play(Game(), DiceChance(ScriptedDice(faces)), None)  # type: ignore[arg-type]


@pytest.mark.parametrize("dice", RESULTS)
def test_a_key_reaches_its_results_and_no_others(dice: str) -> None:
    assert sorted(distribution(Key(dice)).weights) == list(RESULTS[dice])


@pytest.mark.parametrize("dice", ["1d3", "1d5", "1d6", "1d20", "d66"])
def test_single_dice_and_d66_are_uniform(dice: str) -> None:
    n = len(RESULTS[dice])
    assert set(distribution(Key(dice)).weights.values()) == {Fraction(1, n)}


@pytest.mark.parametrize(
    ("dice", "faces", "result"),
    [("1d3", (5,), 3), ("1d3", (1,), 1), ("2d6", (6, 2), 8), ("d66", (5, 2), 52), ("d66s", (5, 2), 25)],
)
def test_how_a_key_is_read(dice: str, faces: tuple[int, ...], result: int) -> None:
    assert play_with(*faces).check(Key(dice), "fate") == result


@pytest.mark.parametrize("dice", RESULTS)
@given(data=st.data())
def test_rows_side_by_side_are_accepted_gaps_and_overlaps_are_not(dice: str, data: st.DataObject) -> None:
    results = list(RESULTS[dice])
    cuts = sorted(data.draw(st.sets(st.integers(1, len(results) - 1), max_size=4)))
    edges = [0, *cuts, len(results)]
    spans = [(results[low], results[high - 1]) for low, high in pairwise(edges)]
    whole = table(dice, *spans)
    assert all(whole.at(result).covers(result) for result in results)
    gone = data.draw(st.sampled_from(spans))
    with pytest.raises(ValueError, match="0 rows"):
        table(dice, *[span for span in spans if span != gone])
    with pytest.raises(ValueError, match="2 rows"):
        RowTable("fate", (), (*whole.rows, Row("again", gone[0], gone[0])), dice)


def test_a_row_id_stands_once() -> None:
    with pytest.raises(ValueError, match="twice"):
        RowTable("fate", (), (Row("a"), Row("a")))


def test_a_throw_on_a_table_finds_its_row() -> None:
    fate = table("2d6", (2, 6), (7, 7), (8, 12))
    assert fate.roll(play_with(3, 4)).id == "row_7"
    assert fate.roll(play_with(3, 4), plus=2).id == "row_8"
    assert fate["row_7"].low == 7
    with pytest.raises(KeyError):
        fate.at(13)


def test_a_table_without_dice_is_only_read() -> None:
    with pytest.raises(ValueError, match="not thrown on"):
        RowTable("ranks", (), (Row("genin"),)).roll(play_with(3))
