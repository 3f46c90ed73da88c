"""Questions that rules ask in the middle of a command, and the domains of what may be answered."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from msgspec import NODEFAULT, Struct, structs

from systems.core.errors import Illegal
from systems.core.game import Message


class Domain:
    """The values a parameter may have. Never an enumeration of combinations."""

    def allows(self, value: Any) -> bool:
        raise NotImplementedError


class OneOf(Domain, Struct, frozen=True, cache_hash=True, tag="one_of"):
    values: tuple[Any, ...]

    def allows(self, value: Any) -> bool:
        return any(type(value) is type(one) and value == one for one in self.values)


class Between(Domain, Struct, frozen=True, cache_hash=True, tag="between"):
    """Whole numbers from `low` to `high`, both included."""

    low: int
    high: int

    def allows(self, value: Any) -> bool:
        return type(value) is int and self.low <= value <= self.high


class SubsetOf(Domain, Struct, frozen=True, cache_hash=True, tag="subset_of"):
    """Different values out of `values`, between `at_least` and `at_most` of them."""

    values: tuple[Any, ...]
    at_least: int = 0
    at_most: int | None = None

    def allows(self, value: Any) -> bool:
        if not isinstance(value, tuple) or any(one in value[:at] for at, one in enumerate(value)):
            return False
        most = len(self.values) if self.at_most is None else self.at_most
        return self.at_least <= len(value) <= most and all(map(OneOf(self.values).allows, value))


class SplitOf(Domain, Struct, frozen=True, cache_hash=True, tag="split_of"):
    """A total of at most `total`, split into at most `parts` parts of at least 1 each."""

    total: int
    parts: int

    def allows(self, value: Any) -> bool:
        return (
            isinstance(value, tuple)
            and 1 <= len(value) <= self.parts
            and all(type(part) is int and part >= 1 for part in value)
            and sum(value) <= self.total
        )


class AnyText(Domain, Struct, frozen=True, cache_hash=True, tag="any_text"):
    """Free words of at most `longest` characters."""

    longest: int = 200

    def allows(self, value: Any) -> bool:
        return isinstance(value, str) and len(value) <= self.longest


class PathWithin(Domain, Struct, frozen=True, cache_hash=True, tag="path_within"):
    """Squares one after another, each touching the one before, at most `steps` of them, starting beside `start`."""

    start: tuple[int, int]
    steps: int

    def allows(self, value: Any) -> bool:
        if not isinstance(value, tuple) or len(value) > self.steps:
            return False
        squares = (self.start, *value)
        return all(max(abs(a[0] - b[0]), abs(a[1] - b[1])) == 1 for a, b in pairwise(squares))


class Offer(Struct, frozen=True, cache_hash=True):
    """A message that may be made now: its id, the domain of each parameter, and what it costs."""

    action: str
    params: tuple[tuple[str, Domain], ...] = ()
    cost: tuple[tuple[str, int], ...] = ()

    def allows(self, message: Message) -> bool:
        """Whether the message is this one, each parameter in its domain and the others at their default."""
        if message.id != self.action:
            return False
        domains = dict(self.params)
        for field in structs.fields(message):  # type: ignore[arg-type]
            value = getattr(message, field.name)
            if field.name in domains:
                if not domains[field.name].allows(value):
                    return False
            elif field.default is not NODEFAULT and value != field.default:
                return False
        return True


def offer(message: type[Message], cost: dict[str, int] | None = None, **params: Domain) -> Offer:
    """An offer of `message`; fields without a domain keep their default."""
    return Offer(message.id, tuple(params.items()), tuple((cost or {}).items()))


class Pass(Message, Struct, frozen=True, cache_hash=True, tag="pass"):
    """The answer that does nothing. It throws no dice and costs nothing."""


PASS = Pass()


class Question(Struct, frozen=True, cache_hash=True):
    """What one character's player is asked.

    `silence` is the answer of a deadline, an absent player or a GM's skip; `assumed` what odds take for granted.
    `subject` is what the question is about (a hit, a check, a loss), for refusals that need it.
    """

    about: str
    topic: str
    offers: tuple[Offer, ...]
    silence: Message = PASS
    assumed: Message = PASS
    subject: str = ""

    def refuse(self, answer: Message) -> Illegal | None:
        """Whether the answer lies outside what is offered; the answer's own `refuse` says more."""
        if any(one.allows(answer) for one in self.offers):
            return None
        return Illegal("not_offered", "", action=answer.id, offered=[one.action for one in self.offers])


def asked(
    about: str,
    topic: str,
    *offers: Offer,
    silence: Message = PASS,
    assumed: Message | None = None,
    subject: str = "",
) -> Question:
    """A question; unless said otherwise odds assume that nobody reacts."""
    return Question(about, topic, offers, silence, silence if assumed is None else assumed, subject)


def names(questions: Sequence[Question]) -> tuple[tuple[str, str], ...]:
    return tuple((one.about, one.topic) for one in questions)
