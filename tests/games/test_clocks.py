"""Free clocks: whose they are, what they report, and that hidden ones are nowhere to be found."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from service.usecases.games import clocks, epochs, transfer
from service.usecases.games.clocks import ClockBody, ClockChange

from .conftest import refused
from .toy_games import Hall


def _tick(hall: Hall, who: str, clock: str, ticks: int) -> dict[str, Any]:
    return clocks.tick(hall.desk(), hall.asked(who), clock, ticks).answer


@pytest.mark.parametrize(
    ("overflow", "ticks", "filled", "fills", "lost"),
    [("lost", 6, 4, 1, 2), ("carry", 9, 1, 2, 0), ("signed", -5, -1, -1, 0), ("lost", -1, 0, 0, 1)],
)
def test_a_tick_reports_fills_and_losses(
    hall: Hall, overflow: Any, ticks: int, filled: int, fills: int, lost: int
) -> None:
    clock = hall.clock("gm", "Alarm", overflow=overflow)
    told = _tick(hall, "gm", clock, ticks)
    assert (told["clock"]["filled"], told["fills"], told["lost"]) == (filled, fills, lost)
    assert hall.view("a")["clocks"][clock]["filled"] == filled


def test_ids_come_from_names_and_stay_unique(hall: Hall) -> None:
    assert [hall.clock("gm", "The Alarm!"), hall.clock("gm", "the alarm"), hall.clock("gm", "警報")] == [
        "the-alarm",
        "the-alarm-2",
        "clock",
    ]
    with refused("clock_exists"):
        hall.clock("gm", "x", id="clock")


def test_players_own_what_they_make(hall: Hall) -> None:
    mine = hall.clock("a", "Plan")
    assert hall.view("b")["clocks"][mine]["owner"] == "a"
    _tick(hall, "a", mine, 1)
    for who, wrong in (("b", mine), ("b", hall.clock("gm", "Alarm"))):
        for act in (
            lambda who=who, known=wrong: _tick(hall, who, known, 1),
            lambda who=who, known=wrong: clocks.change(hall.desk(), hall.asked(who), known, ClockChange(name="X")),
            lambda who=who, known=wrong: clocks.remove(hall.desk(), hall.asked(who), known),
        ):
            with refused("not_your_clock"):
                act()
    with refused("not_gm"):
        hall.clock("a", "Plan", owner="b")
    with refused("not_gm"):
        clocks.change(hall.desk(), hall.asked("a"), mine, ClockChange(owner="b"))


def test_a_hidden_clock_is_as_one_that_does_not_exist(hall: Hall) -> None:
    """A cheating player tries every route: nothing differs by a byte from a game without the clock."""
    before = {who: hall.shown_to(who) for who in "ab"}
    id = hall.clock("gm", "Doom", hidden=True)
    _tick(hall, "gm", id, 2)
    clocks.change(hall.desk(), hall.asked("gm"), id, ClockChange(segments=8))
    assert {who: hall.shown_to(who) for who in "ab"} == before
    for wrong in (id, "nothing"):
        for act in (
            lambda known=wrong: _tick(hall, "a", known, 1),
            lambda known=wrong: clocks.change(hall.desk(), hall.asked("a"), known, ClockChange(name="X")),
            lambda known=wrong: clocks.remove(hall.desk(), hall.asked("a"), known),
        ):
            with refused("unknown_clock", 404):
                act()
    assert hall.clock("a", "Doom", id="doom") == "a.doom", "its id is not taken for others"
    hidden = str(transfer.export(hall.desk(), hall.asked("b")))
    assert "segments': 8" not in hidden
    clocks.remove(hall.desk(), hall.asked("gm"), id)
    assert "ClockRemoved" not in hall.said("b")


def test_a_clock_that_goes_into_hiding_is_gone_for_the_others(hall: Hall) -> None:
    id = hall.clock("gm", "Doom", owner="a")
    clocks.change(hall.desk(), hall.asked("gm"), id, ClockChange(hidden=True))
    assert hall.said("b")[-1] == "ClockRemoved" and hall.said("a")[-1] == "ClockSet"
    assert id in hall.view("a")["clocks"] and id not in hall.view("b")["clocks"]
    clocks.change(hall.desk(), hall.asked("gm"), id, ClockChange(owner="b"))
    assert hall.said("a")[-1] == "ClockRemoved" and hall.said("b")[-1] == "ClockSet"


def test_hidden_progress_shows_the_clock_but_not_its_filling(hall: Hall) -> None:
    id = hall.clock("gm", "Doom", progress_hidden=True, filled=1)
    before = hall.shown_to("b")
    _tick(hall, "gm", id, 2)
    assert hall.shown_to("b") == before
    assert before[3]["clocks"][id]["filled"] is None
    assert hall.view("gm")["clocks"][id]["filled"] == 3


def test_clocks_go_on_while_a_question_is_open(hall: Hall) -> None:
    id = hall.clock("gm", "Alarm")
    hall.strikes("a", "b")
    assert _tick(hall, "gm", id, 1)["clock"]["filled"] == 1
    hall.passes("a", "b")


def test_ticks_at_once_are_all_counted(hall: Hall) -> None:
    id = hall.clock("gm", "Alarm", 1_000)
    with ThreadPoolExecutor(6) as many:
        list(many.map(lambda _: _tick(hall, "gm", id, 1), range(12)))
    assert hall.view("gm")["clocks"][id]["filled"] == 12


def test_what_does_not_fit_is_refused(hall: Hall) -> None:
    for filled, overflow in ((5, "lost"), (-1, "carry"), (-5, "signed")):
        with refused("invalid"):
            hall.clock("gm", "Alarm", filled=filled, overflow=overflow)
    with refused("invalid"):
        hall.clock("gm", "Alarm", owner="s_none")
    id = hall.clock("gm", "Alarm", filled=4)
    with refused("invalid"):
        clocks.change(hall.desk(), hall.asked("gm"), id, ClockChange(segments=3))
    for ticks in (0, 1_001, -1_001):
        with refused("invalid"):
            _tick(hall, "gm", id, ticks)


def test_a_player_has_twenty_clocks_whatever_others_hide(hall: Hall) -> None:
    for at in range(20):
        hall.clock("a", "Plan")
        if at < 3:
            hall.clock("gm", "Doom", hidden=True)
    with refused("too_many"):
        hall.clock("a", "Plan")


def test_nothing_moves_in_a_closed_game(hall: Hall) -> None:
    id = hall.clock("gm", "Alarm")
    epochs.close(hall.desk(), hall.asked("gm"), "all")
    with refused("game_closed"):
        _tick(hall, "gm", id, 1)
    with refused("game_closed"):
        clocks.make(hall.desk(), hall.asked("gm"), ClockBody("x", 1))
