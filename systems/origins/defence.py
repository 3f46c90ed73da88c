"""Defending against a consequence, for oneself or for an ally (chapters 5.1 and 7)."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from systems.core.calls import Outcome, Report, Verdict
from systems.core.errors import Illegal
from systems.core.play import Play, Throw
from systems.core.text import Because, because
from systems.origins.chart import UNHARMED, WOUND, HarmChart, Recorded, record
from systems.origins.dice import PoolParams, Reading, SkillRoll, band_line, pool_lines, read, sixes_in
from systems.origins.harm import Paid, pay
from systems.origins.names import calls
from systems.origins.options import DEFAULT, Config
from systems.origins.vocabulary import BANDS, DEFENSIVE_SKILLS, Chakra, Id, Kind, Params, Part, Size, Surcharge, Text

ALTERNATE_COST = 3  # SO-D05


class Blow(Struct, frozen=True, cache_hash=True, kw_only=True):
    """A consequence that somebody has to answer: its size is the level of a harm or the ticks of a complication."""

    kind: Kind
    size: int = 1
    surcharge: int = 0
    defendable: bool = True


def refuse_defence(blow: Blow, skill: str | None, *, gm_allows: bool, alternate: bool, chakra: int) -> Illegal | None:
    """Why no defence is rolled against it (SO-D01, SO-D02, SO-D05, SO-D06), or None. The mark beats the rule (SO-R21).

    `skill` None means the one that the GM called.
    """
    if not blow.defendable:
        return Illegal("undefendable", "SO-D01")
    if blow.kind == "harm":
        if skill is not None and skill not in DEFENSIVE_SKILLS:
            return Illegal("not_defensive_skill", "SO-D02", skill=skill)
    elif not gm_allows:
        return Illegal("gm_says_indefensible", "SO-D06")
    elif alternate:
        return Illegal("alternate_not_allowed", "SO-D06")
    if alternate and chakra < ALTERNATE_COST:
        return Illegal("insufficient_chakra", "SO-D05", chakra=chakra, cost=ALTERNATE_COST)
    return None


class Defended(Struct, frozen=True, cache_hash=True):
    """How a defence came out: `left` is what remains of the size after an overflow, None when nothing remains."""

    cost: int
    restored: int
    paid: Paid
    left: int | None

    @property
    def avoided(self) -> bool:
        return self.left is None


def settle_defence(reading: Reading, blow: Blow, chakra: int, *, alternate: bool = False) -> Defended:
    """Everything in one payment after the throw: surcharge, alternate skill, six minus result, refund of a critical.

    SO-D03, SO-D04, SO-D07, SO-D08, SO-R18. If it can be paid the consequence is gone entirely (SO-D09, SO-R17); if
    not, the defender faints and harm or a complication is one smaller, other kinds strike in full (SO-D10, SO-D11).
    """
    cost = blow.surcharge + (ALTERNATE_COST if alternate else 0) + 6 - reading.result
    restored = int(reading.crit)
    paid = pay(chakra, cost - restored)
    return Defended(cost, restored, paid, overflowed(blow) if paid.unconscious else None)


def overflowed(blow: Blow) -> int | None:
    """What an overflow leaves of a consequence (SO-D10, SO-D11, SO-R19)."""
    if blow.kind in ("harm", "complication"):
        return blow.size - 1 or None
    return blow.size


def defence_lines(reading: Reading, sixes: int, settled: Defended, blow: Blow, alternate: bool) -> tuple[Because, ...]:
    """The price of a defence taken apart."""
    lines = [
        band_line(reading, sixes),
        because("SO-D03", "defence_cost", result=reading.result, cost=6 - reading.result),
    ]
    if blow.surcharge:
        lines.append(because("SO-D07", "defence_surcharge", cost=blow.surcharge))
    if alternate:
        lines.append(because("SO-D05", "defence_alternate", cost=ALTERNATE_COST))
    if settled.restored:
        lines.append(because("SO-D04", "defence_crit"))
    if settled.paid.unconscious:
        lines.append(because("SO-D10" if blow.kind == "harm" else "SO-D11", "defence_overflow"))
    else:
        lines.append(because("SO-D09", "defence_paid", chakra=settled.paid.chakra))
    return tuple(lines)


class Against(Part, frozen=True, cache_hash=True, kw_only=True):
    """What is defended against; a size that is not given counts as 1."""

    kind: Kind
    level: Size = 1
    ticks: Size = 1
    name: Text = WOUND

    @property
    def size(self) -> int:
        return self.ticks if self.kind == "complication" else self.level


class DefendParams(PoolParams, frozen=True, kw_only=True):
    chakra: Chakra = 0
    against: Against
    surcharge: Surcharge = 0
    alternate: bool = False
    defendable: bool = True
    gm_allows: bool = False
    skill: Id | None = None
    unconscious: bool = False
    in_combat: bool = True
    harm_chart: HarmChart = UNHARMED
    config: Config = DEFAULT

    @property
    def blow(self) -> Blow:
        return Blow(
            kind=self.against.kind, size=self.against.size, surcharge=self.surcharge, defendable=self.defendable
        )


class Residual(Struct, frozen=True, omit_defaults=True):
    """What remains of a consequence."""

    kind: Kind
    level: int | UnsetType = UNSET
    ticks: int | UnsetType = UNSET


class DefendOutcome(Outcome, frozen=True, kw_only=True):
    result: int
    crit: bool
    cost: int
    restored: int
    chakra: int
    unconscious: bool
    avoided: bool
    residual: Residual | None
    harm_chart: HarmChart
    dead: bool
    critical_ability_triggered: bool


def _residual(blow: Blow, left: int | None) -> Residual | None:
    if left is None:
        return None
    if blow.kind == "harm":
        return Residual(blow.kind, level=left)
    return Residual(blow.kind, ticks=left) if blow.kind == "complication" else Residual(blow.kind)


def wounded(chart: HarmChart, blow: Blow, left: int | None, name: str, config: Config) -> Recorded:
    """The chart after what is left of a blow, which is recorded normally and can kill (SO-D10)."""
    if left is None or blow.kind != "harm":
        return Recorded(chart)
    return record(chart, left, name, config.harm_boxes)


def _defend_report(p: DefendParams, verdict: Verdict, throws: tuple[Throw, ...]) -> Report:
    reading = read(throws[0])
    settled = settle_defence(reading, p.blow, p.chakra, alternate=p.alternate)
    after = wounded(p.harm_chart, p.blow, settled.left, p.against.name, p.config)
    outcome = DefendOutcome(
        result=reading.result,
        crit=reading.crit,
        cost=settled.cost,
        restored=settled.restored,
        chakra=settled.paid.chakra,
        unconscious=settled.paid.unconscious,
        avoided=settled.avoided,
        residual=_residual(p.blow, settled.left),
        harm_chart=after.chart,
        dead=after.dead,
        critical_ability_triggered=reading.crit and p.in_combat,
    )
    told = defence_lines(reading, sixes_in(throws[0]), settled, p.blow, p.alternate)
    return Report(outcome, (*pool_lines(p), *told))


@calls.check(
    "defend",
    rules="SO-D01 SO-D02 SO-D03 SO-D04 SO-D05 SO-D06 SO-D07 SO-D08 SO-D09 SO-D10 SO-D11 SO-D12 SO-D14 SO-D15 SO-D18",
    grades=BANDS,
    report=_defend_report,
    outcome=DefendOutcome,
)
def defend(play: Play[Any], p: DefendParams) -> Verdict:
    """One defensive roll; wounds do not reduce its pool (SO-D14, SO-R23).

    Raises `unconscious` (SO-A12) and what `refuse_defence` gives. A critical in combat wakes the Critical Ability
    (SO-D15).
    """
    if p.unconscious:
        raise Illegal("unconscious", "SO-A12")
    refusal = refuse_defence(p.blow, p.skill, gm_allows=p.gm_allows, alternate=p.alternate, chakra=p.chakra)
    if refusal:
        raise refusal
    reading = play.check(SkillRoll(p.dice), "defence")
    return Verdict(reading.band, settle_defence(reading, p.blow, p.chakra, alternate=p.alternate).avoided)


class Defender(PoolParams, frozen=True, kw_only=True):
    """Who steps in; the pool matters only if it is rolled."""

    id: Id
    chakra: Chakra = 0
    harm_chart: HarmChart = UNHARMED

    def __post_init__(self) -> None:
        if self.pool is not UNSET or self.dots is not UNSET:
            super().__post_init__()


class Shielded(Against, frozen=True, cache_hash=True, kw_only=True):
    """The ally's consequence keeps its properties for the helper (SO-T07, SO-R34)."""

    surcharge: Surcharge = 0
    defendable: bool = True

    @property
    def blow(self) -> Blow:
        return Blow(kind=self.kind, size=self.size, surcharge=self.surcharge, defendable=self.defendable)


