"""The Skill Matrix, distances and Target Numbers (SG-M01..M13)."""

from __future__ import annotations

from itertools import product
from typing import Any, get_args

import pytest

from systems.core.text import read_toml
from systems.shinobigami import ids
from systems.shinobigami.matrix import CATEGORIES, CLANS, COLUMNS, SKILLS, distance
from systems.shinobigami.sheet import Character, target_number

from .asking import AKARI, ask, refused, throw


def test_the_matrix_has_six_columns_of_eleven_rows() -> None:
    """SG-M01."""
    assert len(CATEGORIES) == 6 and all(len(column) == 11 for column in COLUMNS) and len({*SKILLS}) == 66


@pytest.mark.parametrize(
    ("names", "kind"),
    [
        (ids.Category, "category"),
        (ids.Clan, "clan"),
        (ids.Battlefield, "battlefield"),
        (ids.Context, "context"),
        (ids.GearType, "gear"),
        (ids.CharacterKind, "character_kind"),
    ],
)
def test_the_closed_lists_agree_with_the_words(names: Any, kind: str) -> None:
    assert {*get_args(names)} == {*read_toml("systems.shinobigami", "labels/en.toml")["terms"][kind]}


def test_the_timings_agree_with_the_vocabulary() -> None:
    assert {*get_args(ids.Timing)} == {*read_toml("systems.shinobigami", "data/ninpo_vocabulary.toml")["timings"]}


@pytest.mark.parametrize(
    ("start", "to", "clan", "squares"),
    [
        ("blade", "blade", "kurama", 0),  # SG-M08
        ("engineering", "burrow", "kurama", 10),  # SG-M05: rows do not wrap
        ("engineering", "riding", "kurama", 1),  # SG-M03: g1 is filled
        ("riding", "survival", "kurama", 1),
        ("survival", "medicine", "kurama", 2),  # SG-M02: an open Gap
        ("engineering", "transformation", "hasuba", 9),  # SG-M05, SG-Z04: g0 alone does not join the edges
        ("engineering", "transformation", "oni", 9),
        ("engineering", "transformation", "otogi", 8),
    ],
)
def test_distance_counts_rows_and_gaps(start: str, to: str, clan: str, squares: int) -> None:
    """SG-M04."""
    assert ask("distance", **{"from": start, "to": to, "clan": clan}) == {"distance": squares}


def test_a_distance_is_symmetric_and_wrapping_never_lengthens_it() -> None:
    """SG-M06, SG-M07: every pair of every clan."""
    for clan, (a, b) in product(CLANS, product(SKILLS[::5], SKILLS[::7])):
        apart = distance(a, b, clan=clan)
        assert apart == distance(b, a, clan=clan)
        around = [distance(a, b, clan=clan, wrap_columns=c, wrap_rows=r) for c, r in ((True, False), (False, True))]
        assert distance(a, b, clan=clan, wrap_columns=True, wrap_rows=True) <= min(around) <= apart


def test_row_wrap_is_a_separate_effect() -> None:
    """SG-M07: min(d, 11 - d)."""
    assert [distance("engineering", skill, clan=None, wrap_rows=True) for skill in COLUMNS[0]] == [
        0, 1, 2, 3, 4, 5, 5, 4, 3, 2, 1,
    ]  # fmt: skip


def test_several_nearest_skills_leave_the_choice_open() -> None:
    """SG-M11: the number is the same, the skill is not named."""
    character = {**AKARI, "skills": ["blade", "aerial_arts"]}
    answer = ask("target_number", character=character, skill="hand_to_hand")
    assert answer == {"target_number": 6, "distance": 1, "critical_only": False}


