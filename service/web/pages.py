"""The document and the page that people read."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from html import escape
from importlib.resources import files

from flask import Response, redirect

from service.api import documented as doc
from service.api.http import encode, unless_known
from service.api.operations import Routes
from service.web import openapi
from systems.core.text import read_toml

SAFE = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:"
_BLANK = re.compile(r"\{[^}]*\}")


def blueprint(document: Callable[[], openapi.Document]) -> Routes:
    routes = Routes("documents", "The description of the service itself")

    @routes.get("/", doc.PAGE)
    def front() -> Response:
        """Leads to the documentation."""
        return redirect("/docs", 302)  # type: ignore[return-value]

    @routes.get("/openapi.yaml", doc.DOCUMENT)
    def openapi_yaml() -> Response:
        """The OpenAPI 3.1 document of the installed systems."""
        return Response(openapi.as_yaml(document()), mimetype="application/yaml")

    @routes.get("/openapi.json", doc.JSON_DOCUMENT)
    def openapi_json() -> Response:
        """The same document as JSON."""
        return unless_known(encode(document()))

    @routes.get("/docs", doc.PAGE)
    def docs() -> Response:
        """A page to read and try; it needs nothing from elsewhere."""
        return _file("docs.html", "text/html", problems=_problems())

    @routes.get("/docs/docs.js", doc.PAGE)
    def docs_script() -> Response:
        """The script of the page."""
        return _file("docs.js", "text/javascript")

    @routes.get("/docs/docs.css", doc.PAGE)
    def docs_style() -> Response:
        """The style of the page."""
        return _file("docs.css", "text/css")

    return routes


@cache
def _text(name: str) -> str:
    return files("service.web").joinpath(name).read_text(encoding="utf-8")


def _file(name: str, kind: str, problems: str = "") -> Response:
    text = _text(name).replace("<!-- problems -->", problems)
    return Response(text, mimetype=kind, headers={"Content-Security-Policy": SAFE, "Cache-Control": "no-cache"})


@cache
def _problems() -> str:
    """Every kind of problem with its sentence; the `type` of a problem leads to its entry."""
    details = read_toml("service", "labels/en.toml")["details"]
    return "\n".join(
        f'      <dt id="{kind}">{kind}</dt><dd>{escape(_BLANK.sub("…", text))}</dd>' for kind, text in details.items()
    )
