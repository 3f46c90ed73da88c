"""A duel of a and b, with everything that games can have at the table."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from service.problems import Problem

from .toy_games import Hall


@pytest.fixture
def hall(tmp_path: Path) -> Hall:
    return Hall(tmp_path)


class refused:  # noqa: N801 - it reads like pytest.raises
    """Whatever is inside is refused with that code."""

    def __init__(self, code: str, status: int = 422) -> None:
        self.code, self.status = code, status

    def __enter__(self) -> None: ...

    def __exit__(self, kind: Any, error: Any, _: Any) -> bool:
        assert isinstance(error, Problem), f"nothing was refused, or something else: {error!r}"
        assert (error.more.get("code", error.kind), error.status) == (self.code, self.status), error.more
        return True
