"""Small immutable values that states are made of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Generic, TypeVar

from msgspec import Struct

K = TypeVar("K")
V = TypeVar("V")
T = TypeVar("T")


class Map(Struct, Generic[K, V], frozen=True, cache_hash=True, array_like=True):
    """An immutable mapping with sorted keys: equal contents are equal, hash equal and are encoded alike."""

    entries: tuple[tuple[K, V], ...] = ()

    @classmethod
    def of(cls, contents: Mapping[Any, Any] | Iterable[tuple[Any, Any]] = ()) -> Map[Any, Any]:
        return cls(tuple(sorted(dict(contents).items())))

    def get(self, key: K, default: Any = None) -> Any:
        for known, value in self.entries:
            if known == key:
                return value
        return default

    def __getitem__(self, key: K) -> V:
        for known, value in self.entries:
            if known == key:
                return value
        raise KeyError(key)

    def __contains__(self, key: object) -> bool:
        return any(known == key for known, _ in self.entries)

    def __iter__(self) -> Iterator[K]:
        return (known for known, _ in self.entries)

    def __len__(self) -> int:
        return len(self.entries)

    def items(self) -> tuple[tuple[K, V], ...]:
        return self.entries

    def values(self) -> tuple[V, ...]:
        return tuple(value for _, value in self.entries)

    def put(self, key: K, value: V) -> Map[K, V]:
        return Map.of({**dict(self.entries), key: value})

    def without(self, key: K) -> Map[K, V]:
        return Map(tuple(entry for entry in self.entries if entry[0] != key))


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
