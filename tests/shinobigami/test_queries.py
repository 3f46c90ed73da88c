"""Use of ninpo, Range, Plots, who learns what, and the dying attack."""

from __future__ import annotations

from typing import Any

import pytest

from .asking import AKARI, ask, refused


@pytest.mark.parametrize(
    ("params", "error"),
    [
        ({"context": "combat", "plot": 0, "cost": 0}, None),  # SG-N06: Plot 0, Cost 0 only
        ({"context": "combat", "plot": 0, "cost": 1}, "cost_exceeded"),
        ({"context": "combat", "plot": 2, "spent_cost": 4, "cost": 0}, None),  # the Plot fell: spent stays spent
        ({"context": "combat", "plot": 2, "spent_cost": 4, "cost": 1}, "cost_exceeded"),
        ({"context": "combat", "plot": 3, "plot_phase_cost": 4, "cost": 0}, None),  # SG-N08
        ({"context": "combat", "plot": 3, "plot_phase_cost": 4, "cost": 9}, "cost_locked"),
        ({"context": "plot", "plot": 1, "plot_phase_cost": 3, "cost": 3}, None),  # SG-N07, SG-Z79
        ({"context": "plot", "cost": 7}, "plot_phase_cost_exceeded"),
        ({"context": "plot", "cost": 1, "timing": "plot_on_reveal"}, None),
        ({"context": "plot", "cost": 1, "timing": "own_turn"}, "ninpo_timing"),  # SG-N01
        ({"context": "combat", "plot": 3, "cost": 1, "timing": "plot_on_reveal"}, "ninpo_timing"),
        ({"context": "combat", "plot": 3, "cost": 0, "timing": "passive"}, "ninpo_timing"),
        ({"context": "combat", "plot": 3, "cost": 1, "timing": "any_time"}, None),
        ({"context": "combat", "plot": 3, "cost": 0, "timing": "drama_any"}, "ninpo_timing"),
        ({"context": "combat", "plot": 3, "cost": 0, "in_scene": False}, "not_in_scene"),
        ({"context": "drama", "cost": 9, "timing": "drama_any"}, None),  # SG-N11
        ({"context": "drama", "cost": 0, "timing": "attack"}, "ninpo_not_in_drama"),  # SG-N10
        ({"context": "drama", "cost": 0, "timing": "scene_not_present"}, "ninpo_not_in_drama"),
        ({"context": "drama", "cost": 0, "timing": "drama_any", "in_scene": False}, "not_in_scene"),  # SG-N12
        ({"context": "drama", "cost": 0, "timing": "drama_any", "in_scene": False, "remote": True}, None),
        ({"context": "drama", "cost": 0, "timing": "drama_own_scene", "in_scene": False}, "scene_player_only"),
        ({"context": "combat", "plot": 1, "cost": 5, "timing": "drama_any"}, "ninpo_timing"),  # SG-ERR1: timing first
    ],
)
def test_use_of_a_ninpo(params: dict[str, Any], error: str | None) -> None:
    answer = ask("use_ninpo_check", **params)
    assert (answer["allowed"], answer["error"]) == (error is None, error)
    assert ("fumble_value" in answer) == (params["context"] == "drama")


@pytest.mark.parametrize(
    ("own", "target", "reach", "more", "within"),
    [
        (6, 1, None, {}, True),  # SG-N05: no Range entry is no limit
        (3, 4, 1, {}, True),
        (0, 0, 0, {}, True),
        (0, 1, 0, {}, False),  # SG-W14
        (1, 0, 0, {"kind": "ohgi"}, True),
        (1, 3, 1, {"battlefield": "bad_weather"}, True),  # SG-W05
        (1, 3, 1, {"battlefield": "bad_weather", "kind": "support"}, False),  # SG-Z45
        (1, 3, 1, {"battlefield": "bad_weather", "kind": "ohgi"}, False),
    ],
)
def test_in_range(own: int, target: int, reach: int | None, more: dict[str, str], within: bool) -> None:
    assert ask("in_range", own_plot=own, target_plot=target, range=reach, **more) == {"in_range": within}


@pytest.mark.parametrize(
    ("plot", "amount", "after", "fumble"),
    [(3, 1, 4, 4), (6, 5, 7, 7), (1, -3, 0, 2), (2, -1, 1, None), (0, 2, 2, 2)],
)
def test_plots_stay_on_the_board(plot: int, amount: int, after: int, fumble: int | None) -> None:
    """SG-W13, SG-Z29, SG-C10."""
    assert ask("plot_shift", plot=plot, amount=amount) == {"plot": after, "fumble_value": fumble}


