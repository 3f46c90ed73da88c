"""Building a character: every error at once (SG-B01..B20, SG-ERR1), and starting Merit (SG-B17)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec import Struct

from systems.core.calls import Outcome
from systems.core.errors import Illegal
from systems.shinobigami.emotions import NEGATIVE, POSITIVE
from systems.shinobigami.information import Backgrounds
from systems.shinobigami.matrix import CLANS, PLACES, category_of, specialised_category
from systems.shinobigami.names import calls
from systems.shinobigami.ninpo import CLOSE_COMBAT_ATTACK, Ninpo, catalogue
from systems.shinobigami.sheet import Background, Character, Learned, Ohgi
from systems.shinobigami.switches import Switches

SPECIALISED_MINIMUM = 3  # SG-B06, for every rank (SG-Z09)
FREE_GEAR = 2  # SG-B19
MOST_GEAR = 6  # SG-B20
RANKS = calls.tables["rank"]
RANK_ORDER: tuple[str, ...] = tuple(row.id for row in RANKS.rows)
BACKGROUNDS = calls.tables["background"]
BACKGROUND_IDS: tuple[str, ...] = tuple(row.id for row in BACKGROUNDS.rows)
GEAR_TYPES: tuple[str, ...] = tuple(row.id for row in calls.tables["gear"].rows)
OHGI_TYPES: tuple[str, ...] = tuple(row.id for row in calls.tables["ohgi_type"].rows)

Errors = Iterator[str]


def errors_of(sheet: Character) -> tuple[str, ...]:
    """The codes of everything that is wrong with a sheet, sorted, each once."""
    chapters: tuple[Callable[[Character], Errors], ...] = (_identity, _skills, _ninpo, _ohgi, _backgrounds, _gear)
    return tuple(sorted({code for chapter in chapters for code in chapter(sheet)}))


def _identity(sheet: Character) -> Errors:
    """Clan and rank come first (SG-B02, SG-B03); an Enemy has neither (SG-S11)."""
    if not sheet.is_enemy and sheet.clan not in CLANS:
        yield "unknown_clan"
    if not sheet.is_enemy and sheet.rank not in RANK_ORDER:
        yield "unknown_rank"


def _allowance(sheet: Character, what: str) -> int | None:
    """How many skills, ninpo or Ohgi the rank gives (SG-T06); None without a known rank."""
    return int(RANKS[sheet.rank].facts[what]) if sheet.rank in RANK_ORDER and sheet.rank else None


def _differs(number: int, allowed: int | None) -> bool:
    return allowed is not None and number != allowed


def _skills(sheet: Character) -> Errors:
    """The length of the list counts; a duplicate is an error of its own (SG-B05, SG-B06)."""
    if any(skill not in PLACES for skill in sheet.skills):
        yield "unknown_skill"
    if len(set(sheet.skills)) != len(sheet.skills):
        yield "duplicate_skill"
    if _differs(len(sheet.skills), _allowance(sheet, "skills")):
        yield "skill_count"
    if sheet.clan in CLANS and sheet.clan:
        own = specialised_category(sheet.clan)
        if sum(skill in PLACES and category_of(skill) == own for skill in sheet.skills) < SPECIALISED_MINIMUM:
            yield "specialised_skill_minimum"


def _ninpo(sheet: Character) -> Errors:
    """Close Combat Attack is free and extra (SG-B09); the others count, one of them of the clan (SG-B10, SG-B11)."""
    learned = sheet.learned
    ids = [one.ninpo_id for one in learned]
    if not any(one.ninpo_id == CLOSE_COMBAT_ATTACK and one.assigned_skill for one in learned):
        yield "close_combat_skill_missing"
    if _differs(len(ids) - (CLOSE_COMBAT_ATTACK in ids), _allowance(sheet, "ninpo")):
        yield "ninpo_count"
    found = [catalogue()[one] for one in ids if one in catalogue()]
    if len(found) != len(ids):
        yield "ninpo_unknown"
    if any(ids.count(one.id) > 1 and not one.repeatable for one in found):
        yield "ninpo_duplicate"
    if not all(_from_open_list(sheet, one) for one in found):
        yield "ninpo_foreign_clan"
    if sheet.clan in CLANS and not any(one.clan == sheet.clan for one in found):
        yield "ninpo_clan_minimum"
    if any(_above(sheet, one) for one in found):
        yield "ninpo_rank_restricted"
    for one in learned:
        yield from _assigned(one)


def _from_open_list(sheet: Character, ninpo: Ninpo) -> bool:
    """The general list and the own clan's (SG-B10); an Enemy may have any."""
    return sheet.is_enemy or ninpo.origin == "general" or sheet.clan not in CLANS or ninpo.clan == sheet.clan


def _above(sheet: Character, ninpo: Ninpo) -> bool:
    if ninpo.min_rank is None or sheet.rank not in RANK_ORDER:
        return False
    return RANK_ORDER.index(str(sheet.rank)) < RANK_ORDER.index(ninpo.min_rank)


def _assigned(one: Learned) -> Errors:
    """Where the skill is open it is chosen on learning, inside the ninpo's range (SG-B13)."""
    ninpo = catalogue().get(one.ninpo_id)
    if ninpo is None:
        return
    wanted, skill = ninpo.assigned_skill, one.assigned_skill
    if skill is None:
        if wanted and not wanted.fixed and one.ninpo_id != CLOSE_COMBAT_ATTACK:
            yield "assigned_skill_missing"
    elif wanted is None or skill not in PLACES or not wanted.allows(skill):
        yield "assigned_skill_not_allowed"


