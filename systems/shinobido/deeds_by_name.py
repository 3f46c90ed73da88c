"""First aid, flight, Heroic Surge, shaking off and dying by name (sections 7, 9, 10, 20)."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from systems.core.ask import Question
from systems.core.calls import Outcome, Report, Verdict
from systems.core.errors import Illegal
from systems.core.play import Throw
from systems.core.text import Because, because
from systems.shinobido.checks import plain_verdict
from systems.shinobido.deeds import Aid, Dying, Flight, SecondWind, ShakeOff
from systems.shinobido.names import calls
from systems.shinobido.parts import ActParams, limits, wound_penalty
from systems.shinobido.scene_call import ACTOR, SceneCall, acting, affording, rerolling, within_limits
from systems.shinobido.sheet import Sheet, settled
from systems.shinobido.state import Scene
from systems.shinobido.switches import Switches
from systems.shinobido.told import RollOutcome, degree_told, focus_told, roll_fields, rolled, told
from systems.shinobido.vocabulary import Count, Die
from systems.shinobido.wounding import Surge

PATIENT = "patient"


class FirstAidParams(ActParams, frozen=True, kw_only=True, forbid_unknown_fields=True, cache_hash=True):
    actor: Sheet
    patient: Sheet
    in_combat: bool = False
    self: bool = False


class FirstAidOutcome(RollOutcome, frozen=True, kw_only=True):
    healed: int
    patient_wounds: int
    patient_status: str


class FirstAidByName(SceneCall[FirstAidParams]):
    """SD-W09: Intellect against the patient's wounds."""

    id = "first_aid"
    rules = ("SD-W09",)
    grades = ("success", "failure")
    params = FirstAidParams
    outcome = FirstAidOutcome

    def begin(self, p: FirstAidParams) -> Scene:
        actor, patient = settled(p.actor), settled(p.patient)
        acting(actor)
        if patient.status == "dead":
            raise Illegal("target_dead", "SD-W09")
        if not patient.wounds:
            raise Illegal("no_wounds", "SD-W09")
        limits(p.act, p.options)
        if patient.first_aid_tried:
            raise Illegal("first_aid_used", "SD-W09")
        rerolling(actor, p.reroll)
        affording(actor, p.concentrate)
        step = Aid(who=ACTOR, patient=PATIENT, act=p.act, in_combat=p.in_combat, on_oneself=p.self)
        return self.scene({ACTOR: actor, PATIENT: patient}, p.options, step, reroll=p.reroll)

    def verdict(self, p: FirstAidParams, game: Scene, pending: str | None) -> Verdict:
        return plain_verdict(game.result > 0)

    def report(self, p: FirstAidParams, game: Scene, throws: tuple[Throw, ...], pending: Question | None) -> Report:
        (one,) = rolled(throws).values()
        patient, pool = game.cast[PATIENT], game.cast[ACTOR].pool
        healed = p.patient.wounds - patient.wounds
        outcome = FirstAidOutcome(
            **roll_fields(one, pool), healed=healed, patient_wounds=patient.wounds, patient_status=patient.status
        )
        steadied = p.patient.status == "dying"
        lines: tuple[Because, ...] = (*told(one), *degree_told(one))
        if one.success:
            healing = because("SD-W09", "healed", healed=healed, wounds=patient.wounds)
            lines = (*lines, because("SD-W14", "steadied") if steadied else healing)
        return Report(outcome, (*lines, *focus_told(settled(p.actor).pool, p.concentrate, pool)))


class FleeParams(ActParams, frozen=True, kw_only=True, forbid_unknown_fields=True, cache_hash=True):
    actor: Sheet
    opponents: Annotated[tuple[Sheet, ...], Meta(max_length=50)] = ()


class FleeOutcome(Outcome, frozen=True, kw_only=True):
    net: int | UnsetType = UNSET
    modifier: int | UnsetType = UNSET
    total: int | UnsetType = UNSET
    status: str


class FleeByName(SceneCall[FleeParams]):
    """SD-C22: away from the swiftest who stands."""

    id = "flee"
    rules = ("SD-C22",)
    grades = ("success", "failure")
    params = FleeParams
    outcome = FleeOutcome

    def begin(self, p: FleeParams) -> Scene:
        actor = settled(p.actor)
        acting(actor)
        within_limits(actor, p)
        others = {f"opponent {at}": settled(one) for at, one in enumerate(p.opponents, 1)}
        step = Flight(who=ACTOR, opponents=tuple(others), act=p.act)
        return self.scene({ACTOR: actor, **others}, p.options, step, reroll=p.reroll)

    def verdict(self, p: FleeParams, game: Scene, pending: str | None) -> Verdict:
        return plain_verdict(game.result > 0)

    def report(self, p: FleeParams, game: Scene, throws: tuple[Throw, ...], pending: Question | None) -> Report:
        status = game.cast[ACTOR].status
        if not throws:
            return Report(FleeOutcome(status=status), (because("SD-C22", "nobody_to_flee"),))
        (one,) = rolled(throws).values()
        outcome = FleeOutcome(net=one.net, modifier=one.modifier, total=one.total, status=status)
        spent = focus_told(settled(p.actor).pool, p.concentrate, game.cast[ACTOR].pool)
        return Report(outcome, (*told(one), because("SD-C22", "fled" if one.success else "not_fled"), *spent))


class OwnRollParams(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, cache_hash=True):
    """A roll to which no circumstances are added (SD-M13)."""

    actor: Sheet
    reroll: Die | None = None
    options: Switches = Switches()


class SurgeParams(OwnRollParams, frozen=True, kw_only=True, forbid_unknown_fields=True, cache_hash=True):
    mode: Literal["second_wind", "last_stand"]


