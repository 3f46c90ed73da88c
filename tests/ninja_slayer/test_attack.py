"""One attack or one evasion at a time (9.1, 9.2, 10)."""

from __future__ import annotations

from typing import Any

import pytest

from .asking import KARATE_5, ask, exact, refused, throw, told

NINJA: dict[str, Any] = KARATE_5
MOB: dict[str, Any] = {"category": "mob", "karate": 2, "wazamae": 2, "hp": 1}


def blow(dice: str, **params: Any) -> dict[str, Any]:
    return throw("melee", dice, **{"attacker": NINJA, "target": NINJA, **params})


def shot(dice: str, **params: Any) -> dict[str, Any]:
    return throw("ranged", dice, **{"attacker": NINJA, "target": NINJA, **params})


def test_standing_modifiers_add_up() -> None:
    """NS-A05, NS-T13, NS-G17, NS-N03, NS-RUL37, NS-G23, NS-A10, NS-G13."""
    for params, difficulty in (
        ({"focus": True}, "EASY"),
        ({"adrenaline_attack": True}, "EASY"),
        ({"cartwheeled": True, "style": "strong"}, "UH"),
        ({"focus": True, "adrenaline_attack": True, "mods": [-3]}, "KIDS"),
        ({"focus": True, "cartwheeled": True, "mods": [1, 1]}, "UH"),
    ):
        assert blow("11111", **params)["difficulty"] == difficulty, params
    assert shot("1111", sudden_shuriken=True, focus=True)["difficulty"] == "NORMAL"


@pytest.mark.parametrize(
    ("params", "dice", "grade"),
    [
        ({}, "66611", "namu"),
        ({}, "66111", "satsubatsu"),
        ({}, "61111", "hit"),
        ({}, "11111", "miss"),
        ({"critical": {"satsubatsu": "6,5+"}}, "65111", "satsubatsu"),  # NS-S05
        ({"critical": {"satsubatsu": "5+,5+"}}, "55511", "satsubatsu"),
        ({"critical": {"satsubatsu": "6,6,6,6"}}, "66611", "hit"),  # NS-S04: no satsubatsu, no namu
        ({"critical": {"namu": "6,6"}}, "66111", "namu"),
        ({"attacker": {"category": "boss", **KARATE_5}}, "66611", "hit"),  # NS-S01
        ({"mods": [4]}, "66111", "miss"),  # NS-RUL03: UH3 needs three sixes
    ],
)
def test_criticals_of_melee(params: dict[str, Any], dice: str, grade: str) -> None:
    """NS-A04, NS-S01 to S05."""
    outcome = blow(dice, **params)
    assert outcome["grade"] == grade and outcome["hit"] == (grade != "miss")
    assert (outcome["satsubatsu"], outcome["namu"]) == (grade in ("satsubatsu", "namu"), grade == "namu")
    if outcome["hit"]:
        assert outcome["evasion_difficulty"] == ("HARD" if grade == "namu" else "NORMAL")


def test_precise_style_rolls_wazamae() -> None:
    """NS-G24: satsubatsu on three sixes, namu on four."""
    assert blow("6661", style="precise")["grade"] == "satsubatsu"
    assert blow("6666", style="precise")["grade"] == "namu"
    assert exact("melee", attacker=NINJA, target=NINJA, style="precise").where(lambda v: v.grade == "namu") > 0


def test_shooting_has_no_critical_unless_one_is_given() -> None:
    """NS-A07, NS-A08, NS-A09, NS-M18."""
    assert shot("6661")["grade"] == "hit"
    assert shot("6611", critical={})["grade"] == "satsubatsu"
    assert shot("6661", critical={"satsubatsu": "6,6,6"})["grade"] == "namu"
    assert shot("66", attacker=MOB, critical={})["grade"] == "hit", "NS-S01"


def test_evasion_difficulty_of_a_hit() -> None:
    """NS-M21, NS-E09, NS-O05, NS-O07, NS-O06, NS-W14."""
    assert shot("4111", weapon_evasion="HARD", type="firearm")["evasion_difficulty"] == "HARD"
    assert shot("4111", atmosphere="ultra_hard")["evasion_difficulty"] == "HARD"
    assert shot("4111", atmosphere="ultra_hard", type="firearm")["evasion_difficulty"] == "NORMAL"
    reaper = {"evasion_mods": [-1], **KARATE_5}
    assert blow("41111", atmosphere="hard", target=reaper)["evasion_difficulty"] == "NORMAL"
    assert blow("41", attacker=MOB, atmosphere="ultra_hard")["evasion_difficulty"] == "NORMAL"
    assert blow("41111", target=MOB)["evadable"] is False, "NS-E06"
    assert blow("11111")["evadable"] is False and blow("41111")["evadable"] is True


def test_the_unconscious_are_hit_without_a_throw() -> None:
    """NS-A20, NS-RUL29; an automatic hit counts as one success (NS-C18, NS-RUL57)."""
    for attack in (blow, shot):
        hit = attack("", target={"state": "unconscious"})
        assert (hit["grade"], hit["success"], hit["successes"], hit["evadable"]) == ("auto", True, 1, False)
        assert not hit["satsubatsu"] and hit["difficulty"] == "NORMAL"


def test_the_pool_may_be_given() -> None:
    """NS-C09, NS-A07: `pool` replaces the ability; whatever is shot, Wazamae is rolled."""
    assert blow("4", attacker={"pool": 1, "karate": 9})["hit"] and not blow("", attacker={"pool": -3})["hit"]
    assert shot("1114", type="jutsu")["hit"] and shot("1114", type="jutsu", attacker={**NINJA, "jitsu": 1})["hit"]


