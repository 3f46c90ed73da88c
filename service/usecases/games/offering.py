"""What a seat may do now, and the exact odds of it from what the seat knows."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from service.problems import refusal
from service.usecases.answers import odds_shown
from service.usecases.games.answering import GM_ACTS, message_of
from service.usecases.games.desk import Asked, At, Desk
from service.usecases.games.pending import all_questions, message_shown, pending_shown
from service.usecases.refusals import refusing
from systems.core import solve
from systems.core.ask import Offer
from systems.core.calls import Verdict
from systems.core.convert import to_plain
from systems.core.errors import Illegal, OddsTooLarge
from systems.core.game import CarryOut, Message, change
from systems.core.odds import Budget, Distribution
from systems.core.seats import GM, Seat
from systems.core.system import System
from systems.core.text import Labels

MOST_BRANCHES = 40_000  # of one question about odds: about a third of a second
MOST_CASES = 20
MOST_EXAMPLES = 24  # of all offers together


def offers(desk: Desk, asked: Asked, with_odds: bool) -> dict[str, Any]:
    """Every command that may be sent now; with odds, those of one example for each target."""
    found = desk.at(asked)
    standing, seat = found.standing, found.seat
    shown: list[dict[str, Any]] = []
    if standing.waiting is None and seat.role != "spectator" and not standing.table.closed:
        words, budget = found.system.labels(asked.language), Budget(MOST_BRANCHES)
        left = MOST_EXAMPLES
        for one in found.system.offers(standing.game, seat):
            entry = offer_shown(one)
            if with_odds and left > 0:
                entry["odds"] = _examples(found, one, words, budget)
                left -= len(entry["odds"])
            shown.append(entry)
    elif standing.waiting is not None and seat.gm:
        shown = [_gm_offer(act, [one["id"] for one in all_questions(standing)]) for act in GM_ACTS]
    return {"offers": shown, "pending": pending_shown(standing, seat)}


def offer_shown(one: Offer) -> dict[str, Any]:
    params = {name: to_plain(domain) for name, domain in one.params}
    return {"command": one.action, "params": params, "cost": dict(one.cost)}


def _gm_offer(act: str, questions: list[str]) -> dict[str, Any]:
    params = {} if act == "gm_cancel" else {"question": {"type": "one_of", "values": questions}}
    return {"command": act, "params": params, "cost": {}}


def _examples(found: At, offer: Offer, words: Labels, budget: Budget) -> list[dict[str, Any]]:
    view = found.system.view(found.standing.game, found.seat)
    shown: list[dict[str, Any]] = []
    for message in found.system.examples(view, found.seat, offer):
        try:
            cases = _cases(found, view, message, words, budget)
        except (Illegal, OddsTooLarge):
            continue
        shown.append({"params": message_shown(message)["params"], "cases": cases})
    return shown


def odds(desk: Desk, asked: Asked, name: str, params: dict[str, Any]) -> dict[str, Any]:
    """The odds of a command as far as the seat can know them. Nothing is changed, nothing is thrown."""
    found = desk.at(asked)
    message = message_of(desk, found.system, name, params, "params")
    if message.answers_only:
        raise refusal("no_odds", name=name)
    words = found.system.labels(asked.language)
    view = found.system.view(found.standing.seen, found.seat)
    with refusing(words, asked.language):
        if found.standing.waiting is not None:
            raise Illegal("decision_pending", "")
        cases = _cases(found, view, message, words, Budget(MOST_BRANCHES))
    known = sorted({name for case in cases for name in case["given"]})
    return {"command": name, "assumptions": [*known, "questions_as_assumed"], "cases": cases}


def _cases(found: At, view: Any, message: Message, words: Labels, budget: Budget) -> list[dict[str, Any]]:
    imagined = list(found.system.imagine(view, message))[:MOST_CASES]
    return [
        {
            "given": to_plain(dict(case.given)),
            **odds_shown(chances(found.system, found.seat, case.game, message, budget), (), words),
        }
        for case in imagined
    ]


def chances(system: System, seat: Seat, game: Any, message: Message, budget: Budget) -> Distribution[Verdict]:
    """The verdicts of a command on a state. Raises `Illegal`, `OddsTooLarge`."""
    if refusal := message.refuse(game, seat, None):
        raise refusal
    ends = solve.settle(change(game, agenda=(CarryOut(message, seat),)), None, budget)
    return ends.by(lambda after: system.verdict(message, game, after))


def try_out(system: System, game: Any) -> None:
    """Examples of what the GM may do, imagined to their end: raises what a state brings that cannot be played."""
    view, budget, left = system.view(game, GM), Budget(MOST_BRANCHES), MOST_EXAMPLES
    for one in system.offers(game, GM):
        examples = list(system.examples(view, GM, one)) if left > 0 else []
        left -= len(examples)
        for message in examples:
            for case in list(system.imagine(view, message))[:MOST_CASES]:
                with suppress(Illegal, OddsTooLarge):
                    chances(system, GM, case.game, message, budget)
