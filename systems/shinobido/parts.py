"""What joins a roll: ratings, Specialties, Edges, help and hindrance, each a part with its rule (SD-M01 to SD-M14)."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from systems.core.calls import Outcome
from systems.core.errors import Illegal
from systems.core.text import Term
from systems.shinobido import edges
from systems.shinobido.names import calls
from systems.shinobido.rolls import Part
from systems.shinobido.sheet import Sheet, Specialty, canonical
from systems.shinobido.switches import Switches
from systems.shinobido.vocabulary import (
    Concentration,
    Count,
    Die,
    Grade,
    Helpers,
    Name,
    PenaltySum,
    Tags,
    Whole,
)

AWARDS = {row.facts["grade"]: row.facts for row in calls.tables["award_grades"].rows}  # SD-G01, SD-J18
LEAST_PENALTY, MOST_PENALTY = -3, 15  # SD-N02, SD-M09, SD-J37
MOST_CONCENTRATION, MOST_HELPERS, MOST_GANG = 2, 3, 3  # SD-M06, SD-M07, SD-C27


class PenaltyPart(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, cache_hash=True):
    """A component of the circumstance penalty with its reason (SD-M10); negative ones are a help (SD-M09)."""

    value: Whole
    reason: Name = ""


Penalty = PenaltySum | Annotated[tuple[PenaltyPart, ...], Meta(max_length=50)]
"""The sum, or its components (SD-M10)."""


class Act(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, cache_hash=True):
    """What stands around a declared action before its dice: the circumstances, the award, what the actor spends."""

    penalty: Penalty = 0
    award: Grade = 0
    concentrate: Concentration = 0
    helpers: Helpers = 0
    previous_failures: Count = 0
    tags: Tags = ()

    @property
    def penalties(self) -> tuple[PenaltyPart, ...]:
        return (PenaltyPart(value=self.penalty),) if isinstance(self.penalty, int) else self.penalty


class Declared(Act, frozen=True, kw_only=True, forbid_unknown_fields=True, cache_hash=True):
    """What a declared action brings with it, with the switches of the table."""

    options: Switches = Switches()

    @property
    def act(self) -> Act:
        return Act(**{name: getattr(self, name) for name in Act.__struct_fields__})


class ActParams(Declared, frozen=True, kw_only=True, forbid_unknown_fields=True, cache_hash=True):
    """The parameters of every declared action; `reroll` is the actor's decision on its own roll, given in advance."""

    reroll: Die | None = None


class Occasion(Struct, frozen=True, cache_hash=True):
    """What is rolled: the kind of roll, its attribute, and what Specialties and Edges look at (SD-M01, SD-R08)."""

    kind: str
    attribute: str
    tags: tuple[str, ...] = ()
    domain: str = ""
    when: tuple[str, ...] = ()


def limits(act: Act, switches: Switches) -> None:
    """Raises `Illegal` if the circumstances of an action lie outside their ranges."""
    if act.concentrate and not switches.concentrate:
        raise Illegal("option_disabled", "SD-X10", option="concentrate")
    if not LEAST_PENALTY <= sum(part.value for part in act.penalties) <= MOST_PENALTY:
        raise Illegal("penalty_out_of_range", "SD-N02")
    if act.award not in AWARDS:
        raise Illegal("award_out_of_range", "SD-M05")
    if not 0 <= act.concentrate <= MOST_CONCENTRATION:
        raise Illegal("concentrate_out_of_range", "SD-M06")
    if act.helpers > MOST_HELPERS:
        raise Illegal("too_many_helpers", "SD-M07")


def penalty_of(wounds: int, scale: str) -> int:
    """The wound penalty from the fourth wound on, by the formula or gently (SD-D07, SD-W02, SD-X01, SD-J02, SD-J03)."""
    if wounds < 4:
        return 0
    return (wounds - 2) // 2 if scale == "gentle" else wounds - 3


def wound_penalty(sheet: Sheet, switches: Switches, wounds: int | None = None) -> int:
    """The wound penalty, now or at `wounds`: Edges lower it, a Second Wind lifts it (SD-W02, SD-E07, SD-H05)."""
    if sheet.second_wind:
        return 0
    full = penalty_of(sheet.wounds if wounds is None else wounds, switches.wound_penalty)
    return max(0, full - edges.total(sheet.edges, "wound_penalty_relief"))


class WoundPenaltyParams(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, cache_hash=True):
    wounds: Count


