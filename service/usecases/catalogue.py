"""Finding systems and names, with the forms of their bodies; what is not found is answered with close matches."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from functools import cached_property
from typing import Annotated, Any, Generic, TypeVar

from msgspec import Meta, Struct, defstruct, field

from service.forms.form import Form
from service.problems import Problem
from systems.core.calls import CheckCall, NoParams, OddsQuestion, Query
from systems.core.dice import MAX_DICE_PER_REQUEST
from systems.core.system import System
from systems.core.tables import RowTable

N = TypeVar("N")

KINDS = ("check", "query", "odds", "table")


class Answered(Struct, frozen=True):
    """A decision that the rule asks for: the message and its parameters."""

    action: Annotated[str, Meta(max_length=60)]
    params: dict[str, Any] = {}


Faces = Annotated[tuple[Annotated[int, Meta(ge=1)], ...], Meta(max_length=MAX_DICE_PER_REQUEST)]


class Bound(Generic[N]):
    """A name of a system, with the form of its body."""

    def __init__(self, system: System, named: N, form: Form[Any]) -> None:
        self.system, self.named, self.form = system, named, form


class Catalogue:
    """Every installed system and all that it answers to."""

    def __init__(self, systems: Mapping[str, System]) -> None:
        self.systems = systems
        self._checks: dict[tuple[str, str], Bound[CheckCall[Any, Any]]] = {}
        self._questions: dict[tuple[str, str, str], Bound[Query | OddsQuestion]] = {}
        self._table_forms: dict[tuple[str, str], Form[Any]] = {}
        self._forms: dict[type[Struct], Form[Any]] = {}
        self._answer_forms: dict[tuple[str, str], Form[Any]] = {}

    def system(self, system: str) -> System:
        """Raises `Problem` 404."""
        found = self.systems.get(system)
        if found is None:
            raise _unknown("unknown_system", system, self.systems)
        return found

    def check(self, system: str, check: str) -> Bound[CheckCall[Any, Any]]:
        """Raises `Problem` 404."""
        found = self._checks.get((system, check))
        if found is None:
            home = self.system(system)
            call: CheckCall[Any, Any] = self._named(home, "check", check, home.calls.checks)
            body = _body(f"{check}_body", call.params, label=(str, ""), answers=(tuple[Answered, ...], ()), faces=FACES)
            found = self._checks[system, check] = Bound(home, call, Form(body))
        return found

    def question(self, system: str, kind: str, name: str) -> Bound[Query | OddsQuestion]:
        """A query or an odds question. Raises `Problem` 404."""
        found = self._questions.get((system, kind, name))
        if found is None:
            home = self.system(system)
            names: Mapping[str, Any] = home.calls.queries if kind == "query" else home.calls.odds_questions
            named: Query | OddsQuestion = self._named(home, kind, name, names)
            found = self._questions[system, kind, name] = Bound(home, named, Form(_body(f"{name}_body", named.params)))
        return found

    def sheet_check(self, system: str) -> Bound[Query | OddsQuestion]:
        """The check of a character sheet. Raises `Problem` 404 if the system has none."""
        found = self._questions.get((system, "sheet", ""))
        if found is None:
            home = self.system(system)
            check = home.calls.sheet_check
            if check is None:
                raise Problem(404, "no_characters", system=system)
            found = Bound(home, check, Form(_body("sheet_body", check.params)))
            self._questions[system, "sheet", ""] = found
        return found

    def table(self, system: str, table: str) -> RowTable:
        """Raises `Problem` 404."""
        home = self.system(system)
        found = home.calls.find_table(table)
        return found or self._named(home, "table", table, {})

    def table_form(self, system: str, table: str) -> Form[Any]:
        """The form of a throw on a table."""
        found = self._table_forms.get((system, table))
        if found is None:
            special = self.system(system).calls.table_rolls.get(table)
            params = special.params if special else NoParams
            found = Form(_body(f"{table}_body", params, label=(str, ""), faces=FACES))
            self._table_forms[system, table] = found
        return found

    def answer_form(self, system: System, action: str) -> Form[Any] | None:
        """The form of the parameters of an answer; None if the system has no such message."""
        message = system.codec.messages.get(action)
        if message is None:
            return None
        found = self._answer_forms.get((system.id, action))
        if found is None:
            found = self._answer_forms[system.id, action] = Form(message)
        return found

    def form(self, kind: type[Struct]) -> Form[Any]:
        """The form of any Struct that comes in."""
        found = self._forms.get(kind)
        if found is None:
            found = self._forms[kind] = Form(kind)
        return found

    def _named(self, system: System, kind: str, name: str, names: Mapping[str, N]) -> N:
        if name in names:
            return names[name]
        others = names_by_kind(system)
        for other in KINDS:
            if other != kind and name in others[other]:
                raise Problem(
                    404, "other_kind", name=name, asked=kind, other=other, path=path_of(system.id, other, name)
                )
        raise _unknown(f"unknown_{kind}", name, others[kind])

    @cached_property
    def languages(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(one for system in self.systems.values() for one in system.languages))


FACES: tuple[Any, Any] = (Faces | None, None)


def names_by_kind(system: System) -> Mapping[str, tuple[str, ...]]:
    calls = system.calls
    return {
        "check": tuple(sorted(calls.checks)),
        "query": tuple(sorted(calls.queries)),
        "odds": tuple(sorted(calls.odds_questions)),
        "table": calls.table_ids,
    }


def path_of(system: str, kind: str, name: str) -> str:
    """Where a name is asked."""
    plural = {"check": "checks", "query": "queries", "odds": "odds", "table": "tables"}[kind]
    return f"/v1/systems/{system}/{plural}/{name}"


def _unknown(kind: str, name: str, known: Iterable[str]) -> Problem:
    close = get_close_matches(name[:100], list(known), n=5, cutoff=0.5)
    return Problem(404, kind, name=name[:100], close=close or "-", more={"close": close})


def _body(body: str, params: type[Struct], **more: tuple[Any, Any]) -> type[Struct]:
    """The body of a call: `params`, needed only if it means nothing without one of them."""
    try:
        params()
        needed = False
    except (TypeError, ValueError):
        needed = True
    first: Any = ("params", params) if needed else ("params", params, field(default_factory=params))
    rest = [(name, kind, default) for name, (kind, default) in more.items()]
    return defstruct(body, [first, *rest], frozen=True, kw_only=True, module=params.__module__)
