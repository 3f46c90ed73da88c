"""Skill Checks and the window after them (SG-C01..C20, SG-R01..R12)."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from typing import Any

import msgspec
import pytest

from systems.core.checks import Check
from systems.core.odds import distribution
from systems.shinobigami.checks import SkillCheck, fumble_value
from systems.shinobigami.effects import Situation, fumble_modifier, own_modifier, passive
from systems.shinobigami.sheet import Ailment, Character, Learned, NinpoChoices

from .asking import ask, chances, refused, throw

TABLE = {  # SG-C03, SG-C09: successes in 36 by Target Number, for F none or 2, 3, 4, 5, 6, 7
    4: (33, 33, 30, 26, 21, 15),
    5: (30, 30, 30, 26, 21, 15),
    6: (26, 26, 26, 26, 21, 15),
    7: (21, 21, 21, 21, 21, 15),
    8: (15, 15, 15, 15, 15, 15),
    9: (10, 10, 10, 10, 10, 10),
    10: (6, 6, 6, 6, 6, 6),
    11: (3, 3, 3, 3, 3, 3),
    12: (1, 1, 1, 1, 1, 1),
    13: (1, 1, 1, 1, 1, 1),
}


@pytest.mark.parametrize("number", TABLE)
def test_successes_in_36(number: int) -> None:
    """Section 27; SG-C14, SG-Z07."""
    for fumble, wanted in zip((None, 2, 3, 4, 5, 6, 7), (TABLE[number][0], *TABLE[number]), strict=True):
        grades = distribution(SkillCheck(number, fumble_value=fumble))
        assert 36 * (grades["success"] + grades["critical"]) == wanted


def test_only_the_two_highest_dice_count() -> None:
    """SG-C19."""
    answer = throw("skill_check", 1, 6, 2, 6, target_number=20, n=4)
    assert (answer["natural"], answer["grade"]) == (12, "critical")
    wanted = Counter(SkillCheck(7, n=3).read(faces) for faces in product(range(1, 7), repeat=3))
    assert chances("skill_check", target_number=7, n=3) == {grade: str(Fraction(n, 216)) for grade, n in wanted.items()}


def test_a_pool_of_dice_folds_like_its_list() -> None:
    check = SkillCheck(8, 1, 3, 11, 4)
    folded, listed = distribution(check), distribution(Listed(check))
    assert folded.weights == listed.weights


class Listed(Check[str], msgspec.Struct, frozen=True, cache_hash=True):
    """The same reading, asked about every throw."""

    check: SkillCheck

    @property
    def pool(self) -> Any:
        return self.check.pool

    def read(self, faces: tuple[int, ...]) -> str:
        return self.check.read(faces)


@pytest.mark.parametrize(
    ("params", "dice", "expected"),
    [
        ({"modifiers": [2, -1], "gm_modifier": 1}, (2, 2), {"total": 6, "grade": "failure"}),  # SG-C05
        ({"gm_modifier": -1}, (4, 4), {"total": 7, "grade": "success"}),  # SG-C04
        ({}, (1, 1), {"consequence": "fumble_table"}),  # SG-C13
        ({"context": "cycle_end"}, (1, 1), {"consequence": "fumble_table"}),
        ({"context": "plot"}, (1, 1), {"consequence": "fumble_table"}),
        ({"context": "combat"}, (1, 1), {"consequence": "backlash"}),
        ({"context": "combat", "backlash": True}, (), {"total": None, "natural": None, "grade": "failure"}),  # SG-C17
        ({"auto": "perfect_success", "backlash": True}, (), {"total": 10, "success": True}),  # SG-W41
        ({"critical_value": 2, "fumble_value": 3}, (1, 2), {"grade": "fumble"}),  # SG-C12
        ({"critical_value": 2, "fumble_value": None}, (1, 1), {"grade": "critical"}),
    ],
)
def test_one_check(params: dict[str, Any], dice: tuple[int, ...], expected: dict[str, Any]) -> None:
    answer = throw("skill_check", *dice, **{"target_number": 7, **params})
    assert expected.items() <= answer.items()


@pytest.mark.parametrize(
    ("params", "code"),
    [
        ({"gm_modifier": 0}, "gm_modifier_range"),
        ({"gm_modifier": 1, "switches": {"gm_roll_modifier": False}}, "gm_modifier_range"),  # SG-U01
        ({"n": 1}, "dice_count"),
        ({"n": -3}, "dice_count"),
    ],
)
def test_refused_checks(params: dict[str, Any], code: str) -> None:
    assert refused("check", "skill_check", target_number=7, **params) == code


@pytest.mark.parametrize(
    "params", [{}, {"target_number": -1}, {"target_number": 5, "fumble_value": 12}, {"target_number": 5, "x": 1}]
)
def test_parameters_are_strict(params: dict[str, Any]) -> None:
    with pytest.raises(msgspec.ValidationError):
        throw("skill_check", 3, 4, **params)


def test_a_broken_perfect_success() -> None:
    """SG-O35, SG-U06, SG-Z19."""
    rolled = throw("perfect_success_broken", 6, 6, target_number=9, context="combat")
    assert (rolled["grade"], rolled["consequence"]) == ("critical", "recover_one")
    lost = throw("perfect_success_broken", target_number=9, switches={"broken_perfect_success": "check_fails"})
    assert (lost["grade"], lost["natural"], lost["consequence"]) == ("failure", None, "none")


@pytest.mark.parametrize(
    ("params", "value"),
    [
        ({"context": "drama"}, 2),
        ({"context": "drama", "ninpo_cost": 20}, 11),  # SG-C11
        ({"context": "drama", "battlefield": "congestion"}, 2),
        ({"context": "cycle_end", "plot": 5}, 2),  # SG-Z26
        ({"context": "combat"}, 2),  # before the first Plot (SG-C10)
        ({"context": "combat", "plot": 1}, None),
        ({"context": "combat", "plot": 7, "battlefield": "congestion"}, 8),
        ({"context": "combat", "plot": 0, "battlefield": "congestion"}, 3),
        ({"context": "plot", "plot": 6, "battlefield": "congestion"}, 3),  # SG-W15, SG-Z30, SG-Z61
        ({"context": "combat", "plot": 3, "fumble_mod": -2}, None),
        ({"context": "combat", "plot": 3, "fumble_mod": 20}, 11),
        ({"context": "combat", "plot": 4, "ninpo_cost": 3}, 4),
    ],
)
def test_fumble_value(params: dict[str, Any], value: int | None) -> None:
    """SG-C10, SG-C11, SG-W05, SG-W14."""
    assert ask("fumble_value", **params) == {"fumble_value": value}


def test_lasting_effects_add_up() -> None:
    """SG-A09, SG-C18, SG-N36, SG-N13: two sources sum, a sealed one is gone."""
    wrath = Learned("emperors_wrath", choices=NinpoChoices(category="stealth"))
    sheet = Character(id="oni", clan="oni", cycle_penalty=-1, ninpo=(wrath, "pg_calm_pulse"), lost=("stealth",))
    check = Situation(applies_to="information")
    assert own_modifier(sheet, check) == 0
    assert own_modifier(Character(id="a", ninpo=(wrath,), lost=("sorcery",)), check) == 0
    sealed = msgspec.structs.replace(sheet, ailments=(Ailment("cursed", "emperors_wrath"),))
    assert own_modifier(sealed, check) == -1
    assert (fumble_modifier(sheet, "combat"), fumble_modifier(sheet, "plot")) == (-1, 0)
    assert fumble_value("combat", 3, fumble_mod=fumble_modifier(sheet, "combat")) == 2


def test_an_enemy_watches_a_slot() -> None:
    """SG-N36, SG-S13: the Category of an Enemy's effect is the number of a slot."""
    wrath = (Learned("emperors_wrath", choices=NinpoChoices(category="2")),)
    for lost, wanted in ((1, 0), (2, 1)):
        enemy = Character(id="e", kind="enemy", lp_slots=3, slots_lost=lost, ninpo=wrath)
        assert own_modifier(enemy, Situation(applies_to="attack")) == wanted