def learn(**changes: Any) -> dict[str, Any]:
    return {"learner": "akari", "item": {"kind": "location", "subject": "botan"}, **changes}


def tie(holder: str, toward: str) -> dict[str, str]:
    return {"holder": holder, "toward": toward}


SECRET = {"kind": "secret", "subject": "botan", "index": 1}
FUGITIVE = [{"id": "fugitive", "params": {"clan": "kurama"}}]
HUNTED = {"subject_backgrounds": FUGITIVE, "learner_clan": "kurama", "choices": {"botan_category": "stealth"}}


@pytest.mark.parametrize(
    ("params", "learned_by", "is_open", "lost"),
    [
        (learn(already_known_by=["akari"], bonds=[tie("doro", "akari")]), [], False, []),  # SG-I01, SG-Z51
        (learn(item={"kind": "location", "subject": "akari"}, bonds=[tie("doro", "akari")]), [], False, []),  # SG-I02
        (learn(bonds=[tie("botan", "akari"), tie("doro", "akari")], already_known_by=["doro"]), ["akari"], False, []),
        (learn(bonds=[tie("doro", "akari")], sealed_bonds=[tie("doro", "akari")]), ["akari"], False, []),  # SG-E06
        (
            learn(bonds=[tie("akari", "ren")], switches={"infoshare_direction": "holder_shares"}),
            ["akari", "ren"],
            False,
            [],
        ),
        (learn(item={"kind": "ohgi", "subject": "botan"}, pcs=["akari", "botan"]), ["akari"], False, []),
        (learn(item=SECRET, pcs=["akari", "botan"]), ["akari"], True, []),  # SG-I09
        (learn(item=SECRET, pcs=["akari", "botan", "doro"]), ["akari"], False, []),
        (learn(item=SECRET, pcs=["akari", "botan", "doro"], bonds=[tie("doro", "akari")]), ["akari", "doro"], True, []),
        (learn(item=SECRET), ["akari"], False, []),
        (learn(**HUNTED), ["akari"], False, ["stealth"]),  # SG-I11, SG-B39
        (learn(**{**HUNTED, "learner_clan": "oni"}), ["akari"], False, []),
        (learn(**HUNTED, item=SECRET), ["akari"], False, []),
        (learn(**HUNTED, already_known_by=["akari"]), [], False, []),
    ],
)
def test_who_learns_an_item(params: dict[str, Any], learned_by: list[str], is_open: bool, lost: list[str]) -> None:
    """SG-I05, SG-I06, SG-I07, SG-U05."""
    answer = ask("learn_information", **params)
    assert answer == {"learned_by": learned_by, "open_knowledge": is_open, "subject_lost": lost}


def test_a_fugitive_must_say_where_it_hurts() -> None:
    assert refused("query", "learn_information", **learn(**{**HUNTED, "choices": {}})) == "invalid_choice"


CURSED = {"ailments": [{"id": "cursed", "target": "pg_two_breath_cut"}]}


@pytest.mark.parametrize(
    ("changes", "ninpo", "expected"),
    [
        ({"paralyzed": ["blade"]}, "pg_two_breath_cut", {"allowed": True, "target_number": 5}),
        (CURSED, "pg_two_breath_cut", {"allowed": False, "error": "ninpo_sealed"}),  # SG-N13
        ({}, "pg_stand_between", {"allowed": True, "target_number": None}),  # SG-N02
        ({}, "pg_calm_pulse", {"allowed": False, "error": "ninpo_timing"}),
        ({"skills": []}, "pg_two_breath_cut", {"allowed": True, "target_number": None}),
        ({"backlash": True}, "pg_two_breath_cut", {"warnings": ["death_attack_in_backlash"]}),
        (
            {"ninpo": [{"ninpo_id": "pg_thrown_edge", "assigned_skill": "speed"}]},
            "pg_thrown_edge",
            {"target_number": 5},
        ),
    ],
)
def test_the_dying_attack(changes: dict[str, Any], ninpo: str, expected: dict[str, Any]) -> None:
    """SG-X11, SG-Z33."""
    answer = ask("death_attack_check", character={**AKARI, **changes}, ninpo=ninpo, plot=1)
    assert expected.items() <= answer.items()


def test_the_dying_attack_needs_a_ninpo_with_its_skill() -> None:
    """SG-B10, SG-B13."""
    for ninpo, code in (("carpet", "ninpo_unknown"), ("pg_thrown_edge", "assigned_skill_missing")):
        assert refused("query", "death_attack_check", character=AKARI, ninpo=ninpo, plot=1) == code
