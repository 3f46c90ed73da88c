"""Shinobigami as the service sees it."""

from __future__ import annotations

from systems.core.system import System
from systems.shinobigami import (
    ailments,
    answers,
    battle_odds,
    chance,
    combat,
    combat_names,
    combat_state,
    creation,
    cycle_end,
    derived,
    drama,
    emotions,
    fumble,
    group,
    health,
    information,
    inquiries,
    loss_names,
    losses,
    ninpo,
    odds,
    ohgi,
    ohgi_names,
    queries,
    reactions,
    rolls,
    scene,
    windows,
)
from systems.shinobigami.names import calls

OUTSIDE_BATTLE = (
    chance,
    rolls,
    windows,
    answers,
    scene,
    ailments,
    fumble,
    cycle_end,
    information,
    drama,
    inquiries,
    emotions,
    creation,
    derived,
    ninpo,
    queries,
    odds,
    battle_odds,
)
BATTLE = (combat, combat_names, combat_state, group, health, losses, loss_names, ohgi, ohgi_names, reactions)


class Shinobigami(System):
    id = "shinobigami"
    package = "systems.shinobigami"
    calls = calls
    chapters = (*OUTSIDE_BATTLE, *BATTLE)
