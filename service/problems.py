"""What is told when a request cannot be answered: one exception, shown as problem+json (RFC 9457)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from service.words import words

MEDIA_TYPE = "application/problem+json"
MAX_LISTED = 100  # field errors of one document


class Misfit(Struct, frozen=True):
    """Why one value cannot be used: the id of its sentence in the labels and what fills it."""

    key: str
    args: Mapping[str, Any] = {}


class FieldError(Struct, frozen=True):
    """A misfit and where it stands: names of fields and places in lists."""

    path: tuple[str | int, ...]
    misfit: Misfit

    def shown(self, language: str) -> dict[str, Any]:
        return {
            "field": ".".join(map(str, self.path)),
            "pointer": "#" + "".join(f"/{str(part).replace('~', '~0').replace('/', '~1')}" for part in self.path),
            "code": self.misfit.key,
            "detail": words(language).sentence("fields", self.misfit.key, self.misfit.args),
        }


class Problem(Exception):
    """A refusal. `kind` names its title and its sentence in the labels; `detail` replaces that sentence.

    `more` are further members of the document, `headers` go out with it.
    """

    def __init__(
        self,
        status: int,
        kind: str,
        *,
        detail: str = "",
        errors: Sequence[FieldError] = (),
        more: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
        **args: Any,
    ) -> None:
        super().__init__(f"{status} {kind}")
        self.status, self.kind, self.detail, self.errors = status, kind, detail, errors
        self.more, self.headers, self.args_by_name = dict(more or {}), dict(headers or {}), args

    def document(self, language: str) -> dict[str, Any]:
        """The members of the problem document, in that language."""
        say = words(language)
        shown: dict[str, Any] = {
            "type": f"/docs#{self.kind}",
            "title": say.find("titles", self.kind) or say.word("titles", str(self.status)),
            "status": self.status,
            "detail": self.detail or say.sentence("details", self.kind, self.args_by_name),
        }
        if self.errors:
            shown["errors"] = [one.shown(language) for one in self.errors[:MAX_LISTED]]
        return shown | self.more


def refusal(code: str, status: int = 422, **args: Any) -> Problem:
    """A problem whose title, sentence and code have the same name."""
    return Problem(status, code, more={"code": code}, **args)


def invalid(errors: Sequence[FieldError]) -> Problem:
    """A body that was understood but whose fields do not fit."""
    return Problem(422, "invalid", errors=errors, count=len(errors))


def at(path: tuple[str | int, ...], key: str, **args: Any) -> FieldError:
    return FieldError(path, Misfit(key, args))
