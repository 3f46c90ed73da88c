"""Rolls read back from their records, and the lines that take every total apart."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypedDict

from msgspec import UNSET, Struct, UnsetType

from systems.core.calls import Outcome
from systems.core.play import Throw
from systems.core.text import Because, Term, because
from systems.shinobido.rolls import (
    CERTAIN_FROM,
    IMPOSSIBLE_TO,
    RED_AT,
    OpenRoll,
    Part,
    RedAgain,
    Roll,
    degree_of,
    net_of,
    wounds_of,
)


class Rolled(Struct, frozen=True):
    """One roll as it was thrown: its four faces and, if a red die was thrown again, which one and its new face."""

    roll: Roll
    faces: tuple[int, ...]
    again: tuple[str, int] | None = None

    @property
    def modifier(self) -> int:
        return self.roll.modifier

    @property
    def net_before(self) -> int:
        return net_of(self.faces)

    @property
    def net(self) -> int:
        return self.net_before + (self.faces[RED_AT[self.again[0]]] - self.again[1] if self.again else 0)

    @property
    def total(self) -> int:
        return self.net + self.modifier

    @property
    def success(self) -> bool:
        return self.total > 0


class RollOutcome(Outcome, frozen=True, kw_only=True):
    """One roll: total = net + modifier (SD-R03, SD-R04). A failure has no degree; the rest only after a reroll."""

    net: int
    modifier: int
    total: int
    degree: int | UnsetType = UNSET
    focus_after: int | UnsetType = UNSET
    net_before: int | UnsetType = UNSET
    total_before: int | UnsetType = UNSET
    reroll_used: bool | UnsetType = UNSET


class RollFields(TypedDict):
    """The fields of `RollOutcome`."""

    net: int
    modifier: int
    total: int
    degree: int | UnsetType
    focus_after: int | UnsetType
    net_before: int | UnsetType
    total_before: int | UnsetType
    reroll_used: bool | UnsetType


def rolled(throws: Iterable[Throw]) -> dict[str, Rolled]:
    """The rolls among the records, by kind; a red die thrown again belongs to the roll before it."""
    found: dict[str, Rolled] = {}
    kind = ""
    for throw in throws:
        check = throw.check
        if isinstance(check, RedAgain):
            found[kind] = Rolled(found[kind].roll, found[kind].faces, (check.die, throw.faces[0]))
        elif isinstance(check, Roll | OpenRoll):
            one = check.roll if isinstance(check, OpenRoll) else check
            kind = one.kind
            found[kind] = Rolled(one, throw.faces)
    return found


def roll_fields(one: Rolled, focus_after: int | UnsetType = UNSET) -> RollFields:
    return {
        "net": one.net,
        "modifier": one.modifier,
        "total": one.total,
        "degree": degree_of(one.total) or UNSET,
        "focus_after": focus_after,
        "net_before": one.net_before if one.again else UNSET,
        "total_before": one.net_before + one.modifier if one.again else UNSET,
        "reroll_used": one.again is not None or UNSET,
    }


def signed(value: int) -> str:
    return f"{value:+d}" if value else "0"


def told(one: Rolled) -> tuple[Because, ...]:
    """A roll line by line: dice, a die thrown again, every part, the total."""
    green1, green2, red1, red2 = one.faces
    green, red = f"{green1}+{green2}", f"{red1}+{red2}"
    kind = Term("roll_kind", one.roll.kind)
    return (
        because("SD-R03", "dice", kind=kind, green=green, red=red, net=signed(one.net_before)),
        *_again(one),
        *map(part_told, one.roll.parts),
        *_odd(one.modifier),
        because(
            "SD-R05", "above" if one.success else "not_above", net=signed(one.net), modifier=signed(one.modifier),
            total=one.total,
        ),
    )  # fmt: skip


def part_told(part: Part) -> Because:
    what = Term("addition", part.what)
    if part.name is None:
        return because(part.rule, "part", what=what, value=signed(part.value))
    return because(part.rule, "part_named", what=what, name=part.name, value=signed(part.value))


def _again(one: Rolled) -> tuple[Because, ...]:
    if not one.again:
        return ()
    die, face = one.again
    before = one.faces[RED_AT[die]]
    return (because("SD-M14", "reroll", die=Term("die", die), before=before, after=face, net=signed(one.net)),)


def _odd(modifier: int) -> tuple[Because, ...]:
    """A roll whose result was certain beforehand says so (SD-R10, SD-N12)."""
    if modifier >= CERTAIN_FROM:
        return (because("SD-R10", "certain", modifier=signed(modifier)),)
    return (because("SD-R10", "impossible", modifier=signed(modifier)),) if modifier <= IMPOSSIBLE_TO else ()


def degree_told(one: Rolled) -> tuple[Because, ...]:
    degree = degree_of(one.total)
    return (because("SD-R09", "degree", total=one.total, degree=degree),) if degree else ()


def wounds_told(one: Rolled, hinders: bool) -> Because:
    """Why a Toughness or resist roll let so much through (SD-C16, SD-C17, SD-X07)."""
    wounds = wounds_of(one.total)
    if not wounds:
        return because("SD-C16", "no_harm")
    if hinders:
        return because("SD-X07", "hindered", points=-one.total, severity=wounds)
    return because("SD-C17", "wounds", points=-one.total, wounds=wounds)


def focus_told(before: int, spent: int, after: int) -> tuple[Because, ...]:
    """What was paid (SD-F10) and what an award brought (SD-G03)."""
    lines = (because("SD-F10", "focus_spent", spent=spent, left=before - spent),) if spent else ()
    gain = after - (before - spent)
    return (*lines, because("SD-G03", "focus_gained", gained=gain, after=after)) if gain else lines
