"""Exact odds of checks for a service that many ask: a smaller budget than the kernel's, and answers remembered."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from threading import Lock
from typing import Any

import msgspec

from systems.core.calls import CheckCall, Verdict, odds
from systems.core.errors import OddsTooLarge
from systems.core.game import Message
from systems.core.odds import Budget, Distribution

MAX_BRANCHES = 40_000  # of one check: about a third of a second
MAX_BATCH_BRANCHES = 100_000  # of all checks of a batch: about a second
MAX_REMEMBERED = 4_096  # answers and refusals; each is a handful of fractions

Found = Distribution[Verdict] | OddsTooLarge


class Chances:
    """The exact odds of checks. Who asks the same again gets the same answer, or the same refusal, at once."""

    def __init__(self) -> None:
        self._found: dict[bytes, Found] = {}
        self._lock = Lock()

    def of(
        self,
        call: CheckCall[Any, Any],
        params: Any,
        answers: Sequence[Message],
        mark: bytes,
        shared: Budget | None = None,
    ) -> Distribution[Verdict]:
        """The odds of a check; `mark` tells what was asked, `shared` is the budget of a batch.

        Raises `OddsTooLarge`, and `Illegal` as the check itself does.
        """
        found = self._found.get(mark)
        if found is None:
            found = self._worked_out(call, params, answers, mark, shared)
        if isinstance(found, OddsTooLarge):
            raise found.with_traceback(None)
        return found

    def _worked_out(
        self, call: CheckCall[Any, Any], params: Any, answers: Sequence[Message], mark: bytes, shared: Budget | None
    ) -> Found:
        found: Found
        try:
            found = odds(call, params, answers, Budget(MAX_BRANCHES) if shared is None else shared)
        except OddsTooLarge as refusal:
            if shared is not None:  # a budget of its own might do
                raise
            found = OddsTooLarge(refusal.what, refusal.asked, refusal.limit)
        with self._lock:
            self._found[mark] = found
            while len(self._found) > MAX_REMEMBERED:
                del self._found[next(iter(self._found))]
        return found


def mark_of(system: str, check: str, raw: Any) -> bytes:
    """What a question about odds is recognised by: names, parameters and answers of a body that was read."""
    asked = [system, check, raw.get("params", {}), raw.get("answers", [])]
    return sha256(msgspec.json.encode(asked, order="sorted")).digest()


def batch_budget() -> Budget:
    return Budget(MAX_BATCH_BRANCHES)
