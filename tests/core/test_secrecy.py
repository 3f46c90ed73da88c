"""What a seat is shown, what it may imagine, and what events tell it."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from msgspec import Struct

from systems.core import solve
from systems.core.ask import PASS, Question
from systems.core.game import Event, Message, Public
from systems.core.play import PolicyAnswers
from systems.core.seats import GM, Seat
from systems.core.values import Map

from .toy import SCUFFLE, CharmSpent, Fight, Ninja, Spend, Strike, Wounded

A, B = Seat("s1", characters=("a",)), Seat("s2", characters=("b",))
STATES = [
    Fight(ninja=Map({"a": Ninja(3, a), "b": Ninja(2, b), "c": Ninja(1, c)}), turn="a")
    for a, b, c in product((0, 1), repeat=3)
]


@pytest.mark.parametrize("seat", [A, B, GM, Seat("w", "spectator")], ids=lambda seat: seat.id)
@pytest.mark.parametrize("state", STATES, ids=range(8))
def test_what_is_imagined_looks_exactly_like_what_is_seen(state: Fight, seat: Seat) -> None:
    view = SCUFFLE.view(state, seat)
    cases = list(SCUFFLE.imagine(view))
    assert all(SCUFFLE.view(case.game, seat) == view for case in cases)
    assert state in [case.game for case in cases], "the truth is among the cases"
    assert len(cases) == 2 ** sum(not seat.speaks_for(who) for who in state.ninja)


def test_hidden_charms_change_nothing_that_another_sees() -> None:
    assert len({SCUFFLE.codec.encode(SCUFFLE.view(one, B)) for one in STATES}) == 2
    assert len({SCUFFLE.codec.encode(SCUFFLE.view(one, GM)) for one in STATES}) == 8


class SpendAgainstStrikes:
    def answer(self, question: Question, look: Any) -> Message:
        threatened = (question.topic, question.subject) == ("reroll_strike", "success")
        return Spend() if threatened and len(question.offers) > 1 else PASS


def test_odds_from_a_view_never_use_the_truth() -> None:
    """Whatever the others really hold, the cases and their odds are the same."""
    answers = PolicyAnswers({"b": SpendAgainstStrikes()}, None)

    def hurt(state: Fight) -> list[Any]:
        cases = SCUFFLE.imagine(SCUFFLE.view(state, A))
        reached = [(one.given, solve.odds_of(one.game, Strike("a", "b"), A, answers)) for one in cases]
        return [(given, odds.where(lambda after: after.ninja["b"].life == 1)) for given, odds in reached]

    with_charm = [hurt(one) for one in STATES if one.ninja["a"].charms]
    assert all(one == with_charm[0] for one in with_charm)
    assert len({p for _, p in with_charm[0]}) > 1, "the assumption matters, so it is named"


def test_masked_events_keep_the_secret() -> None:
    spent = CharmSpent("a")
    assert spent.seen_by(A) == spent == spent.seen_by(GM)
    assert spent.seen_by(B) == CharmSpent("somebody")
    assert Wounded("a").seen_by(B) == Wounded("a")


def test_an_event_without_a_decision_about_secrecy_is_refused() -> None:
    with pytest.raises(TypeError, match="Forgotten must say who may see it"):
        type("Forgotten", (Event,), {})
    assert issubclass(type("Shouted", (Public,), {}), Event)


def test_a_system_without_games_says_so() -> None:
    from .test_basic_system import COINS  # noqa: PLC0415 - the other toy has no games

    with pytest.raises(NotImplementedError, match="coins has no games"):
        COINS.view(None, A)
    with pytest.raises(NotImplementedError, match="coins has no games"):
        COINS.imagine(None)


class Whisper(Event, Struct, frozen=True, tag="whisper"):
    to: str

    def applied(self, game: Any) -> Any:
        return game

    def seen_by(self, viewer: Seat) -> Event | None:
        return self if viewer.plays(self.to) else None


def test_an_event_may_be_for_one_seat_alone() -> None:
    assert Whisper("a").seen_by(A) and not Whisper("a").seen_by(B) and not Whisper("a").seen_by(GM)
