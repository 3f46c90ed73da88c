"""The published document: valid, complete, with true examples, and the one that is committed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from flask import Flask
from flask.testing import FlaskClient
from jsonschema import Draft202012Validator
from openapi_spec_validator import validate

from service.app import create_app
from service.settings import Settings
from service.usecases.catalogue import names_by_kind
from service.web.openapi import as_yaml, examples, played, said
from systems.core.system import System, installed

from .played import played as play_all

COMMITTED = Path(__file__).parents[2] / "openapi.yaml"


@pytest.fixture(scope="module")
def app() -> Flask:
    return create_app(Settings(rate=0))


@pytest.fixture(scope="module")
def document(app: Flask) -> dict[str, Any]:
    found: dict[str, Any] = app.extensions["ninja_rules.openapi"]()
    return found


def operations(document: dict[str, Any]) -> list[tuple[str, str, dict[str, Any]]]:
    return [
        (path, method, operation)
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
        if method != "parameters"
    ]


def test_it_is_the_committed_one(document: dict[str, Any]) -> None:
    assert COMMITTED.read_text(encoding="utf-8") == as_yaml(document), "run `make openapi`"


def test_it_is_valid(document: dict[str, Any]) -> None:
    validate(document)


def test_it_is_served(client: FlaskClient) -> None:
    served = client.get("/openapi.yaml")
    assert served.headers["Content-Type"].startswith("application/yaml")
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    assert yaml.load(served.text, Loader=loader) == client.get("/openapi.json").json


def test_every_route_is_described(app: Flask, document: dict[str, Any]) -> None:
    rules = {str(rule).replace("<", "{").replace(">", "}") for rule in app.url_map.iter_rules()}
    assert rules <= set(document["paths"])


def test_every_operation_has_its_own_id_summary_and_examples(document: dict[str, Any]) -> None:
    found = operations(document)
    assert len({operation["operationId"] for _, _, operation in found}) == len(found)
    for path, _, operation in found:
        assert operation["summary"], path
        content = said(operation).get("content", {})
        assert all("example" in media for media in content.values()), path
        for media in operation.get("requestBody", {}).get("content", {}).values():
            assert "example" in media, path


def of_games(document: dict[str, Any]) -> list[tuple[str, str, dict[str, Any]]]:
    return [one for one in operations(document) if one[0].startswith(("/v1/games", "/v1/invites"))]


def test_every_operation_of_games_was_played_and_answered_in_its_shape(document: dict[str, Any]) -> None:
    found = of_games(document)
    assert {operation["operationId"] for _, _, operation in found} == set(played()), "run tests.service.played"
    for path, method, operation in found:
        one = played()[operation["operationId"]]
        for value, content in (
            (one["body"], operation.get("requestBody", {}).get("content", {})),
            (one.get("answer"), said(operation).get("content", {})),
        ):
            for media in content.values():
                whole = {**media["schema"], "components": document["components"]}
                errors = [error.message for error in Draft202012Validator(whole).iter_errors(value)]
                assert not errors, (method, path, errors)


def test_operations_of_games_name_their_token_and_headers(document: dict[str, Any]) -> None:
    for path, method, operation in of_games(document):
        assert {"bearer": []} in operation["security"] or path.startswith("/v1/invites"), path
        names = [one.get("$ref", "") for one in operation["parameters"]]
        assert any(one.endswith("/Once") for one in names) == (method == "post"), path


def test_the_examples_of_games_can_be_played_again(tmp_path: Path) -> None:
    app = create_app(Settings(rate=0, data=tmp_path))
    assert set(play_all(app.test_client())) == set(played())
    app.extensions["ninja_rules.desk"].games.close()


@pytest.mark.parametrize("system", installed().values(), ids=installed())
def test_every_name_has_an_example_that_works(document: dict[str, Any], system: System) -> None:
    names = names_by_kind(system)
    wanted = {f"{kind}/{name}" for kind in ("check", "query", "odds") for name in names[kind]}
    assert not wanted - set(examples().get(system.id, {})), "run `python -m tests.service.examples`"
    for path, _, operation in operations(document):
        if path.startswith(f"/v1/systems/{system.id}/"):
            assert operation["responses"]["200"]["content"]["application/json"]["example"], path


def test_the_page_works_without_the_rest_of_the_world(client: FlaskClient) -> None:
    page = client.get("/docs")
    assert page.headers["Content-Type"].startswith("text/html")
    texts = [page.text, *(client.get(f"/docs/{name}").text for name in ("docs.js", "docs.css"))]
    assert not any("http://" in text or "https://" in text or "//cdn" in text for text in texts)
    assert "default-src 'none'" in page.headers["Content-Security-Policy"]
    assert '<dt id="faces_mismatch">' in page.text
    assert client.get("/").headers["Location"] == "/docs"
