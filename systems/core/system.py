"""A game system as the service sees it: its names, words, messages and data; and how installed systems are found."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache, cached_property
from importlib.metadata import entry_points
from types import ModuleType
from typing import Any, Generic, Literal, TypeVar

import msgspec
from msgspec import Struct

from systems.core import ask, game, table
from systems.core.ask import Offer
from systems.core.calls import Calls, Verdict
from systems.core.clocks import Timeline
from systems.core.convert import decoded, encoded
from systems.core.errors import Illegal
from systems.core.game import Event, Game, Message, Step
from systems.core.seats import Seat
from systems.core.text import LANGUAGES, Labels, labels, read_toml

V = TypeVar("V")

ENTRY_POINTS = "ninja_rules.systems"
_DOMAINS = ask.OneOf | ask.Between | ask.SubsetOf | ask.SplitOf | ask.PathWithin | ask.AnyText


class Rule(Struct, frozen=True):
    """A numbered rule of the digest: what kind it is, where it comes from, and one line in our own words.

    `scope` is `check` (stateless names need it), `game` (it needs a running game) or `advice` (nothing to implement).
    `left_out` gives the reason why a rule is not implemented.
    """

    kind: Literal["rule", "ruling", "switch", "odds", "table", "advice"]
    scope: Literal["check", "game", "advice"]
    line: str
    mark: str = ""
    left_out: str = ""


class Option(Struct, frozen=True):
    """A switch of a table: its default and what else it may be."""

    id: str
    default: Any
    values: tuple[Any, ...] = ()


class NoSwitches(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A system without switches."""


class Case(Struct, Generic[V], frozen=True):
    """One way in which what a seat does not know may stand; `given` names the assumption."""

    given: Mapping[str, Any]
    game: V


class System:
    """The base of every game. `package` holds its data and labels; `chapters` the modules of its rules."""

    id: str
    package: str
    rules_version: str = "1"
    chapters: tuple[ModuleType, ...] = ()
    calls: Calls

    @cached_property
    def rules(self) -> Mapping[str, Rule]:
        raw = read_toml(self.package, "data/rules.toml")
        return {id: msgspec.convert(rule, Rule) for id, rule in raw.items()}

    @cached_property
    def options(self) -> tuple[Option, ...]:
        raw = read_toml(self.package, "data/options.toml")
        switches = ((id, one) for id, one in raw.items() if isinstance(one, dict))
        return tuple(Option(id, one.get("default"), tuple(one.get("values", ()))) for id, one in switches)

    def labels(self, language: str) -> Labels:
        return labels(self.package, language)

    @property
    def languages(self) -> tuple[str, ...]:
        return LANGUAGES

    @cached_property
    def codec(self) -> Codec:
        return Codec(self.chapters)

    state: type[Game] | None = None
    """The class of a game's state; None while the system has no games."""

    switches: type[Struct] = NoSwitches
    """What may be set when a game is created, each field with its default."""

    @cached_property
    def commands(self) -> tuple[type[Message], ...]:
        """The messages that may be sent without being asked."""
        return tuple(one for one in self.codec.messages.values() if not one.answers_only)

    def new_game(self, switches: Any) -> Any:
        """The state in which a game with these switches begins."""
        raise NotImplementedError(f"{self.id} has no games yet")

    def view(self, game: Any, seat: Seat) -> Any:
        """What a seat may see, a Struct built up field by field, never cut down from the state."""
        raise NotImplementedError(f"{self.id} has no games yet")

    def imagine(self, view: Any, message: Message | None = None) -> Iterable[Case[Any]]:
        """Full states that agree with what a seat sees: one stated assumption, or one case per possible value.

        Only what matters to the odds of `message` need differ (None: everything). Nothing but the view is looked at.
        """
        raise NotImplementedError(f"{self.id} has no games yet")

    def verdict(self, message: Message, before: Any, after: Any) -> Verdict:
        """How a command went, read off the states before and after it: what its odds branch on."""
        raise NotImplementedError(f"{self.id} has no games yet")

    def offers(self, game: Any, seat: Seat) -> tuple[Offer, ...]:
        """Every command that the seat may send now."""
        return tuple(offer for command in self.commands for offer in command.offers(game, seat))

    def examples(self, view: Any, seat: Seat, offer: Offer) -> Iterable[Message]:
        """The messages of an offer whose odds are worth showing beside it; none where it throws no dice."""
        return ()

    def timeline(self, game: Any) -> Timeline | None:
        """Where the game stands in its own time (`round_end` and `scene_end` of standing answers look at it)."""
        return None

    def turns(self, game: Any) -> tuple[str, ...]:
        """The characters whose move is awaited, where all may know it."""
        return ()

    def characters(self, game: Any) -> tuple[str, ...]:
        """The ids of all characters of a game."""
        return ()

    def characters_seen(self, game: Any, seat: Seat) -> tuple[str, ...]:
        """The ids of the characters that a seat may know of: all, unless the system hides some."""
        return self.characters(game)

    def without_sealed(self, game: Any, characters: tuple[str, ...]) -> Any:
        """The game after what these characters' former player had sealed is dropped."""
        return game

    def sheet_of(self, game: Any, character: str) -> Any:
        """A character as plain JSON, as `arriving` reads it. Raises `KeyError`."""
        raise KeyError(character)

    def arriving(self, sheet: Any, seat: Seat) -> Message | Illegal:
        """The command with which a character comes in from its JSON. Raises `msgspec.ValidationError`."""
        return Illegal("no_characters", "")


