"""The one JSON reader of the service: everything that two readers could understand differently is refused."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from math import isfinite
from typing import Any, NoReturn

from service.problems import Problem

MAX_DEPTH = 32
MAX_DIGITS = 4_300

_TEXT = re.compile(rb'"(?:[^"\\]|\\.)*+(?:"|\\?\Z)', re.DOTALL)  # an open text ends the search: linear time
_BRACKET = re.compile(rb"[\[\]{}]")


class _Refused(ValueError):
    """The id of the sentence that says what is wrong, and what fills it."""

    def __init__(self, key: str, **args: Any) -> None:
        super().__init__(key)
        self.key, self.args_by_name = key, args


def load(raw: bytes) -> Any:
    """The value of a JSON text.

    Raises `Problem` 400 for anything but UTF-8 without a byte order mark, NaN and infinities, names that stand twice
    in an object, lone surrogates, nesting beyond 32, integers beyond 4,300 digits and numbers beyond a double.
    """
    try:
        return _load(raw)
    except _Refused as refused:
        raise Problem(400, refused.key, **refused.args_by_name) from None
    except UnicodeDecodeError:
        raise Problem(400, "json_not_utf8") from None
    except (ValueError, RecursionError) as error:
        position = getattr(error, "pos", 0) + 1
        raise Problem(400, "json_unreadable", position=position) from None


def _load(raw: bytes) -> Any:
    if raw[:3] == b"\xef\xbb\xbf":
        raise _Refused("json_bom")
    if raw.count(b"[") + raw.count(b"{") > MAX_DEPTH and _depth(raw) > MAX_DEPTH:
        raise _Refused("json_too_deep", limit=MAX_DEPTH)
    value = _DECODER.decode(raw.decode("utf-8"))
    if b"\\u" in raw:
        _no_lone_surrogates(value)
    return value


def _depth(raw: bytes) -> int:
    deepest = depth = 0
    for bracket in _BRACKET.findall(_TEXT.sub(b"", raw)):
        depth += 1 if bracket in b"[{" else -1
        deepest = max(deepest, depth)
    return deepest


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise _Refused("json_double_name", name=_double(name for name, _ in pairs)[:100])
    return found


def _double(names: Iterable[str]) -> str:
    """The first name that has stood before."""
    seen: set[str] = set()
    return next(name for name in names if name in seen or seen.add(name))  # type: ignore[func-returns-value]


def _integer(text: str) -> int:
    if len(text) > MAX_DIGITS:
        raise _Refused("json_number", limit=MAX_DIGITS)
    return int(text)


def _decimal(text: str) -> float:
    number = float(text)
    if not isfinite(number):
        raise _Refused("json_number", limit=MAX_DIGITS)
    return number


def _constant(text: str) -> NoReturn:
    raise _Refused("json_constant", name=text)


def _no_lone_surrogates(value: Any) -> None:
    left = [value]
    while left:
        one = left.pop()
        if isinstance(one, str):
            if not one.isascii() and any("\ud800" <= letter <= "\udfff" for letter in one):
                raise _Refused("json_surrogate")
        elif isinstance(one, dict):
            left += one.keys()
            left += one.values()
        elif isinstance(one, list):
            left += one


_DECODER = json.JSONDecoder(
    object_pairs_hook=_object, parse_int=_integer, parse_float=_decimal, parse_constant=_constant
)
