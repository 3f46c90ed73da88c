"""Losing and recovering Life Points on a sheet (SG-H01, SG-H02, SG-H04..H07, SG-C07)."""

from __future__ import annotations

from typing import Any, cast

from systems.core.ask import SubsetOf, asked, offer
from systems.core.checks import Total
from systems.core.game import change
from systems.core.play import Play
from systems.shinobigami.ailments import without
from systems.shinobigami.answers import EXTRA, ChooseCategory, ChooseRecovery, which_recovery
from systems.shinobigami.chance import COLUMN
from systems.shinobigami.ids import Category
from systems.shinobigami.matrix import CATEGORIES
from systems.shinobigami.sheet import Ailment, Character
from systems.shinobigami.switches import Switches


def absorbed(sheet: Character, points: int) -> tuple[Character, int]:
    """Unmarked extra Life Points take the loss first, without a die (SG-H04, SG-Z12); and what is left of it."""
    taken = min(points, sheet.extra_slots - sheet.extra_lost)
    return sheet.with_extra_lost(sheet.extra_lost + taken), points - taken


def lose_chosen(play: Play[Any], sheet: Character, points: int) -> Character:
    """Loss in Categories of the victim's choice (SG-H02, SG-T14); never below 0 (SG-H05)."""
    sheet, points = absorbed(sheet, points)
    return chosen_points(play, sheet, points)


def lose_random(play: Play[Any], sheet: Character, points: int) -> Character:
    """Close damage: a Category die a point; one that is lost already is chosen again by the victim (SG-H01)."""
    sheet, points = absorbed(sheet, points)
    if sheet.is_enemy:
        return _slots(sheet, points)
    for _ in range(points):
        sheet = random_point(play, sheet)
    return sheet


def random_point(play: Play[Any], sheet: Character, *, rechosen: bool = True) -> Character:
    """One Category die; on a lost Category the victim chooses, or after a Critical nothing happens (SG-W34)."""
    if not sheet.held:  # no dice for what cannot be lost (SG-H05)
        return sheet
    category = CATEGORIES[play.check(COLUMN, f"category:{sheet.id}")]
    if category in sheet.held:
        return _marked(sheet, (category,))
    return chosen_points(play, sheet, 1) if rechosen else sheet


def critical_amount(play: Play[Any], amount: int, victim: str) -> int:
    """Points of a Critical's close or ranged basic damage: 1d6, or the normal amount if that is more (SG-W34, W35)."""
    return max(play.check(Total(1), f"critical_damage:{victim}"), amount)  # SG-Z44


def chosen_points(play: Play[Any], sheet: Character, points: int) -> Character:
    """Points past the extra ones, where the victim wants them; a choice only where there is one."""
    if sheet.is_enemy:
        return _slots(sheet, points)
    return _marked(sheet, picked(play, sheet.id, sheet.held, points, "lose"))


def picked(play: Play[Any], who: str, among: tuple[str, ...], points: int, subject: str) -> tuple[str, ...]:
    """So many of these Categories (all, if there are no more), at this player's choice where there is one."""
    if not 0 < points < len(among):
        return among[: max(0, points)]
    default = ChooseCategory(among[:points])
    wanted = offer(ChooseCategory, categories=SubsetOf(among, points, points))
    answer = play.ask(asked(who, "choose_category", wanted, silence=default, subject=subject))
    return answer.categories if isinstance(answer, ChooseCategory) else default.categories


def _slots(sheet: Character, points: int) -> Character:
    """An Enemy marks its leftmost free slots (SG-S13, SG-Z37)."""
    return change(sheet, slots_lost=min(sheet.lp_slots, sheet.slots_lost + points))


def _marked(sheet: Character, categories: tuple[str, ...]) -> Character:
    return sheet.with_lost((*sheet.lost, *cast(tuple[Category, ...], categories)))


def recover_some(play: Play[Any], sheet: Character, amount: int, topic: str = "choose_recovery") -> Character:
    """Up to `amount` Life Points or as many ailments, at the healer's choice (SG-H07, SG-Z58)."""
    if not can_recover(sheet):
        return sheet
    answer = play.ask(which_recovery(sheet, amount, topic))
    if not isinstance(answer, ChooseRecovery):
        return sheet
    return healed(sheet, answer.categories, answer.ailments)


def recover_after_critical(
    play: Play[Any], sheet: Character, switches: Switches, topic: str = "choose_recovery"
) -> Character:
    """One Life Point or one ailment at once (SG-C07, SG-C20); both by the switch `critical_recovery` (SG-U12)."""
    if switches.critical_recovery == "or":
        return recover_some(play, sheet, 1, topic)
    points_only = recover_some(play, sheet.with_ailments(()), 1, topic)
    sheet = points_only.with_ailments(sheet.afflictions)
    ailments_only = recover_some(play, change(sheet, lost=(), extra_lp=None), 1, topic)
    return sheet.with_ailments(ailments_only.afflictions)


def can_recover(sheet: Character) -> bool:
    return bool(sheet.lost or sheet.extra_lost or sheet.afflictions)


def healed(sheet: Character, places: tuple[str, ...], ailments: tuple[Ailment, ...] = ()) -> Character:
    """Life Points at these places (a Category, or `extra`) come back, these instances go (SG-H07, SG-H27)."""
    sheet = sheet.with_lost(tuple(one for one in sheet.lost if one not in places))
    sheet = sheet.with_extra_lost(sheet.extra_lost - places.count(EXTRA))
    for one in ailments:
        sheet = without(sheet, one)
    return sheet


def extreme_hits(play: Play[Any], rounds_passed: int) -> bool:
    """At the end of a round on an extreme Battlefield: 1d6 at or under the rounds passed (SG-W52)."""
    return play.check(Total(1), "extreme") <= rounds_passed
