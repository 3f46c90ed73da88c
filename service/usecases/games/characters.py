"""Characters of a game: who plays them, out as documents, and in from sheets and from documents of other games."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import Struct

from service.problems import at as misfit
from service.problems import invalid, refusal
from service.usecases.games.allowed import gm_only
from service.usecases.games.answering import carry_out, playing
from service.usecases.games.desk import Asked, At, Desk, Reply
from service.usecases.games.draft import Draft
from systems.core.convert import to_plain
from systems.core.errors import Illegal
from systems.core.game import Message
from systems.core.seats import Seat
from systems.core.table import CastChanged

FORMAT = "ninja-rules/character/1"


class Arrival(Struct, frozen=True):
    """A character that comes in: a sheet, or what was exported from a game. `seat` plays it (GM only)."""

    character: dict[str, Any]
    seat: str | None = None


def listed(desk: Desk, asked: Asked) -> dict[str, Any]:
    """The characters that the caller may know of, each with the name that stands in its view."""
    found = desk.at(asked)
    game, table = found.standing.seen, found.standing.table
    names = dict(_names(to_plain(found.system.view(game, found.seat))))
    return {
        "characters": [
            {
                "id": one,
                **({"name": names[one]} if one in names else {}),
                "seat": table.player_of(one),
                "owner": table.seats[table.player_of(one)].name,
            }
            for one in found.system.characters_seen(game, found.seat)
        ]
    }


def exported(desk: Desk, asked: Asked, character: str) -> dict[str, Any]:
    """A character as a document, for who speaks for it. 404 for all others, as for one that there is not."""
    found = desk.at(asked)
    if not found.seat.speaks_for(character):
        raise refusal("unknown_character", 404)
    try:
        sheet = found.system.sheet_of(found.standing.seen, character)
    except KeyError:
        raise refusal("unknown_character", 404) from None
    system = found.system
    return {"format": FORMAT, "system": system.id, "rules_version": system.rules_version, "character": to_plain(sheet)}


def arrive(desk: Desk, asked: Asked, body: Arrival) -> Reply:
    """A character comes in by the system's own command."""

    def decide(found: At, draft: Draft) -> None:
        playing(found)
        if draft.standing.waiting is not None:
            raise Illegal("decision_pending", "")
        player = _player(found, body.seat)
        message = _message(found, _sheet(found, body.character), player)
        before = found.system.characters(draft.standing.game)  # the GM's own are in no cast either
        carry_out(desk, asked, found, draft, message)
        for one in found.system.characters(draft.standing.game):
            if body.seat is not None and one not in before and one not in draft.standing.table.cast:
                draft.tell(CastChanged(one, body.seat))

    return desk.act(asked, decide)


def _player(found: At, seat: str | None) -> Seat:
    if seat is None or seat == found.seat.id:
        return found.seat
    gm_only(found)
    if seat not in found.standing.table.seats:
        raise refusal("unknown_seat")
    return found.standing.table.seat(seat)


def _sheet(found: At, raw: dict[str, Any]) -> Any:
    """The sheet itself, or the one of a document."""
    if "format" not in raw:
        return raw
    if raw["format"] != FORMAT or raw.get("system") != found.system.id:
        raise refusal("bad_export", why=f"{FORMAT}, system {found.system.id}")
    return raw.get("character")


def _message(found: At, sheet: Any, player: Seat) -> Message:
    try:
        message = found.system.arriving(sheet, player)
    except msgspec.ValidationError as error:
        raise invalid([misfit(("character",), "other", why=str(error))]) from None
    if isinstance(message, Illegal):
        raise message
    return message


def _names(value: Any) -> Iterator[tuple[str, str]]:
    """Ids with the name that stands beside them in a view."""
    if isinstance(value, dict):
        if isinstance(value.get("id"), str) and isinstance(value.get("name"), str):
            yield value["id"], value["name"]
        for key, one in value.items():
            if isinstance(one, dict) and isinstance(one.get("name"), str):
                yield str(key), one["name"]
            yield from _names(one)
    elif isinstance(value, list | tuple):
        for one in value:
            yield from _names(one)
