"""Attack Resolution by name: attack, Plot group, Ohgi, break and loss window (sections 10, 16 and 17)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.shinobigami.asking import AKARI, BOTAN, chances, refused, throw

DORO = {
    "id": "doro",
    "clan": "oni",
    "skills": ["curse", "summoning", "illusion", "unholy_strength", "survival", "memory"],
}
HIT, MISSED = (4, 4, 2, 1), (2, 2)  # Akari's blade against 5; Botan fails to dodge, F 2 is not reached by 3


def attack(*dice: int, attacker: Any = None, defender: Any = None, **more: Any) -> dict[str, Any]:
    given = {"attacker": {**AKARI, "plot": 2, **(attacker or {})}, "defender": {**BOTAN, "plot": 2, **(defender or {})}}
    return throw("attack", *dice, **{**given, "ninpo": "close_combat_attack", "assigned_skill": "blade", **more})


def no_attack(*dice: int, attacker: Any = None, defender: Any = None, **more: Any) -> str:
    given = {"attacker": {**AKARI, "plot": 2, **(attacker or {})}, "defender": {**BOTAN, "plot": 2, **(defender or {})}}
    return refused("check", "attack", **{**given, "ninpo": "close_combat_attack", "assigned_skill": "blade", **more})


@pytest.mark.parametrize(
    ("more", "code"),
    [
        ({"ninpo": "nothing"}, "ninpo_unknown"),
        ({"ninpo": "hadesology"}, "ninpo_timing"),  # SG-N01: no attack
        ({"ninpo": "poison_fist", "assigned_skill": "blade"}, "assigned_skill_not_allowed"),
        ({"defender": {"plot": 4}}, "out_of_range"),  # SG-N05
        ({"defender": {"id": "akari"}}, "cannot_target_self"),  # SG-W31
        ({"ninpo": "domineer", "assigned_skill": "creature_mastery"}, "cost_exceeded"),  # SG-N06
        ({"ninpo": "pg_bone_weight", "assigned_skill": "unholy_strength"}, "ninpo_timing"),
        ({"attacker": {"backlash": True}}, "backlash"),  # SG-W41
        (
            {"attacker": {"plot_phase_cost": 3}, "ninpo": "poison_fist", "assigned_skill": "poison"},
            "cost_locked",
        ),  # SG-N08
        ({"attacker": {"ailments": [{"id": "cursed", "target": "close_combat_attack"}]}}, "ninpo_sealed"),  # SG-N13
        ({"attacker": {"ninpo": ["poison_fist"]}, "ninpo": "pg_downhill_kick"}, "ninpo_unknown"),
        ({"dodge_with": "escape", "phase": "climax"}, "escape_not_allowed"),  # SG-X03
    ],
)
def test_refused_attacks_throw_nothing(more: dict[str, Any], code: str) -> None:
    """SG-W12, SG-W31, SG-W42: the Plot is position and Cost limit; the first error in the order of SG-ERR1."""
    assert no_attack(**more) == code


def test_a_knocked_out_or_absent_target_is_none() -> None:
    """SG-H08, SG-W63: no Life Points, no target and no attack."""
    lost = {"lost": ["technology", "martial_arts", "stealth", "scheming", "strategy", "sorcery"]}
    assert no_attack(defender=lost) == "target_not_in_combat"
    assert no_attack(attacker=lost) == "knocked_out"


def test_declined_dodge_is_a_hit_without_dice() -> None:
    """SG-Z67: nobody has to roll. Die 2 is Martial Arts."""
    result = attack(4, 4, 2, dodge_with="decline")
    assert (result["dodge"], result["hit"], result["defender_lost"]) == ("none", True, ["martial_arts"])


def test_backlash_fails_a_dodge_without_dice() -> None:
    """SG-W41: the Dodge Check of a defender in Backlash fails; the Plot keeps its Range (SG-W42)."""
    result = attack(4, 4, 2, defender={"backlash": True})
    assert (result["dodge"], result["hit"]) == ("failure", True)


def test_escape_as_the_attacks_own_skill_is_the_defenders_word() -> None:
    """SG-Z71: an ordinary Dodge with Escape does not leave the battle, an Escape Check does."""
    skill = {"assigned_skill": "escape", "attacker": {}, "defender": {"skills": ["escape"]}}
    assert attack(4, 4, 4, 4, **skill)["dropped"] == []
    assert attack(4, 4, 4, 4, dodge_with="escape", **skill)["dropped"] == ["botan"]


def test_heavy_wound_hurts_after_the_attack_check() -> None:
    """SG-H23, SG-Z16: one close damage, hit or miss, that puts nobody out (SG-Z15)."""
    result = attack(2, 2, 3, attacker={"ailments": ["heavy_wound"]})
    assert (result["attacker_lost"], result["dropped"]) == (["stealth"], [])


def test_critical_recovery_comes_at_once() -> None:
    """SG-C20, SG-W38, SG-W49: the attacker's point is back although the group is not through; a Dodge Critical too."""
    healed = attack(6, 6, 6, 6, attacker={"lost": ["sorcery"]}, choices={"categories": ["sorcery"]})
    assert (healed["attack"], healed["dodge"], healed["attacker_lost"]) == ("critical", "critical", [])
    dodged = attack(4, 4, 6, 6, defender={"lost": ["sorcery"]}, choices={"categories": ["sorcery"]})
    assert (dodged["hit"], dodged["defender_lost"]) == (False, [])


