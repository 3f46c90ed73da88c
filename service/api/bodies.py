"""What the bodies of the routes of games may be."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from service.usecases.catalogue import Answered, Faces
from service.usecases.games.standing import Until

Name = Annotated[str, Meta(min_length=1, max_length=100)]
Id = Annotated[str, Meta(min_length=1, max_length=100)]


class NewGame(Struct, frozen=True):
    """A game that is to be created; `name` is what its GM's seat is called."""

    system: Annotated[str, Meta(max_length=60)]
    title: Annotated[str, Meta(max_length=200)] = ""
    name: Name = "GM"
    options: dict[str, Any] = {}


class CommandBody(Struct, frozen=True):
    """A command of the system or an act of the GM; `faces` are real dice, where the table throws its own."""

    command: Annotated[str, Meta(max_length=60)]
    params: dict[str, Any] = {}
    faces: Faces | None = None


class GivenAnswer(Struct, frozen=True):
    """The answer to one open question of the caller."""

    question: Id
    answer: Answered
    faces: Faces | None = None


class AlwaysBody(Struct, frozen=True):
    """What the caller always answers to a topic; null takes it back."""

    topic: Id
    answer: Answered | None
    until: Until = "revoked"


class ForecastBody(Struct, frozen=True):
    """The command whose odds are asked for."""

    command: Annotated[str, Meta(max_length=60)]
    params: dict[str, Any] = {}


class UndoBody(Struct, frozen=True):
    """The cursor of the event that is to be the last."""

    to: Annotated[str, Meta(max_length=60)]


class CloseBody(Struct, frozen=True):
    """Who may read the whole log of the closed game."""

    open_log: Literal["gm", "all"] = "gm"


class TickBody(Struct, frozen=True):
    """How far a clock goes on."""

    ticks: Annotated[int, Meta(ge=-1_000, le=1_000)] = 1


class Nothing(Struct, frozen=True):
    """No fields."""
