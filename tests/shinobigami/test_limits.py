"""What the checks refuse: odds that are too large to follow, and choices that fit nothing; and how sheets are read."""

from __future__ import annotations

import time
from typing import Any

import pytest

from systems.core.calls import odds
from systems.core.convert import to_struct
from systems.core.dice import ScriptedDice
from systems.core.errors import OddsTooLarge
from systems.core.play import AssumedAnswers, DiceChance, Play
from systems.shinobigami.combat_names import battle_of
from systems.shinobigami.names import calls
from systems.shinobigami.reactions import breaks
from systems.shinobigami.sheet import Character, Ohgi

from .asking import AKARI, BOTAN, chances, refused, throw

AILING = [{"id": "breakdown"}, {"id": "paralysis", "target": "blade"}, {"id": "amnesia", "target": "b0"}]
OHGI = {"owner": "doro", "type": "critical_hit", "assigned_skill": "blade"}
LONG = "1000000000000000000000000000000/10000000000000000000000000000007"


def breakers(number: int) -> list[dict[str, Any]]:
    return [{**BOTAN, "id": f"x{at}", "plot": 1 + at % 6, "knows_ohgi": True} for at in range(number)]


def bonds(number: int) -> dict[str, Any]:
    return {f"b{at}": {"emotion": "envy", "sign": "-"} for at in range(number)}


@pytest.mark.parametrize(
    ("check", "params", "what"),
    [
        ("ohgi_break", {"ohgi": OHGI, "breakers": breakers(16)}, "breakers"),  # SG-O33
        ("cycle_end_recovery", {"character": {**AKARI, "ailments": AILING, "bonds": bonds(40)}}, "sheet"),  # SG-P11
    ],
)
def test_odds_that_are_too_large_are_refused_at_once(check: str, params: dict[str, Any], what: str) -> None:
    call = calls.checks[check]
    asked, begun = to_struct(params, call.params), time.perf_counter()
    with pytest.raises(OddsTooLarge) as refusal:
        odds(call, asked)
    assert (refusal.value.args[0].split(":")[0], time.perf_counter() - begun < 0.1) == (what, True)


@pytest.mark.parametrize(
    ("check", "params"),
    [
        ("ohgi_break", {"ohgi": OHGI, "breakers": breakers(8)}),
        ("cycle_end_recovery", {"character": {**AKARI, "ailments": AILING, "bonds": bonds(6)}}),
    ],
)
def test_the_largest_odds_that_are_followed(check: str, params: dict[str, Any]) -> None:
    assert chances(check, **params)


@pytest.mark.parametrize("p", [["5/6"] * 64, [LONG] * 64])
def test_a_fraction_too_long_to_write_down_is_refused(p: list[str]) -> None:
    """SG-Q17"""
    question = calls.odds_questions["information_found"]
    with pytest.raises(OddsTooLarge):
        question.function(to_struct({"p": p, "cycles": 1000}, question.params))


def test_bonds_count_down_in_sheet_order() -> None:
    """SG-H25, SG-A05: the order of the sheet, not of the alphabet."""
    given = {"doro": {"emotion": "envy", "sign": "-"}, "botan": {"emotion": "envy", "sign": "-"}}
    assert throw("gain_ailment", 5, 1, character={**AKARI, "bonds": given})["ailments"] == [
        {"id": "amnesia", "target": "doro"}
    ]


def test_an_area_attack_takes_as_many_categories_as_it_costs() -> None:
    """SG-O12"""
    target = {**BOTAN, "plot": 2}
    given = {"type": "area_attack", "user": {**AKARI, "plot": 3}, "targets": [target]}
    assert refused("check", "use_ohgi", **given, choices={"botan": ["technology"]}) == "invalid_choice"
    assert refused("check", "use_ohgi", **given, choices={"botan": ["technology", "technology"]}) == "invalid_choice"


def test_a_critical_mob_attack_gives_ailments_only() -> None:
    """SG-W34"""
    given = {"attacker": {**BOTAN, "plot": 3}, "defender": {**AKARI, "plot": 3}, "ninpo": "pg_murmuring_crowd"}
    given |= {"assigned_skill": "bluff", "dodge_with": "decline", "choices": {"ailments": ["no_ailment"]}}
    assert refused("check", "attack", 6, 6, **given) == "invalid_choice"


def test_a_critical_break_gives_a_life_point_back() -> None:
    """SG-O32, SG-C07: a break is a check like any other."""
    breaker = to_struct({**BOTAN, "lost": ["technology"], "plot": 3}, Character)
    play = Play(battle_of(("akari", breaker), "main"), DiceChance(ScriptedDice([6, 6])), AssumedAnswers())
    assert breaks(play, "botan", "akari", Ohgi(type="critical_hit", assigned_skill="blade"))
    assert play.game["botan"].sheet.lost == ()