def test_damage_entries_and_effects_come_in_their_order() -> None:
    """SG-H11, SG-H12, SG-Z77: Domineer's mob damage (ailment die 1), then its ranged damage of the victim's choice."""
    given = {
        "attacker": {**BOTAN, "plot": 4},
        "defender": {**AKARI, "plot": 4},
        "ninpo": "domineer",
        "assigned_skill": "creature_mastery",
        "dodge_with": "decline",
    }
    result = throw("attack", 4, 4, 1, **given, choices={"categories": ["scheming"]})
    assert (result["defender_ailments"], result["defender_lost"]) == ([{"id": "breakdown"}], ["scheming"])
    # SG-N34: a Critical concerns the basic kind only; the chosen ailment that cannot stack is wasted (SG-Z43, SG-H20)
    given["defender"] = {**given["defender"], "ailments": ["missing"]}
    critical = throw("attack", 6, 6, **given, choices={"categories": ["scheming"], "ailments": ["missing"]})
    assert (critical["defender_ailments"], critical["defender_lost"]) == ([{"id": "missing"}], ["scheming"])


def test_an_open_choice_is_told() -> None:
    """SG-H02: without the victim's choice the damage stays open."""
    result = attack(4, 4, 2, 1, ninpo="pg_thrown_edge")
    assert (result["pending"], result["hit"]) == ("choose_category", True)


def test_odds_of_the_exchange_follow_the_same_rules() -> None:
    """SG-Q07: hit, dodged and missed of one attack; what comes after does not matter to them."""
    given = {"attacker": {**AKARI, "plot": 2}, "defender": {**BOTAN, "plot": 2}}
    assert chances("attack", **given, ninpo="close_combat_attack", assigned_skill="blade") == {
        "missed": "1/6",
        "dodged": "25/108",
        "hit": "65/108",
    }


def test_a_group_defers_and_a_bystander_passes() -> None:
    """SG-Z31, SG-W49: Doro attacks although Akari's blow would have put Doro out already."""
    both = [{**AKARI, "plot": 3}, {**DORO, "plot": 3}, {**BOTAN, "id": "ren", "plot": 3}]
    blow = {"ninpo": "close_combat_attack", "dodge_with": "decline"}
    actions = [
        {"by": "akari", "assigned_skill": "blade", "target": "doro", **blow},
        {"by": "doro", "assigned_skill": "curse", "target": "akari", **blow},
    ]
    result = throw("resolve_group", 4, 4, 4, 4, 1, 6, plot=3, members=both, actions=actions)
    assert result["attacks"] == [{"by": "akari", "hit": True}, {"by": "doro", "hit": True}]
    assert result["dropped"] == ["akari", "doro"] and result["lost"]["ren"] == []
    twice = [actions[0], actions[0]]
    assert refused("check", "resolve_group", plot=3, members=both, actions=twice) == "already_attacked"  # SG-N09


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"type": "area_attack", "user": {"id": "a", "plot": 3}}, "target_required"),  # SG-O20
        ({"type": "critical_hit", "user": {"id": "a", "plot": 6}, "target": {**BOTAN, "plot": 4}}, "out_of_range"),
        ({"type": "critical_hit", "user": {**BOTAN, "plot": 6}, "target": {**BOTAN, "plot": 6}}, "cannot_target_self"),
        ({"type": "perfect_success"}, "ohgi_timing"),  # SG-O03
        ({"type": "nothing"}, "ohgi_type_unknown"),
        ({"type": "extra_ninpo", "ninpo": "hadesology", "user": {"id": "a", "plot": 3}}, "ohgi_extra_ninpo_choice"),
    ],
)
def test_refused_ohgi(given: dict[str, Any], code: str) -> None:
    """SG-O03, SG-O04: name, effect and targets, at its own moment."""
    assert refused("check", "use_ohgi", **given) == code


def test_an_attack_ohgi_is_loss_without_dodge_and_puts_out() -> None:
    """SG-O01, SG-O19, SG-Z68: no check, no Dodge, works in Backlash; extra points absorb first (SG-Z12)."""
    target = {**BOTAN, "plot": 3, "extra_lp": {"slots": 2, "lost": 0}}
    user = {"id": "a", "plot": 3, "backlash": True}
    result = throw("use_ohgi", 1, 6, type="critical_hit", user=user, target=target)
    assert (result["lost"], result["extra_lost"], result["dropped"]) == (["technology", "sorcery"], 2, ["botan"])
    assert result["success"] is True


