"""Shinobigami as the service sees it."""

from __future__ import annotations

from systems.core.system import System
from systems.shinobigami.names import calls


class Shinobigami(System):
    id = "shinobigami"
    package = "systems.shinobigami"
    calls = calls
