"""What can go wrong in the rules. Texts for people are made at the edge from `code` and `args` (labels)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from systems.core.ask import Question


class RulesError(Exception):
    """Base of everything that the kernel and the games raise on purpose."""


class Illegal(RulesError):
    """The rules refuse something. Nothing was thrown and nothing has changed.

    `code` is the digest's error id, `rule` the rule that says so, `args` fill the sentence in the labels.
    """

    def __init__(self, code: str, rule: str, **args: Any) -> None:
        super().__init__(f"{code} ({rule})")
        self.code, self.rule, self.args_by_name = code, rule, args


class TooManyDice(RulesError):
    def __init__(self, dice: int, per_throw: int, per_request: int) -> None:
        super().__init__(f"{dice} dice; at most {per_throw} in a throw and {per_request} in a request")
        self.dice, self.per_throw, self.per_request = dice, per_throw, per_request


class FacesMismatch(RulesError):
    """Faces that were handed in do not fit what the rule throws; `count` is 0 when faces were left over."""

    def __init__(self, label: str, count: int, sides: int, used: int, got: tuple[int, ...]) -> None:
        wanted = f"{count}d{sides} for {label!r}" if count else "no more dice"
        super().__init__(f"after {used} faces the rule throws {wanted}, but {list(got)} is left")
        self.label, self.count, self.sides, self.used, self.got = label, count, sides, used, got


class OddsTooLarge(RulesError):
    """An exact computation would pass its budget; `limit` says what would fit, simulation is the way out."""

    def __init__(self, what: str, asked: int, limit: int) -> None:
        super().__init__(f"{what}: {asked} asked, {limit} fit; simulate instead")
        self.what, self.asked, self.limit = what, asked, limit


class Diverged(RulesError):
    """A recorded step no longer matches what its rule does; nothing was thrown, the GM cancels the step."""


class Unanswered(RulesError):
    """A rule asked something whose answer is not known; the step stops here."""

    def __init__(self, questions: tuple[Question, ...], veiled: bool) -> None:
        super().__init__(f"waiting for {[q.about for q in questions]} on {questions[0].topic}")
        self.questions, self.veiled = questions, veiled
