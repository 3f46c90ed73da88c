"""The state of a fight: characters, enemies, and the action that is being carried out (chapters 2.1 and 8)."""

from __future__ import annotations

from msgspec import Struct

from systems.core.clocks import ProgressClock
from systems.core.game import Game, change
from systems.core.seats import Seat
from systems.core.values import Map
from systems.origins.armor import Armor, Load, refuse_armor
from systems.origins.chart import UNHARMED, HarmChart, record
from systems.origins.consequence import Barred
from systems.origins.defence import Blow
from systems.origins.dice import Reading
from systems.origins.effect import Clock, CollectParams, State, collect_bonuses
from systems.origins.harm import Paid
from systems.origins.options import DEFAULT, Config
from systems.origins.position import worse
from systems.origins.vocabulary import MAX_CHAKRA, Band, Difficulty, Kind, Position, Severity

DANGER_CLOCK = 4  # SO-P17
UNSEEN_DANGER = ProgressClock("danger", DANGER_CLOCK, hidden=True)


class Fighter(Struct, frozen=True, cache_hash=True, kw_only=True):
    """A player character in a fight (SO-P02). `reduced_next` waits for the next action roll (SO-P24, SO-T06)."""

    position: Position | None = "risky"
    chakra: int = MAX_CHAKRA
    harm_chart: HarmChart = UNHARMED
    armor: Armor | None = None
    load: Load | None = None
    dots: Map[str, int] = Map()
    honor: int = 0
    glory_used: bool = False
    unconscious: bool = False
    dead: bool = False
    reduced_next: int = 0
    barred: tuple[Barred, ...] = ()

    @property
    def able(self) -> bool:
        """Neither dead (SO-A11) nor unconscious (SO-A12)."""
        return not self.dead and not self.unconscious

    def paid(self, payment: Paid) -> Fighter:
        return change(self, chakra=payment.chakra, unconscious=self.unconscious or payment.unconscious)

    def armed(self, config: Config) -> bool:
        """Whether armor could stop a harm now; the unconscious only have what they wear (SO-H17)."""
        if self.armor is None:
            return False
        return refuse_armor(self.armor, self.load, unconscious=not self.able, config=config) is None


class Foe(Struct, frozen=True, cache_hash=True, kw_only=True):
    """An enemy or a group that shares its turns (SO-E14)."""

    difficulty: Difficulty = "average"
    turns_left: int = 1
    clock: Clock = Clock(4)

    @property
    def defeated(self) -> bool:
        return self.clock.full


class Settled(Struct, frozen=True, cache_hash=True, kw_only=True):
    """A consequence that was answered: `size` is what was suffered of it, 0 if nothing."""

    kind: Kind
    severity: Severity
    size: int = 0
    avoided: bool = False
    negated: bool = False
    recorded_level: int | None = None


class Action(Struct, frozen=True, cache_hash=True, kw_only=True):
    """An action from its declaration to the spending of its effect."""

    actor: str
    skill: str = ""
    approach: str = ""
    target: str = ""
    pool: int = 0
    bonus_effect: int = 0
    penalty_effect: int = 0
    band: Band | None = None
    triple_crit: bool = False
    effect: int = 0
    withdrawn: bool = False
    settled: tuple[Settled, ...] = ()

    @property
    def read(self) -> Reading:
        """The shortest throw of that band, for rules that only ask for it."""
        shown = {"fail": 1, "partial": 4, "full": 6, "crit": 6, None: 1}[self.band]
        sixes = 3 if self.triple_crit else 2 if self.band == "crit" else int(self.band == "full")
        return Reading(shown, sixes)


class Facing(Struct, frozen=True, cache_hash=True, kw_only=True):
    """The consequence that is open: whose, what the GM called against it, and which enemy brings it."""

    who: str
    blow: Blow
    severity: Severity
    enemy: str = ""
    skill: str = ""
    gm_allows: bool = False


class Fight(Game, frozen=True, cache_hash=True):
    """A fight, or a scene that is played with positions (SO-P25)."""

    fighters: Map[str, Fighter] = Map()
    foes: Map[str, Foe] = Map()
    config: Config = DEFAULT
    action: Action | None = None
    facing: Facing | None = None
    states: tuple[State, ...] = ()
    abilities: tuple[str, ...] = ()
    danger: ProgressClock = ProgressClock("danger", DANGER_CLOCK)

    def with_fighter(self, who: str, fighter: Fighter) -> Fight:
        return change(self, fighters=self.fighters.put(who, fighter))

    def with_foe(self, id: str, foe: Foe) -> Fight:
        return change(self, foes=self.foes.put(id, foe))

    @property
    def acting(self) -> Action:
        """The action under way. Raises `LookupError` if there is none."""
        if self.action is None:
            raise LookupError("no action is under way")
        return self.action

    @property
    def faced(self) -> Facing:
        """The open consequence. Raises `LookupError` if there is none."""
        if self.facing is None:
            raise LookupError("no consequence is open")
        return self.facing

    def defence_pool(self, who: str, skill: str) -> int:
        """Dots and defensive bonuses (SO-D02); wounds take nothing from it (SO-D14)."""
        enemy = self.facing.enemy if self.facing else ""
        bonus = collect_bonuses(CollectParams(actor=who, roll="defense", enemy=enemy, states=self.states))
        return int(self.fighters[who].dots.get(skill, 0)) + bonus.bonus_dice


def suffering(fight: Fight, who: str, kind: Kind, size: int, name: str) -> Fight:
    """The fight after somebody suffered a consequence (SO-P14 to SO-P18); a complication has an event of its own."""
    fighter = fight.fighters[who]
    if kind == "harm":
        after = record(fighter.harm_chart, size, name, fight.config.harm_boxes)
        return fight.with_fighter(who, change(fighter, harm_chart=after.chart, dead=fighter.dead or after.dead))
    if kind == "complication":
        return fight
    if kind == "worse_position":
        position = worse(fighter.position) if fighter.position else None
        return fight.with_fighter(who, change(fighter, position=position))
    if kind == "lost_opportunity":
        return fight.with_fighter(who, change(fighter, barred=(*fighter.barred, *_barred(fight))))
    action = fight.action
    if action and action.actor == who and action.band:
        return change(fight, action=change(action, effect=max(0, action.effect - 1)))
    return fight.with_fighter(who, change(fighter, reduced_next=fighter.reduced_next + 1))


def _barred(fight: Fight) -> tuple[Barred, ...]:
    """What a lost opportunity closes: skill and approach of the action against its target (SO-P16, SO-R50)."""
    action = fight.action
    return (Barred(action.skill, action.approach, action.target),) if action else ()


def seen(fight: Fight, seat: Seat) -> Fight:
    """What a seat sees of a fight: all but a danger clock that the GM hides (SO-G03)."""
    hidden = fight.danger.hidden and not seat.gm
    return Fight(
        fighters=fight.fighters,
        foes=fight.foes,
        config=fight.config,
        action=fight.action,
        facing=fight.facing,
        states=fight.states,
        abilities=fight.abilities,
        danger=UNSEEN_DANGER if hidden else fight.danger,
    )
