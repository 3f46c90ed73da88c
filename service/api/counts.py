"""What this process has answered, for /metrics."""

from __future__ import annotations

import os
from time import monotonic

METHODS = ("GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE")


class Counts:
    """Requests by method and status, and the seconds that they took until their answer began."""

    def __init__(self) -> None:
        self._began = monotonic()
        self._requests: dict[tuple[str, str], int] = {}
        self._seconds = 0.0

    def add(self, method: str, status: str, seconds: float) -> None:
        known = (method if method in METHODS else "other", status)
        self._requests[known] = self._requests.get(known, 0) + 1
        self._seconds += seconds

    def text(self, cache_awake: bool) -> str:
        """Prometheus' text format; each worker counts its own, told apart by its process id."""
        worker = f'worker="{os.getpid()}"'
        lines = [
            "# TYPE ninja_rules_requests_total counter",
            *(
                f'ninja_rules_requests_total{{{worker},method="{method}",status="{status}"}} {count}'
                for (method, status), count in sorted(self._requests.items())
            ),
            "# TYPE ninja_rules_request_seconds summary",
            f"ninja_rules_request_seconds_sum{{{worker}}} {self._seconds:.6f}",
            f"ninja_rules_request_seconds_count{{{worker}}} {sum(self._requests.values())}",
            "# TYPE ninja_rules_uptime_seconds gauge",
            f"ninja_rules_uptime_seconds{{{worker}}} {monotonic() - self._began:.0f}",
            "# TYPE ninja_rules_cache_up gauge",
            f"ninja_rules_cache_up{{{worker}}} {int(cache_awake)}",
        ]
        return "\n".join(lines) + "\n"
