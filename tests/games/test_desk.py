"""The game service in a made-up system: messages, secrecy, time, undo (API section 2, DESIGN sections 1 and 4)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from service.problems import Problem
from service.usecases.games import answering, offering
from service.usecases.games.standing import decoded
from service.usecases.games.undoing import restored
from service.usecases.games.views import etag
from systems.core.dice import Pool, SeededDice

from .conftest import refused
from .playing import SYSTEM, Playing


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Playing]:
    found = Playing(tmp_path)
    yield found
    found.games.close()


def test_a_strike_is_thrown_shown_and_waits_for_all(table: Playing) -> None:
    reply = table.strikes("a", "b").answer
    assert [one["type"] for one in reply["events"]] == ["DiceRolled", "was_thrown"]
    assert [one["topic"] for one in reply["pending"]["questions"]] == ["reroll_strike"]
    assert table.view("gm")["pending"] == {"questions": [], "paused": True}
    assert table.view("b")["paused"]


def test_the_game_goes_on_over_any_number_of_processes(table: Playing) -> None:
    table.strikes("a", "b")
    table.until_the_end()
    assert table.view("a")["waiting_for"] == [{"character": "b", "seat": "b", "topic": "turn"}]
    table.strikes("b", "a")
    table.until_the_end()
    assert table.view("a")["state"]["turn"] == "a"


def test_the_state_is_what_the_events_of_the_log_lead_to(table: Playing) -> None:
    for who, target in ("ab", "ba", "ab", "ba"):
        if not table.desk().at(table.asked("gm")).standing.game.over:
            table.strikes(who, target)
            table.until_the_end()
    found = table.desk().at(table.asked("gm"))
    assert restored(table.desk(), found, found.head.seq) == found.standing.game


def test_a_sealed_answer_changes_nothing_for_anybody_else(table: Playing) -> None:
    table.strikes("a", "b")
    before = {who: (table.bytes_for(who), table.events(who), table.log(who)) for who in ("b", "gm")}
    reply = table.answers("a", "spend").answer
    assert reply["events"] == [] and reply["pending"] == {"questions": [], "paused": True}
    assert {who: (table.bytes_for(who), table.events(who), table.log(who)) for who in ("b", "gm")} == before


def test_nobody_reads_in_the_log_who_closed_a_veiled_window_and_how(table: Playing) -> None:
    table.strikes("a", "b")
    table.answers("a", "spend")
    table.answers("b", "pass")
    shown = [one for one in table.log("a") if any(event["type"] == "charm_spent" for event in one["events"])]
    assert "message" not in shown[0] and "seat" not in shown[0]
    (spent,) = (event for event in table.events("b")["events"] if event["type"] == "charm_spent")
    assert spent["by"] == "somebody"


def test_a_standing_answer_is_used_whenever_the_question_comes(table: Playing) -> None:
    before = table.bytes_for("a"), table.bytes_for("gm")
    answering.always(table.desk(), table.asked("b"), "reroll_strike", "pass", {}, "revoked")
    assert (table.bytes_for("a"), table.bytes_for("gm")) == before
    table.strikes("a", "b")
    assert table.questions("b") == []
    answering.always(table.desk(), table.asked("b"), "reroll_strike", None, {}, "revoked")
    assert table.view("b")["standing_answers"] == []


def test_a_deadline_answers_with_silence_for_whoever_comes_next(tmp_path: Path) -> None:
    table = Playing(tmp_path, window_seconds=60)
    table.strikes("a", "b")
    table.answers("a", "pass")
    (asked,) = table.questions("b")
    assert table.games.due(table.now + 59_000, 10) == []
    table.now += 60_000
    assert table.games.due(table.now, 10) == [table.id]
    assert asked not in table.questions("b"), "looking at the game was enough to close the window"
    assert not table.desk().timeout(table.id), "what came after it is not overdue"


def test_every_new_window_has_its_own_deadline_and_its_own_questions(tmp_path: Path) -> None:
    table = Playing(tmp_path, window_seconds=60)
    table.strikes("a", "b")
    first = {*table.questions("a"), *table.questions("b")}
    table.now += 30_000
    table.answers("a", "spend")
    table.answers("b", "pass")
    assert not first & {*table.questions("a"), *table.questions("b")}
    deadline = table.view("a")["pending"]["questions"][0]["deadline"]
    assert deadline == "1970-01-01T00:18:10.000Z", "30 seconds later than the first, which would be 00:17:40"


@pytest.mark.parametrize("who", ["b", "gm"])
def test_questions_of_others_and_closed_ones_are_refused_alike(table: Playing, who: str) -> None:
    table.strikes("a", "b")
    (own,) = table.questions("a")
    for question in (own, "q_00000000000000000000", "x" * 10_000):
        with refused("not_asked"):
            table.answers(who, "pass", question)
    table.answers("a", "pass")
    with refused("not_asked"):
        table.answers("a", "pass", own)


def test_the_gm_answers_skips_and_cancels(table: Playing) -> None:
    table.strikes("a", "b")
    first, second = (one["id"] for one in table.view("gm")["open_questions"])
    table.gm_does("gm_answer", question=first, answer={"action": "pass"})
    assert table.questions("a") == []
    table.gm_does("gm_skip", question=second)
    if table.view("gm")["paused"]:
        reply = table.gm_does("gm_cancel", reason="the lights went out").answer
        assert reply["events"][0]["type"] == "Cancelled"
    assert not table.view("gm")["paused"]


def test_a_gm_who_skips_learns_nothing_about_a_sealed_answer(table: Playing) -> None:
    table.strikes("a", "b")
    table.answers("a", "spend")
    question = table.view("gm")["open_questions"][0]["id"]
    before = table.bytes_for("gm")
    assert table.gm_does("gm_skip", question=question).answer["events"] == []
    assert table.bytes_for("gm") == before


def test_cancelling_brings_back_the_state_and_the_same_dice_come_again(table: Playing) -> None:
    state = table.view("a")["state"]
    table.strikes("a", "b")
    cursor = table.view("b")["cursor"]
    table.gm_does("gm_cancel", reason="")
    assert table.view("a")["state"] == state and not table.view("a")["paused"]
    assert table.events("b", cursor)["events"][0]["since"] != cursor
    table.strikes("a", "b")
    first, second = table.faces()
    assert first == second, "undo does not fish for better dice"


def test_undo_leads_back_to_an_event_and_neither_fishes_nor_forecasts(table: Playing) -> None:
    start = table.view("gm")["cursor"]
    state = table.view("a")["state"]
    table.strikes("a", "b")
    table.until_the_end()
    thrown = table.faces()
    reply = table.undo(start).answer
    assert reply["events"][-1]["type"] == "Undone" and reply["events"][-1]["to"] == start
    assert table.view("a")["state"] == state
    table.strikes("a", "b")
    table.until_the_end()
    assert table.faces() == [*thrown, *thrown], "the same messages on the same state get the same dice"
    assert [one.get("undone", False) for one in table.log("gm") if one["kind"] == "command"] == [True, False]


def test_other_messages_after_an_undo_throw_fresh_dice(table: Playing) -> None:
    start = table.view("gm")["cursor"]
    table.strikes("a", "b")
    table.undo(start)
    before = table.desk().at(table.asked("gm")).standing.counter
    answering.command(table.desk(), table.asked("gm"), "strike", {"who": "a", "target": "b"})
    assert table.desk().at(table.asked("gm")).standing.counter > before, "the GM's strike is another message"


def test_only_the_gm_undoes_and_only_to_own_cursors(table: Playing) -> None:
    cursor = table.view("a")["cursor"]
    with refused("bad_cursor"):
        table.undo(cursor)
    for bad in ("", "x", "A" * 20, "é" * 20, "A" * 10_000):
        with refused("bad_cursor"):
            table.undo(bad)


def test_an_idempotency_key_gives_the_same_answer_and_carries_out_once(table: Playing) -> None:
    first = table.strikes("a", "b", key="k" * 22, mark="strike")
    again = table.strikes("a", "b", key="k" * 22, mark="strike")
    assert again.replayed and again.answer == first.answer and len(table.faces()) == 1
    with refused("key_reused"):
        table.strikes("a", "b", key="k" * 22, mark="something else")


def test_the_key_of_one_seat_is_free_for_another(table: Playing) -> None:
    table.strikes("a", "b", key="k" * 22, mark="strike")
    assert not table.answers("b", "pass", key="k" * 22, mark="pass").replayed


def test_if_match_refuses_what_was_decided_on_an_old_view(table: Playing) -> None:
    mark = etag(table.bytes_for("a"))
    table.strikes("a", "b", if_match=mark)
    with refused("stale", 412):
        table.answers("b", "pass", if_match=mark)
    assert table.questions("b")


def test_tokens_open_their_own_game_only(table: Playing, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    other = Playing(tmp_path / "other")
    table.gm, kept = other.gm, table.gm
    with refused("unknown_game", 404):
        table.view("gm")
    table.gm = ""
    with pytest.raises(Problem, match="401"):
        table.view("gm")
    table.gm = kept


def test_a_command_while_the_game_waits_is_refused_and_changes_nothing(table: Playing) -> None:
    table.strikes("a", "b")
    before = table.bytes_for("a"), table.faces()
    with refused("decision_pending"):
        table.strikes("a", "b")
    with refused("unknown_command"):
        answering.command(table.desk(), table.asked("a"), "stirke", {})
    assert (table.bytes_for("a"), table.faces()) == before


def test_events_come_in_pages_without_gap_or_repetition(table: Playing) -> None:
    table.strikes("a", "b")
    table.until_the_end()
    whole = table.events("a")["events"]
    found: list[Any] = []
    page = table.events("a", None, 2)
    while True:
        found += page["events"]
        if not page["more"]:
            break
        page = table.events("a", page["cursor"], 2)
    assert found == whole and len({one["id"] for one in whole}) == len(whole)
    assert table.events("a", page["cursor"]) == {"events": [], "cursor": page["cursor"], "more": False}


def test_odds_come_from_what_the_seat_knows(table: Playing) -> None:
    shown = table.odds("a")
    assert [one["given"] for one in shown["cases"]] == [{"b": 0}, {"b": 1}], "whether b has a charm left is hidden"
    assert shown["cases"][0]["success"] == "65/216"
    offers = offering.offers(table.desk(), table.asked("a"), True)["offers"]
    assert offers[0]["odds"][0]["cases"] == shown["cases"]
    assert offering.offers(table.desk(), table.asked("b"), True)["offers"] == []


def test_a_table_with_real_dice_hands_in_its_faces(tmp_path: Path) -> None:
    table = Playing(tmp_path, dice="table")
    for faces in (None, (6,), (6, 6, 6), (7, 1)):
        with refused("faces_mismatch"):
            table.strikes("a", "b", faces=faces)
    table.strikes("a", "b", faces=(6, 5))
    assert table.faces() == [[6, 5]]


def test_where_the_server_throws_no_faces_are_taken(table: Playing) -> None:
    with refused("server_throws"):
        table.strikes("a", "b", faces=(6, 6))


def test_the_dice_are_those_of_the_committed_secret(table: Playing) -> None:
    table.strikes("a", "b")
    epoch = table.games.secret(table.id)
    assert SeededDice(epoch.secret, table.id).commitment == table.view("a")["dice_commitment"]
    faces, _ = SeededDice(epoch.secret, table.id).faces(Pool(2), "")
    assert table.faces() == [list(faces)]
    assert b"proof" not in table.bytes_for("gm") and all("proof" not in one for one in table.events("gm")["events"])


def test_a_standing_is_read_back_as_it_was_written(table: Playing) -> None:
    table.strikes("a", "b")
    head, _ = table.games.head(table.id)
    raw = table.games.standing(head)
    assert SYSTEM.codec.encode(decoded(SYSTEM, raw)) == raw
