"""The shapes of what games answer, as marshmallow schemas: published, and held against real answers."""

from __future__ import annotations

from marshmallow import fields

from service.api.envelopes import Offer, Open

CURSOR = {"description": "names the last event that the caller was shown; opaque"}


class CreatedAnswer(Open):
    id = fields.String(required=True)
    system = fields.String(required=True)
    title = fields.String(required=True)
    seat = fields.String(required=True)
    token = fields.String(required=True, metadata={"description": "of the GM's seat; shown only here"})
    dice_commitment = fields.String(required=True, metadata={"description": "SHA-256 of the dice secret"})
    cursor = fields.String(required=True, metadata=CURSOR)


class GameQuestion(Open):
    id = fields.String(required=True)
    topic = fields.String(required=True)
    about = fields.String(required=True)
    offers = fields.List(fields.Nested(Offer), required=True)
    silence = fields.Dict(required=True, metadata={"description": "what no answer means"})
    deadline = fields.String(required=True, allow_none=True, metadata={"format": "date-time"})


class GamePending(Open):
    questions = fields.List(fields.Nested(GameQuestion), required=True, metadata={"description": "the caller's own"})
    paused = fields.Boolean(required=True)


class EventShown(Open):
    id = fields.String(metadata={"description": "its cursor"})
    type = fields.String(required=True)
    at = fields.String(required=True, metadata={"format": "date-time"})


class DoneAnswer(Open):
    cursor = fields.String(required=True, metadata=CURSOR)
    events = fields.List(fields.Nested(EventShown), required=True, metadata={"description": "as the caller sees them"})
    pending = fields.Nested(GamePending, required=True, allow_none=True)


class InvitedAnswer(DoneAnswer):
    seat = fields.String(required=True)
    invite = fields.String(required=True, metadata={"description": "a code that works once; shown only here"})


class TokenAnswer(DoneAnswer):
    seat = fields.String(required=True)
    game = fields.String(metadata={"description": "of an invite"})
    token = fields.String(required=True, metadata={"description": "shown only here"})


class SeatShown(Open):
    id = fields.String(required=True)
    name = fields.String(required=True)
    role = fields.String(required=True)
    taken = fields.Boolean(required=True)
    characters = fields.List(fields.String(), required=True)


class SeatsAnswer(Open):
    seats = fields.List(fields.Nested(SeatShown), required=True)


class You(Open):
    seat = fields.String(required=True)
    name = fields.String(required=True)
    role = fields.String(required=True)
    characters = fields.List(fields.String(), required=True)


class ViewAnswer(Open):
    id = fields.String(required=True)
    system = fields.String(required=True)
    title = fields.String(required=True)
    you = fields.Nested(You, required=True)
    seats = fields.List(fields.Nested(SeatShown), required=True)
    options = fields.Dict(required=True)
    closed = fields.Boolean(required=True)
    dice_commitment = fields.String(required=True)
    cursor = fields.String(required=True, metadata=CURSOR)
    paused = fields.Boolean(required=True)
    pending = fields.Nested(GamePending, required=True, allow_none=True)
    waiting_for = fields.List(fields.Dict(), required=True)
    clocks = fields.Dict(required=True)
    timeline = fields.Dict(required=True, allow_none=True)
    standing_answers = fields.List(fields.Dict(), required=True)
    state = fields.Dict(required=True, metadata={"description": "the system's own view of the game"})


class OfferedCommand(Open):
    command = fields.String(required=True)
    params = fields.Dict(required=True, metadata={"description": "the domain of each parameter"})
    cost = fields.Dict(required=True)
    odds = fields.List(fields.Dict(), metadata={"description": "with odds=true: examples with their exact odds"})


class OffersAnswer(Open):
    offers = fields.List(fields.Nested(OfferedCommand), required=True)
    pending = fields.Nested(GamePending, required=True, allow_none=True)


class ForecastAnswer(Open):
    command = fields.String(required=True)
    assumptions = fields.List(fields.String(), required=True)
    cases = fields.List(fields.Dict(), required=True, metadata={"description": "given, success, outcomes"})


class EventsAnswer(Open):
    events = fields.List(fields.Nested(EventShown), required=True)
    cursor = fields.String(required=True, metadata=CURSOR)
    more = fields.Boolean(required=True)


class LogEntry(Open):
    at = fields.String(required=True, metadata={"format": "date-time"})
    kind = fields.String(required=True)
    seat = fields.String(allow_none=True)
    message = fields.Dict()
    undone = fields.Boolean()
    events = fields.List(fields.Nested(EventShown), required=True)


class LogAnswer(Open):
    log = fields.List(fields.Nested(LogEntry), required=True)
    cursor = fields.String(required=True, metadata=CURSOR)
    more = fields.Boolean(required=True)


class RollProven(Open):
    counter = fields.Integer(required=True, allow_none=True, metadata={"description": "null: real dice"})
    sides = fields.Integer(required=True)
    count = fields.Integer(required=True)
    faces = fields.List(fields.Integer(), required=True)
    label = fields.String(required=True, allow_none=True)
    event = fields.String(required=True, allow_none=True)


class EpochShown(Open):
    number = fields.Integer(required=True)
    commitment = fields.String(required=True)
    rolls = fields.List(fields.Nested(RollProven), metadata={"description": "once it has ended"})
    secret = fields.String(required=True, allow_none=True, metadata={"description": "null while the epoch runs"})


class ProofAnswer(Open):
    game = fields.String(required=True)
    algorithm = fields.String(required=True)
    epochs = fields.List(fields.Nested(EpochShown), required=True)


class ClockShown(Open):
    name = fields.String(required=True)
    segments = fields.Integer(required=True)
    filled = fields.Integer(required=True, allow_none=True, metadata={"description": "null where it is not shown"})
    overflow = fields.String(required=True)
    owner = fields.String(required=True)
    hidden = fields.Boolean(required=True)
    progress_hidden = fields.Boolean(required=True)


class ClockAnswer(DoneAnswer):
    clock = fields.Nested(ClockShown, required=True)


class ClockMadeAnswer(ClockAnswer):
    id = fields.String(required=True)


class TickedAnswer(ClockAnswer):
    fills = fields.Integer(required=True, metadata={"description": "how often it filled; negative: emptied"})
    lost = fields.Integer(required=True, metadata={"description": "ticks beyond its end"})


class ClocksAnswer(Open):
    clocks = fields.Dict(keys=fields.String(), values=fields.Nested(ClockShown), required=True)


class CharacterShown(Open):
    id = fields.String(required=True)
    seat = fields.String(required=True)
    owner = fields.String(required=True, allow_none=True, metadata={"description": "the name of the seat"})


class CharactersAnswer(Open):
    characters = fields.List(fields.Nested(CharacterShown), required=True)


class CharacterDocument(Open):
    format = fields.String(required=True)
    system = fields.String(required=True)
    rules_version = fields.String(required=True)
    character = fields.Dict(required=True)


class GameDocument(Open):
    format = fields.String(required=True)
    system = fields.String(required=True)
    log = fields.List(fields.Nested(LogEntry), required=True)
