"""The fast reading of a form and its marshmallow schema accept the same, and bounds are everywhere."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Any, Literal

import jsonschema
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec import UNSET, Meta, Struct, UnsetType

from service.forms.form import Form, json_schema
from service.forms.twin import fits
from service.problems import Problem
from systems.core.system import installed
from systems.core.values import Map

from .trial import LeapParams


class Inner(Struct, frozen=True):
    size: Annotated[int, Meta(ge=1, lt=7)] = 1
    kind: Literal["a", 3, None] = "a"


class Dog(Struct, frozen=True, tag="dog"):
    legs: int = 4


class Bird(Struct, frozen=True, tag="bird"):
    wings: int


class Everything(Struct, frozen=True):
    """One field of every form."""

    need: int
    text: str = ""
    named: Annotated[str, Meta(min_length=1, max_length=4, pattern="^[a-z]+$")] = "x"
    flag: bool = False
    number: float = 0.0
    inner: Inner = Inner()
    many: tuple[Inner, ...] = ()
    pair: tuple[int, str] = (0, "")
    by_name: Map[str, int] = Map()
    by_number: Map[int, Inner] = Map()
    share: Fraction | None = None
    either: int | str | None = None
    maybe: int | UnsetType = UNSET
    several: Annotated[tuple[int, ...], Meta(min_length=1, max_length=3)] = (1,)
    free: dict[str, Any] = {}
    pet: Dog | Bird | None = None


FORM = Form(Everything)
scalars = (
    st.none()
    | st.booleans()
    | st.integers(-8, 8)
    | st.sampled_from([10**6, 10**6 + 1, -(10**6) - 1, 2**70, 3.0, 0.5, 1e300])
    | st.sampled_from(["", "a", "abcde", "A", "1/2", "1/0", "-3", "1/2\n", "１", "3.5", "a\n", "x" * 200, "x" * 201])
)
keys = st.sampled_from(["size", "kind", "legs", "wings", "type", "a", "1", "01", "-1", "+1", " 1", "１", "x" * 201])
anything = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=3), max_leaves=6
)
inner = st.fixed_dictionaries(
    {}, optional={"size": st.integers(-1, 8) | scalars, "kind": st.sampled_from(["a", 3, None, "b", True, 3.0])}
)
pets = st.fixed_dictionaries(
    {}, optional={"type": st.sampled_from(["dog", "bird", "cat", 1]), "legs": scalars, "wings": scalars}
)
likely: dict[str, st.SearchStrategy[Any]] = {
    "need": st.integers(-3, 3),
    "text": st.text(max_size=3),
    "named": st.sampled_from(["a", "abcd", "abcde", "A", ""]),
    "flag": st.booleans(),
    "number": st.integers(-3, 3) | st.floats(-9, 9),
    "inner": inner,
    "many": st.lists(inner, max_size=3),
    "pair": st.tuples(st.integers(-3, 3), st.text(max_size=2)).map(list) | st.lists(scalars, max_size=3),
    "by_name": st.dictionaries(keys, scalars, max_size=2),
    "by_number": st.dictionaries(keys, inner, max_size=2),
    "share": st.sampled_from(["1/2", "1/0", "-1/3", "0", 3, "x", "1/2\n", "01/02", "1/-2"]),
    "either": scalars,
    "maybe": scalars,
    "several": st.lists(st.integers(-3, 3), max_size=4),
    "free": st.dictionaries(keys, anything, max_size=2),
    "pet": pets,
}
bodies = st.fixed_dictionaries(
    {}, optional={**{name: one | anything for name, one in likely.items()}, "stranger": scalars}
)


@settings(derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=600)
@given(bodies | anything)
def test_fast_reading_and_schema_accept_the_same(raw: Any) -> None:
    misfits = FORM.misfits(raw)
    assert fits(raw, FORM.twin) == (not misfits), misfits


@settings(derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=200)
@given(bodies)
def test_whatever_is_accepted_can_be_read_and_fits_the_published_schema(raw: Any) -> None:
    if fits(raw, FORM.twin):
        assert isinstance(FORM.read(raw), Everything)
        jsonschema.validate(raw, json_schema(Everything))


def errors(form: Form[Any], raw: Any) -> dict[str, str]:
    with pytest.raises(Problem) as refused:
        form.read(raw)
    assert refused.value.status == 422
    return {one["field"]: one["code"] for one in refused.value.document("en")["errors"]}


def test_all_errors_come_at_once_each_with_its_place() -> None:
    raw = {
        "text": 5,
        "flag": 1,
        "inner": {"size": 7, "colour": 1},
        "many": [{}, {"size": "1"}],
        "pair": [1],
        "by_name": {"a": True, "b": 1},
        "by_number": {"x": {}},
        "share": "1/0",
        "several": [],
        "pet": {"type": "dog", "legs": None},
        "stranger": 1,
    }
    assert errors(FORM, raw) == {
        "need": "missing",
        "text": "text",
        "flag": "boolean",
        "inner.size": "range",
        "inner.colour": "unknown",
        "many.1.size": "integer",
        "pair": "items",
        "by_name.a": "integer",
        "by_number.x": "integer",
        "share": "pattern",
        "several": "items",
        "pet.legs": "null",
        "stranger": "unknown",
    }


@pytest.mark.parametrize("raw", [None, [], 3, "x", True])
def test_a_body_is_an_object(raw: Any) -> None:
    assert errors(FORM, raw) == {"": "object"}


@pytest.mark.parametrize(
    ("field", "fitting", "beyond"),
    [
        ("need", 10**6, 10**6 + 1),
        ("need", -(10**6), -(10**6) - 1),
        ("text", "x" * 200, "x" * 201),
        ("many", [{}] * 200, [{}] * 201),
        ("by_name", {str(at): 1 for at in range(200)}, {str(at): 1 for at in range(201)}),
    ],
)
def test_what_has_no_bounds_gets_some(field: str, fitting: Any, beyond: Any) -> None:
    assert FORM.read({"need": 1, field: fitting})
    assert list(errors(FORM, {"need": 1, field: beyond})) == [field]


def test_fields_that_do_not_go_together_are_told_in_their_own_words() -> None:
    with pytest.raises(Problem) as refused:
        Form(LeapParams).read({"careful": True, "style": "wild"})
    assert "a wild leap is not careful" in refused.value.document("en")["errors"][0]["detail"]


@pytest.mark.parametrize("language", ["en", "ja", "ko"])
def test_every_misfit_says_what_would_be_accepted(language: str) -> None:
    shown = [one.shown(language)["detail"] for one in FORM.misfits({"need": "x", "pair": 1, "named": "Q"})]
    assert len(shown) == 3 and all(not text.isidentifier() and "…" not in text for text in shown)


@pytest.mark.parametrize("system", installed())
def test_every_name_of_every_system_has_a_form(system: str) -> None:
    calls = installed()[system].calls
    for one in [*calls.checks.values(), *calls.queries.values(), *calls.odds_questions.values()]:
        assert Form(one.params).schema
        assert json_schema(one.params)["additionalProperties"] is False
        assert json_schema(one.outcome, incoming=False)
