"""Maps and sealed picks are values: equal contents are equal, hash equal and are written alike."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from systems.core.convert import fraction, to_plain, to_struct
from systems.core.values import Map, Sealed

contents = st.dictionaries(st.text(max_size=3), st.integers(-5, 5), max_size=6)


@given(contents, st.randoms(use_true_random=False))
def test_the_order_of_making_does_not_matter(known: dict[str, int], random: Any) -> None:
    pairs = list(known.items())
    random.shuffle(pairs)
    one, other = Map(known), Map(pairs)
    assert one == other and hash(one) == hash(other) and one.items() == other.items() and repr(one) == repr(other)
    assert list(one) == sorted(known)


@given(contents, contents)
def test_other_contents_are_another_map(one: dict[str, int], other: dict[str, int]) -> None:
    assert (Map(one) == Map(other)) is (one == other)
    assert Map(one) != one


@given(contents, st.text(max_size=3), st.integers())
def test_put_and_without_make_new_maps(known: dict[str, int], key: str, value: int) -> None:
    before = Map(known)
    after = before.put(key, value)
    assert after[key] == value and after.get(key) == value and key in after and before == Map(known)
    assert key not in after.without(key) and len(after.without(key)) == len({*known} - {key})
    assert after.without(key) == before.without(key)


def test_a_map_reads_like_a_mapping() -> None:
    known = Map({"b": 2, "a": 1})
    assert (known.values(), known.dict(), len(known)) == ((1, 2), {"a": 1, "b": 2}, 2)
    assert known.get("c") is None and known.get("c", 3) == 3
    with pytest.raises(KeyError):
        known["c"]


WHO = ("a", "b", "c")


@given(st.permutations(WHO), st.integers(1, 6))
def test_the_order_of_picking_does_not_matter(order: list[str], first: int) -> None:
    plot: Sealed[int] = Sealed(WHO)
    for chooser in order:
        assert not plot.complete
        plot = plot.pick(chooser, 9).pick(chooser, first)
    assert plot.complete and plot.opened() == Map(dict.fromkeys(WHO, first))
    assert plot == Sealed(WHO, Map(dict.fromkeys(WHO, first))) and hash(plot)


def test_until_all_have_picked_only_who_has_is_known() -> None:
    plot: Sealed[int] = Sealed(WHO).pick("c", 4).pick("a", 2)
    assert plot.committed == ("a", "c")
    with pytest.raises(ValueError, match="missing"):
        plot.opened()
    assert plot.drop("c").committed == ("a",) and plot.drop("b") == plot
    with pytest.raises(KeyError):
        plot.pick("stranger", 1)


class Sheet(msgspec.Struct, frozen=True):
    marks: Map[str, int] = Map()
    chance: Any = None


def test_maps_are_objects_in_json_and_fractions_are_strings() -> None:
    sheet = to_struct({"marks": {"b": 2, "a": 1}}, Sheet)
    assert sheet.marks == Map({"a": 1, "b": 2})
    assert to_plain(msgspec.structs.replace(sheet, chance=fraction("26/36"))) == {
        "marks": {"a": 1, "b": 2},
        "chance": "13/18",
    }


@pytest.mark.parametrize("raw", ["1/0", "", "1/-2", "x", 1.5, True, None, "١/2", " 1", "1/", "9" * 401])
def test_what_is_no_fraction_is_refused(raw: Any) -> None:
    with pytest.raises(msgspec.ValidationError):
        fraction(raw)


@given(st.fractions())
def test_fractions_survive_their_text(value: Any) -> None:
    assert fraction(str(value)) == value
