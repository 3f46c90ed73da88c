"""Everything around the answers: media types, sizes, methods, languages, origins, ids, limits, health."""

from __future__ import annotations

import json
import re
from io import BytesIO
from pathlib import Path
from time import perf_counter
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import EnvironBuilder, TestResponse, run_wsgi_app

from service.api.http import MAX_BODY
from service.app import create_app
from service.settings import BadSetting, Settings, from_environment
from service.usecases.limits import AtOnce, address_of
from service.words import language_of
from systems.core.system import System
from systems.core.text import read_toml

from .conftest import is_problem

LEAP = "/v1/systems/trial/checks/leap"
POSTS = [
    LEAP,
    f"{LEAP}/odds",
    "/v1/systems/trial/queries/validate_character",
    "/v1/systems/trial/odds/chances",
    "/v1/systems/trial/tables/fate/roll",
    "/v1/systems/trial/characters/validate",
    "/v1/rolls",
    "/v1/dice",
]
BAD_BODIES: dict[str, tuple[Any, int, str]] = {
    "not json": (b"hello", 400, "json_unreadable"),
    "double name": (b'{"params": {}, "params": {}}', 400, "json_double_name"),
    "double among many": (
        ("{" + ",".join(f'"n{at}":1' for at in range(5_000)) + ',"n4999":2}').encode(),
        400,
        "json_double_name",
    ),
    "deep": (b"[" * 20_000, 400, "json_too_deep"),
    "huge integer": (b'{"label": ' + b"9" * 5_000 + b"}", 400, "json_number"),
    "too large": (b'{"label": "' + b"x" * MAX_BODY + b'"}', 413, "too_large"),
    "many strangers": (json.dumps({f"n{at}": 1 for at in range(4_000)}).encode(), 422, "invalid"),
    "a list": (b"[]", 422, "invalid"),
    "null": (b"null", 422, "invalid"),
    "stranger": (b'{"stranger": 1}', 422, "invalid"),
    "text for a number": (b'{"params": {"target": "7"}, "rolls": 1, "notation": 2}', 422, "invalid"),
    "true for a number": (b'{"params": {"target": true}, "rolls": true, "notation": true}', 422, "invalid"),
}


@pytest.mark.parametrize("path", POSTS)
@pytest.mark.parametrize(("raw", "status", "kind"), BAD_BODIES.values(), ids=BAD_BODIES)
def test_bad_bodies_are_problems(client: FlaskClient, path: str, raw: bytes, status: int, kind: str) -> None:
    is_problem(client.post(path, data=raw, content_type="application/json"), status, kind)


@pytest.mark.parametrize("path", POSTS)
@pytest.mark.parametrize("media", [None, "text/plain", "application/x-www-form-urlencoded", "application/json5"])
def test_bodies_must_say_that_they_are_json(client: FlaskClient, path: str, media: str | None) -> None:
    is_problem(client.post(path, data=b"{}", content_type=media), 415, "not_json")


@pytest.mark.parametrize("charset", ["latin-1", "utf-16"])
def test_json_is_utf_8(client: FlaskClient, charset: str) -> None:
    is_problem(client.post(LEAP, data=b"{}", content_type=f"application/json; charset={charset}"), 415, "not_json")
    assert client.post(LEAP, data=b"{}", content_type='Application/JSON; charset="UTF-8"').status_code == 200


@pytest.mark.parametrize("path", POSTS)
def test_wrong_methods_are_told_the_right_ones(client: FlaskClient, path: str) -> None:
    answer = client.put(path, json={})
    is_problem(answer, 405, "wrong_method")
    assert "POST" in answer.headers["Allow"]


