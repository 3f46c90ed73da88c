"""How long things take in one process: `pytest tests/benchmarks --benchmark-enable`."""

from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient
from pytest_benchmark.fixture import BenchmarkFixture

from service.app import create_app
from service.forms.form import Form
from service.settings import Settings
from service.strictjson import load
from tests.benchmarks.echo import app as echo
from tests.service.trial import TRIAL, LeapParams

LEAP = "/v1/systems/trial/checks/leap"
BODY = {"params": {"target": 8, "style": "wild"}, "label": "slip past the guard"}
BAD = {
    "deep nesting": b"[" * 20_000,
    "long integer": b'{"label": ' + b"9" * 60_000 + b"}",
    "many names": b"{" + b",".join(b'"n%d": 1' % at for at in range(5_000)) + b"}",
    "one name, many times": b"{" + b'"a": 1,' * 8_000 + b'"a": 1}',
    "many brackets in a text": b'{"label": "' + b"[" * 60_000 + b'"}',
    "one long open text": b"[" * 40 + b'"' + b'\\"' * 32_000,
    "many misfits": b'{"params": {"gear": [' + b"{}," * 190 + b"{}]}}",
}


@pytest.fixture(scope="module")
def client() -> FlaskClient:
    return create_app(Settings(rate=0), {"trial": TRIAL}).test_client()


def test_a_bare_echo(benchmark: BenchmarkFixture) -> None:
    client = echo().test_client()
    assert benchmark(lambda: client.post("/echo", json=BODY)).status_code == 200


@pytest.mark.parametrize("path", [LEAP, f"{LEAP}?odds=true", f"{LEAP}/odds"])
def test_a_check(benchmark: BenchmarkFixture, client: FlaskClient, path: str) -> None:
    assert benchmark(lambda: client.post(path, json=BODY)).status_code == 200


@pytest.mark.parametrize("notation", ["2d6+1>=7", "30d6>=100", "200d6>=700", "20d6kh3"])
def test_plain_dice(benchmark: BenchmarkFixture, client: FlaskClient, notation: str) -> None:
    assert benchmark(lambda: client.post("/v1/dice", json={"notation": notation})).status_code == 200


def test_reading_a_form(benchmark: BenchmarkFixture) -> None:
    form: Form[LeapParams] = Form(LeapParams)
    assert benchmark(form.read, BODY["params"])


def test_the_marshmallow_schema_of_the_same_form(benchmark: BenchmarkFixture) -> None:
    form: Form[LeapParams] = Form(LeapParams)
    assert benchmark(form.misfits, BODY["params"]) == ()


def test_reading_json(benchmark: BenchmarkFixture) -> None:
    assert benchmark(load, b'{"params": {"target": 8, "style": "wild"}, "label": "slip past the guard"}')


@pytest.mark.parametrize("raw", BAD.values(), ids=BAD)
def test_refusing(benchmark: BenchmarkFixture, client: FlaskClient, raw: bytes) -> None:
    """The goal: every bad body is refused within 50 ms."""
    answer: Any = benchmark(lambda: client.post(LEAP, data=raw, content_type="application/json"))
    assert answer.status_code in (400, 422)
