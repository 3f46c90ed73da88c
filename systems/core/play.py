"""What a rule sees while it runs: the state so far, dice, questions, and where to put what happened.

A rule never knows who throws or who answers; `Chance` and `Answers` are handed in.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Generic, Protocol, TypeVar

from msgspec import Struct

from systems.core.ask import Question
from systems.core.checks import AGAIN, Check, Pick
from systems.core.dice import Dice, Faces, Pool, Source
from systems.core.game import Event, Game, Message, Step, StepBegun, StepsDropped, StepsPlanned

G = TypeVar("G", bound=Game)
T = TypeVar("T")

ALL = "all"
GM_ONLY = "gm"


class Throw(Struct, frozen=True):
    """The record of one throw: faces in the order in which they fell, who may see them ("all", "gm" or a character)."""

    label: str
    pool: Pool
    faces: Faces
    source: Source
    proof: str = ""
    seen_by: str = ALL
    check: Any = None

    @property
    def arranged(self) -> Faces:
        """The faces as the rule got them."""
        return self.pool.arranged(self.faces)


class Chance(Protocol):
    """Where outcomes come from: dice, a recording, every branch at once, or a fast draw."""

    def check(self, check: Check[T], label: str, seen_by: str) -> T: ...

    def rank(self, n: int, label: str) -> tuple[int, ...]:
        """A random order of 0..n-1."""
        ...


class Answers(Protocol):
    """Where decisions come from. Raises `Unanswered` if they are not known yet."""

    def window(self, play: Play[Any], questions: tuple[Question, ...], veiled: bool) -> tuple[Message, ...]: ...


class Play(Generic[G]):
    """One step being carried out on a state."""

    __slots__ = ("_answers", "_chance", "_keep", "events", "game", "now", "planned")

    def __init__(self, game: G, chance: Chance, answers: Answers, now: int = 0, keep: bool = True) -> None:
        self.game = game
        self._chance, self._answers, self._keep = chance, answers, keep
        self.now = now  # milliseconds, stamped by the shell; rules read no clock
        self.events: list[Event] = []
        self.planned = 0

    def check(self, check: Check[T], label: str, seen_by: str = ALL) -> T:
        """Throw a check and read it."""
        return self._chance.check(check, label, seen_by)

    @property
    def last(self) -> Throw | None:
        """The record of the last throw; None where no dice fall (odds, simulation): only a `Record` may tell of it."""
        return self._chance.last if self._keep and isinstance(self._chance, ThrownChance) else None

    def pick(self, n: int, label: str, seen_by: str = ALL) -> int:
        """One of 0..n-1, each equally likely, with d6 (a single thing needs no die)."""
        return 0 if n == 1 else self.check(Pick(n), label, seen_by)

    def rank(self, who: Sequence[T], label: str) -> tuple[T, ...]:
        """A roll-off: each throws a d6, the lowest goes first, those tied throw again."""
        return tuple(who[at] for at in self._chance.rank(len(who), label))

    def ask(self, question: Question) -> Message:
        """The answer to one question; everybody may know that it is open."""
        return self._answers.window(self, (question,), False)[0]

    def ask_all(self, questions: Sequence[Question], *, veiled: bool = False) -> tuple[Message, ...]:
        """Answers that are given unseen by one another; in a veiled window nobody learns who was asked."""
        return self._answers.window(self, tuple(questions), veiled) if questions else ()

    def emit(self, event: Event) -> None:
        self.game = event.applied(self.game)
        if self._keep:
            self.events.append(event)

    def then(self, *steps: Step) -> None:
        """What this step leads to: done next, in this order, before anything planned earlier."""
        if steps:
            self.emit(StepsPlanned(steps, self.planned))
            self.planned += len(steps)

    def later(self, *steps: Step) -> None:
        """Done when everything planned so far is through."""
        if steps:
            self.emit(StepsPlanned(steps, len(self.game.agenda)))

    def drop(self, *kept: Step) -> None:
        """Everything planned is dropped but these."""
        self.planned = 0
        self.emit(StepsDropped(kept))

    def begin(self) -> Step:
        """Take the first step off the agenda."""
        step = self.game.agenda[0]
        self.emit(StepBegun())
        return step


def roll_off(n: int, throw: Any) -> tuple[int, ...]:
    """The order of 0..n-1 by lowest d6, ties thrown again among the tied; `throw(k)` gives k faces."""

    def order(tied: tuple[int, ...]) -> tuple[int, ...]:
        if len(tied) < 2:
            return tied
        faces = dict(zip(tied, throw(len(tied)), strict=True))
        ranked = [tuple(one for one in tied if faces[one] == face) for face in range(1, 7)]
        return tuple(one for group in ranked if group for one in order(group))

    return order(tuple(range(n)))


class ThrownChance:
    """Chance out of thrown faces; subclasses say where the faces of one throw come from."""

    __slots__ = ("last",)

    def __init__(self) -> None:
        self.last: Throw | None = None

    def faces(self, label: str, pool: Pool, seen_by: str, check: Check[Any] | None) -> Faces:
        """The faces of one throw in the order in which they fell."""
        raise NotImplementedError

    def check(self, check: Check[T], label: str, seen_by: str) -> T:
        pool = check.pool
        while True:
            faces = self.faces(label, pool, seen_by, check) if pool.count else ()
            if (outcome := check.read(pool.arranged(faces))) is not AGAIN:
                return outcome

    def rank(self, n: int, label: str) -> tuple[int, ...]:
        return roll_off(n, lambda count: self.faces(label, Pool(count, ordered=True), ALL, None))


class DiceChance(ThrownChance):
    """Real dice (or scripted ones): every throw leaves a record."""

    __slots__ = ("dice", "throws")

    def __init__(self, dice: Dice) -> None:
        super().__init__()
        self.dice = dice
        self.throws: list[Throw] = []

    def faces(self, label: str, pool: Pool, seen_by: str, check: Check[Any] | None) -> Faces:
        faces, proof = self.dice.throw(pool, label)
        self.last = Throw(label, pool, faces, self.dice.source, proof, seen_by, check)
        self.throws.append(self.last)
        return faces


class AssumedAnswers:
    """Odds without policies: every question gets its stated assumption."""

    def window(self, play: Play[Any], questions: tuple[Question, ...], veiled: bool) -> tuple[Message, ...]:
        return tuple(question.assumed for question in questions)


class Policy(Protocol):
    """Decides for a character. It sees the question and may look at the view of its own seat, never at the state."""

    def answer(self, question: Question, look: Any) -> Message: ...


class PolicyAnswers:
    """Simulations and odds with policies: each character's policy answers for it.

    `view(game, character)` renders what that character's player sees; it is made only if the policy looks.
    """

    def __init__(self, policies: dict[str, Policy], view: Any) -> None:
        self._policies, self._view = policies, view

    def window(self, play: Play[Any], questions: tuple[Question, ...], veiled: bool) -> tuple[Message, ...]:
        game, view = play.game, self._view
        return tuple(
            self._policies[one.about].answer(one, lambda about=one.about: view(game, about))
            if one.about in self._policies
            else one.assumed
            for one in questions
        )
