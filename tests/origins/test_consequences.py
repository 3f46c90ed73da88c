"""The consequence die, defences and armor (SO-P13..P20, SO-D01..D21, SO-H08..H17, SO-T05..T08)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from .asking import ask, chance, chart, grades, refused, throw


@pytest.mark.parametrize(
    ("face", "severity", "wanted"),
    [
        (1, "severe", {"kind": "reduced_effect", "effect": 1, "position": "risky", "moot": False}),
        (2, "minor", {"kind": "worse_position", "effect": 2, "position": "desperate", "moot": False}),
        (3, "minor", {"kind": "lost_opportunity", "barred": {"skill": "blades", "approach": "duel"}}),
        (4, "minor", {"kind": "complication", "ticks": 1}),
        (4, "standard", {"kind": "complication", "ticks": 2}),
        (5, "severe", {"kind": "harm", "harm_level": 3}),
        (6, "standard", {"kind": "harm", "harm_level": 2}),
    ],
)
def test_the_table_of_consequences(face: int, severity: str, wanted: dict[str, Any]) -> None:
    """SO-P13..P19, SO-R50: severity counts for complication and harm only."""
    answer = throw(
        "consequence_roll", face, severity=severity, effect=2, position="risky", skill="blades", approach="duel"
    )
    assert {name: answer[name] for name in wanted} == wanted
    assert answer["grade"] == wanted["kind"] and answer["success"] is None
    present = {"ticks", "harm_level", "barred"} & set(answer)
    assert present == {"ticks", "harm_level", "barred"} & set(wanted)


@pytest.mark.parametrize(("face", "given"), [(1, {"position": "risky"}), (2, {"position": "terrible", "effect": 2})])
def test_moot_consequences_stand_or_are_thrown_again(face: int, given: dict[str, Any]) -> None:
    """SO-P20, SO-R13."""
    assert throw("consequence_roll", face, severity="minor", **given)["moot"]
    again = throw("consequence_roll", face, 5, severity="minor", config={"moot_consequence": "reroll"}, **given)
    assert again["kind"] == "harm" and not again["moot"]
    replaced = throw("consequence_roll", face, severity="minor", config={"moot_consequence": "gm_choice"}, **given)
    assert replaced["pending"] == "replace_kind"


def test_odds_of_the_consequence_die() -> None:
    given = {"severity": "minor", "effect": 1, "position": "risky"}
    assert grades("consequence_roll", **given)["harm"] == Fraction(1, 3)
    rerolled = grades("consequence_roll", severity="minor", position="risky", config={"moot_consequence": "reroll"})
    assert rerolled["harm"] == Fraction(2, 5)


@pytest.mark.parametrize(
    ("faces", "given", "cost", "restored", "chakra"),
    [
        ((1,), {"pool": 1}, 5, 0, 3),
        ((6,), {"pool": 1}, 0, 0, 8),
        ((6, 6), {"pool": 2}, 0, 1, 9),
        ((6, 6), {"pool": 2, "surcharge": 2, "alternate": True}, 5, 1, 4),
        ((4, 5), {"pool": 0, "surcharge": 1}, 3, 0, 5),
    ],
)
def test_one_payment(faces: tuple[int, ...], given: dict[str, Any], cost: int, restored: int, chakra: int) -> None:
    """SO-D03..D09, SO-R17, SO-R18."""
    answer = throw("defend", *faces, chakra=8, against={"kind": "harm", "level": 2}, **given)
    assert (answer["cost"], answer["restored"], answer["chakra"]) == (cost, restored, chakra)
    assert answer["avoided"] and answer["success"] and answer["residual"] is None and not answer["unconscious"]


@pytest.mark.parametrize(
    ("against", "residual"),
    [
        ({"kind": "harm", "level": 3}, {"kind": "harm", "level": 2}),
        ({"kind": "harm", "level": 1}, None),
        ({"kind": "complication", "ticks": 2}, {"kind": "complication", "ticks": 1}),
        ({"kind": "complication", "ticks": 1}, None),
        ({"kind": "worse_position"}, {"kind": "worse_position"}),
        ({"kind": "reduced_effect"}, {"kind": "reduced_effect"}),
        ({"kind": "lost_opportunity"}, {"kind": "lost_opportunity"}),
    ],
)
def test_what_an_overflow_leaves(against: dict[str, Any], residual: dict[str, Any] | None) -> None:
    """SO-D10, SO-D11, SO-R19: unconscious either way, and chakra 0."""
    answer = throw("defend", 1, pool=1, chakra=4, gm_allows=True, against=against)
    assert (answer["unconscious"], answer["chakra"]) == (True, 0)
    assert (answer["residual"], answer["avoided"], answer["success"]) == (residual, residual is None, residual is None)


def test_the_lowered_harm_is_recorded_as_usual() -> None:
    """SO-D10, SO-H03: pushed up when its row is full."""
    answer = throw("defend", 1, pool=1, against={"kind": "harm", "level": 2}, harm_chart=chart("ab"))
    assert answer["harm_chart"] == chart("ab") | {"2": ["Wound"]} and not answer["dead"]
    assert throw("defend", 1, pool=1, against={"kind": "harm", "level": 2}, harm_chart=chart("ab", "cd", "e"))["dead"]


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"unconscious": True}, "unconscious"),
        ({"defendable": False, "against": {"kind": "complication"}}, "undefendable"),
        ({"skill": "stealth"}, "not_defensive_skill"),
        ({"skill": "stealth", "alternate": True}, "not_defensive_skill"),
        ({"alternate": True, "chakra": 2}, "insufficient_chakra"),
        ({"against": {"kind": "worse_position"}}, "gm_says_indefensible"),
        ({"against": {"kind": "worse_position"}, "alternate": True}, "gm_says_indefensible"),
        ({"against": {"kind": "worse_position"}, "alternate": True, "gm_allows": True}, "alternate_not_allowed"),
    ],
)
def test_defences_that_are_refused(given: dict[str, Any], code: str) -> None:
    """SO-A12, SO-D01, SO-D02, SO-D05, SO-D06, SO-D18, SO-R20, SO-R21."""
    assert refused("defend", pool=2, **{"chakra": 9, "against": {"kind": "harm", "level": 1}, **given}) == code


def test_any_skill_defends_against_other_kinds_and_wounds_take_nothing() -> None:
    """SO-D06, SO-D14."""
    answer = throw(
        "defend",
        6,
        pool=1,
        skill="stealth",
        gm_allows=True,
        against={"kind": "complication"},
        harm_chart=chart("", "ab"),
    )
    assert answer["avoided"]


@pytest.mark.parametrize(("in_combat", "woken"), [(True, True), (False, False)])
def test_a_critical_defence_wakes_the_ability_in_combat(in_combat: bool, woken: bool) -> None:
    """SO-D15, SO-K02."""
    answer = throw("defend", 6, 6, pool=2, in_combat=in_combat, against={"kind": "harm"})
    assert answer["critical_ability_triggered"] is woken


def test_defending_an_ally() -> None:
    """SO-T06..T08, SO-R34: the helper pays, overflows and suffers in the ally's place."""
    given = {"ally": "bo", "defender": {"id": "aki", "chakra": 2, "pool": 1}}
    blow = {"kind": "harm", "level": 2, "name": "Arrow", "surcharge": 1}
    rolled = throw("defend_ally", 4, mode="roll", consequence=blow, **given)
    assert rolled["defender"] == {"chakra": 0, "harm_chart": chart("Arrow"[:0]) | {"1": ["Arrow"]}}
    assert (rolled["unconscious"], rolled["avoided"], rolled["success"]) == (True, False, False)
    taken = throw("defend_ally", mode="take", consequence={**blow, "defendable": False}, **given)
    assert taken["defender"] == {"chakra": 2, "harm_chart": chart() | {"2": ["Arrow"]}}
    assert (taken["grade"], taken["success"], taken["ally_affected"]) == (None, False, False)
    assert grades("defend_ally", mode="take", consequence=blow, **given) == {None: Fraction(1)}


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"ally": "aki"}, "cannot_target_self"),
        ({"consequence": {"kind": "harm", "level": 1, "defendable": False}}, "undefendable"),
        ({"consequence": {"kind": "worse_position"}}, "gm_says_indefensible"),
    ],
)
def test_allies_that_are_refused(given: dict[str, Any], code: str) -> None:
    """SO-T05, SO-T07, SO-D06."""
    known = {"ally": "bo", "mode": "roll", "defender": {"id": "aki", "pool": 1}, "consequence": {"kind": "harm"}}
    assert refused("defend_ally", **{**known, **given}) == code


