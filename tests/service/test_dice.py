"""Plain dice notation."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from time import perf_counter
from typing import Any

import pytest
from flask.testing import FlaskClient

from service.api import envelopes as shapes
from systems.core.notation import parse

from .conftest import is_problem


@pytest.mark.parametrize(
    ("notation", "faces", "outcome"),
    [
        ("2d6+1>=7", [3, 3], {"total": 7, "success": True, "grade": "success"}),
        ("2D6 + 1 >= 7", [3, 2], {"total": 6, "success": False, "grade": "failure"}),
        ("5b6>=4", [4, 1, 5, 2, 3], {"successes": 2, "success": True, "grade": "success"}),
        ("5b6>=4", [1, 1, 1, 2, 3], {"successes": 0, "success": False, "grade": "failure"}),
        ("d66", [3, 5], {"total": 35, "success": None, "grade": "rolled"}),
        ("1d66", [35], {"total": 35, "success": None, "grade": "rolled"}),
        ("4d6kh1", [2, 5, 1, 3], {"total": 5}),
        ("4d6kl2", [2, 5, 1, 3], {"total": 3}),
        ("4d6kh3", [2, 5, 1, 3], {"total": 10}),
        ("4d6kl4", [2, 5, 1, 3], {"total": 11}),
        ("d6-1d4+2", [6, 4], {"total": 4}),
        ("1d20<=10", [10], {"success": True}),
        ("1d20=10", [11], {"success": False}),
    ],
)
def test_a_notation_is_read_as_it_stands(client: FlaskClient, notation: str, faces: list[int], outcome: Any) -> None:
    answer = client.post("/v1/dice", json={"notation": notation, "faces": faces})
    assert answer.status_code == 200, answer.text
    assert not shapes.DiceAnswer().validate(answer.json)
    assert outcome.items() <= answer.json["outcome"].items()


@pytest.mark.parametrize(
    ("notation", "code"),
    [
        ("x", "notation_unreadable"),
        ("2d6x", "notation_unreadable"),
        ("1d6+", "notation_unreadable"),
        ("1d6 1d6", "notation_unreadable"),
        ("1 2d6", "notation_unreadable"),
        ("7", "notation_unreadable"),
        ("２d6", "notation_unreadable"),
        ("2d6>=", "notation_unreadable"),
        ("+".join(["d6"] * 11), "notation_unreadable"),
        ("5b6", "notation_needs_target"),
        ("0d6", "notation_no_dice"),
        ("3d1", "notation_sides"),
        ("3d1001", "notation_sides"),
        ("4d6kh5", "notation_keeps_too_many"),
        ("4d6kl0", "notation_keeps_too_many"),
    ],
)
def test_anything_else_is_refused_with_a_reason(client: FlaskClient, notation: str, code: str) -> None:
    assert is_problem(client.post("/v1/dice", json={"notation": notation}), 422, "illegal")["code"] == code


def test_two_hundred_dice_fit_and_no_more(client: FlaskClient) -> None:
    assert client.post("/v1/dice", json={"notation": "200d6>=700"}).json["odds"]["mean"] == "700"
    is_problem(client.post("/v1/dice", json={"notation": "201d6"}), 422, "too_many_dice")


@pytest.mark.parametrize("notation", ["200d100", "200d6kh100", "100d1000"])
def test_odds_that_cost_too_much_are_left_out(client: FlaskClient, notation: str) -> None:
    assert client.post("/v1/dice", json={"notation": notation}).json["odds"] is None


@pytest.mark.parametrize("notation", ["200d6", "3d929", "33d11kh7", "100d6+100d6", "1d1000+1d20", "20d20-20d20"])
def test_no_odds_cost_seconds(client: FlaskClient, notation: str) -> None:
    began = perf_counter()
    assert client.post("/v1/dice", json={"notation": notation}).status_code == 200
    assert perf_counter() - began < 1


@pytest.mark.parametrize("notation", ["3d6", "4d4kh1", "4d4kl1", "4d4kh3", "4d4kl3", "2d6-1d4+3"])
def test_odds_are_those_of_all_throws(notation: str) -> None:
    formula = parse(notation)
    pools = [term.check.pool for term in formula.terms]
    sides = [range(1, pool.sides + 1) for pool in pools for _ in range(pool.count)]
    found: dict[int, Fraction] = {}
    throws = list(product(*sides))
    for throw in throws:
        total, left = formula.plus, list(throw)
        for term in formula.terms:
            faces, left = left[: term.check.pool.count], left[term.check.pool.count :]
            total += term.sign * term.check.read(tuple(faces))
        found[total] = found.get(total, Fraction(0)) + Fraction(1, len(throws))
    assert formula.odds().weights == found


def test_keeping_is_what_sorting_says() -> None:
    for faces in product(range(1, 5), repeat=4):
        for kept in range(1, 5):
            assert parse(f"4d4kh{kept}").terms[0].check.read(faces) == sum(sorted(faces)[-kept:])
            assert parse(f"4d4kl{kept}").terms[0].check.read(faces) == sum(sorted(faces)[:kept])
