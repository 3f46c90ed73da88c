"""NinjaSlayer as the service sees it."""

from __future__ import annotations

from systems.core.system import System
from systems.ninja_slayer.names import calls


class NinjaSlayer(System):
    id = "ninja_slayer"
    package = "systems.ninja_slayer"
    calls = calls
