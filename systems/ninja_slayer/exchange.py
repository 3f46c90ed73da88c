"""A split melee attack or shooting, hit by hit: all parts are thrown first (NS-A17), then each is met in order (23.1,
NS-RUL21).

The order of the dice is that of NS-C25: attack blocks, then for each hit evasion, counter-evasion, satsubatsu, heavy
blow.
"""

from __future__ import annotations

from msgspec import Struct

from systems.core.ask import Between, OneOf, Question, asked, offer
from systems.core.errors import Illegal
from systems.core.game import Message, Public, Step
from systems.core.play import Play
from systems.core.seats import Seat
from systems.ninja_slayer.attack import AUTO_SUCCESSES, Criticals, Striking, Struck
from systems.ninja_slayer.damage import TakeHit
from systems.ninja_slayer.difficulty import NORMAL
from systems.ninja_slayer.evasion import EvadeParams, evading, evasion_modifiers
from systems.ninja_slayer.explain import modified
from systems.ninja_slayer.fight import (
    DECLINE_COUNTER,
    DECLINE_EVASION,
    Blow,
    Bundle,
    CounterDeclared,
    DeclineCounter,
    DeclineEvasion,
    EvasionDeclined,
    EvasionRolled,
    Fight,
    Hit,
    HitFaced,
    HitWasted,
    PartsCancelled,
    unless_asked,
)
from systems.ninja_slayer.sheet import Character
from systems.ninja_slayer.words import DamageType

COUNTER_DAMAGE = 1  # NS-K02


class Evade(Message, Struct, frozen=True, cache_hash=True, tag="evade"):
    """Dice committed to evade what is faced (NS-E03). `bundle` hits of it are met together, 0 means all of them
    (NS-E16, NS-RUL23)."""

    use_evasion: int = 0
    use_emergency: int = 0
    bundle: int = 0

    def refuse(self, game: Fight, seat: Seat, question: Question | None) -> Illegal | None:
        if (refusal := unless_asked(question, "evasion", "already_evaded", "NS-E01")) or not question:
            return refusal
        return self.attempt(game.fighters[question.about], game.facing).refusal()

    def attempt(self, defender: Character, facing: Hit | Bundle | None) -> EvadeParams:
        """This answer as an evasion check of that defender."""
        several = facing.size if isinstance(facing, Bundle) else 1
        return EvadeParams(
            evasion_now=defender.evasion,
            emergency_now=defender.emergency,
            use_evasion=self.use_evasion,
            use_emergency=self.use_emergency,
            bundle=self.bundle or several,
            defender_category=defender.kind,
            state=defender.condition,
        )


class Counter(Message, Struct, frozen=True, cache_hash=True, tag="counter"):
    """Counter karate against the attacker, or against one mob of the bundle (NS-K01, NS-K09)."""

    target: str

    def refuse(self, game: Fight, seat: Seat, question: Question | None) -> Illegal | None:
        if refusal := unless_asked(question, "counter", "counter_not_available", "NS-K01"):
            return refusal
        if question and not any(one.allows(self) for one in question.offers):
            return Illegal("target_not_in_bundle", "NS-K09", target=self.target)
        return None


class Attack(Struct, frozen=True, cache_hash=True):
    """How all parts of one attack are thrown and what a hit of it is.

    `counted` is how many successes are told apart: beyond the dice that could answer them none matters (NS-K01).
    """

    by: str
    at: str
    type: DamageType
    level: int
    evasion: int  # level of the evasion check before namu
    namu_evasion: int  # and against a namu
    special: Criticals | None
    base: int = 1
    heavy_blow: int = 0
    on_six: int = 0
    no_heavy_blow: bool = False
    counted: int = 1

    def hit(self, part: int, number: int, struck: Struck, auto: bool) -> Hit:
        blow = Blow(
            self.at,
            part,
            self.base,
            max(self.heavy_blow, self.on_six if struck.six else 0),
            satsubatsu=bool(struck.critical),
            no_heavy_blow=self.no_heavy_blow,
        )
        namu = struck.critical == "namu"
        level = self.namu_evasion if namu else self.evasion
        return Hit(blow, self.by, number, self.type, level, struck.successes, namu, auto)


class RollPart(Step, Struct, frozen=True, cache_hash=True, tag="roll_part"):
    """One part is thrown (NS-A11, NS-A17); against an unconscious target it hits by itself (NS-A20)."""

    attack: Attack
    part: int
    dice: int

    @property
    def check(self) -> Striking:
        attack = self.attack
        return Striking(self.dice, attack.level, attack.special, attack.counted, attack.on_six > 0)

    def run(self, play: Play[Fight]) -> None:
        attack = self.attack
        auto = not play.game.fighters[attack.at].able
        struck = Struck(AUTO_SUCCESSES) if auto else play.check(self.check, f"attack {self.part}")
        play.emit(AttackRolled(attack.by, attack.at, self.part, struck.successes, struck.critical, auto))
        if struck.hit:
            number = 1 + sum(isinstance(step, MeetHit) for step in play.game.agenda)
            play.later(MeetHit(attack.hit(self.part, number, struck, auto)))


