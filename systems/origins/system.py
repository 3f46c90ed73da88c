"""Origins as the service sees it."""

from __future__ import annotations

from collections.abc import Iterable

from systems.core.game import Message
from systems.core.seats import Seat
from systems.core.system import Case, System
from systems.origins import (
    action,
    answers,
    armor,
    checks,
    consequence,
    crafting,
    defence,
    downtime,
    effect,
    enemies,
    fight,
    harm,
    honor,
    jutsu,
    market,
    odds,
    policies,
    pvp,
    reaction,
    resolve,
    sheet,
    tables,
    teamwork,
)
from systems.origins.names import calls


class Origins(System):
    id = "origins"
    package = "systems.origins"
    calls = calls
    chapters = (
        action,
        answers,
        armor,
        checks,
        consequence,
        crafting,
        defence,
        downtime,
        effect,
        enemies,
        fight,
        harm,
        honor,
        jutsu,
        market,
        odds,
        policies,
        pvp,
        reaction,
        resolve,
        sheet,
        tables,
        teamwork,
    )

    def view(self, state: fight.Fight, seat: Seat) -> fight.Fight:
        return fight.seen(state, seat)

    def imagine(self, view: fight.Fight, message: Message | None = None) -> Iterable[Case[fight.Fight]]:
        """A danger clock that is not seen changes no roll: one case, in which it is empty."""
        yield Case({"danger": 0} if view.danger.hidden else {}, view)
