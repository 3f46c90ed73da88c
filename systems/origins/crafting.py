"""Making, repairing and valuing things (chapter 14)."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from systems.core.calls import Outcome, Report, Verdict
from systems.core.errors import Illegal
from systems.core.play import Play, Throw
from systems.core.text import Term, because
from systems.origins.armor import item_state
from systems.origins.dice import PoolParams, SkillRoll, band_line, effect_lines, effect_of, pool_lines, read, sixes_in
from systems.origins.names import calls
from systems.origins.vocabulary import BANDS, ItemState, Params, Rate, Text, Ticks, Whole

CRAFT_CLOCK = 4  # SO-W13
FINE_COMPONENTS = 2  # SO-W16
VALUE_PER_COMPONENT = 2  # SO-W13
CRAFTED_VALUE = 2  # SO-W15


class CraftParams(PoolParams, frozen=True, kw_only=True):
    catalog_value: Whole = 0
    components: Whole = 0
    clock: Annotated[int, Meta(ge=0, le=3)] = 0
    started: bool = False
    batch: bool = False
    in_combat: bool = False
    fine: bool = False
    item_exists: bool = False
    already_fine: bool = False

    @property
    def needed(self) -> int:
        """Components of one item: one per two gold of value, rounded up (SO-W13, SO-R76); two to make it Fine."""
        return FINE_COMPONENTS if self.fine else -(-self.catalog_value // VALUE_PER_COMPONENT)

    @property
    def rate(self) -> Rate:
        return "combat" if self.in_combat else "downtime"


class Crafted(Struct, frozen=True):
    """Items made, and what is left of components and progress."""

    items: int
    components: int
    clock: int
    started: bool


def crafted(p: CraftParams, effect: int) -> Crafted:
    """Ticks on the clock; surplus goes into the next identical item if the crafter goes on and parts are at hand.

    SO-W17, SO-R58. A Fine item is one of a kind, nothing carries over.
    """
    components = p.components - (0 if p.started else p.needed)
    ticks, items, started = p.clock + effect, 0, True
    while started and ticks >= CRAFT_CLOCK:
        items += 1
        ticks -= CRAFT_CLOCK
        started = p.batch and not p.fine and ticks > 0 and components >= p.needed
        if started:
            components -= p.needed
    return Crafted(items, components, ticks if started else 0, started)


class CraftOutcome(Outcome, frozen=True, kw_only=True):
    components_needed: int
    components: int
    effect: int
    items_made: int
    clock: int
    started: bool


def _craft_report(p: CraftParams, verdict: Verdict, throws: tuple[Throw, ...]) -> Report:
    reading = read(throws[0])
    effect = effect_of(p.rate, reading.band)
    after = crafted(p, effect)
    outcome = CraftOutcome(
        components_needed=p.needed,
        components=after.components,
        effect=effect,
        items_made=after.items,
        clock=after.clock,
        started=after.started,
    )
    paid = because("SO-W16" if p.fine else "SO-W13", "components", needed=0 if p.started else p.needed)
    lines = (*pool_lines(p), band_line(reading, sixes_in(throws[0])), *effect_lines(p.rate, reading.band))
    return Report(outcome, (paid, *lines, because("SO-W17", "crafted", items=after.items, clock=after.clock)))


@calls.check(
    "craft", rules="SO-W13 SO-W14 SO-W15 SO-W16 SO-W17", grades=BANDS, report=_craft_report, outcome=CraftOutcome
)
def craft(play: Play[Any], p: CraftParams) -> Verdict:
    """One clock makes one item; its components are paid when it is begun and lend it their descriptors (SO-W14).

    Raises `item_missing`, `already_fine` (SO-W16), `components_missing` (SO-W13).
    """
    if p.fine and not p.item_exists:
        raise Illegal("item_missing", "SO-W16")
    if p.fine and p.already_fine:
        raise Illegal("already_fine", "SO-W16")
    if not p.started and p.components < p.needed:
        raise Illegal("components_missing", "SO-W13", needed=p.needed, components=p.components)
    reading = play.check(SkillRoll(p.dice), "craft")
    return Verdict(reading.band, reading.success)


class RepairParams(PoolParams, frozen=True, kw_only=True):
    ticks: Ticks = 0
    in_combat: bool = False
    components: Whole = 0
    component_type: Text = ""
    item_type: Text = ""
    components_paid: bool = False
    repair_clock: Whole = 0

    @property
    def needed(self) -> int:
        """Components of the item's own material: one if damaged, two if broken (SO-W18)."""
        return int(calls.tables["item_condition"][item_state(self.ticks)].facts.get("repair_components", 0))

    @property
    def rate(self) -> Rate:
        return "combat" if self.in_combat else "downtime"

    def repaired(self, effect: int) -> tuple[int, int]:
        """Durability ticks and repair clock afterwards: a clock in downtime, tick by tick in a fight (SO-R33)."""
        if self.in_combat:
            return max(0, self.ticks - effect), self.repair_clock
        clock = self.repair_clock + effect
        size = calls.tables["item_condition"][item_state(self.ticks)].facts["repair_clock"]
        return (0, 0) if clock >= size else (self.ticks, clock)


