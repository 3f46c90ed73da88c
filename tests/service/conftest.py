"""A client of the service over the made-up system, without a cache."""

from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient

from service.app import create_app
from service.settings import Settings
from service.store.embedded import EmbeddedCache
from systems.core.system import System
from tests.service.trial import TRIAL


@pytest.fixture(scope="session")
def systems() -> dict[str, System]:
    return {TRIAL.id: TRIAL}


@pytest.fixture(scope="session")
def client(systems: dict[str, System], tmp_path_factory: pytest.TempPathFactory) -> FlaskClient:
    return create_app(Settings(rate=0, data=tmp_path_factory.mktemp("games")), systems).test_client()


@pytest.fixture(scope="session")
def keeping(systems: dict[str, System], valkey: EmbeddedCache, tmp_path_factory: pytest.TempPathFactory) -> FlaskClient:
    """A client of the service with a cache."""
    settings = Settings(rate=0, redis_url=valkey.url, data=tmp_path_factory.mktemp("kept_games"))
    return create_app(settings, systems).test_client()


def is_problem(answer: Any, status: int, kind: str) -> dict[str, Any]:
    """The problem document of an answer, which must be one, of that status and kind."""
    assert answer.status_code == status, answer.text
    assert answer.headers["Content-Type"] == "application/problem+json"
    found: dict[str, Any] = answer.json
    assert found["type"] == f"/docs#{kind}", found
    assert found["status"] == status
    assert found["title"] and found["detail"]
    assert "Traceback" not in answer.text and ".py" not in answer.text
    return found
