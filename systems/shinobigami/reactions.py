"""A check in battle with the window after its roll, and the break window of an Ohgi (SG-R02, SG-O31..O36)."""

from __future__ import annotations

from msgspec import Struct, field

from systems.core.ask import OneOf, Pass, Question, asked, offer
from systems.core.errors import Illegal
from systems.core.game import Event, Message, Public, Step, change
from systems.core.play import Play
from systems.core.seats import Seat
from systems.shinobigami.checks import CRITICAL_VALUE, Grade, Interfered, SkillCheck, succeeds
from systems.shinobigami.combat_state import Battle, Fighter, key_of
from systems.shinobigami.effects import Situation, own_modifier
from systems.shinobigami.health import recover_one
from systems.shinobigami.ids import GearType
from systems.shinobigami.sheet import Ailment, Ohgi, target_number
from systems.shinobigami.windows import Reaction, Roller

AFTER_ROLL, LOSS, BREAK = "after_roll", "loss", "ohgi_break"
TO_BREAK = Situation(applies_to="ohgi_break")


class UseGear(Message, Struct, frozen=True, cache_hash=True, tag="use_gear"):
    """Soma Pill on the own roll, Prayer Seal on another's, Bead of Life for one point or ailment (SG-G02..G04)."""

    gear: GearType
    category: str | None = None
    ailment: Ailment | None = None

    def refuse(self, game: Battle, seat: Seat, question: Question | None) -> Illegal | None:
        if question is None:
            return Illegal("no_dice_to_change", "SG-R09")
        user = game[question.about].sheet
        if question.topic == AFTER_ROLL and self.gear != "bead_of_life":
            return _window(game, question).refuse(Reaction(user.id, self.gear))
        if user.has_ailment("breakdown"):
            return Illegal("gear_broken_down", "SG-G06")
        return None if user.gear.get(self.gear) else Illegal("gear_not_held", "SG-G01", gear=self.gear)


class Interfere(Message, Struct, frozen=True, cache_hash=True, tag="dark_interference"):
    """The user's Dark Interference: one die of another's roll becomes a 1 (SG-O16, SG-R04)."""

    die: int

    def refuse(self, game: Battle, seat: Seat, question: Question | None) -> Illegal | None:
        if question is None:
            return Illegal("no_dice_to_change", "SG-R09")
        if question.topic != AFTER_ROLL:
            return Illegal("ohgi_timing", "SG-O03")
        return _window(game, question).refuse(Reaction(question.about, "dark_interference", self.die))


def _window(game: Battle, question: Question) -> Roller:
    """The window after a roll, as the rules of reactions look at it."""
    roller = question.subject.split(":")[1]
    used = tuple(
        (one.id, "dark_interference")
        for one in game.fighters
        for ohgi in one.sheet.own_ohgi
        if ohgi.type == "dark_interference" and ohgi.id in one.used
    )
    others = tuple(one.sheet for one in game.fighters if one.id != roller)
    return Roller(game[roller].sheet, others, used=used)


class OhgiBreak(Message, Struct, frozen=True, cache_hash=True, tag="ohgi_break"):
    """Whether one who knew the Ohgi before its declaration tries to break it (SG-O31)."""

    tries: bool = field(name="try")

    def refuse(self, game: Battle, seat: Seat, question: Question | None) -> Illegal | None:
        return None if question else Illegal("ohgi_unknown", "SG-O31")


class GearUsed(Public, Struct, frozen=True, cache_hash=True, tag="gear_used"):
    """A piece of gear is seen when it is used, and gone (SG-G01)."""

    who: str
    gear: str

    def applied(self, game: Battle) -> Battle:
        return game.with_fighter(self.who, sheet=game[self.who].sheet.with_gear(self.gear, -1))


class CheckRolled(Public, Struct, frozen=True, cache_hash=True, tag="check_rolled"):
    """Dice of a check lie open; the window after them stands between this and the consequences (SG-R06)."""

    who: str
    what: str
    grade: Grade

    def applied(self, game: Battle) -> Battle:
        return game


class OhgiDeclared(Event, Struct, frozen=True, cache_hash=True, tag="ohgi_declared"):
    """An Ohgi is used up for the round; all who are present learn its details (SG-O02, SG-O04..O06)."""

    who: str
    ohgi: str
    present: tuple[str, ...]

    def applied(self, game: Battle) -> Battle:
        user, key = game[self.who], f"{self.who}:{self.ohgi}"
        knowers = game.knowers.get(key, ())
        learned = (*knowers, *(one for one in self.present if one not in knowers and one != self.who))
        used = game.with_fighter(self.who, used=(*user.used, self.ohgi))
        return change(used, knowers=game.knowers.put(key, learned))

    def seen_by(self, viewer: Seat) -> Event | None:
        there = viewer.gm or any(viewer.plays(one) for one in (self.who, *self.present))
        return self if there else OhgiDeclared(self.who, "", ())


class OhgiBroken(Public, Struct, frozen=True, cache_hash=True, tag="ohgi_broken"):
    """The Ohgi has no effect on anybody and counts as used (SG-O33)."""

    who: str
    by: str

    def applied(self, game: Battle) -> Battle:
        return game


class Deferred(Public, Struct, frozen=True, cache_hash=True, tag="deferred"):
    """Something takes effect when the Plot group is through (SG-W48)."""

    step: Step

    def applied(self, game: Battle) -> Battle:
        return change(game, deferred=(*game.deferred, self.step))


