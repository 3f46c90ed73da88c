"""What the OpenAPI document says of the table's routes: seats, clocks, epochs, characters, exports."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from service.api import bodies
from service.api import game_shapes as shapes
from service.api.documented import Operation
from service.api.games_documented import BEARER, add_bodies, of_game, read, sent
from service.usecases.games.characters import Arrival
from service.usecases.games.clocks import ClockBody, ClockChange
from service.usecases.games.seats import SeatBody, SeatChange

BODIES: tuple[type[Struct], ...] = (
    bodies.CloseBody,
    bodies.TickBody,
    bodies.Nothing,
    SeatBody,
    SeatChange,
    ClockBody,
    ClockChange,
    Arrival,
)


def add_components(spec: Any) -> None:
    """The bodies that operations refer to."""
    add_bodies(spec, BODIES)


def _gone() -> Operation:
    return {
        "parameters": ["Accept-Language"],
        "responses": {"204": {"description": "It is gone"}, "default": "Problem"},
        "security": BEARER,
    }


def _import() -> Operation:
    found = dict(sent(shapes.CreatedAnswer, bodies.Nothing, "name", made=True))
    content = {"application/json": {"schema": {"type": "object", "description": "what an export answered"}}}
    return {**found, "requestBody": {"required": True, "content": content}, "security": [{}, *BEARER]}


SEAT = sent(shapes.InvitedAnswer, SeatBody, made=True)
SEATS = read(shapes.SeatsAnswer)
SEAT_CHANGE = of_game(shapes.DoneAnswer, SeatChange)
SEAT_GONE = of_game(shapes.DoneAnswer)
REINVITE = sent(shapes.InvitedAnswer, bodies.Nothing)
TOKEN = sent(shapes.TokenAnswer, bodies.Nothing)
REDEEM = {**sent(shapes.TokenAnswer, bodies.Nothing), "security": [{}]}
CLOCK = sent(shapes.ClockMadeAnswer, ClockBody, made=True)
CLOCKS = read(shapes.ClocksAnswer)
TICK = sent(shapes.TickedAnswer, bodies.TickBody)
CLOCK_CHANGE = of_game(shapes.ClockAnswer, ClockChange)
CLOCK_GONE = of_game(shapes.DoneAnswer)
PROOF = read(shapes.ProofAnswer)
EPOCH = sent(shapes.DoneAnswer, bodies.Nothing)
CLOSE = sent(shapes.DoneAnswer, bodies.CloseBody)
CHARACTERS = read(shapes.CharactersAnswer)
ARRIVAL = sent(shapes.DoneAnswer, Arrival)
SHEET = read(shapes.CharacterDocument, "format")
EXPORT = read(shapes.GameDocument)
IMPORT = _import()
GONE = _gone()
