"""Who may do what at the table, whatever the system."""

from __future__ import annotations

from service.problems import refusal
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
