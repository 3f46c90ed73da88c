"""marshmallow fields and schemas read off a strict twin: all errors at once, each with its path."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, NoReturn

import msgspec.inspect as kinds
from marshmallow import EXCLUDE, RAISE, Schema, ValidationError, fields

from service.problems import FieldError, Misfit

_MISSING = Misfit("missing")
_UNKNOWN = Misfit("unknown")
_NOT_AN_OBJECT = Misfit("object")
_WHOLE_KEY = re.compile(r"0|-?[1-9][0-9]{0,17}", re.ASCII)


def misfit(key: str, **args: Any) -> NoReturn:
    raise ValidationError([Misfit(key, args)])


class Shape(fields.Field[Any]):
    """A field whose misfits are sentences of the labels."""

    default_error_messages = {"required": _MISSING, "null": Misfit("null")}  # type: ignore[dict-item]  # noqa: RUF012


class Number(Shape):
    """A whole number, or any number, within its bounds; never a boolean, a text or 3.0 for 3."""

    def __init__(self, kind: kinds.IntType | kinds.FloatType, **options: Any) -> None:
        super().__init__(**options)
        self.kind, self.whole = kind, isinstance(kind, kinds.IntType)

    def _deserialize(self, value: Any, attr: str | None, data: Any, **_: Any) -> Any:
        if isinstance(value, bool) or not isinstance(value, int if self.whole else (int, float)):
            misfit("integer" if self.whole else "number", **self._range)
        kind = self.kind
        within = (
            (kind.ge is None or value >= kind.ge)
            and (kind.le is None or value <= kind.le)
            and (kind.gt is None or value > kind.gt)
            and (kind.lt is None or value < kind.lt)
            and (kind.multiple_of is None or value % kind.multiple_of == 0)
        )
        return value if within else misfit("range", **self._range)

    @property
    def _range(self) -> dict[str, Any]:
        low = self.kind.ge if self.kind.gt is None else self.kind.gt + 1
        high = self.kind.le if self.kind.lt is None else self.kind.lt - 1
        return {"low": low, "high": high}


class Text(Shape):
    """A text within its length, of its pattern."""

    def __init__(self, kind: kinds.StrType, **options: Any) -> None:
        super().__init__(**options)
        self.kind, self.pattern = kind, re.compile(kind.pattern) if kind.pattern else None

    def _deserialize(self, value: Any, attr: str | None, data: Any, **_: Any) -> Any:
        if not isinstance(value, str):
            misfit("text")
        low, high = self.kind.min_length, self.kind.max_length
        if (low is not None and len(value) < low) or (high is not None and len(value) > high):
            misfit("length", low=low or 0, high="∞" if high is None else high)
        if self.pattern and not self.pattern.search(value):
            misfit("pattern", pattern=self.pattern.pattern)
        return value


class Flag(Shape):
    """true or false."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **_: Any) -> Any:
        return value if isinstance(value, bool) else misfit("boolean")


class Choice(Shape):
    """One of a few values, of the same type."""

    def __init__(self, values: tuple[Any, ...], **options: Any) -> None:
        super().__init__(**options)
        self.values = values

    def _deserialize(self, value: Any, attr: str | None, data: Any, **_: Any) -> Any:
        if any(type(value) is type(one) and value == one for one in self.values):
            return value
        return misfit("choice", accepted=["null" if one is None else one for one in self.values])


class Row(Shape):
    """A list: of any length with one shape, or with a shape for each place."""

    def __init__(self, item: Shape | None, places: tuple[Shape, ...], low: int, high: int, **options: Any) -> None:
        super().__init__(**options)
        self.item, self.places, self.low, self.high = item, places, low, high

    def _deserialize(self, value: Any, attr: str | None, data: Any, **options: Any) -> Any:
        if not isinstance(value, list):
            misfit("list", low=self.low, high=self.high)
        if not self.low <= len(value) <= self.high:
            misfit("items", low=self.low, high=self.high)
        shapes = self.places if self.item is None else (self.item,) * len(value)
        return _each(enumerate(zip(shapes, value, strict=True)), **options)


class Table(Shape):
    """An object with free names."""

    def __init__(self, key: Shape, item: Shape, low: int, high: int, **options: Any) -> None:
        super().__init__(**options)
        self.key, self.item, self.low, self.high = key, item, low, high

    def _deserialize(self, value: Any, attr: str | None, data: Any, **options: Any) -> Any:
        if not isinstance(value, dict):
            misfit("object")
        if not self.low <= len(value) <= self.high:
            misfit("items", low=self.low, high=self.high)
        _each(((name, (self.key, self._name(name))) for name in value), **options)
        return _each(((name, (self.item, one)) for name, one in value.items()), **options)

    def _name(self, name: str) -> Any:
        return int(name) if isinstance(self.key, Number) and _WHOLE_KEY.fullmatch(name) else name


def _each(shapes: Any, **options: Any) -> Any:
    errors, found = {}, {}
    for place, (shape, one) in shapes:
        try:
            found[place] = shape.deserialize(one, **options)
        except ValidationError as error:
            errors[place] = error.messages
    if errors:
        raise ValidationError(errors)
    return found


class Part(Shape):
    """An object with known fields."""

    def __init__(self, schema: type[Schema], **options: Any) -> None:
        super().__init__(**options)
        self.schema = schema

    def _deserialize(self, value: Any, attr: str | None, data: Any, **options: Any) -> Any:
        return value if isinstance(value, dict) and not _loaded(self.schema, value) else misfit("object")


