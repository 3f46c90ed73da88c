"""Every rule that a stateless name needs is implemented and proved, or left out with its reason."""

from __future__ import annotations

from pathlib import Path

import pytest

from service.usecases.coverage import Coverage, covered
from systems.core.system import System, installed

TESTS = Path(__file__).parent


@pytest.fixture(scope="module", params=installed().values(), ids=installed())
def found(request: pytest.FixtureRequest) -> Coverage:
    system: System = request.param
    return covered(system, TESTS)


def test_the_code_names_no_unknown_rule(found: Coverage) -> None:
    assert not found.unknown


def test_no_rule_of_the_stateless_names_is_missing(found: Coverage) -> None:
    assert not found.ids("missing")


def test_what_is_implemented_is_tested(found: Coverage) -> None:
    assert not found.ids("implemented only")
