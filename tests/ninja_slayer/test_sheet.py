"""Derived values, creation, and how many attacks a character has (sections 2, 9.3, 16)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from systems.core.convert import to_struct
from systems.ninja_slayer.creation import CreateParams, faults
from systems.ninja_slayer.sheet import Character
from systems.ninja_slayer.split import attacks_allowed

from .asking import ask, query_refused, refused, throw


def derived(**params: Any) -> dict[str, Any]:
    return ask("derive", **{"karate": 5, "neuron": 4, "wazamae": 3, **params})


def test_damage_touches_pools_but_not_vitality_spirit_or_legs() -> None:
    """NS-M01 to M05, NS-M07, NS-M09, NS-M10, NS-S22: abilities now 1/1/1, originally 9/6/7."""
    hurt = derived(karate=1, neuron=1, wazamae=1, original={"karate": 9, "neuron": 6, "wazamae": 7})
    assert (hurt["hp_max"], hurt["spirit_max"], hurt["leg"]) == (9, 6, 5)
    assert (hurt["initiative"], hurt["evasion_max"], hurt["attack"], hurt["shooting"], hurt["hacking"]) == (1,) * 5
    assert hurt["auto_skills"] == ["multi_attack_2", "rapid_fire_2"], "NS-X01, NS-X03, NS-S23"


@pytest.mark.parametrize(("karate", "wazamae", "leg"), [(1, 1, 2), (5, 3, 3), (4, 7, 4), (13, 10, 7)])
def test_legs(karate: int, wazamae: int, leg: int) -> None:
    """NS-M03."""
    assert derived(karate=karate, wazamae=wazamae)["leg"] == leg


def test_bonuses_are_added() -> None:
    """NS-M01 to M07: each to its own value; no art, no activation pool (None)."""
    names = ("hp", "spirit", "leg", "initiative", "evasion", "attack", "shooting", "cartwheel", "precision", "hacking")
    plus = derived(bonus={**{name: at for at, name in enumerate(names, 1)}, "activation": 11})
    assert [plus[name] for name in ("hp_max", "spirit_max", "leg", "initiative", "evasion_max")] == [6, 6, 6, 8, 10]
    assert [plus[name] for name in ("attack", "shooting", "cartwheel", "precision", "hacking")] == [11, 10, 11, 12, 14]
    assert plus["activation"] is None and derived(jitsu=2, bonus={"activation": 1})["activation"] == 7


def test_evasion_and_instant_dice() -> None:
    """NS-M05, NS-M06, NS-RUL09 (Jitsu does not count), NS-D01, NS-RUL07."""
    assert derived(jitsu=9)["evasion_max"] == derived(category="boss")["evasion_max"] == 5
    assert derived(category="mob", bonus={"evasion": 3})["evasion_max"] == 0
    assert [derived(weapon_slots=slots)["instant_dice"] for slots in ([], [1, 1], [3, 3])] == [5, 3, 0]


@pytest.mark.parametrize(
    ("abilities", "skills"),
    [
        ((6, 6, 6), []),
        ((7, 7, 7), ["multi_attack_2", "rapid_fire_2", "multi_target", "time_lag"]),
        ((13, 13, 13), ["multi_attack_3", "rapid_fire_3", "multi_target", "time_lag", "sixth_sense"]),
    ],
)
def test_automatic_skills(abilities: tuple[int, int, int], skills: list[str]) -> None:
    """NS-X01, NS-X02: they come by themselves, any number, the higher value instead of the lower."""
    karate, neuron, wazamae = abilities
    assert derived(karate=karate, neuron=neuron, wazamae=wazamae)["auto_skills"] == skills


def test_creation_by_dice() -> None:
    """NS-M12, NS-M14, NS-RUL06: four dice in order; Jitsu is the die less 3, not below 0."""
    made = throw("create_character", "1 6 3 2", method="random")
    assert [made[name] for name in ("karate", "neuron", "wazamae", "jitsu", "dkk", "fame")] == [1, 6, 3, 0, 0, 1]
    assert (made["hp_max"], made["leg"], made["evasion_max"], made["activation"]) == (1, 2, 6, None)
    assert (made["valid"], made["instant_dice"], made["grade"]) == (True, 5, "success")


@pytest.mark.parametrize(
    ("params", "code"),
    [
        ({"karate": 6}, "ability_out_of_range"),
        ({"wazamae": 0}, "ability_out_of_range"),
        ({"jitsu": 4}, "ability_out_of_range"),
        ({"jitsu": -1}, "ability_out_of_range"),
        ({"karate": 5, "neuron": 5, "wazamae": 2}, "creation_points_exceeded"),
        ({"jitsu": 3, "points": 8}, "creation_points_exceeded"),
        ({"karate": 9, "points": 0}, "ability_out_of_range"),
    ],
)
def test_creation_by_points_refuses(params: dict[str, int], code: str) -> None:
    """NS-M13, ability before points."""
    assert (
        refused("create_character", **{"method": "scratch", "karate": 1, "neuron": 1, "wazamae": 1, **params}) == code
    )


def test_creation_by_points() -> None:
    """NS-M13: unspent points are lost; everything wrong is told at once."""
    made = throw("create_character", method="scratch", karate=2, neuron=2, wazamae=2, jitsu=1)
    assert (made["points_spent"], made["points_left"]) == (8, 3)
    wrong = to_struct({"method": "scratch", "karate": 9, "neuron": 0, "jitsu": 5}, CreateParams)
    assert [one.code for one in faults(wrong)] == ["ability_out_of_range"] * 4 + ["creation_points_exceeded"]


def test_sheets_are_strict() -> None:
    for raw in (
        {"hp": "3"},
        {"hp": True},
        {"agility": 3},
        {"dkk": 13},
        {"part_damage": {"tail": 1}},
        {"state": "well"},
    ):
        with pytest.raises(msgspec.ValidationError):
            to_struct(raw, Character)


def test_a_sheet_without_vitality_stands_at_its_maximum() -> None:
    """NS-Z05, NS-M01, NS-M02; emergency dice are a stock of their own (NS-D10)."""
    sheet = Character(karate=5, neuron=2, emergency_dice=3)
    assert (sheet.vitality, sheet.mind, sheet.emergency) == (5, 2, 3)
    assert sheet.spent(0, 1).emergency_dice == 2
    assert Character(emergency_now=3).spent(2, 1) == Character(emergency_now=2, evasion_now=-2)


@pytest.mark.parametrize(
    ("params", "allowed"),
    [
        ({"kind": "melee"}, 1),
        ({"kind": "melee", "skill": 2, "plus": [1, 2]}, 4),  # NS-X06: the highest only
        ({"kind": "melee", "skill": 3, "plus": [2], "style_fixed": 2}, 2),
        ({"kind": "melee", "skill": 3, "style_fixed": 4, "cap": 3}, 3),  # the cap comes last
        ({"kind": "ranged", "skill": 3, "gun_rapid": 1, "plus": [1]}, 2),  # NS-M20, NS-X07
        ({"kind": "melee", "skill": 3, "gun_rapid": 9}, 3),
        ({"kind": "melee", "use_rapid_for_melee": True, "rapid": 2, "plus": [5], "multi_plus": [1]}, 3),  # NS-X11
        ({"kind": "ranged", "use_rapid_for_melee": True, "rapid": 9, "skill": 2}, 2),
    ],
)
def test_number_of_attacks(params: dict[str, Any], allowed: int) -> None:
    """NS-X05 to X07, NS-X11, NS-RUL61."""
    assert ask("max_attacks", **params) == {"max_attacks": allowed}


def test_attacks_of_a_character() -> None:
    """NS-X01, NS-X04 (lent skills), NS-X11, NS-G23."""
    ninja = Character(karate=13, wazamae=7)
    assert (attacks_allowed(ninja, "melee"), attacks_allowed(ninja, "ranged")) == (3, 2)
    assert attacks_allowed(Character(karate=1, skills=("multi_attack_4", "time_lag")), "melee") == 4
    assert attacks_allowed(Character(karate=1, skills=("multi_attack_4",)), "melee", cap=3) == 3
    assert attacks_allowed(Character(karate=1, wazamae=13), "melee", by_wazamae=True) == 3


def parts(*dice: int, target: str = "a") -> list[dict[str, Any]]:
    return [{"target": target, "dice": one} for one in dice]


def test_splits() -> None:
    """NS-A11, NS-A14, NS-A15, NS-X08, NS-X09, NS-X10, NS-RUL41."""
    melee = ask("split_pool", kind="melee", pool=9, max_attacks=3, parts=[*parts(3, 3), *parts(2, target="b")])
    assert melee == {"valid": True, "unused_dice": 1, "time_lag": {"a": True, "b": False}}
    shots: dict[str, Any] = {"kind": "ranged", "pool": 6, "max_attacks": 2}
    spread = [*parts(3), *parts(3, target="b")]
    for weapon, skills, allowed in (
        ("none", ["multi_target"], False),
        ("capable", [], False),
        ("capable", ["multi_target"], True),
        ("inherent", [], True),
    ):
        if allowed:
            assert ask("split_pool", **shots, parts=spread, weapon_multi=weapon, skills=skills)["valid"]
        else:
            code = query_refused("split_pool", **shots, parts=spread, weapon_multi=weapon, skills=skills)
            assert code == "multi_target_not_allowed"  # NS-A16
    for weapon, skills, lag in (("capable", ["time_lag"], True), ("inherent", [], True), ("none", ["time_lag"], False)):
        split = ask("split_pool", **shots, parts=parts(3, 3), weapon_time_lag=weapon, skills=skills)
        assert split["time_lag"] == {"a": lag}


def test_splits_refused() -> None:
    """NS-A12, NS-A13, in this order."""
    split: dict[str, Any] = {"kind": "melee", "pool": 5}
    assert query_refused("split_pool", **split, max_attacks=1, parts=parts(9, 0)) == "too_many_attacks"
    assert query_refused("split_pool", **split, max_attacks=2, parts=parts(9, 0)) == "split_part_empty"
    assert query_refused("split_pool", **split, max_attacks=2, parts=parts(3, 3)) == "split_exceeds_pool"
