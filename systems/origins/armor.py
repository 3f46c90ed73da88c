"""Armor, load and the wear of items (chapters 6.2 and 13)."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType, field

from systems.core.calls import Outcome
from systems.core.errors import Illegal
from systems.core.game import change
from systems.origins.names import calls
from systems.origins.options import DEFAULT, Config
from systems.origins.vocabulary import SIZE, ArmorClass, ItemState, LoadLevel, Params, Part, Severity, Ticks, Whole

DURABILITY = 4  # SO-A14


class Load(Part, frozen=True, cache_hash=True):
    """The declared level and the points spent."""

    level: LoadLevel
    spent: Whole = 0

    def left(self, config: Config = DEFAULT) -> int:
        """Points still to spend (SO-L01, SO-L02)."""
        return max(0, config.load_capacity.of(self.level) - self.spent)


class Armor(Part, frozen=True, cache_hash=True, kw_only=True):
    """A suit: class, whether worn, how many harms it has negated, its durability ticks."""

    weight: ArmorClass = field(name="class")
    equipped: bool = False
    used: Annotated[int, Meta(ge=0, le=3)] = 0
    ticks: Ticks = 0

    @property
    def negates(self) -> int:
        return int(calls.tables["armor_class"][self.weight].facts["negates"])

    @property
    def load_cost(self) -> int:
        return int(calls.tables["armor_class"][self.weight].facts["load_cost"])


def item_state(ticks: int) -> ItemState:
    """0-1 sound, 2-3 damaged, 4 broken (SO-A14)."""
    for row in calls.tables["item_condition"].rows:
        if row.facts["ticks_from"] <= ticks <= row.facts["ticks_to"]:
            return row.id  # type: ignore[return-value]
    raise ValueError(ticks)


class Protected(Struct, frozen=True):
    """Armor after it negated a harm, and the load spent by now."""

    armor: Armor
    spent: int


Cause = Literal["hunger", "thirst", "drained", "price"]


def refuse_armor(
    armor: Armor, load: Load | None, *, unconscious: bool = False, other_worn: bool = False, config: Config = DEFAULT
) -> Illegal | None:
    """Why this suit cannot negate a harm now (SO-H08 to SO-H17), or None."""
    if item_state(armor.ticks) == "broken":
        return Illegal("armor_broken", "SO-H14")
    if armor.used >= armor.negates:
        return Illegal("armor_depleted", "SO-H10", used=armor.used)
    if armor.equipped:
        return None
    if unconscious:
        return Illegal("unconscious", "SO-H17")
    if other_worn:
        return Illegal("armor_already_equipped", "SO-H11")
    left = load.left(config) if load else 0
    if armor.load_cost > left:
        return Illegal("insufficient_load", "SO-H08", cost=armor.load_cost, left=left)
    return None


def protect(armor: Armor, load: Load | None) -> Protected:
    """The suit is put on if it was not, and marks one use: the harm is gone, whatever its level (SO-H08, SO-H09).

    Damaged armor still does (SO-H13), also against what cannot be defended (SO-H15).
    """
    spent = (load.spent if load else 0) + (0 if armor.equipped else armor.load_cost)
    return Protected(change(armor, equipped=True, used=armor.used + 1), spent)


class UseArmorParams(Params, frozen=True, kw_only=True):
    armor: Armor
    load: Load | None = None
    cause: Cause | UnsetType = UNSET
    unconscious: bool = False
    other_armor_equipped: bool = False
    config: Config = DEFAULT


class UseArmorOutcome(Outcome, frozen=True, kw_only=True):
    negated: bool
    armor: Armor
    load_spent: int


@calls.query("use_armor", rules="SO-H08 SO-H09 SO-H10 SO-H11 SO-H13 SO-H14 SO-H15 SO-H16 SO-H17")
def use_armor(p: UseArmorParams) -> UseArmorOutcome:
    """Raises `armor_not_applicable` (SO-H16, SO-R31) and what `refuse_armor` gives; load absent means none left."""
    if p.cause is not UNSET:
        raise Illegal("armor_not_applicable", "SO-H16", cause=p.cause)
    refusal = refuse_armor(
        p.armor, p.load, unconscious=p.unconscious, other_worn=p.other_armor_equipped, config=p.config
    )
    if refusal:
        raise refusal
    after = protect(p.armor, p.load)
    return UseArmorOutcome(negated=True, armor=after.armor, load_spent=after.spent)


class TargetArmorParams(Params, frozen=True, kw_only=True):
    ticks: Ticks = 0
    severity: Severity


class TargetArmorOutcome(Outcome, frozen=True, kw_only=True):
    ticks: int
    state: ItemState
    wearer_harmed: bool


@calls.query("target_armor", rules="SO-H12 SO-H13 SO-H14")
def target_armor(p: TargetArmorParams) -> TargetArmorOutcome:
    """The enemy strikes the suit instead of its wearer: severity becomes ticks (SO-H12, SO-R32)."""
    ticks = worn(p.ticks, SIZE[p.severity])
    return TargetArmorOutcome(ticks=ticks, state=item_state(ticks), wearer_harmed=False)


def worn(ticks: int, damage: int) -> int:
    """Durability ticks after damage; what goes beyond four is lost (SO-L09, SO-H14)."""
    return min(DURABILITY, ticks + damage)


class DamageItemParams(Params, frozen=True, kw_only=True):
    ticks: Ticks = 0
    damage: Whole = 0
    is_armor: bool = False


class DamageItemOutcome(Outcome, frozen=True, kw_only=True):
    ticks: int
    state: ItemState
    dice_penalty: int
    usable: bool
    special_effects: bool


def dice_penalty(state: ItemState) -> int:
    """Dice that a tool or weapon in this state costs (SO-C15)."""
    return int(calls.tables["item_condition"][state].facts["penalty_dice"])


@calls.query("damage_item", rules="SO-L09 SO-A14 SO-C15 SO-H13")
def damage_item(p: DamageItemParams) -> DamageItemOutcome:
    """Damaged armor costs no dice, but its special effects are off (SO-C15, SO-H13)."""
    ticks = worn(p.ticks, p.damage)
    state = item_state(ticks)
    condition = calls.tables["item_condition"][state].facts
    return DamageItemOutcome(
        ticks=ticks,
        state=state,
        dice_penalty=0 if p.is_armor else dice_penalty(state),
        usable=condition["usable"],
        special_effects=condition["special_effects"],
    )
