"""Commands of a running game in the form of section 22: refusals in their order, outcomes read from the state."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.vectors import cases

CASES = cases.read(Path(__file__).with_name("commands.json"))


@pytest.mark.parametrize("case", CASES, ids=[one["id"] for one in CASES])
def test_command(case: dict[str, Any]) -> None:
    """The order of section 13: role, decision, turn, status, target, switch, range, resources (SD-P02, SD-T09)."""
    cases.run(case)
