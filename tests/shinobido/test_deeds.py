"""First aid, flight, Heroic Surge, hindrances, dying, order of play, ends (sections 7, 9 to 11)."""

from __future__ import annotations

from typing import Any

import pytest

from .by_name import BALANCED, EVEN, check, net, person, query, refused

EFFECTS = {"options": {"focus_effects": True}}


def aid(patient: dict[str, Any], dice: int = 0, helper: dict[str, Any] | None = None, **given: Any) -> dict[str, Any]:
    return check("first_aid", net(dice), actor=helper or person(intellect=4), patient=patient, **given)


@pytest.mark.parametrize(
    ("patient", "given", "modifier"),
    [
        (person(wounds=3), {}, 4),
        (person(wounds=5, strength=3), {}, 2),  # the patient's wound penalty
        (person(wounds=5, strength=3, edges=["grit"]), {}, 3),
        (person(wounds=1), {"in_combat": True}, 2),
        (person(wounds=1), {"in_combat": True, "penalty": [{"value": 2, "reason": "in_combat"}]}, 2),  # not twice
        (person(wounds=1), {"self": True}, 2),
        (person(wounds=1), {"penalty": 1, "award": 2, "helpers": 1, "concentrate": 1}, 7),
    ],
)
def test_what_joins_first_aid(patient: dict[str, Any], given: dict[str, Any], modifier: int) -> None:
    """SD-W09, SD-M13, SD-J28."""
    assert aid(patient, **given)["modifier"] == modifier


def test_first_aid_heals_its_degree() -> None:
    """SD-W09, SD-W15: never below no wounds; SD-E13."""
    assert aid(person(wounds=3), 0)["healed"] == 2
    assert aid(person(wounds=1), 6)["patient_wounds"] == 0
    assert aid(person(wounds=3), -4) == {**aid(person(wounds=3), -4), "healed": 0, "success": False}
    assert aid(person(wounds=1), helper=person(edges=["field_medic"]))["modifier"] == 1


@pytest.mark.parametrize(
    ("status", "dice", "after", "healed"),
    [
        ("down", 0, "standing", 1),  # SD-W08
        ("down", -9, "down", 0),
        ("dying", 0, "down", 0),  # SD-W14: only steadied
        ("dying", -9, "dying", 0),
        ("captured", 0, "captured", 1),
    ],
)
def test_how_the_patient_is_afterwards(status: str, dice: int, after: str, healed: int) -> None:
    found = aid({**BALANCED, "wounds": 5, "status": status}, dice)
    assert (found["patient_status"], found["healed"]) == (after, healed)


@pytest.mark.parametrize(
    ("patient", "code"),
    [
        (person(status="dead", wounds=3), "target_dead"),
        (person(), "no_wounds"),
    ],
)
def test_who_cannot_be_tended(patient: dict[str, Any], code: str) -> None:
    assert refused("check", "first_aid", actor=person(), patient=patient, penalty=99) == (code, "SD-W09")


def test_a_second_try_is_refused_after_the_switches_and_ranges_and_before_the_pool() -> None:
    """The order of section 13: switch, range, limits of use, resources (SD-W09)."""
    given = {"actor": person(focus=0), "patient": person(wounds=1, first_aid_tried=True), "concentrate": 1}
    assert refused("check", "first_aid", **given) == ("first_aid_used", "SD-W09")
    assert refused("check", "first_aid", **given, penalty=99)[0] == "penalty_out_of_range"
    off = {"options": {"concentrate": False}}
    assert refused("check", "first_aid", **given, **off, penalty=99)[0] == "option_disabled"


def test_flight_is_against_the_swiftest_who_stands() -> None:
    """SD-C22."""
    others = [person(agility=1), person(agility=4, status="down"), person(agility=2)]
    found = check("flee", EVEN, actor=person(agility=3), opponents=others, award=1)
    assert (found["modifier"], found["status"], found["grade"]) == (2, "fled", "success")
    assert check("flee", EVEN, actor=person(agility=2), opponents=others)["status"] == "standing"
    alone = check("flee", [], actor=person(agility=-3), opponents=[person(status="down")])
    assert alone == {"grade": "success", "success": True, "status": "fled"}


HURT = person(tenacity=3, strength=4, wounds=5)  # Health 7, wound penalty 2


