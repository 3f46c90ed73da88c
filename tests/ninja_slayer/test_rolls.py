"""Checks, eye designations, contests, instant dice (section 3 and 4.1)."""

from __future__ import annotations

from itertools import product

import msgspec
import pytest

from systems.core.errors import Illegal, OddsTooLarge
from systems.ninja_slayer.dice import eyes
from systems.ninja_slayer.difficulty import level_of, shifted, word_of

from .asking import chance, exact, refused, roll, throw, told


@pytest.mark.parametrize(
    ("word", "level", "dice", "successes"),
    [
        ("KIDS", 1, "1223", 3),
        ("EASY", 2, "2345", 3),
        ("NORMAL", 3, "3456", 3),
        ("HARD", 4, "4566", 3),
        ("UH", 5, "5666", 3),
        ("UH2", 6, "6665", 2),
        ("UH3", 7, "6666", 2),
        ("UH3", 7, "6615", 0),
        ("UH100", 104, "6666", 0),
    ],
)
def test_the_ladder_counts_successes(word: str, level: int, dice: str, successes: int) -> None:
    """NS-C02, NS-C07, NS-C08: up to UH dice of the target or more, at UHn the nth six is the first."""
    outcome = throw("check", dice, pool=4, difficulty=word)
    assert (level_of(word), word_of(level), outcome["successes"]) == (level, word, successes)
    assert outcome["success"] == (successes > 0) and outcome["dice_rolled"] == 4


@pytest.mark.parametrize(
    ("word", "mods", "after"),
    [
        ("NORMAL", [1, 1, -2], "NORMAL"),  # NS-C05
        ("KIDS", [-5, 2], "KIDS"),  # NS-C06, NS-RUL01: the floor comes after the sum
        ("UH", [1], "UH2"),  # NS-C04
        ("UH2", [-1], "UH"),
        ("UH100", [20], "UH120"),
    ],
)
def test_modifiers_are_added_then_clamped(word: str, mods: list[int], after: str) -> None:
    assert word_of(shifted(level_of(word), mods)) == after


@pytest.mark.parametrize("word", ["", "normal", "UH1", "UH0", "UH01", "UH101", "UH٣", "LUNATIC"])
def test_unknown_difficulties(word: str) -> None:
    """NS-C15, NS-RUL55, for whatever ability the NM names (NS-C16)."""
    assert refused("check", pool=1, difficulty=word) == "unknown_difficulty"


@pytest.mark.parametrize("pattern", ["", "7", "x", "0", "6,", ",6", "6 ,6", "6++", "+6", "６"])
def test_unreadable_designations(pattern: str) -> None:
    """NS-C15."""
    assert refused("eyes", n=1, pattern=pattern) == "invalid_pattern"
    assert refused("check", pool=1, eyes=["6,6", pattern]) == "invalid_pattern"


def greedy(faces: tuple[int, ...], pattern: str) -> bool:
    """The matching of NS-C12, word by word: exact tokens, then open ones from the highest, each the smallest die."""
    left = sorted(faces)
    tokens = pattern.split(",")
    for token in [one for one in tokens if "+" not in one]:
        if int(token) not in left:
            return False
        left.remove(int(token))
    for least in sorted((int(one[0]) for one in tokens if "+" in one), reverse=True):
        fitting = [die for die in left if die >= least]
        if not fitting:
            return False
        left.remove(min(fitting))
    return True


@pytest.mark.parametrize("pattern", ["6,6", "6,5+", "4", "5+,5+", "4+,5+,6", "1,1+", "3,3+,5+", "2+,2+,4"])
def test_counters_match_as_the_digest_serves_tokens(pattern: str) -> None:
    """NS-C10, NS-C11, NS-C12 on every throw of up to four dice."""
    for count in range(1, 5):
        for faces in product(range(1, 7), repeat=count):
            assert eyes(pattern).match(faces) == greedy(faces, pattern), faces


def test_a_critical_needs_a_success_and_ignores_modifiers() -> None:
    """NS-C13, NS-C14, NS-RUL03."""
    failed = throw("check", "66", pool=2, difficulty="UH3", eyes=["6,6"])
    assert (failed["success"], failed["eyes"]) == (False, {"6,6": False})
    assert throw("check", "66", pool=2, mods=[1], eyes=["6,6", "4"])["eyes"] == {"6,6": True, "4": False}


@pytest.mark.parametrize("pool", [0, -3])
def test_no_pool_no_throw(pool: int) -> None:
    """NS-C09, NS-RUL02; instant dice are added to max(pool, 0)."""
    assert throw("check", "", pool=pool, difficulty="KIDS")["success"] is False
    helped = throw("check", "66", pool=pool, instant_dice=2, instant_available=3)
    assert (helped["dice_rolled"], helped["successes"], helped["instant_left"]) == (2, 2, 1)