def checked(play: Play[Battle], who: str, check: SkillCheck, what: str) -> Grade:
    """The final grade of a check: thrown, then thrown again or changed as long as somebody reacts (SG-R05)."""
    throw = Interfered(check)
    reading = play.check(throw, f"{what}:{who}")
    while True:
        play.emit(CheckRolled(who, what, reading.now))
        reaction = first_of(play, [_after_roll(one, who, what, reading.now) for one in play.game.able])
        if reaction is None:
            return reading.now
        by, answer = reaction
        if isinstance(answer, UseGear):
            play.emit(GearUsed(by, answer.gear))
            reading = play.check(throw, f"{what}:{who}")  # SG-R03: the earlier roll is gone
        elif isinstance(answer, Interfere) and uses_ohgi(play, by, "dark_interference"):
            reading = reading.with_one(answer.die)


def first_of(play: Play[Battle], questions: list[Question]) -> tuple[str, Message] | None:
    """All are asked unseen by one another; a roll-off decides between several who react (SG-R10, SG-A08)."""
    answers = play.ask_all(questions, veiled=True)
    reacting = [
        (question.about, answer)
        for question, answer in zip(questions, answers, strict=True)
        if not isinstance(answer, Pass)
    ]
    if not reacting:
        return None
    return play.rank(reacting, "reaction")[0] if len(reacting) > 1 else reacting[0]


PASSING = offer(Pass)
SOMA = offer(UseGear, gear=OneOf(("soma_pill",)))
SEAL = offer(UseGear, gear=OneOf(("prayer_seal",)))
INTERFERE = offer(Interfere, die=OneOf((0, 1)))
TRY = offer(OhgiBreak, tries=OneOf((True, False)))


def _after_roll(fighter: Fighter, roller: str, what: str, grade: Grade) -> Question:
    offers = [PASSING]
    if fighter.id == roller:
        offers += [SOMA] if fighter.has_gear("soma_pill") else []
    else:
        offers += [SEAL] if fighter.has_gear("prayer_seal") else []
        offers += [INTERFERE] if fighter.ohgi_of("dark_interference") else []
    return asked(fighter.id, AFTER_ROLL, *offers, subject=f"{what}:{roller}:{grade}")


def uses_ohgi(play: Play[Battle], user: str, kind: str) -> bool:
    """Declare an own Ohgi of this type; True if it survives its break window (SG-O04, SG-O31..O34)."""
    ohgi = play.game[user].ohgi_of(kind)
    if ohgi is None:
        return False
    breakers = tuple(one.id for one in play.game.able if one.id != user and play.game.knows(one.id, key_of(user, ohgi)))
    play.emit(OhgiDeclared(user, ohgi.id, tuple(one.id for one in play.game.able if one.id != user)))
    return not any(breaks(play, one, user, ohgi) for one in breakers)


def breaks(play: Play[Battle], breaker: str, user: str, ohgi: Ohgi) -> bool:
    """One who knows the Ohgi may try; who is in Backlash cannot, the first success ends it (SG-O32..O34)."""
    if play.game[breaker].backlash or not play.game[breaker].able or ohgi.assigned_skill is None:
        return False
    question = asked(breaker, BREAK, TRY, silence=OhgiBreak(False), assumed=OhgiBreak(True), subject=user)
    answer = play.ask(question)
    if not isinstance(answer, OhgiBreak) or not answer.tries:
        return False
    grade = checked(play, breaker, check_of(play.game, breaker, ohgi.assigned_skill, TO_BREAK), BREAK)
    after_check(play, breaker, grade)
    if succeeds(grade):
        play.emit(OhgiBroken(user, breaker))
    return succeeds(grade)


def check_of(
    battle: Battle, who: str, skill: str, situation: Situation, modifier: int = 0, critical_value: int = CRITICAL_VALUE
) -> SkillCheck:
    """A Skill Check in Attack Resolution: Target Number and own modifiers of the sheet, F of the Plot (SG-C10)."""
    sheet = battle[who].sheet
    total = modifier + own_modifier(sheet, situation)
    return SkillCheck(target_number(sheet, skill).value, total, battle.fumble_value(who), critical_value)


def after_check(play: Play[Battle], who: str, grade: Grade) -> None:
    """Consequences of a final roll in battle: Backlash, or the recovery of a Critical (SG-C13, SG-C20, SG-W38)."""
    if grade == "fumble" and play.game.context == "combat":
        defer(play, BacklashFalls(who))
    if grade == "critical":
        recover_one(play, who)


class BacklashFell(Public, Struct, frozen=True, cache_hash=True, tag="backlash_fell"):
    """All later checks of this fighter in this round fail (SG-W40)."""

    who: str

    def applied(self, game: Battle) -> Battle:
        return game.with_fighter(self.who, backlash=True)


class BacklashFalls(Step, Struct, frozen=True, cache_hash=True, tag="backlash_falls"):
    """A Fumble in Attack Resolution; inside a group it takes effect at its end (SG-W40, SG-W48)."""

    who: str

    def run(self, play: Play[Battle]) -> None:
        play.emit(BacklashFell(self.who))


def defer(play: Play[Battle], *steps: Step) -> None:
    """Put something off until the Plot group is through (SG-W48)."""
    for step in steps:
        play.emit(Deferred(step))
