"""The grid, the order of goes, cartwheels, the reaper (sections 5, 6, 8, 13.3, 15, 18)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from .asking import ask, query_refused, throw

GRID: dict[str, Any] = {"width": 10, "height": 8}


@pytest.mark.parametrize(
    ("grid", "start", "end", "blocked"),
    [
        ({"walls": [[1, 1]]}, [0, 0], [2, 2], [[1, 1]]),  # NS-G02, NS-RUL18
        ({"walls": [[1, 0], [0, 1]]}, [0, 0], [1, 1], []),  # NS-G03
        ({"obstacles": [[1, 0], [3, 0]]}, [0, 0], [4, 0], [[1, 0], [3, 0]]),
        ({"enemies": [[0, 2]]}, [0, 0], [0, 4], [[0, 2]]),  # NS-RUL51
        ({"enemies_of_viewer": [[0, 2]]}, [0, 4], [0, 0], [[0, 2]]),
        ({"allies": [[0, 2]], "others": [[0, 1]]}, [0, 0], [0, 4], []),
        ({"walls": [[0, 0], [4, 1]]}, [0, 0], [4, 1], []),  # the end squares never block
        ({"walls": [[1, 1]]}, [0, 0], [3, 1], []),
        ({"walls": [[1, 0], [2, 1]]}, [0, 0], [3, 1], [[1, 0], [2, 1]]),
    ],
)
def test_line_of_sight(grid: dict[str, Any], start: list[int], end: list[int], blocked: list[list[int]]) -> None:
    sight = ask("line_of_sight", grid={**GRID, **grid}, **{"from": start, "to": end})
    assert (sight["blocked_by"], sight["visible"]) == (blocked, not blocked)


def test_distance() -> None:
    """NS-G01, NS-G04, NS-RUL19: a diagonal is one square; adjacent are the eight around. Without a map the NM rules on
    both (NS-G05): `adjacent` and `visible` are parameters."""
    for end, apart in (([1, 1], 1), ([0, 1], 1), ([3, 2], 3), ([0, 0], 0)):
        sight = ask("line_of_sight", grid=GRID, **{"from": [0, 0], "to": end})
        assert (sight["distance"], sight["adjacent"]) == (apart, apart == 1)


def knocked(at: list[int], karate: int = 3, **grid: Any) -> dict[str, Any]:
    return ask("knockback", grid={**GRID, **grid}, attacker_pos=[1, 1], target_pos=at, attacker_karate=karate)


def test_knock_away() -> None:
    """NS-S16 to S19, NS-RUL34."""
    assert knocked([2, 1])["position"] == [5, 1]
    edge = knocked([0, 0])
    assert (edge["position"], edge["moved"], edge["collision"], edge["collision_damage"]) == ([0, 0], 0, True, 1)
    diagonal = knocked([2, 2], obstacles=[[4, 4]])
    assert (diagonal["direction"], diagonal["position"], diagonal["collision"]) == ([1, 1], [3, 3], True)
    skewed = knocked([3, 2], karate=1)
    assert skewed["direction"] == [1, 1] and skewed["collision_damage"] == 0
    by_damage = ask(
        "knockback",
        grid=GRID,
        attacker_pos=[1, 1],
        target_pos=[2, 1],
        check_ability="wazamae",
        damage_before_reduction=2,
    )
    assert (by_damage["distance"], by_damage["position"]) == (2, [4, 1])


def test_landing_on_somebody() -> None:
    """NS-S19: the nearest free square; one choice needs nobody to choose."""
    around = [[x, y] for x in (4, 5, 6) for y in (0, 1, 2) if (x, y) != (6, 2)]
    alone = knocked([2, 1], enemies=around)
    assert (alone["position"], alone["overlap_choices"]) == ([6, 2], [[6, 2]])
    several = knocked([2, 1], karate=2, allies=[[4, 1]])
    assert "position" not in several and len(several["overlap_choices"]) == 8


def test_grids_are_checked() -> None:
    for params in (
        {"grid": {**GRID, "walls": [[10, 0]]}, "from": [0, 0], "to": [1, 1]},
        {"grid": GRID, "from": [0, 0], "to": [0, 8]},
        {"grid": GRID, "from": [-1, 0], "to": [0, 0]},
    ):
        with pytest.raises(msgspec.ValidationError):
            ask("line_of_sight", **params)
    for target in ([1, 1], [2, 1]):
        with pytest.raises(msgspec.ValidationError):
            ask("knockback", grid=GRID, attacker_pos=[1, 1], target_pos=target)


def one(id: str, side: str, initiative: int, **more: Any) -> dict[str, Any]:
    return {"id": id, "side": side, "initiative": initiative, **more}


def test_ties_in_the_order() -> None:
    """NS-I03, NS-I05, NS-I07, NS-I08, NS-RUL59: players first, then the NM's, neutrals among them."""
    fighters = [
        one("n", "neutral", 1),
        one("e", "enemy", 1),
        one("p", "pc", 0),
        one("q", "pc", -5),
        one("f", "enemy", 2),
    ]
    plain = ask("initiative_order", combatants=fighters)
    assert plain["order"] == ["f", "p", "q", "n", "e"] and plain["placement_order"] == ["e", "n", "q", "p", "f"]
    ruled = ask("initiative_order", combatants=fighters, party_order=["q", "p"], gm_order=["e", "n"])
    assert ruled["order"] == ["f", "q", "p", "e", "n"]
    with pytest.raises(msgspec.ValidationError):
        ask("initiative_order", combatants=[one("a", "pc", 1), one("a", "pc", 1)])


