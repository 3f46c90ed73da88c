"""Who acts when: surprise, initiative, the end of a fight, the Merit of a mission (sections 7 and 11)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from systems.core.ask import Question
from systems.core.calls import ByIds, Outcome, Report, Verdict
from systems.core.errors import Illegal
from systems.core.game import Step, change
from systems.core.play import Play, Throw
from systems.core.text import Because, Term, because
from systems.core.values import Map
from systems.shinobido.events import SurpriseResolved
from systems.shinobido.names import calls
from systems.shinobido.parts import Occasion, against, own, wounded
from systems.shinobido.rolling import roll
from systems.shinobido.rolls import Roll
from systems.shinobido.scene_call import SceneCall
from systems.shinobido.sheet import Sheet, settled
from systems.shinobido.state import Scene
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


def ready(play: Play[Scene], who: str) -> int:
    """The initiative total of one who takes part: Wits and traits less the wound penalty (SD-C03, SD-E03, SD-J26)."""
    sheet, switches = play.game.cast[who], play.game.switches
    parts = (*own(sheet, Occasion("initiative", "wits"), switches), *wounded(sheet, switches))
    return roll(play, who, Roll("initiative", parts, "total"), f"initiative {who}")


def in_order(totals: dict[str, int], cast: Map[str, Sheet]) -> tuple[str, ...]:
    """The order for the whole fight: higher totals first (SD-C04)."""
    return tuple(sorted(totals, key=lambda who: (-totals[who], precedence(cast[who]))))


class GetReady(Step, Struct, frozen=True, cache_hash=True, tag="get_ready"):
    """One rolls initiative."""

    who: str

    def run(self, play: Play[Scene]) -> None:
        ready(play, self.who)


class InitiativeByName(SceneCall[InitiativeParams]):
    """The order of a fight, each for oneself or one for each side (SD-C03, SD-C04, SD-C33, SD-X05)."""

    id = "roll_initiative"
    rules = ("SD-C03", "SD-C04", "SD-C33")
    grades = ("ordered",)
    params = InitiativeParams
    outcome = InitiativeOutcome

    def begin(self, p: InitiativeParams) -> Scene:
        who = rollers(p)
        return self.scene(dict(who), p.options, *(GetReady(one) for one, _ in who))

    def verdict(self, p: InitiativeParams, game: Scene, pending: str | None) -> Verdict:
        return Verdict("ordered")

    def is_decided(self, p: InitiativeParams, game: Scene) -> bool:
        return True

    def report(self, p: InitiativeParams, game: Scene, throws: tuple[Throw, ...], pending: Question | None) -> Report:
        totals: dict[str, int] = {}
        lines: list[Because] = []
        for (who, _), throw in zip(rollers(p), throws, strict=True):
            one = rolled((throw,))["initiative"]
            totals[who] = one.total
            lines.append(because("SD-C03", "initiative", who=who, net=signed(one.net), total=one.total))
            lines += map(part_told, one.roll.parts)
        order = in_order(totals, game.cast)
        lines.append(because("SD-C04", "order", order=" > ".join(order)))
        return Report(InitiativeOutcome(totals=Map(totals), order=order), tuple(lines))


class Notice(Step, Struct, frozen=True, cache_hash=True, tag="notice"):
    """One who is lain in wait for: Wits against the nimblest ambusher, who does not roll (SD-C02, SD-J39)."""

    who: str
    best_agility: int

    def run(self, play: Play[Scene]) -> None:
        scene = play.game
        sheet, switches = scene.cast[self.who], scene.switches
        lurking = against(self.best_agility, "SD-C02", Term("attribute", "agility"))
        occasion = Occasion("surprise", "wits", ("ambush",))
        parts = (*own(sheet, occasion, switches), lurking, *wounded(sheet, switches))
        noticed = roll(play, self.who, Roll("surprise", parts), f"surprise {self.who}", bool(scene.hidden)) > 0
        play.emit(SurpriseResolved(self.who, not noticed))


class SurpriseByName(SceneCall[SurpriseParams]):
    """Every target rolls, in the order listed (SD-C02)."""

    id = "surprise"
    rules = ("SD-C02",)
    grades = ("none_surprised", "some_surprised", "all_surprised")
    params = SurpriseParams
    outcome = SurpriseOutcome

    def begin(self, p: SurpriseParams) -> Scene:
        identified(p.targets)
        cast = {one.id: change(settled(one), surprised=False) for one in p.targets}
        return self.scene(cast, p.options, *(Notice(who, p.ambushers_best_agility) for who in cast))

    def verdict(self, p: SurpriseParams, game: Scene, pending: str | None) -> Verdict:
        surprised = self._so_far(p, game)
        if not any(surprised):
            return Verdict("none_surprised")
        return Verdict("all_surprised" if all(surprised) else "some_surprised")

    def is_decided(self, p: SurpriseParams, game: Scene) -> bool:
        surprised = self._so_far(p, game)
        return any(surprised) and not all(surprised)

    def report(self, p: SurpriseParams, game: Scene, throws: tuple[Throw, ...], pending: Question | None) -> Report:
        found: dict[str, Surprised] = {}
        lines: list[Because] = []
        for target, throw in zip(p.targets, throws, strict=True):
            one = rolled((throw,))["surprise"]
            found[target.id] = Surprised(total=one.total, surprised=not one.success)
            lines += map(part_told, one.roll.parts)
            key = "noticed" if one.success else "surprised"
            lines.append(because("SD-C02", key, who=target.id, net=signed(one.net), total=one.total))
        return Report(SurpriseOutcome(by_id=Map(found)), tuple(lines))

    def _so_far(self, p: SurpriseParams, game: Scene) -> tuple[bool, ...]:
        through = p.targets[: len(p.targets) - len(game.agenda)]
        return tuple(game.cast[one.id].surprised for one in through)


calls.add(InitiativeByName())
calls.add(SurpriseByName())


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
