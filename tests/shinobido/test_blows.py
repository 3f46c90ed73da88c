"""Attacks, arts, hazards and what their wounds lead to (sections 7 to 10, 20)."""

from __future__ import annotations

from typing import Any

import pytest

from .by_name import BALANCED, EVEN, check, net, person, refused

MENTAL = {"name": "web", "domain": "mental"}
GRITTY = {"options": {"lethality": "gritty"}}
EFFECTS = {"options": {"focus_effects": True}}


def attack_total(actor: dict[str, Any], target: dict[str, Any], **act: Any) -> int:
    """The total of an attack with net -10, which never hits, plus 10."""
    return int(check("attack", net(-10), actor=actor, target=target, **act)["attack_total"]) + 10


def hit(target: dict[str, Any], toughness: int, *more: list[int], **given: Any) -> dict[str, Any]:
    """A sure hit of Strength 0 with this net on the Toughness roll, then further rolls."""
    dice = [*net(5), *net(toughness), *(die for roll in more for die in roll)]
    return check("attack", dice, actor=person(agility=5), target=target, **given)


@pytest.mark.parametrize(
    ("actor", "target", "act", "wanted"),
    [
        (person(agility=3), person(wits=2, agility=4), {}, 1),  # SD-C08: the lesser, once (SD-J33, SD-J40)
        (person(agility=3), person(wits=-1, agility=4), {}, 4),  # SD-J11
        (person(agility=3), person(agility=1, wits=1, edges=["wind_step"]), {}, 1),  # SD-E04
        (person(agility=3), person(agility=1, wits=1, guarding=True), {}, 0),  # SD-C19
        (person(agility=3), person(agility=2, wits=2, surprised=True), {}, 3),  # SD-C20
        (person(agility=3), person(agility=-2, wits=-2, surprised=True), {}, 5),
        (person(agility=3), person(surprised=True, edges=["wind_step"]), {}, 3),  # Edges included
        (person(agility=3), person(agility=2, wits=2, surprised=True, guarding=True), {}, 1),  # guard after that
        (
            person(agility=3),
            person(agility=2, wits=2, strength=4, wounds=7, status="standing"),
            {},
            1,
        ),  # SD-W04, SD-J19
        (person(agility=3, strength=4, wounds=6), person(), {}, 0),  # SD-C29
        (person(agility=1), person(), {"helpers": 2, "award": 1, "concentrate": 1}, 5),  # SD-C12
        (person(agility=1), person(), {"earlier_attackers": 2}, 1),
        (person(agility=1), person(), {"earlier_attackers": 5, "options": {"gang_up": True}}, 4),  # SD-C27, SD-X06
        (person(agility=1, edges=["ambusher"]), person(surprised=True), {}, 2),  # SD-E14
        (person(agility=1, edges=["ambusher"]), person(), {}, 1),
    ],
)
def test_what_joins_an_attack(actor: dict[str, Any], target: dict[str, Any], act: dict[str, Any], wanted: int) -> None:
    """SD-C09, SD-C11: Agility for every basic attack."""
    assert attack_total(actor, target, **act) == wanted


@pytest.mark.parametrize(
    ("actor", "act", "wanted"),
    [
        (person(agility=5, strength=3), {}, 3),  # SD-C14, SD-J25, SD-J29
        (person(agility=5, strength=-2), {}, -2),
        (person(agility=5, strength=3, wounds=6), {}, 3),  # SD-C29
        (person(agility=5, strength=3), {"weapon_modifier": -2}, 1),
        (person(agility=5, strength=3, edges=["heavy_hand"]), {}, 4),  # SD-E02: melee unless said otherwise
        (person(agility=5, strength=3, edges=["heavy_hand"]), {"tags": ["ranged"]}, 3),
        (person(agility=5, strength=3), {"award": 3}, 3),
    ],
)
def test_the_damage_rating(actor: dict[str, Any], act: dict[str, Any], wanted: int) -> None:
    found = check("attack", [*net(9), *net(9)], actor=actor, target=person(), **act)
    assert (found["damage_rating"], found["toughness_total"]) == (wanted, 9 - wanted)


