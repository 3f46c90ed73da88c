"""The odds questions against every face listed (section 25), and the tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from math import comb
from typing import Any

import pytest

from .asking import CALLS, chance, roll, throw

Faces = tuple[int, ...]


def share(dice: int, wanted: Callable[[Faces], bool]) -> Fraction:
    throws = list(product(range(1, 7), repeat=dice))
    return Fraction(sum(map(wanted, throws)), len(throws))


def counted(faces: Faces, level: int) -> int:
    """Successes, written down anew from the ladder (NS-C02, NS-C07, NS-C08)."""
    if level <= 5:
        return sum(face > level for face in faces)
    return max(0, faces.count(6) - (level - 4) + 1)


LEVELS = {"KIDS": 1, "EASY": 2, "NORMAL": 3, "HARD": 4, "UH": 5, "UH2": 6, "UH3": 7}


@pytest.mark.parametrize("word", LEVELS)
def test_checks_and_rerolls(word: str) -> None:
    """NS-C01, NS-X12, NS-Y01, NS-RUL42."""
    for pool in (-1, 0, 1, 4):
        wanted = share(max(0, pool), lambda faces: counted(faces, LEVELS[word]) > 0)
        assert Fraction(chance("check", pool=pool, difficulty=word)["p_success"]) == wanted
        assert Fraction(chance("reroll", pool=pool, difficulty=word)["p_success"]) == 1 - (1 - wanted) ** 2
    for successes in (0, 1, 2, 4, 9):
        wanted = share(4, lambda faces: counted(faces, LEVELS[word]) >= successes)  # noqa: B023
        assert Fraction(chance("at_least", pool=4, difficulty=word, successes=successes)["p"]) == wanted


def test_large_pools() -> None:
    assert Fraction(chance("check", pool=100)["p_success"]) == 1 - Fraction(1, 2**100)
    assert Fraction(chance("eyes", pool=100, pattern="6,6")["p"]) == 1 - Fraction(5, 6) ** 100 - 100 * Fraction(
        5**99, 6**100
    )
    tail = sum(comb(100, i) * 5 ** (100 - i) for i in range(20, 101))
    assert Fraction(chance("check", pool=100, difficulty="UH20")["p_success"]) == Fraction(tail, 6**100)


def test_eyes() -> None:
    """【6,6,6】 and 【6,5+】 by the formulas of section 25."""
    n = 7
    assert Fraction(chance("eyes", pool=n, pattern="6,6,6")["p"]) == Fraction(
        sum(comb(n, i) * 5 ** (n - i) for i in range(3, n + 1)), 6**n
    )
    wanted = 1 - Fraction(5, 6) ** n - n * Fraction(1, 6) * Fraction(4, 6) ** (n - 1)
    assert Fraction(chance("eyes", pool=n, pattern="6,5+")["p"]) == wanted
    assert chance("eyes", pool=0, pattern="6") == {"p": "0"}


def test_opposed_and_counter() -> None:
    a, b = {"pool": 3, "difficulty": "HARD"}, {"pool": 2, "difficulty": "EASY"}
    won = share(5, lambda faces: counted(faces[:3], 4) > counted(faces[3:], 2))
    tied = share(5, lambda faces: counted(faces[:3], 4) == counted(faces[3:], 2))
    odds = chance("opposed", a=a, b=b)
    assert (Fraction(odds["p_win"]), Fraction(odds["p_tie"]), Fraction(odds["p_lose"])) == (won, tied, 1 - won - tied)
    for successes in (0, 1, 2, 7):
        odds = chance("counter", dice=4, difficulty="HARD", attack_successes=successes)
        assert Fraction(odds["p_evade"]) == share(4, lambda faces: counted(faces, 4) > 0)
        assert Fraction(odds["p_counter"]) == share(4, lambda faces: counted(faces, 4) > successes)  # noqa: B023


def test_wasshoi_and_shock() -> None:
    """NS-W09; NS-L01, NS-L02: the last row comes by D6 + 1 only."""
    for dkk in (0, 1, 2, 7, 12, 99):
        assert Fraction(chance("wasshoi", dkk=dkk)["p_entry"]) == share(2, lambda faces: sum(faces) <= dkk)  # noqa: B023
    assert chance("nrs", pool=2, difficulty="EASY") == {"p_resist": "8/9", "p_heart_attack": "0"}
    assert chance("nrs", pool=2, difficulty="UH") == {"p_resist": "11/36", "p_heart_attack": str(Fraction(25, 216))}


def ends(pool: int, dice: int, level: int, air: int) -> Iterator[tuple[bool, bool]]:
    for faces in product(range(1, 7), repeat=pool + dice):
        attack, evasion = faces[:pool], faces[pool:]
        hit = counted(attack, level) > 0
        lands = hit and not counted(evasion, 3 + air + (attack.count(6) >= 3))
        yield lands, lands and attack.count(6) >= 2


@pytest.mark.parametrize(
    ("pool", "dice", "difficulty", "atmosphere"),
    [(3, 2, "NORMAL", "normal"), (4, 1, "HARD", "hard"), (3, 0, "NORMAL", "normal"), (4, 2, "UH3", "ultra_hard")],
)
def test_hit_through(pool: int, dice: int, difficulty: str, atmosphere: str) -> None:
    """NS-A02 to A04, NS-S03, NS-O04, NS-O05."""
    air = {"normal": 0, "hard": 1, "ultra_hard": 2}[atmosphere]
    listed = list(ends(pool, dice, LEVELS[difficulty], air))
    odds = chance("hit_through", pool=pool, evasion_dice=dice, attack_difficulty=difficulty, atmosphere=atmosphere)
    damage, satsubatsu = (Fraction(sum(end[at] for end in listed), len(listed)) for at in (0, 1))
    assert Fraction(odds["p_damage"]) == damage and Fraction(odds["p_satsubatsu_lands"]) == satsubatsu
    assert Fraction(odds["p_instant_death"]) == satsubatsu / 6


def test_split_and_volley() -> None:
    """NS-A11, NS-E10, NS-E17."""
    parts = [share(dice, lambda faces: counted(faces, 4) > 0) for dice in (3, 2, 0)]
    odds = chance("split_hits", parts=[3, 2, 0], difficulty="HARD")
    assert Fraction(odds["expected_hits"]) == sum(parts)
    assert Fraction(odds["p_at_least_one"]) == 1 - (1 - parts[0]) * (1 - parts[1])
    p = share(2, lambda faces: counted(faces, 2) > 0)
    volley = chance("volley", count=20, pool=2, difficulty="EASY", k=18)
    assert Fraction(volley["expected_damage"]) == 20 * p and Fraction(volley["p_any"]) == 1 - (1 - p) ** 20
    assert Fraction(volley["p_at_least"]) == sum(comb(20, n) * p**n * (1 - p) ** (20 - n) for n in (18, 19, 20))
    assert chance("volley", count=1, pool=0) == {"p_any": "0", "expected_damage": "0", "p_at_least": "0"}


@pytest.mark.parametrize("question", ["check", "at_least", "reroll", "counter", "split_hits", "volley", "nrs"])
def test_unknown_difficulties_are_refused(question: str) -> None:
    """NS-C15."""
    given: dict[str, Any] = {"pool": 1, "successes": 1, "dice": 1, "attack_successes": 1, "parts": [1], "count": 1}
    fields = CALLS.odds_questions[question].params.__struct_fields__
    with pytest.raises(Exception, match="unknown_difficulty"):
        chance(question, difficulty="?", **{name: given[name] for name in fields if name in given})


def test_tables_are_thrown_on() -> None:
    """NS-M15, NS-M16, NS-M23, NS-C24 (first die the tens), NS-S07, NS-W11."""
    for table, dice, row in (
        ("creation_skill", "5", "darkness"),
        ("creation_jitsu", "6", "free_choice"),
        ("creation_item", "4", "virus_floppy"),
        ("creation_cybernetics", "6", "combat_bio"),
        ("knowledge", "61", "kachigumi_districts"),
        ("knowledge", "16", "nobility"),
        ("satsubatsu_table", "6", "heart"),
        ("reaper_table", "3", "window"),
        ("nrs_table", "4", "dogeza"),
    ):
        assert roll(table, dice) == [row], table


def test_rows_that_are_only_read() -> None:
    """NS-M18, NS-M19, NS-M22, NS-RUL44, NS-T12, NS-A24, NS-W03, NS-C02."""
    tables = CALLS.tables
    weapons, styles = tables["weapons"], tables["styles"]
    assert weapons["katana"].facts["equip_mods"] == {"cartwheel": 1} and weapons["katana"].facts["slots"] == 1
    assert weapons["shuriken"].facts["multi"] == "inherent" and weapons["shuriken"].facts["time_lag"] == "capable"
    assert (weapons["sniper_rifle"].facts["evasion_difficulty"], weapons["chaka_gun"].facts["rapid"]) == ("HARD", 1)
    assert {row.id for row in styles.rows} == {"cartwheel", "strong", "precise"}
    assert len(tables["other_actions"].rows) == 11 and tables["dkk_table"]["cruelty"].facts["gain"] == 1
    assert [row.id for row in tables["difficulty_ladder"].rows] == ["KIDS", "EASY", "NORMAL", "HARD", "UH", "UHn"]


def test_the_thrown_check_agrees_with_its_question() -> None:
    """Every throw of two dice, thrown and counted."""
    thrown = share(2, lambda faces: throw("check", "".join(map(str, faces)), pool=2, difficulty="HARD")["success"])
    assert Fraction(chance("check", pool=2, difficulty="HARD")["p_success"]) == thrown
