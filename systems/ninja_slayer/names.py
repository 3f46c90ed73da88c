"""The registry of the game's stateless names; each chapter adds its own.

Tables come from `data/tables.toml`; its practice weapons are ours (NS-RUL44).
"""

from __future__ import annotations

from systems.core.calls import Calls
from systems.core.tables import load_tables

calls = Calls(load_tables("systems.ninja_slayer"))
