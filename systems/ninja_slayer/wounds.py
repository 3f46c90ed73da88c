"""What damage does to a character: vitality, states, abilities, marks (section 12, and 13.4)."""

from __future__ import annotations

from typing import Any

from msgspec import Struct, UnsetType, structs

from systems.core.tables import Key, RowTable, load_tables
from systems.core.values import Map
from systems.ninja_slayer.sheet import MORTAL_ABILITY, Character, known
from systems.ninja_slayer.words import Condition

SATSUBATSU: RowTable = load_tables("systems.ninja_slayer")["satsubatsu_table"]
ROW = Key("1d6")  # the throw for a row (NS-S07)
HEART = 6  # the row of instant death (NS-S07)
_WHERE_TO = {"ninja": "exploded", "boss": "dead", "mob": "out"}  # NS-S13


class Harm(Struct, frozen=True):
    """One damage worked out: what it was, what is left of it, the vitality lost and the spirit paid for the rest."""

    before: int
    final: int
    lost: int
    paid: int = 0


def harm(target: Character, base: int, heavy_blow: int, mercy: bool) -> Harm:
    """Base plus the one heavy blow (NS-S11), less reduction, not below 0 (NS-H17).

    A mercy strike takes vitality to 0 and no further (NS-H18, NS-RUL46).
    """
    before = base + heavy_blow
    final = max(0, before - known(target.reduction, 0))
    lost = min(final, max(0, target.vitality)) if mercy else final
    return Harm(before, final, lost)


def endurable(target: Character, harm: Harm) -> Harm | None:
    """The damage as endurance would pay it: a spirit for each point below 0, all or nothing (NS-H06, NS-RUL26).

    None where it does not save: nothing falls below 0, no ninja, or too little spirit. It also works for those already
    unconscious (NS-H07).
    """
    excess = harm.lost - target.vitality
    if excess <= 0 or not target.ninja or target.mind < excess:
        return None
    return structs.replace(harm, lost=target.vitality, paid=excess)


def struck(target: Character, lost: int, paid: int) -> Character:
    """Vitality comes off at once (NS-H01), then the state follows."""
    changes: dict[str, Any] = {}
    if lost:
        changes["hp"] = target.vitality - lost
    if paid:
        changes["spirit"] = target.mind - paid
    if lost or paid:
        changes["state"] = _state(target, target.vitality - lost)
    return structs.replace(target, **changes) if changes else target


def _state(target: Character, hp: int) -> Condition:
    """Mobs are out at 0 (NS-H02); others drop at exactly 0 (NS-H03); below it ninja explode (NS-H04), mortal bosses die
    (NS-H05, NS-RUL27)."""
    if hp > 0:
        return target.condition
    if target.mob:
        return "out"
    if hp == 0:
        return "unconscious"
    return "exploded" if target.ninja else "dead"


def drained(target: Character, points: int) -> Character:
    """Spirit damage. At -1 a ninja drops with vitality 0 but does not explode (NS-H09); a mob or a mortal boss is out
    (NS-H02, NS-H10, NS-RUL60). Spirit 0 has no effect by itself (NS-H11)."""
    spirit = target.mind - points
    if spirit >= 0:
        return structs.replace(target, spirit=spirit)
    return structs.replace(target, spirit=spirit, hp=0, state="unconscious" if target.ninja else "out")


def maimed(target: Character, row: int) -> Character:
    """Ability damage and the mark of a row. Nothing falls below 1, the excess is lost (NS-S20, NS-S21, NS-RUL35);
    initiative follows Neuron at once (NS-S22); marks on one part count up (NS-S24)."""
    facts = SATSUBATSU.at(row).facts
    changes: dict[str, Any] = {}
    for name, points in facts.get("ability_damage", {}).items():
        value = getattr(target, name)
        if not isinstance(value, UnsetType):
            changes[name] = max(min(value, MORTAL_ABILITY), value - points)
    if "neuron" in changes and not isinstance(target.initiative, UnsetType):
        changes["initiative"] = target.initiative - (target.ability("neuron") - changes["neuron"])
    if part := facts.get("part"):
        marks = target.part_damage or Map()
        changes["part_damage"] = marks.put(part, marks.get(part, 0) + 1)
    return structs.replace(target, **changes) if changes else target


def slain(target: Character) -> Character:
    """Instant death leaves vitality and spirit as they were (NS-S13, NS-H08, NS-RUL60)."""
    return structs.replace(target, state=_WHERE_TO[target.kind])


def stunned(target: Character) -> Character:
    """Instant death turned into unconsciousness (NS-S15)."""
    return structs.replace(target, hp=0, spirit=0, state="unconscious")


def removed(target: Character) -> Character:
    """A mob taken off without details (NS-S08, NS-RUL33, NS-RUL60)."""
    return structs.replace(target, hp=0, state="out")
