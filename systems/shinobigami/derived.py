"""What follows from a sheet: Life Points, usable skills, Target Numbers of all 66 skills (section 4.1, SG-M09)."""

from __future__ import annotations

from msgspec import UNSET, UnsetType

from systems.core.calls import Outcome, SheetOutcome
from systems.core.values import Map
from systems.shinobigami.creation import ValidateParams, validate_character
from systems.shinobigami.ids import Category
from systems.shinobigami.matrix import SKILLS, specialised_category
from systems.shinobigami.names import calls
from systems.shinobigami.sheet import Character, target_number


class Derived(Outcome, frozen=True, kw_only=True):
    """`target_numbers`: skill -> number, null where only a Critical succeeds (SG-M12)."""

    specialised_category: Category | None
    lp: int
    extra_lp: int
    usable_skills: tuple[str, ...]
    target_numbers: Map[str, int | None]


class CheckedSheet(SheetOutcome, frozen=True, kw_only=True):
    derived: Derived | UnsetType = UNSET


@calls.sheet("SG-B01 SG-B07 SG-B08 SG-B12 SG-M03 SG-M09 SG-M10 SG-M12 SG-ERR1")
def check_sheet(p: ValidateParams) -> CheckedSheet:
    """All errors of a sheet at once (SG-ERR1), or what follows from it."""
    found = validate_character(p)
    derived = derive(p.character) if found.valid else UNSET
    return CheckedSheet(valid=found.valid, errors=found.errors, warnings=found.warnings, derived=derived)


def derive(sheet: Character) -> Derived:
    """For a sheet whose skills are all known ones."""
    own = sheet.specialised_category or (specialised_category(sheet.clan) if sheet.clan else None)
    return Derived(
        specialised_category=own,
        lp=sheet.lp,
        extra_lp=sheet.extra_slots,
        usable_skills=sheet.usable_skills,
        target_numbers=Map({skill: target_number(sheet, skill).value for skill in SKILLS}),
    )
