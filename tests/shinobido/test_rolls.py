"""The roll, what joins it, opposed checks and contests (sections 3 and 4)."""

from __future__ import annotations

from typing import Any

import pytest

from .by_name import BALANCED, EVEN, check, net, person, refused

STEALTH = {"id": "stealth", "attribute": "agility", "rank": 2, "tags": ["stealth"]}
LUCKY = person(agility=1, edges=["foxs_luck"])


def modifier(actor: dict[str, Any], attribute: str = "agility", **act: Any) -> int:
    return int(check("check", EVEN, actor=actor, attribute=attribute, **act)["modifier"])


@pytest.mark.parametrize(("total", "degree"), [(-9, 0), (0, 0), (1, 1), (3, 1), (4, 2), (6, 2), (7, 3), (10, 4)])
def test_a_total_above_0_succeeds_by_degrees(total: int, degree: int) -> None:
    """SD-R03, SD-R05, SD-R09; two green and two red dice (SD-R01, SD-R02, SD-J01); nothing is automatic (SD-J32)."""
    found = check("check", net(total), actor=person(), attribute="wits")
    assert (found["net"], found["total"], found["success"]) == (total, total, total > 0)
    assert found.get("degree", 0) == degree


@pytest.mark.parametrize(
    ("actor", "act", "wanted"),
    [
        (person(agility=3), {}, 3),  # SD-R04; one attribute only (SD-R08)
        (person(agility=-2), {}, -2),  # SD-M11, SD-J11: signs are kept
        (person(agility=1), {"award": 3}, 4),  # SD-M05, SD-J18
        (person(agility=1), {"concentrate": 2}, 3),  # SD-M06
        (person(agility=1), {"helpers": 3}, 4),  # SD-M07
        (person(agility=1), {"penalty": 15}, -14),  # SD-M08, SD-N02
        (person(agility=1), {"penalty": -3}, 4),  # SD-M09, SD-J37
        (person(agility=1), {"penalty": [{"value": 2, "reason": "rain"}, {"value": 3, "reason": "x"}]}, -4),  # SD-M10
        (person(agility=1), {"previous_failures": 2}, -3),  # SD-R14
        (person(agility=1), {"previous_failures": 2, "options": {"retry_penalty": 0}}, 1),  # SD-X12
        (person(agility=3, strength=4, wounds=5), {}, 1),  # SD-R11, SD-W03, SD-J20
        (person(agility=3, strength=4, wounds=6), {"options": {"wound_penalty": "gentle"}}, 1),  # SD-X01, SD-J02
        (person(agility=3, strength=4, wounds=6, edges=["grit"]), {}, 1),  # SD-E07
        (person(agility=3, strength=4, wounds=3, edges=["grit"]), {}, 3),
        (person(agility=3, strength=4, wounds=6, second_wind=True), {}, 3),  # SD-H05
        (person(agility=2, hindrance=2, hindrance_attr="strength"), {"options": {"focus_effects": True}}, 0),  # SD-M12
        (person(agility=2, hindrance=2, hindrance_attr="strength"), {}, 2),
    ],
)
def test_what_joins_a_check(actor: dict[str, Any], act: dict[str, Any], wanted: int) -> None:
    assert modifier(actor, **act) == wanted


@pytest.mark.parametrize(
    ("specialties", "attribute", "tags", "wanted"),
    [
        ([STEALTH], "agility", ["stealth"], 2),
        ([STEALTH], "agility", ["leap"], 0),  # no tag shared (SD-M01)
        ([STEALTH], "wits", ["stealth"], 0),  # another attribute
        ([STEALTH, {**STEALTH, "id": "roofs", "rank": 3}], "agility", ["stealth"], 3),  # the best one only (SD-M02)
        ([{**STEALTH, "tags": ["check"]}], "agility", [], 2),  # the kind of roll is a tag (SD-S01)
    ],
)
def test_specialties(specialties: list[dict[str, Any]], attribute: str, tags: list[str], wanted: int) -> None:
    """SD-J23."""
    assert modifier(person(specialties=specialties), attribute, tags=tags) == wanted


def test_specialty_and_edges_are_capped_together() -> None:
    """SD-M04, SD-X09; an Edge counts once (SD-M03); what is no trait lies outside the cap."""
    medic = {"id": "medicine", "attribute": "intellect", "rank": 3, "tags": ["first_aid"]}
    actor = person(intellect=1, edges=["field_medic", "field_medic"], specialties=[medic])
    given = {"actor": actor, "patient": person(wounds=1)}
    for cap, wanted in ((3, 4), (2, 3), (None, 5), (9, 5)):
        options = {"trait_bonus_cap": cap}
        assert check("first_aid", EVEN, **given, options=options)["modifier"] == wanted
    assert check("first_aid", EVEN, **given, award=1)["modifier"] == 5


