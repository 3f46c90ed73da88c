"""Characters: start values, derived values, and all that can be wrong with a sheet (chapter 2, SO-B02)."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import UNSET, Meta, UnsetType

from systems.core.calls import Outcome, SheetOutcome
from systems.core.errors import Illegal
from systems.core.text import read_toml
from systems.core.values import Map
from systems.origins.armor import Load
from systems.origins.belongings import Component, CriticalAbility, Item, Jutsu, Scroll, WorkClock
from systems.origins.chart import UNHARMED, HarmChart
from systems.origins.effect import States
from systems.origins.honor import max_difficulty
from systems.origins.names import calls
from systems.origins.options import DEFAULT, Config, SkillSet
from systems.origins.vocabulary import (
    DEFENSIVE_SKILLS,
    MAX_CHAKRA,
    MAX_HONOR,
    Chakra,
    Honor,
    Id,
    MissionDifficulty,
    Params,
    Part,
    Position,
    Text,
    Whole,
    Wide,
)

SETS, SKILLS_PER_SET = 5, 6  # SO-A01
START_CHAKRA = MAX_CHAKRA  # SO-A10, SO-R04


def standard_sets() -> tuple[SkillSet, ...]:
    """The standard skill list (SO-R01): each set holds one defensive skill (SO-R02)."""
    raw: Any = read_toml("systems.origins", "data/skills.toml")["sets"]
    return tuple(SkillSet(id=one["id"], skills=tuple(skill["id"] for skill in one["skills"])) for one in raw)


def skill_sets(config: Config = DEFAULT) -> tuple[SkillSet, ...]:
    return standard_sets() if config.skill_list == "standard" else config.skill_list


class SkillListParams(Params, frozen=True, kw_only=True):
    sets: Annotated[tuple[SkillSet, ...], Meta(max_length=20)] = ()
    defensive: Annotated[tuple[Id, ...], Meta(max_length=40)] = ()


class ErrorsOutcome(Outcome, frozen=True, kw_only=True):
    errors: tuple[str, ...]


@calls.query("validate_skill_list", rules="SO-A01 SO-A02")
def validate_skill_list(p: SkillListParams) -> ErrorsOutcome:
    """`skill_list_shape`: not five sets of six different skills; `skill_list_defensive`: not exactly the five."""
    skills = [skill for one in p.sets for skill in one.skills]
    errors = []
    if sorted(p.defensive) != sorted(DEFENSIVE_SKILLS) or not all(one in skills for one in DEFENSIVE_SKILLS):
        errors.append("skill_list_defensive")
    shaped = len(p.sets) == SETS and all(len(one.skills) == SKILLS_PER_SET for one in p.sets)
    if not shaped or len(set(skills)) != SETS * SKILLS_PER_SET:
        errors.append("skill_list_shape")
    return ErrorsOutcome(errors=tuple(errors))


class Stake(Part, frozen=True, cache_hash=True, kw_only=True):
    """Honor promised to a party."""

    party: Id
    amount: Whole
    promise: Text = ""
    mission: Text = ""


class Sheet(Part, frozen=True, cache_hash=True, kw_only=True):
    """A character as validation takes it: numbers outside their range are accepted and reported."""

    id: Text = ""
    name: Text = ""
    player: Text = ""
    rank: Text = "genin"
    nation: Text = ""
    dots: Map[str, Wide] = Map()
    chakra: Wide = 0
    harm_chart: HarmChart = UNHARMED
    healing_clock: Wide = 0
    unconscious: bool = False
    dead: bool = False
    honor: Wide = 0
    honor_clock: Wide = 0
    stakes: Annotated[tuple[Stake, ...], Meta(max_length=20)] = ()
    glory_used: bool = False
    gold: Whole = 0
    load: Load | None = None
    items: Annotated[tuple[Item, ...], Meta(max_length=200)] = ()
    components: Annotated[tuple[Component, ...], Meta(max_length=200)] = ()
    necessities: Whole = 0
    animal_feed: Whole = 0
    jutsu: Annotated[tuple[Jutsu, ...], Meta(max_length=100)] = ()
    scrolls: Annotated[tuple[Scroll, ...], Meta(max_length=100)] = ()
    modification_scrolls: Annotated[tuple[Text, ...], Meta(max_length=100)] = ()
    critical_ability: CriticalAbility | None = None
    ranked_up_since: bool = False
    work_clock: WorkClock | None = None
    position: Position | None = None  # this and what follows: in a fight only
    action_available: bool = True
    rushes_used: Whole = 0
    moved: bool = False
    states: States = ()

    @property
    def skills(self) -> tuple[str, ...]:
        """Every skill that the sheet names: those with dots, and those of jutsu (SO-A13)."""
        return (*self.dots, *(one.primary_skill for one in self.jutsu))


class ValidateParams(Params, frozen=True, kw_only=True):
    character: Sheet
    skills: Annotated[tuple[Id, ...], Meta(max_length=200)] | UnsetType = UNSET
    at_creation: bool = False
    config: Config = DEFAULT

    @property
    def known(self) -> tuple[str, ...]:
        """The skills of the table's list."""
        if isinstance(self.skills, tuple):
            return self.skills
        return tuple(skill for one in skill_sets(self.config) for skill in one.skills)