class RepairOutcome(Outcome, frozen=True, kw_only=True):
    effect: int
    ticks: int
    state: ItemState
    components: int
    repair_clock: int


def _repair_report(p: RepairParams, verdict: Verdict, throws: tuple[Throw, ...]) -> Report:
    reading = read(throws[0])
    effect = effect_of(p.rate, reading.band)
    ticks, clock = p.repaired(effect)
    paid = 0 if p.components_paid else p.needed
    outcome = RepairOutcome(
        effect=effect, ticks=ticks, state=item_state(ticks), components=p.components - paid, repair_clock=clock
    )
    rule = "SO-W19" if p.in_combat else "SO-W18"
    lines = (*pool_lines(p), band_line(reading, sixes_in(throws[0])), *effect_lines(p.rate, reading.band))
    told = because(rule, "repaired", ticks=ticks, state=Term("item_state", item_state(ticks)), clock=clock)
    return Report(outcome, (because(rule, "components", needed=paid), *lines, told))


@calls.check("repair_item", rules="SO-W18 SO-W19", grades=BANDS, report=_repair_report, outcome=RepairOutcome)
def repair_item(play: Play[Any], p: RepairParams) -> Verdict:
    """Repair, in downtime or in a fight; components are paid at the start.

    Raises `nothing_to_repair`, `component_type_mismatch`, `components_missing`.
    """
    if item_state(p.ticks) == "sound":
        raise Illegal("nothing_to_repair", "SO-W18")
    if not p.components_paid:
        if p.component_type != p.item_type:
            raise Illegal("component_type_mismatch", "SO-W18", item=p.item_type, component=p.component_type)
        if p.components < p.needed:
            raise Illegal("components_missing", "SO-W18", needed=p.needed, components=p.components)
    reading = play.check(SkillRoll(p.dice), "repair")
    return Verdict(reading.band, reading.success)


Cost = Annotated[int, Meta(ge=1, le=1_000_000)]
Costs = Annotated[tuple[Cost, ...], Meta(max_length=200)]


class ItemValueParams(Params, frozen=True, kw_only=True):
    component_costs: Costs = ()


class ItemValueOutcome(Outcome, frozen=True, kw_only=True):
    value: int


@calls.query("item_value", rules="SO-W15")
def item_value(p: ItemValueParams) -> ItemValueOutcome:
    """All components and two gold, the two of a Fine item among them (SO-R56, SO-R57); whole gold (SO-A07)."""
    return ItemValueOutcome(value=sum(p.component_costs) + CRAFTED_VALUE)


class PotionParams(Params, frozen=True, kw_only=True):
    herb_costs: Costs = ()
    kind: Literal["healing", "chakra"]


class PotionOutcome(Outcome, frozen=True, kw_only=True):
    heal_ticks: int | UnsetType = UNSET
    chakra: int | UnsetType = UNSET


@calls.query("potion", rules="SO-W20")
def potion(p: PotionParams) -> PotionOutcome:
    """Two healing ticks or one chakra per gold of herbs (SO-R72)."""
    gold = sum(p.herb_costs)
    return PotionOutcome(heal_ticks=2 * gold) if p.kind == "healing" else PotionOutcome(chakra=gold)
