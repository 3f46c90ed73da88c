"""What the OpenAPI document says of the routes of playing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from service.api import bodies
from service.api import game_shapes as shapes
from service.api.documented import COMPONENTS, Operation, operation
from service.forms.form import published

BODIES: tuple[type[Struct], ...] = (
    bodies.NewGame,
    bodies.CommandBody,
    bodies.GivenAnswer,
    bodies.AlwaysBody,
    bodies.ForecastBody,
    bodies.UndoBody,
)
IF_MATCH = "The ETag of the view that this was decided on: 412 if the caller's view has changed since."
PARAMETERS: Mapping[str, tuple[str, Mapping[str, Any]]] = {
    "Once": (
        "header",
        {
            "name": "Idempotency-Key",
            "schema": {"type": "string", "minLength": 22, "maxLength": 64},
            "description": "Sent again with the same key and body, nothing happens twice: the first answer comes "
            "again, marked Idempotency-Replayed. Use random keys: ids and codes derive from them.",
        },
    ),
    "If-Match": ("header", {"schema": {"type": "string"}, "description": IF_MATCH}),
    "If-None-Match": ("header", {"schema": {"type": "string"}, "description": "304 if the view is still that one"}),
    "after": ("query", {"schema": {"type": "string"}, "description": "a cursor; all from the beginning without one"}),
    "limit": ("query", {"schema": {"type": "integer", "minimum": 1, "maximum": 500, "default": 100}}),
    "format": ("query", {"schema": {"type": "string", "enum": ["json"], "default": "json"}}),
    "name": ("query", {"schema": {"type": "string", "maxLength": 100, "default": "GM"}}),
}
HEADERS: Mapping[str, Mapping[str, Any]] = {
    "ETag": {"schema": {"type": "string"}, "description": "changes exactly when the caller's view changes"},
    "Location": {"schema": {"type": "string"}},
    "Idempotency-Replayed": {"schema": {"type": "string", "enum": ["true"]}},
}
BEARER: list[dict[str, list[str]]] = [{"bearer": []}]


def add_components(spec: Any) -> None:
    """What operations of games refer to."""
    token = {"type": "http", "scheme": "bearer", "description": "the token of a seat (t_…), or one of API_KEYS"}
    spec.components.security_scheme("bearer", token)
    for name, (place, parameter) in PARAMETERS.items():
        spec.components.parameter(name, place, {"name": name, **parameter})
    for name, header in HEADERS.items():
        spec.components.header(name, dict(header))
    add_bodies(spec, BODIES)


def add_bodies(spec: Any, kinds: tuple[type[Struct], ...]) -> None:
    """Their schemas, with what they refer to unless it is there already."""
    for name, schema in published(kinds, True, COMPONENTS)[1].items():
        if name not in spec.components.schemas:
            spec.components.schema(name, schema)


def of_game(
    answer: Any, body: type[Struct] | None = None, *parameters: str, status: str = "200", headers: tuple[str, ...] = ()
) -> Operation:
    """An operation that needs a token."""
    found: dict[str, Any] = {**operation(answer, body, *parameters), "security": BEARER}
    said = found["responses"].pop("200")
    if headers:
        said["headers"] = {name: name for name in headers}
    found["responses"] = {status: said, **found["responses"]}
    return found


def read(answer: Any, *parameters: str) -> Operation:
    return of_game(answer, None, *parameters)


def sent(answer: Any, body: type[Struct], *parameters: str, made: bool = False) -> Operation:
    """A POST, safe to be sent twice with a key."""
    place = ("Location",) if made else ()
    status = "201" if made else "200"
    return of_game(answer, body, "Once", *parameters, status=status, headers=("Idempotency-Replayed", *place))


def _view() -> Operation:
    found = dict(of_game(shapes.ViewAnswer, None, "If-None-Match", headers=("ETag",)))
    same = {"description": "The caller has this view already"}
    return {**found, "responses": {**found["responses"], "304": same}}


NEW = {**sent(shapes.CreatedAnswer, bodies.NewGame, made=True), "security": [{}, *BEARER]}
VIEW = _view()
OFFERS = read(shapes.OffersAnswer, "odds")
COMMAND = sent(shapes.DoneAnswer, bodies.CommandBody, "If-Match")
ANSWER = sent(shapes.DoneAnswer, bodies.GivenAnswer, "If-Match")
ALWAYS = of_game(shapes.DoneAnswer, bodies.AlwaysBody)
FORECAST = sent(shapes.ForecastAnswer, bodies.ForecastBody)
UNDO = sent(shapes.DoneAnswer, bodies.UndoBody)
EVENTS = read(shapes.EventsAnswer, "after", "limit")
LOG = read(shapes.LogAnswer, "after", "limit")
