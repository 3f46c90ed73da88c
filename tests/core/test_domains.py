"""A domain allows exactly its values, of exactly their type."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct

from systems.core.ask import PASS, Between, Domain, OneOf, Pass, PathWithin, SplitOf, SubsetOf, asked, offer
from systems.core.game import Message

ALLOWED: list[tuple[Domain, Any]] = [
    (OneOf((1, "a")), 1),
    (OneOf((1, "a")), "a"),
    (Between(2, 4), 2),
    (Between(2, 4), 4),
    (SubsetOf(("a", "b", "c")), ()),
    (SubsetOf(("a", "b", "c")), ("c", "a", "b")),
    (SubsetOf(("a", "b"), 1, 1), ("b",)),
    (SplitOf(5, 2), (5,)),
    (SplitOf(5, 2), (2, 2)),
    (PathWithin((0, 0), 2), ()),
    (PathWithin((0, 0), 2), ((1, 1), (1, 2))),
]
REFUSED: list[tuple[Domain, Any]] = [
    (OneOf((1, "a")), "b"),
    (OneOf((1, "a")), True),
    (OneOf((1, "a")), 1.0),
    (Between(2, 4), 1),
    (Between(2, 4), 5),
    (Between(0, 4), True),
    (Between(2, 4), 3.0),
    (SubsetOf(("a", "b")), ("a", "a")),
    (SubsetOf(("a", "b")), ("d",)),
    (SubsetOf(("a", "b")), "a"),
    (SubsetOf(("a", "b")), ["a"]),
    (SubsetOf((1, 2)), (True,)),
    (SubsetOf((1, 2)), ([1],)),
    (SubsetOf(("a", "b"), 1), ()),
    (SubsetOf(("a", "b"), 0, 1), ("a", "b")),
    (SplitOf(5, 2), ()),
    (SplitOf(5, 2), (3, 3)),
    (SplitOf(5, 2), (1, 1, 1)),
    (SplitOf(5, 2), (0, 5)),
    (SplitOf(5, 2), (True, 1)),
    (PathWithin((0, 0), 2), ((2, 0),)),
    (PathWithin((0, 0), 2), ((0, 0),)),
    (PathWithin((0, 0), 1), ((1, 1), (1, 2))),
]


@pytest.mark.parametrize(("domain", "value"), ALLOWED, ids=str)
def test_allowed(domain: Domain, value: Any) -> None:
    assert domain.allows(value)


@pytest.mark.parametrize(("domain", "value"), REFUSED, ids=str)
def test_refused(domain: Domain, value: Any) -> None:
    assert not domain.allows(value)


@given(st.integers(-9, 9), st.integers(-9, 9), st.integers(-12, 12))
def test_between_is_its_range(low: int, high: int, value: int) -> None:
    assert Between(low, high).allows(value) is (value in range(low, high + 1))


class Leap(Message, Struct, frozen=True, cache_hash=True, tag="leap"):
    squares: int
    over: str = ""
    silent: bool = False


def test_an_offer_allows_its_message_with_what_it_names() -> None:
    far = offer(Leap, {"chakra": 1}, squares=Between(1, 3))
    assert far.cost == (("chakra", 1),)
    assert far.allows(Leap(3)) and not far.allows(Leap(4)) and not far.allows(PASS)


def test_what_an_offer_does_not_name_keeps_its_default() -> None:
    assert not offer(Leap, squares=Between(1, 3)).allows(Leap(3, silent=True))
    assert offer(Leap, squares=Between(1, 3), silent=OneOf((True, False))).allows(Leap(3, silent=True))


def test_a_question_takes_only_what_it_offers() -> None:
    question = asked("a", "escape", offer(Pass), offer(Leap, squares=Between(1, 2)), assumed=Leap(1))
    assert question.refuse(PASS) is None and question.refuse(Leap(2)) is None
    refusal = question.refuse(Leap(3))
    assert refusal and refusal.code == "not_offered" and refusal.args_by_name["offered"] == ["pass", "leap"]
    assert (question.silence, question.assumed) == (PASS, Leap(1)), "what silence means is not what odds assume"
