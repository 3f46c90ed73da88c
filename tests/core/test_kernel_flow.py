"""One rule, four uses: live with a restart in every window, replayed, solved exactly, simulated."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from systems.core import live, simulate, solve
from systems.core.ask import PASS, Question
from systems.core.calls import Verdict, odds, resolve
from systems.core.dice import CryptoDice, ScriptedDice
from systems.core.errors import Diverged, Illegal
from systems.core.game import CarryOut, Message, change
from systems.core.live import Waiting
from systems.core.play import AssumedAnswers, PolicyAnswers
from systems.core.seats import Seat

from .toy import SCUFFLE, CharmSpent, EndGo, Fight, LeapParams, Spend, Strike, Wounded, leap, new_fight

A, B = Seat("s1", characters=("a",)), Seat("s2", characters=("b",))
STRIKE = Strike("a", "b")


def restarted(progress: live.Progress[Fight]) -> Waiting[Fight]:
    """The open step as another process would read it from the store."""
    raw = SCUFFLE.codec.encode(progress.waiting)
    return SCUFFLE.codec.decode(raw, Waiting[Fight])


def test_stops_at_each_window_and_goes_on_after_a_restart() -> None:
    dice = ScriptedDice([1, 1, 5, 5, 2, 1])
    progress = live.command(new_fight("a", "b"), STRIKE, A, dice)
    waiting = restarted(progress)
    assert [one.about for one in waiting.window.questions] == ["a", "b"]
    sealed = live.answer(waiting, 1, PASS, B, dice)
    assert sealed.events == () and sealed.throws == (), "one answer is sealed until all are in"
    progress = live.answer(restarted(sealed), 0, Spend(), A, dice)
    assert CharmSpent("a") in progress.events and progress.throws[-1].faces == (5, 5)
    for _ in range(2):
        waiting = restarted(progress)
        first = live.answer(waiting, 0, PASS, A, dice)
        progress = live.answer(restarted(first), 1, PASS, B, dice)
    dice.close()
    assert progress.waiting is None
    assert progress.game.ninja["b"].life == 2 and progress.game.turn == "b"
    assert Wounded("b") in progress.events


def test_events_alone_give_the_state() -> None:
    start = new_fight("a", "b")
    progress = live.command(start, STRIKE, A, ScriptedDice([1, 1]))
    events = [live.planned(STRIKE, A), *progress.events]
    while progress.waiting:
        at = progress.waiting.window.open_for("a") or progress.waiting.window.open_for("b")
        progress = live.silence(progress.waiting, at[0], ScriptedDice([]))
        events += progress.events
    assert live.replay(start, tuple(events)) == progress.game


def test_refused_messages_change_and_throw_nothing() -> None:
    fight = new_fight("a", "b")
    with pytest.raises(Illegal, match="not_your_turn"):
        live.command(fight, Strike("b", "a"), B, ScriptedDice([]))
    with pytest.raises(Illegal, match="nothing_to_reroll"):
        live.command(fight, Spend(), A, ScriptedDice([]))
    progress = live.command(fight, STRIKE, A, ScriptedDice([1, 1]))
    assert progress.waiting
    with pytest.raises(Illegal, match="not_asked"):
        live.answer(progress.waiting, 0, PASS, B, ScriptedDice([]))
    with pytest.raises(Illegal, match="not_offered"):
        live.answer(progress.waiting, 0, STRIKE.__class__("a", "b"), Seat("gm", "gm"), ScriptedDice([]))


def test_a_transcript_of_another_rule_diverges_and_throws_nothing() -> None:
    progress = live.command(new_fight("a", "b"), STRIKE, A, ScriptedDice([1, 1]))
    assert progress.waiting
    changed = change(progress.waiting.before, turn="b")
    step = change(changed, agenda=(EndGo(),))
    waiting = change(progress.waiting, before=step)
    half = live.silence(waiting, 0, ScriptedDice([]))
    assert half.waiting
    with pytest.raises(Diverged):
        live.silence(half.waiting, 1, ScriptedDice([]))


def test_exact_odds_of_a_go() -> None:
    reached = solve.odds_of(new_fight("a", "b"), STRIKE, A)
    assert reached.by(lambda state: state.ninja["b"].life)[2] == Fraction(26, 36) * Fraction(15, 36)
    assert sum(p for _, p in reached) == 1


class SpendWhenPossible:
    def answer(self, question: Question, look: Any) -> Message:
        return Spend() if any(one.action == "spend" for one in question.offers) else PASS


def test_whole_fights_exact_and_simulated_agree() -> None:
    answers = PolicyAnswers({"a": SpendWhenPossible()}, lambda game, about: None)

    def go(state: Fight) -> Any:
        other = next(one for one in state.ninja if one != state.turn)
        seat = Seat("any", characters=(state.turn,))
        return change(state, agenda=(CarryOut(Strike(state.turn, other), seat),))

    exact, moves = solve.absorb(new_fight("a", "b"), lambda s: solve.settle(go(s), answers).weights, lambda s: s.over)
    wins = exact.where(lambda s: s.ninja["b"].life == 0)
    assert sum(p for _, p in exact) == 1 and moves > 5
    chance, won, trials = simulate.SampledChance(1), 0, 3000
    for _ in range(trials):
        state = new_fight("a", "b")
        while not state.over:
            state = simulate.run(go(state), chance, answers)
        won += state.ninja["b"].life == 0
    p = float(wins)
    assert abs(won / trials - p) < 4 * (p * (1 - p) / trials) ** 0.5


def test_a_check_by_name_is_thrown_and_solved_by_one_function() -> None:
    thrown = resolve(leap, LeapParams(9), ScriptedDice([4, 5]))
    assert thrown.verdict == Verdict("success", True) and thrown.report.outcome.total == 9
    assert odds(leap, LeapParams(9))[Verdict("success", True)] == Fraction(10, 36)
    assert resolve(leap, LeapParams(2), CryptoDice()).verdict.success


def test_assumptions_answer_where_nobody_is_asked() -> None:
    assert simulate.carry_out(new_fight("a", "b"), STRIKE, A, simulate.SampledChance(3), AssumedAnswers()).turn == "b"