def test_conditions_look_at_the_situation() -> None:
    """SG-N01: an Equip ninpo is active while its condition holds."""
    steel = Character(id="k", clan="kurama", ninpo=("pc_answering_steel",))
    assert passive(steel, "check_mod", "self", Situation(applies_to="dodge", attack_kind="close")) == 1
    assert passive(steel, "check_mod", "self", Situation(applies_to="dodge", attack_kind="ranged")) == 0
    filed = Character(id="h", clan="hirasaka", ninpo=("pc_sealed_file",))
    for knows, wanted in (((), 0), (("secret",), -1)):
        assert passive(filed, "check_mod", "attacker", Situation(applies_to="attack", knows=knows)) == wanted


ROLL = {"target_number": 7, "context": "combat", "fumble_value": 4}
A = {"id": "A", "gear": {"soma_pill": 2, "prayer_seal": 1}}
B = {"id": "B", "gear": {"prayer_seal": 1}, "ohgi": ["dark_interference"]}
FATED = {"id": "A", "backgrounds": ["star_of_fate"]}
LOST = ["technology", "martial_arts", "stealth", "scheming", "strategy", "sorcery"]


def by(who: str, kind: str, **more: Any) -> dict[str, Any]:
    return {"by": who, "kind": kind, **more}


PILL, STAR, VEIL = by("A", "soma_pill"), by("A", "star_of_fate"), by("B", "dark_interference", die=0)
AWAY = {**B, "in_scene": False}
LEFT = {"prayer_seal": 1, "soma_pill": 0}
TWICE = {**B, "ohgi": ["dark_interference"] * 2}