class SurgeOutcome(Outcome, frozen=True, kw_only=True):
    """`wounds` and `status` only for a Last Stand."""

    modifier: int
    total: int
    wound_penalty_after: int
    surges_used: int
    action_used: bool = False
    wounds: int | UnsetType = UNSET
    status: str | UnsetType = UNSET


class SurgeByName(SceneCall[SurgeParams]):
    """Heroic Surge in either form (SD-H01 to SD-H06)."""

    id = "heroic_surge"
    rules = ("SD-H01", "SD-H03", "SD-H04", "SD-H05", "SD-H06")
    grades = ("success", "failure")
    params = SurgeParams
    outcome = SurgeOutcome

    def begin(self, p: SurgeParams) -> Scene:
        actor = settled(p.actor)
        if p.mode == "second_wind" or actor.status != "going_down":
            acting(actor)
        surging_refused(actor, p)
        rerolling(actor, p.reroll)
        step = SecondWind(ACTOR) if p.mode == "second_wind" else Surge(ACTOR, actor.overkill)
        return self.scene({ACTOR: actor}, p.options, step, reroll=p.reroll)

    def verdict(self, p: SurgeParams, game: Scene, pending: str | None) -> Verdict:
        return plain_verdict(game.result > 0)

    def report(self, p: SurgeParams, game: Scene, throws: tuple[Throw, ...], pending: Question | None) -> Report:
        (one,) = rolled(throws).values()
        actor, last = game.cast[ACTOR], p.mode == "last_stand"
        outcome = SurgeOutcome(
            modifier=one.modifier,
            total=one.total,
            wound_penalty_after=wound_penalty(actor, p.options),
            surges_used=actor.surges_used,
            wounds=actor.wounds if last else UNSET,
            status=actor.status if last else UNSET,
        )
        rule = "SD-H03" if last else "SD-H05"
        return Report(outcome, (*told(one), because(rule, p.mode if one.success else f"{p.mode}_failed")))


def surging_refused(actor: Sheet, p: SurgeParams) -> None:
    """Raises `Illegal` surge_used or surge_not_applicable (SD-H04, SD-H05, SD-H06)."""
    if actor.kind == "grunt":
        raise Illegal("surge_not_applicable", "SD-H06")
    if not actor.surges_left:
        raise Illegal("surge_used", "SD-H04")
    if p.mode == "second_wind" and not wound_penalty(actor, p.options):
        raise Illegal("surge_not_applicable", "SD-H05")


class ShakeOffOutcome(Outcome, frozen=True, kw_only=True):
    modifier: int
    total: int
    hindrance: int


class ShakeOffByName(SceneCall[OwnRollParams]):
    """Behind the switch `focus_effects` (SD-X07)."""

    id = "shake_off"
    rules = ("SD-X07",)
    grades = ("success", "failure")
    params = OwnRollParams
    outcome = ShakeOffOutcome

    def begin(self, p: OwnRollParams) -> Scene:
        actor = settled(p.actor)
        acting(actor)
        if not p.options.focus_effects:
            raise Illegal("option_disabled", "SD-X07", option="focus_effects")
        if not actor.hindrance:
            raise Illegal("no_hindrance", "SD-X07")
        if actor.hindrance_attr is None:
            raise Illegal("invariant_violated", "SD-X07")
        rerolling(actor, p.reroll)
        return self.scene({ACTOR: actor}, p.options, ShakeOff(ACTOR), reroll=p.reroll)

    def verdict(self, p: OwnRollParams, game: Scene, pending: str | None) -> Verdict:
        return plain_verdict(game.result > 0)

    def report(self, p: OwnRollParams, game: Scene, throws: tuple[Throw, ...], pending: Question | None) -> Report:
        (one,) = rolled(throws).values()
        left = game.cast[ACTOR].hindrance
        lines = (*told(one), because("SD-X07", "shaken_off" if one.success else "still_hindered", severity=left))
        return Report(ShakeOffOutcome(modifier=one.modifier, total=one.total, hindrance=left), lines)


class DyingParams(OwnRollParams, frozen=True, kw_only=True, forbid_unknown_fields=True, cache_hash=True):
    """Without `overkill` that of the sheet."""

    overkill: Count | None = None


class DyingOutcome(Outcome, frozen=True, kw_only=True):
    modifier: int
    total: int
    status: str


class DyingByName(SceneCall[DyingParams]):
    """SD-W14."""

    id = "dying_check"
    rules = ("SD-W14",)
    grades = ("success", "failure")
    params = DyingParams
    outcome = DyingOutcome

    def begin(self, p: DyingParams) -> Scene:
        actor = settled(p.actor)
        if actor.status == "dead":
            raise Illegal("actor_dead", "SD-W14")
        rerolling(actor, p.reroll)
        overkill = actor.overkill if p.overkill is None else p.overkill
        return self.scene({ACTOR: actor}, p.options, Dying(ACTOR, overkill), reroll=p.reroll)

    def verdict(self, p: DyingParams, game: Scene, pending: str | None) -> Verdict:
        return plain_verdict(game.result > 0)

    def report(self, p: DyingParams, game: Scene, throws: tuple[Throw, ...], pending: Question | None) -> Report:
        (one,) = rolled(throws).values()
        status = game.cast[ACTOR].status
        line = because("SD-W14", "survived" if one.success else "died")
        return Report(DyingOutcome(modifier=one.modifier, total=one.total, status=status), (*told(one), line))


for by_name in (FirstAidByName, FleeByName, SurgeByName, ShakeOffByName, DyingByName):
    calls.add(by_name())