def test_a_size_is_refused_before_the_body_is_read(client: FlaskClient) -> None:
    class Unread(BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            raise AssertionError("the body was read")

    builder = EnvironBuilder(LEAP, method="POST", content_type="application/json", data=b"{}")
    environ = builder.get_environ() | {"wsgi.input": Unread(), "CONTENT_LENGTH": str(MAX_BODY + 1)}
    answer = TestResponse(*run_wsgi_app(client.application, environ), request=builder.get_request())
    is_problem(answer, 413, "too_large")


@pytest.mark.parametrize("path", ["/v1/nope", "/v1//dice", "/v1/playthings", "/x", "/v1/systems/trial/checks/"])
def test_unknown_paths_are_problems(client: FlaskClient, path: str) -> None:
    is_problem(client.get(path), 404, "no_route")


def test_an_accident_tells_no_secrets(client: FlaskClient, caplog: pytest.LogCaptureFixture) -> None:
    answer = client.post("/v1/systems/trial/queries/broken", json={})
    found = is_problem(answer, 500, "unexpected")
    assert found["request_id"] == answer.headers["X-Request-ID"]
    assert "secret" not in answer.text
    assert found["request_id"] in caplog.text and "a secret of the house" in caplog.text


def test_flags_of_the_query_string_are_true_or_false(client: FlaskClient) -> None:
    is_problem(client.post(f"{LEAP}?odds=yes", json={}), 422, "invalid")
    assert "odds" not in client.post(f"{LEAP}?odds=false", json={}).json


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("", "en"),
        ("ja", "ja"),
        ("ko-KR,ko;q=0.9,en;q=0.8", "ko"),
        ("en;q=0.1, ja;q=0.2", "ja"),
        ("fr, ja;q=0.5", "ja"),
        ("fr", "en"),
        ("*;q=0.5, ko;q=0.4", "en"),
        ("ja;q=0, ko;q=0.1", "ko"),
        ("ja;q=x, ko;q=0.1", "ko"),
        ("ja;q=nan", "en"),
        (",;=,q", "en"),
        ("JA-jp", "ja"),
    ],
)
def test_the_language_that_is_liked_best(header: str, language: str) -> None:
    assert language_of(header) == language


@pytest.mark.parametrize("language", ["en", "ja", "ko"])
def test_answers_and_problems_say_their_language(client: FlaskClient, language: str) -> None:
    accept = {"Accept-Language": language}
    answers = client.post(LEAP, json={}, headers=accept), client.get("/v1/nope", headers=accept)
    for answer in answers:
        assert answer.headers["Content-Language"] == language
        assert answer.headers["Vary"] == "Accept-Language"
    assert answers[1].json["title"] == read_toml("service", f"labels/{language}.toml")["titles"]["404"]


def test_the_three_label_files_say_the_same_things() -> None:
    shapes = [
        {(section, key) for section, texts in read_toml("service", f"labels/{one}.toml").items() for key in texts}
        for one in ("en", "ja", "ko")
    ]
    assert shapes[0] == shapes[1] == shapes[2]


def test_every_kind_of_problem_has_its_sentence() -> None:
    sources = "".join(path.read_text() for path in (Path(__file__).parents[2] / "service").rglob("*.py"))
    kinds = set(re.findall(r'(?:Problem\(\s*[0-9]{3}, |_Refused\()"([a-z_0-9]+)"', sources))
    assert len(kinds) > 20
    assert not kinds - set(read_toml("service", "labels/en.toml")["details"])


def test_browsers_may_ask_from_anywhere(client: FlaskClient) -> None:
    asked = {"Origin": "https://table.example", "Access-Control-Request-Method": "POST"}
    preflight = client.options(LEAP, headers=asked)
    assert preflight.status_code == 204
    assert "Idempotency-Key" in preflight.headers["Access-Control-Allow-Headers"]
    for answer in (preflight, client.post(LEAP, json={}), client.get("/v1/nope")):
        assert answer.headers["Access-Control-Allow-Origin"] == "*"
        assert "Access-Control-Allow-Credentials" not in answer.headers
        assert "Idempotency-Replayed" in answer.headers["Access-Control-Expose-Headers"]


def test_request_ids_go_in_and_out(client: FlaskClient) -> None:
    assert client.get("/healthz", headers={"X-Request-ID": "abc-1"}).headers["X-Request-ID"] == "abc-1"
    for wrong in ("x" * 65, "a b", "ü", ""):
        given = client.get("/healthz", headers={"X-Request-ID": wrong}).headers["X-Request-ID"]
        assert given and given != wrong
    assert client.get("/healthz").headers["X-Request-ID"] != client.get("/healthz").headers["X-Request-ID"]