@pytest.mark.parametrize(
    ("params", "code"),
    [
        ({"kind": "evasion"}, "instant_dice_not_allowed"),  # NS-D03
        ({"kind": "table"}, "instant_dice_not_allowed"),  # NS-D04
        ({"kind": "value"}, "instant_dice_not_allowed"),
        ({"kind": "fixed_dice"}, "instant_dice_not_allowed"),
        ({"scenario_main": False}, "instant_dice_not_allowed"),  # NS-D05
        ({"instant_available": 0}, "insufficient_instant_dice"),  # NS-D06
        ({"difficulty": "x", "eyes": ["x"]}, "unknown_difficulty"),
    ],
)
def test_where_instant_dice_are_refused(params: dict[str, object], code: str) -> None:
    assert refused("check", **{"pool": 1, "instant_dice": 1, "instant_available": 1, **params}) == code


def test_a_resist_check_is_a_check() -> None:
    """NS-C19."""
    assert throw("resist_check", "15", pool=2, mods=[1])["difficulty"] == "HARD"
    assert refused("resist_check", pool=1, difficulty="?") == "unknown_difficulty"


def side(id: str, pool: int, **more: object) -> dict[str, object]:
    return {"id": id, "pool": pool, **more}


def test_contests() -> None:
    """NS-C20 to C22, NS-RUL04: own pool and difficulty; among three the winner's margin is over the next best."""
    two = throw("opposed_check", "66 4", sides=[side("a", 2, difficulty="HARD"), side("b", 1)])
    assert two == {"grade": "decided", "success": None, "successes": {"a": 2, "b": 1}, "winner": "a", "margin": 1}
    tie = throw("opposed_check", "4 4 1", sides=[side("a", 1), side("b", 2, mods=[-2])], damage_by_margin=True)
    assert (tie["grade"], tie["winner"], tie["margin"], tie["damage"]) == ("tie", None, 0, 0)
    three = throw("opposed_check", "4 44 444", sides=[side("a", 1), side("b", 2), side("c", 3)], damage_by_margin=True)
    assert (three["winner"], three["margin"], three["damage"]) == ("c", 1, 1)
    top_tie = throw("opposed_check", "44 44 1", sides=[side("a", 2), side("b", 2), side("c", 1)])
    assert (top_tie["grade"], top_tie["margin"]) == ("tie", 0)
    assert "a takes the difference: 2." in told(
        "opposed_check", "4 44 444", sides=[side("a", 1), side("b", 2), side("c", 3)], damage_by_margin=True
    )
    assert refused("opposed_check", sides=[side("a", 1), side("b", 1, difficulty="?")]) == "unknown_difficulty"


def test_contest_parameters_and_budget() -> None:
    for sides in ([side("a", 1)], [side("a", 1), side("a", 1)]):
        with pytest.raises(msgspec.ValidationError):
            throw("opposed_check", "", sides=sides)
    with pytest.raises(OddsTooLarge):
        exact("opposed_check", sides=[side(str(at), 100) for at in range(10)])
    assert chance("opposed", a={"pool": 1}, b={"pool": 1}) == {"p_win": "1/4", "p_tie": "1/2", "p_lose": "1/4"}


def test_odds_of_long_designations_are_refused_at_once() -> None:
    """Every face by itself fits; a designation that remembers too much does not, wherever it is asked about."""
    assert chance("eyes", pool=100, pattern="1,2,3,4,5,6")["p"] != "1"
    long, ninja = ",".join(f"{face}{mark}" for face in range(1, 7) for mark in ("", "", "+")), {"karate": 100}
    with pytest.raises(OddsTooLarge):
        chance("eyes", pool=100, pattern=long)
    for name, params in (
        ("eyes", {"n": 100, "pattern": long}),
        ("melee", {"attacker": ninja, "target": {}, "critical": {"namu": long}}),
        ("ranged", {"attacker": {"pool": 100}, "target": {}, "critical": {"satsubatsu": long}}),
    ):
        with pytest.raises(OddsTooLarge):
            exact(name, **params)
    assert throw("eyes", "6" * 100, n=100, pattern=long)["match"] is False


def test_reality_shock() -> None:
    """NS-L01, NS-L02, NS-L03, NS-RUL45, NS-C24, NS-RUL05."""
    assert throw("nrs_check", "44", pool=2) == {"grade": "success", "success": True}
    for difficulty, dice, row in (("EASY", "1 5", 3), ("NORMAL", "1 6", 6), ("HARD", "1 6", 7), ("UH", "5 1", 2)):
        assert throw("nrs_check", dice, pool=1, difficulty=difficulty)["row"] == row, difficulty
    assert throw("nrs_check", "1", pool=0)["row"] == 1
    assert refused("nrs_check", pool=1, category="ninja") == "nrs_not_for_ninja"
    for difficulty in ("KIDS", "UH2", "?"):
        assert refused("nrs_check", pool=1, difficulty=difficulty) == "unknown_difficulty"
        with pytest.raises(Illegal):
            roll("nrs_table", "", difficulty=difficulty)
    assert (roll("nrs_table", "5", difficulty="EASY"), roll("nrs_table", "6", difficulty="UH")) == (
        ["panic"],
        ["heart_attack"],
    )
