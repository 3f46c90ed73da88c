"""Fights by policies against the tables of the digest: SD-N11 and 23.8 (simulated there), 23.6 (exact); SD-Q15."""

from __future__ import annotations

import pytest

from systems.core.game import change
from systems.shinobido.creation import made
from systems.shinobido.entering import SAMPLES, TEMPLATES
from systems.shinobido.sheet import Sheet
from systems.shinobido.skirmish import Fought, skirmish

RUNS = 300


def sheet(kind: str, id: str) -> Sheet:
    return change(made(TEMPLATES.get(kind) or SAMPLES[kind]), id=id, arts=None)


def fights(sides: dict[str, tuple[Sheet, ...]], policy: str, order: tuple[str, ...] = ()) -> list[Fought]:
    policies = dict.fromkeys(sides, policy)
    return [skirmish(sides, policies, seed, order) for seed in range(RUNS)]


def near(share: float, wanted: float) -> bool:
    """Within four standard errors, and the rounding of the table."""
    return abs(share - wanted) < 4 * (max(wanted * (1 - wanted), 0.01) / RUNS) ** 0.5 + 0.015


SQUAD = ("balanced", "striker", "duelist")


@pytest.mark.parametrize(
    ("foe", "number", "wins", "rounds", "down"),
    [("guard", 9, 0.80, 8.3, 1.38), ("rival_shinobi", 3, 0.67, 10.9, 1.76), ("captain", 2, 0.80, 10.4, 1.36)],
)
def test_the_encounter_guide(foe: str, number: int, wins: float, rounds: float, down: float) -> None:
    """SD-N11."""
    sides = {
        "squad": tuple(sheet(one, one) for one in SQUAD),
        "foes": tuple(sheet(foe, f"foe {n}") for n in range(number)),
    }
    found = fights(sides, "weakest_first")
    assert near(sum(one.winner == "squad" for one in found) / RUNS, wins)
    assert abs(sum(one.rounds for one in found) / RUNS - rounds) < 1
    assert abs(sum(one.out["squad"] for one in found) / RUNS - down) < 0.35


@pytest.mark.parametrize(
    ("a", "b", "wins", "turns"),
    [("balanced", "striker", 0.278, 10.7), ("wall", "balanced", 0.672, 19.5), ("striker", "striker", 0.566, 8.9)],
)
def test_plain_duels_agree_with_the_exact_table(a: str, b: str, wins: float, turns: float) -> None:
    """23.6, SD-Q12."""
    found = fights({"a": (sheet(a, "a"),), "b": (sheet(b, "b"),)}, "attack_every_turn", ("a", "b"))
    assert near(sum(one.winner == "a" for one in found) / RUNS, wins)
    assert abs(sum(one.turns for one in found) / RUNS - turns) < turns * 0.15


@pytest.mark.parametrize(
    ("a", "b", "wins"), [("balanced", "mentalist", 0.74), ("mentalist", "balanced", 0.32), ("duelist", "wall", 0.71)]
)
def test_duels_with_arts_and_surges(a: str, b: str, wins: float) -> None:
    """23.8, SD-J22."""
    found = fights({"a": (sheet(a, "a"),), "b": (sheet(b, "b"),)}, "arts_and_surge", ("a", "b"))
    assert near(sum(one.winner == "a" for one in found) / RUNS, wins)


def test_the_same_seed_gives_the_same_fight() -> None:
    sides = {"a": (sheet("balanced", "a"),), "b": (sheet("oni", "b"),)}
    policies = {"a": "arts_and_surge", "b": "weakest_first"}
    assert skirmish(sides, policies, "x") == skirmish(sides, policies, "x")


def test_who_knows_no_art_strikes_by_hand() -> None:
    """SD-F04, SD-N10: an empty list of arts is not the same as none given."""
    unarmed = change(sheet("mentalist", "a"), arts=())
    guard = sheet("guard", "b")
    found = skirmish({"a": (unarmed,), "b": (guard,)}, {"a": "arts_and_surge", "b": "arts_and_surge"}, 1)
    assert found.turns
