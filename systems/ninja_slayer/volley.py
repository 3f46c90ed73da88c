"""Mobs alike that attack together: all shots are thrown, then bundles are offered to the target (10.1, 10.2)."""

from __future__ import annotations

from msgspec import Struct

from systems.core.ask import Question, asked, offer
from systems.core.errors import Illegal
from systems.core.game import Message, Public, Step, change
from systems.core.play import Play
from systems.core.seats import Seat
from systems.core.tables import RowTable, load_tables
from systems.ninja_slayer.attack import AUTO_SUCCESSES, Striking
from systems.ninja_slayer.damage import TakeHit
from systems.ninja_slayer.dice import ALL_SUCCESSES
from systems.ninja_slayer.difficulty import NORMAL, level_of
from systems.ninja_slayer.evasion import evading, evasion_modifiers
from systems.ninja_slayer.exchange import Evade, evasion_question, offer_counter
from systems.ninja_slayer.explain import modified
from systems.ninja_slayer.fight import (
    NM,
    Blow,
    Bundle,
    EvasionDeclined,
    EvasionRolled,
    Fight,
    HitFaced,
    HitWasted,
    MobHit,
    Wave,
    unless_asked,
)
from systems.ninja_slayer.sheet import Character
from systems.ninja_slayer.words import DamageType

SHOT_DAMAGE = 1
BARRAGE: RowTable = load_tables("systems.ninja_slayer")["barrage_table"]
BARRAGE_FROM = min(row.low for row in BARRAGE.rows if row.low is not None)  # total damage (NS-E18)
_SHOOTING = ("shuriken", "firearm")


class DeclareBarrage(Message, Struct, frozen=True, cache_hash=True, tag="declare_barrage"):
    """The NM turns a bundle of shots into one barrage, before the target decides (NS-E18)."""

    def refuse(self, game: Fight, seat: Seat, question: Question | None) -> Illegal | None:
        return unless_asked(question, "barrage", "barrage_too_late", "NS-E18")


class Decline(Message, Struct, frozen=True, cache_hash=True, tag="decline"):
    """Closes a window of the NM without doing anything (NS-C26)."""

    def refuse(self, game: Fight, seat: Seat, question: Question | None) -> Illegal | None:
        return unless_asked(question, "barrage", "barrage_too_late", "NS-E18")


DECLINE = Decline()


class Volley(Struct, frozen=True, cache_hash=True):
    """How every mob of a kind attacks: dice of each shot, shots, and what meets them.

    `evasion` is the level of the evasion check; mobs never feel the atmosphere (NS-O06). `counted`: how many
    successes are told apart; those of blows matter for a counter.
    """

    at: str
    type: DamageType
    dice: int
    shots: int = 1
    staggered: bool = False
    evasion: int = NORMAL
    counted: int = 1

    def against(self, target: Character, base: str, answering: int = ALL_SUCCESSES) -> Volley:
        """Made ready for a target: its own evasion modifiers (NS-E09), and the most dice that will evade at once."""
        steps = evasion_modifiers(self.type, False, "normal", "mob", target.evasion_mods or ())
        counted = max(1, answering) if self.type == "melee" and target.ninja else 1
        return change(self, evasion=modified(level_of(base), steps), counted=counted)


class VolleyBegun(Public, Struct, frozen=True, cache_hash=True, tag="volley_begun"):
    waves: int

    def applied(self, game: Fight) -> Fight:
        return change(game, waves=(Wave(),) * self.waves)


class RollMob(Step, Struct, frozen=True, cache_hash=True, tag="roll_mob"):
    """One mob throws its shots one after the other (NS-C25, NS-E17), here from `shot` on; it causes no satsubatsu
    (NS-S01).

    `mob` is its id, or empty where nobody in particular shoots. Each shot is a step, so that odds merge what hit alike.
    """

    volley: Volley
    number: int
    mob: str = ""
    shot: int = 1

    def run(self, play: Play[Fight]) -> None:
        volley = self.volley
        successes = self._successes(play)
        wave = self.shot if volley.staggered else 1
        play.emit(MobRolled(volley.at, self.number, self.mob, self.shot, successes, wave, volley.counted))
        if self.shot < volley.shots:
            play.then(change(self, shot=self.shot + 1))

    def _successes(self, play: Play[Fight]) -> int:
        volley = self.volley
        if not play.game.fighters[volley.at].able:
            return AUTO_SUCCESSES  # NS-A20
        return play.check(Striking(volley.dice, cap=volley.counted), shot_label(self.number, self.shot)).successes


def shot_label(mob: int, shot: int) -> str:
    return f"mob {mob} shot {shot}"


class MobRolled(Public, Struct, frozen=True, cache_hash=True, tag="mob_rolled"):
    """A shot of one mob, its success count up to `counted`; `wave` is the bundle it belongs to if it hit (NS-E14)."""

    at: str
    number: int
    mob: str
    shot: int
    successes: int
    wave: int
    counted: int

    def applied(self, game: Fight) -> Fight:
        if not self.successes:
            return game
        waves = list(game.waves)
        waves[self.wave - 1] = self._with(waves[self.wave - 1])
        return change(game, waves=tuple(waves))

    def _with(self, wave: Wave) -> Wave:
        hits = (*wave.hits, MobHit(self.mob, self.successes)) if self.mob else ()
        total = min(self.counted, wave.successes + self.successes)
        return Wave(wave.damage + SHOT_DAMAGE, total, hits)