@pytest.mark.parametrize(
    ("actor", "mode", "dice", "wanted"),
    [
        (HURT, "second_wind", 0, {"modifier": 1, "grade": "success", "wound_penalty_after": 0, "surges_used": 1}),
        (HURT, "second_wind", -1, {"grade": "failure", "wound_penalty_after": 2, "action_used": False}),
        (HURT, "last_stand", 2, {"modifier": -1, "wounds": 6, "status": "standing", "wound_penalty_after": 3}),
        (HURT, "last_stand", 1, {"grade": "failure", "wounds": 7, "status": "down", "surges_used": 1}),
        ({**HURT, "status": "going_down", "wounds": 7}, "last_stand", 2, {"status": "standing"}),
        ({**HURT, "edges": ["hard_to_kill"]}, "last_stand", 0, {"modifier": -2}),  # one more wound, one more penalty
        ({**HURT, "edges": ["grit"]}, "last_stand", 0, {"modifier": 0}),
        ({**HURT, "edges": ["unrelenting"], "surges_used": 1}, "second_wind", 0, {"surges_used": 2}),  # SD-E15
    ],
)
def test_heroic_surge(actor: dict[str, Any], mode: str, dice: int, wanted: dict[str, Any]) -> None:
    """SD-H01, SD-H03, SD-H05, SD-J21: Tenacity and traits less the wound penalty."""
    found = check("heroic_surge", net(dice), actor=actor, mode=mode)
    assert {name: found[name] for name in wanted} == wanted
    assert ("wounds" in found) is (mode == "last_stand")


def test_a_specialty_for_the_surge() -> None:
    unyielding = {"id": "unyielding", "attribute": "tenacity", "rank": 2, "tags": ["surge"]}
    assert check("heroic_surge", EVEN, actor={**HURT, "specialties": [unyielding]}, mode="second_wind")["total"] == 3


def test_a_failed_last_stand_may_leave_one_dying() -> None:
    """SD-W14."""
    actor = {**HURT, "status": "going_down", "wounds": 7, "overkill": 3}
    given = {"actor": actor, "mode": "last_stand", "options": {"lethality": "gritty"}}
    assert check("heroic_surge", EVEN, **given)["status"] == "dying"


@pytest.mark.parametrize(
    ("actor", "mode", "code", "rule"),
    [
        ({**HURT, "surges_used": 1}, "second_wind", "surge_used", "SD-H04"),
        ({**HURT, "surges_used": 2, "edges": ["unrelenting"]}, "last_stand", "surge_used", "SD-H04"),
        (person(wounds=2), "second_wind", "surge_not_applicable", "SD-H05"),
        ({**HURT, "second_wind": True}, "second_wind", "surge_not_applicable", "SD-H05"),
        (person(kind="grunt"), "last_stand", "surge_not_applicable", "SD-H06"),
        ({**HURT, "status": "down"}, "last_stand", "actor_down", "SD-W06"),
        ({**HURT, "status": "going_down"}, "second_wind", "actor_down", "SD-W06"),
    ],
)
def test_when_there_is_no_surge(actor: dict[str, Any], mode: str, code: str, rule: str) -> None:
    assert refused("check", "heroic_surge", actor=actor, mode=mode) == (code, rule)


def test_shaking_off_a_hindrance() -> None:
    """SD-X07: the resist attribute of the art; the severity counts once."""
    actor = person(tenacity=3, wounds=4, hindrance=2, hindrance_attr="tenacity")
    found = check("shake_off", net(1), actor=actor, **EFFECTS)
    assert found == {"grade": "success", "success": True, "modifier": 0, "total": 1, "hindrance": 0}
    assert check("shake_off", EVEN, actor=actor, **EFFECTS)["hindrance"] == 2


@pytest.mark.parametrize(
    ("actor", "given", "code"),
    [
        (person(hindrance=1, hindrance_attr="strength"), {}, "option_disabled"),
        (person(), EFFECTS, "no_hindrance"),
        (person(hindrance=1), EFFECTS, "invariant_violated"),
    ],
)
def test_what_cannot_be_shaken_off(actor: dict[str, Any], given: dict[str, Any], code: str) -> None:
    assert refused("check", "shake_off", actor=actor, **given) == (code, "SD-X07")


def test_the_dying_roll_against_their_overkill() -> None:
    """SD-W14."""
    actor = person(tenacity=2, wounds=5, status="dying", overkill=3)
    assert check("dying_check", net(4), actor=actor)["status"] == "down"
    assert check("dying_check", net(3), actor=actor) == {
        "grade": "failure",
        "success": False,
        "modifier": -3,
        "total": 0,
        "status": "dead",
    }
    assert check("dying_check", net(4), actor=actor, overkill=5)["modifier"] == -5
    assert refused("check", "dying_check", actor=person(status="dead"))[0] == "actor_dead"


def fighter(id: str, **fields: Any) -> dict[str, Any]:
    return person(id=id, **fields)