@pytest.mark.parametrize(
    ("params", "dice", "expected"),
    [
        (
            {"roller": A, "reactions": [PILL] * 2},
            (1, 1, 1, 2, 6, 6),
            {"grade": "critical", "roller_gear": LEFT},
        ),  # SG-R11
        (
            {"roller": FATED, "gm_consent": True, "reactions": [STAR]},
            (1, 1, 3, 4),
            {"grade": "success"},
        ),  # SG-B36, SG-Z57
        ({"roller": {**FATED, "gm_consent": True}, "reactions": [STAR]}, (2, 3, 1, 1), {"consequence": "backlash"}),
        ({"roller": {**A, "cycle_penalty": -1}}, (3, 4), {"total": 6, "grade": "failure"}),  # SG-C18
        ({"roller": A, "auto": "perfect_success"}, (), {"natural": None, "total": 10, "grade": "success"}),  # SG-C16
        (
            {"roller": A, "others": [TWICE], "reactions": [VEIL, by("B", "dark_interference", die=1)]},
            (6, 6),
            {"natural": 2, "grade": "fumble"},
        ),
    ],
)
def test_reactions(params: dict[str, Any], dice: tuple[int, ...], expected: dict[str, Any]) -> None:
    """SG-R02..R06, SG-Z48, SG-Z49."""
    assert expected.items() <= throw("check_with_reactions", *dice, **ROLL, **params).items()


@pytest.mark.parametrize(
    ("params", "dice", "code"),
    [
        ({"roller": A, "reactions": [by("C", "soma_pill")]}, (), "unknown_character"),
        ({"roller": A, "others": [B], "reactions": [by("B", "soma_pill")]}, (), "not_your_decision"),
        ({"roller": A, "reactions": [by("A", "prayer_seal")]}, (), "cannot_target_self"),  # SG-R07
        ({"roller": {"id": "A"}, "reactions": [PILL]}, (), "gear_not_held"),  # SG-G01
        ({"roller": A, "reactions": [PILL] * 3}, (), "gear_not_held"),
        ({"roller": {**A, "lost": LOST}, "reactions": [PILL]}, (), "knocked_out"),  # SG-G09
        ({"roller": A, "auto": "perfect_success", "reactions": [PILL]}, (), "no_dice_to_change"),  # SG-R09
        ({"roller": A, "others": [B], "reactions": [by("B", "dark_interference")]}, (), "invalid_choice"),
        ({"roller": A, "others": [B], "reactions": [VEIL] * 2}, (), "ohgi_already_used"),
        ({"roller": A, "others": [AWAY], "reactions": [VEIL]}, (), "not_in_same_scene"),  # SG-R08
        ({"roller": {**A, "in_scene": False}, "others": [AWAY], "reactions": [VEIL]}, (), "not_in_same_scene"),
        ({"roller": A, "others": [{"id": "B"}], "reactions": [VEIL]}, (), "ohgi_unknown"),
        (
            {"roller": {**A, "ohgi": ["dark_interference"]}, "reactions": [by("A", "dark_interference", die=0)]},
            (),
            "cannot_target_self",
        ),  # SG-O16
        ({"roller": FATED, "reactions": [STAR]}, (), "gm_consent_missing"),
        ({"roller": A, "gm_consent": True, "reactions": [STAR]}, (), "not_your_decision"),
        ({"roller": FATED, "gm_consent": True, "reactions": [STAR] * 2}, (), "star_of_fate_used"),
        ({"roller": FATED, "gm_consent": True, "reactions": [STAR]}, (4, 4), "roll_not_failed"),
        ({"roller": A, "others": [B], "reactions": [by("B", "emomod")]}, (), "dice_already_rolled"),  # SG-R01
    ],
)
def test_refused_reactions(params: dict[str, Any], dice: tuple[int, ...], code: str) -> None:
    assert refused("check", "check_with_reactions", *dice, **ROLL, **params) == code


def test_odds_use_a_reaction_where_the_roll_allows_it() -> None:
    """SG-B36: a failed roll is thrown again, a success stands."""
    star = {"roller": FATED, "gm_consent": True, "reactions": [STAR]}
    once = chances("check_with_reactions", target_number=7, roller=FATED)
    assert once["critical"] == "1/36"
    assert chances("check_with_reactions", target_number=7, **star)["critical"] == "17/432"  # 1/36 (1 + 15/36)
