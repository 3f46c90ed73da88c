"""What happens in a scene, named as in section 15, and what each viewer may know of it (section 12).

`hidden` says that the character's values are unknown to players; then others see less or nothing of the event.
"""

from __future__ import annotations

from msgspec import Struct

from systems.core.game import Event, Public, Record, change
from systems.core.seats import Seat
from systems.shinobido.rolls import OpenDice, Part
from systems.shinobido.sheet import Sheet
from systems.shinobido.state import Blow, OpenRed, Scene
from systems.shinobido.vocabulary import RedDie, Status


def pool_with(sheet: Sheet, focus: int) -> int:
    """The pool after a gain; what goes beyond the maximum is lost (SD-F01, SD-F17)."""
    return min(sheet.focus_max, sheet.pool + focus)


class _OwnersOnly(Event):
    """Where the values are hidden, nobody but those who speak for the character sees it."""

    who: str
    hidden: bool

    def seen_by(self, viewer: Seat) -> Event | None:
        return None if self.hidden and not viewer.speaks_for(self.who) else self


class FocusSpent(_OwnersOnly, Struct, frozen=True, cache_hash=True, tag="FocusSpent"):
    """Focus leaves the pool when the dice are thrown, whatever they show (SD-F10)."""

    who: str
    amount: int
    hidden: bool

    def applied(self, game: Scene) -> Scene:
        return game.with_sheet(self.who, focus=game.cast[self.who].pool - self.amount)


class FocusGained(_OwnersOnly, Struct, frozen=True, cache_hash=True, tag="FocusGained"):
    who: str
    amount: int
    hidden: bool

    def applied(self, game: Scene) -> Scene:
        return game.with_sheet(self.who, focus=pool_with(game.cast[self.who], self.amount))


class DecisionOffered(Event, Struct, frozen=True, cache_hash=True, tag="DecisionOffered"):
    """Somebody has a decision (SD-T09): a red die again, for which the dice lie open, or a Last Stand.

    Only the Narrator reads the total here; players have the dice they threw (SD-P07). That a hidden character may
    reroll shows nobody.
    """

    who: str
    question: str
    hidden: bool
    kind: str = ""
    dice: OpenDice | None = None

    def applied(self, game: Scene) -> Scene:
        game = change(game, open_decision=self.question)
        if self.question == "surge_offer":
            return game.with_sheet(self.who, status="going_down")
        return change(game, open_roll=OpenRed(self.who, self.kind, self.dice) if self.dice else None)

    def seen_by(self, viewer: Seat) -> Event | None:
        if viewer.gm:
            return self
        return None if self.hidden and self.dice else change(self, dice=None)


class DecisionAnswered(Event, Struct, frozen=True, cache_hash=True, tag="DecisionAnswered"):
    """What was decided. A hidden character's reroll stays unseen, its Surge does not."""

    who: str
    question: str
    answer: str
    hidden: bool

    def applied(self, game: Scene) -> Scene:
        return change(game, open_roll=None, open_decision="")

    def seen_by(self, viewer: Seat) -> Event | None:
        secret = self.hidden and self.question == "reroll_offer"
        return None if secret and not viewer.speaks_for(self.who) else self


class DieRerolled(_OwnersOnly, Struct, frozen=True, cache_hash=True, tag="DieRerolled"):
    """A red die was thrown again (`face`: 0 in odds, where none falls): the reroll of the scene (SD-M14)."""

    who: str
    which: RedDie
    hidden: bool
    face: int = 0

    def applied(self, game: Scene) -> Scene:
        return game.with_sheet(self.who, reroll_used=True)


class ResultKept(Event, Struct, frozen=True, cache_hash=True, tag="result_kept"):
    """The reading of a roll that was no blow: 0 for a failure, else its degree where degrees count, else 1."""

    who: str
    kind: str
    result: int

    def applied(self, game: Scene) -> Scene:
        return change(game, result=self.result)

    def seen_by(self, viewer: Seat) -> Event | None:
        return None


CONCEALED = ("opposing_value", "damage_rating")  # parts that are the other side's values


