"""Wasshoi! and the reaper's entry (section 15)."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import UNSET, Meta, Struct, UnsetType

from systems.core.calls import Outcome, Report, Verdict
from systems.core.play import Play, Throw
from systems.core.tables import Key, Row, RowTable, load_tables
from systems.core.text import Term, because, read_toml
from systems.ninja_slayer.dice import AtMost
from systems.ninja_slayer.names import calls
from systems.ninja_slayer.words import Count, Id, unlike

_TABLE: RowTable = load_tables("systems.ninja_slayer")["reaper_table"]
FALLBACK_ROW = int(read_toml("systems.ninja_slayer", "data/tables.toml")["reaper_table"]["fallback_row"])  # NS-W12
_DIE = Key("1d6")


class Marked(Struct, frozen=True, cache_hash=True, kw_only=True, forbid_unknown_fields=True):
    """A ninja present: DKK from 0 to 12 (NS-W02), and copies of the darkness of the ninja soul."""

    id: Id
    dkk: Annotated[int, Meta(ge=0, le=12)]
    darkness: Count = 0

    @property
    def counted(self) -> int:
        """Each copy counts as one DKK for the whole procedure (NS-W08)."""
        return self.dkk + self.darkness


class WasshoiParams(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    ninja: Annotated[tuple[Marked, ...], Meta(min_length=1, max_length=100)]

    def __post_init__(self) -> None:
        unlike((one.id for one in self.ninja), "ninja")

    @property
    def target_number(self) -> int:
        """The highest DKK among those present (NS-W07)."""
        return max(one.counted for one in self.ninja)


class WasshoiOutcome(Outcome, frozen=True, kw_only=True):
    target_number: int
    sum: int
    entry: bool
    prey: str | tuple[str, ...] | UnsetType = UNSET


def _wasshoi_report(p: WasshoiParams, verdict: Verdict, throws: tuple[Throw, ...]) -> Report:
    total, entry = sum(throws[0].faces), bool(verdict.success)
    prey = tuple(one.id for one in p.ninja if one.counted == p.target_number)
    outcome = WasshoiOutcome(
        target_number=p.target_number,
        sum=total,
        entry=entry,
        prey=(prey[0] if len(prey) == 1 else prey) if entry else UNSET,
    )
    darkness = tuple(because("NS-W08", "darkness", who=one.id, dkk=one.counted) for one in p.ninja if one.darkness)
    key = "reaper_comes" if entry else "reaper_stays"
    lines = (*darkness, because("NS-W07", key, sum=total, target=p.target_number))
    if entry and len(prey) > 1:
        lines = (*lines, because("NS-W10", "prey_tie"))
    return Report(outcome, lines)


@calls.check(
    "wasshoi_check",
    rules="NS-W06 NS-W07 NS-W08 NS-W09 NS-W10",
    grades="success failure",
    report=_wasshoi_report,
    outcome=WasshoiOutcome,
)
def wasshoi_check(play: Play[Any], p: WasshoiParams) -> Verdict:
    """A bare 2D6 of the NM (NS-W06): he comes at the target number or less (NS-W07), so never below 2 and always from
    12 (NS-W09). His prey has the most DKK; ties are the NM's (NS-W10, NS-RUL39)."""
    entry = play.check(AtMost(p.target_number), "wasshoi")
    return Verdict("success" if entry else "failure", entry)


class EntryParams(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the map has."""

    doors: bool = True
    windows: bool = True
    treasure: bool = True
    npcs: bool = True


class EntryOutcome(Outcome, frozen=True, kw_only=True):
    row: int
    applied_row: int
    distance: tuple[int, int] | None
    cartwheel_mod: int


def applied_row(p: EntryParams, row: int) -> int:
    """Row 1 where the map lacks what the row needs (NS-W12, NS-RUL39)."""
    needs = _TABLE.at(row).facts.get("needs")
    return row if needs is None or getattr(p, needs) else FALLBACK_ROW


def _entry_report(p: EntryParams, verdict: Verdict, throws: tuple[Throw, ...]) -> Report:
    thrown = _DIE.read(throws[0].arranged)
    row: Row = _TABLE.at(applied_row(p, thrown))
    distance = row.facts.get("distance")
    outcome = EntryOutcome(
        row=thrown,
        applied_row=applied_row(p, thrown),
        distance=(distance[0], distance[1]) if distance else None,
        cartwheel_mod=row.facts["cartwheel_mod"],
    )
    lines = [because("NS-W11", "entry_row", row=thrown, entry=Term("reaper_row", _TABLE.at(thrown).id))]
    if outcome.applied_row != thrown:
        lines.append(because("NS-W12", "entry_fallback"))
    if outcome.cartwheel_mod:
        lines.append(because("NS-W13", "entry_rider", steps=f"{outcome.cartwheel_mod:+d}"))
    return Report(outcome, tuple(lines))


@calls.check(
    "reaper_entry",
    rules="NS-W11 NS-W12 NS-W13",
    grades="as_rolled row_one",
    report=_entry_report,
    outcome=EntryOutcome,
)
def reaper_entry(play: Play[Any], p: EntryParams) -> Verdict:
    """One die for the way he comes; some rows burden the cartwheels of the guilty (NS-W13)."""
    row = play.check(_DIE, "reaper_entry")
    return Verdict("as_rolled" if applied_row(p, row) == row else "row_one")