class DefendAllyParams(Params, frozen=True, kw_only=True):
    ally: Id
    ally_unconscious: bool = False
    defender: Defender
    consequence: Shielded
    mode: Annotated[Literal["roll", "take"], Meta(description="roll the defence, or take the consequence as it is")]
    gm_allows: bool = False
    config: Config = DEFAULT


class Stood(Struct, frozen=True):
    """The helper afterwards."""

    chakra: int
    harm_chart: HarmChart


class DefendAllyOutcome(Outcome, frozen=True, kw_only=True):
    ally_affected: bool
    defender: Stood
    unconscious: bool
    avoided: bool
    dead: bool


def _ally_report(p: DefendAllyParams, verdict: Verdict, throws: tuple[Throw, ...]) -> Report:
    blow, defender = p.consequence.blow, p.defender
    if throws:
        reading = read(throws[0])
        settled = settle_defence(reading, blow, defender.chakra)
        lines = (*pool_lines(defender), *defence_lines(reading, sixes_in(throws[0]), settled, blow, False))
    else:
        settled = Defended(0, 0, Paid(defender.chakra), blow.size)
        lines = ()
    after = wounded(defender.harm_chart, blow, settled.left, p.consequence.name, p.config)
    outcome = DefendAllyOutcome(
        ally_affected=False,
        defender=Stood(settled.paid.chakra, after.chart),
        unconscious=settled.paid.unconscious,
        avoided=settled.avoided,
        dead=after.dead,
    )
    return Report(outcome, (because("SO-T06", "stood_in", helper=defender.id, ally=p.ally), *lines))


@calls.check(
    "defend_ally", rules="SO-T05 SO-T06 SO-T07 SO-T08", grades=BANDS, report=_ally_report, outcome=DefendAllyOutcome
)
def defend_ally(play: Play[Any], p: DefendAllyParams) -> Verdict:
    """A helper rolls the defence at own cost, or takes the consequence; an unconscious ally may be shielded (SO-T08).

    Raises `cannot_target_self` (SO-T05) and, if it is rolled, what `refuse_defence` gives.
    """
    if p.ally == p.defender.id:
        raise Illegal("cannot_target_self", "SO-T05")
    if p.mode == "take":
        return Verdict(None, False)
    blow = p.consequence.blow
    refusal = refuse_defence(blow, None, gm_allows=p.gm_allows, alternate=False, chakra=p.defender.chakra)
    if refusal:
        raise refusal
    reading = play.check(SkillRoll(p.defender.dice), "defence")
    return Verdict(reading.band, settle_defence(reading, blow, p.defender.chakra).avoided)
