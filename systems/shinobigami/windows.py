"""The window after a roll (SG-R02..R12): who may do what, and what it does; for checks given with their reactions."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from systems.core.ask import Question
from systems.core.calls import CheckCall, Outcome, Report, Verdict
from systems.core.dice import Faces
from systems.core.errors import Illegal
from systems.core.game import Game, Step, change
from systems.core.play import Play, Throw
from systems.core.text import Because, Term, because
from systems.core.values import Map
from systems.shinobigami.checks import CRITICAL_VALUE, Consequence, Interfered, Reading, SkillCheck, succeeds
from systems.shinobigami.ids import Context, Count, CriticalValue, FumbleValue, Id
from systems.shinobigami.names import calls
from systems.shinobigami.rolls import GRADES, PERFECT_SUCCESS_RESULT, Auto, Modifiers, passed, reading
from systems.shinobigami.sheet import Character

REROLLS = ("soma_pill", "prayer_seal", "star_of_fate")

ReactionKind = Literal["soma_pill", "prayer_seal", "dark_interference", "star_of_fate", "emomod"]


class Reaction(Struct, frozen=True, cache_hash=True, forbid_unknown_fields=True):
    """What somebody does after a roll; `die` (0 or 1, in the order they fell) is for Dark Interference only."""

    by: Id
    kind: ReactionKind
    die: Annotated[int, Meta(ge=0, le=1)] | None = None


class Roller(Struct, frozen=True, cache_hash=True):
    """Who rolls and who else could react, as they stand now; `used` are the limited things used on this check."""

    roller: Character
    others: tuple[Character, ...] = ()
    automatic: bool = False
    gm_consent: bool = False
    used: tuple[tuple[str, str], ...] = ()

    def find(self, who: str) -> Character:
        """Raises `Illegal` `unknown_character`."""
        for one in (self.roller, *self.others):
            if one.id == who:
                return one
        raise Illegal("unknown_character", "SG-R02", character=who)

    def refuse(self, reaction: Reaction) -> Illegal | None:
        """Why this reaction is not open to its user, apart from the dice (order of SG-ERR1)."""
        user = self.find(reaction.by)
        if reaction.kind == "emomod":  # SG-R01, SG-C05: before the dice
            return Illegal("dice_already_rolled", "SG-E09")
        if self.automatic:
            return Illegal("no_dice_to_change", "SG-R09")
        if user.knocked_out:
            return Illegal("knocked_out", "SG-G09")
        if reaction.kind in ("soma_pill", "prayer_seal"):
            return self._refuse_gear(user, reaction.kind)
        return self._refuse_star(user) if reaction.kind == "star_of_fate" else self._refuse_ohgi(user, reaction)

    def _refuse_gear(self, user: Character, kind: str) -> Illegal | None:
        own = user.id == self.roller.id
        if kind == "soma_pill" and not own:
            return Illegal("not_your_decision", "SG-G03")
        if kind == "prayer_seal" and own:
            return Illegal("cannot_target_self", "SG-R07")
        if user.has_ailment("breakdown"):
            return Illegal("gear_broken_down", "SG-G06")
        if not user.gear.get(kind):
            return Illegal("gear_not_held", "SG-G01")
        if user.in_scene != self.roller.in_scene:  # both inside, or both outside (SG-R07, SG-Z48)
            return Illegal("not_in_same_scene", "SG-R07")
        return None

    def _refuse_ohgi(self, user: Character, reaction: Reaction) -> Illegal | None:
        held = sum(one.type == "dark_interference" for one in user.own_ohgi)
        if user.id == self.roller.id:
            return Illegal("cannot_target_self", "SG-O16")
        if not held:
            return Illegal("ohgi_unknown", "SG-O16")
        if self.used.count((user.id, reaction.kind)) >= held:
            return Illegal("ohgi_already_used", "SG-O02")
        if not (user.in_scene and self.roller.in_scene):
            return Illegal("not_in_same_scene", "SG-R08")
        return Illegal("invalid_choice", "SG-R04") if reaction.die is None else None

    def _refuse_star(self, user: Character) -> Illegal | None:
        if user.id != self.roller.id or not user.background("star_of_fate"):
            return Illegal("not_your_decision", "SG-B36")
        if (user.id, "star_of_fate") in self.used:
            return Illegal("star_of_fate_used", "SG-B36")
        return None if self.gm_consent or user.gm_consent else Illegal("gm_consent_missing", "SG-B36")

    def after(self, reaction: Reaction) -> Roller:
        """Gear is gone (SG-G01), an Ohgi or the Star of Fate is used."""
        after = change(self, used=(*self.used, (reaction.by, reaction.kind)))
        if reaction.kind not in ("soma_pill", "prayer_seal"):
            return after
        if reaction.by == self.roller.id:
            return change(after, roller=self.roller.with_gear(reaction.kind, -1))
        others = (one.with_gear(reaction.kind, -1) if one.id == reaction.by else one for one in self.others)
        return change(after, others=tuple(others))


def fits(reaction: Reaction, roll: Reading) -> bool:
    """Star of Fate needs a failed roll (SG-B36, SG-Z57)."""
    return reaction.kind != "star_of_fate" or not succeeds(roll.now)


def reacted(play: Play[Any], check: SkillCheck, roll: Reading, reaction: Reaction, label: str) -> Reading:
    """The roll after a reaction: thrown again (SG-R03, what was changed is gone), or with one die changed (SG-R04)."""
    if reaction.kind in REROLLS:
        return play.check(Interfered(check), label)
    return roll.with_one(reaction.die or 0)


class WindowParams(Struct, frozen=True, cache_hash=True, kw_only=True, forbid_unknown_fields=True):
    """A check and what is done after it, in the order of use."""

    target_number: Count | None
    modifiers: Modifiers = ()
    fumble_value: FumbleValue | None = 2
    critical_value: CriticalValue = CRITICAL_VALUE
    context: Context = "drama"
    auto: Auto | UnsetType = UNSET
    roller: Character
    others: Annotated[tuple[Character, ...], Meta(max_length=64)] = ()
    reactions: Annotated[tuple[Reaction, ...], Meta(max_length=64)] = ()
    gm_consent: bool = False

    @property
    def check(self) -> SkillCheck:
        modifier = sum(self.modifiers) + self.roller.cycle_penalty
        return SkillCheck(self.target_number, modifier, self.fumble_value, self.critical_value)

    @property
    def opened(self) -> Roller:
        return Roller(self.roller, self.others, self.auto is not UNSET, self.gm_consent)


class WindowOutcome(Outcome, frozen=True, kw_only=True):
    """The final roll, and the gear that the roller has left."""

    natural: int | None
    total: int | None
    consequence: Consequence
    roller_gear: Map[str, int]


def _through(p: WindowParams) -> Roller:
    """Everybody after all reactions. Raises `Illegal` for the first that is not legal."""
    who = p.opened
    for reaction in p.reactions:
        if refusal := who.refuse(reaction):
            raise refusal
        who = who.after(reaction)
    return who


def _report(p: WindowParams, throws: tuple[Throw, ...]) -> Report:
    gear = _through(p).roller.gear
    if not throws:
        outcome = WindowOutcome(natural=None, total=PERFECT_SUCCESS_RESULT, consequence="none", roller_gear=gear)
        return Report(outcome, (because("SG-C16", "perfect_success"),))
    faces, lines = _last_faces(p, throws)
    modifiers = tuple(because("SG-C05", "modifier", modifier=one) for one in p.modifiers)
    final = reading(p.check, faces, p.context, modifiers)
    shown: Any = final.outcome
    outcome = WindowOutcome(natural=shown.natural, total=shown.total, consequence=shown.consequence, roller_gear=gear)
    return Report(outcome, lines + final.explain)


def _last_faces(p: WindowParams, throws: tuple[Throw, ...]) -> tuple[Faces, tuple[Because, ...]]:
    """The dice as they lie in the end. Raises `Illegal` where a reaction needed a failed roll."""
    rolls = iter(throws)
    faces = next(rolls).arranged
    lines: tuple[Because, ...] = ()
    for reaction in p.reactions:
        if not fits(reaction, Interfered(p.check).read(faces)):
            raise Illegal("roll_not_failed", "SG-B36")
        lines += (because("SG-R03", "reaction", by=reaction.by, reaction=Term("reaction", reaction.kind)),)
        if reaction.kind in REROLLS:
            faces = next(rolls).arranged
        else:
            faces = (1, faces[1]) if reaction.die == 0 else (faces[0], 1)
    return faces, lines


class Rolled(Game, frozen=True, cache_hash=True, kw_only=True):
    """The roll as it lies now."""

    roll: Reading | None = None


class ThrowsCheck(Step, Struct, frozen=True, cache_hash=True, tag="throws_check"):
    """The first throw of the check."""

    check: SkillCheck

    def run(self, play: Play[Rolled]) -> None:
        play.game = change(play.game, roll=play.check(Interfered(self.check), "skill_check"))


class Reacts(Step, Struct, frozen=True, cache_hash=True, tag="reacts"):
    """One reaction to the roll; where the roll does not allow it, nothing follows any more."""

    check: SkillCheck
    reaction: Reaction

    def run(self, play: Play[Rolled]) -> None:
        roll = play.game.roll
        if roll is None or not fits(self.reaction, roll):
            play.drop()
        else:
            after = reacted(play, self.check, roll, self.reaction, self.reaction.kind)
            play.game = change(play.game, roll=after)


class CheckWithReactions(CheckCall[WindowParams, Rolled]):
    """Consequences follow only from the last roll (SG-R06); odds use a reaction where the roll allows it."""

    id = "check_with_reactions"
    rules = (
        "SG-R01",
        "SG-R02",
        "SG-R03",
        "SG-R04",
        "SG-R05",
        "SG-R06",
        "SG-R07",
        "SG-R08",
        "SG-R09",
        "SG-R11",
        "SG-R12",
        "SG-Z49",
    )
    grades = tuple(GRADES.split())
    params = WindowParams
    outcome = WindowOutcome

    def begin(self, p: WindowParams) -> Rolled:
        _through(p)
        if p.auto is not UNSET:  # SG-C16, SG-R09
            return Rolled()
        return Rolled(agenda=(ThrowsCheck(p.check), *(Reacts(p.check, one) for one in p.reactions)))

    def verdict(self, p: WindowParams, game: Rolled, pending: str | None) -> Verdict:
        return passed(game.roll.now if game.roll else "success")

    def report(self, p: WindowParams, game: Rolled, throws: tuple[Throw, ...], pending: Question | None) -> Report:
        return _report(p, throws)


calls.add(CheckWithReactions())
