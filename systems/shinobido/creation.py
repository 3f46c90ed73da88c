"""Creating characters and what follows from their ratings (sections 2.1 and 2.2)."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import UNSET, Struct, UnsetType

from systems.core.calls import Outcome, SheetOutcome
from systems.core.values import Map
from systems.shinobido.names import calls
from systems.shinobido.sheet import Fault, Sheet, Traits, canonical, settled, trait_faults
from systems.shinobido.switches import Switches
from systems.shinobido.vocabulary import ATTRIBUTES, LEAST_RATING, MOST_RATING

PIPS: dict[str, int] = {row.id: row.facts["pips"] for row in calls.tables["tiers"].rows}  # SD-A04, SD-J08
MOST_NEGATIVE = 3  # pips below 0 of all attributes together (SD-A05, SD-J07)
MOST_RANKS, MOST_RANK, MOST_EDGES, MOST_ARTS = 3, 2, 1, 2  # SD-A09, SD-A10, SD-A11; SD-J22, SD-J23


class NewCharacter(Traits, frozen=True, kw_only=True, forbid_unknown_fields=True, cache_hash=True):
    """A sheet just as its player sends it: an attribute that is left out is missing, and any value can be judged."""

    attributes: Map[str, int | float | str | bool | None]
    options: Switches = Switches()


class DerivedOutcome(Outcome, frozen=True, kw_only=True):
    toughness: int
    toughness_attr: str
    health: int
    health_attr: str
    defense: int
    focus_max: int


class CreationOutcome(Outcome, frozen=True, kw_only=True):
    """The derived values, or what is wrong: error ids, sorted, each once (SD-A13)."""

    valid: bool
    errors: tuple[str, ...] | UnsetType = UNSET
    toughness: int | UnsetType = UNSET
    toughness_attr: str | UnsetType = UNSET
    health: int | UnsetType = UNSET
    health_attr: str | UnsetType = UNSET
    defense: int | UnsetType = UNSET
    focus_max: int | UnsetType = UNSET


def derived(sheet: Sheet) -> DerivedOutcome:
    return DerivedOutcome(
        toughness=sheet.toughness,
        toughness_attr=sheet.toughness_from,
        health=sheet.health,
        health_attr=sheet.health_from,
        defense=sheet.defense,
        focus_max=sheet.focus_max,
    )


@calls.query("derive", "SD-D01 SD-D02 SD-D03 SD-D04 SD-D05 SD-D06 SD-D08")
def derive(p: Sheet) -> DerivedOutcome:
    """Toughness, Health, Defense and the Focus maximum. Raises `Illegal`, such as tie_choice_not_tied (SD-D03)."""
    return derived(settled(p))


@calls.query("create_character", " ".join(f"SD-A{number:02}" for number in range(1, 14)))
def create_character(p: NewCharacter) -> CreationOutcome:
    """Every error at once, or the derived values of a new character (SD-A12, SD-A13)."""
    errors = sorted({code for code, _ in creation_faults(p)})
    if errors:
        return CreationOutcome(valid=False, errors=tuple(errors))
    values = derived(made(p))
    fields = {name: getattr(values, name) for name in DerivedOutcome.__struct_fields__}
    return CreationOutcome(valid=True, **fields)


def made(p: NewCharacter) -> Sheet:
    """The sheet of a valid new character: unhurt, standing, the pool full, no Merit (SD-A12)."""
    ratings = Map({canonical(name): value for name, value in p.attributes.items() if type(value) is int})
    names = ("id", "name", "kind", "owner", "tier", "specialties", "edges", "toughness_attr", "defense_attr")
    chosen = {name: getattr(p, name) for name in (*names, "health_override")}
    return Sheet(attributes=ratings, arts=p.arts or (), **chosen)


def creation_faults(p: NewCharacter) -> Iterator[Fault]:
    """NPCs are made without budget and limits, but with the same attributes in the same range (SD-A15)."""
    yield from _attribute_faults(p)
    sheet = made(p)
    if p.toughness_attr and {"strength", "tenacity"} <= set(sheet.attributes) and not sheet.tied:
        yield "tie_choice_not_tied", "SD-D03"
    if p.kind != "pc":
        yield from trait_faults(p, 3)
        return
    yield from trait_faults(p, MOST_RANK)
    yield from _limits(p)
    if all(_legal(sheet.attributes.get(name)) for name in ATTRIBUTES):
        yield from _pip_faults(sheet, p)


def _legal(value: object) -> bool:
    return isinstance(value, int) and LEAST_RATING <= value <= MOST_RATING


def _attribute_faults(p: NewCharacter) -> Iterator[Fault]:
    names = [canonical(name) for name in p.attributes]
    if any(name not in ATTRIBUTES for name in names) or len(set(names)) < len(names):
        yield "unknown_attribute", "SD-A01"
    if any(name not in names for name in ATTRIBUTES):
        yield "attribute_missing", "SD-A01"
    for value in p.attributes.values():
        if type(value) is not int:
            yield "attribute_not_integer", "SD-A02"
        elif not LEAST_RATING <= value <= MOST_RATING:
            yield "attribute_out_of_range", "SD-A02"


def _limits(p: NewCharacter) -> Iterator[Fault]:
    if sum(one.rank for one in p.specialties) > MOST_RANKS:
        yield "specialty_limit", "SD-A09"
    if len(p.edges) > MOST_EDGES:
        yield "edge_limit", "SD-A10"
    if len(p.arts or ()) > MOST_ARTS:
        yield "art_limit", "SD-A11"


def _pip_faults(sheet: Sheet, p: NewCharacter) -> Iterator[Fault]:
    """The six sum to the budget, each pip below 0 has paid for another (SD-A05, SD-A06, SD-A07, SD-X03, SD-X14)."""
    ratings = [sheet.rating(name) for name in ATTRIBUTES]
    budget = PIPS[p.tier] if p.options.pip_budget is None else p.options.pip_budget
    if sum(ratings) > budget:
        yield "pips_overspent", "SD-A06"
    if sum(ratings) < budget:
        yield "pips_unspent", "SD-A06"
    below = [rating for rating in ratings if rating < 0]
    if -sum(below) > MOST_NEGATIVE:
        yield "negative_total_exceeded", "SD-A05"
    if p.options.negative_scope == "single" and len(below) > 1:
        yield "negative_not_single", "SD-X03"


class SheetParams(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A sheet with its tier and the switches of its table, as `create_character` takes them."""

    character: NewCharacter


class CheckedSheet(SheetOutcome, frozen=True, kw_only=True):
    derived: DerivedOutcome | UnsetType = UNSET


@calls.sheet("SD-A01 SD-A02 SD-A05 SD-A06 SD-A09 SD-A10 SD-A11 SD-A13 SD-D01 SD-D02 SD-D03 SD-D04 SD-D05")
def check_sheet(p: SheetParams) -> CheckedSheet:
    """Every error of a new character at once (SD-A13), or its derived values."""
    errors = tuple(sorted({code for code, _ in creation_faults(p.character)}))
    if errors:
        return CheckedSheet(valid=False, errors=errors)
    return CheckedSheet(valid=True, errors=(), derived=derived(made(p.character)))
