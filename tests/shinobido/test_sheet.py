"""Characters: creation, derived values, and what no sheet may have (section 2)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from .by_name import BALANCED, EVEN, SYSTEM, check, person, query, refused

NINE = BALANCED["attributes"]


def errors(**changes: Any) -> list[str]:
    found = query("create_character", **{"attributes": NINE, **changes})
    assert found["valid"] is not bool(found.get("errors"))
    return list(found.get("errors", ()))


def ratings(**changes: Any) -> dict[str, Any]:
    return {**NINE, **changes}


def specialty(id: str = "blades", rank: int = 1, **changes: Any) -> dict[str, Any]:
    return {"id": id, "attribute": "agility", "rank": rank, "tags": ["blade"], **changes}


@pytest.mark.parametrize(
    ("changes", "wanted"),
    [
        ({}, []),
        ({"attributes": ratings(luck=1)}, ["unknown_attribute"]),  # SD-A01
        ({"attributes": {}}, ["attribute_missing"]),
        ({"attributes": ratings(wits=2.5)}, ["attribute_not_integer"]),  # SD-A02
        ({"attributes": ratings(wits="2")}, ["attribute_not_integer"]),
        ({"attributes": ratings(wits=True)}, ["attribute_not_integer"]),
        ({"attributes": ratings(wits=None)}, ["attribute_not_integer"]),
        ({"attributes": ratings(wits=6, agility=-4)}, ["attribute_out_of_range"]),
        ({"attributes": ratings(wits=3)}, ["pips_overspent"]),  # SD-A06
        ({"attributes": ratings(wits=1)}, ["pips_unspent"]),
        (
            {"attributes": ratings(agility=-2, charisma=-2, strength=5, wits=5, intellect=2)},
            ["negative_total_exceeded"],
        ),
        ({"specialties": [specialty(), specialty("lifting", 2)]}, []),  # SD-A09
        ({"specialties": [specialty("a", 2), specialty("b", 2)]}, ["specialty_limit"]),
        ({"specialties": [specialty(rank=3)]}, ["specialty_rank_out_of_range"]),
        ({"specialties": [specialty(rank=0)]}, ["specialty_rank_out_of_range"]),
        ({"specialties": [specialty(), specialty()]}, ["specialty_duplicate"]),
        ({"specialties": [specialty(attribute="luck")]}, ["unknown_attribute"]),
        ({"edges": ["grit"]}, []),  # SD-A10
        ({"edges": ["grit", "iron_hide"]}, ["edge_limit"]),
        ({"edges": ["wings"]}, ["unknown_edge"]),
        ({"arts": [{"name": "a", "domain": "mental"}, {"name": "b", "domain": "physical"}]}, []),  # SD-A11, SD-J22
        ({"arts": [{"name": name, "domain": "mental"} for name in "abc"]}, ["art_limit"]),
        ({"arts": [{"name": "a", "domain": "social"}]}, ["bad_domain"]),
        ({"arts": [{"name": "a", "domain": "mental", "resist": "wits"}]}, ["bad_resist"]),
        ({"toughness_attr": "tenacity"}, ["tie_choice_not_tied"]),  # SD-D03
        ({"attributes": ratings(tenacity=2, charisma=0), "toughness_attr": "tenacity"}, []),
    ],
)
def test_creation_names_each_mistake(changes: dict[str, Any], wanted: list[str]) -> None:
    assert errors(**changes) == wanted


def test_creation_names_all_mistakes_at_once_sorted_and_once() -> None:
    """SD-A13; the pips are judged only when all six values are there and in range (SD-A06)."""
    found = errors(
        attributes={"wits": 9, "luck": 1, "agility": 7},
        edges=["wings", "wings"],
        arts=[{"name": "a", "domain": "x", "resist": "y"}],
    )
    assert found == [
        "attribute_missing",
        "attribute_out_of_range",
        "bad_domain",
        "bad_resist",
        "edge_limit",
        "unknown_attribute",
        "unknown_edge",
    ]


def test_an_attribute_named_twice_is_one_too_many() -> None:
    """SD-V01, SD-J13: wit and wits are one."""
    assert errors(attributes={**NINE, "wit": 2}) == ["unknown_attribute"]
    old = {"wit" if name == "wits" else "charm" if name == "charisma" else name: at for name, at in NINE.items()}
    assert errors(attributes=old) == []


@pytest.mark.parametrize(("tier", "pips"), [("student", 6), ("shinobi", 9), ("veteran", 12), ("master", 15)])
def test_the_tier_sets_the_pips(tier: str, pips: int) -> None:
    """SD-A04, SD-J08, SD-A07: any spread up to 5; SD-A03: all else stands at 0."""
    spread = dict.fromkeys(NINE, 0) | {"wits": 5, "agility": 1 if pips == 6 else 4}
    spread["strength"] = pips - spread["wits"] - spread["agility"]
    if spread["strength"] > 5:
        spread |= {"strength": 5, "tenacity": spread["strength"] - 5}
    assert errors(attributes=spread, tier=tier) == []


def test_the_table_may_set_the_budget_and_the_scope_of_negatives() -> None:
    """SD-X14, SD-X03, SD-A05, SD-J07."""
    assert errors(options={"pip_budget": 8}) == ["pips_overspent"]
    two_below = ratings(intellect=-1, charisma=-2, wits=5, agility=4)
    assert errors(attributes=two_below) == []
    assert errors(attributes=two_below, options={"negative_scope": "single"}) == ["negative_not_single"]
    with pytest.raises(msgspec.ValidationError):
        errors(options={"pip_budget": 31})


def test_figures_of_the_narrator_need_no_budget() -> None:
    """SD-A15: no pips, no limits, but legal attributes and known traits."""
    many = {"edges": ["grit", "iron_hide"], "attributes": dict.fromkeys(NINE, 5), "kind": "npc"}
    assert errors(**many, specialties=[specialty(rank=3)]) == []
    assert errors(attributes=dict.fromkeys(NINE, 6), kind="npc") == ["attribute_out_of_range"]
    assert errors(attributes=NINE, kind="grunt", edges=["wings"]) == ["unknown_edge"]


def test_a_new_character_starts_fresh() -> None:
    """SD-A12: whatever else was sent, the derived values are those of an unhurt character."""
    found = query("create_character", attributes=NINE, wounds=3, focus=0, merit=7)
    assert (found["health"], found["focus_max"]) == (5, 5)


@pytest.mark.parametrize(
    ("sheet", "wanted"),
    [
        (person(strength=3, tenacity=1), {"toughness": 1, "toughness_attr": "tenacity", "health_attr": "strength"}),
        (person(strength=2, tenacity=2), {"toughness_attr": "strength", "health_attr": "tenacity", "health": 5}),
        (person(strength=-3, tenacity=-3, kind="npc"), {"toughness": -3, "health": 1}),  # SD-D08
        (person(wits=-3, agility=-3, charisma=-3), {"focus_max": 0, "defense": -3}),
        (person(wits=4, agility=1), {"defense": 1, "focus_max": 7}),  # SD-D04, SD-J40; SD-D05, SD-J22
        (person(edges=["hard_to_kill", "deep_well", "wind_step"]), {"health": 4, "focus_max": 5, "defense": 0}),
        (person(strength=4, kind="grunt"), {"health": 1, "focus_max": 0, "toughness": 0}),  # SD-N10
        (person(kind="grunt", health_override=3), {"health": 3}),
        (person(strength=1, tenacity=1, toughness_attr="tenacity", defense_attr="wits"), {"health_attr": "strength"}),
    ],
)
def test_derived_values(sheet: dict[str, Any], wanted: dict[str, Any]) -> None:
    """SD-D01 to SD-D05: the greater gives Health (SD-J05), never the attribute of Toughness (SD-J06)."""
    found = query("derive", **sheet)
    assert {name: found[name] for name in wanted} == wanted


@pytest.mark.parametrize(
    ("sheet", "code", "rule"),
    [
        ({"attributes": {"luck": 1}}, "unknown_attribute", "SD-A01"),
        (person(wit=1, wits=1), "unknown_attribute", "SD-A01"),
        (person(wits=6), "attribute_out_of_range", "SD-A02"),
        (person(edges=["wings"]), "unknown_edge", "SD-A10"),
        (person(specialties=[specialty(rank=4)]), "specialty_rank_out_of_range", "SD-A09"),
        (person(specialties=[specialty(), specialty()]), "specialty_duplicate", "SD-A09"),
        (person(specialties=[specialty(attribute="luck")]), "unknown_attribute", "SD-A01"),
        (person(arts=[{"name": "a", "domain": "social"}]), "bad_domain", "SD-A11"),
        (person(arts=[{"name": "a", "domain": "mental", "resist": "wits"}]), "bad_resist", "SD-A11"),
        (person(strength=1, toughness_attr="strength"), "tie_choice_not_tied", "SD-D03"),
        (person(wounds=4), "invariant_violated", "SD-N06"),
        (person(focus=4), "invariant_violated", "SD-N06"),
    ],
)
def test_a_faulty_sheet_is_refused_everywhere(sheet: dict[str, Any], code: str, rule: str) -> None:
    assert refused("check", "check", actor=sheet, attribute="wits") == (code, rule)
    assert refused("query", "derive", **sheet) == (code, rule)


def test_old_spellings_are_read() -> None:
    """SD-V01, SD-J13; in data `focus` is the pool (SD-V03, SD-F01)."""
    found = check("check", EVEN, actor=person(wit=3), attribute="wit")
    assert (found["modifier"], found["focus_after"]) == (3, 6)
    named = {"id": "x", "attribute": "charm", "rank": 2, "tags": ["lie"]}
    assert check("check", EVEN, actor=person(specialties=[named]), attribute="charm", tags=["lie"])["modifier"] == 2


def test_health_is_no_part_of_a_roll() -> None:
    """SD-D09."""
    tough = person(strength=5, tenacity=5, edges=["hard_to_kill"])
    assert check("check", EVEN, actor=tough, attribute="wits")["modifier"] == 0


def test_switches_have_the_defaults_of_their_table() -> None:
    """SD-X01 to SD-X16."""
    from systems.shinobido.switches import Switches  # noqa: PLC0415

    assert {one.id: one.default for one in SYSTEM.options} == msgspec.structs.asdict(Switches())
