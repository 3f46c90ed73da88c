"""Ailments: gaining one, what it takes hold of, and losing it (SG-T02, SG-H20..H27)."""

from __future__ import annotations

from typing import Any

from msgspec import UNSET, Struct

from systems.core.calls import Outcome, Report, Verdict
from systems.core.game import Event, Step
from systems.core.play import Play, Throw
from systems.core.text import Because, Term, because
from systems.shinobigami.names import calls
from systems.shinobigami.scene import Graded, Scene, SceneCall, change_health
from systems.shinobigami.sheet import Ailment, Character

TABLE = calls.tables["ailment"]
AILMENTS: tuple[str, ...] = tuple(row.id for row in TABLE.rows)
RECOVERY_SKILLS: dict[str, str] = {
    row.id: row.facts["recovery_skill"]
    for table in (TABLE, calls.tables["sengoku_ailment"])
    for row in table.rows
    if "recovery_skill" in row.facts
}


def gained(play: Play[Any], sheet: Character, ailment: str) -> Character:
    """The sheet with one more instance, or unchanged if that is nullified or has nothing to hold (SG-H20, SG-Z18)."""
    row = TABLE[ailment]
    if not row.facts["stacks"]:
        return sheet if sheet.has_ailment(ailment) else _with(sheet, Ailment(ailment))
    open_to_it = _pool(sheet, row.facts["stacks_by"])
    if not open_to_it:
        return sheet
    return _with(sheet, Ailment(ailment, open_to_it[play.pick(len(open_to_it), f"{ailment}:{sheet.id}")]))


def _with(sheet: Character, ailment: Ailment) -> Character:
    return sheet.with_ailments((*sheet.afflictions, ailment))


def _pool(sheet: Character, what: str) -> tuple[str, ...]:
    """Known skills, bonds or ninpo that are not sealed yet, in sheet order (SG-H22, SG-H25, SG-H26, SG-A05)."""
    if what == "skill":
        paralysed = sheet.sealed("paralysis")
        return tuple(one for one in sheet.skills if one not in paralysed)
    if what == "bond":
        return tuple(toward for toward, _ in sheet.active_bonds)
    cursed = sheet.sealed("cursed")
    return tuple(one.ninpo_id for one in sheet.learned if one.ninpo_id not in cursed)


def roll_ailment(play: Play[Any], sheet: Character) -> Character:
    """A random ailment: 1d6 on SG-T02 (SG-H03)."""
    return gained(play, sheet, TABLE.roll(play, f"ailment:{sheet.id}").id)


def without(sheet: Character, ailment: Ailment) -> Character:
    """One instance less (SG-H27, SG-Z78)."""
    at = sheet.afflictions.index(ailment)
    return sheet.with_ailments(sheet.afflictions[:at] + sheet.afflictions[at + 1 :])


def cured(sheet: Character, kind: str) -> Character:
    """All instances of a kind are gone (SG-P11, SG-H27)."""
    return sheet.with_ailments(tuple(one for one in sheet.afflictions if one.id != kind))


class GainParams(Struct, frozen=True, cache_hash=True, kw_only=True, forbid_unknown_fields=True):
    character: Character


class GainOutcome(Outcome, frozen=True, kw_only=True):
    """All instances afterwards; `nullified` if none was added."""

    ailments: tuple[Ailment, ...]
    nullified: bool


class GainsAilment(Step, Struct, frozen=True, cache_hash=True, tag="gains_ailment"):
    """1d6 on the ailment table, and the die or dice for what it seals."""

    who: str

    def run(self, play: Play[Scene]) -> None:
        before = play.game[self.who]
        after = roll_ailment(play, before)
        change_health(play, after)
        play.emit(Graded("nullified" if after == before else "gained"))


class GainAilmentCall(SceneCall[GainParams]):
    id = "gain_ailment"
    rules = ("SG-T02", "SG-H20", "SG-H21", "SG-H22", "SG-H23", "SG-H24", "SG-H25", "SG-H26", "SG-A05")
    grades = ("gained", "nullified")
    params = GainParams
    outcome = GainOutcome

    def begin(self, p: GainParams) -> Scene:
        return Scene.of(p.character).doing(GainsAilment(p.character.id))

    def graded(self, grade: str) -> Verdict:
        return Verdict(grade)

    def answered(self, p: GainParams, game: Scene, events: tuple[Event, ...], throws: tuple[Throw, ...]) -> Report:
        sheet, rolled = game[p.character.id], TABLE.at(sum(throws[0].faces)).id
        nullified = game.grade == "nullified"
        lines: tuple[Because, ...] = (because("SG-T02", "ailment", ailment=Term("ailment", rolled)),)
        if nullified:
            lines += (because("SG-H20", "nullified", ailment=Term("ailment", rolled)),)
        elif (target := sheet.afflictions[-1].target) is not UNSET:
            skill = rolled == "paralysis"
            lines += (because("SG-A05", "sealed", target=Term("skill", target) if skill else target),)
        return Report(GainOutcome(ailments=sheet.afflictions, nullified=nullified), lines)


calls.add(GainAilmentCall())