@pytest.mark.parametrize(
    ("name", "params", "code"),
    [
        ("melee", {"attacker": {"state": "unconscious"}, "adjacent": False}, "unconscious_cannot_act"),  # NS-H12
        ("melee", {"adjacent": False, "style": "cartwheel"}, "not_adjacent"),  # NS-A01, NS-G01
        ("melee", {"target": {"state": "dead"}}, "not_adjacent"),
        ("melee", {"style": "cartwheel"}, "style_type_mismatch"),  # NS-T18, NS-T19
        ("melee", {"critical": {"namu": "7"}}, "invalid_pattern"),
        ("ranged", {"adjacent": True, "visible": False}, "adjacent_target_not_shootable"),  # NS-A06
        ("ranged", {"visible": False}, "no_line_of_sight"),
        ("ranged", {"sudden_shuriken": True, "style": "strong"}, "style_not_allowed_with_sudden_shuriken"),  # NS-A10
        ("ranged", {"style": "strong"}, "style_type_mismatch"),
        ("ranged", {"weapon_evasion": "?"}, "unknown_difficulty"),
    ],
)
def test_attacks_refused(name: str, params: dict[str, Any], code: str) -> None:
    assert refused(name, **{"attacker": NINJA, "target": NINJA, **params}) == code


def test_why_a_check_is_hard() -> None:
    """NS-C05: every modifier by itself, then the sum."""
    lines = told("melee", "66611", attacker=NINJA, target=NINJA, cartwheeled=True, atmosphere="hard")
    assert lines[:3] == [
        "The check stands at NORMAL.",
        "after a cartwheel: +1 step(s).",
        "All steps together: HARD.",
    ]
    assert lines[-4:] == [
        "Evading it stands at NORMAL.",
        "Namu-Amida-Butsu!: +1 step(s).",
        "hard mode: +1 step(s).",
        "All steps together: UH.",
    ]


@pytest.mark.parametrize(
    ("params", "difficulty"),
    [
        ({}, "NORMAL"),  # NS-E02
        ({"base": "HARD"}, "HARD"),  # NS-M21
        ({"atmosphere": "hard", "type": "shuriken"}, "NORMAL"),  # NS-O04
        ({"atmosphere": "ultra_hard"}, "UH"),  # NS-O05
        ({"atmosphere": "ultra_hard", "type": "shuriken"}, "HARD"),
        ({"atmosphere": "ultra_hard", "type": "jutsu", "source_category": "boss"}, "HARD"),
        ({"atmosphere": "ultra_hard", "type": "firearm"}, "NORMAL"),  # NS-O07, NS-RUL43
        ({"atmosphere": "ultra_hard", "type": "environment"}, "NORMAL"),  # NS-O06
        ({"atmosphere": "hard", "source_category": "mob"}, "NORMAL"),
        ({"defender_cartwheeled": True}, "EASY"),  # NS-G16
        ({"adrenaline_evade": True, "defender_cartwheeled": True, "defender_mods": [-1]}, "KIDS"),  # NS-N04, NS-C06
        ({"namu": True, "defender_mods": [-1]}, "NORMAL"),  # NS-S03
    ],
)
def test_evasion_difficulty(params: dict[str, Any], difficulty: str) -> None:
    assert ask("evasion_difficulty", **params) == {"difficulty": difficulty}


@pytest.mark.parametrize(
    ("params", "code"),
    [
        ({"defender_category": "mob", "state": "unconscious"}, "mob_cannot_evade"),  # NS-E06
        ({"state": "unconscious", "use_evasion": 0}, "evasion_not_allowed"),  # NS-E07
        ({"use_evasion": 0}, "no_evasion_dice_committed"),  # NS-E03
        ({"use_evasion": 3, "use_emergency": 9}, "insufficient_evasion_dice"),
        ({"evasion_now": -2, "use_evasion": 1}, "insufficient_evasion_dice"),  # NS-D16
        ({"use_emergency": 1}, "insufficient_emergency_dice"),  # NS-D11
        ({"bundle": 2, "time_lag": True, "defender_category": "boss"}, "bundle_not_allowed_time_lag"),  # NS-E13
        ({"bundle": 2, "defender_category": "boss"}, "bundle_ninja_only"),  # NS-E21, NS-RUL56
        ({"difficulty": "?"}, "unknown_difficulty"),
    ],
)
def test_evasion_refused(params: dict[str, Any], code: str) -> None:
    assert refused("evade", **{"evasion_now": 2, "use_evasion": 1, **params}) == code


def test_evasion_dice_are_spent_and_one_success_is_enough() -> None:
    """NS-E04, NS-E05, NS-E12, NS-D11, NS-D12, NS-D15."""
    failed = throw("evade", "113", evasion_now=2, emergency_now=2, use_evasion=2, use_emergency=1, bundle=4)
    assert (failed["evaded"], failed["evasion_left"], failed["emergency_left"]) == (False, 0, 1)
    done = throw("evade", "114", evasion_now=-3, emergency_now=3, use_emergency=3, bundle=100)
    assert (done["evaded"], done["evasion_left"], done["emergency_left"]) == (True, -3, 0)


@pytest.mark.parametrize(
    ("params", "counter"),
    [
        ({}, True),
        ({"attack_successes": 3}, False),  # NS-K01: equal is not enough
        ({"attack_type": "shuriken"}, False),
        ({"defender_category": "boss"}, False),
        ({"difficulty": "UH2", "attack_successes": 1}, True),  # NS-K10
        ({"difficulty": "UH2", "attack_successes": 2}, False),
    ],
)
def test_who_may_counter(params: dict[str, Any], counter: bool) -> None:
    given = {"evasion_now": 3, "use_evasion": 3, "attack_successes": 2, **params}
    assert throw("evade", "666", **given)["counter_available"] is counter
