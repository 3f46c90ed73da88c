"""Plain dice without a game: notation in, faces and exact odds out."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta, Struct

from service.forms.form import Form
from service.usecases.answers import chance_shown, grade_shown, new_id, now, odds_shown, rolls_shown
from service.usecases.catalogue import Faces
from service.usecases.checks import source_of
from service.usecases.fractions import plain
from service.usecases.refusals import refusing
from service.usecases.tables import NOBODY
from service.words import words
from systems.core.calls import Verdict
from systems.core.dice import ScriptedDice
from systems.core.errors import OddsTooLarge
from systems.core.game import Game
from systems.core.notation import MAX_CHARACTERS, Formula, parse
from systems.core.odds import Distribution
from systems.core.play import DiceChance, Play
from systems.core.text import Labels
from systems.core.values import Map

MAX_LISTED = 200  # totals of a published distribution
GRADES = ("success", "failure", "rolled")


class DiceBody(Struct, frozen=True):
    """The body of a plain throw."""

    notation: Annotated[str, Meta(min_length=1, max_length=MAX_CHARACTERS, examples=["2d6+1>=7"])]
    label: str = ""
    faces: Faces | None = None


DICE = Form(DiceBody)


def throw(raw: Any, language: str) -> dict[str, Any]:
    """Faces, total and exact odds of a notation. Raises `Problem`."""
    body = DICE.read(raw)
    say = words(language)
    with refusing(say, language):
        formula = parse(body.notation)
        dice = source_of(body.faces)
        chance = DiceChance(dice)
        total = formula.throw(Play(Game(), chance, NOBODY))
        if isinstance(dice, ScriptedDice):
            dice.close()
    verdict = _verdict(formula, total)
    counted = {"successes": total} if formula.counts else {"total": total}
    return {
        "id": new_id(),
        "notation": body.notation,
        "label": body.label,
        "outcome": {
            **grade_shown(verdict.grade, say),
            "success": verdict.success,
            **counted,
        },
        "rolls": rolls_shown(chance.throws),
        "odds": _odds(formula, say),
        "at": now(),
    }


def _verdict(formula: Formula, total: int) -> Verdict:
    success = formula.success(total)
    return Verdict("rolled" if success is None else "success" if success else "failure", success)


def _odds(formula: Formula, say: Labels) -> dict[str, Any] | None:
    """Exact odds; None if they would cost too much."""
    try:
        totals = formula.odds()
    except OddsTooLarge:
        return None
    shown = odds_shown(totals.by(lambda total: _verdict(formula, total)), GRADES, say)
    return shown | chance_shown("mean", totals.mean(lambda total: total)) | _distribution(totals)


def _distribution(totals: Distribution[int]) -> dict[str, Any]:
    if len(totals.weights) > MAX_LISTED:
        return {}
    shown: dict[str, Any] = plain({"distribution": Map(totals.weights)})
    return shown
