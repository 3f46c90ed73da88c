"""Whole fights by policies, through the same commands as at a table (SD-Q15, SD-N11, section 23.8)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import lru_cache

from msgspec import Struct

from systems.core.game import Message, change
from systems.core.play import Answers, AssumedAnswers
from systems.core.seats import GM
from systems.core.simulate import SampledChance, carry_out
from systems.core.values import Map
from systems.shinobido import odds
from systems.shinobido.blows import AttackQuestion, FocusAttackQuestion
from systems.shinobido.commands import Attack, FocusAttack, others
from systems.shinobido.fights import StartCombat
from systems.shinobido.policies import following
from systems.shinobido.sheet import Art, Sheet, settled
from systems.shinobido.state import Fight, Scene, Story
from systems.shinobido.strikes import DOMAINS
from systems.shinobido.switches import Switches
from systems.shinobido.turns_taken import GatherFocus

MOST_ROUNDS = 200
ART_FOCUS = 2  # spent on each art (23.8)

Chooser = Callable[[Scene, str], Message]


class Fought(Struct, frozen=True):
    """How a fight ended: the side that won (None: nobody, or too many rounds), its length, who is out by side."""

    winner: str | None
    rounds: int
    turns: int
    out: Map[str, int]


def enemies(game: Scene, who: str) -> tuple[str, ...]:
    foes = game.fight.opponents(who) if game.fight else ()
    return tuple(one for one in others(game, who) if one in foes)


def weakest(game: Scene, who: str) -> str:
    """The enemy with the fewest wounds left; of equals the first in the order of the fight."""
    return min(enemies(game, who), key=lambda one: game.cast[one].health - game.cast[one].wounds)


def by_hand(game: Scene, who: str) -> Message:
    return Attack(who, weakest(game, who))


def by_art(game: Scene, who: str) -> Message:
    """The better of two arts if it beats the basic attack; Focus is gathered while half of that still does (23.8)."""
    target = weakest(game, who)
    actor, facing = unspent(game.cast[who]), unspent(game.cast[target])
    plain = hand_worth(actor, facing)
    if not best_arts(actor):
        return Attack(who, target)
    best = max(best_arts(actor), key=lambda art: art_worth(actor, facing, art))
    worth = art_worth(actor, facing, best)
    pool = game.cast[who].pool
    if pool >= ART_FOCUS and worth > plain:
        return FocusAttack(who, target, best, ART_FOCUS)
    if pool < ART_FOCUS and worth / 2 > plain:
        return GatherFocus(who)
    return Attack(who, target)


def unspent(sheet: Sheet) -> Sheet:
    """What the worth of an action depends on: the pool is left out, so that equal questions are asked once."""
    return change(sheet, focus=sheet.focus_max, surges_used=0)


@lru_cache(maxsize=4096)
def best_arts(actor: Sheet) -> tuple[Art, ...]:
    """Of those known: a sheet without a list of arts knows them all (section 22), a grunt none (SD-N10)."""
    every = tuple(Art(name=domain, domain=domain) for domain in DOMAINS)
    known = () if actor.kind == "grunt" else every if actor.arts is None else actor.arts
    return tuple(sorted(known, key=lambda art: -actor.rating(DOMAINS[art.domain]["attack"])))[:2]


@lru_cache(maxsize=65536)
def hand_worth(actor: Sheet, target: Sheet) -> Fraction:
    """Expected wounds of a basic attack (SD-Q05)."""
    return odds.attack(AttackQuestion(actor=actor, target=target)).expected_wounds


@lru_cache(maxsize=65536)
def art_worth(actor: Sheet, target: Sheet, art: Art) -> Fraction:
    """Expected wounds of an art (SD-Q06)."""
    asked = FocusAttackQuestion(actor=actor, target=target, art=art, damage=ART_FOCUS)
    return odds.focus_attack(asked).expected_wounds


CHOOSERS: dict[str, Chooser] = {
    "attack_every_turn": by_hand,
    "weakest_first": by_hand,
    "arts_and_surge": by_art,
}


def answers_of(sides: Mapping[str, tuple[str, ...]], policies: Mapping[str, str]) -> Answers:
    """Last Stands are used unless the policy knows nothing but attacks."""
    plain = [who for side, ids in sides.items() if policies[side] == "attack_every_turn" for who in ids]
    return following(**dict.fromkeys(plain, "attack_every_turn")) if plain else AssumedAnswers()


def skirmish(
    sides: Mapping[str, tuple[Sheet, ...]], policies: Mapping[str, str], seed: int | str, order: tuple[str, ...] = ()
) -> Fought:
    """One fight from initiative to its end, or with `order` from the first turn. The same seed, the same fight."""
    ids = {side: tuple(one.id for one in members) for side, members in sides.items()}
    cast = {one.id: settled(one) for members in sides.values() for one in members}
    switches = Switches(auto_penalty_zero=True)
    game = Scene(cast=Map(cast), switches=switches, rerolls=False, story=Story(phase="scene"))
    chance, answers = SampledChance(seed), answers_of(ids, policies)
    if order:
        game = change(game, fight=Fight(Map(ids), order, turn=order[0]))
    else:
        game = carry_out(game, StartCombat(Map(ids)), GM, chance, answers)
    chooser = {who: CHOOSERS[policies[side]] for side, members in ids.items() for who in members}
    rounds = turns = 0
    while game.fight and game.fight.round <= MOST_ROUNDS:
        rounds, who = game.fight.round, game.fight.turn
        game = carry_out(game, chooser[who](game, who), GM, chance, answers)
        turns += 1
    up = {side: sum(game.cast[who].status == "standing" for who in members) for side, members in ids.items()}
    left = [side for side, n in up.items() if n]
    out = {side: len(members) - up[side] for side, members in ids.items()}
    return Fought(left[0] if len(left) == 1 else None, rounds, turns, Map(out))