def _ohgi(sheet: Character) -> Errors:
    """Named, of a known type, with a known skill; equal types are separate Ohgi (SG-B14, SG-B15, SG-Z10)."""
    if _differs(len(sheet.ohgi), _allowance(sheet, "ohgi")):
        yield "ohgi_count"
    for one in sheet.own_ohgi:
        if not one.name.strip():
            yield "ohgi_name_missing"
        if one.type not in OHGI_TYPES:
            yield "ohgi_type_unknown"
        if one.assigned_skill not in sheet.skills:
            yield "ohgi_skill_not_known"
        if one.type == "extra_ninpo" and not _may_hold(sheet, one):
            yield "ohgi_extra_ninpo_choice"


def _may_hold(sheet: Character, ohgi: Ohgi) -> bool:
    """Two different Attack or Support ninpo that are open to the character (SG-B16)."""
    ids = ohgi.params.ninpo
    found = [catalogue()[one] for one in ids if one in catalogue()]
    open_to = (one.type != "equip" and _from_open_list(sheet, one) and not _above(sheet, one) for one in found)
    return len(ids) == len(set(ids)) == len(found) == 2 and all(open_to)


def _backgrounds(sheet: Character) -> Errors:
    """Known, with their parameters, and Virtues no dearer than Flaws (SG-B17, SG-B31..B42)."""
    known = [one for one in sheet.taken if one.id in BACKGROUND_IDS]
    if len(known) != len(sheet.taken):
        yield "background_unknown"
    if not all(_complete(sheet, one) for one in known):
        yield "background_parameter"
    if merit_of(known) < 0:
        yield "virtues_exceed_flaws"


def merit_of(taken: list[Background]) -> int:
    """Flaw gains less Virtue costs (SG-B17, SG-Z08)."""
    return sum(int(BACKGROUNDS[one.id].facts["merit"]) for one in taken)


def _complete(sheet: Character, one: Background) -> bool:
    """Whether every parameter that the background needs is there and right."""
    kinds: dict[str, Callable[[str, Background], bool]] = {
        "other_clan": lambda value, _: value in CLANS and value != sheet.clan,
        "character": lambda value, _: value != sheet.id,
        "emotion": lambda value, _: value in (*POSITIVE, *NEGATIVE),
        "emotion_or_text": lambda value, _: bool(value.strip()),
        "sign": lambda value, taken: value in _signs_of(taken.params.emotion),
    }
    needed: dict[str, str] = BACKGROUNDS[one.id].facts.get("params", {})
    values = ((getattr(one.params, name), kind) for name, kind in needed.items())
    return all(value is not None and kinds[kind](value, one) for value, kind in values)


def _signs_of(emotion: str | None) -> tuple[str, ...]:
    """The sign of a listed emotion; a free word may have either (SG-B34)."""
    return ("+",) if emotion in POSITIVE else ("-",) if emotion in NEGATIVE else ("+", "-")


def _gear(sheet: Character) -> Errors:
    """Two free pieces, any mix (SG-B19); never more than six (SG-B20). An Enemy's gear is the scenario's (SG-S11)."""
    if any(kind not in GEAR_TYPES for kind in sheet.gear):
        yield "gear_type_unknown"
    pieces = sum(sheet.gear.values())
    if pieces != FREE_GEAR and not sheet.is_enemy:
        yield "gear_count"
    if pieces > MOST_GEAR:
        yield "gear_limit"


class ValidateParams(Struct, frozen=True, cache_hash=True, kw_only=True, forbid_unknown_fields=True):
    character: Character


class ValidateOutcome(Outcome, frozen=True, kw_only=True):
    """`errors` block a character, `warnings` never do (SG-B09)."""

    valid: bool
    errors: tuple[str, ...]
    warnings: tuple[str, ...]


@calls.query(
    "validate_character",
    "SG-B01 SG-B02 SG-B03 SG-B04 SG-B05 SG-B06 SG-B09 SG-B10 SG-B11 SG-B13 SG-B14 SG-B15 SG-B16 SG-B17 SG-B19 SG-ERR1",
)
def validate_character(p: ValidateParams) -> ValidateOutcome:
    errors, sheet = errors_of(p.character), p.character
    assigned = (one.assigned_skill or _fixed_skill(one) for one in sheet.learned)
    strange = any(skill in PLACES and skill not in sheet.skills for skill in assigned if skill)
    warnings = ("assigned_skill_not_known",) if strange else ()
    return ValidateOutcome(valid=not errors, errors=errors, warnings=warnings)


def _fixed_skill(one: Learned) -> str | None:
    ninpo = catalogue().get(one.ninpo_id)
    return ninpo.assigned_skill.fixed if ninpo and ninpo.assigned_skill else None


class MeritParams(Struct, frozen=True, cache_hash=True, kw_only=True, forbid_unknown_fields=True):
    backgrounds: Backgrounds = ()
    switches: Switches = Switches()


class MeritOutcome(Outcome, frozen=True, kw_only=True):
    merit: int


@calls.query("starting_merit", "SG-B17 SG-U03 SG-Z08")
def starting_merit(p: MeritParams) -> MeritOutcome:
    """Raises `Illegal` for an unknown background, and where the Virtues are dearer than the Flaws."""
    if not p.switches.backgrounds:  # SG-U03
        return MeritOutcome(merit=0)
    taken = [one if isinstance(one, Background) else Background(one) for one in p.backgrounds]
    for one in taken:
        if one.id not in BACKGROUND_IDS:
            raise Illegal("background_unknown", "SG-B17", background=one.id)
    merit = merit_of(taken)
    if merit < 0:
        raise Illegal("virtues_exceed_flaws", "SG-B17", merit=merit)
    return MeritOutcome(merit=merit)
