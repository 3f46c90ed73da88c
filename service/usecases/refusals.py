"""What the rules raise, as problems in the caller's words."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from service.problems import FieldError, Misfit, Problem
from service.words import words as own_words
from systems.core.errors import FacesMismatch, Illegal, OddsTooLarge, TooManyDice
from systems.core.text import Labels


@contextmanager
def refusing(words: Labels, language: str) -> Iterator[None]:
    """Whatever the rules refuse inside becomes a `Problem` 422."""
    try:
        yield
    except (Illegal, FacesMismatch, TooManyDice, OddsTooLarge) as refusal:
        raise problem_of(refusal, words, language) from refusal


def problem_of(refusal: Illegal | FacesMismatch | TooManyDice | OddsTooLarge, words: Labels, language: str) -> Problem:
    if isinstance(refusal, Illegal):
        return _illegal(refusal, words, language)
    if isinstance(refusal, FacesMismatch):
        return _faces(refusal)
    if isinstance(refusal, TooManyDice):
        limits: dict[str, Any] = {"per_throw": refusal.per_throw, "per_request": refusal.per_request}
        return Problem(422, "too_many_dice", more={"code": "too_many_dice", **limits}, dice=refusal.dice, **limits)
    fits: dict[str, Any] = {"asked": refusal.asked, "limit": refusal.limit, "what": refusal.what}
    return Problem(422, "odds_too_large", more={"code": "odds_too_large", **fits}, **fits)


def _illegal(refusal: Illegal, words: Labels, language: str) -> Problem:
    """The system's sentence, or the service's own for what the kernel refuses."""
    said = words if words.find("errors", refusal.code) else own_words(language)
    detail = said.sentence("errors", refusal.code, refusal.args_by_name)
    more: dict[str, Any] = {"code": refusal.code}
    if refusal.rule:
        more["rule"] = refusal.rule
    if detail == refusal.code:
        return Problem(422, "illegal", more=more, code=refusal.code, rule=refusal.rule or "-")
    return Problem(422, "illegal", detail=detail, more=more)


def _faces(refusal: FacesMismatch) -> Problem:
    args: dict[str, Any] = {"label": refusal.label, "count": refusal.count, "sides": refusal.sides}
    told = {**args, "used": refusal.used}
    key = "faces" if refusal.count else "faces_left"
    more = {"code": "faces_mismatch", "used": refusal.used, "next": args if refusal.count else None}
    return Problem(422, "faces_mismatch", errors=(FieldError(("faces",), Misfit(key, told)),), more=more, **told)
