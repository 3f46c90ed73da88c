"""Policies: who decides for a character in odds and simulations (section 23, section 25). Ids, never sentences."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache

from msgspec import Struct

from systems.core.ask import OneOf, Question
from systems.core.game import Message
from systems.core.odds import distribution
from systems.ninja_slayer.dice import Counting
from systems.ninja_slayer.exchange import Counter, Evade
from systems.ninja_slayer.fight import DECLINE_EVASION, Bundle, Endurance, Fight, Hit

SURE_ENOUGH = Fraction(4, 5)  # of evading a normal hit (section 25)
SURER = Fraction(19, 20)  # of evading a satsubatsu or namu
KEPT = 3  # one third of the pool is kept while enemies are still to act


class Glance(Struct, frozen=True):
    """What a player sees of an open question (23.2): what is faced, and the own dice."""

    facing: Hit | Bundle | None
    evasion: int
    emergency: int
    vitality: int
    enemies_to_act: bool = False


Look = Callable[[], Glance]


def glance(game: Fight, who: str) -> Glance:
    """The view that policies decide by; in an exchange nobody else is about to act."""
    own = game.fighters[who]
    return Glance(game.facing, own.evasion, own.emergency, own.vitality)


class Auto:
    """Endurance exactly when it saves; nothing else (NS-H07)."""

    id = "auto"

    def answer(self, question: Question, look: Look) -> Message:
        return Endurance() if question.topic == "endurance" else question.silence


class Refuse:
    """Every offer is refused: no endurance, no evasion, no counter, no barrage."""

    id = "decline"

    def answer(self, question: Question, look: Look) -> Message:
        return Endurance(False) if question.topic == "endurance" else question.silence


class CounterAlways:
    """Counter karate whenever entitled (NS-K11), endurance when it saves."""

    id = "counter_always"

    def answer(self, question: Question, look: Look) -> Message:
        if question.topic == "counter":
            return Counter(_first_target(question))
        return Endurance() if question.topic == "endurance" else question.silence


class EvadeBaseline(CounterAlways):
    """The fewest dice that evade with 80 %, against satsubatsu and namu with 95 %; emergency dice only against a hit
    that would drop the character."""

    id = "evade_baseline"

    def answer(self, question: Question, look: Look) -> Message:
        if question.topic != "evasion":
            return super().answer(question, look)
        seen = look()
        assert seen.facing is not None
        offered = seen.evasion - seen.evasion // KEPT if seen.enemies_to_act else seen.evasion
        wanted = dice_for(seen.facing.level, SURER if _grave(seen.facing) else SURE_ENOUGH)
        evasion = min(offered, wanted)
        emergency = min(seen.emergency, wanted - evasion) if _drops(seen) else 0
        return Evade(evasion, emergency) if evasion or emergency else DECLINE_EVASION


def _grave(facing: Hit | Bundle) -> bool:
    return isinstance(facing, Hit) and facing.blow.satsubatsu


def _drops(seen: Glance) -> bool:
    damage = seen.facing.damage if isinstance(seen.facing, Bundle) else 1
    return damage >= seen.vitality


@lru_cache(maxsize=1024)
def dice_for(level: int, chance: Fraction, most: int = 100) -> int:
    """The smallest pool that succeeds with that chance, by the odds of the check itself."""
    return next((n for n in range(1, most) if distribution(Counting(n, level)).where(_success) >= chance), most)


def _success(counted: object) -> bool:
    return bool(getattr(counted, "success", False))


def _first_target(question: Question) -> str:
    targets = dict(question.offers[0].params)["target"]
    assert isinstance(targets, OneOf)
    return str(targets.values[0])


POLICIES = {policy.id: policy() for policy in (Auto, Refuse, CounterAlways, EvadeBaseline)}
