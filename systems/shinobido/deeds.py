"""Actions without a blow, one step each: checks, first aid, flight, the Second Wind, shaking off, dying."""

from __future__ import annotations

from functools import lru_cache

from msgspec import Struct

from systems.core.game import Step
from systems.core.play import Play
from systems.core.text import Term
from systems.shinobido.events import (
    CharacterDown,
    CharacterStood,
    DyingChecked,
    FirstAidGiven,
    Fled,
    HindranceCleared,
    ResultKept,
    SurgeResolved,
)
from systems.shinobido.names import calls
from systems.shinobido.parts import Act, Occasion, against, declared, if_any, own, wound_penalty, wounded
from systems.shinobido.rolling import AwardLate, act_roll, awards_late, roll, spend
from systems.shinobido.rolls import Part, Roll
from systems.shinobido.sheet import Sheet
from systems.shinobido.state import Scene
from systems.shinobido.switches import Switches
from systems.shinobido.wounding import surge_roll

CIRCUMSTANCES = {row.id: row.facts["penalty"] for row in calls.tables["circumstances"].rows}  # SD-N04
ON_ONESELF = 2  # penalty of first aid (SD-W09)


class Attempt(Step, Struct, frozen=True, kw_only=True, cache_hash=True, tag="attempt"):
    """A check, or with `opponent` an opposed check, in which only the acting side rolls (SD-O01, SD-R12, SD-J24)."""

    who: str
    attribute: str
    act: Act
    opponent: str = ""
    opposing: str = ""

    def run(self, play: Play[Scene]) -> None:
        scene = play.game
        opponent = scene.cast[self.opponent] if self.opponent else None
        parts = attempt_parts(self, scene.cast[self.who], opponent, scene.switches)
        concealed = self.opponent in scene.hidden
        if awards_late(scene):
            spend(play, self.who, self.act.concentrate)
            total = roll(play, self.who, Roll(self.kind, parts, "total"), concealed=concealed)
            play.then(AwardLate(who=self.who, kind=self.kind, total=total, concealed=concealed))
            return
        degree = act_roll(play, self.who, self.act, 0, Roll(self.kind, parts, "degree"), concealed)
        play.emit(ResultKept(self.who, self.kind, degree))

    @property
    def kind(self) -> str:
        return "opposed" if self.opponent else "check"


@lru_cache(maxsize=512)
def attempt_parts(attempt: Attempt, actor: Sheet, opponent: Sheet | None, switches: Switches) -> tuple[Part, ...]:
    """The opponent's value is its attribute alone: no traits, no wounds (SD-O02)."""
    occasion = Occasion(attempt.kind, attempt.attribute, attempt.act.tags)
    opposing = Term("attribute", attempt.opposing)
    set_against = (against(opponent.rating(attempt.opposing), "SD-O01", opposing),) if opponent else ()
    return (*own(actor, occasion, switches), *set_against, *declared(actor, attempt.act, switches))


class Aid(Step, Struct, frozen=True, kw_only=True, cache_hash=True, tag="aid"):
    """First aid: heals the degree, or only steadies the dying (SD-W08, SD-W09, SD-W14, SD-J28)."""

    who: str
    patient: str
    act: Act
    in_combat: bool = False
    on_oneself: bool = False

    def run(self, play: Play[Scene]) -> None:
        scene = play.game
        patient = scene.cast[self.patient]
        parts = aid_parts(self, scene.cast[self.who], patient, scene.switches)
        degree = act_roll(play, self.who, self.act, 0, Roll("first_aid", parts, "degree"))
        play.emit(ResultKept(self.who, "first_aid", degree))
        healed = 0 if patient.status == "dying" else min(degree, patient.wounds)
        play.emit(FirstAidGiven(self.who, self.patient, healed))
        if degree and patient.status == "dying":
            play.emit(CharacterDown(self.patient))
        elif healed and patient.status == "down" and patient.wounds - healed < patient.health:
            play.emit(CharacterStood(self.patient))