@pytest.mark.parametrize(
    ("toughness", "wounds"), [(1, 0), (0, 1), (-2, 1), (-3, 2), (-5, 2), (-6, 3), (-9, 4), (-10, 4)]
)
def test_wounds_by_what_the_toughness_roll_fails_by(toughness: int, wounds: int) -> None:
    """SD-C15, SD-C16, SD-C17; counted from 0 and by full threes (SD-J09, SD-J10); wounds count, not blows (SD-J03)."""
    found = hit(person(strength=5, tenacity=0), toughness)
    assert (found["wounds_dealt"], found["target_wounds"]) == (wounds, wounds)
    assert found["grade"] == ("wound" if wounds else "no_harm")


@pytest.mark.parametrize(
    ("target", "wanted"),
    [
        (person(strength=2, tenacity=1), 1),
        (person(strength=-1, tenacity=3), -1),
        (person(strength=1, tenacity=1, edges=["iron_hide"]), 2),  # SD-E01
        (person(strength=4, tenacity=1, wounds=5), -1),  # the wounds before this blow (SD-C15)
        (person(strength=4, tenacity=1, hindrance=2, hindrance_attr="strength"), 1),  # SD-X07: not on Toughness
    ],
)
def test_what_joins_a_toughness_roll(target: dict[str, Any], wanted: int) -> None:
    assert hit(target, 3)["toughness_total"] == 3 + wanted


def test_a_miss_is_followed_by_nothing() -> None:
    """SD-C13."""
    found = check("attack", EVEN, actor=person(), target=person())
    assert (found["grade"], found["success"], found["hit"], found["wounds_dealt"]) == ("miss", False, False, 0)
    assert not {"damage_rating", "toughness_total", "overkill", "pending", "surge_total"} & set(found)


def test_the_attacker_may_throw_a_red_die_again_before_anything_follows() -> None:
    """SD-C18: the fifth die, then the Toughness roll; the target's own reroll is declined."""
    actor = person(edges=["foxs_luck"])
    target = person(edges=["foxs_luck"])
    found = check("attack", [3, 3, 3, 3, 1, *EVEN], actor=actor, target=target, reroll="red1")
    assert (found["attack_total"], found["toughness_total"]) == (2, 0)


@pytest.mark.parametrize(
    ("status", "code"),
    [
        ("down", "target_down"),
        ("going_down", "target_down"),
        ("dying", "target_down"),
        ("dead", "target_dead"),
        ("fled", "target_out"),
        ("captured", "target_out"),
    ],
)
def test_only_those_who_stand_are_attacked(status: str, code: str) -> None:
    """SD-C10."""
    given = {"actor": person(wits=1), "target": person(status=status)}
    assert refused("check", "attack", **given, penalty=99) == (code, "SD-C10")
    assert refused("check", "focus_attack", **given, art=MENTAL, damage=9) == (code, "SD-C10")
    assert refused("odds", "attack", **given) == (code, "SD-C10")


def test_nobody_attacks_oneself_and_weapons_have_limits() -> None:
    """SD-C10, SD-C14."""
    me = person(id="aki")
    assert refused("check", "attack", actor=me, target=me)[0] == "target_self"
    for weapon in (-3, 4):
        code = refused("check", "attack", actor=person(), target=person(), weapon_modifier=weapon)
        assert code == ("weapon_modifier_out_of_range", "SD-C14")


NEARLY = {**BALANCED, "wounds": 4}  # Health 5, Tenacity 1


@pytest.mark.parametrize(
    ("target", "given", "more", "wanted"),
    [
        (NEARLY, {}, [], {"grade": "going_down", "pending": "surge_offer", "target_wounds": 5}),  # SD-W05, SD-H02
        (NEARLY, {"surge": "decline"}, [], {"grade": "down", "target_status": "down"}),  # SD-J04, SD-J27
        (NEARLY, {"surge": "use"}, [net(1)], {"grade": "down", "surge_total": 0}),  # SD-H03
        (NEARLY, {"surge": "use"}, [net(2)], {"grade": "last_stand", "target_wounds": 4, "surge_total": 1}),
        ({**NEARLY, "surges_used": 1}, {"surge": "use"}, [], {"grade": "down"}),  # SD-H04
        ({**NEARLY, "surges_used": 1, "edges": ["unrelenting"]}, {}, [], {"grade": "going_down"}),  # SD-E15
        ({**NEARLY, "kind": "npc"}, {}, [], {"grade": "going_down"}),  # SD-N07
        (person(strength=3, kind="grunt"), {}, [], {"grade": "down", "target_wounds": 1}),  # SD-N10, SD-H06
        (person(kind="grunt", health_override=5), {}, [], {"grade": "wound"}),
    ],
)
def test_at_full_health_one_drops(
    target: dict[str, Any], given: dict[str, Any], more: list[list[int]], wanted: dict[str, Any]
) -> None:
    found = hit(target, -1, *more, **given)
    assert {name: found[name] for name in wanted} == wanted


