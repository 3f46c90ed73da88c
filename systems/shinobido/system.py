"""Shinobido as the service sees it."""

from __future__ import annotations

from systems.core.system import System
from systems.shinobido.names import calls


class Shinobido(System):
    id = "shinobido"
    package = "systems.shinobido"
    calls = calls