class WoundPenaltyOutcome(Outcome, frozen=True, kw_only=True):
    """The penalty by each value of the switch `wound_penalty`."""

    formula: int
    gentle: int


@calls.query("wound_penalty", "SD-D07 SD-X01")
def wound_penalty_by_switch(p: WoundPenaltyParams) -> WoundPenaltyOutcome:
    return WoundPenaltyOutcome(formula=penalty_of(p.wounds, "formula"), gentle=penalty_of(p.wounds, "gentle"))


def rated(attribute: str, value: int) -> Part:
    return Part("rating", value, "SD-R04", Term("attribute", attribute))


def wounded(sheet: Sheet, switches: Switches, wounds: int | None = None) -> tuple[Part, ...]:
    """On every roll of the wounded, and on nothing else (SD-R11, SD-W03, SD-W04, SD-J19, SD-J20)."""
    return if_any("wound_penalty", -wound_penalty(sheet, switches, wounds), "SD-R11")


def own(sheet: Sheet, occasion: Occasion, switches: Switches) -> tuple[Part, ...]:
    """Rating and traits of a roll on one of the six attributes (SD-R04, SD-M13)."""
    rating = rated(occasion.attribute, sheet.rating(occasion.attribute))
    return (rating, *traits(sheet, occasion, switches))


def traits(sheet: Sheet, occasion: Occasion, switches: Switches) -> tuple[Part, ...]:
    """The best relevant Specialty and every relevant Edge, up to the cap (SD-M02, SD-M03, SD-M04, SD-X09, SD-J23)."""
    helping = [part for part in (_specialty(sheet, occasion), *_edges(sheet, occasion)) if part]
    cap = switches.trait_bonus_cap
    beyond = 0 if cap is None else max(0, sum(part.value for part in helping) - cap)
    return (*helping, *if_any("trait_cap", -beyond, "SD-M04"))


def _specialty(sheet: Sheet, occasion: Occasion) -> Part | None:
    best = max((one for one in sheet.specialties if _relevant(one, occasion)), key=lambda one: one.rank, default=None)
    return Part("specialty", best.rank, "SD-M02", Term("specialty", best.id)) if best else None


def _relevant(one: Specialty, occasion: Occasion) -> bool:
    shared = any(tag == occasion.kind or tag in occasion.tags for tag in one.tags)
    return shared and canonical(one.attribute) == occasion.attribute


def _edges(sheet: Sheet, occasion: Occasion) -> tuple[Part, ...]:
    return tuple(
        Part("edge", effect.value, edge.rule, Term("edge", edge.id))
        for edge, effect in edges.effects(sheet.edges, "roll_bonus")
        if occasion.kind in effect.kinds
        and (not effect.domains or occasion.domain in effect.domains)
        and all(condition in occasion.when for condition in effect.when)
    )


def declared(sheet: Sheet, act: Act, switches: Switches) -> tuple[Part, ...]:
    """What joins declared actions only: award, Concentrate, help, circumstances, earlier failures, a hindrance."""
    return (
        *if_any("award", int(AWARDS[act.award]["bonus"]), "SD-M05"),
        *if_any("concentrate", act.concentrate, "SD-M06"),
        *if_any("assist", act.helpers, "SD-M07"),
        *circumstances(sheet, act),
        *if_any("retry", -act.previous_failures * switches.retry_penalty, "SD-R14"),
        *if_any("hindrance", -sheet.hindrance if switches.focus_effects else 0, "SD-M12"),
        *wounded(sheet, switches),
    )


def circumstances(sheet: Sheet, act: Act) -> tuple[Part, ...]:
    """The Narrator's penalties with what Edges take off them, each not below 0 (SD-M08, SD-M09, SD-M10, SD-E09)."""
    found: list[Part] = []
    for part in act.penalties:
        reason = Term("circumstance", part.reason) if part.reason else None
        found += if_any("circumstance_penalty", -part.value, "SD-M08" if part.value > 0 else "SD-M09", reason)
        for edge, effect in edges.effects(sheet.edges, "penalty_relief"):
            if part.reason in effect.reasons:
                found += if_any("edge", min(effect.value, max(0, part.value)), edge.rule, Term("edge", edge.id))
    return tuple(found)


def against(value: int, rule: str, name: Term) -> Part:
    """A value of the other side; signs are kept, so a negative one helps (SD-M11, SD-J11)."""
    return Part("opposing_value", -value, rule, name)


def if_any(what: str, value: int, rule: str, name: Term | None = None) -> tuple[Part, ...]:
    return (Part(what, value, rule, name),) if value else ()