def test_overkill_is_reported_not_stored() -> None:
    """SD-W01, SD-W16: one bad roll counts all its wounds."""
    found = hit(person(wounds=2), -9, surge="decline")
    assert (found["wounds_dealt"], found["target_wounds"], found["overkill"]) == (4, 3, 3)


@pytest.mark.parametrize(
    ("toughness", "given", "more", "status"),
    [
        (-9, {"surge": "decline"}, [], "dying"),
        (-8, {"surge": "decline"}, [], "down"),  # overkill 2
        (-9, {"surge": "use"}, [net(0)], "dying"),
        (-9, {"surge": "use"}, [net(1)], "standing"),  # a Last Stand prevents it
    ],
)
def test_at_a_gritty_table_much_overkill_leaves_one_dying(
    toughness: int, given: dict[str, Any], more: list[list[int]], status: str
) -> None:
    """SD-W13, SD-W14, SD-X04."""
    assert hit(person(wounds=2), toughness, *more, **given, **GRITTY)["target_status"] == status


@pytest.mark.parametrize(
    ("domain", "own", "avoid", "resist"),
    [
        ("mental", "wits", "wits", "intellect"),
        ("physical", "agility", "agility", "strength"),
        ("spiritual", "charisma", "charisma", "tenacity"),  # the social arts (SD-V02, SD-J14)
    ],
)
def test_the_attributes_of_an_art(domain: str, own: str, avoid: str, resist: str) -> None:
    """SD-F03, SD-F06 to SD-F09, SD-J12, SD-J34, SD-J38: avoid instead of Defense, resist instead of Toughness."""
    actor, target = person(**{own: 4, "strength": 5 if own != "strength" else 0}), person(**{avoid: 1, resist: 2})
    dice = [*EVEN, *net(-1)]
    found = check("focus_attack", dice, actor=actor, target=target, art={"name": "x", "domain": domain}, damage=2)
    assert (found["attack_total"], found["resist_attribute"], found["resist_total"]) == (3, resist, -1)
    assert (found["focus_after"], found["wounds_dealt"]) == (5, 1)  # SD-F10, SD-F11, SD-J16, SD-J35


def test_an_art_may_name_its_own_resist_attribute() -> None:
    """SD-F13; Edges look at the domain all the same (SD-E10, SD-E11, SD-E12)."""
    art = {**MENTAL, "resist": "strength"}
    for edge, wanted in (("still_mind", 3), ("rooted_stance", 2), ("unbent_spirit", 2)):
        target = person(strength=3, edges=[edge])
        found = check("focus_attack", [*EVEN, *EVEN], actor=person(wits=4), target=target, art=art, damage=1)
        assert (found["resist_attribute"], found["resist_total"]) == ("strength", wanted)


