"""Creating a game: its seat for the GM, its first dice secret, its switches (POST /v1/games)."""

from __future__ import annotations

import secrets
from hashlib import sha256
from typing import Any

import msgspec
from msgspec import Struct

from service.problems import FieldError, Problem, invalid, refusal
from service.store.records import Epoch, KeyTaken, Row
from service.usecases.games import feed
from service.usecases.games.desk import Asked, Desk, Reply, token_hash
from service.usecases.games.standing import Standing, TableOptions, encoded
from systems.core.dice import SeededDice
from systems.core.game import Event
from systems.core.system import System
from systems.core.table import GameCreated, Table
from systems.core.values import Map

FIRST_GM = "gm"
TABLE_OPTIONS = frozenset(TableOptions.__struct_fields__)


class Opening(Struct, frozen=True):
    """A game that is about to be created: `key` makes the same ids and the same token from the same request."""

    system: System
    title: str
    name: str
    options: TableOptions
    game: Any
    key: str | None
    mark: str


def create(desk: Desk, opening: Opening, first: Event | None = None, table: Table | None = None) -> Reply:
    """A new game with its GM's token, which is told only here; the same key and body give the same answer."""
    id = "g_" + fresh(opening.key, "game")[:24]
    token = "t_" + fresh(opening.key, "token")
    standing, row, epoch = _first_row(desk, opening, id, first, table)
    try:
        raw, standing = encoded(opening.system, standing)
        row = msgspec.structs.replace(row, digest=standing.digest, snapshot=raw)
        desk.games.create(
            id, opening.system.id, raw, {token_hash(token): FIRST_GM}, row, epoch, None, mark=opening.mark
        )
    except KeyTaken:
        if desk.games.mark_of(id) != opening.mark:
            raise refusal("key_reused") from None
        standing = desk.at(Asked(id, token)).standing
        return Reply(_told(id, opening, token, standing), replayed=True)
    return Reply(_told(id, opening, token, standing))


def _first_row(
    desk: Desk, opening: Opening, id: str, first: Event | None, table: Table | None
) -> tuple[Standing[Any], Row, Epoch]:
    now, secret = desk.clock(), secrets.token_bytes(32)
    commitment = SeededDice(secret, id).commitment
    created = GameCreated(opening.title, FIRST_GM, opening.name, commitment)
    events: tuple[Event, ...] = (created, *((first,) if first else ()))
    there = created.applied(table or Table())
    codec = opening.system.codec
    shown = feed.shown(events, there, Map(), codec)
    standing: Standing[Any] = Standing(
        key=secrets.token_hex(16), commitment=commitment, table=there, game=opening.game, options=opening.options,
        counts=feed.counted(shown),
    )  # fmt: skip
    row = Row(
        seq=0, at=now, seat=FIRST_GM, kind="created", message=b"{}", events=codec.encode(events),
        shown=codec.encode(shown), digest="", base="", rules_version=opening.system.rules_version,
    )  # fmt: skip
    return standing, row, Epoch(id, 1, secret, commitment, now)


def _told(id: str, opening: Opening, token: str, standing: Standing[Any]) -> dict[str, Any]:
    return {
        "id": id,
        "system": opening.system.id,
        "title": opening.title,
        "seat": FIRST_GM,
        "token": token,
        "dice_commitment": standing.commitment,
        "cursor": feed.cursor(standing.key, FIRST_GM, standing.shown_to(FIRST_GM)),
    }


def options_of(desk: Desk, system: System, raw: dict[str, Any]) -> tuple[TableOptions, Any]:
    """The table's options and the system's switches out of one object. Raises `Problem` 422 with every misfit."""
    own = {name: value for name, value in raw.items() if name in TABLE_OPTIONS}
    switches = {name: value for name, value in raw.items() if name not in TABLE_OPTIONS}
    errors: list[FieldError] = []
    found: list[Any] = []
    for form, part in ((desk.catalogue.form(TableOptions), own), (desk.catalogue.form(system.switches), switches)):
        try:
            found.append(form.read(part))
        except Problem as problem:
            errors += (FieldError(("options", *one.path), one.misfit) for one in problem.errors)
    if errors:
        raise invalid(errors)
    return found[0], found[1]


def fresh(key: str | None, what: str) -> str:
    """43 characters that nobody can guess: out of the operating system, or out of an idempotency key, which is one."""
    if key is None:
        return secrets.token_urlsafe(32)
    return sha256(f"ninja-rules {what} {key}".encode()).hexdigest()[:43]
