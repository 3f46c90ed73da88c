"""A battle as it stands: fighters, the Plot group that acts, what is deferred until the group is through (SG-W48)."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from systems.core.game import Game, Step, change
from systems.core.values import Map
from systems.shinobigami.checks import Grade, fumble_value
from systems.shinobigami.effects import fumble_modifier
from systems.shinobigami.ids import Battlefield, Context, Phase
from systems.shinobigami.sheet import Character, Ohgi
from systems.shinobigami.switches import Switches

NO_DODGE = "none"


class Exchange(Struct, frozen=True, cache_hash=True):
    """One attack against one target: both grades (`dodge` is "none" if nothing was thrown) and whether it hit."""

    by: str
    target: str
    attack: Grade
    dodge: str = NO_DODGE
    hit: bool = False


class Fighter(Struct, frozen=True, cache_hash=True):
    """A participant: the sheet with what is lost and spent, the Plot, and what the round has used up.

    `struck`: lost Life Points to another character in what is being resolved (SG-W54).
    """

    sheet: Character
    plot: int = 0
    acted: bool = False
    attacked: bool = False
    backlash: bool = False
    dropped: bool = False
    struck: bool = False
    used: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        return self.sheet.id

    @property
    def knocked_out(self) -> bool:
        return self.sheet.knocked_out

    @property
    def able(self) -> bool:
        """Still in the battle and not knocked out (SG-H08, SG-W63)."""
        return not self.dropped and not self.knocked_out

    def ohgi_of(self, kind: str) -> Ohgi | None:
        """An own Ohgi of this type that this round has not seen yet (SG-O02)."""
        return next((one for one in self.sheet.own_ohgi if one.type == kind and one.id not in self.used), None)

    def has_gear(self, kind: str) -> bool:
        """A piece in hand that works (SG-G01, SG-G06)."""
        return self.sheet.gear.get(kind, 0) > 0 and not self.sheet.has_ailment("breakdown")


class Battle(Game, frozen=True, cache_hash=True, kw_only=True):
    """The state of a Combat Scene. `fighters` stand in seat order (SG-A10); `acting` is the Plot of the acting group.

    `deferred` waits for the end of the group, in the order in which it arose (SG-W50). `knowers` says who knows an
    Ohgi (`owner:ohgi`), `uses` how often an Immortal Body was used in this session.
    """

    fighters: tuple[Fighter, ...] = ()
    acting: int | None = None
    phase: Phase = "main"
    battlefield: Battlefield = "level_ground"
    context: Context = "combat"
    switches: Switches = Switches()
    deferred: tuple[Step, ...] = ()
    exchanges: tuple[Exchange, ...] = ()
    knowers: Map[str, tuple[str, ...]] = Map()
    uses: Map[str, int] = Map()

    def __getitem__(self, who: str) -> Fighter:
        for fighter in self.fighters:
            if fighter.sheet.id == who:
                return fighter
        raise KeyError(who)

    def has(self, who: str) -> bool:
        return any(fighter.id == who for fighter in self.fighters)

    def with_fighter(self, who: str, **changes: Any) -> Battle:
        changed = (change(one, **changes) if one.sheet.id == who else one for one in self.fighters)
        return change(self, fighters=tuple(changed))

    @property
    def able(self) -> tuple[Fighter, ...]:
        return tuple(fighter for fighter in self.fighters if fighter.able)

    @property
    def group(self) -> tuple[Fighter, ...]:
        """The able fighters of the acting Plot group that have not acted yet (SG-W30)."""
        return tuple(one for one in self.fighters if one.able and one.plot == self.acting and not one.acted)

    @property
    def escape_allowed(self) -> bool:
        """Escape Checks are for the Main Phase, or where the table allows them in the Climax (SG-X03, SG-U10)."""
        return self.phase == "main" or self.switches.escape_in_climax

    def counts(self, by_other: bool) -> bool:
        """Whether a loss makes its victim drop out in the Main Phase (SG-W54, SG-H28, SG-U07)."""
        return by_other or self.switches.environment_damage_drops_out

    def knows(self, who: str, key: str) -> bool:
        return who in self.knowers.get(key, ())

    def fumble_value(self, who: str) -> int | None:
        """F of a check in Attack Resolution: the Plot, with Battlefield and Equip ninpo (SG-C10, SG-W05)."""
        fighter = self[who]
        calmer = fumble_modifier(fighter.sheet, self.context)
        return fumble_value(self.context, fighter.plot, battlefield=self.battlefield, fumble_mod=calmer)


def key_of(owner: str, ohgi: Ohgi) -> str:
    """How the knowledge of one Ohgi is filed."""
    return f"{owner}:{ohgi.id}"
