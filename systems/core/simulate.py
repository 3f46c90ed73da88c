"""Fast sampling: the same rules with outcomes drawn from their exact distribution, and policies for players."""

from __future__ import annotations

from bisect import bisect
from functools import lru_cache
from itertools import accumulate
from typing import Any, TypeVar

from systems.core.checks import Check
from systems.core.dice import FastDice
from systems.core.errors import OddsTooLarge
from systems.core.game import CarryOut, Game, Message, change
from systems.core.odds import ways
from systems.core.play import Answers, DiceChance, Play
from systems.core.seats import Seat

G = TypeVar("G", bound=Game)
T = TypeVar("T")


@lru_cache(maxsize=65536)
def _ladder(check: Check[Any]) -> tuple[tuple[float, ...], tuple[Any, ...]] | None:
    try:
        options = ways(check)
    except OddsTooLarge:
        return None
    counts = tuple(accumulate(count for _, count in options))
    return tuple(count / counts[-1] for count in counts), tuple(outcome for outcome, _ in options)


class SampledChance:
    """Draws outcomes, not faces, wherever the distribution is at hand. The same seed gives the same run everywhere."""

    __slots__ = ("_dice", "_random")

    def __init__(self, seed: int | str) -> None:
        self._dice = FastDice(seed)
        self._random = self._dice.random

    def check(self, check: Check[T], label: str, seen_by: str) -> T:
        ladder = _ladder(check)
        if ladder is None:
            return DiceChance(self._dice).check(check, label, seen_by)
        rungs, outcomes = ladder
        if len(outcomes) == 1:
            return outcomes[0]  # type: ignore[no-any-return]
        outcome: T = outcomes[bisect(rungs, self._random.random())]
        return outcome

    def rank(self, n: int, label: str) -> tuple[int, ...]:
        order = list(range(n))
        self._random.shuffle(order)
        return tuple(order)


def run(game: G, chance: Any, answers: Answers) -> G:
    """Do what the agenda holds until it is empty."""
    while game.agenda:
        play: Play[G] = Play(game, chance, answers, keep=False)
        play.begin().run(play)
        game = play.game
    return game


def carry_out(game: G, message: Message, seat: Seat, chance: Any, answers: Answers) -> G:
    """One command from beginning to end, every question answered by `answers`."""
    return run(change(game, agenda=(CarryOut(message, seat),)), chance, answers)
