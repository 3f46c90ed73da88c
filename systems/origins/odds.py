"""The odds questions of the digest (chapter 22): the rules themselves, followed down every branch of their dice."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from systems.core import solve
from systems.core.ask import Question
from systems.core.calls import Outcome
from systems.core.calls import odds as odds_of
from systems.core.game import Game, Message
from systems.core.odds import Distribution, branches, distribution
from systems.core.play import AssumedAnswers, Play
from systems.core.values import Map
from systems.origins import position as positions
from systems.origins.chart import UNHARMED, HarmChart
from systems.origins.defence import Blow, Defended, refuse_defence, settle_defence
from systems.origins.dice import PoolParams, PoolSize, Reading, effect_of, readings
from systems.origins.downtime import WorkParams
from systems.origins.effect import Clock
from systems.origins.enemies import loses_turn
from systems.origins.fight import Fight
from systems.origins.given import ACTOR, ActionPool, Actor, Choices, Enemy, ResolveParams
from systems.origins.harm import pay, privation_price
from systems.origins.honor import Faces, glory_roll, lying, refuse_glory
from systems.origins.market import FOUND_FROM, ScrollParams
from systems.origins.names import calls
from systems.origins.options import DEFAULT, Config
from systems.origins.pvp import PvpParams, Side, contest
from systems.origins.resolve import ResolveAction
from systems.origins.teamwork import LeadGroup, LeadGroupParams, Member
from systems.origins.vocabulary import (
    MAX_HONOR,
    Band,
    Chakra,
    Difficulty,
    Letter,
    Nation,
    Params,
    Points,
    Position,
    Rate,
    Surcharge,
)

BAND_ORDER: tuple[Band, ...] = ("fail", "partial", "full", "crit")


class BandsOutcome(Outcome, frozen=True, kw_only=True):
    p_fail: Fraction
    p_partial: Fraction
    p_full: Fraction
    p_crit: Fraction
    p_success: Fraction
    p_triple_crit: Fraction


@calls.odds("bands", rules="SO-C02 SO-C03 SO-C04 SO-C05 SO-C06")
def bands(p: PoolParams) -> BandsOutcome:
    """The chance of every band of a pool."""
    shown = readings(p.dice)
    by_band = shown.by(lambda one: one.band)
    return BandsOutcome(
        p_fail=by_band["fail"],
        p_partial=by_band["partial"],
        p_full=by_band["full"],
        p_crit=by_band["crit"],
        p_success=shown.where(lambda one: one.success),
        p_triple_crit=shown.where(lambda one: one.triple_crit),
    )


class EffectParams(PoolParams, frozen=True, kw_only=True):
    rate: Rate
    bonus_effect: Points = 0
    penalty_effect: Points = 0


class EffectOutcome(Outcome, frozen=True, kw_only=True):
    distribution: Map[int, Fraction]
    expected: Fraction


def _effects(dice: int, rate: Rate, bonus: int = 0, penalty: int = 0) -> Distribution[int]:
    return readings(dice).by(lambda one: effect_of(rate, one.band, bonus, penalty))


@calls.odds("effect", rules="SO-C07 SO-C08 SO-C09 SO-C10 SO-C11 SO-C12")
def effect(p: EffectParams) -> EffectOutcome:
    """How many points of effect a roll gives."""
    found = _effects(p.dice, p.rate, p.bonus_effect, p.penalty_effect)
    return EffectOutcome(distribution=Map(found.weights), expected=found.mean(int))


class StartOutcome(Outcome, frozen=True, kw_only=True):
    p_desperate: Fraction
    p_risky: Fraction
    p_controlled: Fraction


@calls.odds("start_position", rules="SO-B05")
def start_position(p: PoolParams) -> StartOutcome:
    """Where a character begins a fight."""
    found = readings(p.dice).by(lambda one: positions.start_position(one.band))
    return StartOutcome(p_desperate=found["desperate"], p_risky=found["risky"], p_controlled=found["controlled"])


class GroupParams(Params, frozen=True, kw_only=True):
    pools: Annotated[tuple[PoolSize, ...], Meta(max_length=20)]


class GroupOutcome(Outcome, frozen=True, kw_only=True):
    p_fail: Fraction
    p_partial: Fraction
    p_full: Fraction
    p_crit: Fraction
    expected_leader_cost: Fraction


@calls.odds("group", rules="SO-T12 SO-T13 SO-T14")
def group(p: GroupParams) -> GroupOutcome:
    """The best band of a group, and what its leader pays. Raises `group_needs_two`."""
    members = tuple(Member(id=str(place), pool=pool) for place, pool in enumerate(p.pools))
    best = odds_of(LeadGroup(), LeadGroupParams(members=members)).by(lambda one: one.grade)
    below = (readings(one.dice).where(lambda reading: not reading.success) for one in members)
    return GroupOutcome(
        p_fail=best["fail"],
        p_partial=best["partial"],
        p_full=best["full"],
        p_crit=best["crit"],
        expected_leader_cost=sum(below, Fraction(0)),
    )


class Chosen(Struct, frozen=True):
    """Answers a whole action out of its parameters; what they leave open is answered as odds assume."""

    params: ResolveParams

    def window(self, play: Play[Any], questions: tuple[Question, ...], veiled: bool) -> tuple[Message, ...]:
        call = ResolveAction()
        return tuple(call.decide(self.params, play.game, one) or one.assumed for one in questions)


class ConsequenceParams(PoolParams, frozen=True, kw_only=True):
    position: Position
    option: Letter = "A"
    config: Config = DEFAULT


def whole_action(p: ConsequenceParams, chart: HarmChart = UNHARMED) -> Distribution[Fight]:
    """Where one action leads that an average enemy answers with its turn, everything taken undefended."""
    params = ResolveParams(
        actor=Actor(position=p.position, harm_chart=chart),
        roll=ActionPool(pool=p.dice),
        enemy=Enemy(difficulty="average", turns_left=1),
        choices=Choices(option=p.option),
        config=p.config,
    )
    return solve.settle(ResolveAction().begin(params), Chosen(params))


class ConsequenceOutcome(Outcome, frozen=True, kw_only=True):
    p_consequence: Fraction
    p_any_harm: Fraction
    p_choice: Fraction


@calls.odds("consequence", rules="SO-P03 SO-P11 SO-P12 SO-P13 SO-E03")
def consequence(p: ConsequenceParams) -> ConsequenceOutcome:
    """Whether an action brings a consequence, whether harm is among it, and whether there is a choice instead."""
    ends = whole_action(p)
    return ConsequenceOutcome(
        p_consequence=ends.where(lambda one: bool(one.acting.settled)),
        p_any_harm=ends.where(lambda one: any(each.kind == "harm" for each in one.acting.settled)),
        p_choice=readings(p.dice).where(lambda one: bool(positions.cell(p.position, one.band).choice)),
    )


class HarmDeathParams(ConsequenceParams, frozen=True, kw_only=True):
    harm_chart: HarmChart = UNHARMED


class HarmDeathOutcome(Outcome, frozen=True, kw_only=True):
    p_death: Fraction


@calls.odds("harm_death", rules="SO-H03 SO-H04 SO-P13")
def harm_death(p: HarmDeathParams) -> HarmDeathOutcome:
    """Whether one action kills, all harm taken undefended."""
    ends = whole_action(p, p.harm_chart)
    return HarmDeathOutcome(p_death=ends.where(lambda one: one.fighters[ACTOR].dead))


class DefendOddsParams(PoolParams, frozen=True, kw_only=True):
    chakra: Chakra = 0
    surcharge: Surcharge = 0
    alternate: bool = False


class DefendOddsOutcome(Outcome, frozen=True, kw_only=True):
    p_faint: Fraction
    expected_net_cost: Fraction
    distribution: Map[int, Fraction]


@calls.odds("defend", rules="SO-D03 SO-D04 SO-D05 SO-D07 SO-D08 SO-D10")
def defend(p: DefendOddsParams) -> DefendOddsOutcome:
    """What a defence against harm costs in the end; the net cost is not cut at the chakra left or at ten.

    Raises `insufficient_chakra` for another skill without three chakra (SO-D05).
    """
    blow = Blow(kind="harm", surcharge=p.surcharge)
    if refusal := refuse_defence(blow, None, gm_allows=False, alternate=p.alternate, chakra=p.chakra):
        raise refusal

    def settled(reading: Reading) -> Defended:
        return settle_defence(reading, blow, p.chakra, alternate=p.alternate)

    ends = readings(p.dice).by(settled)
    net = ends.by(lambda one: one.cost - one.restored)
    return DefendOddsOutcome(
        p_faint=ends.where(lambda one: one.paid.unconscious),
        expected_net_cost=net.mean(int),
        distribution=Map(net.weights),
    )


class TurnLostParams(PoolParams, frozen=True, kw_only=True):
    difficulty: Difficulty


class TurnLostOutcome(Outcome, frozen=True, kw_only=True):
    p_lost: Fraction


@calls.odds("enemy_turn_lost", rules="SO-E05 SO-E06")
def enemy_turn_lost(p: TurnLostParams) -> TurnLostOutcome:
    """Whether an action roll takes a turn from an enemy that has one."""
    return TurnLostOutcome(p_lost=readings(p.dice).where(lambda one: loses_turn(p.difficulty, one)))


class FillClockParams(PoolParams, frozen=True, kw_only=True):
    rate: Rate
    size: Annotated[int, Meta(ge=1, le=12)]
    filled: Annotated[int, Meta(ge=0, le=12)] = 0
    rolls: Annotated[int, Meta(ge=1, le=20)]
    bonus_effect: Points = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.filled > self.size:
            raise ValueError("`filled` is at most `size`")


class FillClockOutcome(Outcome, frozen=True, kw_only=True):
    p_filled: Fraction
    by_roll: tuple[Fraction, ...]


@calls.odds("fill_clock", rules="SO-F01 SO-C07 SO-C08")
def fill_clock(p: FillClockParams) -> FillClockOutcome:
    """Whether so many rolls fill a clock; `by_roll` is the chance that it is full after the first, the second …"""
    gained, by_roll = _effects(p.dice, p.rate, p.bonus_effect), []
    at: dict[int, Fraction] = {p.filled: Fraction(1)}
    for _ in range(p.rolls):
        after: dict[int, Fraction] = defaultdict(Fraction)
        for filled, weight in at.items():
            for ticks, share in gained:
                after[Clock(p.size, filled).ticked(ticks).filled] += weight * share
        at = after
        by_roll.append(at.get(p.size, Fraction(0)))
    return FillClockOutcome(p_filled=by_roll[-1], by_roll=tuple(by_roll))


class PvpOddsParams(Params, frozen=True, kw_only=True):
    initiator_pool: PoolSize
    defender_pool: PoolSize


class PvpOddsOutcome(Outcome, frozen=True, kw_only=True):
    p_initiator_wins: Fraction
    p_tie: Fraction
    p_defender_wins: Fraction
    margin: Map[int, Fraction]


@calls.odds("pvp", rules="SO-X01 SO-X02 SO-X03")
def pvp(p: PvpOddsParams) -> PvpOddsOutcome:
    """Who wins, and by how much (initiator minus defender)."""
    params = PvpParams(initiator=Side(pool=p.initiator_pool), defender=Side(pool=p.defender_pool))
    ends = Distribution(
        branches(lambda chance: contest(Play(Game(), chance, AssumedAnswers(), keep=False), params).margin)
    )
    return PvpOddsOutcome(
        p_initiator_wins=ends.where(lambda margin: margin > 0),
        p_tie=ends[0],
        p_defender_wins=ends.where(lambda margin: margin < 0),
        margin=Map(ends.weights),
    )


class ShopOddsOutcome(Outcome, frozen=True, kw_only=True):
    p_available: Fraction


@calls.odds("shop", rules="SO-M01")
def shop(p: PoolParams) -> ShopOddsOutcome:
    """Whether an item is found."""
    return ShopOddsOutcome(p_available=_effects(p.dice, "downtime").where(lambda points: points >= FOUND_FROM))


class ScrollRequestParams(PoolParams, frozen=True, kw_only=True):
    description: bool = False
    requested_is_local: bool = False


class ScrollRequestOutcome(Outcome, frozen=True, kw_only=True):
    p_request_met: Fraction


@calls.odds("scroll_request", rules="SO-M05 SO-M06 SO-M09")
def scroll_request(p: ScrollRequestParams) -> ScrollRequestOutcome:
    """Whether a scroll of the requested nation is found; describing it costs two dice."""
    local: Nation = "fire" if p.requested_is_local else "ice"
    asked = ScrollParams(requested="fire", local=local, pool=p.dice, description=p.description)
    return ScrollRequestOutcome(p_request_met=_effects(asked.thrown, "downtime").where(asked.answered))


class PrivationOddsParams(PoolParams, frozen=True, kw_only=True):
    chakra: Chakra = 0


class PrivationOddsOutcome(Outcome, frozen=True, kw_only=True):
    p_harm: Fraction
    p_unconscious: Fraction
    expected_chakra_paid: Fraction


@calls.odds("privation", rules="SO-H29 SO-H30 SO-H31")
def privation(p: PrivationOddsParams) -> PrivationOddsOutcome:
    """A day without food or water: a wound on a fail, else chakra, at most what is left."""
    shown = readings(p.dice)

    def paid(reading: Reading) -> int:
        return min(privation_price(reading), p.chakra) if reading.success else 0

    return PrivationOddsOutcome(
        p_harm=shown.where(lambda one: not one.success),
        p_unconscious=shown.where(lambda one: one.success and pay(p.chakra, privation_price(one)).unconscious),
        expected_chakra_paid=shown.mean(paid),
    )


class WorkOddsParams(PoolParams, frozen=True, kw_only=True):
    clock: Annotated[int, Meta(ge=0, le=3)] = 0
    bonus_effect: Points = 0


class WorkOddsOutcome(Outcome, frozen=True, kw_only=True):
    gold: Map[int, Fraction]
    expected_gold: Fraction


@calls.odds("work", rules="SO-W07")
def work(p: WorkOddsParams) -> WorkOddsOutcome:
    """The gold that one job pays."""
    job = WorkParams(pool=p.dice, clock=p.clock)
    gold = _effects(p.dice, "downtime", p.bonus_effect).by(lambda points: job.ticked(points)[0])
    return WorkOddsOutcome(gold=Map(gold.weights), expected_gold=gold.mean(int))


class GloryOddsParams(Params, frozen=True, kw_only=True):
    pool: PoolSize
    rolled: Faces = ()
    want: Literal["partial", "full", "crit"]


class GloryOddsOutcome(Outcome, frozen=True, kw_only=True):
    p_reach: Fraction


@calls.odds("glory", rules="SO-O16 SO-O18")
def glory(p: GloryOddsParams) -> GloryOddsOutcome:
    """Whether Glory lifts the roll that lies there to the wanted band. Raises `glory_unavailable` (SO-O18)."""
    if refusal := refuse_glory(MAX_HONOR, p.pool):
        raise refusal
    wanted = BAND_ORDER[BAND_ORDER.index(p.want) :]
    shown = distribution(glory_roll(p.pool, lying(p.pool, p.rolled)))
    return GloryOddsOutcome(p_reach=shown.where(lambda one: one.band in wanted))
