"""Time as games see it: milliseconds since 1970, shown as UTC."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime
from functools import lru_cache

Clock = Callable[[], int]


def now_ms() -> int:
    return time.time_ns() // 1_000_000


@lru_cache(maxsize=256)
def stamp(at: int) -> str:
    """UTC to the millisecond."""
    moment = datetime.fromtimestamp(at / 1000, UTC)
    return moment.strftime("%Y-%m-%dT%H:%M:%S.") + f"{at % 1000:03d}Z"