def test_duels() -> None:
    """NS-P01 to P03, NS-RUL14: half is exact, after the floor of 1; players win ties."""
    duel = ask("initiative_order", duel=True, combatants=[one("e", "enemy", 8), one("p", "pc", 4)])
    assert duel["order"] == ["e", "p", "e", "p"] and duel["placement_order"] == ["p", "e"]
    low = ask("initiative_order", duel=True, combatants=[one("e", "enemy", 1), one("p", "pc", -3)])
    assert low["order"] == ["p", "e", "p", "e"]
    for fighters in ([one("p", "pc", 4)], [one("p", "pc", 4), one("e", "enemy", 4, category="boss")]):
        assert query_refused("initiative_order", duel=True, combatants=fighters) == "duel_needs_two_ninja_alone"


@pytest.mark.parametrize(("turn", "mode"), [(1, "normal"), (3, "normal"), (4, "hard"), (6, "hard"), (7, "ultra_hard")])
def test_atmosphere(turn: int, mode: str) -> None:
    """NS-O01 to O03."""
    assert ask("atmosphere", turn=turn) == {"mode": mode}
    assert ask("atmosphere", turn=turn, boss_present=False) == {"mode": "normal"}


def test_purse() -> None:
    """NS-F05, NS-RUL47."""
    assert ask("share_pool", pool=3, members=4) == {"each": 0, "remainder": 3}


def test_cartwheels() -> None:
    """NS-G15, NS-G19, NS-G20, NS-G21, NS-RUL16, NS-RUL17, NS-RUL52."""
    door = throw("cartwheel", "6661", pool=4, leg=3)
    assert (door["grade"], door["pass_blocked_window"], door["pass_blocked_door"]) == ("critical", True, True)
    failed = throw("cartwheel", "66", pool=2, leg=3, mods=[4])
    assert (failed["difficulty"], failed["grade"], failed["pass_blocked_window"]) == ("UH3", "failure", False)
    assert throw("cartwheel", "", pool=0, leg=3)["squares_allowed"] == 0
    exploring = throw("cartwheel", "", pool=0, leg=3, exploration=True)
    assert (exploring["grade"], exploring["squares_allowed"], exploring["pass_blocked_window"]) == ("success", 6, False)


def marked(id: str, dkk: int, darkness: int = 0) -> dict[str, Any]:
    return {"id": id, "dkk": dkk, "darkness": darkness}


def test_wasshoi() -> None:
    """NS-W06 to W10, NS-RUL39, NS-C23: a sum of two dice, at or below the highest DKK."""
    tie = throw("wasshoi_check", "11", ninja=[marked("b", 3), marked("a", 2, 1), marked("c", 1)])
    assert (tie["target_number"], tie["entry"], tie["prey"]) == (3, True, ["b", "a"])
    assert throw("wasshoi_check", "66", ninja=[marked("a", 11, 1)])["prey"] == "a"
    for dkk in (0, 1):
        stays = throw("wasshoi_check", "11", ninja=[marked("a", dkk)])
        assert stays["grade"] == "failure" and "prey" not in stays


@pytest.mark.parametrize(
    ("die", "missing", "applied", "distance", "steps"),
    [
        (1, [], 1, [3, 4], 0),
        (2, ["windows"], 2, None, 0),
        (3, ["windows"], 1, [3, 4], 0),
        (4, ["doors", "windows", "treasure", "npcs"], 4, [2, 2], 1),
        (5, [], 5, None, 1),
        (5, ["treasure"], 1, [3, 4], 0),
        (6, [], 6, None, 2),
        (6, ["npcs"], 1, [3, 4], 0),
    ],
)
def test_entries(die: int, missing: list[str], applied: int, distance: list[int] | None, steps: int) -> None:
    """NS-W11 to W13."""
    entry = throw("reaper_entry", str(die), **dict.fromkeys(missing, False))
    assert (entry["row"], entry["applied_row"], entry["distance"], entry["cartwheel_mod"]) == (
        die,
        applied,
        distance,
        steps,
    )
    assert entry["grade"] == ("as_rolled" if die == applied else "row_one") and entry["success"] is None