class AttackRolled(Public, Struct, frozen=True, cache_hash=True, tag="attack_rolled"):
    """The result of a part, shown before the defender decides (NS-Q03); `successes` as far as they are told apart."""

    by: str
    at: str
    part: int
    successes: int
    critical: str
    auto: bool

    def applied(self, game: Fight) -> Fight:
        return game


class MeetHit(Step, Struct, frozen=True, cache_hash=True, tag="meet_hit"):
    """The target of a hit decides, evades and may counter; each part by itself (NS-E13, NS-K08, NS-RUL25).

    A counter is met in the same way: base NORMAL, own dice, and mobs cannot evade it (NS-K05).
    """

    hit: Hit

    def run(self, play: Play[Fight]) -> None:
        hit, target = self.hit, play.game.fighters[self.hit.blow.at]
        if target.gone:
            play.emit(HitWasted(hit.blow.part))
        elif hit.auto or not target.able or target.mob:
            play.then(*landing(hit.blow))
        else:
            play.emit(HitFaced(hit))
            self._evade(play, target)

    def _evade(self, play: Play[Fight], target: Character) -> None:
        hit, blow = self.hit, self.hit.blow
        answer = play.ask(evasion_question(blow.at, target, str(hit.number)))
        if not isinstance(answer, Evade):
            play.emit(EvasionDeclined(blow.at, blow.part))
            play.then(*landing(blow))
            return
        against = hit.successes if hit.kind == "melee" and target.ninja and not blow.counter else None
        label = f"counter evasion {blow.part}" if blow.counter else f"evasion {blow.part}"
        result = evading(play, answer.use_evasion + answer.use_emergency, hit.level, against, label)
        play.emit(
            EvasionRolled(blow.at, blow.part, hit.level, answer.use_evasion, answer.use_emergency, result, blow.counter)
        )
        if result == "failed":
            play.then(*landing(blow))
        elif result == "surpassed":
            offer_counter(play, blow.at, blow.part, (hit.by,), hit.number)


def landing(blow: Blow) -> tuple[Step, ...]:
    """What follows when nobody evades: the blow, and after a counter the end of a felled attacker's parts."""
    return (TakeHit(blow), EndIfDown(blow.at)) if blow.counter else (TakeHit(blow),)


def evasion_question(who: str, defender: Character, subject: str, splits: tuple[int, ...] = (0,)) -> Question:
    """Dice to commit, or none; silence takes the damage (NS-E05). `splits` are the numbers of hits met together."""
    return asked(
        who,
        "evasion",
        offer(
            Evade,
            use_evasion=Between(0, defender.evasion),
            use_emergency=Between(0, defender.emergency),
            bundle=OneOf(splits),
        ),
        offer(DeclineEvasion),
        silence=DECLINE_EVASION,
        subject=subject,
    )


def offer_counter(play: Play[Fight], who: str, part: int, among: tuple[str, ...], number: int) -> None:
    """More successes than the attack: the defender may strike back at once (NS-K01), odds take it that he does."""
    question = asked(
        who,
        "counter",
        offer(Counter, target=OneOf(among)),
        offer(DeclineCounter),
        silence=DECLINE_COUNTER,
        assumed=Counter(among[0]),
        subject=str(number),
    )
    answer = play.ask(question)
    if isinstance(answer, Counter):
        hit = counter_hit(play.game, who, answer.target, part, number)
        play.emit(CounterDeclared(who, answer.target, part, hit.level))
        play.then(MeetHit(hit))


def counter_hit(game: Fight, by: str, at: str, part: int, number: int) -> Hit:
    """1 damage of melee, however wide the margin (NS-K02, NS-K03); no satsubatsu or heavy blow (NS-K04), and no counter
    follows a counter (NS-K06)."""
    target = game.fighters[at]
    steps = evasion_modifiers("melee", False, game.atmosphere, game.fighters[by].kind, target.evasion_mods or ())
    blow = Blow(at, part, COUNTER_DAMAGE, no_heavy_blow=True, counter=True)
    return Hit(blow, by, number, "melee", modified(NORMAL, steps), 1)


class EndIfDown(Step, Struct, frozen=True, cache_hash=True, tag="end_if_down"):
    """Whoever fell to a counter attacks no further (NS-A19); mere damage stops nobody (NS-K07)."""

    who: str

    def run(self, play: Play[Fight]) -> None:
        if play.game.fighters[self.who].able:
            return
        mine = [step for step in play.game.agenda if isinstance(step, MeetHit) and step.hit.by == self.who]
        if mine:
            play.drop(*(step for step in play.game.agenda if step not in mine))
            play.emit(PartsCancelled(self.who, tuple(step.hit.blow.part for step in mine)))
