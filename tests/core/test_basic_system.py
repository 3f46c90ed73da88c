"""A whole system of checks, a table and a clock in under 60 lines: no other file knows it."""

from __future__ import annotations

import sys
from fractions import Fraction
from importlib.metadata import EntryPoint
from typing import Annotated, Any

import pytest
from msgspec import Meta, Struct

from systems.core import system
from systems.core.calls import Calls, Outcome, Report, Verdict, odds, resolve
from systems.core.checks import Total
from systems.core.clocks import ProgressClock
from systems.core.dice import ScriptedDice
from systems.core.play import Play, Throw
from systems.core.tables import Row, RowTable
from systems.core.text import because

OMENS = RowTable("omens", ("CO-2",), (Row("heads", 1, 3), Row("tails", 4, 6)), "1d6")
calls = Calls({"omens": OMENS})


class TossParams(Struct, frozen=True, cache_hash=True, forbid_unknown_fields=True):
    coins: Annotated[int, Meta(ge=1, le=200)] = 1


class TossOutcome(Outcome, frozen=True, kw_only=True):
    heads: int


def report(p: TossParams, verdict: Verdict, throws: tuple[Throw, ...]) -> Report:
    heads = sum(throws[0].faces) - p.coins
    return Report(TossOutcome(heads=heads), (because("CO-1", "toss", heads=heads),))


@calls.check("toss", rules="CO-1", grades="most few", report=report, outcome=TossOutcome)
def toss(play: Play[Any], p: TossParams) -> Verdict:
    heads = play.check(Total(p.coins, 2, -p.coins), "toss")
    return Verdict("most", True) if 2 * heads > p.coins else Verdict("few", False)


COINS = system.BasicSystem("coins", "tests.core", calls)


def test_an_entry_point_is_all_it_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = EntryPoint("coins", f"{__name__}:COINS", system.ENTRY_POINTS)
    monkeypatch.setitem(sys.modules, __name__, sys.modules[__name__])
    monkeypatch.setattr(system, "entry_points", lambda group: [entry] if group == entry.group else [])
    found = system.installed.__wrapped__()["coins"]
    thrown = resolve(found.calls.checks["toss"], TossParams(3), ScriptedDice([2, 1, 2]))
    assert thrown.verdict == Verdict("most", True) and thrown.report.outcome == TossOutcome(heads=2)
    assert odds(found.calls.checks["toss"], TossParams(2))[Verdict("most", True)] == Fraction(1, 4)
    assert found.calls.find_table("omens") is OMENS and ProgressClock("luck", 4).tick(4).fills == 1
