"""Making a ninja by dice or by points (2.3). The data pack is not part of the core rules (NS-RUL06)."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType, structs

from systems.core.calls import Outcome, Report, SheetOutcome, Verdict
from systems.core.errors import Illegal
from systems.core.play import Play, Throw
from systems.core.text import Term, because
from systems.ninja_slayer.dice import Recorded
from systems.ninja_slayer.names import calls
from systems.ninja_slayer.sheet import Bonus, Derived, DeriveParams, derive
from systems.ninja_slayer.words import Dice, Number

POINTS = 11  # NS-M13
HIGHEST = {"karate": 5, "neuron": 5, "wazamae": 5, "jitsu": 3}  # NS-M13
COST = {"karate": 1, "neuron": 1, "wazamae": 1, "jitsu": 2}  # points a level (NS-M13)
JITSU_LESS = 3  # NS-M12: D6 - 3
FAME = 1  # of a new ninja (NS-M14)


class CreateParams(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """By points the abilities are named; by dice they are thrown."""

    method: Literal["random", "scratch"]
    karate: Number | UnsetType = UNSET
    neuron: Number | UnsetType = UNSET
    wazamae: Number | UnsetType = UNSET
    jitsu: Number = 0
    points: Number = POINTS


class Created(Outcome, frozen=True, kw_only=True):
    """A legal ninja; one made by dice with its abilities, starting values and all that `derive` gives."""

    valid: bool
    points_spent: int | UnsetType = UNSET
    points_left: int | UnsetType = UNSET
    karate: int | UnsetType = UNSET
    neuron: int | UnsetType = UNSET
    wazamae: int | UnsetType = UNSET
    jitsu: int | UnsetType = UNSET
    dkk: int | UnsetType = UNSET
    fame: int | UnsetType = UNSET
    hp_max: int | UnsetType = UNSET
    spirit_max: int | UnsetType = UNSET
    leg: int | UnsetType = UNSET
    initiative: int | UnsetType = UNSET
    evasion_max: int | UnsetType = UNSET
    instant_dice: int | UnsetType = UNSET
    auto_skills: tuple[str, ...] | UnsetType = UNSET
    attack: int | UnsetType = UNSET
    shooting: int | UnsetType = UNSET
    cartwheel: int | UnsetType = UNSET
    precision: int | UnsetType = UNSET
    hacking: int | UnsetType = UNSET
    activation: int | UnsetType | None = UNSET


def faults(p: CreateParams) -> tuple[Illegal, ...]:
    """Everything that is wrong with a ninja made by points, all at once (NS-M13)."""
    found = []
    for name, highest in HIGHEST.items():
        value = getattr(p, name)
        lowest = 0 if name == "jitsu" else 1
        if value is UNSET or not lowest <= value <= highest:
            ability = Term("ability", name)
            found.append(Illegal("ability_out_of_range", "NS-M13", ability=ability, low=lowest, high=highest))
    if (spent := points_spent(p)) > p.points:
        found.append(Illegal("creation_points_exceeded", "NS-M13", spent=spent, points=p.points))
    return tuple(found)


def points_spent(p: CreateParams) -> int:
    """What the abilities cost: 1 a level, Jitsu 2 (NS-M13)."""
    values = {name: getattr(p, name) for name in COST}
    return sum(COST[name] * value for name, value in values.items() if value is not UNSET)


def _report(p: CreateParams, verdict: Verdict, throws: tuple[Throw, ...]) -> Report:
    if p.method == "scratch":
        spent = points_spent(p)
        line = because("NS-M13", "points_spent", spent=spent, left=p.points - spent)
        return Report(Created(valid=True, points_spent=spent, points_left=p.points - spent), (line,))
    karate, neuron, wazamae, fourth = throws[0].faces
    jitsu = max(0, fourth - JITSU_LESS)
    derived: Derived = derive(DeriveParams(karate=karate, neuron=neuron, wazamae=wazamae, jitsu=jitsu))
    line = because("NS-M12", "abilities_thrown", karate=karate, neuron=neuron, wazamae=wazamae, jitsu=jitsu)
    own: dict[str, Any] = {
        "karate": karate,
        "neuron": neuron,
        "wazamae": wazamae,
        "jitsu": jitsu,
        "dkk": 0,
        "fame": FAME,
    }
    start = because("NS-M14", "starting_values", fame=FAME)
    return Report(Created(valid=True, **own, **structs.asdict(derived)), (line, start))


@calls.check(
    "create_character", rules="NS-M12 NS-M13 NS-M14 NS-M15 NS-M16", grades="success", report=_report, outcome=Created
)
def create_character(play: Play[Any], p: CreateParams) -> Verdict:
    """Four dice in the order Karate, Neuron, Wazamae, Jitsu (NS-M12), or points that nobody throws for (NS-M13).

    The throws for skill or art, item and implant (NS-M15, NS-M16) are throws on their tables.
    """
    if p.method == "scratch":
        for fault in faults(p):
            raise fault
    else:
        play.check(Recorded(4), "abilities")
    return Verdict("success", True)


class NewSheet(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A ninja made by points, with the slots of the weapons owned and the bonuses of gear and skills."""

    name: Annotated[str, Meta(max_length=80)] = ""
    karate: Number | UnsetType = UNSET
    neuron: Number | UnsetType = UNSET
    wazamae: Number | UnsetType = UNSET
    jitsu: Number = 0
    weapon_slots: Annotated[tuple[Dice, ...], Meta(max_length=100)] = ()
    bonus: Bonus = Bonus()


class SheetParams(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    character: NewSheet
    points: Number = POINTS


class CheckedSheet(SheetOutcome, frozen=True, kw_only=True):
    points_spent: int
    points_left: int
    derived: Derived | UnsetType = UNSET


@calls.sheet("NS-M01 NS-M02 NS-M03 NS-M04 NS-M05 NS-M07 NS-M13 NS-D01 NS-X01")
def check_sheet(p: SheetParams) -> CheckedSheet:
    """All errors of a ninja made by points (NS-M13), or the values that follow from it."""
    one = p.character
    made = CreateParams(
        method="scratch", karate=one.karate, neuron=one.neuron, wazamae=one.wazamae, jitsu=one.jitsu, points=p.points
    )
    spent = points_spent(made)
    errors = tuple(sorted({fault.code for fault in faults(made)}))
    if errors or one.karate is UNSET or one.neuron is UNSET or one.wazamae is UNSET:
        return CheckedSheet(valid=False, errors=errors, points_spent=spent, points_left=p.points - spent)
    values = DeriveParams(
        karate=one.karate,
        neuron=one.neuron,
        wazamae=one.wazamae,
        jitsu=one.jitsu,
        weapon_slots=one.weapon_slots,
        bonus=one.bonus,
    )
    left = p.points - spent
    return CheckedSheet(valid=True, errors=(), points_spent=spent, points_left=left, derived=derive(values))