class RollResolved(Record, Struct, frozen=True, cache_hash=True, tag="RollResolved"):
    """A roll is through, its parts one by one (SD-P12).

    Of a hidden roller others see nothing here, only what comes of it. Against a hidden opponent the roller's player
    sees the own parts and the result, but neither the opposing value nor the total (SD-P07); a penalty only where
    penalties are open (SD-P08).
    """

    who: str
    kind: str
    parts: tuple[Part, ...]
    net: int
    total: int | None
    success: bool
    degree: int | None
    hidden: bool
    against_hidden: bool = False
    net_before: int | None = None  # of a roll whose red die was thrown again
    secret: bool = False  # a check that nobody but the Narrator knows of (SD-P09)
    secret_reason: bool = False  # of the circumstances (SD-N05)

    def seen_by(self, viewer: Seat) -> Event | None:
        if viewer.gm:
            return self
        if self.secret or (self.hidden and not viewer.plays(self.who)):
            return None
        seen = change(self, parts=unreasoned(self.parts)) if self.secret_reason else self
        if not self.against_hidden:
            return seen
        own = tuple(one for one in seen.parts if one.what not in CONCEALED)
        return change(seen, parts=own, total=None, degree=None)


def unreasoned(parts: tuple[Part, ...]) -> tuple[Part, ...]:
    """The circumstances as one sum without a name."""
    kind = "circumstance_penalty"
    hidden = sum(one.value for one in parts if one.what == kind)
    others = tuple(one for one in parts if one.what != kind)
    return (*others, Part(kind, hidden, "SD-N05")) if hidden else others


class AwardGranted(Event, Struct, frozen=True, cache_hash=True, tag="AwardGranted"):
    """An award with its bonus, and the Focus and Merit as they will be once it is credited (SD-G01, SD-G03, SD-G04).

    After the roll it comes with the total that it leads to (SD-G02), which a hidden opposing value keeps secret.
    """

    who: str
    grade: int
    bonus: int
    focus: int
    merit: int
    hidden: bool
    total: int | None = None
    success: bool | None = None

    def applied(self, game: Scene) -> Scene:
        action = game.open_action
        if action is None or not action.open or action.who != self.who:
            return game
        return change(game, open_action=change(action, award=self.grade))

    def seen_by(self, viewer: Seat) -> Event | None:
        if not self.hidden or viewer.gm:
            return self
        return change(self, total=None, focus=0, merit=0)


class MeritGranted(Public, Struct, frozen=True, cache_hash=True, tag="MeritGranted"):
    """Merit for a grand description, or at the end of a mission (SD-G04, SD-G05)."""

    who: str
    amount: int
    from_award: bool = False

    def applied(self, game: Scene) -> Scene:
        sheet = game.cast[self.who]
        counted = sheet.merit_from_awards + (self.amount if self.from_award else 0)
        return game.with_sheet(self.who, merit=sheet.merit + self.amount, merit_from_awards=counted)


class AttackResolved(Public, Struct, frozen=True, cache_hash=True, tag="AttackResolved"):
    """Everybody sees whether it hit, nobody the total after a hidden Defense (SD-P07)."""

    who: str
    target: str
    hit: bool

    def applied(self, game: Scene) -> Scene:
        return change(game, blow=Blow(hit=self.hit))


class SurpriseResolved(Public, Struct, frozen=True, cache_hash=True, tag="SurpriseResolved"):
    """Whether one who was lain in wait for loses the first turn (SD-C02)."""

    who: str
    surprised: bool

    def applied(self, game: Scene) -> Scene:
        return game.with_sheet(self.who, surprised=self.surprised)


class WoundsTaken(Event, Struct, frozen=True, cache_hash=True, tag="WoundsTaken"):
    """Wounds go up to Health, the rest is overkill (SD-W01). Of hidden victims others see the wounds only (SD-P07)."""

    who: str
    wounds: int
    overkill: int
    hidden: bool

    def applied(self, game: Scene) -> Scene:
        sheet = game.cast[self.who]
        after = min(sheet.health, sheet.wounds + self.wounds)
        blow = Blow(dealt=self.wounds, overkill=self.overkill, fell=after == sheet.health)
        return change(game.with_sheet(self.who, wounds=after), blow=blow)

    def seen_by(self, viewer: Seat) -> Event | None:
        return change(self, overkill=0) if self.hidden and not viewer.speaks_for(self.who) else self


