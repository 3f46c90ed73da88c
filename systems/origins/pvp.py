"""Player against player (chapter 16.1)."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import UNSET, Struct, UnsetType

from systems.core.calls import Outcome, Report, Verdict
from systems.core.play import Play, Throw
from systems.core.text import Because, Term, because
from systems.origins.dice import (
    PoolParams,
    Reading,
    SkillRoll,
    band_line,
    effect_lines,
    effect_of,
    given_effect,
    pool_lines,
    read,
    sixes_in,
)
from systems.origins.names import calls
from systems.origins.vocabulary import Params, Points

WORST_HARM = 3  # SO-X04


class Side(PoolParams, frozen=True, kw_only=True):
    bonus_effect: Points = 0

    def effect(self, reading: Reading) -> int:
        """At the downtime rate, even in the middle of a fight (SO-X01, SO-X05, SO-R67)."""
        return effect_of("downtime", reading.band, self.bonus_effect)


class PvpParams(Params, frozen=True, kw_only=True):
    initiator: Side
    defender: Side
    aim: Literal["injure"] | UnsetType = UNSET


class PvpOutcome(Outcome, frozen=True, kw_only=True):
    initiator_effect: int
    defender_effect: int
    loser: Literal["initiator", "defender"] | None
    condition_level: int
    harm_level: int | UnsetType = UNSET


class Contest(Struct, frozen=True, cache_hash=True):
    """How much better the initiator was; negative if worse."""

    margin: int

    @property
    def grade(self) -> str:
        return "initiator_wins" if self.margin > 0 else "defender_wins" if self.margin < 0 else "tie"

    @property
    def loser(self) -> Literal["initiator", "defender"] | None:
        """The side with the lower effect suffers, be it the initiator (SO-X02, SO-X03)."""
        return "defender" if self.margin > 0 else "initiator" if self.margin < 0 else None


def contest(play: Play[Any], p: PvpParams) -> Contest:
    """Both roll, the initiator first."""
    initiator = p.initiator.effect(play.check(SkillRoll(p.initiator.dice), "initiator"))
    defender = p.defender.effect(play.check(SkillRoll(p.defender.dice), "defender"))
    return Contest(initiator - defender)


def _report(p: PvpParams, verdict: Verdict, throws: tuple[Throw, ...]) -> Report:
    mine, theirs = read(throws[0]), read(throws[1])
    effects = p.initiator.effect(mine), p.defender.effect(theirs)
    result = Contest(effects[0] - effects[1])
    level = abs(result.margin)
    injured = p.aim is not UNSET and level
    outcome = PvpOutcome(
        initiator_effect=effects[0],
        defender_effect=effects[1],
        loser=result.loser,
        condition_level=level,
        harm_level=min(WORST_HARM, level) if injured else UNSET,
    )
    told = (
        because("SO-X02", "pvp_tie")
        if result.loser is None
        else because("SO-X04" if injured else "SO-X02", "pvp_loser", side=Term("pvp_side", result.loser), level=level)
    )
    return Report(outcome, (*_side_lines(p.initiator, throws[0]), *_side_lines(p.defender, throws[1]), told))


def _side_lines(side: Side, throw: Throw) -> tuple[Because, ...]:
    reading = read(throw)
    who = because("SO-X01", "pvp_side", side=Term("pvp_side", throw.label))
    effects = effect_lines("downtime", reading.band, *given_effect("downtime", side.bonus_effect))
    return (who, *pool_lines(side), band_line(reading, sixes_in(throw)), *effects)


@calls.check(
    "pvp",
    rules="SO-X01 SO-X02 SO-X03 SO-X04 SO-X05",
    grades="initiator_wins tie defender_wins",
    report=_report,
    outcome=PvpOutcome,
)
def pvp(play: Play[Any], p: PvpParams) -> Verdict:
    """The winner words the condition (SO-R67); with the aim to injure it is a harm that only armor stops (SO-X04)."""
    result = contest(play, p)
    return Verdict(result.grade, result.margin > 0)
