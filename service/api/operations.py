"""Blueprints whose routes document themselves: summary and text of an operation are its function's docstring."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from flask_smorest import Blueprint

F = TypeVar("F", bound=Callable[..., Any])


class Routes(Blueprint):  # type: ignore[misc]
    """A flask-smorest blueprint with typed decorators."""

    def __init__(self, name: str, description: str) -> None:
        super().__init__(name, name, description=description)

    def get(self, rule: str, **doc: Any) -> Callable[[F], F]:
        return self.operation("GET", rule, **doc)

    def post(self, rule: str, **doc: Any) -> Callable[[F], F]:
        return self.operation("POST", rule, **doc)

    def operation(self, method: str, rule: str, **doc: Any) -> Callable[[F], F]:
        def named(function: F) -> F:
            documented = self.doc(**doc)(function) if doc else function
            self.route(rule, methods=[method])(documented)
            return function

        return named
