"""The odds questions against the digest's figures and against brute force (SG-Q01..Q20)."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from systems.core.errors import Illegal, OddsTooLarge
from systems.shinobigami.checks import SkillCheck, natural, succeeds

from .asking import AKARI, exact

PAIRS = [*product(range(1, 7), repeat=2)]


@pytest.mark.parametrize(
    ("question", "params", "answer"),
    [
        (
            "check",
            {"target_number": None},
            {"p_success": "1/36", "p_critical": "1/36", "p_fumble": "1/36"},
        ),  # SG-Q01, SG-Q02
        (
            "check",
            {"target_number": 5, "fumble_value": None},
            {"p_success": "5/6", "p_critical": "1/36", "p_fumble": "0"},
        ),
        ("check_with_soma", {"target_number": 8}, {"p_success": "95/144"}),  # SG-Q03
        ("check_with_soma", {"target_number": 8, "soma_pills": 0}, {"p_success": "5/12"}),
        ("check_against_seals", {"target_number": 6, "prayer_seals": 0}, {"p_success": "13/18"}),  # SG-Q04
        ("check_against_dark_interference", {"target_number": 6}, {"p_success": "1/9"}),  # SG-Q05
        ("check_against_dark_interference", {"target_number": 7}, {"p_success": "1/36"}),
        ("check_against_dark_interference", {"target_number": 8}, {"p_success": "0"}),
        ("break_against_interference", {"target_number": 5}, {"p_broken": "1/4"}),  # SG-Q09
        ("ohgi_survives", {"breakers": []}, {"p_survives": "1"}),  # SG-Q08
        ("close_critical_expected_lp", {"lost": 6}, {"expected_lp_lost": "0"}),  # SG-Q10
        ("close_category", {"category": "stealth"}, {"p": "1/6"}),  # SG-Q11
        ("close_category", {"category": "stealth", "lost": ["stealth"]}, {"p": "0"}),
        (
            "target_in_range",
            {"own_plot": 0, "range": 1, "target_plots": {"0": "1/2", "2": "1/2"}},
            {"p_in_range": "1/2"},
        ),  # SG-Q14
        (
            "target_in_range",
            {"own_plot": 5, "range": 0, "target_plots": {"0": "1/3", "5": "1/3", "4": "1/3"}},
            {"p_in_range": "2/3"},
        ),
        ("ailment_gone", {"target_number": 7, "cycles": 2}, {"p_gone": "119/144"}),  # SG-Q16
        ("information_found", {"p": ["1/2", "1/3"], "cycles": 2}, {"p_found": "8/9"}),  # SG-Q17
        ("information_found", {"p": [], "cycles": 3}, {"p_found": "0"}),
        ("extreme_hit", {"round": 1}, {"p_hit": "1/6"}),  # SG-Q18
        ("extreme_hit", {"round": 2}, {"p_hit": "4/9"}),
        ("extreme_hit", {"round": 100}, {"p_hit": "1"}),
        ("emotion_rows", {}, {"p": "1/6"}),  # SG-Q19
        ("emotion_rows", {"both": True}, {"p": "1/36"}),
        (
            "first_strike",
            {"own_plots": {"3": "1/2", "5": "1/2"}, "target_plots": {"3": 1}},
            {"p_first": "1/2", "p_simultaneous": "1/2"},
        ),  # SG-Q20
    ],
)
def test_figures(question: str, params: dict[str, Any], answer: dict[str, str]) -> None:
    got = exact(question, **params)
    assert got == answer


def test_mixed_gear_follows_the_recursion() -> None:
    """SG-Q04: V(k, j) = p (j > 0 ? V(k, j-1) : 1) + (1-p) (k > 0 ? V(k-1, j) : 0)."""
    p = Fraction(15, 36)

    def value(k: int, j: int) -> Fraction:
        return p * (value(k, j - 1) if j else 1) + (1 - p) * (value(k - 1, j) if k else 0)

    for k, j in product(range(4), repeat=2):
        got = exact("check_against_seals", target_number=8, soma_pills=k, prayer_seals=j)["p_success"]
        assert Fraction(got) == value(k, j)


@pytest.mark.parametrize("fumble", [None, 2, 5, 8])
@pytest.mark.parametrize("number", [None, 4, 6, 9])
def test_dark_interference_against_every_throw(number: int | None, fumble: int | None) -> None:
    """SG-Q05, SG-R04: a success whichever die becomes a 1."""
    check = SkillCheck(number, 1, fumble, 11)
    well = [a for a in PAIRS if all(succeeds(check.read(one)) for one in (a, (1, a[1]), (a[0], 1)))]
    params = {"target_number": number, "modifier": 1, "fumble_value": fumble, "critical_value": 11}
    got = exact("check_against_dark_interference", **params)
    assert Fraction(got["p_success"]) == Fraction(len(well), 36)


def test_an_exchange_against_every_pair_of_throws() -> None:
    """SG-Q07: water makes the Dodge worse, congestion the Fumble Values (SG-W05)."""
    for field, water, more in (("level_ground", 0, 0), ("water", -2, 0), ("congestion", 0, 1)):
        attack, dodge = SkillCheck(6, 0, 4 + more, 11), SkillCheck(8, water, 3 + more)
        both = [(attack.read(a), dodge.read(b)) for a, b in product(PAIRS, repeat=2)]
        hits = [a for a, b in both if succeeds(a) and not succeeds(b)]
        params = {"attack_target_number": 6, "attacker_plot": 4, "dodge_target_number": 8, "defender_plot": 3}
        got = exact("attack_exchange", **params, battlefield=field, critical_value=11)
        assert {name: Fraction(p) for name, p in got.items()} == {
            "p_hit": Fraction(len(hits), 36**2),
            "p_hit_critical": Fraction(hits.count("critical"), 36**2),
            "p_attacker_backlash": Fraction(sum(a == "fumble" for a, _ in both), 36**2),
            "p_defender_backlash": Fraction(sum(succeeds(a) and b == "fumble" for a, b in both), 36**2),
        }


def test_fumbles_by_plot() -> None:
    """SG-Q13: congestion is one row further."""
    row = [0, 1, 3, 6, 10, 15, 21, 26]
    assert [Fraction(exact("fumble_by_plot", plot=plot)["p_fumble"]) * 36 for plot in range(8)] == [1, *row[:7]]
    jammed = [exact("fumble_by_plot", plot=plot, battlefield="congestion")["p_fumble"] for plot in range(1, 8)]
    assert [Fraction(p) * 36 for p in jammed] == row[1:]


def test_life_points_lost_to_a_close_critical() -> None:
    """SG-Q10, SG-W34, SG-Z44: brute force for the amount 2 with two Categories lost."""
    wanted = [Fraction(0)] * 7
    for face in range(1, 7):
        for columns in product(range(6), repeat=max(face, 2)):
            wanted[len({one for one in columns if one > 1})] += Fraction(1, 6 ** (max(face, 2) + 1))
    got = [exact("close_critical_distribution", lost=2, normal_amount=2, lp=lp)["p"] for lp in range(7)]
    assert [Fraction(p) for p in got] == wanted
    mean = exact("close_critical_expected_lp", lost=2, normal_amount=2)["expected_lp_lost"]
    assert Fraction(mean) == sum(lp * p for lp, p in enumerate(wanted))
    full = [exact("close_critical_distribution", lp=lp)["p"] for lp in range(1, 7)]
    assert full == ["9331/46656", "11585/46656", "70/243", "805/3888", "35/648", "5/1944"]


def test_immortal_body_fades() -> None:
    """SG-Q12."""
    means = [exact("immortal_body", use=k)["expected_lp_recovered"] for k in range(1, 8)]
    assert means == ["5/2", "5/3", "1", "1/2", "1/6", "0", "0"]


def test_the_best_skill_is_the_first_of_the_best() -> None:
    """SG-Q06."""
    options = [{"id": id, "target_number": number} for id, number in (("far", 9), ("near", 5), ("same", 5))]
    got = exact("best_skill", options=options)
    assert got == {"best": "near", "p_success": {"far": "5/18", "near": "5/6", "same": "5/6"}}


def test_a_random_skill_is_the_mean_over_the_matrix() -> None:
    """SG-Q15: with nothing usable only a Critical succeeds, with a modifier more does."""
    assert exact("random_skill_check", character={"id": "a"}) == {"p_success": "1/36"}
    plain, better = (exact("random_skill_check", character=AKARI, modifier=one)["p_success"] for one in (0, 1))
    assert plain == "1411/2592" and Fraction(better) > Fraction(plain)


@pytest.mark.parametrize(
    ("question", "params"),
    [
        ("target_in_range", {"own_plot": 3, "range": 1, "target_plots": {"3": "1/2"}}),
        ("first_strike", {"own_plots": {"3": "3/2", "4": "-1/2"}, "target_plots": {"3": 1}}),
        ("information_found", {"p": ["3/2"], "cycles": 1}),
    ],
)
def test_chances_must_be_chances(question: str, params: dict[str, Any]) -> None:
    with pytest.raises(Illegal, match="invalid_choice"):
        exact(question, **params)


@pytest.mark.parametrize(
    ("question", "params"),
    [
        ("ailment_gone", {"target_number": 7, "cycles": 1001}),
        ("information_found", {"p": ["1/2"], "cycles": 1001}),
        ("close_critical_expected_lp", {"normal_amount": 37}),
    ],
)
def test_what_is_too_large_says_what_fits(question: str, params: dict[str, Any]) -> None:
    with pytest.raises(OddsTooLarge) as refusal:
        exact(question, **params)
    assert refusal.value.asked == refusal.value.limit + 1


def test_natural_rolls() -> None:
    assert natural((1, 5, 6)) == 11