class Codec:
    """Stores messages, events, steps and states of a system, and reads them back, by their stable tags."""

    def __init__(self, chapters: Iterable[ModuleType]) -> None:
        modules = (game, ask, table, *chapters)
        self.messages = _tagged(modules, Message)
        self.events = _tagged(modules, Event)
        self.steps = _tagged(modules, Step)

    def encode(self, value: Any) -> bytes:
        return msgspec.json.encode(value, enc_hook=encoded)

    def decode(self, raw: bytes, kind: type[V]) -> V:
        """Raises `msgspec.ValidationError` if the bytes are not of that kind."""
        return msgspec.json.decode(raw, type=kind, dec_hook=self._hook)

    def message(self, raw: Any) -> Message:
        return self._of(self.messages, raw)  # type: ignore[no-any-return]

    def _hook(self, kind: type[Any], raw: Any) -> Any:
        for base, classes in ((Message, self.messages), (Event, self.events), (Step, self.steps)):
            if kind is base:
                return self._of(classes, raw)
        if kind is ask.Domain:
            return msgspec.convert(raw, _DOMAINS)
        return decoded(kind, raw, self._hook)

    def _of(self, classes: Mapping[str, type[Any]], raw: Any) -> Any:
        tag = raw.get("type") if isinstance(raw, dict) else None
        if not isinstance(tag, str) or tag not in classes:
            raise msgspec.ValidationError(f"unknown type {tag!r}")
        return msgspec.convert(raw, classes[tag], dec_hook=self._hook)


def _tagged(modules: Iterable[ModuleType], base: type[Any]) -> dict[str, type[Any]]:
    """By tag; a subclass with the tag of its parent stands in for it, such as a game's own `pass`."""
    found: dict[str, type[Any]] = {}
    for module in modules:
        for one in vars(module).values():
            if isinstance(one, type) and issubclass(one, base) and issubclass(one, Struct):
                tag = str(one.__struct_config__.tag)
                known = found.setdefault(tag, one)
                if issubclass(one, known):
                    found[tag] = one
                elif not issubclass(known, one):
                    raise ValueError(f"two classes are stored as {tag!r}: {known} and {one}")
    return found


class BasicSystem(System):
    """A system of checks, tables and clocks only: name it, fill its `calls`, and it is served like the others."""

    def __init__(self, id: str, package: str, calls: Calls, rules_version: str = "1") -> None:
        self.id, self.package, self.calls, self.rules_version = id, package, calls, rules_version


@cache
def installed() -> Mapping[str, System]:
    """Every system whose entry point is installed, by id, in the order of their ids."""
    found = [one.load() for one in entry_points(group=ENTRY_POINTS)]
    systems = [one() if isinstance(one, type) else one for one in found]
    return {one.id: one for one in sorted(systems, key=lambda one: one.id)}


__all__ = ["BasicSystem", "Case", "Codec", "Game", "Option", "Rule", "System", "installed"]
