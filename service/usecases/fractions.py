"""Outcomes as plain values: every fraction a text such as "13/18", a rounded `_float` of the same shape beside it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from msgspec import UNSET, Struct

from systems.core.calls import ByIds
from systems.core.convert import to_plain
from systems.core.values import Map

SCALARS = frozenset((str, int, bool, float, type(None)))


def rounded(value: Fraction) -> float | None:
    """Four decimals, or three digits of a small number; None beyond the range of a double."""
    try:
        number = float(value)
    except OverflowError:
        return None
    return round(number, 4) if abs(number) >= 0.001 else float(f"{number:.3g}")


def plain(value: Any) -> Any:
    """A value as JSON has it, floats put beside the fractions of its objects at every depth."""
    if type(value) in SCALARS:
        return value
    if isinstance(value, Struct):
        return plain(value.by_id) if isinstance(value, ByIds) else _struct(value)
    if isinstance(value, Mapping | Map):
        return _object((str(name), found) for name, found in value.items())
    return [plain(one) for one in value] if isinstance(value, tuple | list) else to_plain(value)


def _struct(value: Struct) -> dict[str, Any]:
    names = zip(value.__struct_encode_fields__, value.__struct_fields__, strict=True)
    shown = _object((told, getattr(value, name)) for told, name in names)
    tag = value.__struct_config__
    return {tag.tag_field: tag.tag, **shown} if tag.tag_field else shown


def _object(fields: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    shown: dict[str, Any] = {}
    for name, value in fields:
        if type(value) in SCALARS:
            shown[name] = value
        elif value is UNSET:
            continue
        elif _only_fractions(value):
            shown[name], shown[f"{name}_float"] = to_plain(value), _floats(value)
        else:
            shown[name] = plain(value)
    return shown


def _only_fractions(value: Any) -> bool:
    """Whether a value is a fraction, or lists and maps of nothing else (a gap may stand for a missing one)."""
    if isinstance(value, Fraction):
        return True
    if isinstance(value, Mapping | Map):
        value = tuple(value.values())
    if not isinstance(value, tuple | list):
        return False
    return any(one is not None for one in value) and all(one is None or _only_fractions(one) for one in value)


def _floats(value: Any) -> Any:
    if isinstance(value, Fraction):
        return rounded(value)
    if isinstance(value, Mapping | Map):
        return {str(name): _floats(one) for name, one in value.items()}
    return value if value is None else [_floats(one) for one in value]
