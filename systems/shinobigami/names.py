"""The registry of the game's stateless names; each chapter adds its own."""

from __future__ import annotations

from systems.core.calls import Calls
from systems.core.tables import load_tables

calls = Calls(load_tables("systems.shinobigami"))
