"""Words at the edge: ids never change, their names and sentences come from the labels of a system in en, ja and ko."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from msgspec import Struct

LANGUAGES = ("en", "ja", "ko")


class Term(Struct, frozen=True, cache_hash=True):
    """A word of a system's vocabulary inside a sentence: `kind` and `id` of its label (`terms.<kind>.<id>`)."""

    kind: str
    id: str


Word = int | str | Term | None


class Because(Struct, frozen=True, cache_hash=True):
    """One line of an explanation: the rule, the id of its sentence, and what fills it."""

    rule: str
    key: str
    args: tuple[tuple[str, Word], ...] = ()


def because(rule: str, key: str, **args: Word) -> Because:
    return Because(rule, key, tuple(args.items()))


class Labels:
    """The words of one system in one language; what a language lacks falls back to English, then to the id."""

    def __init__(self, own: Mapping[str, Any], english: Mapping[str, Any]) -> None:
        self._own, self._english = own, english

    def find(self, *path: str) -> str | None:
        for words in (self._own, self._english):
            at: Any = words
            for part in path:
                at = at.get(part) if isinstance(at, Mapping) else None
            if isinstance(at, str):
                return at
        return None

    def word(self, *path: str) -> str:
        """The word at `path`, or the last id of the path."""
        found = self.find(*path)
        return path[-1] if found is None else found

    def grade(self, grade: str | None) -> str | None:
        return None if grade is None else self.word("grades", grade)

    def sentence(self, section: str, key: str, args: Mapping[str, Any]) -> str:
        """The sentence `section.key` filled with `args`; terms among them are put in the same language."""
        pattern = self.find(section, key)
        if pattern is None:
            return key
        return pattern.format_map(_Filled({name: self._said(value) for name, value in args.items()}))

    def explain(self, line: Because) -> str:
        return self.sentence("explain", line.key, dict(line.args))

    def _said(self, value: Any) -> Any:
        if isinstance(value, Term):
            return self.word("terms", value.kind, value.id)
        if isinstance(value, list | tuple):
            return ", ".join(str(self._said(one)) for one in value)
        return "-" if value is None else value


class _Filled(dict[str, Any]):
    def __missing__(self, key: str) -> str:
        return "…"


@cache
def labels(package: str, language: str) -> Labels:
    """The labels of a system's package; unknown languages speak English."""
    english = read_toml(package, "labels/en.toml")
    return Labels(read_toml(package, f"labels/{language}.toml") if language in LANGUAGES else english, english)


@cache
def read_toml(package: str, path: str) -> Mapping[str, Any]:
    """A data file of a package; empty if there is none."""
    file = files(package).joinpath(path)
    return tomllib.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
