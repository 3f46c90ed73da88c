"""A form: what a request's body may be. Reads it at full speed, explains every misfit, publishes its schema."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any, Generic, TypeVar

import msgspec
from marshmallow import Schema
from msgspec import Struct

from service.forms.fields import errors_of, schema_of
from service.forms.twin import fits, shown_type, strict_twin
from service.problems import FieldError, Misfit, invalid
from systems.core.convert import to_struct

S = TypeVar("S", bound=Struct)

_PLACE = re.compile(r"\w+")


class Form(Generic[S]):
    """The form of one Struct type."""

    def __init__(self, kind: type[S]) -> None:
        self.kind = kind
        self.twin = strict_twin(kind)

    @cached_property
    def schema(self) -> type[Schema]:
        """The marshmallow schema that names all misfits."""
        return schema_of(self.twin)

    def read(self, raw: Any) -> S:
        """The value of a parsed body. Raises `Problem` 422 with every field that does not fit."""
        if not fits(raw, self.twin):
            raise invalid(self.misfits(raw))
        try:
            return to_struct(raw, self.kind)
        except msgspec.ValidationError as error:
            raise invalid((_said_by_type(str(error)),)) from None

    def misfits(self, raw: Any) -> tuple[FieldError, ...]:
        return errors_of(self.schema, raw)


def _said_by_type(message: str) -> FieldError:
    """What a type's own check of its fields says, with the place that msgspec adds."""
    why, _, place = message.partition(" - at `$")
    path = tuple(int(part) if part.isdigit() else part for part in _PLACE.findall(place))
    return FieldError(path, Misfit("other", {"why": why}))


def published(kinds: Iterable[type[Struct]], incoming: bool, refs: str = "#/$defs/{name}") -> tuple[Any, ...]:
    """JSON Schemas of Struct types, and the definitions that they refer to."""
    twins = [strict_twin(kind) if incoming else shown_type(kind) for kind in kinds]
    schemas, definitions = msgspec.json.schema_components(twins, ref_template=refs)
    return schemas, definitions


def json_schema(kind: type[Struct], incoming: bool = True) -> Mapping[str, Any]:
    """The JSON Schema of one Struct type, complete in itself."""
    (schema,), definitions = published((kind,), incoming)
    own = definitions.pop(schema["$ref"].rsplit("/", 1)[1]) if "$ref" in schema else schema
    return {**own, "$defs": definitions} if definitions else own
