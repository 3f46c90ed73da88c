"""Damage and its ends (sections 12 and 13)."""

from __future__ import annotations

from typing import Any

import pytest

from .asking import exact, refused, throw

SHEET: dict[str, Any] = {"hp": 6, "spirit": 4, "karate": 5, "neuron": 4, "wazamae": 4, "leg": 3, "initiative": 5}
IMMUNE: dict[str, Any] = {**SHEET, "traits": ["instant_death_immunity"]}


def hit(dice: str = "", target: dict[str, Any] | None = None, **params: Any) -> dict[str, Any]:
    return throw("resolve_hit", dice, target=SHEET if target is None else target, **params)


def test_the_record_repeats_what_was_given() -> None:
    """Section 26: the fields given without `original`, and the state; part damage once there is any."""
    assert hit(target={"hp": 3, "original": {"karate": 5}})["target"] == {"hp": 2, "state": "ok"}
    assert hit(target={"karate": 3}, base_damage=0)["target"] == {"karate": 3, "state": "ok"}
    assert hit("2", satsubatsu=True)["target"]["part_damage"] == {"head": 1}


@pytest.mark.parametrize(
    ("category", "hp", "damage", "state", "left"),
    [
        ("ninja", 2, 1, "ok", 1),  # NS-H01
        ("ninja", 2, 2, "unconscious", 0),  # NS-H03
        ("ninja", 2, 3, "exploded", -1),  # NS-H04
        ("boss", 2, 2, "unconscious", 0),
        ("boss", 2, 3, "dead", -1),  # NS-H05, NS-RUL27
        ("mob", 2, 2, "out", 0),  # NS-H02
        ("mob", 2, 5, "out", -3),
    ],
)
def test_states_by_vitality(category: str, hp: int, damage: int, state: str, left: int) -> None:
    end = hit(target={"category": category, "hp": hp, "spirit": 0}, base_damage=damage)
    assert (end["grade"], end["target"]["hp"], end["hp_lost"], end["success"]) == (state, left, damage, None)


@pytest.mark.parametrize(
    ("category", "spirit", "drain", "state", "hp"),
    [
        ("ninja", 1, 1, "ok", 5),  # NS-H11
        ("ninja", 1, 2, "unconscious", 0),  # NS-H09
        ("boss", 1, 2, "out", 0),  # NS-H10, NS-RUL60
        ("mob", 1, 2, "out", 0),  # NS-H02
    ],
)
def test_states_by_spirit(category: str, spirit: int, drain: int, state: str, hp: int) -> None:
    end = hit(target={"category": category, "hp": 5, "spirit": spirit}, spirit_damage=drain)
    assert (end["grade"], end["target"]["hp"], end["target"]["spirit"]) == (state, hp, spirit - drain)


def test_endurance() -> None:
    """NS-H06, NS-H07, NS-RUL26: one spirit a point, all or nothing, also for the unconscious; the owner may decline."""
    target = {"hp": 1, "spirit": 2}
    paid = hit(target=target, base_damage=3)
    assert (paid["target"], paid["hp_lost"]) == ({"hp": 0, "spirit": 0, "state": "unconscious"}, 1)
    assert hit(target=target, base_damage=4)["target"] == {"hp": -3, "spirit": 2, "state": "exploded"}
    assert hit(target=target, base_damage=3, options={"endurance": "decline"})["grade"] == "exploded"
    down = {"hp": 0, "spirit": 1, "state": "unconscious"}
    again = hit("5", target=down, satsubatsu=True, base_damage=0)
    assert (again["target"], again["hp_lost"]) == ({"hp": 0, "spirit": 0, "state": "unconscious"}, 0)


def test_side_effects_need_vitality_that_was_lost() -> None:
    """NS-S09, NS-S10, NS-RUL32: wholly paid by endurance there are none, nor for somebody who left the map."""
    down = {"hp": 0, "spirit": 4, "state": "unconscious", "karate": 3}
    assert hit("4", target=down, satsubatsu=True)["target"] == {**down, "spirit": 2}
    gone = hit("4", target={"hp": 1, "spirit": 0, "karate": 3}, satsubatsu=True)
    assert gone["target"] == {"hp": -1, "spirit": 0, "karate": 3, "state": "exploded"}
    reduced = hit("3", target={**SHEET, "reduction": 2}, satsubatsu=True)
    assert (reduced["final_damage"], reduced["target"]["spirit"], reduced["target"]["neuron"]) == (0, 4, 4)


@pytest.mark.parametrize(
    ("row", "changed"),
    [
        ("1", {}),
        ("2", {"neuron": 2, "wazamae": 3, "initiative": 3, "part_damage": {"head": 1}}),
        ("3", {"neuron": 3, "spirit": 2, "initiative": 4, "part_damage": {"torso": 1}}),
        ("4", {"karate": 4, "leg": 1, "part_damage": {"legs": 1}}),
        ("5", {"karate": 3, "wazamae": 2, "part_damage": {"arms": 1}}),
    ],
)
def test_rows(row: str, changed: dict[str, Any]) -> None:
    """NS-S07, NS-S11, NS-S20, NS-S22, NS-S24: heavy blow +1 and the side effects."""
    end = hit(row, satsubatsu=True)
    assert end["target"] == {**SHEET, "hp": 4, "state": "ok", **changed}
    assert (end["row"], end.get("knockback", False)) == (int(row), row == "1")


