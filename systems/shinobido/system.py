"""Shinobido as the service sees it."""

from __future__ import annotations

from functools import cached_property

from systems.core.system import Option, System
from systems.shinobido import (
    answers,
    blows,
    checks,
    commands,
    creation,
    deeds,
    deeds_by_name,
    events,
    forecasts,
    odds,
    pips,
    strikes,
    tables,
    turns,
    wounding,
)
from systems.shinobido.names import calls


class Shinobido(System):
    id = "shinobido"
    package = "systems.shinobido"
    calls = calls
    chapters = (
        answers,
        events,
        strikes,
        wounding,
        deeds,
        creation,
        checks,
        blows,
        deeds_by_name,
        turns,
        odds,
        forecasts,
        pips,
        tables,
        commands,
    )

    @cached_property
    def options(self) -> tuple[Option, ...]:
        """The switches of section 20, from their table."""
        rows = calls.tables["switches"].rows
        return tuple(Option(row.id, row.facts.get("default"), tuple(row.facts.get("values", ()))) for row in rows)