class FormBundles(Step, Struct, frozen=True, cache_hash=True, tag="form_bundles"):
    """What hit becomes bundles: all at once (NS-E11), or wave by wave if staggered (NS-E14).

    `declared`: a barrage is all that is wanted; where too few hit for one it is refused and nothing happens (NS-E20).
    """

    volley: Volley
    declared: bool = False

    def run(self, play: Play[Fight]) -> None:
        volley, waves = self.volley, play.game.waves
        target = play.game.fighters[volley.at]
        bundles = [
            Bundle(
                volley.at,
                part,
                volley.type,
                wave.damage,
                wave.successes,
                volley.evasion,
                volley.staggered,
                hits=wave.hits,
            )
            for part, wave in enumerate(waves, 1)
        ]
        if target.kind == "boss":
            bundles = _one_by_one(bundles)
        play.emit(BundlesFormed(tuple(bundles)))
        total = sum(bundle.damage for bundle in bundles)
        if self.declared and barrage_refused(volley.type, volley.staggered, total):
            return
        play.then(*(MeetBundle(bundle) for bundle in bundles if bundle.damage))


def _one_by_one(bundles: list[Bundle]) -> list[Bundle]:
    """A boss that is no ninja evades hit by hit (NS-E21, NS-RUL56)."""
    singles: list[Bundle] = []
    for bundle in bundles:
        for at in range(bundle.damage):
            hits = bundle.hits[at : at + 1]
            singles.append(change(bundle, part=len(singles) + 1, damage=SHOT_DAMAGE, successes=1, hits=hits))
    return singles


class BundlesFormed(Public, Struct, frozen=True, cache_hash=True, tag="bundles_formed"):
    bundles: tuple[Bundle, ...]

    def applied(self, game: Fight) -> Fight:
        return change(game, waves=())


class BarrageDeclared(Public, Struct, frozen=True, cache_hash=True, tag="barrage_declared"):
    """The bundle as the barrage leaves it (NS-E19)."""

    bundle: Bundle

    def applied(self, game: Fight) -> Fight:
        return game


class MeetBundle(Step, Struct, frozen=True, cache_hash=True, tag="meet_bundle"):
    """One bundle is met with one check (NS-E10, NS-E12), or hit by hit (NS-E16)."""

    bundle: Bundle

    def run(self, play: Play[Fight]) -> None:
        target = play.game.fighters[self.bundle.at]
        if target.gone:
            play.emit(HitWasted(self.bundle.part))
            return
        bundle = _barraged(play, self.bundle, target)
        if not target.able or target.mob:
            play.then(_landing(bundle))
            return
        play.emit(HitFaced(bundle))
        splits = (0,) if bundle.barrage or bundle.staggered else tuple(range(bundle.size + (bundle.size > 1)))
        answer = play.ask(evasion_question(bundle.at, target, str(bundle.part), splits or (0,)))
        if not isinstance(answer, Evade):
            play.emit(EvasionDeclined(bundle.at, bundle.part))
            play.then(_landing(bundle))
            return
        met, rest = _divided(bundle, answer.bundle)
        _evade(play, met, answer, target)
        if rest:
            play.then(MeetBundle(rest))


def _divided(bundle: Bundle, count: int) -> tuple[Bundle, Bundle | None]:
    """The first hits, met together, and the others, which come after them (NS-E16)."""
    if not 0 < count < bundle.size:
        return bundle, None
    parts = bundle.hits[:count], bundle.hits[count:]
    first, second = (
        change(bundle, damage=SHOT_DAMAGE * len(hits), successes=sum(hit.successes for hit in hits), hits=hits)
        for hits in parts
    )
    return first, second


def _evade(play: Play[Fight], bundle: Bundle, answer: Evade, target: Character) -> None:
    """The sum of all successes has to be surpassed for a counter against one of those who hit (NS-K09)."""
    counters = bundle.kind == "melee" and target.ninja
    dice = answer.use_evasion + answer.use_emergency
    result = evading(play, dice, bundle.level, bundle.successes if counters else None, f"evasion {bundle.part}")
    play.emit(EvasionRolled(bundle.at, bundle.part, bundle.level, answer.use_evasion, answer.use_emergency, result))
    mobs = tuple(hit.mob for hit in bundle.hits)
    if result == "failed":
        play.then(_landing(bundle))
    elif result == "surpassed" and mobs:
        offer_counter(play, bundle.at, bundle.part, mobs, bundle.part)


def _landing(bundle: Bundle) -> Step:
    return TakeHit(Blow(bundle.at, bundle.part, bundle.damage))


def barrage_refused(type: DamageType, staggered: bool, total: int) -> Illegal | None:
    """Shots only, not staggered, worth 3 or more (NS-E18, NS-E20)."""
    if type in _SHOOTING and not staggered and total >= BARRAGE_FROM:
        return None
    return Illegal("barrage_not_possible", "NS-E20", total=total)


def _barraged(play: Play[Fight], bundle: Bundle, target: Character) -> Bundle:
    """The NM's window; a barrage deals less and is harder to evade, by the table (NS-E19, NS-RUL24)."""
    if not play.game.switches.barrage or bundle.barrage or target.kind == "boss":
        return bundle
    if barrage_refused(bundle.kind, bundle.staggered, bundle.damage):
        return bundle
    question = asked(NM, "barrage", offer(DeclareBarrage), offer(Decline), silence=DECLINE, subject=str(bundle.part))
    if not isinstance(play.ask(question), DeclareBarrage):
        return bundle
    facts = BARRAGE.at(bundle.damage).facts
    own = target.evasion_mods or ()
    steps = evasion_modifiers(bundle.kind, False, "normal", "mob", own)
    level = modified(level_of(facts["evasion"]), steps)
    barrage = change(bundle, damage=facts["damage"], level=level, barrage=True, hits=())
    play.emit(BarrageDeclared(barrage))
    return barrage