@pytest.mark.parametrize(
    ("armor", "given", "wanted"),
    [
        ({"class": "heavy"}, {"load": {"level": "light"}}, (1, 3)),
        ({"class": "medium", "equipped": True, "used": 1}, {"load": {"level": "light", "spent": 3}}, (2, 3)),
        ({"class": "light", "equipped": True}, {"unconscious": True}, (1, 0)),
        ({"class": "heavy"}, {"load": {"level": "light"}, "config": {"load_capacity": {"light": 4}}}, (1, 3)),
    ],
)
def test_armor_that_stops_a_harm(armor: dict[str, Any], given: dict[str, Any], wanted: tuple[int, int]) -> None:
    """SO-H08, SO-H09, SO-H13, SO-H15, SO-H17."""
    answer = ask("use_armor", armor=armor, **given)
    assert (answer["armor"]["used"], answer["load_spent"]) == wanted
    assert answer["negated"] and answer["armor"]["equipped"]


@pytest.mark.parametrize(
    ("armor", "given", "code"),
    [
        ({"class": "light", "equipped": True}, {"cause": "price"}, "armor_not_applicable"),
        ({"class": "light", "equipped": True, "ticks": 4}, {}, "armor_broken"),
        ({"class": "light", "equipped": True, "used": 1}, {}, "armor_depleted"),
        ({"class": "light"}, {"unconscious": True}, "unconscious"),
        ({"class": "light"}, {"other_armor_equipped": True}, "armor_already_equipped"),
        ({"class": "light"}, {}, "insufficient_load"),
        ({"class": "heavy"}, {"load": {"level": "normal", "spent": 3}}, "insufficient_load"),
    ],
)
def test_armor_that_is_refused(armor: dict[str, Any], given: dict[str, Any], code: str) -> None:
    """SO-H08, SO-H10, SO-H11, SO-H14, SO-H16, SO-H17, SO-R31."""
    assert refused("use_armor", armor=armor, **given) == code


