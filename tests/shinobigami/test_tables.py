"""The tables (SG-T01..T12) and the throws that are more than one throw of their dice."""

from __future__ import annotations

from typing import Any, get_args

import pytest

from systems.core.text import read_toml
from systems.shinobigami.ids import Clan
from systems.shinobigami.switches import Switches

from .asking import CALLS, roll_table

IN_THE_DIGEST = {
    "skill_matrix", "fumble", "ailment", "battlefield", "emotion", "scene", "rank", "conviction", "cover", "ohgi_name",
    "ohgi_word_nature", "ohgi_word_life", "ohgi_word_darkness", "ohgi_word_heaven", "ohgi_prefix", "person_name",
    "merit_reward", "sengoku_ailment", "prize_effect", "clan", "background", "gear", "ohgi_type", "ninpo",
}  # fmt: skip


def test_every_table_of_the_digest_is_there() -> None:
    """SG-T01..T12, SG-G02..G04, SG-O11..O17, SG-Z55."""
    assert {*CALLS.table_ids} == IN_THE_DIGEST
    for id in IN_THE_DIGEST:
        table = CALLS.find_table(id)
        assert table and table.rows


@pytest.mark.parametrize(
    ("table", "result", "row"),
    [
        ("fumble", 6, "lucky_escape"),  # SG-T01
        ("ailment", 4, "missing"),  # SG-T02
        ("battlefield", 5, "congestion"),  # SG-T03
        ("emotion", 3, "affection_envy"),  # SG-T04
        ("scene", 12, "bright_sun"),  # SG-T05
        ("conviction", 1, "chaos"),  # SG-T07
        ("ohgi_word_life", 45, "roaming"),  # SG-T09
        ("person_name", 66, "mizuki"),  # SG-T10
        ("sengoku_ailment", 6, "ambition"),  # SG-T12
    ],
)
def test_rows(table: str, result: int, row: str) -> None:
    assert CALLS.tables[table].at(result).id == row


@pytest.mark.parametrize(
    ("table", "dice", "params", "rows"),
    [
        ("skill_matrix", (5, 4, 4), {}, ["memory"]),  # SG-M13
        ("skill_matrix", (1, 1), {"category": "scheming"}, ["medicine"]),
        ("cover", (3,), {"clan": "kurama"}, ["athlete"]),  # SG-T08, SG-B04
        ("cover", (6,), {"clan": "oni"}, ["dilettante"]),  # SG-Z62
        ("ohgi_name", (1, 1, 1, 1, 6, 6), {}, ["nature_nature", "comet", "scarlet"]),  # SG-T09
        ("ohgi_name", (3, 4, 2, 1, 1, 2), {}, ["heaven_nature", "god", "half_moon"]),
        ("prize_effect", (1, 1), {}, ["bomb"]),  # SG-T12, SG-U15
        ("prize_effect", (6, 6, 6, 6, 1, 2, 1, 3, 1, 4), {}, ["curse", "curse", "focus", "regeneration", "barrier"]),
    ],
)
def test_throws_of_several_dice(table: str, dice: tuple[int, ...], params: Any, rows: list[str]) -> None:
    assert roll_table(table, *dice, **params) == rows


def test_every_clan_has_six_covers() -> None:
    for clan in get_args(Clan):
        assert [row.low for row in CALLS.tables["cover"].rows if row.facts["clan"] == clan] == [1, 2, 3, 4, 5, 6]


def test_merit_rewards() -> None:
    """SG-T11."""
    assert [row.facts["merit"] for row in CALLS.tables["merit_reward"].rows] == [1, 1, 1, 1, 1, 3]


def test_the_switches_are_those_of_the_table() -> None:
    """Section 21: SG-U01..U19 with their defaults."""
    options = {id: one["default"] for id, one in read_toml("systems.shinobigami", "data/options.toml").items()}
    assert {name: getattr(Switches(), name) for name in Switches.__struct_fields__} == options
