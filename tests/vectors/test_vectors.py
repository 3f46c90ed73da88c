"""Every worked case of the four digests; `--vectors PATH` runs other files of the same form instead."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from . import cases


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    given = [Path(one) for one in metafunc.config.getoption("--vectors")]
    paths = given or sorted((cases.HERE / "data").glob("*.vectors.json"))
    found = [case for path in paths for case in cases.read(path)]
    metafunc.parametrize("case", [_marked(case, bool(given)) for case in found])


def _marked(case: dict[str, Any], foreign: bool) -> Any:
    """A case of our own that needs a game is expected to fail, and says so; in a foreign file it simply fails."""
    try:
        cases.called(case)
    except cases.Unsupported as reason:
        if not (foreign or cases.played(case)):
            return pytest.param(case, id=case["id"], marks=pytest.mark.xfail(reason=str(reason), strict=True))
    return pytest.param(case, id=case["id"])


def test_vector(case: dict[str, Any]) -> None:
    cases.run(case)
