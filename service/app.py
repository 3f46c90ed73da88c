"""The application factory."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache as cache_result
from inspect import unwrap

from flask import Flask
from flask_smorest import Api

from service.api import (
    documented,
    errors,
    games_documented,
    games_keeping,
    games_playing,
    games_table,
    operating,
    stateless,
    table_documented,
)
from service.api.counts import Counts
from service.api.edge import Edge
from service.api.errors import ProblemApi
from service.api.http import encode
from service.api.operations import Routes
from service.settings import Settings, from_environment
from service.store.cache import Cache
from service.store.games import Games
from service.usecases.catalogue import Catalogue
from service.usecases.checks import Checks
from service.usecases.games.desk import Desk
from service.usecases.kept import KeptRolls
from service.web import openapi, pages
from systems.core.system import System, installed

ABOUT = {
    "info": {
        "description": "Rolls, exact odds, tables and characters of ninja role-playing games. Unofficial; the "
        "rulebooks are needed to play. Every error is a problem document (RFC 9457).",
        "license": {"name": "MIT", "identifier": "MIT"},
    },
    "servers": [{"url": "/"}],
}


def create_app(settings: Settings | None = None, systems: Mapping[str, System] | None = None) -> Flask:
    """The service over `systems` (all installed ones unless given), set up from the environment unless told."""
    settings = settings or from_environment()
    catalogue = Catalogue(installed() if systems is None else systems)
    app = Flask("service", static_folder=None)
    app.config.update(API_TITLE="ninja-rules", API_VERSION="v1", OPENAPI_VERSION="3.1.0", API_SPEC_OPTIONS=ABOUT)
    app.url_map.strict_slashes = app.url_map.merge_slashes = False
    api: Api = ProblemApi(app)
    documented.add_components(api.spec)
    games_documented.add_components(api.spec)
    table_documented.add_components(api.spec)
    cache, counts = Cache(settings.redis_url), Counts()
    games = Games(settings.database, cache)
    desk = app.extensions["ninja_rules.desk"] = Desk(games, catalogue)
    checks = Checks(catalogue)
    api.register_blueprint(stateless.reading(catalogue))
    api.register_blueprint(stateless.asking(catalogue, checks))
    api.register_blueprint(stateless.throwing(catalogue, checks, KeptRolls(cache, encode)))
    for routes in _of_games(desk, settings):
        api.register_blueprint(routes)
    api.register_blueprint(operating.blueprint(settings, cache, games, counts))
    document = cache_result(lambda: openapi.document(app, api, catalogue))
    api.register_blueprint(pages.blueprint(document))
    app.extensions["ninja_rules.openapi"] = document
    errors.register(app)
    # flask-smorest's wrappers only carry the documentation, which it has read by now
    app.view_functions = {endpoint: unwrap(function) for endpoint, function in app.view_functions.items()}
    app.wsgi_app = Edge(app.wsgi_app, settings, counts)  # type: ignore[method-assign]
    return app


def _of_games(desk: Desk, settings: Settings) -> tuple[Routes, ...]:
    return (
        games_playing.opening_routes(desk, settings),
        games_playing.acting(desk),
        games_playing.weighing(desk),
        games_playing.remembering(desk),
        games_table.seating(desk),
        games_table.inviting(desk),
        games_table.clockwork(desk),
        games_table.ending(desk),
        games_keeping.casting(desk),
        games_keeping.moving(desk, settings),
    )