def test_guard_surprise_help_and_gang_up_work_on_arts() -> None:
    """SD-F19."""
    target = person(wits=3, guarding=True, surprised=True, edges=["wind_step"])
    given = {"actor": person(wits=4, edges=["ambusher"]), "target": target, "art": MENTAL, "damage": 1}
    more = {"helpers": 1, "award": 1, "earlier_attackers": 1, "options": {"gang_up": True}}
    assert check("focus_attack", net(-10), **given, **more)["attack_total"] == -10 + 4 + 1 - 2 + 3


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"damage": 0}, "focus_below_minimum"),
        ({"damage": 6}, "focus_above_cap"),
        ({"damage": 5}, "focus_insufficient"),
        ({"damage": 3, "concentrate": 2}, "focus_insufficient"),  # SD-F14: judged together
        ({"damage": 1, "effect": "hinder"}, "option_disabled"),  # SD-X07
        ({"damage": 1, "art": {"name": "web", "domain": "social"}}, "bad_domain"),
        ({"damage": 1, "art": {**MENTAL, "resist": "wits"}}, "bad_resist"),
        ({"damage": 9, "art": {"name": "palm", "domain": "mental"}}, "art_unknown"),  # SD-F04
        ({"damage": 1, "art": {"name": "web", "domain": "physical"}}, "art_unknown"),
        ({"damage": 1, "art": {**MENTAL, "resist": "tenacity"}}, "art_unknown"),
        ({"damage": 1, "concentrate": 1, "options": {"concentrate": False}}, "option_disabled"),
    ],
)
def test_which_arts_are_refused(given: dict[str, Any], code: str) -> None:
    actor = person(wits=1, arts=[MENTAL])
    asked = {"actor": actor, "target": person(), "art": MENTAL, **given}
    assert refused("check", "focus_attack", **asked)[0] == code
    assert refused("odds", "focus_attack", **asked)[0] == code


def test_without_a_list_every_art_is_known_but_grunts_know_none() -> None:
    """Section 22, SD-N10."""
    given = {"target": person(), "art": MENTAL, "damage": 1}
    assert check("focus_attack", net(-10), actor=person(), **given)["grade"] == "miss"
    assert refused("check", "focus_attack", actor=person(arts=[]), **given)[0] == "art_unknown"
    assert refused("check", "focus_attack", actor=person(kind="grunt"), **given)[0] == "art_unknown"
    own = person(arts=[{**MENTAL, "resist": "tenacity"}], wits=4)
    assert check("focus_attack", [*EVEN, *EVEN], actor=own, **given)["resist_attribute"] == "tenacity"


@pytest.mark.parametrize(
    ("net_of_resist", "grade", "severity"), [(1, "no_harm", None), (0, "hindrance", 1), (-5, "hindrance", 2)]
)
def test_an_art_may_hinder_instead(net_of_resist: int, grade: str, severity: int | None) -> None:
    """SD-X07."""
    given = {"actor": person(wits=5), "target": person(intellect=1), "art": MENTAL, "damage": 1, "effect": "hinder"}
    found = check("focus_attack", [*EVEN, *net(net_of_resist)], **given, **EFFECTS)
    assert (found["grade"], found.get("hindrance"), found["wounds_dealt"]) == (grade, severity, 0)


@pytest.mark.parametrize(
    ("target", "net_of_dice", "given", "wanted"),
    [
        (person(strength=2, tenacity=2), 1, {"damage_rating": 2}, {"grade": "no_harm", "success": True}),
        (person(), 0, {"damage_rating": 3}, {"grade": "wound", "success": False, "wounds_dealt": 2}),
        (person(wounds=2), 0, {"damage_rating": 3}, {"grade": "going_down", "overkill": 1}),
        (person(wounds=2), 0, {"damage_rating": 3, "surge": "decline"}, {"grade": "down"}),
        (person(status="fled"), 0, {"damage_rating": 1}, {"grade": "wound", "target_status": "fled"}),
        (person(wounds=3, status="down"), 0, {"damage_rating": 9}, {"grade": "down", "overkill": 4}),
        (person(wounds=3, status="down"), 0, {"damage_rating": 9, **GRITTY}, {"grade": "dying"}),
        (person(wounds=3, status="down"), 0, {"damage_rating": 3, **GRITTY}, {"grade": "down", "overkill": 2}),
        (person(wounds=3, status="dying"), 0, {"damage_rating": 0, **GRITTY}, {"grade": "dying", "overkill": 1}),
    ],
)
def test_hazards(target: dict[str, Any], net_of_dice: int, given: dict[str, Any], wanted: dict[str, Any]) -> None:
    """SD-C28: no attack roll; on the fallen no Surge, and only gritty tables let it matter."""
    found = check("hazard", net(net_of_dice), target=target, **given)
    assert {name: found[name] for name in wanted} == wanted


def test_a_hazard_spares_the_dead() -> None:
    assert refused("check", "hazard", target=person(status="dead"), damage_rating=1) == ("target_dead", "SD-C28")