class HindranceSet(Event, Struct, frozen=True, cache_hash=True, tag="HindranceSet"):
    """A hindrance was dealt; only the highest counts (SD-X07). Of hidden victims others do not see how large it is."""

    who: str
    severity: int
    attribute: str
    hidden: bool

    def applied(self, game: Scene) -> Scene:
        game = change(game, blow=Blow(hindrance=self.severity))
        if game.cast[self.who].hindrance >= self.severity:
            return game
        return game.with_sheet(self.who, hindrance=self.severity, hindrance_attr=self.attribute)

    def seen_by(self, viewer: Seat) -> Event | None:
        return change(self, severity=0) if self.hidden and not viewer.speaks_for(self.who) else self


class HindranceCleared(Public, Struct, frozen=True, cache_hash=True, tag="HindranceCleared"):
    who: str

    def applied(self, game: Scene) -> Scene:
        return game.with_sheet(self.who, hindrance=0, hindrance_attr=None)


class SurgeResolved(Public, Struct, frozen=True, cache_hash=True, tag="SurgeResolved"):
    """A Heroic Surge was rolled and is used (SD-H04): wounds Health - 1, or no wound penalty (SD-H03, SD-H05)."""

    who: str
    mode: str
    success: bool

    def applied(self, game: Scene) -> Scene:
        sheet = game.cast[self.who]
        after = change(game, result=int(self.success)).with_sheet(self.who, surges_used=sheet.surges_used + 1)
        if self.mode == "second_wind":
            return after.with_sheet(self.who, second_wind=self.success)
        if game.blow:
            after = change(after, blow=change(game.blow, stood=self.success))
        return after.with_sheet(self.who, wounds=sheet.health - int(self.success))


class _StatusChanged(Public):
    """Everybody sees how a character stands (SD-P05)."""

    who: str
    status: Status

    def applied(self, game: Scene) -> Scene:
        return game.with_sheet(self.who, status=self.status)


class CharacterStood(_StatusChanged, Struct, frozen=True, cache_hash=True, tag="CharacterStood"):
    """Wounds lie below Health again (SD-H03, SD-W08)."""

    who: str
    status: Status = "standing"


class CharacterDown(_StatusChanged, Struct, frozen=True, cache_hash=True, tag="CharacterDown"):
    """Out of the scene, alive (SD-W05, SD-W13, SD-J27)."""

    who: str
    status: Status = "down"


class Fled(_StatusChanged, Struct, frozen=True, cache_hash=True, tag="Fled"):
    """Away from the fight (SD-C22)."""

    who: str
    status: Status = "fled"


class CharacterDying(Public, Struct, frozen=True, cache_hash=True, tag="CharacterDying"):
    """Too much for one who falls at a gritty table; the overkill is kept (SD-W14)."""

    who: str
    overkill: int

    def applied(self, game: Scene) -> Scene:
        return game.with_sheet(self.who, status="dying", overkill=self.overkill)


class DyingChecked(Public, Struct, frozen=True, cache_hash=True, tag="DyingChecked"):
    """Stable and Down, or dead (SD-W14)."""

    who: str
    survived: bool

    def applied(self, game: Scene) -> Scene:
        status = "down" if self.survived else "dead"
        return change(game, result=int(self.survived)).with_sheet(self.who, status=status, overkill=0)


class FirstAidGiven(Public, Struct, frozen=True, cache_hash=True, tag="FirstAidGiven"):
    """The patient's one try of the scene, and what it healed; never below no wounds at all (SD-W09, SD-W15)."""

    who: str
    patient: str
    healed: int

    def applied(self, game: Scene) -> Scene:
        wounds = max(0, game.cast[self.patient].wounds - self.healed)
        return game.with_sheet(self.patient, first_aid_tried=True, wounds=wounds)
