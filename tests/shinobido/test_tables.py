"""Tables that are worked out, compared with the figures of the digest (section 23)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from systems.core.tables import RowTable
from systems.core.text import read_toml

from .by_name import CALLS


def table(id: str) -> RowTable:
    found = CALLS.find_table(id)
    assert found
    return found


def fact(id: str, row: str, *path: str) -> Any:
    at: Any = table(id)[row].facts
    for part in path:
        at = at[part]
    return at


def per_cent(p: Fraction, digits: int = 0) -> float:
    return round(float(p) * 100, digits)


@pytest.mark.parametrize(
    ("net", "ways", "p", "at_least"),
    [("minus_10", 1, 0.08, 100), ("minus_1", 140, 10.8, 66.44), ("0", 146, 11.27, 55.63), ("10", 1, 0.08, 0.08)],
)
def test_net_distribution(net: str, ways: int, p: float, at_least: float) -> None:
    """23.1."""
    assert fact("net_distribution", net, "ways") == ways
    assert per_cent(fact("net_distribution", net, "p"), 2) == p
    assert per_cent(fact("net_distribution", net, "p_at_least"), 2) == at_least


@pytest.mark.parametrize(
    ("modifier", "ways", "p", "degree_2", "degree_3"),
    [
        ("minus_10", 0, 0, 0, 0),
        ("minus_4", 126, 9.72, 1.2, 0),
        ("3", 986, 76.08, 44.4, 15.9),
        ("11", 1296, 100, 98.8, 90.3),
    ],
)
def test_success_by_modifier(modifier: str, ways: int, p: float, degree_2: float, degree_3: float) -> None:
    """23.2."""
    facts = table("success_by_modifier")[modifier].facts
    assert (facts["ways"], per_cent(facts["p_success"], 2)) == (ways, p)
    assert (per_cent(facts["p_degree_2"], 1), per_cent(facts["p_degree_3"], 1)) == (degree_2, degree_3)


@pytest.mark.parametrize(
    ("modifier", "shares", "expected"),
    [
        ("minus_8", (0.4, 5.0, 18.5, 31.7, 28.5, 15.9), 3.333),
        ("0", (44.4, 31.7, 18.5, 5.0, 0.4, 0.0), 0.853),
        ("8", (98.8, 1.2, 0.0, 0.0, 0.0, 0.0), 0.012),
    ],
)
def test_wounds_by_modifier(modifier: str, shares: tuple[float, ...], expected: float) -> None:
    """23.3."""
    facts = table("wounds_by_modifier")[modifier].facts
    assert tuple(per_cent(p, 1) for p in facts["wounds"].values()) == shares
    assert round(float(facts["expected_wounds"]), 3) == expected


@pytest.mark.parametrize(
    ("attack", "toughness", "expected"), [("minus_3", "-5", 0.371), ("0", "0", 0.379), ("5", "3", 0.268)]
)
def test_attack_expectation(attack: str, toughness: str, expected: float) -> None:
    """23.4."""
    assert round(float(fact("attack_expectation", attack, "expected_wounds", toughness)), 3) == expected


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ("minus_1_against_minus_3", (6.5, 8.3, 9.9, 11.4, 12.6, 13.8)),
        ("0_against_0", (9.0, 11.7, 13.9, 15.7, 17.1, 18.4)),
        ("3_against_1", (7.0, 9.1, 10.7, 12.0, 13.0, 13.9)),
    ],
)
def test_attacks_needed(row: str, expected: tuple[float, ...]) -> None:
    """23.5: Health 3 to 8."""
    assert tuple(round(float(one), 1) for one in fact("attacks_needed", row, "expected_attacks").values()) == expected


@pytest.mark.parametrize(
    ("row", "hit", "wound", "expected", "attacks"),
    [
        ("balanced_balanced", 44, 29, 0.49, 10.9),
        ("striker_charmer", 84, 71, 1.43, 4.0),
        ("charmer_wall", 34, 8, 0.10, 54.4),
        ("duelist_wall", 66, 22, 0.30, 18.9),
    ],
)
def test_sample_attacks(row: str, hit: int, wound: int, expected: float, attacks: float) -> None:
    """23.6, first table."""
    facts = table("sample_attacks")[row].facts
    assert (per_cent(facts["p_hit"]), per_cent(facts["p_wound"])) == (hit, wound)
    assert (round(float(facts["expected_wounds"]), 2), round(float(facts["expected_attacks"]), 1)) == (
        expected,
        attacks,
    )


@pytest.mark.parametrize(
    ("row", "wins", "turns"),
    [
        ("balanced_balanced", 52.9, 15.4),
        ("balanced_striker", 27.8, 10.7),
        ("wall_duelist", 56.3, 25.4),
        ("mentalist_wall", 1.1, 12.6),
        ("duelist_duelist", 52.3, 19.8),
    ],
)
def test_sample_duels(row: str, wins: float, turns: float) -> None:
    """23.6, second table."""
    facts = table("sample_duels")[row].facts
    assert (per_cent(facts["p_first_wins"], 1), round(float(facts["expected_turns"]), 1)) == (wins, turns)


@pytest.mark.parametrize(
    ("resist", "damage", "p", "wounds"), [("minus_3", "1", 90, 2.01), ("1", "3", 76, 1.39), ("5", "5", 56, 0.85)]
)
def test_focus_damage(resist: str, damage: str, p: int, wounds: float) -> None:
    """23.7."""
    assert per_cent(fact("focus_damage", resist, "p_wound", damage)) == p
    assert round(float(fact("focus_damage", resist, "expected_wounds", damage)), 2) == wounds


@pytest.mark.parametrize(
    ("strength", "tenacity", "p"), [("minus_3", "-3", 16), ("1", "-3", 10), ("5", "2", 16), ("4", "5", 44)]
)
def test_last_stand_chance(strength: str, tenacity: str, p: int) -> None:
    """23.9."""
    assert per_cent(fact("last_stand_chance", strength, "p_by_tenacity", tenacity)) == p


@pytest.mark.parametrize(("ahead", "shares"), [("0", (45.95, 8.09, 45.95)), ("8", (93.93, 2.18, 3.89))])
def test_contest_chance(ahead: str, shares: tuple[float, ...]) -> None:
    """23.10."""
    facts = table("contest_chance")[ahead].facts
    assert tuple(per_cent(facts[name], 2) for name in ("p_win", "p_tie", "p_lose")) == shares


@pytest.mark.parametrize(
    ("modifier", "plain", "again", "gain"),
    [("minus_5", 5.4, 11.0, 5.6), ("0", 44.4, 61.9, 17.5), ("5", 90.3, 96.2, 6.0)],
)
def test_reroll_gain(modifier: str, plain: float, again: float, gain: float) -> None:
    """23.11."""
    facts = table("reroll_gain")[modifier].facts
    shares = tuple(per_cent(facts[name], 1) for name in ("p_plain", "p_with_reroll", "gain"))
    assert shares == (plain, again, gain)


def test_every_number_table_has_all_rows() -> None:
    wanted = {
        "net_distribution": 21,
        "success_by_modifier": 22,
        "wounds_by_modifier": 17,
        "attack_expectation": 9,
        "attacks_needed": 25,
        "sample_attacks": 36,
        "sample_duels": 36,
        "focus_damage": 9,
        "last_stand_chance": 9,
        "contest_chance": 9,
        "reroll_gain": 11,
        "rulings": 40,
        "names": 13 + 5 + 16 + 41,
        "errors": 64,
    }
    assert {id: len(table(id).rows) for id in wanted} == wanted


def test_the_ladder_and_the_people_come_with_their_numbers() -> None:
    """SD-N03, SD-N08, SD-N10, SD-A06."""
    assert per_cent(fact("difficulties", "even", "p_by_rating", "3"), 1) == 55.6
    oni = table("npc_templates")["oni"].facts
    assert (oni["toughness"], oni["defense"], oni["health"]) == (4, 0, 8)
    guard = table("npc_templates")["guard"].facts
    assert (guard["health"], guard["focus_max"]) == (1, 0)
    assert (fact("sample_characters", "duelist", "defense"), fact("sample_characters", "charmer", "focus_max")) == (
        3,
        7,
    )


def test_the_tables_of_data_stand_as_announced() -> None:
    """Everything that `computed` promises is worked out, and every table has a name."""
    data = read_toml("systems.shinobido", "data/tables.toml")
    promised = {*data["computed"], *(id for id, one in data.items() if isinstance(one, dict))}
    assert promised == set(CALLS.table_ids)
    assert fact("names", "check.attack", "rules")[0] == "SD-C08"