@pytest.mark.parametrize(
    ("changes", "number", "used"),
    [
        ({}, 5, "blade"),
        ({"lost": ["martial_arts"]}, 12, "analysis"),
        ({"lost": ["martial_arts"], "kept_skills": ["blade"]}, 5, "blade"),
        ({"lost": ["martial_arts"], "kept_skills": ["martial_arts"]}, 5, "blade"),
        ({"kept_skills": ["blade"], "paralyzed": ["blade"]}, 6, "hand_to_hand"),
        ({"ailments": [{"id": "paralysis", "target": "blade"}]}, 6, "hand_to_hand"),
        (
            {"ninpo": [{"ninpo_id": "pg_unbroken_form", "choices": {"skill": "blade"}}], "lost": ["martial_arts"]},
            5,
            "blade",
        ),
        (
            {
                "ninpo": [{"ninpo_id": "pg_unbroken_form", "choices": {"skill": "blade"}}],
                "lost": ["martial_arts"],
                "ailments": [{"id": "cursed", "target": "pg_unbroken_form"}],
            },
            12,
            "analysis",
        ),
    ],
)
def test_what_is_usable(changes: dict[str, Any], number: int, used: str) -> None:
    """SG-M09, SG-N13, SG-Z05: an Equip ninpo that keeps a skill works until it is sealed."""
    answer = ask("target_number", character={**AKARI, **changes}, skill="blade")
    assert (answer["target_number"], answer["used_skill"]) == (number, used)


def test_equip_ninpo_wrap_the_matrix() -> None:
    """SG-N32, SG-M06; SG-N13: sealed they do not."""
    sheet = {"id": "a", "clan": "hasuba", "skills": ["engineering"], "ninpo": ["hadesology"]}
    assert ask("target_number", character=sheet, skill="transformation")["target_number"] == 6
    sealed = {**sheet, "ailments": [{"id": "cursed", "target": "hadesology"}]}
    assert ask("target_number", character=sealed, skill="transformation")["target_number"] == 14
    rows = {"id": "a", "clan": "kurama", "skills": ["engineering"], "ninpo": ["pg_ring_learning"]}
    assert ask("target_number", character=rows, skill="burrow")["target_number"] == 6


def test_an_enemy_loses_no_skills() -> None:
    """SG-S13: its Gaps follow from the specialised Category."""
    enemy = Character(
        id="guard", kind="enemy", specialised_category="sorcery", skills=("curse",), lp_slots=3, slots_lost=2
    )
    assert target_number(enemy, "curse").value == 5 and enemy.lp == 1
    assert target_number(enemy, "contacts").value == 6


@pytest.mark.parametrize(
    ("kind", "name", "params", "code"),
    [
        ("query", "distance", {"from": "blade", "to": "cooking_oil", "clan": "kurama"}, "unknown_skill"),
        ("query", "distance", {"from": "blade", "to": "blade", "clan": "koga"}, "unknown_clan"),
        ("query", "target_number", {"character": AKARI, "skill": "swords"}, "unknown_skill"),
        ("query", "target_number", {"character": {**AKARI, "clan": "koga"}, "skill": "blade"}, "unknown_clan"),
        ("query", "target_number", {"character": {"id": "a", "skills": ["swords"]}, "skill": "blade"}, "unknown_skill"),
    ],
)
def test_unknown_ids_are_refused(kind: str, name: str, params: dict[str, Any], code: str) -> None:
    assert refused(kind, name, **params) == code


def test_a_random_skill_of_a_fixed_category_needs_two_dice() -> None:
    """SG-M13."""
    answer = throw("random_skill", 6, 6, category="sorcery")
    assert (answer["category"], answer["skill"], answer["success"]) == ("sorcery", "curse", None)


@pytest.mark.parametrize(
    ("n", "dice", "index"),
    [(1, (), 1), (2, (5, 2), 2), (6, (6,), 6), (7, (2, 1), 7), (7, (2, 2, 1, 1), 1), (36, (6, 6), 36)],
)
def test_random_pick(n: int, dice: tuple[int, ...], index: int) -> None:
    """SG-A05, SG-Z11: no die for one thing, one up to six, two up to 36; too high throws again."""
    assert throw("random_pick", *dice, n=n)["index"] == index


@pytest.mark.parametrize(("dice", "result"), [((5, 4), 45), ((4, 5), 45), ((6, 6), 66), ((1, 6), 16)])
def test_d66(dice: tuple[int, int], result: int) -> None:
    """SG-A01, SG-A02."""
    assert throw("d66", *dice)["result"] == result
