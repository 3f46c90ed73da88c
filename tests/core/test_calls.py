"""A check by name: begun, decided, thrown, solved and reported by one piece of rules."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from msgspec import Struct

from systems.core.ask import PASS, Pass, Question, asked, offer
from systems.core.calls import PENDING, Calls, CheckCall, NoParams, Outcome, Report, Verdict, odds, resolve
from systems.core.checks import Total
from systems.core.convert import to_struct
from systems.core.dice import ScriptedDice
from systems.core.errors import FacesMismatch, Illegal, OddsTooLarge
from systems.core.game import Game, Message, Step, change
from systems.core.play import DiceChance, Play, Throw
from systems.core.tables import Row

from .toy import LeapParams, Reach, leap


class Push(Message, Struct, frozen=True, cache_hash=True, tag="push"):
    """Throw again, and the second throw counts."""


class Haggle(Struct, frozen=True, cache_hash=True):
    target: int = 8
    stubborn: bool = False
    patience: int = 1


class Bargain(Game, frozen=True, cache_hash=True):
    success: bool | None = None
    gone: bool = False


class Offering(Step, Struct, frozen=True, cache_hash=True, tag="offering"):
    target: int
    patience: int

    def run(self, play: Play[Any]) -> None:
        play.game = change(play.game, success=play.check(Reach(self.target), "haggle"))
        if self.patience and not play.game.success:
            play.then(Insisting(self.target, self.patience))


class Insisting(Step, Struct, frozen=True, cache_hash=True, tag="insisting"):
    target: int
    patience: int

    def run(self, play: Play[Any]) -> None:
        if play.ask(asked("buyer", "insist", offer(Pass), offer(Push))) != PASS:
            play.then(Offering(self.target, self.patience - 1))


class Leaving(Step, Struct, frozen=True, cache_hash=True, tag="leaving"):
    def run(self, play: Play[Any]) -> None:
        play.game = change(play.game, gone=True)


class HaggleOutcome(Outcome, frozen=True, kw_only=True):
    totals: tuple[int, ...]
    pending: str = ""


class HaggleCheck(CheckCall[Haggle, Bargain]):
    id, rules, grades, params, outcome = "haggle", ("TOY-8",), ("deal", "no_deal", PENDING), Haggle, HaggleOutcome

    def begin(self, p: Haggle) -> Bargain:
        if p.target > 12:
            raise Illegal("beyond_dice", "TOY-8", target=p.target)
        return Bargain(agenda=(Offering(p.target, p.patience), Leaving()))

    def verdict(self, p: Haggle, game: Bargain, pending: str | None) -> Verdict:
        assert game.gone is not bool(pending)
        return Verdict(PENDING) if pending else Verdict("deal" if game.success else "no_deal", game.success)

    def report(self, p: Haggle, game: Bargain, throws: tuple[Throw, ...], pending: Question | None) -> Report:
        totals = tuple(sum(one.faces) for one in throws)
        return Report(HaggleOutcome(totals=totals, pending=pending.topic if pending else ""))

    def decide(self, p: Haggle, game: Bargain, question: Question) -> Message | None:
        return Push() if p.stubborn else None

    def refuse_odds(self, p: Haggle) -> None:
        if p.target < 0:
            raise OddsTooLarge("target", p.target, 0)


HAGGLE = HaggleCheck()
miss, hit = Fraction(21, 36), Fraction(15, 36)


@pytest.mark.parametrize(
    ("p", "faces", "answers", "verdict", "totals"),
    [
        (Haggle(), [4, 4], (), Verdict("deal", True), (8,)),
        (Haggle(), [1, 4], (), Verdict(PENDING), (5,)),
        (Haggle(), [1, 4], (PASS,), Verdict("no_deal", False), (5,)),
        (Haggle(), [1, 4, 6, 6], (Push(),), Verdict("deal", True), (5, 12)),
        (Haggle(stubborn=True), [1, 4, 1, 1], (), Verdict("no_deal", False), (5, 2)),
        (Haggle(patience=2), [1, 1, 1, 2], (Push(), PASS), Verdict("no_deal", False), (2, 3)),
        (Haggle(patience=2), [1, 1, 1, 2], (Push(),), Verdict(PENDING), (2, 3)),
    ],
)
def test_a_check_goes_as_far_as_its_answers(
    p: Haggle, faces: list[int], answers: tuple[Message, ...], verdict: Verdict, totals: tuple[int, ...]
) -> None:
    dice = ScriptedDice(faces)
    resolution = resolve(HAGGLE, p, dice, answers)
    dice.close()
    assert resolution.verdict == verdict and resolution.report.outcome.totals == totals  # type: ignore[union-attr]
    assert (resolution.pending is not None) is (verdict.grade == PENDING)


@pytest.mark.parametrize(
    ("p", "answers", "expected"),
    [
        (Haggle(), (), {Verdict("deal", True): hit, Verdict(PENDING): miss}),
        (Haggle(), (PASS,), {Verdict("deal", True): hit, Verdict("no_deal", False): miss}),
        (Haggle(), (Push(),), {Verdict("deal", True): hit + miss * hit, Verdict("no_deal", False): miss**2}),
        (Haggle(patience=2), (Push(),), {Verdict("deal", True): hit + miss * hit, Verdict(PENDING): miss**2}),
        (Haggle(stubborn=True), (), {Verdict("deal", True): hit + miss * hit, Verdict("no_deal", False): miss**2}),
    ],
)
def test_odds_go_as_far_as_the_answers(p: Haggle, answers: tuple[Message, ...], expected: dict[Verdict, Any]) -> None:
    assert odds(HAGGLE, p, answers).weights == expected


def test_what_is_illegal_throws_nothing_and_has_no_odds() -> None:
    with pytest.raises(Illegal, match="beyond_dice") as refused:
        resolve(HAGGLE, Haggle(13), ScriptedDice([]))
    assert refused.value.args_by_name == {"target": 13}
    with pytest.raises(Illegal, match="beyond_dice"):
        odds(HAGGLE, Haggle(13))
    with pytest.raises(Illegal, match="not_offered"):
        resolve(HAGGLE, Haggle(), ScriptedDice([1, 1]), (Spent(),))


class Spent(Message, Struct, frozen=True, tag="spent"):
    """Nobody offers this."""


def test_a_check_may_refuse_its_odds_at_once() -> None:
    with pytest.raises(OddsTooLarge):
        odds(HAGGLE, Haggle(-1))


def test_scripted_faces_must_fit_what_the_rule_throws() -> None:
    with pytest.raises(FacesMismatch, match="haggle"):
        resolve(HAGGLE, Haggle(stubborn=True), ScriptedDice([1, 1, 6]))


@pytest.mark.parametrize("target", range(2, 13))
def test_a_function_is_a_check_with_odds(target: int) -> None:
    wins = sum(first + second >= target for first in range(1, 7) for second in range(1, 7))
    assert odds(leap, LeapParams(target))[Verdict("success", True)] == Fraction(wins, 36)


class Steps(Outcome, frozen=True, kw_only=True):
    steps: int


def test_names_are_filled_by_decorators() -> None:
    calls = Calls()

    @calls.query("distance", rules="TOY-5")
    def distance(p: LeapParams) -> Steps:
        return Steps(steps=p.target)

    @calls.odds("leap_chance", rules="TOY-3 TOY-4")
    def leap_chance(p: LeapParams) -> Steps:
        return Steps(steps=1)

    @calls.table_roll("omens")
    def omens(play: Play[Any], p: NoParams) -> tuple[tuple[str, str], ...]:
        return (("omens", f"row_{play.check(Total(1), 'omens')}"),)

    query, question, roll = calls.queries["distance"], calls.odds_questions["leap_chance"], calls.table_rolls["omens"]
    assert (query.params, query.outcome, query.rules) == (LeapParams, Steps, ("TOY-5",))
    assert query.function(to_struct({"target": 3}, query.params)) == Steps(steps=3)
    assert question.rules == ("TOY-3", "TOY-4")
    play: Play[Any] = Play(Game(), DiceChance(ScriptedDice([4])), None)  # type: ignore[arg-type]
    assert roll.function(play, NoParams()) == (("omens", "row_4"),)


def test_a_name_stands_once() -> None:
    calls = Calls()
    calls.add(HAGGLE)
    with pytest.raises(ValueError, match="haggle is named twice"):
        calls.add(HAGGLE)


def test_a_computed_table_is_made_once_when_it_is_read() -> None:
    calls, made = Calls(), []

    @calls.table("names", rules="TOY-6")
    def rows() -> tuple[Row, ...]:
        made.append(1)
        return (Row("leap"),)

    assert calls.table_ids == ("names",) and not made
    first = calls.find_table("names")
    assert first and first["leap"].id == "leap" and calls.find_table("names") is first and len(made) == 1
    assert calls.find_table("unknown") is None
