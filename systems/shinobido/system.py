"""Shinobido as the service sees it."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Any

from systems.core.ask import Offer
from systems.core.calls import Verdict
from systems.core.clocks import Timeline
from systems.core.convert import to_plain
from systems.core.errors import Illegal
from systems.core.game import Message
from systems.core.seats import Seat
from systems.core.system import Case, Option, System
from systems.shinobido import (
    advancement,
    answers,
    blows,
    checks,
    commands,
    creation,
    declaring,
    deeds,
    deeds_by_name,
    entering,
    events,
    examples,
    fight_events,
    fights,
    forecasts,
    happenings,
    imagining,
    missions,
    narrator,
    odds,
    pips,
    rolling,
    strikes,
    tables,
    turn_order,
    turns,
    turns_taken,
    views,
    wounding,
)
from systems.shinobido.names import calls
from systems.shinobido.state import Scene, Story
from systems.shinobido.switches import Switches


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
        rolling,
        happenings,
        fight_events,
        turn_order,
        declaring,
        commands,
        turns_taken,
        fights,
        missions,
        narrator,
        advancement,
        entering,
    )
    state = Scene
    switches = Switches

    @cached_property
    def options(self) -> tuple[Option, ...]:
        """The switches of section 20, from their table."""
        rows = calls.tables["switches"].rows
        return tuple(Option(row.id, row.facts.get("default"), tuple(row.facts.get("values", ()))) for row in rows)

    def new_game(self, switches: Switches) -> Scene:
        """Nobody is there yet, and no mission has begun (SD-X17)."""
        return Scene(switches=switches, story=Story(phase="between"))

    def view(self, game: Scene, seat: Seat) -> views.SceneView:
        return views.view_of(game, seat)

    def imagine(self, view: views.SceneView, message: Message | None = None) -> Iterable[Case[Scene]]:
        return imagining.imagined(view, message)

    def verdict(self, message: Message, before: Scene, after: Scene) -> Verdict:
        return examples.verdict_of(message, before, after)

    def examples(self, view: views.SceneView, seat: Seat, offer: Offer) -> Iterable[Message]:
        return examples.examples_of(view, offer)

    def timeline(self, game: Scene) -> Timeline | None:
        return Timeline(
            ("mission", "scene", "round"),
            (game.story.mission, game.story.scene, game.fight.round if game.fight else 0),
        )

    def turns(self, game: Scene) -> tuple[str, ...]:
        """Whose turn it is; while an action waits for its penalty, the Narrator's, which is nobody's character."""
        if game.open_action and game.open_action.phase == "penalised":
            return (game.open_action.who,)
        return (game.fight.turn,) if game.fight and game.fight.turn else ()

    def characters(self, game: Scene) -> tuple[str, ...]:
        return tuple(game.cast)

    def sheet_of(self, game: Scene, character: str) -> Any:
        return to_plain(game.cast[character])

    def arriving(self, sheet: Any, seat: Seat) -> Message | Illegal:
        return entering.arriving(sheet)
