"""Who acts when: surprise, initiative, the end of a fight, the Merit of a mission (sections 7 and 11)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from systems.core.calls import ByIds, Outcome, Report, Verdict
from systems.core.errors import Illegal
from systems.core.play import Play, Throw
from systems.core.text import Because, Term, because
from systems.core.values import Map
from systems.shinobido.names import calls
from systems.shinobido.parts import Occasion, against, own, wounded
from systems.shinobido.rolls import Part, Roll
from systems.shinobido.sheet import Sheet, settled
from systems.shinobido.switches import Switches
from systems.shinobido.told import part_told, rolled, signed
from systems.shinobido.vocabulary import Count, Name, Rating, Status

MERIT: dict[str, int] = {row.id: row.facts["merit"] for row in calls.tables["merit_by_outcome"].rows}  # SD-G05

Sheets = Annotated[tuple[Sheet, ...], Meta(max_length=50)]


class InitiativeParams(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, cache_hash=True):
    """`combatants` in dice order; with the switch `initiative` = `side` the `sides`, which roll by name, a to z."""

    combatants: Sheets = ()
    sides: Map[str, Sheets] | None = None
    options: Switches = Switches()


class InitiativeOutcome(Outcome, frozen=True, kw_only=True):
    """Totals by id, and the order; for sides by the name of the side: each acts as a block (SD-C33)."""

    totals: Map[str, int]
    order: tuple[str, ...]


class SurpriseParams(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, cache_hash=True):
    targets: Sheets
    ambushers_best_agility: Rating
    options: Switches = Switches()


class Surprised(Struct, frozen=True, kw_only=True):
    total: int
    surprised: bool


class SurpriseOutcome(ByIds, frozen=True, kw_only=True):
    by_id: Map[str, Surprised]


def rollers(p: InitiativeParams) -> tuple[tuple[str, Sheet], ...]:
    """Who rolls, under which id, in the order of the dice. Raises `Illegal` bad_sides, option_disabled."""
    if p.options.initiative == "side":
        sides = p.sides or Map()
        if len(sides) < 2 or not all(sides.values()):
            raise Illegal("bad_sides", "SD-C33")
        identified([one for members in sides.values() for one in members])
        return tuple((side, foremost(members)) for side, members in sides.items())
    if p.sides is not None:
        raise Illegal("option_disabled", "SD-C33", option="initiative")
    identified(p.combatants)
    return tuple((one.id, settled(one)) for one in p.combatants)


def identified(sheets: Sequence[Sheet]) -> None:
    """Raises `Illegal` bad_sides unless everybody has an id of their own (SD-C01)."""
    ids = [one.id for one in sheets]
    if not ids or not all(ids) or len(set(ids)) < len(ids):
        raise Illegal("bad_sides", "SD-C01")


def foremost(members: Sequence[Sheet]) -> Sheet:
    """The one who rolls for a side: the highest Wits, then as ties of initiative (SD-C33)."""
    return min((settled(one) for one in members), key=precedence)


def precedence(sheet: Sheet) -> tuple[int, int, bool, str]:
    """How ties are settled: higher Wits, higher Agility, PCs before NPCs, id (SD-C04)."""
    return -sheet.rating("wits"), -sheet.rating("agility"), sheet.kind != "pc", sheet.id


def initiative_parts(sheet: Sheet, switches: Switches) -> tuple[Part, ...]:
    """Wits and traits less the wound penalty (SD-C03, SD-M13, SD-J26)."""
    return (*own(sheet, Occasion("initiative", "wits"), switches), *wounded(sheet, switches))


def initiative_totals(play: Play[Any], who: Sequence[tuple[str, Sheet]], switches: Switches) -> dict[str, int]:
    """Four dice each, in the order in which they are listed (SD-C03)."""
    return {
        id: play.check(Roll("initiative", initiative_parts(sheet, switches), "total"), f"initiative {id}")
        for id, sheet in who
    }


def in_order(totals: dict[str, int], who: Sequence[tuple[str, Sheet]]) -> tuple[str, ...]:
    """The order for the whole fight: higher totals first (SD-C04)."""
    ranked = sorted(who, key=lambda one: (-totals[one[0]], precedence(one[1])))
    return tuple(id for id, _ in ranked)


def totals_thrown(throws: tuple[Throw, ...], ids: Sequence[str]) -> dict[str, int]:
    return {id: rolled((throw,))["initiative"].total for id, throw in zip(ids, throws, strict=True)}


def initiative_report(p: InitiativeParams, verdict: Verdict, throws: tuple[Throw, ...]) -> Report:
    who = rollers(p)
    totals = totals_thrown(throws, [id for id, _ in who])
    order = in_order(totals, who)
    lines: list[Because] = []
    for (id, _), throw in zip(who, throws, strict=True):
        one = rolled((throw,))["initiative"]
        lines.append(because("SD-C03", "initiative", who=id, net=signed(one.net), total=one.total))
        lines += map(part_told, one.roll.parts)
    lines.append(because("SD-C04", "order", order=" > ".join(order)))
    return Report(InitiativeOutcome(totals=Map(totals), order=order), tuple(lines))


@calls.check("roll_initiative", "SD-C03 SD-C04 SD-C33", "ordered", initiative_report, InitiativeOutcome)
def roll_initiative(play: Play[Any], p: InitiativeParams) -> Verdict:
    initiative_totals(play, rollers(p), p.options)
    return Verdict("ordered")


def surprise_parts(target: Sheet, best_agility: int, switches: Switches) -> tuple[Part, ...]:
    """Wits and traits against the nimblest ambusher, who does not roll (SD-C02)."""
    lurking = against(best_agility, "SD-C02", Term("attribute", "agility"))
    occasion = Occasion("surprise", "wits", ("ambush",))
    return (*own(target, occasion, switches), lurking, *wounded(target, switches))


def surprise_report(p: SurpriseParams, verdict: Verdict, throws: tuple[Throw, ...]) -> Report:
    found: dict[str, Surprised] = {}
    lines: list[Because] = []
    for target, throw in zip(p.targets, throws, strict=True):
        one = rolled((throw,))["surprise"]
        found[target.id] = Surprised(total=one.total, surprised=not one.success)
        lines += map(part_told, one.roll.parts)
        key = "noticed" if one.success else "surprised"
        lines.append(because("SD-C02", key, who=target.id, net=signed(one.net), total=one.total))
    return Report(SurpriseOutcome(by_id=Map(found)), tuple(lines))


@calls.check("surprise", "SD-C02", "none_surprised some_surprised all_surprised", surprise_report, SurpriseOutcome)
def surprise(play: Play[Any], p: SurpriseParams) -> Verdict:
    """Every target rolls in the order listed; a total of 0 or less is surprised (SD-C02, SD-J39)."""
    identified(p.targets)
    sheets = tuple(settled(one) for one in p.targets)
    noticed = [
        play.check(Roll("surprise", surprise_parts(one, p.ambushers_best_agility, p.options)), f"surprise {one.id}")
        for one in sheets
    ]
    if all(noticed):
        return Verdict("none_surprised")
    return Verdict("some_surprised" if any(noticed) else "all_surprised")


class CombatEndParams(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, cache_hash=True):
    """Who is not named in `statuses` stands."""

    sides: Map[str, tuple[Name, ...]]
    statuses: Map[str, Status] = Map()


class CombatEndOutcome(Outcome, frozen=True, kw_only=True):
    ended: bool
    winner: str | UnsetType | None = UNSET


@calls.query("check_combat_end", "SD-C26")
def check_combat_end(p: CombatEndParams) -> CombatEndOutcome:
    """Over when at most one side has somebody who stands or waits for a Surge; that side has won (SD-C26)."""
    up = [side for side, ids in p.sides.items() if any(_is_up(p, id) for id in ids)]
    if len(up) > 1:
        return CombatEndOutcome(ended=False)
    return CombatEndOutcome(ended=True, winner=up[0] if up else None)


def _is_up(p: CombatEndParams, id: str) -> bool:
    return p.statuses.get(id, "standing") in ("standing", "going_down")


class MissionMeritParams(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, cache_hash=True):
    outcome: Literal["success", "partial", "failure"]
    merit: Count = 0


class MeritOutcome(Outcome, frozen=True, kw_only=True):
    merit: int


@calls.query("mission_merit", "SD-G05")
def mission_merit(p: MissionMeritParams) -> MeritOutcome:
    """Merit after a mission: 3, 2 or 1 more (SD-G05)."""
    return MeritOutcome(merit=p.merit + MERIT[p.outcome])
