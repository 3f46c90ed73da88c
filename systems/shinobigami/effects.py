"""What Equip ninpo and lasting states add to checks (SG-A09, SG-N01, SG-N36, SG-C18)."""

from __future__ import annotations

from msgspec import Struct

from systems.shinobigami.ids import Context
from systems.shinobigami.ninpo import Condition
from systems.shinobigami.sheet import Character, Learned


class Situation(Struct, frozen=True, cache_hash=True, kw_only=True):
    """What a check is for, and what the conditions of effects look at.

    `applies_to` is `attack`, `dodge`, `ohgi_break`, `information`, `emotion`, `recovery`, `ninpo` or `other`;
    `knows` what the attacker knows of the target.
    """

    applies_to: str
    attack_kind: str | None = None
    knows: tuple[str, ...] = ()
    phase: str = "main"


def own_modifier(sheet: Character, situation: Situation) -> int:
    """What the sheet itself adds to an own check: the Cycle's -1 and Equip ninpo (SG-C18, SG-Z84)."""
    return sheet.cycle_penalty + passive(sheet, "check_mod", "self", situation)


def passive(sheet: Character, op: str, who: str, situation: Situation) -> int:
    """The sum of the lasting effects `op` of this sheet on `who` ("self", "attacker"); sources sum (SG-A09)."""
    return sum(
        effect.amount or 0
        for one, ninpo in sheet.equipped()
        if all(_holds(condition, sheet, one, situation) for condition in ninpo.when)
        for effect in ninpo.effects
        if effect.op == op and effect.who == who and effect.applies_to in ("all", situation.applies_to)
    )


def fumble_modifier(sheet: Character, context: Context, applies_to: str = "other") -> int:
    """What Equip ninpo change about the Fumble Value; `context: combat` is only outside the Plot phase of a battle."""
    return passive(sheet, "fumble_mod", "self", Situation(applies_to=applies_to)) if context == "combat" else 0


def _holds(condition: Condition, sheet: Character, one: Learned, situation: Situation) -> bool:
    """Whether an Equip ninpo is active; conditions on Plots and rounds do not occur on Equip ninpo."""
    if condition.category_lost is not None:
        return _is_lost(one.choices.category if condition.category_lost == "chosen" else condition.category_lost, sheet)
    if condition.attack_kind is not None:
        return condition.attack_kind == situation.attack_kind
    if condition.knows is not None:
        return condition.knows in situation.knows
    return condition.phase == situation.phase


def _is_lost(chosen: str | None, sheet: Character) -> bool:
    """The Category's Life Point; of an Enemy the number of its slots (SG-N36, SG-S13)."""
    if sheet.is_enemy:
        return chosen is not None and chosen.isdecimal() and sheet.slots_lost >= int(chosen)
    return chosen in sheet.lost
