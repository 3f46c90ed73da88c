"""Questions without dice: distance, Target Number, Fumble Value, Range, Plot and the use of a ninpo."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType, field

from systems.core.calls import Outcome
from systems.core.errors import Illegal
from systems.shinobigami.checks import fumble_value
from systems.shinobigami.ids import Battlefield, Context, Count, Id, Plot, Timing, Wide
from systems.shinobigami.matrix import distance
from systems.shinobigami.names import calls
from systems.shinobigami.ninpo import Ninpo, find
from systems.shinobigami.range import RangeKind, in_range
from systems.shinobigami.sheet import Character, target_number

HIGHEST_PLOT = 7  # SG-W13, SG-Z29
PLOT_PHASE_COST = 6  # SG-N07
DRAMA_TIMINGS = ("drama_own_scene", "drama_any", "any_time", "scene_not_present")  # SG-N10
PLOT_TIMINGS = ("plot_before_choice", "plot_before_reveal", "plot_on_reveal")
RESOLUTION_TIMINGS = (
    "attack",
    "instead_of_attack",
    "own_turn",
    "before_own_attack_check",
    "after_own_attack_success",
    "after_own_attack_dodged",
    "before_own_dodge",
    "on_own_dodge_success",
    "on_drop_out_self",
    "end_of_round",
)
BATTLE_TIMINGS = ("before_any_check", "after_any_roll", "on_lp_loss_self", "on_lp_loss_any")
FREE_TIMINGS = ("any_time", "scene_not_present")


class DistanceParams(Struct, frozen=True, cache_hash=True, kw_only=True, forbid_unknown_fields=True):
    start: Id = field(name="from")
    to: Id
    clan: Id | None = None
    wrap_columns: bool = False
    wrap_rows: bool = False


class DistanceOutcome(Outcome, frozen=True, kw_only=True):
    distance: int


@calls.query("distance", "SG-M02 SG-M03 SG-M04 SG-M05 SG-M06 SG-M07 SG-M08")
def ask_distance(p: DistanceParams) -> DistanceOutcome:
    apart = distance(p.start, p.to, clan=p.clan, wrap_columns=p.wrap_columns, wrap_rows=p.wrap_rows)
    return DistanceOutcome(distance=apart)


class TargetNumberParams(Struct, frozen=True, cache_hash=True, kw_only=True, forbid_unknown_fields=True):
    character: Character
    skill: Id


class TargetNumberOutcome(Outcome, frozen=True, kw_only=True):
    """`used_skill` only where one usable skill is the nearest (SG-M11)."""

    target_number: int | None
    used_skill: str | UnsetType = UNSET
    distance: int | UnsetType = UNSET
    critical_only: bool


@calls.query("target_number", "SG-M09 SG-M10 SG-M11 SG-M12 SG-H06 SG-H22 SG-Z05")
def ask_target_number(p: TargetNumberParams) -> TargetNumberOutcome:
    needed = target_number(p.character, p.skill)
    return TargetNumberOutcome(
        target_number=needed.value,
        used_skill=needed.used_skill or UNSET,
        distance=UNSET if needed.distance is None else needed.distance,
        critical_only=needed.value is None,
    )


class FumbleValueParams(Struct, frozen=True, cache_hash=True, kw_only=True, forbid_unknown_fields=True):
    context: Context
    plot: Plot | None = None
    ninpo_cost: Count = 0
    battlefield: Battlefield = "level_ground"
    fumble_mod: Wide = 0


class FumbleValueOutcome(Outcome, frozen=True, kw_only=True):
    """Null: no Fumble is possible (SG-C11)."""

    fumble_value: int | None


@calls.query("fumble_value", "SG-C10 SG-C11 SG-N11 SG-W05 SG-W14 SG-W15 SG-Z26 SG-Z30 SG-Z61")
def ask_fumble_value(p: FumbleValueParams) -> FumbleValueOutcome:
    return FumbleValueOutcome(fumble_value=fumble_value(p.context, p.plot, p.ninpo_cost, p.battlefield, p.fumble_mod))


class InRangeParams(Struct, frozen=True, cache_hash=True, kw_only=True, forbid_unknown_fields=True):
    own_plot: Plot
    target_plot: Plot
    range: Count | None
    kind: RangeKind = "attack"
    battlefield: Battlefield = "level_ground"


class InRangeOutcome(Outcome, frozen=True, kw_only=True):
    in_range: bool


@calls.query("in_range", "SG-N05 SG-W05 SG-W14 SG-Z45")
def ask_in_range(p: InRangeParams) -> InRangeOutcome:
    return InRangeOutcome(in_range=in_range(p.own_plot, p.target_plot, p.range, p.kind, p.battlefield))


class PlotShiftParams(Struct, frozen=True, cache_hash=True, kw_only=True, forbid_unknown_fields=True):
    plot: Plot
    amount: Wide


class PlotShiftOutcome(Outcome, frozen=True, kw_only=True):
    plot: int
    fumble_value: int | None


@calls.query("plot_shift", "SG-W13 SG-C10 SG-Z29")
def plot_shift(p: PlotShiftParams) -> PlotShiftOutcome:
    """Effects keep a Plot inside 0..7; below 1 it is a Plot Foul, which is Plot 0."""
    plot = max(0, min(HIGHEST_PLOT, p.plot + p.amount))
    return PlotShiftOutcome(plot=plot, fumble_value=fumble_value("combat", plot))


class UseNinpoParams(Struct, frozen=True, cache_hash=True, kw_only=True, forbid_unknown_fields=True):
    """A ninpo about to be declared; `scene_player`: the user is the Scene Player."""

    context: Literal["drama", "plot", "combat"]
    cost: Count
    plot: Plot = 0
    spent_cost: Count = 0
    plot_phase_cost: Count = 0
    timing: Timing | UnsetType = UNSET
    remote: bool = False
    scene_player: bool = False
    in_scene: bool = True


class UseNinpoOutcome(Outcome, frozen=True, kw_only=True):
    """`error` is null where it is allowed; `fumble_value` only in a Drama Scene (SG-N11)."""

    allowed: bool
    error: str | None
    fumble_value: int | UnsetType | None = UNSET


@calls.query("use_ninpo_check", "SG-N01 SG-N05 SG-N06 SG-N07 SG-N08 SG-N10 SG-N11 SG-N12 SG-Z79")
def use_ninpo_check(p: UseNinpoParams) -> UseNinpoOutcome:
    """Timing, then scene, then Cost (SG-ERR1)."""
    error = _timing_error(p) or _scene_error(p) or _cost_error(p)
    value = fumble_value("drama", ninpo_cost=p.cost) if p.context == "drama" else UNSET
    return UseNinpoOutcome(allowed=error is None, error=error, fumble_value=value)


def _timing_error(p: UseNinpoParams) -> str | None:
    """Each timing has its place; Equip ninpo are never used (SG-N01, SG-N10)."""
    if p.timing is UNSET:
        return None
    if p.context == "drama":
        here = p.timing in DRAMA_TIMINGS and not (p.timing == "scene_not_present" and p.in_scene)
        return None if here else "ninpo_not_in_drama"
    own = PLOT_TIMINGS if p.context == "plot" else RESOLUTION_TIMINGS
    return None if p.timing in own + BATTLE_TIMINGS + FREE_TIMINGS else "ninpo_timing"


def _scene_error(p: UseNinpoParams) -> str | None:
    """SG-N12."""
    if p.timing == "drama_own_scene" and not p.scene_player:
        return "scene_player_only"
    return None if p.in_scene or p.remote else "not_in_scene"


def _cost_error(p: UseNinpoParams) -> str | None:
    """No limit in a Drama Scene (SG-N11); six in the Plot phase (SG-N07); else the Plot, and the lock (SG-N06, N08)."""
    if p.context == "plot":
        return "plot_phase_cost_exceeded" if p.plot_phase_cost + p.cost > PLOT_PHASE_COST else None
    if p.context == "drama":
        return None
    if p.cost and p.plot_phase_cost > p.plot:
        return "cost_locked"
    return "cost_exceeded" if p.cost and p.spent_cost + p.cost > p.plot else None


class DeathAttackParams(Struct, frozen=True, cache_hash=True, kw_only=True, forbid_unknown_fields=True):
    character: Character
    ninpo: Id
    plot: Annotated[int, Meta(ge=0, le=7)] = 0


class DeathAttackOutcome(Outcome, frozen=True, kw_only=True):
    """`target_number` is null where the ninpo needs no check, or no skill is known; `error` says what forbids it."""

    allowed: bool
    error: str | None
    target_number: int | None
    warnings: tuple[str, ...]


@calls.query("death_attack_check", "SG-X11 SG-N13 SG-Z33")
def death_attack_check(p: DeathAttackParams) -> DeathAttackOutcome:
    """All Costs 0, every known skill usable; sealed ninpo stay sealed, Backlash stays in force."""
    ninpo = find(p.ninpo)
    error = _death_error(p.character, ninpo)
    skill = _assigned_skill(p.character, ninpo)
    needed = target_number(p.character, skill, p.character.skills).value if skill else None
    warnings = ("death_attack_in_backlash",) if p.character.backlash and skill else ()
    return DeathAttackOutcome(allowed=error is None, error=error, target_number=needed, warnings=warnings)


def _death_error(sheet: Character, ninpo: Ninpo) -> str | None:
    if ninpo.id in sheet.sealed("cursed"):
        return "ninpo_sealed"
    return "ninpo_timing" if ninpo.type == "equip" else None


def _assigned_skill(sheet: Character, ninpo: Ninpo) -> str | None:
    """The skill chosen on learning, or the fixed one. Raises `Illegal` `assigned_skill_missing` (SG-B13)."""
    if ninpo.assigned_skill is None:
        return None
    learned = (one.assigned_skill for one in sheet.learned if one.ninpo_id == ninpo.id)
    skill = next((one for one in learned if one), ninpo.assigned_skill.fixed)
    if skill is None:
        raise Illegal("assigned_skill_missing", "SG-B13", ninpo=ninpo.id)
    return skill
