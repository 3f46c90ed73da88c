"""How resolved checks are told: outcome, rolls, explanation, odds, open question."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from fractions import Fraction
from functools import lru_cache
from os import urandom
from time import time
from typing import Any

from service.usecases.fractions import plain, rounded
from systems.core.ask import Question
from systems.core.calls import Outcome, Resolution, Verdict
from systems.core.convert import to_plain
from systems.core.odds import Distribution
from systems.core.play import Throw
from systems.core.text import Because, Labels


def new_id() -> str:
    return "r_" + urandom(16).hex()


def now() -> str:
    """The time of an answer, UTC, to the second."""
    return _stamp(int(time()))


@lru_cache(maxsize=4)
def _stamp(second: int) -> str:
    return datetime.fromtimestamp(second, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def outcome_shown(resolution: Resolution, shape: type[Outcome], words: Labels) -> dict[str, Any]:
    """The outcome; an open question stands in `pending`, or only its topic where the game itself has such a field."""
    verdict, outcome = resolution.verdict, resolution.report.outcome
    shown: dict[str, Any] = {**grade_shown(verdict.grade, words), "success": verdict.success}
    if outcome is not None:
        shown |= plain(outcome)
    if (question := resolution.pending) is None:
        return shown
    if "pending" in shape.__struct_encode_fields__:
        shown.setdefault("pending", question.topic)
    else:
        shown["pending"] = question_shown(question)
    return shown


def grade_shown(grade: str | None, words: Labels) -> dict[str, str | None]:
    return {"grade": grade, "grade_text": None if grade is None else words.grade(grade)}


def question_shown(question: Question) -> dict[str, Any]:
    offers = [
        {
            "action": one.action,
            "params": {name: to_plain(domain) for name, domain in one.params},
            "cost": dict(one.cost),
        }
        for one in question.offers
    ]
    return {"topic": question.topic, "about": question.about, "offers": offers}


def rolls_shown(throws: Iterable[Throw]) -> list[dict[str, Any]]:
    return [{"label": one.label, "sides": one.pool.sides, "faces": one.faces, "source": one.source} for one in throws]


def explained(lines: Iterable[Because], words: Labels) -> list[dict[str, str]]:
    return [{"rule": line.rule, "text": words.explain(line)} for line in lines]


def odds_shown(distribution: Distribution[Verdict], grades: tuple[str, ...], words: Labels) -> dict[str, Any]:
    """Exact chances of every grade, in the order in which the check lists its grades, and of success."""
    chances = distribution.by(lambda verdict: verdict.grade).weights
    decided = any(verdict.success is not None for verdict, _ in distribution)
    success = distribution.where(lambda verdict: verdict.success is True) if decided else None
    rank = {grade: place for place, grade in enumerate(grades)}
    ordered = sorted(chances.items(), key=lambda one: (rank.get(one[0] or "", len(rank)), one[0] or ""))
    return {
        **chance_shown("success", success),
        "outcomes": [{**grade_shown(grade, words), **chance_shown("p", p)} for grade, p in ordered],
    }


def chance_shown(name: str, p: Fraction | None) -> dict[str, Any]:
    if p is None:
        return {name: None, f"{name}_float": None}
    return {name: str(p), f"{name}_float": rounded(p)}
