"""Who can reach whom on the Velocity board (SG-N05, SG-W05, SG-W14)."""

from __future__ import annotations

from typing import Literal

RangeKind = Literal["attack", "support", "ohgi"]


def in_range(own_plot: int, target_plot: int, reach: int | None, kind: RangeKind, battlefield: str) -> bool:
    """No Range entry is no limit; Bad Weather adds 1 for Attack ninpo; Plot 0 is in reach of every Plot from 1 on."""
    if reach is None or (target_plot == 0 and own_plot >= 1):
        return True
    longer = 1 if kind == "attack" and battlefield == "bad_weather" else 0
    return abs(own_plot - target_plot) <= reach + longer