@pytest.mark.parametrize(
    ("penalty", "wanted"),
    [
        ([{"value": 2, "reason": "darkness"}], 0),
        ([{"value": 1, "reason": "darkness"}], 0),  # not below 0
        ([{"value": 3, "reason": "darkness"}, {"value": 2, "reason": "rain_or_slick"}], -3),
        ([{"value": -1, "reason": "darkness"}], 1),
        (2, -2),  # no reason, no relief
    ],
)
def test_night_born(penalty: Any, wanted: int) -> None:
    """SD-E09, SD-M10."""
    assert modifier(person(edges=["night_born"]), penalty=penalty) == wanted


def test_the_range_is_judged_before_relief() -> None:
    """SD-M10, SD-N02."""
    parts = [{"value": 14, "reason": "x"}, {"value": 2, "reason": "darkness"}]
    actor = person(edges=["night_born"])
    assert refused("check", "check", actor=actor, attribute="wits", penalty=parts) == ("penalty_out_of_range", "SD-N02")


@pytest.mark.parametrize(
    ("act", "code"),
    [
        ({"penalty": -4}, "penalty_out_of_range"),
        ({"penalty": 16}, "penalty_out_of_range"),
        ({"award": 4}, "award_out_of_range"),
        ({"award": -1}, "award_out_of_range"),
        ({"concentrate": 3}, "concentrate_out_of_range"),
        ({"concentrate": -1}, "concentrate_out_of_range"),
        ({"helpers": 4}, "too_many_helpers"),
        ({"concentrate": 1, "options": {"concentrate": False}}, "option_disabled"),  # SD-X10, before its range
        ({"concentrate": 3, "options": {"concentrate": False}}, "option_disabled"),
        ({"concentrate": 2}, "focus_insufficient"),  # SD-M06
        ({"reroll": "red1"}, "reroll_not_allowed"),  # SD-M14
        ({"concentrate": 2, "reroll": "red1"}, "reroll_not_allowed"),  # limits of use before resources
        ({"concentrate": 2, "penalty": 99}, "penalty_out_of_range"),
    ],
)
def test_what_a_declared_action_may_not_have(act: dict[str, Any], code: str) -> None:
    actor = person(focus=1)
    assert refused("check", "check", actor=actor, attribute="wits", **act)[0] == code
    assert refused("check", "attack", actor=actor, target=person(), **act)[0] == code


def test_unknown_attributes_are_refused() -> None:
    """SD-A01; which of the six is rolled the Narrator says, the engine takes any (SD-J36)."""
    assert refused("check", "check", actor=person(), attribute="luck") == ("unknown_attribute", "SD-A01")


@pytest.mark.parametrize(
    ("status", "code"),
    [
        ("down", "actor_down"),
        ("going_down", "actor_down"),
        ("dying", "actor_down"),
        ("dead", "actor_dead"),
        ("fled", "actor_out"),
        ("captured", "actor_out"),
    ],
)
def test_who_does_not_stand_does_not_act(status: str, code: str) -> None:
    """SD-W06, SD-W07; the status comes before everything else that is wrong."""
    actor = person(status=status)
    assert refused("check", "check", actor=actor, attribute="wits", penalty=99) == (code, "SD-W06")
    assert refused("check", "attack", actor=actor, target=person(status="dead")) == (code, "SD-W06")
    assert refused("check", "flee", actor=actor) == (code, "SD-W06")
    assert refused("check", "first_aid", actor=actor, patient=person()) == (code, "SD-W06")
    assert refused("check", "heroic_surge", actor=actor, mode="second_wind") == (code, "SD-W06")
    assert refused("check", "shake_off", actor=actor) == (code, "SD-W06")


def test_focus_goes_with_the_dice_and_an_award_brings_some_afterwards() -> None:
    """SD-F10, SD-G01, SD-G03, SD-F17: never above the maximum, and not for the same action."""
    actor = person(wits=2, focus=1)
    found = check("check", net(-9), actor=actor, attribute="wits", award=2, concentrate=1)
    assert (found["success"], found["focus_after"]) == (False, 1)
    assert check("check", EVEN, actor=person(wits=2), attribute="wits", award=3)["focus_after"] == 5
    assert check("check", EVEN, actor=person(kind="grunt"), attribute="wits", award=3)["focus_after"] == 0
    assert refused("check", "check", actor=person(focus=1), attribute="wits", award=2, concentrate=2) == (
        "focus_insufficient",
        "SD-F14",
    )


