"""NinjaSlayer as the service sees it."""

from __future__ import annotations

from typing import Any

from systems.core.seats import Seat
from systems.core.system import System
from systems.ninja_slayer import (
    attack,
    cartwheel,
    creation,
    damage,
    evasion,
    exchange,
    fight,
    grid,
    mob_volley,
    odds,
    reaper,
    rolls,
    sequence,
    sheet,
    shock,
    split,
    turns,
    view,
    volley,
)
from systems.ninja_slayer.names import calls


class NinjaSlayer(System):
    id = "ninja_slayer"
    package = "systems.ninja_slayer"
    calls = calls
    chapters = (
        rolls,
        sheet,
        creation,
        turns,
        grid,
        cartwheel,
        attack,
        split,
        evasion,
        fight,
        damage,
        exchange,
        sequence,
        volley,
        mob_volley,
        reaper,
        shock,
        odds,
    )

    def view(self, state: Any, seat: Seat) -> view.FightSeen:
        return view.seen(state, seat)
