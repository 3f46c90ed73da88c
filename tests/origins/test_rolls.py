"""Reading dice, effect, modifiers and positions (SO-C01..C16, SO-P01..P12, SO-B05)."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import msgspec
import pytest

from systems.origins.dice import SkillRoll, readings

from .asking import CALLS, chance, grades, refused, throw


@pytest.mark.parametrize(
    ("pool", "fail", "partial", "full", "crit", "triple"),
    [
        (-3, "3/4", "2/9", "1/36", "0", "0"),
        (0, "3/4", "2/9", "1/36", "0", "0"),
        (1, "1/2", "1/3", "1/6", "0", "0"),
        (2, "1/4", "4/9", "5/18", "1/36", "0"),
        (3, "1/8", "49/108", "25/72", "2/27", "1/216"),
        (4, "1/16", "34/81", "125/324", "19/144", "7/432"),
        (5, "1/32", "1441/3888", "3125/7776", "763/3888", "23/648"),
        (6, "1/64", "931/2916", "3125/7776", "12281/46656", "1453/23328"),
    ],
)
def test_the_digests_table_of_bands(pool: int, fail: str, partial: str, full: str, crit: str, triple: str) -> None:
    """Section 22; SO-C02..C05, SO-R05, SO-R06."""
    found = chance("bands", pool=pool)
    assert [found[f"p_{one}"] for one in ("fail", "partial", "full", "crit", "triple_crit")] == [
        fail,
        partial,
        full,
        crit,
        triple,
    ]
    assert grades("roll", pool=pool) == {
        band: Fraction(p)
        for band, p in zip(("fail", "partial", "full", "crit"), (fail, partial, full, crit), strict=True)
        if p != "0"
    }


@pytest.mark.parametrize("pool", range(-1, 5))
def test_every_throw_is_read_as_the_rule_says(pool: int) -> None:
    """SO-C02, SO-C03: counted throw by throw."""
    counted: dict[tuple[int, int], int] = {}
    for faces in product(range(1, 7), repeat=max(pool, 2) if pool < 1 else pool):
        shown = (min(faces), 0) if pool < 1 else (max(faces), min(3, faces.count(6)))
        counted[shown] = counted.get(shown, 0) + 1
    total = sum(counted.values())
    found = {(one.result, one.sixes): p for one, p in readings(pool)}
    assert found == {shown: Fraction(n, total) for shown, n in counted.items()}


def test_a_large_pool_is_folded() -> None:
    """SO-R47: no upper limit; 200 dice are still exact."""
    assert readings(200).where(lambda one: one.band == "fail") == Fraction(1, 2**200)
    assert SkillRoll(0).pool.count == 2


@pytest.mark.parametrize(
    ("given", "pool"),
    [
        ({"pool": 3}, 3),
        ({"dots": 2, "bonus_dice": 2, "penalty_dice": 1}, 3),
        ({"pool": 4, "penalty_dice": 1}, 3),
        ({"dots": 0, "penalty_dice": 2}, -2),
    ],
)
def test_a_pool_is_given_as_such_or_as_dots(given: dict[str, int], pool: int) -> None:
    """SO-C01."""
    answer = throw("roll", *[5] * max(2 if pool < 1 else 0, pool), **given)
    assert (answer["pool"], answer["mode"]) == (pool, "highest" if pool > 0 else "lowest_of_two")


@pytest.mark.parametrize(
    "given", [{}, {"pool": 1, "dots": 1}, {"pool": 100}, {"dots": 7}, {"pool": True}, {"pool": 1, "x": 1}]
)
def test_pools_that_are_none(given: dict[str, Any]) -> None:
    with pytest.raises(msgspec.ValidationError):
        throw("roll", **given)


@pytest.mark.parametrize(
    ("faces", "sixes", "triple"), [((6, 6, 1, 2), 2, False), ((6, 6, 6, 6), 4, True), ((6, 1, 1, 1), 1, False)]
)
def test_sixes_are_counted(faces: tuple[int, ...], sixes: int, triple: bool) -> None:
    """SO-C04."""
    answer = throw("roll", *faces, pool=4)
    assert (answer["sixes"], answer["triple_crit"], answer["success"]) == (sixes, triple, True)


@pytest.mark.parametrize(
    ("faces", "modifiers", "combat", "downtime"),
    [
        ((2,), {}, 0, 1),
        ((4,), {}, 2, 2),
        ((6,), {}, 2, 3),
        ((6, 6), {}, 3, 4),
        ((2,), {"bonus_effect": 2}, 0, 3),
        ((5,), {"bonus_effect": 2, "penalty_effect": 1}, 3, 3),
        ((5,), {"penalty_effect": 5}, 0, 0),
    ],
)
def test_both_rates(faces: tuple[int, ...], modifiers: dict[str, int], combat: int, downtime: int) -> None:
    """SO-C07, SO-C08, SO-C09, SO-C10, SO-C11, SO-C12, SO-R07, SO-R08, SO-R09, SO-R10."""
    assert throw("action_roll", *faces, pool=len(faces), **modifiers)["effect"] == combat
    assert throw("downtime_roll", *faces, pool=len(faces), **modifiers)["effect"] == downtime


@pytest.mark.parametrize(
    ("given", "pool", "effect", "chakra"),
    [
        ({"hampering_levels": [1]}, 2, 1, 5),
        ({"hampering_levels": [2, 2, 2]}, 1, 2, 5),
        ({"hampering_levels": [1, 2, 3], "helped": True, "push": True}, 1, 1, 5),
        ({"hampering_levels": [3], "push": True}, 2, 2, 3),
        ({"push": True}, 2, 2, 5),
        ({"hampering_levels": [3], "push": True, "config": {"level3_push_cost": 4}}, 2, 2, 1),
        ({"item_state": "damaged", "bonus_dice": 2}, 2, 2, 5),
    ],
)
def test_what_stands_in_the_way(given: dict[str, Any], pool: int, effect: int, chakra: int) -> None:
    """SO-H05, SO-H06, SO-C13, SO-C15, SO-C16, SO-R23, SO-R24: each row once, level 3 by help or two chakra."""
    answer = throw("action_roll", *[4] * pool, pool=2, chakra=5, **given)
    assert (answer["pool"], answer["effect"], answer["chakra"]) == (pool, effect, chakra)


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"hampering_levels": [3]}, "needs_help"),
        ({"hampering_levels": [3], "push": True, "chakra": 1}, "insufficient_chakra"),
        ({"hampering_levels": [3], "push": True, "chakra": 9, "config": {"level3_push_cost": None}}, "needs_help"),
        ({"item_state": "broken", "hampering_levels": [3]}, "item_broken"),
    ],
)
def test_actions_that_are_refused(given: dict[str, Any], code: str) -> None:
    """SO-H05, SO-D18, SO-C15."""
    assert refused("action_roll", pool=2, **given) == code


def test_every_cell_of_the_outcome_table() -> None:
    """SO-P03 to SO-P12, SO-R11, SO-R12, as severity, surcharge and what cannot be defended."""
    desperate = {"A": "severe", "B": "standard+1", "C": "standard minor!"}
    terrible = {"A": "severe+1", "B": "standard+2", "C": "standard standard!"}
    wanted = {
        "controlled": ({"A": "minor"}, {}),
        "risky": ({"A": "standard"}, {"A": "standard"}),
        "desperate": (desperate, desperate),
        "terrible": (terrible, terrible),
    }
    for position, cells in wanted.items():
        for face, cell in zip((3, 5), cells, strict=True):
            options = throw("action_roll", face, pool=1, position=position)["options"]
            assert {letter: " ".join(map(spelled, threats)) for letter, threats in options.items()} == cell
        for faces in ((6,), (6, 6)):
            answer = throw("action_roll", *faces, pool=len(faces), position=position)
            assert (answer["options"], answer["choice"]) == ({}, [])


def spelled(threat: dict[str, Any]) -> str:
    surcharge = f"+{threat['surcharge']}" if threat["surcharge"] else ""
    return f"{threat['severity']}{surcharge}" + ("" if threat["defendable"] else "!")


def test_a_roll_without_a_position_has_neither_options_nor_choice() -> None:
    """SO-P25: a scene played without positions."""
    answer = throw("action_roll", 4, pool=1)
    assert (answer["options"], answer["choice"], answer["effect"], answer["chakra"]) == ({}, [], 2, 0)


def test_no_effect_still_has_its_consequences() -> None:
    """SO-C14."""
    answer = throw("action_roll", 4, pool=1, position="risky", no_effect=True)
    assert answer["effect"] == 0 and answer["options"] and answer["success"]


@pytest.mark.parametrize(
    ("faces", "position"), [((3,), "desperate"), ((4,), "risky"), ((6,), "risky"), ((6, 6), "controlled")]
)
def test_where_a_fight_begins(faces: tuple[int, ...], position: str) -> None:
    """SO-B04..B06: everybody rolls, terrible cannot come up, no ability wakes."""
    answer = throw("start_position", *faces, pool=len(faces))
    assert (answer["position"], answer["critical_ability_triggered"]) == (position, False)


@pytest.mark.parametrize("grade_sum", ["roll", "action_roll", "downtime_roll", "start_position"])
def test_all_rolls_of_a_pool_share_their_odds(grade_sum: str) -> None:
    assert grades(grade_sum, pool=3) == grades("roll", pool=3)


def test_skill_of_a_scroll_is_thrown_with_two_dice() -> None:
    """SO-M07, SO-R01: 1d5 for the set, 1d6 inside it."""
    table = CALLS.tables["scroll_skill"]
    assert len(table.rows) == 30 and table.at(24).id == "marksmanship"
    assert "scroll_skill" in CALLS.table_rolls