class Either(Shape):
    """The first of several shapes that fits; if none does, the misfit of the likeliest."""

    def __init__(self, shapes: tuple[Shape, ...], **options: Any) -> None:
        super().__init__(**options)
        self.shapes = shapes

    def _deserialize(self, value: Any, attr: str | None, data: Any, **options: Any) -> Any:
        errors: list[ValidationError] = []
        for shape in self.shapes:
            try:
                return shape.deserialize(value, **options)
            except ValidationError as error:
                errors.append(error)
        raise max(errors, key=_depth)


def _depth(error: ValidationError) -> int:
    """Errors inside an object or a list mean that the shape was the one meant; a wrong type means that it was not."""
    if isinstance(error.messages, dict):
        return 2
    keys = {one.key for one in error.messages if isinstance(one, Misfit)}
    return 1 if keys & {"range", "length", "pattern", "choice", "items"} else 0


class Anything(Shape):
    """Any JSON value."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **_: Any) -> Any:
        return value


class _FormSchema(Schema):
    class Meta:
        unknown = RAISE

    error_messages = {"unknown": _UNKNOWN, "type": _NOT_AN_OBJECT}  # type: ignore[dict-item]  # noqa: RUF012


@cache
def schema_of(twin: type) -> type[Schema]:
    """The marshmallow schema of a strict twin."""
    found = kinds.type_info(twin)
    assert isinstance(found, kinds.StructType)
    return _schema(found)


def _schema(kind: kinds.StructType, told_apart: bool = False) -> type[Schema]:
    """`told_apart`: one of several, so that its tag must be there."""
    made: dict[str, Any] = {one.encode_name: _shape(one.type, required=one.required) for one in kind.fields}
    if kind.tag_field:
        made[kind.tag_field] = Choice((kind.tag,), required=told_apart)
    if not kind.forbid_unknown_fields:
        made["Meta"] = type("Meta", (), {"unknown": EXCLUDE})
    return type(kind.cls.__name__, (_FormSchema,), made)


def _shape(kind: kinds.Type, **options: Any) -> Shape:
    while isinstance(kind, kinds.Metadata):
        kind = kind.type
    return _MAKERS[type(kind)](kind, options)


def _union(kind: kinds.UnionType, options: dict[str, Any]) -> Shape:
    nullable = any(isinstance(one, kinds.NoneType) for one in kind.types)
    several = sum(isinstance(one, kinds.StructType) for one in kind.types) > 1
    shapes = tuple(
        Part(_schema(one, told_apart=True)) if several and isinstance(one, kinds.StructType) else _shape(one)
        for one in kind.types
        if not isinstance(one, kinds.NoneType)
    )
    return Either(shapes, allow_none=nullable, **options)


def _span(kind: Any) -> tuple[int, int]:
    return kind.min_length or 0, 10**9 if kind.max_length is None else kind.max_length


_MAKERS: Mapping[type[kinds.Type], Callable[[Any, dict[str, Any]], Shape]] = {
    kinds.IntType: lambda kind, options: Number(kind, **options),
    kinds.FloatType: lambda kind, options: Number(kind, **options),
    kinds.StrType: lambda kind, options: Text(kind, **options),
    kinds.BoolType: lambda _, options: Flag(**options),
    kinds.NoneType: lambda _, options: Choice((None,), allow_none=True, **options),
    kinds.AnyType: lambda _, options: Anything(allow_none=True, **options),
    kinds.LiteralType: lambda kind, options: Choice(kind.values, allow_none=None in kind.values, **options),
    kinds.EnumType: lambda kind, options: Choice(tuple(one.value for one in kind.cls), **options),
    kinds.UnionType: _union,
    kinds.VarTupleType: lambda kind, options: Row(_shape(kind.item_type), (), *_span(kind), **options),
    kinds.ListType: lambda kind, options: Row(_shape(kind.item_type), (), *_span(kind), **options),
    kinds.TupleType: lambda kind, options: Row(
        None, tuple(map(_shape, kind.item_types)), len(kind.item_types), len(kind.item_types), **options
    ),
    kinds.DictType: lambda kind, options: Table(
        _shape(kind.key_type), _shape(kind.value_type), *_span(kind), **options
    ),
    kinds.StructType: lambda kind, options: Part(_schema(kind), **options),
}


def _loaded(schema: type[Schema], value: Any) -> Any:
    """Nothing if the value fits. Raises `ValidationError` with every misfit."""
    if not isinstance(value, dict):
        raise ValidationError([_NOT_AN_OBJECT])
    schema().load(value)
    return None


def errors_of(schema: type[Schema], raw: Any) -> tuple[FieldError, ...]:
    """Every misfit of a value; none if it fits."""
    try:
        _loaded(schema, raw)
    except ValidationError as error:
        return tuple(_flat((), error.messages))
    return ()


def _flat(path: tuple[str | int, ...], messages: Any) -> list[FieldError]:
    if isinstance(messages, Misfit):
        return [FieldError(path, messages)]
    if isinstance(messages, Mapping):
        within = messages.items()
        return [error for name, one in within for error in _flat(path if name == "_schema" else (*path, name), one)]
    return [error for one in messages for error in _flat(path, one)]
