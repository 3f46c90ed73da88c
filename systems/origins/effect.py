"""What effect buys, the bonuses that come of it, and how long they last (chapters 9 and 11)."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from systems.core.calls import Outcome
from systems.core.errors import Illegal
from systems.origins.names import calls
from systems.origins.position import better
from systems.origins.vocabulary import Id, Params, Part, Points, Position, Text

EffectItem = Literal[
    "damage", "disarm", "disable", "specific_defense", "broad_defense", "impose_worse_position", "increase_position",
    "weak_spot", "debuff", "heal", "restore_chakra", "charge",
]  # fmt: skip

_ITEMS = calls.tables["effect_item"]
SETUP = "setup"


class PlanPart(Part, frozen=True, cache_hash=True):
    """Points of effect for one thing."""

    type: EffectItem
    effect: Points


Plan = Annotated[tuple[PlanPart, ...], Meta(max_length=30)]


class Clock(Part, frozen=True, cache_hash=True):
    """A health clock (SO-E15, SO-R69)."""

    size: Annotated[int, Meta(ge=1, le=99)]
    filled: Points = 0

    @property
    def full(self) -> bool:
        return self.filled >= self.size

    def ticked(self, ticks: int) -> Clock:
        """Ticks beyond the last segment are lost (SO-F16)."""
        return Clock(self.size, min(self.size, self.filled + ticks))


class Bought(Struct, frozen=True, cache_hash=True, kw_only=True):
    """What a plan comes to, each in its own unit: ticks, ticks, points, points, kinds of states."""

    damage: int = 0
    heal: int = 0
    chakra: int = 0
    charge: int = 0
    position: Position | UnsetType = UNSET
    states: tuple[str, ...] = ()
    unspent: int = 0


def refuse_plan(
    effect: int, plan: tuple[PlanPart, ...], position: Position | UnsetType, *, healing_jutsu: bool
) -> Illegal | None:
    """Why effect cannot be spent so (chapter 9, SO-F15), or None."""
    total = sum(one.effect for one in plan)
    if total > effect:
        return Illegal("effect_overspent", "SO-F01", planned=total, effect=effect)
    for one in plan:
        if _mispriced(one):
            return Illegal("effect_cost_mismatch", _ITEMS[one.type].facts["rule"], item=one.type, effect=one.effect)
    steps = sum(one.type == "increase_position" for one in plan)
    if isinstance(position, str) and steps and better(position, steps - 1) == "controlled":
        return Illegal("position_at_max", "SO-F07")
    if not healing_jutsu and any(one.type == "heal" for one in plan):
        return Illegal("heal_requires_jutsu", "SO-H25")
    return None


def _mispriced(part: PlanPart) -> bool:
    """Two-point items cost exactly that, the others any multiple of their price (SO-F02, SO-F15)."""
    item = _ITEMS[part.type].facts
    cost = int(item["cost"])
    return part.effect % cost != 0 if item.get("any_amount") else part.effect != cost


def buy(effect: int, plan: tuple[PlanPart, ...], position: Position | UnsetType) -> Bought:
    """What a legal plan buys; parts may be mixed, and clocks share the effect as the player divides it (SO-B18)."""

    def points(type: EffectItem) -> int:
        return sum(one.effect for one in plan if one.type == type)

    steps = sum(one.type == "increase_position" for one in plan)  # SO-F17: may be bought twice
    return Bought(
        damage=points("damage"),
        heal=points("heal"),
        chakra=points("restore_chakra") // 2,
        charge=points("charge") // 2,
        position=better(position, steps) if isinstance(position, str) else UNSET,
        states=tuple(one.type for one in plan if _leaves_state(one.type)),
        unspent=effect - sum(one.effect for one in plan),
    )


def _leaves_state(type: EffectItem) -> bool:
    return type != "charge" and _ITEMS[type].facts["lasts"] in ("actor_next_turn", "until_undone")


class SpendParams(Params, frozen=True, kw_only=True):
    effect: Points = 0
    plan: Plan = ()
    position: Position | UnsetType = UNSET
    healing_jutsu: bool = False
    enemy_clock: Clock | UnsetType = UNSET


class SpendOutcome(Outcome, frozen=True, kw_only=True):
    damage: int
    heal: int
    chakra: int
    charge: int
    position: Position | UnsetType = UNSET
    states: tuple[str, ...]
    unspent: int
    enemy_clock: Clock | UnsetType = UNSET
    defeated: bool


@calls.query(
    "spend_effect",
    rules="SO-F01 SO-F02 SO-F03 SO-F04 SO-F05 SO-F06 SO-F07 SO-F08 SO-F09 SO-F10 SO-F11 SO-F12 SO-F15 SO-F16 SO-F17"
    " SO-B18 SO-H25",
)
def spend_effect(p: SpendParams) -> SpendOutcome:
    """Raises `effect_overspent`, `effect_cost_mismatch`, `position_at_max`, `heal_requires_jutsu`."""
    if refusal := refuse_plan(p.effect, p.plan, p.position, healing_jutsu=p.healing_jutsu):
        raise refusal
    bought = buy(p.effect, p.plan, p.position)
    clock = p.enemy_clock.ticked(bought.damage) if isinstance(p.enemy_clock, Clock) else p.enemy_clock
    return SpendOutcome(
        damage=bought.damage,
        heal=bought.heal,
        chakra=bought.chakra,
        charge=bought.charge,
        position=bought.position,
        states=bought.states,
        unspent=bought.unspent,
        enemy_clock=clock,
        defeated=isinstance(clock, Clock) and clock.full,
    )


class State(Part, frozen=True, cache_hash=True, kw_only=True):
    """A temporary bonus: who made it, and what it is tied to. `effect` is the bonus of a charge."""

    kind: Id
    owner: Id
    target: Text | UnsetType = UNSET
    attack: Text | UnsetType = UNSET
    attack_type: Text | UnsetType = UNSET
    action_name: Text | UnsetType = UNSET
    effect: Points = 0


States = Annotated[tuple[State, ...], Meta(max_length=100)]


class Bonuses(Struct, frozen=True, cache_hash=True):
    """Dice and effect that states give to a roll."""

    dice: int = 0
    effect: int = 0


class CollectParams(Params, frozen=True, kw_only=True):
    actor: Id
    roll: Literal["action", "defense"]
    target: Text | UnsetType = UNSET
    enemy: Text | UnsetType = UNSET
    attack: Text | UnsetType = UNSET
    attack_type: Text | UnsetType = UNSET
    action_name: Text | UnsetType = UNSET
    states: States = ()
    use_setup: Literal["die", "effect"] | UnsetType = UNSET


class CollectOutcome(Outcome, frozen=True, kw_only=True):
    bonus_dice: int
    bonus_effect: int


def _tie(p: CollectParams, state: State) -> tuple[object, object]:
    """What the roll and the state have to agree on."""
    foe = p.target if p.roll == "action" else p.enemy
    if state.kind == "disable":
        return (foe, p.attack), (state.target, state.attack)
    if state.kind == "specific_defense":
        return p.attack_type, state.attack_type
    if state.kind == "charge":
        return p.action_name, state.action_name
    if state.kind == "broad_defense":
        return None, None
    return foe, state.target


def _serves(p: CollectParams, state: State) -> bool:
    """Whether a state helps this roll of this character (chapter 9, SO-R46)."""
    if state.kind == SETUP:
        mine = state.target is UNSET or state.target == p.actor
        return p.roll == "action" and mine and state.owner != p.actor and p.use_setup is not UNSET
    if state.kind not in {row.id for row in _ITEMS.rows}:
        return False
    item = _ITEMS[state.kind].facts
    if item.get("roll") != p.roll:
        return False
    asked, offered = _tie(p, state)
    own = state.owner == p.actor
    benefits = item["benefits"]
    reached = own if benefits == "actor" else not own if benefits == "other_players" else True
    return reached and asked == offered


def _worth(p: CollectParams, state: State) -> Bonuses:
    if state.kind == SETUP:
        return Bonuses(dice=1) if p.use_setup == "die" else Bonuses(effect=1)  # SO-T09
    if state.kind == "charge":
        return Bonuses(effect=state.effect)
    item = _ITEMS[state.kind].facts
    return Bonuses(item.get("bonus_dice", 0), item.get("bonus_effect", 0))


@calls.query("collect_bonuses", rules="SO-F03 SO-F04 SO-F05 SO-F06 SO-F08 SO-F09 SO-F12 SO-F13 SO-F14 SO-T09")
def collect_bonuses(p: CollectParams) -> CollectOutcome:
    """Different characters' states add up, one character's same state does not add to itself (SO-F14, SO-R47)."""
    worth: dict[tuple[str, str], Bonuses] = {}
    for state in p.states:
        if _serves(p, state):
            known, fresh = worth.get((state.kind, state.owner), Bonuses()), _worth(p, state)
            worth[state.kind, state.owner] = max(known, fresh, key=lambda one: (one.dice, one.effect))
    return CollectOutcome(
        bonus_dice=sum(one.dice for one in worth.values()), bonus_effect=sum(one.effect for one in worth.values())
    )


class TurnStartParams(Params, frozen=True, kw_only=True):
    who: Id
    states: States = ()


class TurnStartOutcome(Outcome, frozen=True, kw_only=True):
    states: tuple[str, ...]


def outlasts(state: State, who: str) -> bool:
    """Whether a state is still there once this character's turn has begun (SO-B15).

    A charge serves in that very turn (SO-F12), a disarm holds until it is undone; a setup ends here (SO-T10, SO-R35).
    """
    if state.owner != who:
        return True
    lasts = _ITEMS[state.kind].facts["lasts"] if state.kind in {row.id for row in _ITEMS.rows} else "actor_next_turn"
    return lasts != "actor_next_turn"


@calls.query("turn_start", rules="SO-B15 SO-F12 SO-T10")
def turn_start(p: TurnStartParams) -> TurnStartOutcome:
    """The kinds of the states that are kept."""
    return TurnStartOutcome(states=tuple(state.kind for state in p.states if outlasts(state, p.who)))


class AbilityEvent(Part, frozen=True, cache_hash=True):
    """Somebody completed a turn, dropped out, or threw another critical."""

    type: Literal["acted", "out", "crit"]
    who: Id


class AbilityParams(Params, frozen=True, kw_only=True):
    allies: Annotated[tuple[Id, ...], Meta(max_length=50)] = ()
    enemies: Annotated[tuple[Id, ...], Meta(max_length=50)] = ()
    events: Annotated[tuple[AbilityEvent, ...], Meta(max_length=200)] = ()


class AbilityOutcome(Outcome, frozen=True, kw_only=True):
    active: bool
    pending: tuple[str, ...]


@calls.query("critical_ability", rules="SO-K02 SO-K03 SO-K04 SO-K05 SO-K06")
def critical_ability(p: AbilityParams) -> AbilityOutcome:
    """The waiting list of an ability that serves its owner and all allies (SO-K03, SO-R48).

    It ends when everybody on the list has acted or dropped out (SO-K04); another critical of the owner starts the list
    again, without whoever dropped out (SO-K05).
    """
    everybody = (*p.allies, *p.enemies)
    out: tuple[str, ...] = ()
    waiting = everybody
    for event in p.events:
        if event.type == "crit":
            if event.who in p.allies[:1]:  # the owner stands first
                waiting = tuple(one for one in everybody if one not in out)
            continue
        if event.type == "out":
            out = (*out, event.who)
        waiting = tuple(one for one in waiting if one != event.who)
    return AbilityOutcome(active=bool(waiting), pending=waiting)
