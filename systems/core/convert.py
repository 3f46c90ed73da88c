"""How the kernel's own values stand in JSON: maps as objects, fractions as strings such as "13/18"."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from typing import Any, TypeVar, get_args, get_origin

import msgspec

from systems.core.calls import ByIds
from systems.core.values import InOrder, Listed, Map

T = TypeVar("T")

_FRACTION = re.compile(r"(-?[0-9]{1,400})(?:/([0-9]{1,400}))?", re.ASCII)


def encoded(value: Any) -> Any:
    """The JSON form of a value that msgspec does not know."""
    if isinstance(value, Map):
        return value.dict()
    if isinstance(value, Fraction):
        return str(value)
    raise NotImplementedError(f"cannot store a {type(value).__name__}")


def decoded(kind: Any, raw: Any, hook: Callable[[Any, Any], Any]) -> Any:
    """A kernel value out of its JSON form. Raises `msgspec.ValidationError`."""
    if kind is Fraction:
        return fraction(raw)
    if get_origin(kind) is Map:
        keys, values = get_args(kind)
        known = msgspec.convert(raw, dict[keys, values], dec_hook=hook, str_keys=True)  # type: ignore[valid-type]
        return Listed(known) if keys == InOrder else Map(known)
    raise NotImplementedError(f"cannot read a {kind}")


def fraction(raw: Any) -> Fraction:
    """A fraction out of its text, or of a whole number."""
    if type(raw) is int:
        return Fraction(raw)
    found = _FRACTION.fullmatch(raw) if isinstance(raw, str) else None
    if not found or (found[2] and not int(found[2])):
        raise msgspec.ValidationError('Expected a fraction such as "13/18"')
    return Fraction(int(found[1]), int(found[2] or 1))


def _hook(kind: Any, raw: Any) -> Any:
    return decoded(kind, raw, _hook)


def to_struct(raw: Any, kind: type[T]) -> T:
    """Parameters out of parsed JSON, strictly. Raises `msgspec.ValidationError` for the first misfit."""
    return msgspec.convert(raw, kind, dec_hook=_hook)


def to_plain(value: Any) -> Any:
    """The JSON form of a Struct as plain dicts, lists, strings and numbers; fields that are UNSET are left out."""
    if isinstance(value, ByIds):
        value = value.by_id
    return msgspec.to_builtins(value, enc_hook=encoded, str_keys=True)
