"""What is still to do stands in the agenda, in the order in which the rulebook does it."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import Struct
from msgspec.structs import replace

from systems.core import simulate, solve
from systems.core.game import Game, Public, Step
from systems.core.play import AssumedAnswers, Play


class Diary(Game, frozen=True, cache_hash=True):
    pages: tuple[str, ...] = ()


class Written(Public, Struct, frozen=True, cache_hash=True, tag="written"):
    page: str

    def applied(self, game: Diary) -> Diary:
        return replace(game, pages=(*game.pages, self.page))


class Write(Step, Struct, frozen=True, cache_hash=True, tag="write"):
    page: str

    def run(self, play: Play[Any]) -> None:
        play.emit(Written(self.page))


class Plan(Step, Struct, frozen=True, cache_hash=True, tag="plan"):
    """Plans steps: each is the way of planning and the pages that are written then."""

    steps: tuple[tuple[str, str], ...]

    def run(self, play: Play[Any]) -> None:
        for way, pages in self.steps:
            getattr(play, way)(*map(Write, pages))


@pytest.mark.parametrize(
    ("steps", "pages"),
    [
        ((("then", "ab"), ("then", "c")), "abcz"),
        ((("later", "a"), ("then", "b"), ("later", "c")), "bzac"),
        ((("then", "a"), ("drop", "k"), ("then", "b")), "bk"),
        ((("drop", ""),), ""),
        ((("then", ""), ("later", "")), "z"),
    ],
)
def test_then_comes_first_and_later_last(steps: Any, pages: str) -> None:
    begun = Diary(agenda=(Plan(steps), Write("z")))
    ended = simulate.run(begun, simulate.SampledChance(0), AssumedAnswers())
    assert "".join(ended.pages) == pages and not ended.agenda
    assert solve.settle(begun).weights == {ended: 1}


def test_a_step_that_plans_goes_before_what_was_planned_earlier() -> None:
    inner = Diary(agenda=(Plan((("then", "a"),)), Plan((("then", "b"), ("later", "y"))), Write("z")))
    assert "".join(simulate.run(inner, simulate.SampledChance(0), AssumedAnswers()).pages) == "abzy"


def test_a_window_for_nobody_is_no_window() -> None:
    play: Play[Any] = Play(Diary(), simulate.SampledChance(0), None)  # type: ignore[arg-type]
    assert play.ask_all([]) == ()


def test_events_are_kept_only_where_somebody_reads_them() -> None:
    for keep in (True, False):
        play: Play[Any] = Play(Diary(), simulate.SampledChance(0), AssumedAnswers(), keep=keep)
        play.emit(Written("a"))
        assert play.game.pages == ("a",) and len(play.events) == keep
