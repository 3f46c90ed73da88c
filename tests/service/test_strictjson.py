"""The JSON reader refuses what two readers could understand differently, and nothing else."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from service.problems import Problem
from service.strictjson import MAX_DEPTH, load

REFUSED = {
    "bom": (b'\xef\xbb\xbf{"a": 1}', "json_bom"),
    "utf-16": ('{"a": 1}'.encode("utf-16"), "json_not_utf8"),
    "latin-1": (b'{"a": "\xe9"}', "json_not_utf8"),
    "overlong": (b'"\xc0\xaf"', "json_not_utf8"),
    "raw surrogate": (b'"\xed\xa0\x80"', "json_not_utf8"),
    "NaN": (b'{"a": NaN}', "json_constant"),
    "Infinity": (b"[Infinity]", "json_constant"),
    "-Infinity": (b"[-Infinity]", "json_constant"),
    "too large a decimal": (b"[1e999]", "json_number"),
    "too long an integer": (b"[" + b"9" * 4_301 + b"]", "json_number"),
    "double name": (b'{"a": 1, "a": 2}', "json_double_name"),
    "double name deep down": (b'{"b": [{"a": 1, "\\u0061": 1}]}', "json_double_name"),
    "lone high surrogate": (b'{"a": "\\ud83d"}', "json_surrogate"),
    "lone low surrogate": (b'["\\uDC00x"]', "json_surrogate"),
    "surrogate in a name": (b'{"\\ud83d": 1}', "json_surrogate"),
    "deep": (b"[" * (MAX_DEPTH + 1) + b"]" * (MAX_DEPTH + 1), "json_too_deep"),
    "very deep": (b'{"a":' * 10_000, "json_too_deep"),
    "unclosed and very deep": (b"[" * 20_000, "json_too_deep"),
    "open text": (b"[" * 40 + b'"' + b'\\"' * 20_000, "json_too_deep"),
    "open text that ends in a backslash": (b"[" * 40 + b'"\\', "json_too_deep"),
    "empty": (b"", "json_unreadable"),
    "blank": (b"  ", "json_unreadable"),
    "two values": (b"{} {}", "json_unreadable"),
    "single quotes": (b"{'a': 1}", "json_unreadable"),
    "trailing comma": (b"[1,]", "json_unreadable"),
    "comment": (b"[1] // one", "json_unreadable"),
    "leading zero": (b"[01]", "json_unreadable"),
    "plus sign": (b"[+1]", "json_unreadable"),
    "hexadecimal": (b"[0x10]", "json_unreadable"),
    "digits of another script": ("[１]".encode(), "json_unreadable"),
    "control character": (b'["a\nb"]', "json_unreadable"),
    "bare word": (b"success", "json_unreadable"),
}


@pytest.mark.parametrize(("raw", "kind"), REFUSED.values(), ids=REFUSED)
def test_it_refuses(raw: bytes, kind: str) -> None:
    with pytest.raises(Problem) as refused:
        load(raw)
    assert (refused.value.status, refused.value.kind) == (400, kind)
    assert refused.value.document("en")["detail"] != kind


def test_it_reads_what_is_just_within_the_limits() -> None:
    assert load(b"[" * MAX_DEPTH + b"]" * MAX_DEPTH)
    assert load(b"9" * 4_300) == int("9" * 4_300)
    assert load(b'"' + b"[" * 1_000 + b'\\"' + b"{" * 1_000 + b'"').startswith("[")
    assert load('"\\ud83d\\ude00é忍"'.encode()) == "😀é忍"


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@settings(derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=150)
@given(values, st.booleans())
def test_it_reads_every_other_json_text(value: Any, ascii_only: bool) -> None:
    assert load(json.dumps(value, ensure_ascii=ascii_only).encode()) == value


@settings(derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=200)
@given(st.binary(max_size=60) | st.text(alphabet='{}[]",:0123456789eE+-.\\utrfalsn ', max_size=40).map(str.encode))
def test_it_reads_or_refuses_and_never_fails(raw: bytes) -> None:
    try:
        found = load(raw)
    except Problem as refused:
        assert refused.status == 400
    else:
        assert json.loads(raw) == found