def test_abilities_stop_at_one_and_spirit_may_end_it() -> None:
    """NS-S21, NS-RUL35, NS-H09: initiative loses only what Neuron really lost."""
    frail = {"hp": 6, "spirit": 1, "neuron": 2, "wazamae": 1, "initiative": 2}
    assert hit("2", target=frail, satsubatsu=True)["target"] | {"part_damage": 0} == {
        **frail,
        "hp": 4,
        "neuron": 1,
        "initiative": 1,
        "part_damage": 0,
        "state": "ok",
    }
    assert hit("3", target=frail, satsubatsu=True)["target"]["hp"] == 0


def test_heavy_blows() -> None:
    """NS-S11, NS-S12, NS-RUL31, NS-S14, NS-H17, NS-G24."""
    assert hit(tsuda=[1, 3, 2])["damage_before_reduction"] == 4
    assert hit("1", tsuda=[1], satsubatsu=True)["damage_before_reduction"] == 2, "NS-W15: they do not add"
    immune = hit("6 12", target={**IMMUNE, "hp": 9, "reduction": 1}, satsubatsu=True, tsuda=[2])
    assert (immune["damage_before_reduction"], immune["final_damage"], immune["target"]["hp"]) == (4, 3, 6)
    assert "part_damage" not in immune["target"] and "knockback" not in immune
    void = hit("1", satsubatsu=True, no_tsuda=True, tsuda=[3])
    assert (void["final_damage"], void["knockback"]) == (1, True)
    assert hit("6", target=IMMUNE, satsubatsu=True, no_tsuda=True)["final_damage"] == 1


@pytest.mark.parametrize(("category", "state"), [("ninja", "exploded"), ("boss", "dead"), ("mob", "out")])
def test_instant_death(category: str, state: str) -> None:
    """NS-S13, NS-H08, NS-RUL60: vitality and spirit stay as they were."""
    target = {"category": category, "hp": 6, "spirit": 9, "reduction": 9}
    end = hit("6", target=target, satsubatsu=True, options={"mob_full": True})
    assert end["target"] == {**target, "state": state} and end["instant_death"] is True and end["row"] == 6


def test_instant_death_may_be_softened() -> None:
    """NS-S15; a mob is out all the same."""
    soft = {"instant_death_to_stun": True, "mob_full": True}
    end = hit("6", target={"hp": 6, "spirit": 9}, satsubatsu=True, options=soft)
    assert end["target"] == {"hp": 0, "spirit": 0, "state": "unconscious"} and "instant_death" not in end
    assert hit("6", target={"category": "mob", "hp": 1}, satsubatsu=True, options=soft)["grade"] == "out"


def test_mobs_and_satsubatsu() -> None:
    """NS-S08, NS-RUL33, NS-S26: removed without a die, or played in full."""
    mob = {"category": "mob", "hp": 5, "spirit": 1, "karate": 2}
    assert hit(target=mob, satsubatsu=True) == {
        "grade": "out",
        "success": None,
        "removed": True,
        "target": {**mob, "hp": 0, "state": "out"},
    }
    assert hit("1", target=mob, satsubatsu=True, options={"mob_full": True})["target"]["hp"] == 3


def test_mercy() -> None:
    """NS-H18, NS-RUL46: to 0 and no further, no satsubatsu, no spirit."""
    spared = hit(target={"hp": 2, "spirit": 5}, base_damage=4, satsubatsu=True, options={"mercy": True})
    assert spared["target"] == {"hp": 0, "spirit": 5, "state": "unconscious"}
    assert (spared["final_damage"], spared["hp_lost"]) == (4, 2) and "row" not in spared


def test_base_damage_by_default() -> None:
    """1, or 0 where only spirit damage is given."""
    assert hit()["final_damage"] == 1 and hit(spirit_damage=1)["final_damage"] == 0
    assert hit("1", spirit_damage=1, satsubatsu=True)["final_damage"] == 2


DOWN: dict[str, Any] = {"hp": 0, "spirit": 4, "state": "unconscious"}


def test_kaishaku() -> None:
    """NS-A21, NS-A22, NS-RUL30: no throw; the immune suffer base + 2D6, reduction and endurance apply."""
    assert throw("kaishaku", target=DOWN)["grade"] == "exploded"
    assert throw("kaishaku", target={**DOWN, "category": "boss"})["grade"] == "dead"
    immune = {**DOWN, "traits": ["instant_death_immunity"], "reduction": 3}
    saved = throw("kaishaku", "32", target=immune, base_damage=2)
    assert (saved["final_damage"], saved["target"]["spirit"], saved["grade"]) == (4, 0, "unconscious")
    assert throw("kaishaku", "66", target=immune)["grade"] == "exploded"


@pytest.mark.parametrize(
    ("params", "code"),
    [
        ({"attacker": {"category": "boss"}, "target": SHEET}, "kaishaku_ninja_only"),
        ({"target": SHEET, "adjacent": False}, "kaishaku_target_not_unconscious"),
        ({"adjacent": False}, "not_adjacent"),
        ({"attacker": {"state": "unconscious", "category": "mob"}}, "unconscious_cannot_act"),
    ],
)
def test_kaishaku_refused(params: dict[str, Any], code: str) -> None:
    assert refused("kaishaku", **{"target": DOWN, **params}) == code


def test_exact_odds_of_a_hit() -> None:
    """A satsubatsu at vitality 2, spirit 1: rows 1, 2, 4, 5 drop, row 3 as well (spirit -1), row 6 kills."""
    ended = exact("resolve_hit", target={**SHEET, "hp": 2, "spirit": 1}, satsubatsu=True)
    assert {verdict.grade: str(p) for verdict, p in ended} == {"unconscious": "5/6", "exploded": "1/6"}
