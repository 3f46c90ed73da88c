"""Resolve one check, or tell its exact odds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from service.forms.form import Form
from service.problems import FieldError, Misfit, Problem, at, invalid
from service.usecases.answers import explained, new_id, now, odds_shown, outcome_shown, question_shown, rolls_shown
from service.usecases.catalogue import Answered, Bound, Catalogue
from service.usecases.chances import Chances, mark_of
from service.usecases.refusals import refusing
from systems.core.calls import CheckCall, resolve
from systems.core.dice import CryptoDice, Dice, ScriptedDice
from systems.core.game import Message
from systems.core.odds import Budget

BoundCheck = Bound[CheckCall[Any, Any]]


class Checks:
    """The checks of all systems."""

    def __init__(self, catalogue: Catalogue) -> None:
        self.catalogue = catalogue
        self._chances = Chances()

    def throw(
        self,
        system: str,
        check: str,
        raw: Any,
        language: str,
        with_odds: bool,
        spent: int = 0,
        budget: Budget | None = None,
    ) -> dict[str, Any]:
        """The answer of one check. `spent` dice were already thrown in this request, whose odds share a `budget`.

        Raises `Problem`.
        """
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
            answer["odds"] = self._odds(bound, body.params, answers, raw, language, budget)
        return answer

    def odds(self, system: str, check: str, raw: Any, language: str) -> dict[str, Any]:
        """The exact odds of the same body; nothing is thrown. Raises `Problem`."""
        bound = self.catalogue.check(system, check)
        body = bound.form.read(raw)
        answers = self._answers(bound, body.answers)
        shown = self._odds(bound, body.params, answers, raw, language)
        return {"system": system, "check": check, "label": body.label, "odds": shown}

    def _odds(
        self,
        bound: BoundCheck,
        params: Any,
        answers: tuple[Message, ...],
        raw: Any,
        language: str,
        budget: Budget | None = None,
    ) -> dict[str, Any]:
        call, words = bound.named, bound.system.labels(language)
        mark = mark_of(bound.system.id, call.id, raw)
        with refusing(words, language):
            return odds_shown(self._chances.of(call, params, answers, mark, budget), call.grades, words)

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
