"""Blueprints whose routes document themselves: the summary of an operation is the first line of its docstring."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from flask_smorest import Blueprint

F = TypeVar("F", bound=Callable[..., Any])


class Routes(Blueprint):  # type: ignore[misc]
    """A flask-smorest blueprint with typed decorators; it documents and leaves bodies alone."""

    def __init__(self, name: str, description: str) -> None:
        super().__init__(name, name, description=description)

    def get(self, rule: str, doc: Mapping[str, Any]) -> Callable[[F], F]:
        return self.operation("GET", rule, doc)

    def post(self, rule: str, doc: Mapping[str, Any]) -> Callable[[F], F]:
        return self.operation("POST", rule, doc)

    def operation(self, method: str, rule: str, doc: Mapping[str, Any]) -> Callable[[F], F]:
        """Serve and document a function; `doc` is an OpenAPI operation object."""

        def named(function: F) -> F:
            self.route(rule, methods=[method])(self.doc(operationId=function.__name__, **doc)(function))
            return function

        return named
