"""The names a system answers to without a game: checks, queries, tables and odds questions.

A check is the same rules code as in play: it begins with a small state, its steps throw and ask, and the report is
made from the roll records when somebody looks. Odds follow the same steps and look at the verdict only.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Generic, TypeVar, get_type_hints

from msgspec import Struct

from systems.core.ask import Question
from systems.core.dice import Dice
from systems.core.errors import Unanswered
from systems.core.game import Event, Game, Message, Step, change
from systems.core.odds import BranchingChance, Budget, Distribution, branches
from systems.core.play import DiceChance, Play, Throw
from systems.core.solve import merge
from systems.core.tables import Row, RowTable
from systems.core.text import Because
from systems.core.values import Map

P = TypeVar("P", bound=Struct)
G = TypeVar("G", bound=Game)
F = TypeVar("F", bound=Callable[..., Any])

STATE_COST = 3  # branches that one more state on the way of a check is worth
PENDING = "pending"


class NoParams(Struct, frozen=True, cache_hash=True):
    """A name without parameters."""


class Verdict(Struct, frozen=True, cache_hash=True):
    """What odds tell apart: the grade, and whether that is a success (None where the game has none).

    The grade is None where the check could be resolved without any die.
    """

    grade: str | None
    success: bool | None = None


class Outcome(Struct, frozen=True, kw_only=True):
    """The fields of an answer. A field that may be absent has the default UNSET; None is a real null."""


class ByIds(Outcome, frozen=True, kw_only=True):
    """An answer that is an object keyed by ids: `by_id` stands at its top level. Subclasses say what each id has."""

    by_id: Map[str, Any]


class Report(Struct, frozen=True):
    """The outcome of one check and the lines that explain it."""

    outcome: Outcome | None
    explain: tuple[Because, ...] = ()


class Resolution(Struct, frozen=True):
    """One check, resolved as far as its answers went."""

    verdict: Verdict
    report: Report
    throws: tuple[Throw, ...]
    pending: Question | None = None


class CheckCall(ABC, Generic[P, G]):
    """A check by name. `params` and `outcome` are Struct types; `grades` all values of the grade."""

    id: str
    rules: tuple[str, ...]
    grades: tuple[str, ...]
    params: type[P]
    outcome: type[Outcome]

    @abstractmethod
    def begin(self, p: P) -> G:
        """The state from which the check runs, its steps in the agenda. Raises `Illegal`."""

    @abstractmethod
    def verdict(self, p: P, game: G, pending: str | None) -> Verdict:
        """The verdict of the state reached; `pending` is the topic of a question that nobody answered."""

    def report(self, p: P, game: G, throws: tuple[Throw, ...], pending: Question | None) -> Report:
        """The outcome fields and explanations, read from state and roll records."""
        raise NotImplementedError(f"{self.id} reports nothing")

    def told(
        self, p: P, game: G, events: tuple[Event, ...], throws: tuple[Throw, ...], pending: Question | None
    ) -> Report:
        """The same for checks whose outcome tells what happened on the way: the events are at hand, too."""
        return self.report(p, game, throws, pending)

    def decide(self, p: P, game: G, question: Question) -> Message | None:
        """The answer that the parameters already contain, if they do."""
        return None

    def refuse_odds(self, p: P) -> None:
        """Raises `OddsTooLarge` at once if the exact odds of these parameters would pass the budget."""
        return

    def is_decided(self, p: P, game: G) -> bool:
        """Whether nothing that is still to come can change the verdict; odds look no further then."""
        return False


class Resolved(Game, Struct, Generic[P], frozen=True, cache_hash=True):
    """The state of a check that is a single step: its verdict when it is through."""

    result: Verdict | None = None


class Resolve(Step, Struct, Generic[P], frozen=True, cache_hash=True, tag="resolve"):
    """Runs the function of a single-step check."""

    call: Any
    params: P

    def run(self, play: Play[Any]) -> None:
        verdict = self.call.function(play, self.params)
        play.game = change(play.game, result=verdict)


class FunctionCheck(CheckCall[P, Resolved[P]]):
    """A check whose rule is one function `(play, params) -> Verdict`."""

    def __init__(
        self,
        id: str,
        rules: tuple[str, ...],
        grades: tuple[str, ...],
        function: Callable[[Play[Any], P], Verdict],
        report: Callable[[P, Any, tuple[Throw, ...]], Report],
        params: type[P],
        outcome: type[Outcome],
    ) -> None:
        self.id, self.rules, self.grades, self.params, self.outcome = id, rules, grades, params, outcome
        self.function, self._report = function, report
        self._odds_limit: Callable[[P], None] | None = None

    def begin(self, p: P) -> Resolved[P]:
        return Resolved(agenda=(Resolve(self, p),))

    def verdict(self, p: P, game: Resolved[P], pending: str | None) -> Verdict:
        return game.result or Verdict(PENDING)

    def report(self, p: P, game: Resolved[P], throws: tuple[Throw, ...], pending: Question | None) -> Report:
        return self._report(p, game.result, throws) if game.result else Report(None)

    def limit_odds(self, limit: Callable[[P], None]) -> None:
        self._odds_limit = limit

    def refuse_odds(self, p: P) -> None:
        if self._odds_limit:
            self._odds_limit(p)

    def __hash__(self) -> int:
        return hash(self.id)

    def __eq__(self, other: object) -> bool:
        return self is other


class _Given:
    """Answers out of the parameters, then out of the list that came with the request."""

    def __init__(self, call: CheckCall[Any, Any], p: Any, answers: Sequence[Message], used: int) -> None:
        self._call, self._p, self._answers, self.used = call, p, answers, used

    def window(self, play: Play[Any], questions: tuple[Question, ...], veiled: bool) -> tuple[Message, ...]:
        return tuple(self._one(play, question, veiled) for question in questions)

    def _one(self, play: Play[Any], question: Question, veiled: bool) -> Message:
        decided = self._call.decide(self._p, play.game, question)
        if decided is not None:
            return decided
        if self.used >= len(self._answers):
            raise Unanswered((question,), veiled)
        answer = self._answers[self.used]
        if refusal := question.refuse(answer):
            raise refusal
        self.used += 1
        return answer


def resolve(call: CheckCall[P, G], p: P, dice: Dice, answers: Sequence[Message] = ()) -> Resolution:
    """Throw a check. Raises `Illegal` before any die is thrown, `FacesMismatch` if scripted faces do not fit."""
    game, chance, given = call.begin(p), DiceChance(dice), _Given(call, p, answers, 0)
    pending: Question | None = None
    events: list[Event] = []
    while game.agenda and not pending:
        play: Play[G] = Play(game, chance, given)
        try:
            play.begin().run(play)
        except Unanswered as stop:
            pending = stop.questions[0]
        game = play.game
        events += play.events
    throws = tuple(chance.throws)
    verdict = call.verdict(p, game, pending.topic if pending else None)
    return Resolution(verdict, call.told(p, game, tuple(events), throws, pending), throws, pending)


class _Reached(Struct, frozen=True, cache_hash=True):
    """A state of a check on its way, with how many answers were used and what stopped it."""

    game: Game
    used: int = 0
    pending: str | None = None


def odds(
    call: CheckCall[P, Any], p: P, answers: Sequence[Message] = (), budget: Budget | None = None
) -> Distribution[Verdict]:
    """The exact distribution of the verdicts of a check. Raises `OddsTooLarge`, and `Illegal` as `resolve` does."""
    begun = call.begin(p)
    call.refuse_odds(p)
    spend = budget or Budget()

    def onward(at: _Reached) -> dict[_Reached, Fraction] | None:
        if at.pending or not at.game.agenda or call.is_decided(p, at.game):
            return None
        spend.spend(STATE_COST)

        def one(chance: BranchingChance) -> _Reached:
            given = _Given(call, p, answers, at.used)
            play: Play[Any] = Play(at.game, chance, given, keep=False)
            try:
                play.begin().run(play)
            except Unanswered as stop:
                return _Reached(play.game, given.used, stop.questions[0].topic)
            return _Reached(play.game, given.used)

        return branches(one, spend)

    reached = merge(_Reached(begun), onward, lambda at: len(at.game.agenda))
    return reached.by(lambda at: call.verdict(p, at.game, at.pending))


class Query(Struct, frozen=True):
    """A question without dice."""

    id: str
    rules: tuple[str, ...]
    function: Callable[[Any], Outcome]
    params: type[Struct]
    outcome: type[Outcome]


class SheetOutcome(Outcome, frozen=True, kw_only=True):
    """A character sheet checked: all error ids at once, sorted; subclasses add what is derived from a valid one."""

    valid: bool
    errors: tuple[str, ...]
    warnings: tuple[str, ...] = ()


class OddsQuestion(Struct, frozen=True):
    """A question answered in exact fractions."""

    id: str
    rules: tuple[str, ...]
    function: Callable[[Any], Outcome]
    params: type[Struct]
    outcome: type[Outcome]


class TableRoll(Struct, frozen=True):
    """A throw on a table that is more than one throw of its dice: `function(play, params)` gives the rows, in order."""

    table: str
    function: Callable[[Play[Any], Any], tuple[tuple[str, str], ...]]  # (table id, row id)
    params: type[Struct]


class Calls:
    """All stateless names of one system, filled by the decorators of its chapters."""

    def __init__(self, tables: Mapping[str, RowTable] | None = None) -> None:
        self.checks: dict[str, CheckCall[Any, Any]] = {}
        self.queries: dict[str, Query] = {}
        self.odds_questions: dict[str, OddsQuestion] = {}
        self.tables: dict[str, RowTable] = dict(tables or {})
        self.computed_tables: dict[str, tuple[tuple[str, ...], Callable[[], tuple[Row, ...]]]] = {}
        self.table_rolls: dict[str, TableRoll] = {}
        self.sheet_check: Query | None = None

    def check(
        self,
        id: str,
        rules: str,
        grades: str,
        report: Callable[[Any, Any, tuple[Throw, ...]], Report],
        outcome: type[Outcome],
    ) -> Callable[[Callable[[Play[Any], Any], Verdict]], FunctionCheck[Any]]:
        """Name a function `(play, params) -> Verdict` a check; `rules` and `grades` are separated by blanks."""

        def named(function: Callable[[Play[Any], Any], Verdict]) -> FunctionCheck[Any]:
            call: FunctionCheck[Any] = FunctionCheck(
                id, tuple(rules.split()), tuple(grades.split()), function, report, _params_of(function, 1), outcome
            )
            self.add(call)
            return call

        return named

    def add(self, call: CheckCall[Any, Any]) -> None:
        """Name a check that runs in steps."""
        _once(self.checks, call.id, call)

    def query(self, id: str, rules: str) -> Callable[[F], F]:
        """Name a function `(params) -> Outcome` a query."""

        def named(function: F) -> F:
            hints = get_type_hints(function)
            _once(self.queries, id, Query(id, tuple(rules.split()), function, _params_of(function, 0), hints["return"]))
            return function

        return named

    def sheet(self, rules: str) -> Callable[[F], F]:
        """Name a function `(params) -> SheetOutcome` the check of a character sheet; its params have a `character`."""

        def named(function: F) -> F:
            hints = get_type_hints(function)
            params = _params_of(function, 0)
            self.sheet_check = Query("character", tuple(rules.split()), function, params, hints["return"])
            return function

        return named

    def odds(self, id: str, rules: str) -> Callable[[F], F]:
        """Name a function `(params) -> Outcome` with Fractions an odds question."""

        def named(function: F) -> F:
            hints = get_type_hints(function)
            question = OddsQuestion(id, tuple(rules.split()), function, _params_of(function, 0), hints["return"])
            _once(self.odds_questions, id, question)
            return function

        return named

    def table(self, id: str, rules: str) -> Callable[[F], F]:
        """Name a function `() -> rows` a table that is computed when somebody first reads it."""

        def named(function: F) -> F:
            _once(self.computed_tables, id, (tuple(rules.split()), function))
            return function

        return named

    def find_table(self, id: str) -> RowTable | None:
        """A table of data, or one that is computed now; None if there is none of that id."""
        if id not in self.tables and id in self.computed_tables:
            rules, rows = self.computed_tables[id]
            self.tables[id] = RowTable(id, rules, rows())
        return self.tables.get(id)

    @property
    def table_ids(self) -> tuple[str, ...]:
        return tuple(sorted({*self.tables, *self.computed_tables}))

    def table_roll(self, table: str) -> Callable[[F], F]:
        """Name a function `(play, params) -> rows` the throw on a table."""

        def named(function: F) -> F:
            _once(self.table_rolls, table, TableRoll(table, function, _params_of(function, 1)))
            return function

        return named


def _once(names: dict[str, Any], id: str, call: Any) -> None:
    if id in names:
        raise ValueError(f"{id} is named twice")
    names[id] = call


def _params_of(function: Callable[..., Any], at: int) -> type[Struct]:
    hints = {name: kind for name, kind in get_type_hints(function).items() if name != "return"}
    kinds = list(hints.values())
    return kinds[at] if len(kinds) > at else NoParams