def test_initiative() -> None:
    """SD-C03, SD-C04, SD-E03, SD-J26: Wits and traits less the wound penalty; ties settled in four steps."""
    who = [
        fighter("c", wits=1),
        fighter("a", wits=1, kind="grunt"),
        fighter("b", wits=1),
        fighter("d", wits=0, edges=["keen_reflex"]),
        fighter("e", wits=5, strength=5, wounds=8, agility=1),
    ]
    found = check("roll_initiative", [*EVEN, *EVEN, *EVEN, *net(-1), *net(1)], combatants=who)
    assert found["totals"] == {"a": 1, "b": 1, "c": 1, "d": 1, "e": 1}
    assert found["order"] == ("e", "b", "c", "a", "d")
    assert (found["grade"], found["success"]) == ("ordered", None)


def test_initiative_by_side() -> None:
    """SD-C33, SD-X05: one roll by the highest Wits of each side, in the order of their names."""
    sides = {"two": [fighter("x", wits=1), fighter("y", wits=3)], "one": [fighter("z", wits=2)]}
    options = {"initiative": "side"}
    found = check("roll_initiative", [*EVEN, *EVEN], sides=sides, options=options)
    assert (found["totals"], found["order"]) == ({"one": 2, "two": 3}, ("two", "one"))
    tied = check("roll_initiative", [*net(1), *EVEN], sides=sides, options=options)
    assert tied["order"] == ("two", "one"), "the roller with the higher Wits"


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({}, "bad_sides"),
        ({"combatants": [person()]}, "bad_sides"),
        ({"combatants": [fighter("a"), fighter("a")]}, "bad_sides"),
        ({"sides": {"one": [fighter("a")], "two": [fighter("b")]}}, "option_disabled"),
        ({"options": {"initiative": "side"}}, "bad_sides"),
        ({"sides": {"one": [fighter("a")]}, "options": {"initiative": "side"}}, "bad_sides"),
        ({"sides": {"one": [fighter("a")], "two": []}, "options": {"initiative": "side"}}, "bad_sides"),
        ({"sides": {"one": [fighter("a")], "two": [fighter("a")]}, "options": {"initiative": "side"}}, "bad_sides"),
    ],
)
def test_everybody_needs_an_id_on_one_side(given: dict[str, Any], code: str) -> None:
    """SD-C01."""
    assert refused("check", "roll_initiative", **given)[0] == code


@pytest.mark.parametrize(
    ("dice", "grade"), [((1, 1), "none_surprised"), ((1, 0), "some_surprised"), ((-2, 0), "all_surprised")]
)
def test_surprise(dice: tuple[int, int], grade: str) -> None:
    """SD-C02, SD-J39: Wits against the nimblest ambusher."""
    lookout = {"id": "lookout", "attribute": "wits", "rank": 1, "tags": ["ambush"]}
    targets = [fighter("b", wits=2), fighter("a", wits=1, specialties=[lookout])]
    found = check("surprise", [*net(dice[0]), *net(dice[1])], targets=targets, ambushers_best_agility=2)
    assert (found["grade"], found["success"]) == (grade, None)
    assert found["b"] == {"total": dice[0], "surprised": dice[0] <= 0}
    assert found["a"]["total"] == dice[1]
    assert refused("check", "surprise", targets=[person()], ambushers_best_agility=1)[0] == "bad_sides"


@pytest.mark.parametrize(
    ("statuses", "wanted"),
    [
        ({}, {"ended": False}),
        ({"c": "going_down"}, {"ended": False}),  # the offer is still open
        ({"c": "down"}, {"ended": True, "winner": "one"}),
        ({"a": "dead", "b": "captured", "c": "fled"}, {"ended": True, "winner": None}),
    ],
)
def test_when_a_fight_is_over(statuses: dict[str, str], wanted: dict[str, Any]) -> None:
    """SD-C26."""
    assert query("check_combat_end", sides={"one": ["a", "b"], "two": ["c"]}, statuses=statuses) == wanted


@pytest.mark.parametrize(("outcome", "merit"), [("success", 3), ("partial", 2), ("failure", 1)])
def test_the_merit_of_a_mission(outcome: str, merit: int) -> None:
    """SD-G05."""
    assert query("mission_merit", outcome=outcome) == {"merit": merit}
    assert query("mission_merit", outcome=outcome, merit=4) == {"merit": 4 + merit}


def test_the_wound_penalty_by_each_switch() -> None:
    """SD-D07, SD-W02, SD-X01, SD-J02: 4 to 8 wounds."""
    found = [query("wound_penalty", wounds=wounds) for wounds in range(9)]
    assert [one["formula"] for one in found] == [0, 0, 0, 0, 1, 2, 3, 4, 5]
    assert [one["gentle"] for one in found] == [0, 0, 0, 0, 1, 1, 2, 2, 3]
