"""Strict twins: the same type as a rule's parameters, with every bound written out and unknown fields refused.

A twin holds JSON's own types only (maps are objects, fractions are strings). msgspec checks a body against it at full
speed; the marshmallow schema and the published JSON Schema are read off the same twin, so the three cannot disagree.
"""

from __future__ import annotations

import types
from collections.abc import Mapping
from fractions import Fraction
from functools import cache, reduce
from operator import or_
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from msgspec import NODEFAULT, UNSET, Meta, Struct, UnsetType, convert, defstruct, field, structs

from systems.core.calls import ByIds
from systems.core.convert import to_plain
from systems.core.values import Map

MOST_INTEGER = 1_000_000  # the size of an integer whose type gives no range
MOST_CHARACTERS = 200
MOST_ITEMS = 200  # of a list or a map
FRACTION_PATTERN = r"^-?[0-9]{1,90}(/0{0,9}[1-9][0-9]{0,90})?$(?!\n)"

FractionText = Annotated[str, Meta(pattern=FRACTION_PATTERN, title="fraction", examples=["13/18"])]


@cache
def strict_twin(kind: type[Struct]) -> type[Struct]:
    """The twin of a Struct that comes in: bounded, unknown fields refused."""
    return _twin(kind, True)


@cache
def plain_twin(kind: type[Struct]) -> type[Struct]:
    """The twin of a Struct that goes out: JSON's types, no bounds of our own."""
    return _twin(kind, False)


def shown_type(kind: type[Struct]) -> Any:
    """The type of an answer: a twin, or the map of an outcome that is keyed by ids."""
    if issubclass(kind, ByIds):
        return _native(get_type_hints(kind, include_extras=True)["by_id"], False)
    return plain_twin(kind)


def _twin(kind: type[Struct], strict: bool) -> type[Struct]:
    hints = get_type_hints(kind, include_extras=True)
    config = kind.__struct_config__
    fields = [_field(one, _native(hints[one.name], strict)) for one in structs.fields(kind)]
    return defstruct(
        kind.__name__,
        fields,
        module=kind.__module__,
        namespace={"__doc__": kind.__doc__ or ""},
        kw_only=True,
        tag=config.tag,
        tag_field=config.tag_field,
        rename={one.name: one.encode_name for one in structs.fields(kind)},
        forbid_unknown_fields=strict,
    )


def _field(one: structs.FieldInfo, native: Any) -> tuple[Any, ...]:
    if one.required:
        return (one.name, native)
    try:
        value = one.default if one.default_factory is NODEFAULT else one.default_factory()
    except ValueError:  # the type has defaults, but they do not go together
        return (one.name, native)
    if value is UNSET:
        return (one.name, native | UnsetType, UNSET)
    plain = to_plain(value)
    if isinstance(plain, list | dict):
        return (one.name, native, field(default_factory=plain.copy))
    return (one.name, native, plain)


def _native(hint: Any, strict: bool) -> Any:
    """A type hint in JSON's own types, with its own bounds or the service's."""
    metas: tuple[Any, ...] = ()
    if get_origin(hint) is Annotated:
        hint, *found = get_args(hint)
        metas = tuple(found)
    native = _bare(hint, strict)
    if not strict:
        return native
    usual = _usual_bounds(hint, metas)
    for meta in (*metas, *((usual,) if usual else ())):
        native = Annotated[native, meta]
    return native


def _bare(hint: Any, strict: bool) -> Any:
    origin, args = get_origin(hint), get_args(hint)
    if hint is Fraction:
        return Union[FractionText, _bounded(int, (), strict)] if strict else FractionText  # noqa: UP007
    if origin in (Union, types.UnionType):
        return reduce(or_, (_native(one, strict) for one in args))
    if origin is Literal:
        return hint
    if origin in (Map, dict, Mapping) or hint in (Map, dict):
        keys, values = args or (str, Any)
        return dict[_native(keys, strict), _native(values, strict)]  # type: ignore[misc]
    if origin in (tuple, list) or hint in (tuple, list):
        return _sequence(args or (Any, ...), origin is list, strict)
    if isinstance(hint, type) and issubclass(hint, Struct):
        return strict_twin(hint) if strict else plain_twin(hint)
    return hint


def _sequence(args: tuple[Any, ...], is_list: bool, strict: bool) -> Any:
    if is_list or args[-1] is Ellipsis:
        return tuple[_native(args[0], strict), ...]  # type: ignore[misc]
    return tuple[tuple(_native(one, strict) for one in args)]  # type: ignore[misc]


def _bounded(hint: Any, metas: tuple[Any, ...], strict: bool) -> Any:
    usual = _usual_bounds(hint, metas) if strict else None
    return Annotated[hint, usual] if usual else hint


def _usual_bounds(hint: Any, metas: tuple[Any, ...]) -> Meta | None:
    """The bounds that the type does not give itself."""
    if hint in (int, float):
        low = None if _given(metas, "ge", "gt") else -MOST_INTEGER
        high = None if _given(metas, "le", "lt") else MOST_INTEGER
        return Meta(ge=low, le=high) if low is not None or high is not None else None
    origin = get_origin(hint)
    if hint is str:
        return None if _given(metas, "max_length", "pattern") else Meta(max_length=MOST_CHARACTERS)
    many = origin in (list, dict, Map, Mapping) or (origin is tuple and get_args(hint)[-1] is Ellipsis)
    if many or hint in (list, tuple, dict, Map):
        return None if _given(metas, "max_length") else Meta(max_length=MOST_ITEMS)
    return None


def _given(metas: tuple[Any, ...], *names: str) -> bool:
    return any(getattr(meta, name, None) is not None for meta in metas for name in names)


def fits(raw: Any, twin: type[Struct]) -> bool:
    """Whether a parsed JSON value is exactly what the twin allows."""
    try:
        convert(raw, twin, str_keys=True)
    except ValueError:
        return False
    return True