@lru_cache(maxsize=512)
def aid_parts(aid: Aid, helper: Sheet, patient: Sheet, switches: Switches) -> tuple[Part, ...]:
    """The patient's wounds are the difficulty; a fight counts once, named as circumstance or not (SD-W09)."""
    occasion = Occasion("first_aid", "intellect", aid.act.tags)
    named = any(part.reason == "in_combat" for part in aid.act.penalties)
    fight = CIRCUMSTANCES["in_combat"] if aid.in_combat and not named else 0
    return (
        *own(helper, occasion, switches),
        *if_any("patient_wounds", -wound_penalty(patient, switches), "SD-W09"),
        *if_any("in_combat", -fight, "SD-W09"),
        *if_any("self", -ON_ONESELF if aid.on_oneself else 0, "SD-W09"),
        *declared(helper, aid.act, switches),
    )


class Flight(Step, Struct, frozen=True, kw_only=True, cache_hash=True, tag="flight"):
    """Fleeing from the swiftest standing opponent; with nobody there no dice are thrown (SD-C22)."""

    who: str
    opponents: tuple[str, ...]
    act: Act

    def run(self, play: Play[Scene]) -> None:
        scene = play.game
        opponents = tuple(scene.cast[one] for one in self.opponents)
        parts = flight_parts(self.act, scene.cast[self.who], opponents, scene.switches)
        concealed = any(one in scene.hidden for one in self.opponents)
        away = parts is None or act_roll(play, self.who, self.act, 0, Roll("flee", parts), concealed) > 0
        play.emit(ResultKept(self.who, "flee", int(away)))
        if away:
            play.emit(Fled(self.who))


@lru_cache(maxsize=512)
def flight_parts(act: Act, actor: Sheet, opponents: tuple[Sheet, ...], switches: Switches) -> tuple[Part, ...] | None:
    """None if no opponent stands."""
    swift = [one.rating("agility") for one in opponents if one.status == "standing"]
    if not swift:
        return None
    fastest = against(max(swift), "SD-C22", Term("attribute", "agility"))
    occasion = Occasion("flee", "agility", act.tags)
    return (*own(actor, occasion, switches), fastest, *declared(actor, act, switches))


class SecondWind(Step, Struct, frozen=True, cache_hash=True, tag="second_wind"):
    """Free, and if it succeeds wounds are forgotten until the scene ends (SD-H04, SD-H05)."""

    who: str

    def run(self, play: Play[Scene]) -> None:
        sheet = play.game.cast[self.who]
        success = roll(play, self.who, surge_roll(sheet, "second_wind", play.game.switches)) > 0
        play.emit(SurgeResolved(self.who, "second_wind", success))


class ShakeOff(Step, Struct, frozen=True, cache_hash=True, tag="shake_off"):
    """Getting rid of a hindrance (SD-X07)."""

    who: str

    def run(self, play: Play[Scene]) -> None:
        scene = play.game
        parts = shake_off_parts(scene.cast[self.who], scene.switches)
        success = roll(play, self.who, Roll("shake_off", parts)) > 0
        play.emit(ResultKept(self.who, "shake_off", int(success)))
        if success:
            play.emit(HindranceCleared(self.who))


@lru_cache(maxsize=512)
def shake_off_parts(sheet: Sheet, switches: Switches) -> tuple[Part, ...]:
    """The severity counts once, as what is overcome."""
    occasion = Occasion("shake_off", sheet.hindrance_attr or "")
    severity = if_any("hindrance", -sheet.hindrance, "SD-X07")
    return (*own(sheet, occasion, switches), *severity, *wounded(sheet, switches))


class Dying(Step, Struct, frozen=True, cache_hash=True, tag="dying"):
    """Tenacity against the overkill: Down and stable, or dead (SD-W14)."""

    who: str
    overkill: int

    def run(self, play: Play[Scene]) -> None:
        parts = dying_parts(play.game.cast[self.who], self.overkill, play.game.switches)
        play.emit(DyingChecked(self.who, roll(play, self.who, Roll("dying", parts)) > 0))


@lru_cache(maxsize=512)
def dying_parts(sheet: Sheet, overkill: int, switches: Switches) -> tuple[Part, ...]:
    penalty = if_any("overkill", -overkill, "SD-W14")
    return (*own(sheet, Occasion("dying", "tenacity"), switches), *penalty, *wounded(sheet, switches))