def test_a_red_die_again() -> None:
    """SD-M14, SD-E08: right after the own dice, the new face stays, better or worse."""
    found = check("check", [3, 3, 1, 6, 5], actor=LUCKY, attribute="agility", reroll="red1")
    assert found == {
        "grade": "failure",
        "success": False,
        "net": -5,
        "modifier": 1,
        "total": -4,
        "focus_after": 4,
        "net_before": -1,
        "total_before": 0,
        "reroll_used": True,
    }
    assert "reroll_used" not in check("check", EVEN, actor=LUCKY, attribute="agility")


@pytest.mark.parametrize(
    ("actor", "die", "code"),
    [
        (LUCKY, "green1", "reroll_not_allowed"),
        (LUCKY, "green2", "reroll_not_allowed"),
        (person(edges=["grit"]), "red1", "reroll_not_allowed"),
        ({**LUCKY, "reroll_used": True}, "red2", "reroll_used"),
        ({**LUCKY, "reroll_used": True}, "green1", "reroll_not_allowed"),
    ],
)
def test_who_may_not_throw_a_die_again(actor: dict[str, Any], die: str, code: str) -> None:
    assert refused("check", "check", actor=actor, attribute="wits", reroll=die) == (code, "SD-M14")


@pytest.mark.parametrize("die", ["red1", "red2"])
def test_every_own_roll_may_be_thrown_again(die: str) -> None:
    """SD-M14: the fifth die of each of the actor's rolls."""
    hurt = {**LUCKY, "attributes": {"strength": 3}, "wounds": 5}
    switch = {"options": {"focus_effects": True}}
    hindered = {**LUCKY, "hindrance": 1, "hindrance_attr": "strength"}
    for name, given in (
        ("flee", {"actor": LUCKY, "opponents": [person()]}),
        ("first_aid", {"actor": LUCKY, "patient": person(wounds=2)}),
        ("heroic_surge", {"actor": hurt, "mode": "second_wind"}),
        ("heroic_surge", {"actor": hurt, "mode": "last_stand"}),
        ("shake_off", {"actor": hindered, **switch}),
        ("dying_check", {"actor": {**hurt, "status": "dying"}}),
        ("opposed_check", {"actor": LUCKY, "opponent": person(), "attribute": "wits", "opposing_attribute": "wits"}),
    ):
        before, after = ((check(name, dice, **given, reroll=die)) for dice in ([3, 3, 6, 6, 6], [3, 3, 6, 6, 1]))
        assert after["total"] == before["total"] + 5, name


def test_an_opposed_check_meets_a_passive_value() -> None:
    """SD-O01, SD-O02, SD-R12, SD-J15, SD-J24: the attribute alone, whatever else the opponent has."""
    keen = {"id": "lookout", "attribute": "wits", "rank": 3, "tags": ["opposed"]}
    opponent = person(wits=2, strength=5, wounds=8, specialties=[keen], hindrance=3, hindrance_attr="strength")
    given = {"actor": person(agility=3), "attribute": "agility", "opponent": opponent, "opposing_attribute": "wits"}
    assert check("opposed_check", net(-1), **given)["total"] == 0
    sneaky = {"id": "x", "attribute": "agility", "rank": 1, "tags": ["opposed"]}
    given["actor"] = person(agility=3, specialties=[sneaky])
    assert check("opposed_check", net(-1), **given)["grade"] == "success"
    given["opponent"] = person(wits=-3)
    assert check("opposed_check", EVEN, **given)["modifier"] == 7


@pytest.mark.parametrize(("status", "code"), [("dead", "target_dead"), ("fled", "target_out")])
def test_the_opponent_must_be_there(status: str, code: str) -> None:
    given = {"actor": BALANCED, "attribute": "wits", "opposing_attribute": "wits", "opponent": person(status=status)}
    assert refused("check", "opposed_check", **given)[0] == code


@pytest.mark.parametrize(
    ("a", "b", "wanted"),
    [
        (3, 0, {"grade": "a_wins", "success": True, "winner": "a", "degree": 1}),
        (0, 4, {"grade": "b_wins", "success": False, "winner": "b", "degree": 2}),
        (-2, -2, {"grade": "tie", "success": None, "winner": None, "tie": True}),
    ],
)
def test_a_contest_goes_to_the_higher_total(a: int, b: int, wanted: dict[str, Any]) -> None:
    """SD-O05, SD-O06."""
    found = check("contest", [*EVEN, *EVEN], a_modifier=a, b_modifier=b)
    assert {name: found[name] for name in wanted} == wanted
    assert ("degree" in found) is (a != b)


def test_certain_rolls_are_thrown_all_the_same() -> None:
    """SD-R06, SD-R10, SD-N12."""
    assert check("check", net(-10), actor=person(wits=5), attribute="wits", award=3, helpers=3)["total"] == 1
    assert not check("check", net(10), actor=person(), attribute="wits", penalty=10)["success"]
