"""The application factory."""

from __future__ import annotations

from collections.abc import Mapping

from flask import Flask
from flask_smorest import Api

from service.api import errors, operating, stateless
from service.api.counts import Counts
from service.api.edge import Edge
from service.api.errors import ProblemApi
from service.api.http import encode
from service.settings import Settings, from_environment
from service.store.cache import Cache
from service.usecases.catalogue import Catalogue
from service.usecases.kept import KeptRolls
from systems.core.system import System, installed


def create_app(settings: Settings | None = None, systems: Mapping[str, System] | None = None) -> Flask:
    """The service over `systems` (all installed ones unless given), set up from the environment unless told."""
    settings = settings or from_environment()
    catalogue = Catalogue(installed() if systems is None else systems)
    app = Flask("service", static_folder=None)
    app.config.update(API_TITLE="ninja-rules", API_VERSION="v1", OPENAPI_VERSION="3.1.0")
    app.url_map.strict_slashes = False
    api: Api = ProblemApi(app)
    cache, counts = Cache(settings.redis_url), Counts()
    api.register_blueprint(stateless.blueprint(catalogue, KeptRolls(cache, encode)))
    api.register_blueprint(operating.blueprint(settings, cache, counts))
    errors.register(app)
    app.wsgi_app = Edge(app.wsgi_app, settings, counts)  # type: ignore[method-assign]
    return app
