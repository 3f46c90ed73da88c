"""Group rolls and waking an ally (chapter 7)."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta, Struct

from systems.core.ask import Question
from systems.core.calls import CheckCall, Outcome, Report, Verdict
from systems.core.errors import Illegal
from systems.core.game import Game, Public, Step
from systems.core.play import Play, Throw
from systems.core.text import Because, Term, because
from systems.origins.chart import UNHARMED, HarmChart, Recorded
from systems.origins.dice import (
    NOTHING,
    PoolParams,
    Reading,
    SkillRoll,
    band_line,
    effect_lines,
    effect_of,
    pool_lines,
    read,
    sixes_in,
)
from systems.origins.harm import WOKEN_CHAKRA, drain, pay
from systems.origins.names import calls
from systems.origins.options import DEFAULT, Config
from systems.origins.vocabulary import BANDS, Band, Chakra, Id, Params


class GroupRoll(Game, frozen=True, cache_hash=True):
    """A group roll on its way: the best reading so far."""

    best: Reading = NOTHING


class MemberRolled(Public, Struct, frozen=True, cache_hash=True, tag="member_rolled"):
    """One member's own result; the better one counts for everybody (SO-T12)."""

    who: str
    reading: Reading

    def applied(self, game: GroupRoll) -> GroupRoll:
        return GroupRoll(game.agenda, max(game.best, self.reading, key=lambda one: one.rank))


class RollMember(Step, Struct, frozen=True, cache_hash=True, tag="roll_member"):
    """One member throws; without dice two, the lower counts (SO-T14)."""

    who: str
    dice: int

    def run(self, play: Play[GroupRoll]) -> None:
        play.emit(MemberRolled(self.who, play.check(SkillRoll(self.dice), self.who)))


class Member(PoolParams, frozen=True, kw_only=True):
    """Somebody who was called to the roll."""

    id: Id


class LeadGroupParams(Params, frozen=True, kw_only=True):
    leader_chakra: Chakra = 0
    members: Annotated[tuple[Member, ...], Meta(max_length=20)] = ()


class LeadGroupOutcome(Outcome, frozen=True, kw_only=True):
    best_result: int
    best_band: Band
    below_four: int
    leader_cost: int
    leader_chakra: int
    leader_unconscious: bool
    critical_ability_by: tuple[str, ...]


class LeadGroup(CheckCall[LeadGroupParams, GroupRoll]):
    """The leader first, then the members in listed order, all pools before anything else (SO-C18).

    The result is everybody's (SO-T15, SO-R36); the leader pays for those who threw below 4.
    """

    id = "lead_group"
    rules = ("SO-T12", "SO-T13", "SO-T14", "SO-T15")
    grades = tuple(BANDS.split())
    params = LeadGroupParams
    outcome = LeadGroupOutcome

    def begin(self, p: LeadGroupParams) -> GroupRoll:
        """Raises `group_needs_two`."""
        if len(p.members) < 2:
            raise Illegal("group_needs_two", "SO-T12")
        return GroupRoll(tuple(RollMember(one.id, one.dice) for one in p.members))

    def verdict(self, p: LeadGroupParams, game: GroupRoll, pending: str | None) -> Verdict:
        return Verdict(game.best.band, game.best.success)

    def report(
        self, p: LeadGroupParams, game: GroupRoll, throws: tuple[Throw, ...], pending: Question | None
    ) -> Report:
        own = [read(throw) for throw in throws]
        below = sum(not one.success for one in own)
        paid = pay(p.leader_chakra, below)
        outcome = LeadGroupOutcome(
            best_result=game.best.result,
            best_band=game.best.band,
            below_four=below,
            leader_cost=below,
            leader_chakra=paid.chakra,
            leader_unconscious=paid.unconscious,
            critical_ability_by=tuple(one.id for one, reading in zip(p.members, own, strict=True) if reading.crit),
        )
        return Report(outcome, _group_lines(p, game.best, own, outcome))


def _group_lines(
    p: LeadGroupParams, best: Reading, own: list[Reading], outcome: LeadGroupOutcome
) -> tuple[Because, ...]:
    each = tuple(
        because("SO-T12", "group_member", who=one.id, pool=one.dice, result=reading.result)
        for one, reading in zip(p.members, own, strict=True)
    )
    bill = because("SO-T13", "group_bill", below=outcome.below_four, chakra=outcome.leader_chakra)
    faint = (because("SO-D17", "faints"),) if outcome.leader_unconscious else ()
    return (*each, because("SO-T12", "group_best", result=best.result, band=Term("band", best.band)), bill, *faint)


calls.add(LeadGroup())


class WakeParams(PoolParams, frozen=True, kw_only=True):
    ally_harm_chart: HarmChart = UNHARMED
    config: Config = DEFAULT


class WakeOutcome(Outcome, frozen=True, kw_only=True):
    effect: int
    woken: bool
    chakra: int
    harm_chart: HarmChart


def _wake_report(p: WakeParams, verdict: Verdict, throws: tuple[Throw, ...]) -> Report:
    reading = read(throws[0])
    effect = effect_of("combat", reading.band)
    after = drain(p.ally_harm_chart, p.config) if effect else Recorded(p.ally_harm_chart)
    outcome = WakeOutcome(effect=effect, woken=effect > 0, chakra=WOKEN_CHAKRA if effect else 0, harm_chart=after.chart)
    told = because("SO-T16", "woken" if effect else "not_woken")
    death = (because("SO-H04", "dies"),) if after.dead else ()
    lines = (*pool_lines(p), band_line(reading, sixes_in(throws[0])), *effect_lines("combat", reading.band))
    return Report(outcome, (*lines, told, *death))


@calls.check("wake_ally", rules="SO-T16 SO-D19", grades=BANDS, report=_wake_report, outcome=WakeOutcome)
def wake_ally(play: Play[Any], p: WakeParams) -> Verdict:
    """An action: any effect wakes the ally (SO-R74); at the combat rate, so that it takes a 4."""
    reading = play.check(SkillRoll(p.dice), "action")
    return Verdict(reading.band, effect_of("combat", reading.band) > 0)
