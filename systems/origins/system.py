"""Origins as the service sees it."""

from __future__ import annotations

from systems.core.system import System
from systems.origins.names import calls


class Origins(System):
    id = "origins"
    package = "systems.origins"
    calls = calls
