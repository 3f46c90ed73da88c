"""Small immutable values that states are made of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Any, Generic, Self, TypeVar

from msgspec import Meta, Struct

K = TypeVar("K")
V = TypeVar("V")
T = TypeVar("T")


InOrder = Annotated[str, Meta(extra={"in_order": True})]


class Map(Generic[K, V]):
    """An immutable mapping with sorted keys: equal contents are equal, hash equal and are encoded alike."""

    __slots__ = ("_hash", "_known")

    def __init__(self, contents: Mapping[K, V] | Iterable[tuple[K, V]] = ()) -> None:
        known = dict(contents)
        self._known: dict[K, V] = {key: known[key] for key in sorted(known)}  # type: ignore[type-var]
        self._hash: int | None = None

    def get(self, key: K, default: Any = None) -> Any:
        return self._known.get(key, default)

    def __getitem__(self, key: K) -> V:
        return self._known[key]

    def __contains__(self, key: object) -> bool:
        return key in self._known

    def __iter__(self) -> Iterator[K]:
        return iter(self._known)

    def __len__(self) -> int:
        return len(self._known)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Map) and self._known == other._known

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash(tuple(self._known.items()))
        return self._hash

    def __repr__(self) -> str:
        return f"Map({self._known})"

    def items(self) -> tuple[tuple[K, V], ...]:
        return tuple(self._known.items())

    def values(self) -> tuple[V, ...]:
        return tuple(self._known.values())

    def dict(self) -> dict[K, V]:
        return dict(self._known)

    def put(self, key: K, value: V) -> Self:
        return type(self)({**self._known, key: value})

    def without(self, key: K) -> Self:
        return type(self)({known: value for known, value in self._known.items() if known != key})


class Listed(Map[K, V]):
    """A mapping that stays in the order in which it was given, where a rule counts down the list.

    A field of the type `Map[InOrder, …]` is read as one.
    """

    __slots__ = ()

    def __init__(self, contents: Mapping[K, V] | Iterable[tuple[K, V]] = ()) -> None:
        self._known = dict(contents)
        self._hash = None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Listed) and self.items() == other.items()

    __hash__ = Map.__hash__


class Sealed(Struct, Generic[T], frozen=True, cache_hash=True):
    """Choices that several make unseen by one another and that open together (Plot, votes).

    Until `complete`, nobody may see more than `committed`; re-picking replaces the earlier pick.
    """

    choosers: tuple[str, ...]
    picks: Map[str, T] = Map()

    def pick(self, chooser: str, choice: T) -> Sealed[T]:
        if chooser not in self.choosers:
            raise KeyError(chooser)
        return Sealed(self.choosers, self.picks.put(chooser, choice))

    def drop(self, chooser: str) -> Sealed[T]:
        """The pick is forgotten, as when a seat gets a new owner."""
        return Sealed(self.choosers, self.picks.without(chooser))

    @property
    def committed(self) -> tuple[str, ...]:
        """Who has chosen: all that may be shown before the opening."""
        return tuple(chooser for chooser in self.choosers if chooser in self.picks)

    @property
    def complete(self) -> bool:
        return len(self.picks) == len(self.choosers)

    def opened(self) -> Map[str, T]:
        """All picks at once. Raises `ValueError` while one is missing."""
        if not self.complete:
            raise ValueError("a pick is missing")
        return self.picks
