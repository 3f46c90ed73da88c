"""The registry of the game's stateless names; each chapter adds its own.

The tables of data come with it: SG-T01..T08, SG-T10 (names of our own, SG-Z55), SG-T11, SG-T12 (SG-U15), SG-Z62.
"""

from __future__ import annotations

from systems.core.calls import Calls
from systems.core.tables import load_tables

calls = Calls(load_tables("systems.shinobigami"))
