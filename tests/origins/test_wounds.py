"""The harm chart, healing, hunger and travel, waking (SO-H01..H04, SO-H19..H34, SO-D19, SO-T16)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from .asking import ask, chance, chart, refused, throw


@pytest.mark.parametrize(
    ("before", "level", "after", "recorded"),
    [
        (chart(), 1, chart("W"), 1),
        (chart("ab"), 1, chart("ab", "W"), 2),
        (chart("ab", "cd"), 1, chart("ab", "cd", "W"), 3),
        (chart("", "cd", "e"), 2, chart("", "cd", "e"), None),
    ],
)
def test_wounds_climb(before: Any, level: int, after: Any, recorded: int | None) -> None:
    """SO-H01..H04, SO-R22: lower free rows do not help."""
    answer = ask("take_harm", harm_chart=before, level=level, name="W")
    assert (answer["harm_chart"], answer["recorded_level"], answer["dead"]) == (after, recorded, recorded is None)


def test_boxes_and_the_healing_clock_have_switches() -> None:
    """SO-H24, SO-R22, SO-R26."""
    boxes = {"harm_boxes": {"3": 2}}
    assert not ask("take_harm", harm_chart=chart("", "", "e"), level=3, config=boxes)["dead"]
    assert ask("take_harm", level=1, healing_clock=3)["healing_clock"] == 3
    assert ask("take_harm", level=1, healing_clock=3, config={"clear_healing_on_new_harm": True})["healing_clock"] == 0
    assert ask("take_harm", level=1)["harm_chart"]["1"] == ["Wound"]


@pytest.mark.parametrize(
    ("before", "clock", "ticks", "after", "wanted"),
    [
        (chart("a", "b", "c"), 3, 1, chart("b", "c"), (0, 1)),
        (chart("a", "b", "c"), 0, 12, chart(), (0, 3)),
        (chart("a"), 2, 9, chart(), (0, 1)),
        (chart("", "b"), 3, 3, chart("b"), (2, 1)),
        (chart(), 2, 3, chart(), (0, 0)),
    ],
)
def test_healing(before: Any, clock: int, ticks: int, after: Any, wanted: tuple[int, int]) -> None:
    """SO-H19..H21, SO-R25."""
    answer = ask("heal", harm_chart=before, healing_clock=clock, ticks=ticks)
    assert answer["harm_chart"] == after and (answer["healing_clock"], answer["fills"]) == wanted


def test_hunger_blocks_a_box() -> None:
    """SO-H22, SO-H23, SO-R27: what cannot drop stays, and Drained heals like any wound (SO-D20)."""
    full = {"1": ["Hunger", "Thirst"], "2": ["Cut", "Burn"], "3": []}
    assert ask("heal", harm_chart=full, ticks=1_000_000) == {"harm_chart": full, "healing_clock": 0, "fills": 250_000}
    half = {"1": ["Hunger", "Drained"], "2": ["Cut", "Burn"], "3": []}
    after = ask("heal", harm_chart=half, ticks=4)["harm_chart"]
    assert after == {"1": ["Hunger", "Cut"], "2": ["Burn"], "3": []}


def test_the_healing_clock_may_be_larger() -> None:
    """SO-R25."""
    config = {"healing_clock_size": 6}
    assert ask("heal", harm_chart=chart("a"), healing_clock=5, ticks=0, config=config)["fills"] == 0
    assert ask("heal", harm_chart=chart("a"), healing_clock=5, ticks=1, config=config)["fills"] == 1


@pytest.mark.parametrize(
    ("lack", "faces", "chakra", "wanted"),
    [
        ("food", (3,), 5, (False, 5, False, ["Hunger"])),
        ("water", (3,), 5, (False, 5, False, ["Thirst"])),
        ("water", (4,), 5, (True, 3, False, [])),
        ("food", (4,), 1, (True, 0, True, [])),
        ("food", (6, 6), 4, (True, 4, False, [])),
    ],
)
def test_privation(lack: str, faces: tuple[int, ...], chakra: int, wanted: tuple[Any, ...]) -> None:
    """SO-H29..H31, SO-R28, SO-R29: a critical is free and restores nothing."""
    answer = throw("privation_test", *faces, lack=lack, pool=len(faces), chakra=chakra)
    found = answer["passed"], answer["chakra"], answer["unconscious"], answer["harm_chart"]["1"]
    assert found == wanted and answer["success"] is answer["passed"]
    assert answer["recorded_level"] == (None if answer["passed"] else 1)


def test_starving_can_kill() -> None:
    """SO-H32, SO-H04."""
    answer = throw("privation_test", 1, lack="food", pool=1, harm_chart=chart("ab", "cd", "e"))
    assert answer["dead"] and answer["recorded_level"] is None


def test_eating_and_drinking() -> None:
    """SO-H33."""
    rows = {"1": ["Hunger", "Thirst"], "2": ["Hunger"], "3": ["Leg"]}
    assert ask("eat", kind="food", harm_chart=rows)["harm_chart"] == {"1": ["Thirst"], "2": [], "3": ["Leg"]}
    assert ask("eat", kind="water", harm_chart=rows)["harm_chart"]["1"] == ["Hunger"]


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ({"characters": 2, "necessities": 5}, (3, 0, 0, [])),
        ({"characters": 2, "animals": [4, 0], "feed": 1}, (0, 2, 0, [4, 1])),
        ({"animals": [4, 3], "feed": 0}, (0, 0, 0, [4, 4])),
        ({"animals": [0], "feed": 3, "grazing": True}, (0, 0, 3, [0])),
        ({"animals": [0], "feed": 3}, (0, 0, 2, [0])),
    ],
)
def test_a_day_of_travel(given: dict[str, Any], wanted: tuple[Any, ...]) -> None:
    """SO-H28, SO-H34, SO-R30."""
    answer = ask("travel_day", **given)
    found = answer["necessities"], answer["characters_without"], answer["feed"], answer["animal_clocks"]
    assert found == wanted


def test_waking() -> None:
    """SO-D19, SO-D20, SO-T16, SO-R74: Drained can climb and kill."""
    assert ask("awaken", harm_chart=chart("ab"))["recorded_level"] == 2
    assert ask("awaken")["unconscious"] is False
    assert refused("awaken", unconscious=False) == "not_unconscious"
    woken = throw("wake_ally", 4, pool=1, ally_harm_chart=chart("ab"))
    assert (woken["woken"], woken["chakra"], woken["harm_chart"]["2"], woken["effect"]) == (True, 1, ["Drained"], 2)
    assert throw("wake_ally", 3, pool=1)["success"] is False


@pytest.mark.parametrize(
    ("comfort", "gold", "chakra", "left"),
    [
        ("exposed", 0, 2, 0),
        ("rugged", 0, 4, 0),
        ("comfortable", 0, 6, 0),
        ("pampered", 1, 8, 0),
        ("luxurious", 3, 10, 1),
    ],
)
def test_rest(comfort: str, gold: int, chakra: int, left: int) -> None:
    """SO-W04, SO-R52."""
    answer = ask("rest", comfort=comfort, gold=gold, harm_chart=chart("a"), healing_clock=1)
    assert (answer["chakra"], answer["gold"], answer["healing_clock"]) == (chakra, left, 3)
    assert ask("rest", comfort="exposed", chakra=9)["chakra"] == 10
    assert refused("rest", comfort="pampered") == "insufficient_gold"


def test_treatment() -> None:
    """SO-H26, SO-H27, SO-R73: a herb is two effect, at the downtime rate."""
    answer = throw("treat", 1, pool=1, herb=True, bonus_effect=2, harm_chart=chart("a", "b"))
    assert (answer["effect"], answer["fills"], answer["healing_clock"], answer["harm_chart"]) == (5, 1, 1, chart("b"))


@pytest.mark.parametrize(
    ("name", "given"),
    [("take_harm", {"level": 1}), ("heal", {"ticks": 1}), ("rest", {"comfort": "rugged"}), ("treat", {"pool": 1})],
)
def test_a_full_healing_clock_is_none(name: str, given: dict[str, Any]) -> None:
    """SO-H19: it has emptied as it filled, so what is given is less than its size; larger clocks hold more."""
    call = throw if name == "treat" else ask
    faces = (4,) if name == "treat" else ()
    with pytest.raises(msgspec.ValidationError):
        call(name, *faces, **given, healing_clock=4)
    larger = {"healing_clock": 4, "harm_chart": chart("a"), "config": {"healing_clock_size": 8}}
    assert call(name, *faces, **given, **larger)["healing_clock"] >= 4


def test_the_odds_of_death_know_the_switches() -> None:
    """SO-H04 with SO-R22 and SO-R13: another box saves, throwing moot kinds again brings more harm."""
    asked = {"pool": 1, "position": "desperate", "harm_chart": chart("", "", "e")}
    assert chance("harm_death", **asked)["p_death"] == "5/18"
    assert chance("harm_death", **asked, config={"harm_boxes": {"3": 2}})["p_death"] == "0"
    again = {"config": {"moot_consequence": "reroll"}}
    assert chance("harm_death", **asked, **again)["p_death"] == "14/45"  # 1/2 * 2/5 + 1/3 * 1/3