def test_extra_ninpo_attacks_with_the_ohgis_skill() -> None:
    """SG-O17, SG-Z22: Cost and Range are the ninpo's, the skill is the Ohgi's."""
    ohgi = {"id": "page", "name": "Page", "type": "extra_ninpo", "assigned_skill": "blade"}
    user = {**AKARI, "plot": 3, "ohgi": [{**ohgi, "params": {"ninpo": ["pg_thrown_edge", "poison_fist"]}}]}
    target = {**BOTAN, "plot": 3}
    given = {"type": "extra_ninpo", "ninpo": "pg_thrown_edge", "user": user, "target": target}
    result = throw("use_ohgi", 4, 4, 2, 2, **given, choices={"categories": ["stealth"]})
    assert result["lost"] == ["stealth"]
    assert refused("check", "use_ohgi", **{**given, "ninpo": "pg_downhill_kick"}) == "ohgi_extra_ninpo_choice"


def test_perfect_defense_gives_back_four_of_six() -> None:
    """SG-Z13, SG-H09: the victim keeps two lost; something is left, so another's loss still puts out (SG-W54)."""
    every = ["technology", "martial_arts", "stealth", "scheming", "strategy", "sorcery"]
    event = {"target": "b", "just_lost": every, "by_other": True}
    result = throw("use_ohgi", type="perfect_defense", event=event, choices={"keep_lost": ["stealth", "sorcery"]})
    assert (result["lost"], result["dropped"]) == (["stealth", "sorcery"], True)
    own = throw("use_ohgi", type="perfect_defense", event={**event, "by_other": False})
    assert own["dropped"] is False, "the own Fumble, a trap, the ground (SG-Z15)"


def test_immortal_body_heals_what_was_lost() -> None:
    """SG-O13: 5 less the first use; two points come back, no more were lost."""
    user = {**AKARI, "lost": ["technology", "sorcery"], "ailments": ["missing"]}
    result = throw("use_ohgi", 5, type="immortal_body", user=user)
    assert (result["recovered"], result["lost"], result["ailments"]) == (2, [], [])


def test_breakers_roll_in_seat_order_until_one_succeeds() -> None:
    """SG-O33, SG-O34, SG-Z20: who is in Backlash cannot; after a success nobody rolls any more."""
    ohgi = {"owner": "akari", "type": "critical_hit", "assigned_skill": "blade"}
    late = {**AKARI, "id": "late", "plot": 1, "knows_ohgi": True, "seat": 9}
    first = {**BOTAN, "plot": 3, "knows_ohgi": True, "seat": 1}
    out = {**AKARI, "id": "out", "plot": 2, "knows_ohgi": True, "seat": 0, "backlash": True}
    result = throw("ohgi_break", 1, 2, 3, 3, ohgi=ohgi, breakers=[late, first, out])
    assert [one["success"] for one in result["rolls"]] == [False, True] and result["broken"]
    assert "botan" in result["backlash"], "3 is no more than Botan's Plot (SG-O32)"
    for change, code in [({"in_scene": False}, "not_in_scene"), ({"id": "akari"}, "cannot_target_self")]:
        assert refused("check", "ohgi_break", ohgi=ohgi, breakers=[{**late, **change}]) == code


def test_a_loss_window_knows_who_has_what() -> None:
    """SG-H10, SG-Z47: a Bead at 0 LP heals before the knock-out counts; without a Bead, or broken down, it does not."""
    every = ["technology", "martial_arts", "stealth", "scheming", "strategy", "sorcery"]
    victim = {**AKARI, "lost": every}
    bead = [{"by": "akari", "kind": "bead_of_life", "category": "blade"}]
    given = {"just_lost": ["sorcery"], "phase": "climax"}
    assert throw("loss_window", victim=victim, **given)["knocked_out"] is True
    assert throw("loss_window", victim=victim, **given)["dropped"] is True, "SG-X02: 0 LP puts out of the Climax"
    assert refused("check", "loss_window", victim=victim, reactions=bead, **given) == "gear_not_held"
    held = {**victim, "gear": {"bead_of_life": 1}}
    assert refused("check", "loss_window", victim=held, reactions=bead, **given) == "invalid_choice"
    broken = {**held, "ailments": ["breakdown"]}
    assert refused("check", "loss_window", victim=broken, reactions=bead, **given) == "gear_broken_down"


def test_ninpo_of_the_loss_window() -> None:
    """SG-Z76: a redirected loss never happened to the victim; Hold Ground needs its check (SG-N02)."""
    victim = {**AKARI, "lost": ["sorcery"], "plot": 3}
    redirect = [{"by": "doro", "kind": "pg_stand_between"}]
    assert throw("loss_window", victim=victim, just_lost=["sorcery"], reactions=redirect)["dropped"] is False
    hold = [{"by": "akari", "kind": "pg_hold_ground"}]
    assert throw("loss_window", 6, 6, victim=victim, just_lost=["sorcery"], reactions=hold)["dropped"] is False
    assert throw("loss_window", 2, 2, victim=victim, just_lost=["sorcery"], reactions=hold)["dropped"] is True
