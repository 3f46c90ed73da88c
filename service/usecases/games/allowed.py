"""Who may do what at the table, whatever the system."""

from __future__ import annotations

from typing import Any

from service.problems import Problem
from service.usecases.games.desk import At
from systems.core.errors import Illegal


def gm_only(found: At) -> None:
    """Raises `Illegal` for everybody else."""
    if not found.seat.gm:
        raise Illegal("not_gm", "")


def still_open(found: At) -> None:
    """Raises `Problem` 422 once the game is closed."""
    if found.standing.table.closed:
        raise refusal("game_closed")


def refusal(code: str, status: int = 422, **args: Any) -> Problem:
    """A problem whose title, sentence and code have the same name."""
    return Problem(status, code, more={"code": code}, **args)
