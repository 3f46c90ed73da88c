"""What a character owns and knows, as it stands on the sheet (chapter 2.1)."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, field

from systems.origins.effect import EffectItem
from systems.origins.vocabulary import ArmorClass, Id, Nation, Part, Points, Text, Ticks, Whole

Names = Annotated[tuple[Text, ...], Meta(max_length=50)]


class ItemBonus(Part, frozen=True, cache_hash=True):
    """What a sound, relevant item adds to a roll (SO-L08)."""

    dice: Points = 0
    effect: Points = 0
    applies_to: Names = ()


class Item(Part, frozen=True, cache_hash=True, kw_only=True):
    """A thing of use: `type` is what it is made of, `class` only armor has."""

    id: Text = ""
    name: Text
    type: Text = ""
    value: Whole = 0
    load_cost: Points = 1
    weight: ArmorClass | None = field(default=None, name="class")
    ticks: Ticks = 0
    fine: bool = False
    expendable: bool = False
    quantity: Whole = 1
    bonus: ItemBonus = ItemBonus()
    special_effects: Names = ()
    equipped: bool = False
    used: Points = 0


class Component(Part, frozen=True, cache_hash=True, kw_only=True):
    """Material of one type; it lends what is made of it its descriptors (SO-W14)."""

    type: Id
    cost: Annotated[int, Meta(ge=1, le=1_000_000)]
    quantity: Whole = 1
    descriptors: Names = ()


class JutsuClocks(Part, frozen=True, cache_hash=True):
    """Altering comes before learning (SO-J11)."""

    modify: Ticks = 0
    learn: Ticks = 0


class Jutsu(Part, frozen=True, cache_hash=True, kw_only=True):
    """A technique, with the nation that it comes from and its main skill (SO-A13)."""

    name: Id
    nation: Nation
    primary_skill: Id
    description: Text = ""
    bonus_dice: Points = 0
    bonus_effect: Points = 0
    can_heal: bool = False
    movement: bool = False
    effect_task: EffectItem | None = None
    modified: bool = False
    clocks: JutsuClocks = JutsuClocks()
    learned: bool = False


class Scroll(Part, frozen=True, cache_hash=True, kw_only=True):
    """A scroll of a jutsu; once learned from it is worth nothing to shops (SO-J10)."""

    jutsu: Id
    nation: Nation
    price: Whole = 0
    used: bool = False


class AbilityModifier(Part, frozen=True, cache_hash=True, kw_only=True):
    """An optional number of a Critical Ability: dice, effect, chakra or position."""

    dice: int = 0
    effect: int = 0
    chakra: int = 0
    position: int = 0


class CriticalAbility(Part, frozen=True, cache_hash=True, kw_only=True):
    """What a natural critical wakes, in the player's words (SO-K01)."""

    name: Id
    text: Text = ""
    modifiers: Annotated[tuple[AbilityModifier, ...], Meta(max_length=10)] = ()


class WorkClock(Part, frozen=True, cache_hash=True, kw_only=True):
    """Progress of one job in one town (SO-W08)."""

    town: Text = ""
    job: Text = ""
    filled: Annotated[int, Meta(ge=0, le=3)] = 0