def test_one_address_may_not_ask_for_ever(systems: dict[str, System]) -> None:
    client = create_app(Settings(rate=3), systems).test_client()
    assert [client.get("/v1/systems").status_code for _ in range(4)] == [200, 200, 200, 429]
    refused = client.get("/v1/systems")
    is_problem(refused, 429, "rate_limited")
    assert 1 <= int(refused.headers["Retry-After"]) <= 61
    assert client.get("/healthz").status_code == 200
    assert client.get("/v1/systems", environ_base={"REMOTE_ADDR": "192.0.2.7"}).status_code == 200


@pytest.mark.parametrize(
    ("remote", "forwarded", "proxies", "address"),
    [
        ("192.0.2.1", "", 0, "192.0.2.1"),
        ("192.0.2.1", "198.51.100.9", 0, "192.0.2.1"),
        ("192.0.2.1", "203.0.113.5, 198.51.100.9", 1, "198.51.100.9"),
        ("192.0.2.1", "203.0.113.5, 198.51.100.9", 2, "203.0.113.5"),
        ("192.0.2.1", "", 1, "192.0.2.1"),
        ("2001:db8::1:2:3:4", "", 0, "2001:db8::/64"),
        ("::1", "", 0, "::1"),
        ("::ffff:192.0.2.1", "", 0, "192.0.2.1"),
        ("x:y", "", 0, "x:y"),
    ],
)
def test_addresses_are_those_that_our_own_proxies_saw(remote: str, forwarded: str, proxies: int, address: str) -> None:
    assert address_of(remote, forwarded, proxies) == address


def test_health_and_readiness(client: FlaskClient, keeping: FlaskClient) -> None:
    assert client.get("/healthz").json == {"status": "ok"}
    assert client.get("/readyz").json == {"status": "ready", "degraded": ["cache"]}
    assert keeping.get("/readyz").json == {"status": "ready", "degraded": []}


def test_metrics_are_for_this_machine_or_the_token(systems: dict[str, System]) -> None:
    client = create_app(Settings(rate=0, metrics_token="open sesame"), systems).test_client()
    elsewhere = {"REMOTE_ADDR": "192.0.2.7"}
    assert "ninja_rules_requests_total" in client.get("/metrics").text
    assert (
        client.get("/metrics", headers={"Authorization": "Bearer open sesame"}, environ_base=elsewhere).status_code
        == 200
    )
    is_problem(client.get("/metrics", environ_base=elsewhere), 401, "metrics_closed")
    is_problem(client.get("/metrics", headers={"X-Forwarded-For": "192.0.2.7"}), 401, "metrics_closed")


def test_settings_come_from_the_environment() -> None:
    found = from_environment({"PORT": "9000", "RATE": "0", "LOG": "debug", "API_KEYS": "a, b,"})
    assert (found.port, found.rate, found.log, found.api_keys) == (9000, 0, "debug", ("a", "b"))


@pytest.mark.parametrize("wrong", [{"PORT": "0"}, {"PORT": "x"}, {"PORT": "９"}, {"LOG": "loud"}, {"WORKERS": "-1"}])
def test_settings_that_cannot_be_used_are_told(wrong: dict[str, str]) -> None:
    with pytest.raises(BadSetting, match=next(iter(wrong))):
        from_environment(wrong)


@pytest.mark.parametrize(("raw", "status", "kind"), BAD_BODIES.values(), ids=BAD_BODIES)
def test_bad_bodies_are_refused_quickly(client: FlaskClient, raw: bytes, status: int, kind: str) -> None:
    def seconds() -> float:
        began = perf_counter()
        client.post(LEAP, data=raw, content_type="application/json")
        return perf_counter() - began

    assert min(seconds() for _ in range(3)) < 0.05
    is_problem(client.post(LEAP, data=raw, content_type="application/json"), status, kind)


def test_only_so_many_bodies_of_an_address_may_be_on_their_way() -> None:
    arriving = AtOnce(2)
    assert arriving.enter("a") and arriving.enter("a") and not arriving.enter("a") and arriving.enter("b")
    arriving.leave("a")
    assert arriving.enter("a")


def test_no_body_at_all_says_the_same_as_an_empty_object(client: FlaskClient) -> None:
    """`curl -X POST` on a name without parameters; where one is needed it is missed."""
    assert client.post("/v1/systems/trial/tables/fate/roll").status_code == 200
    is_problem(client.post("/v1/dice"), 422, "invalid")