def dot_errors(dots: Map[str, int], config: Config, *, at_creation: bool) -> list[str]:
    """What is wrong with the numbers of dots (SO-A03, SO-A04, SO-R03)."""
    values, errors = dots.values(), []
    if any(not 0 <= value <= config.skill_max_dots for value in values):
        errors.append("dots_out_of_range")
    if at_creation and any(value > config.creation_max_dots for value in values):
        errors.append("creation_dot_cap")
    if at_creation and config.creation_total_dots is not None and sum(values) > config.creation_total_dots:
        errors.append("creation_total_exceeded")
    return errors


@calls.query("validate_character", rules="SO-A03 SO-A04 SO-A05 SO-A06 SO-A07 SO-A08")
def validate_character(p: ValidateParams) -> ErrorsOutcome:
    """All errors of a sheet, each id once, sorted (SO-A08)."""
    errors = dot_errors(p.character.dots, p.config, at_creation=p.at_creation)
    if any(skill not in p.known for skill in p.character.skills):
        errors.append("unknown_skill")  # SO-A03, SO-A13
    if not 0 <= p.character.chakra <= MAX_CHAKRA:
        errors.append("chakra_out_of_range")  # SO-A05
    if not -MAX_HONOR <= p.character.honor <= MAX_HONOR:
        errors.append("honor_out_of_range")  # SO-A06
    return ErrorsOutcome(errors=tuple(sorted(errors)))


class NewParams(Params, frozen=True, kw_only=True):
    name: Id
    dots: Map[str, Annotated[int, Meta(ge=0, le=6)]] = Map()
    config: Config = DEFAULT


class NewOutcome(Outcome, frozen=True, kw_only=True):
    rank: str
    chakra: int
    harm_chart: HarmChart
    healing_clock: int
    honor: int
    honor_clock: int
    glory_used: bool
    gold: int


@calls.query("new_character", rules="SO-A10 SO-A03 SO-A04")
def new_character(p: NewParams) -> NewOutcome:
    """The start values (SO-R04). Raises the first error of the dots as of a sheet at creation."""
    sheet = ValidateParams(character=Sheet(name=p.name, dots=Map(p.dots.items())), at_creation=True, config=p.config)
    if errors := validate_character(sheet).errors:
        raise Illegal(errors[0], "SO-A03" if errors[0] in ("unknown_skill", "dots_out_of_range") else "SO-A04")
    return NewOutcome(
        rank=p.config.ranks[0],
        chakra=START_CHAKRA,
        harm_chart=UNHARMED,
        healing_clock=0,
        honor=0,
        honor_clock=0,
        glory_used=False,
        gold=p.config.creation_gold,
    )


class Derivable(Sheet, frozen=True, cache_hash=True, kw_only=True):
    """The parts of a valid sheet from which values are derived."""

    chakra: Chakra = 0
    honor: Honor = 0


class DeriveParams(Params, frozen=True, kw_only=True):
    character: Derivable
    config: Config = DEFAULT


class DeriveOutcome(Outcome, frozen=True, kw_only=True):
    chakra_depleted: int
    load_left: int | UnsetType = UNSET
    move_feet: int | UnsetType = UNSET
    honor_unstaked: int
    max_mission_difficulty: MissionDifficulty
    glory_available: bool


@calls.query("derive", rules="SO-A09 SO-L01 SO-L02 SO-L05 SO-O09")
def derive(p: DeriveParams) -> DeriveOutcome:
    """Values that follow from the sheet; those of load are absent without a declared load (SO-R43)."""
    return derived(p.character, p.config)


def derived(one: Sheet, config: Config) -> DeriveOutcome:
    """The derived values of a sheet whose chakra and honor are in their range (SO-A09)."""
    staked = sum(stake.amount for stake in one.stakes)
    return DeriveOutcome(
        chakra_depleted=MAX_CHAKRA - one.chakra,
        load_left=one.load.left(config) if one.load else UNSET,
        move_feet=int(calls.tables["load_level"][one.load.level].facts["feet"]) if one.load else UNSET,
        honor_unstaked=max(0, max(0, one.honor) - staked),
        max_mission_difficulty=max_difficulty(one.honor),
        glory_available=one.honor == MAX_HONOR and not one.glory_used,
    )


class CheckedSheet(SheetOutcome, frozen=True, kw_only=True):
    derived: DeriveOutcome | UnsetType = UNSET


@calls.sheet("SO-A03 SO-A04 SO-A05 SO-A06 SO-A08 SO-A09")
def check_sheet(p: ValidateParams) -> CheckedSheet:
    """All errors of a sheet, or what follows from it."""
    errors = validate_character(p).errors
    if errors:
        return CheckedSheet(valid=False, errors=errors)
    return CheckedSheet(valid=True, errors=(), derived=derived(p.character, p.config))


class Contender(Part, frozen=True, cache_hash=True, kw_only=True):
    """Somebody in the initiative order, with dots in the GM's primary and secondary skill."""

    id: Id
    primary: Annotated[int, Meta(ge=0, le=6)] = 0
    secondary: Annotated[int, Meta(ge=0, le=6)] = 0


class InitiativeParams(Params, frozen=True, kw_only=True):
    characters: Annotated[tuple[Contender, ...], Meta(max_length=50)] = ()


class InitiativeOutcome(Outcome, frozen=True, kw_only=True):
    order: tuple[str, ...]


@calls.query("initiative", rules="SO-B02 SO-B03")
def initiative(p: InitiativeParams) -> InitiativeOutcome:
    """Descending primary, then secondary, then as listed (SO-R42); nothing is rolled."""
    order = sorted(p.characters, key=lambda one: (-one.primary, -one.secondary))
    return InitiativeOutcome(order=tuple(one.id for one in order))
