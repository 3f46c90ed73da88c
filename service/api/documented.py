"""What the OpenAPI document says of every route: bodies, answers, problems, headers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from marshmallow import Schema
from msgspec import Struct

from service.api import envelopes as shapes
from service.forms.form import published
from service.problems import MEDIA_TYPE
from service.usecases.batch import Batch
from service.usecases.catalogue import Answered, Faces
from service.usecases.dice import DiceBody

Operation = Mapping[str, Any]


class CheckBody(Struct, frozen=True):
    """The body of a check: its parameters, decisions that its rule asks for, and faces of real dice."""

    params: dict[str, Any] = {}
    label: str = ""
    answers: tuple[Answered, ...] = ()
    faces: Faces | None = None


class TableBody(Struct, frozen=True):
    """The body of a throw on a table."""

    params: dict[str, Any] = {}
    label: str = ""
    faces: Faces | None = None


class AskBody(Struct, frozen=True):
    """The body of a question."""

    params: dict[str, Any] = {}


PROBLEM = {"description": "A problem document", "content": {MEDIA_TYPE: {"schema": shapes.ProblemDocument}}}
PARAMETERS: Mapping[str, tuple[str, Mapping[str, Any]]] = {
    "Accept-Language": (
        "header",
        {"schema": {"type": "string"}, "description": "en, ja or ko; texts follow it, ids never do"},
    ),
    "Idempotency-Key": (
        "header",
        {
            "schema": {"type": "string", "minLength": 22, "maxLength": 64},
            "description": "The same key and body give the same answer for a day, marked Idempotency-Replayed. "
            "The roll's id is r_ and the first 32 hex digits of the key's SHA-256.",
        },
    ),
    "odds": ("query", {"schema": {"type": "boolean", "default": False}, "description": "true embeds the exact odds"}),
}
BODIES: tuple[type[Struct], ...] = (CheckBody, TableBody, AskBody, Batch, DiceBody)
COMPONENTS = "#/components/schemas/{name}"


def add_components(spec: Any) -> None:
    """What operations refer to."""
    spec.components.response("Problem", PROBLEM)
    for name, (place, parameter) in PARAMETERS.items():
        spec.components.parameter(name, place, {"name": name, **parameter})
    for name, schema in published(BODIES, True, COMPONENTS)[1].items():
        spec.components.schema(name, schema)


def operation(
    answer: type[Schema] | dict[str, Any],
    body: type[Struct] | None = None,
    *parameters: str,
    media: str = "application/json",
) -> Operation:
    """An operation object without its texts and examples; `parameters` are names among `PARAMETERS`."""
    found: dict[str, Any] = {
        "parameters": ["Accept-Language", *parameters],
        "responses": {
            "200": {"description": "The answer", "content": {media: {"schema": answer}}},
            "default": "Problem",
        },
    }
    if body:
        schema = {"$ref": COMPONENTS.format(name=body.__name__)}
        found["requestBody"] = {"required": True, "content": {"application/json": {"schema": schema}}}
    return found


SYSTEMS = operation(shapes.SystemsAnswer)
SYSTEM = operation(shapes.SystemAnswer)
TABLE = operation(shapes.TableAnswer)
CHECK = operation(shapes.CheckAnswer, CheckBody, "odds", "Idempotency-Key")
CHECK_ODDS = operation(shapes.OddsAnswer, CheckBody)
QUERY = operation(shapes.QueryAnswer, AskBody)
ODDS = operation(shapes.QuestionAnswer, AskBody)
CHARACTER = operation(shapes.SheetAnswer, AskBody)
TABLE_ROLL = operation(shapes.TableRollAnswer, TableBody, "Idempotency-Key")
BATCH = operation(shapes.BatchAnswer, Batch, "odds", "Idempotency-Key")
KEPT_ROLL = operation(shapes.CheckAnswer)
DICE = operation(shapes.DiceAnswer, DiceBody, "Idempotency-Key")
STATUS = operation(shapes.StatusAnswer)
METRICS = operation({"type": "string"}, media="text/plain")
PAGE = operation({"type": "string"}, media="text/html")
DOCUMENT = operation({"type": "string"}, media="application/yaml")
JSON_DOCUMENT = operation({"type": "object"})
