"""Exact odds of rules that run in steps: branch inside a step, merge equal states between steps.

Commands that end are followed by merging; games that may go on for ever (a duel in which both can miss) are solved as
linear equations over their merged states.
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Callable, Hashable, Mapping
from fractions import Fraction
from itertools import count
from typing import TypeVar

from systems.core.errors import OddsTooLarge
from systems.core.game import CarryOut, Game, Message, change
from systems.core.odds import BranchingChance, Budget, Distribution, branches
from systems.core.play import Answers, AssumedAnswers, Play
from systems.core.seats import Seat

G = TypeVar("G", bound=Game)
H = TypeVar("H", bound=Hashable)

MAX_STATES = 30_000  # merged states of one computation
MAX_TERMS = 1_000_000  # terms of the equations of states that reach one another: about two seconds


def step_once(game: G, answers: Answers, budget: Budget) -> dict[G, Fraction]:
    """The states after the first step of the agenda, with their probabilities."""

    def one(chance: BranchingChance) -> G:
        play: Play[G] = Play(game, chance, answers, keep=False)
        play.begin().run(play)
        return play.game

    return branches(one, budget)


def merge(start: H, onward: Callable[[H], Mapping[H, Fraction] | None], depth: Callable[[H], int]) -> Distribution[H]:
    """Follow a tree of states to its ends (where `onward` is None), merging equal states on the way.

    The deepest state goes first, so that branches that come back to the same place meet. Raises `OddsTooLarge` beyond
    30,000 states.
    """
    mass: dict[H, Fraction] = {start: Fraction(1)}
    order = count()
    queue = [(-depth(start), 0, start)]
    done: dict[H, Fraction] = defaultdict(Fraction)
    while queue:
        state = heapq.heappop(queue)[2]
        p = mass.pop(state)
        following = onward(state)
        if following is None:
            done[state] += p
            continue
        for after, share in following.items():
            if after in mass:
                mass[after] += p * share
            else:
                mass[after] = p * share
                at = next(order)
                if at > MAX_STATES:
                    raise OddsTooLarge("states", at, MAX_STATES)
                heapq.heappush(queue, (-depth(after), at, after))
    return Distribution(dict(done))


def settle(game: G, answers: Answers | None = None, budget: Budget | None = None) -> Distribution[G]:
    """The exact distribution of the states in which the agenda is empty."""
    who, spend = answers or AssumedAnswers(), budget or Budget()
    return merge(game, lambda at: step_once(at, who, spend) if at.agenda else None, lambda at: len(at.agenda))


def odds_of(game: G, message: Message, seat: Seat, answers: Answers | None = None) -> Distribution[G]:
    """The exact distribution of what a command leads to, every question answered by `answers` (its assumption).

    Raises `Illegal` if the rules refuse the command, `OddsTooLarge` beyond the budget.
    """
    if refusal := message.refuse(game, seat, None):
        raise refusal
    return settle(change(game, agenda=(CarryOut(message, seat),)), answers)


def absorb(
    start: H, following: Callable[[H], Mapping[H, Fraction]], ends: Callable[[H], bool]
) -> tuple[Distribution[H], Fraction]:
    """Where a chain ends, exactly, and the expected number of moves until then.

    `following` gives the distribution after one move. States that reach one another are solved together as linear
    equations. Raises `OddsTooLarge` beyond 30,000 states or when too many of them reach one another, `ValueError` if
    the chain may never end.
    """
    chain = _reachable(start, following, ends)
    value: dict[H, dict[H | None, Fraction]] = {}
    for group in _groups(chain, start):
        if len(group) == 1 and ends(group[0]):
            value[group[0]] = {group[0]: Fraction(1)}
        else:
            value.update(_solved(group, chain, value))
    result = dict(value[start])
    moves = result.pop(None, Fraction(0))
    return Distribution({state: p for state, p in result.items() if state is not None}), moves


def _reachable(
    start: H, following: Callable[[H], Mapping[H, Fraction]], ends: Callable[[H], bool]
) -> dict[H, Mapping[H, Fraction]]:
    chain: dict[H, Mapping[H, Fraction]] = {}
    todo = [start]
    while todo:
        state = todo.pop()
        if state in chain:
            continue
        if len(chain) >= MAX_STATES:
            raise OddsTooLarge("states", len(chain) + 1, MAX_STATES)
        chain[state] = {} if ends(state) else following(state)
        todo += [after for after in chain[state] if after not in chain]
    return chain


def _groups(chain: Mapping[H, Mapping[H, Fraction]], start: H) -> list[list[H]]:
    """Strongly connected components, those reached last first (Tarjan's algorithm, without recursion)."""
    index: dict[H, int] = {}
    low: dict[H, int] = {}
    stack: list[H] = []
    on_stack: set[H] = set()
    groups: list[list[H]] = []
    work = [(start, iter(chain[start]))]
    while work:
        state, onward = work[-1]
        if state not in index:
            index[state] = low[state] = len(index)
            stack.append(state)
            on_stack.add(state)
        for after in onward:
            if after not in index:
                work.append((after, iter(chain[after])))
                break
            if after in on_stack:
                low[state] = min(low[state], low[after])
        else:
            work.pop()
            if work:
                low[work[-1][0]] = min(low[work[-1][0]], low[state])
            if low[state] == index[state]:
                groups.append(_popped(stack, on_stack, state))
    return groups


def _popped(stack: list[H], on_stack: set[H], until: H) -> list[H]:
    at = stack.index(until)
    group = stack[at:]
    del stack[at:]
    on_stack.difference_update(group)
    return group


def _solved(
    group: list[H], chain: Mapping[H, Mapping[H, Fraction]], value: Mapping[H, dict[H | None, Fraction]]
) -> dict[H, dict[H | None, Fraction]]:
    """The values of states that reach one another: Gaussian elimination over fractions. Key None counts moves."""
    rows: dict[H, dict[H, Fraction]] = {}
    right: dict[H, dict[H | None, Fraction]] = {}
    inside = set(group)
    for state in group:
        rows[state] = {state: Fraction(1)}
        right[state] = defaultdict(Fraction, {None: Fraction(1)})
        for after, p in chain[state].items():
            if after in inside:
                rows[state][after] = rows[state].get(after, Fraction(0)) - p
            else:
                for end, share in value[after].items():
                    right[state][end] += p * share
    terms = 0
    for solved, pivot in enumerate(group):
        terms += _eliminate(pivot, rows, right)
        if terms > MAX_TERMS:
            raise OddsTooLarge("states", len(group), solved)
    return {state: dict(right[state]) for state in group}


def _eliminate(pivot: H, rows: dict[H, dict[H, Fraction]], right: dict[H, dict[H | None, Fraction]]) -> int:
    """Take the pivot out of all other rows; how many terms that cost."""
    scale = rows[pivot].get(pivot, Fraction(0))
    if not scale:
        raise ValueError("the chain may never end")
    rows[pivot] = {state: x / scale for state, x in rows[pivot].items() if x}
    right[pivot] = defaultdict(Fraction, {end: x / scale for end, x in right[pivot].items()})
    touched = [other for other, row in rows.items() if other != pivot and row.get(pivot)]
    for other in touched:
        row = rows[other]
        factor = row[pivot]
        for state, x in rows[pivot].items():
            row[state] = row.get(state, Fraction(0)) - factor * x
        del row[pivot]
        for end, x in right[pivot].items():
            right[other][end] += -factor * x
    return len(touched) * (len(rows[pivot]) + len(right[pivot])) + len(rows) // 8
