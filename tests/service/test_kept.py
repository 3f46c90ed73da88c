"""Rolls with an Idempotency-Key: thrown once, told as often as somebody asks."""

from __future__ import annotations

import secrets
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from flask.testing import FlaskClient

from service.app import create_app
from service.settings import Settings
from service.store.embedded import EmbeddedCache
from service.usecases.kept import roll_id
from systems.core.system import System

from .conftest import is_problem

LEAP = "/v1/systems/trial/checks/leap"
ROLL = {"system": "trial", "check": "leap"}
THROWS: list[tuple[str, dict[str, Any]]] = [
    (LEAP, {"params": {"target": 8}}),
    ("/v1/dice", {"notation": "10d6"}),
    ("/v1/systems/trial/tables/fate/roll", {}),
    ("/v1/rolls", {"rolls": [ROLL, {**ROLL, "check": "nope"}, ROLL]}),
]


def key() -> dict[str, str]:
    return {"Idempotency-Key": secrets.token_urlsafe(24)}


@pytest.mark.parametrize(("path", "body"), THROWS)
def test_the_same_key_gives_the_same_answer(keeping: FlaskClient, path: str, body: Any) -> None:
    header = key()
    first, again = (keeping.post(path, json=body, headers=header) for _ in range(2))
    assert first.status_code == 200 and first.data == again.data
    assert "Idempotency-Replayed" not in first.headers and again.headers["Idempotency-Replayed"] == "true"
    assert first.json["id"] == roll_id(header["Idempotency-Key"])
    assert keeping.get(f"/v1/rolls/{first.json['id']}").data == first.data


def test_the_order_of_fields_does_not_make_another_body(keeping: FlaskClient) -> None:
    header = {**key(), "Content-Type": "application/json"}
    keeping.post(LEAP, data=b'{"label": "a", "params": {"target": 8}}', headers=header)
    again = keeping.post(LEAP, data=b'{"params":{"target":8},"label":"a"}', headers=header)
    assert again.headers["Idempotency-Replayed"] == "true"


@pytest.mark.parametrize(
    ("path", "body"), [(LEAP, {"label": "b"}), (f"{LEAP}?odds=true", {"label": "a"}), ("/v1/dice", {"notation": "d6"})]
)
def test_another_request_may_not_use_the_key(keeping: FlaskClient, path: str, body: Any) -> None:
    header = key()
    keeping.post(LEAP, json={"label": "a"}, headers=header)
    is_problem(keeping.post(path, json=body, headers=header), 422, "key_reused")


def test_a_refused_roll_leaves_the_key_free(keeping: FlaskClient) -> None:
    header = key()
    is_problem(keeping.post(LEAP, json={"faces": [1]}, headers=header), 422, "faces_mismatch")
    assert keeping.post(LEAP, json={"faces": [1, 2]}, headers=header).status_code == 200


def test_many_at_once_get_one_throw(keeping: FlaskClient) -> None:
    header = key()

    def throw(_: int) -> bytes:
        return keeping.application.test_client().post("/v1/dice", json={"notation": "50d6"}, headers=header).data

    with ThreadPoolExecutor(8) as threads:
        assert len(set(threads.map(throw, range(16)))) == 1


def test_one_roll_of_a_batch_can_be_asked_for(keeping: FlaskClient) -> None:
    batch = keeping.post("/v1/rolls", json={"rolls": [ROLL, {"system": "x", "check": "y"}, ROLL]}, headers=key()).json
    assert keeping.get(f"/v1/rolls/{batch['id']}-2").json == batch["rolls"][2]
    is_problem(keeping.get(f"/v1/rolls/{batch['id']}-1"), 404, "unknown_roll")
    is_problem(keeping.get(f"/v1/rolls/{batch['id']}-9"), 404, "unknown_roll")


def test_a_kept_answer_keeps_its_language(keeping: FlaskClient) -> None:
    header = key()
    first = keeping.post("/v1/dice", json={"notation": "d6"}, headers={**header, "Accept-Language": "ja"})
    again = keeping.post("/v1/dice", json={"notation": "d6"}, headers={**header, "Accept-Language": "ko"})
    assert first.data == again.data and again.headers["Content-Language"] == "ja"


@pytest.mark.parametrize("wrong", ["short", "x" * 21, "x" * 65, "x" * 21 + " y", "é" * 30])
def test_keys_have_22_to_64_visible_characters(keeping: FlaskClient, wrong: str) -> None:
    is_problem(keeping.post(LEAP, json={}, headers={"Idempotency-Key": wrong}), 400, "bad_key")


@pytest.mark.parametrize("roll", ["r_1", "x", "r_" + "0" * 32, "r_" + "g" * 32])
def test_other_rolls_are_not_kept(keeping: FlaskClient, roll: str) -> None:
    is_problem(keeping.get(f"/v1/rolls/{roll}"), 404, "unknown_roll")


def test_without_a_cache_only_rolls_with_a_key_wait(client: FlaskClient) -> None:
    assert client.post(LEAP, json={}).status_code == 200
    for answer in (client.post(LEAP, json={}, headers=key()), client.get("/v1/rolls/r_" + "0" * 32)):
        is_problem(answer, 503, "cache_away")
        assert int(answer.headers["Retry-After"]) > 0


def test_a_cache_that_dies_and_comes_back_is_used_again(systems: dict[str, System], tmp_path: Any) -> None:
    cache = EmbeddedCache(tmp_path)
    (tmp_path / "run").mkdir()
    cache.start()
    client = create_app(Settings(rate=0, redis_url=cache.url, data=tmp_path), systems).test_client()
    assert client.post(LEAP, json={}, headers=key()).status_code == 200
    cache.stop()
    is_problem(client.post(LEAP, json={}, headers=key()), 503, "cache_away")
    assert client.get("/readyz").json["degraded"] == ["cache"]
    cache.start()
    assert client.post(LEAP, json={}, headers=key()).status_code == 200
    cache.stop()
