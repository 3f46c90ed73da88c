"""What is stored is read back as the same value, or refused."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

import msgspec
import pytest
from msgspec import Struct

from systems.core import live, table
from systems.core.ask import Between, Offer, OneOf, Pass, PathWithin, Question, SplitOf, SubsetOf, asked, offer
from systems.core.dice import ScriptedDice
from systems.core.game import CarryOut, Event, Message, Step, StepBegun, StepsDropped, StepsPlanned, change
from systems.core.seats import Seat
from systems.core.system import Codec, installed

from .toy import SCUFFLE, CharmSpent, EndGo, Fight, GoEnded, Spend, Strike, Throwing, WasThrown, Wounded, new_fight

CODEC = SCUFFLE.codec
A = Seat("s1", characters=("a",))
MESSAGES: list[Message] = [Pass(), Spend(), Strike("a", "b")]
STEPS: list[Step] = [CarryOut(Strike("a", "b"), A), Throwing("a", "strike", 6, "b"), EndGo()]
EVENTS: list[Event] = [
    WasThrown("a", "strike", True),
    CharmSpent("a"),
    Wounded("a"),
    GoEnded(),
    StepBegun(),
    StepsPlanned(tuple(STEPS), 1),
    StepsDropped(tuple(STEPS[1:])),
]


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        *((Message, one) for one in MESSAGES),
        *((Step, one) for one in STEPS),
        *((Event, one) for one in EVENTS),
    ],
)
def test_messages_steps_and_events_come_back(kind: type[Any], value: Any) -> None:
    assert CODEC.decode(CODEC.encode(value), kind) == value


def test_every_class_of_the_toy_is_stored_once_at_least() -> None:
    stored = {one.id for one in (*MESSAGES, *EVENTS)} | {one.stable_id() for one in STEPS}
    kernel = {"DiceRolled", *Codec((table,)).events}
    assert stored | kernel == {*CODEC.messages, *CODEC.events, *CODEC.steps}


def test_states_and_open_steps_come_back() -> None:
    fight = change(new_fight("a", "b"), agenda=tuple(STEPS))
    assert CODEC.decode(CODEC.encode(fight), Fight) == fight
    assert hash(CODEC.decode(CODEC.encode(fight), Fight)) == hash(fight)
    waiting = live.command(new_fight("a", "b"), Strike("a", "b"), A, ScriptedDice([6, 6])).waiting
    assert CODEC.decode(CODEC.encode(waiting), live.Waiting[Fight]) == waiting


DOMAINS = {
    "who": OneOf(("a", 1)),
    "many": Between(1, 3),
    "some": SubsetOf(("a", "b"), 1),
    "parts": SplitOf(4, 2),
    "path": PathWithin((0, 1), 3),
}


def test_questions_come_back_with_their_domains() -> None:
    question = asked("a", "escape", Offer("any", tuple(DOMAINS.items())), offer(Pass, {"chakra": 1}), subject="hit 1")
    assert CODEC.decode(CODEC.encode(question), Question) == question


@pytest.mark.parametrize(
    ("raw", "kind"),
    [
        (b'{"type":"unknown"}', Message),
        (b'{"type":3}', Message),
        (b'{"who":"a"}', Message),
        (b'"pass"', Message),
        (b'{"type":"wounded","who":"a"}', Message),
        (b'{"type":"wounded"}', Event),
        (b'{"type":"wounded","who":1}', Event),
        (b'{"ninja":{"a":{"life":"3"}}}', Fight),
        (b"{", Fight),
    ],
)
def test_what_does_not_fit_is_refused(raw: bytes, kind: type[Any]) -> None:
    with pytest.raises(msgspec.ValidationError if raw != b"{" else msgspec.DecodeError):
        CODEC.decode(raw, kind)


def test_two_classes_never_share_a_tag() -> None:
    chapter = ModuleType("chapter")
    chapter.Again = type("Again", (Message, Struct), {}, frozen=True, tag="strike")  # type: ignore[attr-defined]
    with pytest.raises(ValueError, match="two classes are stored as 'strike'"):
        Codec((sys.modules[Strike.__module__], chapter))


def test_a_message_needs_a_tag() -> None:
    untagged = type("Untagged", (Message, Struct), {}, frozen=True)
    with pytest.raises(TypeError, match="needs a tag"):
        untagged.stable_id()


def test_what_cannot_be_stored_says_so() -> None:
    with pytest.raises(NotImplementedError, match="cannot store a object"):
        CODEC.encode(object())


def test_installed_systems_stand_in_the_order_of_their_ids() -> None:
    assert list(installed()) == sorted(installed())
    assert all(id == one.id for id, one in installed().items())
