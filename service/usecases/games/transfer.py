"""A whole game out, in again elsewhere, and gone."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from service.problems import Problem, refusal
from service.usecases.games import offering, opening, reading
from service.usecases.games.allowed import gm_only
from service.usecases.games.answering import MOST_CHARACTERS
from service.usecases.games.desk import Asked, At, Desk, Reply
from service.usecases.games.opening import FIRST_GM, Opening
from service.usecases.games.seats import MOST_SEATS
from service.usecases.games.standing import TableOptions
from service.usecases.games.views import view_of
from service.usecases.refusals import refusing
from systems.core.clocks import ProgressClock
from systems.core.convert import to_plain
from systems.core.convert import to_struct as read
from systems.core.game import change as changed
from systems.core.seats import GM
from systems.core.system import System
from systems.core.table import Chair, GameImported, Table
from systems.core.values import Map

FORMAT = "ninja-rules/game/1"
VIEW_FORMAT = "ninja-rules/view/1"
MOST_CLOCKS = 2_000
MOST_CAST = 1_000
MOST_SEGMENTS = 1_000

Id = Annotated[str, Meta(min_length=1, max_length=100)]


class Exported(Struct, frozen=True):
    """What is read of an export; its log is for people."""

    format: str
    system: str
    state: dict[str, Any]
    title: Annotated[str, Meta(max_length=200)] = ""
    options: TableOptions = TableOptions()
    seats: Annotated[dict[Id, Chair], Meta(max_length=MOST_SEATS)] = {}
    cast: Annotated[dict[Id, Id], Meta(max_length=MOST_CAST)] = {}
    clocks: Annotated[dict[Id, ProgressClock], Meta(max_length=MOST_CLOCKS)] = {}


def export(desk: Desk, asked: Asked) -> dict[str, Any]:
    """The game without the open command and what is sealed (GM); for everybody else what they see of it."""
    found = desk.at(asked)
    log = _log(desk, asked)
    if not found.seat.gm:
        view = msgspec.json.decode(view_of(found))
        return {"format": VIEW_FORMAT, "system": found.system.id, "view": view, "log": log}
    system, table = found.system, found.standing.table
    return {
        "format": FORMAT,
        "system": system.id,
        "rules_version": system.rules_version,
        "title": table.title,
        "options": to_plain(found.standing.options),
        "seats": to_plain(table.seats),
        "cast": to_plain(table.cast),
        "clocks": to_plain(table.clocks),
        "state": _state(found),
        "log": log,
    }


def _state(found: At) -> Any:
    standing, system = found.standing, found.system
    game = standing.game if standing.waiting is None else standing.start
    open_game = system.without_sealed(game, system.characters(game))
    return msgspec.json.decode(system.codec.encode(open_game))


def _log(desk: Desk, asked: Asked) -> list[dict[str, Any]]:
    entries: list[dict[str, Any]] = []
    after: str | None = None
    while True:
        page = reading.log(desk, asked, after, reading.MOST_EVENTS)
        entries += page["log"]
        if not page["more"] or page["cursor"] == after:
            return entries
        after = page["cursor"]


def import_game(desk: Desk, document: Any, key: str | None, mark: str, name: str) -> Reply:
    """A new game that goes on from an export, with a new GM's token; the other seats wait for new invites."""
    exported = _read(document)
    system = _system(desk, exported.system)
    table = _table(exported)
    game = _game(system, exported)
    made = Opening(system, exported.title, name, exported.options, game, key, mark)
    seats = table.seats.put(FIRST_GM, Chair(name, "gm", taken=True))
    told = GameImported(exported.title, changed(table, seats=seats, clocks=Map()))  # all see it, not all clocks
    return opening.create(desk, made, told, table)


def _read(document: Any) -> Exported:
    try:
        exported = read(document, Exported)
    except msgspec.ValidationError as error:
        raise _bad(str(error)) from None
    if exported.format != FORMAT:
        raise _bad(f"format {FORMAT}")
    return exported


def _system(desk: Desk, id: str) -> System:
    try:
        system = desk.catalogue.system(id)
    except Problem:
        raise _bad(f"system {id[:60]}") from None
    if system.state is None:
        raise _bad(f"system {id[:60]}")
    return system


def _table(exported: Exported) -> Table:
    """The table without tokens. Raises `Problem` 422 for clocks that no table could have."""
    for id, clock in exported.clocks.items():
        low = -clock.segments if clock.overflow == "signed" else 0
        if not (1 <= clock.segments <= MOST_SEGMENTS and low <= clock.filled <= clock.segments and clock.name):
            raise _bad(f"clocks.{id}")
    for id, chair in exported.seats.items():
        if not 1 <= len(chair.name) <= 100:
            raise _bad(f"seats.{id}")
    seats = Map({id: changed(chair, taken=False) for id, chair in exported.seats.items() if id != FIRST_GM})
    return Table(exported.title, seats, Map(exported.cast), Map(exported.clocks))


def _game(system: System, exported: Exported) -> Any:
    """The state, looked at from every side: one that cannot be played or shown is not taken in."""
    assert system.state
    try:
        game = system.codec.decode(msgspec.json.encode(exported.state), system.state)
        broken = game.violated()
        if len(system.characters(game)) > MOST_CHARACTERS:
            raise _bad(f"state: > {MOST_CHARACTERS} characters")
        to_plain(system.view(game, GM))
        system.timeline(game), system.turns(game)
        offering.try_out(system, game)
    except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError) as error:
        raise _bad(f"state: {type(error).__name__}: {str(error)[:200]}") from None
    if broken is not None:
        raise _bad(f"state: {broken.code}")
    if game.agenda:
        raise _bad("state.agenda")
    return game


def _bad(why: str) -> Problem:
    return refusal("bad_export", why=why)


def delete(desk: Desk, asked: Asked) -> None:
    """The game with everything in it (GM)."""
    found = desk.at(asked)
    with refusing(found.system.labels(asked.language), asked.language):
        gm_only(found)
    desk.games.delete(found.game)
