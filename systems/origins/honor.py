"""Honor, missions and Glory (chapters 16.2 to 16.4)."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from systems.core.calls import Outcome, Report, Verdict
from systems.core.clocks import ProgressClock
from systems.core.errors import Illegal
from systems.core.play import Play, Throw
from systems.core.text import because
from systems.origins.dice import NOTHING, Reading, SkillRoll, band_line, read
from systems.origins.names import calls
from systems.origins.vocabulary import (
    BANDS,
    MAX_HONOR,
    Band,
    Honor,
    HonorClock,
    MissionDifficulty,
    Params,
    Wide,
)

HONOR_TICKS = 4  # SO-O02
GLORY_DICE = 3  # SO-O16


class Standing(Struct, frozen=True, cache_hash=True):
    """Honor and its signed clock."""

    honor: int
    clock: int


def tick_honor(honor: int, clock: int, delta: int) -> Standing:
    """Ticks for good deeds and breaches (SO-O01): opposite ones go first, four make a point, the rest carries over.

    SO-O02, SO-O03, SO-O05, SO-R62. At either end of honor the clock does not push outward (SO-O06).
    """
    ticked = ProgressClock("honor", HONOR_TICKS, clock, "signed").tick(delta)
    after = honor + ticked.fills
    left = ticked.clock.filled
    if after >= MAX_HONOR:
        left = min(left, 0) if after == MAX_HONOR else 0
    if after <= -MAX_HONOR:
        left = max(left, 0) if after == -MAX_HONOR else 0
    return Standing(max(-MAX_HONOR, min(MAX_HONOR, after)), left)


class HonorTickParams(Params, frozen=True, kw_only=True):
    honor: Honor = 0
    honor_clock: HonorClock = 0
    delta: Wide = 0


class HonorTickOutcome(Outcome, frozen=True, kw_only=True):
    honor: int
    honor_clock: int


@calls.query("honor_tick", rules="SO-O01 SO-O02 SO-O03 SO-O04 SO-O05 SO-O06")
def honor_tick(p: HonorTickParams) -> HonorTickOutcome:
    """What ticks that the GM has confirmed (SO-O04) do to honor."""
    after = tick_honor(p.honor, p.honor_clock, p.delta)
    return HonorTickOutcome(honor=after.honor, honor_clock=after.clock)


class TierParams(Params, frozen=True, kw_only=True):
    honor: Honor = 0


class TierOutcome(Outcome, frozen=True, kw_only=True):
    max_difficulty: MissionDifficulty
    kind: Literal["any", "honor", "dishonor"]


def max_difficulty(honor: int) -> MissionDifficulty:
    """The hardest missions that this honor opens; its sign says of which kind (SO-O09, SO-R64)."""
    for row in calls.tables["mission_difficulty"].rows:
        if row.facts["honor_from"] <= abs(honor) <= row.facts["honor_to"]:
            return row.id  # type: ignore[return-value]
    raise ValueError(honor)


@calls.query("mission_tier", rules="SO-O09")
def mission_tier(p: TierParams) -> TierOutcome:
    """Simple missions of either kind are open to all."""
    kind: Literal["any", "honor", "dishonor"] = "honor" if p.honor > 0 else "dishonor" if p.honor < 0 else "any"
    return TierOutcome(max_difficulty=max_difficulty(p.honor), kind=kind)


Face = Annotated[int, Meta(ge=1, le=6)]
Faces = Annotated[tuple[Face, ...], Meta(max_length=200)]


def glory_roll(dice: int, lying: Reading) -> SkillRoll:
    """Three more dice upon those that lie there; on an empty pool the missing dice and three, read afresh (SO-O18)."""
    return SkillRoll(GLORY_DICE, lying) if dice >= 1 else SkillRoll(dice + GLORY_DICE)


def refuse_glory(honor: int, dice: int) -> Illegal | None:
    """Glory needs honor 10 and a pool it can help (SO-O16, SO-O18); stakes do not block it (SO-O17)."""
    if honor != MAX_HONOR:
        return Illegal("glory_unavailable", "SO-O16", honor=honor)
    if dice + GLORY_DICE <= 0:
        return Illegal("glory_unavailable", "SO-O18", pool=dice)
    return None


def lying(dice: int, faces: tuple[int, ...]) -> Reading:
    """What the dice on the table show; without a pool they count for nothing once Glory comes."""
    return SkillRoll(dice).read(faces) if dice >= 1 else NOTHING


class GloryParams(Params, frozen=True, kw_only=True):
    pool: Annotated[int, Meta(ge=-99, le=99)]
    rolled: Faces = ()
    honor: Honor = 0


class GloryOutcome(Outcome, frozen=True, kw_only=True):
    result: int
    band: Band
    sixes: int
    used_this_session: bool
    honor: int


def _glory_report(p: GloryParams, verdict: Verdict, throws: tuple[Throw, ...]) -> Report:
    reading = read(throws[0])
    faces = (*(p.rolled if p.pool >= 1 else ()), *throws[0].faces)
    outcome = GloryOutcome(
        result=reading.result,
        band=reading.band,
        sixes=faces.count(6),
        used_this_session=True,
        honor=p.honor,
    )
    added = because("SO-O16" if p.pool >= 1 else "SO-O18", "glory", dice=len(throws[0].faces))
    return Report(outcome, (added, band_line(reading, faces.count(6))))


@calls.check("glory", rules="SO-O16 SO-O17 SO-O18", grades=BANDS, report=_glory_report, outcome=GloryOutcome)
def glory(play: Play[Any], p: GloryParams) -> Verdict:
    """Three dice join a roll already seen, and can make it a critical (SO-R66). Raises `glory_unavailable`."""
    if refusal := refuse_glory(p.honor, p.pool):
        raise refusal
    reading = play.check(glory_roll(p.pool, lying(p.pool, p.rolled)), "glory")
    return Verdict(reading.band, reading.success)
