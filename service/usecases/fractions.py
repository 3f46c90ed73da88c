"""Outcomes as plain values: every fraction a text such as "13/18", with a rounded `_float` of the same shape beside it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from msgspec import UNSET, Struct, structs

from systems.core.convert import to_plain
from systems.core.values import Map


def rounded(value: Fraction) -> float | None:
    """Four decimals, or three digits of a small number; None beyond the range of a double."""
    try:
        number = float(value)
    except OverflowError:
        return None
    return round(number, 4) if abs(number) >= 0.001 else float(f"{number:.3g}")


def plain(value: Any) -> Any:
    """A value as JSON has it, floats put beside the fractions of its objects at every depth."""
    if isinstance(value, Struct):
        fields = ((one.encode_name, getattr(value, one.name)) for one in structs.fields(value))
        shown = _object((name, found) for name, found in fields if found is not UNSET)
        tag = value.__struct_config__
        return {tag.tag_field: tag.tag, **shown} if tag.tag_field else shown
    if isinstance(value, Mapping | Map):
        return _object((str(name), found) for name, found in value.items())
    if isinstance(value, tuple | list):
        return [plain(one) for one in value]
    return value if isinstance(value, str | int | float | None) else to_plain(value)


def _object(fields: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    shown: dict[str, Any] = {}
    for name, value in fields:
        if _only_fractions(value):
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
