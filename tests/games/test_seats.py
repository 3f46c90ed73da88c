"""Seats: invites work once, tokens belong to one seat of one game, and nothing passes to who comes after."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from service.problems import Problem
from service.usecases.games import answering, seats
from service.usecases.games.seats import SeatBody, SeatChange
from tests.store.conftest import fresh_database

from .conftest import refused
from .toy_games import Hall

KEY = "k" * 22


def test_an_invite_gives_one_token_once(hall: Hall) -> None:
    made = hall.invites("Cy", characters=("c",))
    taken = hall.redeems(made["invite"])
    assert taken["seat"] == made["seat"] and taken["game"] == hall.id
    view = hall.desk().at(hall.with_token(taken["token"]))
    assert (view.seat.id, view.seat.role, view.seat.characters) == (made["seat"], "player", ("c",))
    assert hall.said("b")[-3:] == ["SeatAdded", "CastChanged", "SeatTaken"]
    with refused("invite_spent"):
        hall.redeems(made["invite"])
    with refused("unknown_invite", 404):
        hall.redeems("i_guessed")


def test_a_lost_answer_can_be_had_again_with_its_key(hall: Hall) -> None:
    asked = hall.asked("gm", key=KEY, mark="add")
    first = seats.add(hall.desk(), asked, SeatBody("C"))
    again = seats.add(hall.desk(), asked, SeatBody("C"))
    assert again.replayed and again.answer == first.answer
    taken = hall.redeems(first.answer["invite"], KEY)
    assert hall.redeems(first.answer["invite"], KEY) == taken
    for other in (None, "o" * 22):
        with refused("invite_spent"):
            hall.redeems(first.answer["invite"], other)


def test_the_same_key_of_another_holder_or_game_makes_other_secrets(hall: Hall, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    other = Hall(tmp_path / "other")
    made = [seats.add(one.desk(), one.asked("gm", key=KEY), SeatBody("C")).answer for one in (hall, other)]
    assert made[0]["invite"] != made[1]["invite"] and made[0]["seat"] != made[1]["seat"]


@pytest.mark.parametrize("database", ["sqlite", "postgres"])
def test_of_racing_redeems_exactly_one_wins(tmp_path: Path, database: str, request: pytest.FixtureRequest) -> None:
    url = fresh_database(request.getfixturevalue("postgres"), "seats") if database == "postgres" else tmp_path
    hall = Hall(url)
    code = hall.invites()["invite"]

    def redeem(_: int) -> str:
        try:
            return str(hall.redeems(code)["token"])
        except Problem as problem:
            return str(problem.more["code"])

    with ThreadPoolExecutor(6) as many:
        found = list(many.map(redeem, range(6)))
    assert found.count("invite_spent") == 5
    assert hall.said("gm").count("SeatTaken") == 3, "a, b and the winner"
    hall.games.close()


def test_no_secret_is_kept(hall: Hall, tmp_path: Path) -> None:
    made = hall.invites()
    token = hall.redeems(made["invite"])["token"]
    hall.games.close()
    kept = b"".join(one.read_bytes() for one in tmp_path.iterdir() if one.is_file())
    assert made["seat"].encode() in kept
    assert made["invite"].encode() not in kept and token.encode() not in kept


@pytest.mark.parametrize("who", ["a", "b"])
def test_players_neither_add_nor_reinvite_nor_remove_others(hall: Hall, who: str) -> None:
    other = "b" if who == "a" else "a"
    before = hall.shown_to("gm")
    wrongs: tuple[Callable[[], object], ...] = (
        lambda: seats.add(hall.desk(), hall.asked(who), SeatBody("X")),
        lambda: seats.reinvite(hall.desk(), hall.asked(who), other),
        lambda: seats.reinvite(hall.desk(), hall.asked(who), who),
        lambda: seats.remove(hall.desk(), hall.asked(who), other),
        lambda: seats.remove(hall.desk(), hall.asked(who), "s_guessed"),
        lambda: seats.change(hall.desk(), hall.asked(who), other, SeatChange(name="X")),
        lambda: seats.change(hall.desk(), hall.asked(who), who, SeatChange(role="gm")),
        lambda: seats.change(hall.desk(), hall.asked(who), who, SeatChange(characters=("a", "b"))),
    )
    for wrong in wrongs:
        with refused("not_gm"):
            wrong()
    assert hall.shown_to("gm") == before


def test_a_token_is_of_one_game_only(hall: Hall, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    other = Hall(tmp_path / "other")
    for wrong in (seats.listed, seats.renew):
        with refused("unknown_game", 404):
            wrong(hall.desk(), hall.with_token(other.gm))
    with refused("no_token", 401):
        hall.desk().at(hall.with_token(""))


def test_players_change_their_own_name(hall: Hall) -> None:
    seats.change(hall.desk(), hall.asked("a"), "a", SeatChange(name="Ayame"))
    named = {one["id"]: one["name"] for one in seats.listed(hall.desk(), hall.asked("b"))["seats"]}
    assert named["a"] == "Ayame"


def test_the_gm_moves_the_cast(hall: Hall) -> None:
    hall.strikes("a", "b")
    seats.change(hall.desk(), hall.asked("gm"), "a", SeatChange(characters=()))
    assert hall.questions("a") == [] and len(hall.questions("gm")) == 1
    seats.change(hall.desk(), hall.asked("gm"), "b", SeatChange(characters=("a", "b")))
    assert len(hall.questions("b")) == 2
    with refused("spectators_watch"):
        seats.change(hall.desk(), hall.asked("gm"), "a", SeatChange(role="spectator", characters=("a",)))
    with refused("unknown_seat", 404):
        seats.change(hall.desk(), hall.asked("gm"), "s_none", SeatChange(name="X"))


def test_a_spectator_plays_nobody(hall: Hall) -> None:
    seats.change(hall.desk(), hall.asked("gm"), "a", SeatChange(role="spectator"))
    assert hall.desk().at(hall.asked("a")).seat.characters == ()
    with refused("spectators_watch"):
        hall.strikes("a", "b")


def test_the_last_gm_stays(hall: Hall) -> None:
    with refused("last_gm"):
        seats.remove(hall.desk(), hall.asked("gm"), "gm")
    second = hall.invites("Second", role="gm")
    with refused("last_gm"):
        seats.change(hall.desk(), hall.asked("gm"), "gm", SeatChange(role="player"))
    token = hall.redeems(second["invite"])["token"]
    seats.remove(hall.desk(), hall.asked("gm"), "gm")
    with refused("unknown_game", 404):
        hall.desk().at(hall.asked("gm"))
    with refused("last_gm"):
        seats.remove(hall.desk(), hall.with_token(token), second["seat"])


def test_the_questions_of_a_seat_that_leaves_pass_to_the_gm(hall: Hall) -> None:
    hall.strikes("a", "b")
    (asked,) = hall.questions("a")
    seats.remove(hall.desk(), hall.asked("a"), "a")
    with refused("unknown_game", 404):
        hall.view("a")
    assert hall.questions("gm") == [asked]
    hall.answers("gm", "pass")
    hall.answers("b", "pass")


def test_what_a_seat_has_answered_stays_when_it_leaves(hall: Hall) -> None:
    hall.strikes("a", "b")
    hall.answers("a", "pass")
    seats.remove(hall.desk(), hall.asked("gm"), "a")
    assert hall.questions("gm") == []


def test_an_invite_ends_with_its_seat(hall: Hall) -> None:
    made = hall.invites()
    seats.remove(hall.desk(), hall.asked("gm"), made["seat"])
    with refused("unknown_invite", 404):
        hall.redeems(made["invite"])


def test_a_reinvited_seat_starts_afresh_and_all_see_it(hall: Hall) -> None:
    first = hall.invites()
    answering.always(hall.desk(), hall.asked("a"), "reroll_strike", "pass", {}, "revoked")
    code = seats.reinvite(hall.desk(), hall.asked("gm"), "a").answer["invite"]
    assert hall.said("b")[-1] == "SeatReinvited"
    with refused("unknown_game", 404):
        hall.view("a")
    token = hall.redeems(code)["token"]
    assert hall.desk().at(hall.with_token(token)).standing.always == ()
    newer = seats.reinvite(hall.desk(), hall.asked("gm"), first["seat"]).answer["invite"]
    with refused("unknown_invite", 404):
        hall.redeems(first["invite"])
    assert hall.redeems(newer)["seat"] == first["seat"]


def test_the_sealed_answer_of_a_reinvited_seat_is_dropped_unseen(hall: Hall) -> None:
    hall.strikes("a", "b")
    hall.answers("a", "spend")
    code = seats.reinvite(hall.desk(), hall.asked("gm"), "a").answer["invite"]
    token = hall.redeems(code)["token"]
    found = hall.desk().at(hall.with_token(token))
    waiting = found.standing.waiting
    assert waiting and len(waiting.window.given) == 0
    (question,) = (found.standing.question_id(at) for at in waiting.window.open_for("a"))
    answering.answer(hall.desk(), hall.with_token(token), question, "pass", {})
    hall.answers("b", "pass")
    assert "charm_spent" not in hall.said("gm")


def test_the_sealed_pick_of_a_reinvited_seat_is_dropped_even_after_an_undo(hall: Hall) -> None:
    hall.wagers("a", "b")
    code = seats.reinvite(hall.desk(), hall.asked("gm"), "a").answer["invite"]
    cursor = hall.view("gm")["cursor"]
    assert hall.desk().at(hall.asked("gm")).standing.game.wagers.dict() == {}
    hall.wagers("b", "b")
    hall.undo(cursor)
    assert hall.desk().at(hall.asked("gm")).standing.game.wagers.dict() == {}
    token = hall.redeems(code)["token"]
    found = hall.desk().at(hall.with_token(token))
    assert found.system.view(found.standing.game, found.seat).wagers.dict() == {}


def test_a_renewed_token_ends_the_old_one(hall: Hall) -> None:
    asked = hall.asked("a", key=KEY, mark="renew")
    token = seats.renew(hall.desk(), asked).answer["token"]
    with refused("unknown_game", 404):
        hall.view("a")
    again = seats.renew(hall.desk(), asked)
    assert again.replayed and again.answer["token"] == token
    assert hall.desk().at(hall.with_token(token)).seat.id == "a"
    with refused("unknown_game", 404):
        seats.renew(hall.desk(), hall.asked("a", key="o" * 22))
    seats.reinvite(hall.desk(), hall.asked("gm"), "a")
    with refused("unknown_game", 404):
        seats.renew(hall.desk(), asked)


def test_a_table_has_fifty_seats_at_most(hall: Hall) -> None:
    for at in range(47):
        hall.invites(f"S{at}")
    with refused("too_many"):
        hall.invites("one more")


def test_the_operator_lets_a_gm_in_again(hall: Hall) -> None:
    code = seats.operator_invite(hall.desk(), hall.id, "gm")
    assert hall.said("a")[-1] == "SeatReinvited"
    assert hall.redeems(code)["seat"] == "gm"
    watcher = hall.redeems(seats.operator_invite(hall.desk(), hall.id, "spectator"))
    assert hall.desk().at(hall.with_token(watcher["token"])).seat.role == "spectator"
    with refused("unknown_game", 404):
        seats.operator_invite(hall.desk(), "g_none", "gm")


def test_clock_ticks_and_seats_do_not_change_the_dice_that_come_again(hall: Hall) -> None:
    """Only what is played moves the step: table acts within it neither fish for dice nor forecast them."""
    start = hall.view("gm")["cursor"]
    hall.strikes("a", "b")
    hall.passes("a", "b")
    before = hall.faces()
    hall.undo(start)
    hall.strikes("a", "b")
    hall.invites("meanwhile")
    hall.passes("a", "b")
    assert hall.faces() == [*before, *before]