@pytest.mark.parametrize(("ticks", "severity", "after"), [(0, "minor", 1), (1, "standard", 3), (3, "severe", 4)])
def test_blows_at_the_armor(ticks: int, severity: str, after: int) -> None:
    """SO-H12, SO-R32; SO-H14: ticks beyond four are lost."""
    answer = ask("target_armor", ticks=ticks, severity=severity)
    assert (answer["ticks"], answer["wearer_harmed"]) == (after, False)


@pytest.mark.parametrize(
    ("ticks", "armor", "wanted"),
    [
        (1, False, ("sound", 0, True, True)),
        (3, False, ("damaged", 2, True, False)),
        (3, True, ("damaged", 0, True, False)),
        (9, False, ("broken", 0, False, False)),
    ],
)
def test_wear(ticks: int, armor: bool, wanted: tuple[Any, ...]) -> None:
    """SO-A14, SO-L09, SO-C15, SO-H13."""
    answer = ask("damage_item", damage=ticks, is_armor=armor)
    assert (answer["state"], answer["dice_penalty"], answer["usable"], answer["special_effects"]) == wanted


@pytest.mark.parametrize(
    ("chakra", "cost", "voluntary", "wanted"),
    [(3, 3, False, (0, False)), (3, 4, False, (0, True)), (3, 3, True, (0, False))],
)
def test_paying_chakra(chakra: int, cost: int, voluntary: bool, wanted: tuple[int, bool]) -> None:
    """SO-D16..D18, SO-R20."""
    answer = ask("pay_chakra", chakra=chakra, cost=cost, voluntary=voluntary)
    assert (answer["chakra"], answer["unconscious"]) == wanted
    assert refused("pay_chakra", chakra=1, cost=2, voluntary=True) == "insufficient_chakra"
    assert ask("restore_chakra", chakra=9, amount=4) == {"chakra": 10}, "SO-D21"


def test_odds_of_a_defence_follow_the_payment() -> None:
    """SO-D08: another skill costs three more and shifts everything by three."""
    plain, other = (chance("defend", pool=2, chakra=5, alternate=alternate) for alternate in (False, True))
    assert {int(net) + 3: p for net, p in plain["distribution"].items()} == {
        int(net): p for net, p in other["distribution"].items()
    }
    assert Fraction(other["p_faint"]) > Fraction(plain["p_faint"])
