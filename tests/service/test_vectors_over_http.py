"""Every worked case that needs no game, asked over HTTP, by the same runner as the direct ones."""

from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient

from service.app import create_app
from service.settings import Settings
from service.usecases.catalogue import path_of
from systems.core.system import System
from tests.vectors import cases


def supported() -> list[Any]:
    paths = sorted((cases.HERE / "data").glob("*.vectors.json"))
    found = [case for path in paths for case in cases.read(path)]
    return [pytest.param(case, id=case["id"]) for case in found if not_a_game(case)]


def not_a_game(case: dict[str, Any]) -> bool:
    try:
        cases.called(case)
    except cases.Unsupported:
        return False
    return True


@pytest.fixture(scope="module")
def installed_client() -> FlaskClient:
    return create_app(Settings(rate=0)).test_client()


@pytest.mark.parametrize("case", supported())
def test_vector(installed_client: FlaskClient, case: dict[str, Any]) -> None:
    def over_http(system: System, call: cases.Called, faces: list[int]) -> cases.Answer:
        body = {"params": call.params} | ({"faces": faces} if call.kind == "check" else {})
        answer = installed_client.post(path_of(system.id, call.kind, call.name), json=body)
        found = answer.json
        if answer.status_code == 200:
            outcome = found["outcome"]
            if isinstance(outcome.get("pending"), dict):
                outcome["pending"] = outcome["pending"]["topic"]
            return cases.Answer(outcome)
        assert answer.status_code == 422, found
        return cases.Answer(None, found.get("code", str(found)))

    cases.run(case, over_http)
