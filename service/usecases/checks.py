"""Resolve one check, or tell its exact odds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from service.forms.form import Form
from service.problems import FieldError, Misfit, Problem, at, invalid
from service.usecases.answers import explained, new_id, now, odds_shown, outcome_shown, question_shown, rolls_shown
from service.usecases.catalogue import Answered, Bound, Catalogue
from service.usecases.refusals import refusing
from systems.core.calls import CheckCall, odds, resolve
from systems.core.dice import CryptoDice, Dice, ScriptedDice
from systems.core.game import Message
from systems.core.text import Labels

BoundCheck = Bound[CheckCall[Any, Any]]


class Checks:
    """The checks of all systems."""

    def __init__(self, catalogue: Catalogue) -> None:
        self.catalogue = catalogue

    def throw(
        self, system: str, check: str, raw: Any, language: str, with_odds: bool, spent: int = 0
    ) -> dict[str, Any]:
        """The answer of one check. `spent` dice were already thrown in this request. Raises `Problem`."""
        bound = self.catalogue.check(system, check)
        body = bound.form.read(raw)
        words, call = bound.system.labels(language), bound.named
        answers = self._answers(bound, body.answers)
        dice = source_of(body.faces, spent)
        with refusing(words, language):
            resolution = resolve(call, body.params, dice, answers)
            if isinstance(dice, ScriptedDice):
                dice.close()
        answer = {
            "id": new_id(),
            "system": system,
            "check": check,
            "label": body.label,
            "outcome": outcome_shown(resolution, call.outcome, words),
            "rolls": rolls_shown(resolution.throws),
            "explain": explained(resolution.report.explain, words),
            "at": now(),
        }
        if resolution.pending:
            answer["pending"] = question_shown(resolution.pending)
        if with_odds:
            answer["odds"] = _odds(call, body.params, answers, words, language)
        return answer

    def odds(self, system: str, check: str, raw: Any, language: str) -> dict[str, Any]:
        """The exact odds of the same body; nothing is thrown. Raises `Problem`."""
        bound = self.catalogue.check(system, check)
        body = bound.form.read(raw)
        answers = self._answers(bound, body.answers)
        shown = _odds(bound.named, body.params, answers, bound.system.labels(language), language)
        return {"system": system, "check": check, "label": body.label, "odds": shown}

    def _answers(self, bound: BoundCheck, given: Sequence[Answered]) -> tuple[Message, ...]:
        """The messages that were handed in with the check. Raises `Problem` 422."""
        messages: list[Message] = []
        errors: list[FieldError] = []
        for place, one in enumerate(given):
            form = self.catalogue.answer_form(bound.system, one.action)
            if form is None:
                known = sorted(bound.system.codec.messages)
                errors.append(at(("answers", place, "action"), "choice", accepted=known))
            elif found := _misfits(form, one.params):
                errors += (FieldError(("answers", place, "params", *error.path), error.misfit) for error in found)
            else:
                messages.append(form.read(one.params))
        if errors:
            raise invalid(errors)
        return tuple(messages)


def _misfits(form: Form[Any], params: dict[str, Any]) -> tuple[FieldError, ...]:
    try:
        form.read(params)
    except Problem as problem:
        return tuple(problem.errors) or (FieldError((), Misfit("other", {"why": ""})),)
    return ()


def source_of(faces: Sequence[int] | None, spent: int = 0) -> Dice:
    """The table's own faces, or the operating system's randomness."""
    dice: Dice = CryptoDice() if faces is None else ScriptedDice(faces)
    dice.thrown = spent
    return dice


def _odds(
    call: CheckCall[Any, Any], params: Any, answers: tuple[Message, ...], words: Labels, language: str
) -> dict[str, Any]:
    with refusing(words, language):
        return odds_shown(odds(call, params, answers), call.grades, words)
