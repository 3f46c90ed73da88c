"""The routes for those who run the service."""

from __future__ import annotations

import hmac

from flask import Response, request

from service.api import documented as doc
from service.api.counts import Counts
from service.api.errors import RETRY_SECONDS
from service.api.http import ADDRESS, answer
from service.api.operations import Routes
from service.problems import Problem
from service.settings import Settings
from service.store.cache import Cache
from service.store.games import Games

LOOPBACK = ("127.0.0.1", "::1", "")


def blueprint(settings: Settings, cache: Cache, games: Games, counts: Counts) -> Routes:
    routes = Routes("operating", "For those who run the service")

    @routes.get("/healthz", doc.STATUS)
    def healthy() -> Response:
        """Whether the process answers."""
        return answer({"status": "ok"})

    @routes.get("/readyz", doc.STATUS)
    def ready() -> Response:
        """Whether requests can be served; `degraded` names what is away but not needed for most of them."""
        if not games.awake():
            raise Problem(503, "store_away", headers={"Retry-After": str(RETRY_SECONDS)})
        return answer({"status": "ready", "degraded": [] if cache.awake() else ["cache"]})

    @routes.get("/metrics", doc.METRICS)
    def metrics() -> Response:
        """Counts of this worker, as Prometheus reads them; from this machine or with the token only."""
        _may_read(settings)
        return Response(counts.text(cache.awake()), mimetype="text/plain; version=0.0.4")

    return routes


def _may_read(settings: Settings) -> None:
    """Raises `Problem` 401. A request that came through an unknown proxy is not from this machine."""
    given = request.headers.get("Authorization", "").encode()
    token = settings.metrics_token
    if token and hmac.compare_digest(given, f"Bearer {token}".encode()):
        return
    direct = settings.proxies or "HTTP_X_FORWARDED_FOR" not in request.environ
    if not direct or request.environ.get(ADDRESS) not in LOOPBACK:
        raise Problem(401, "metrics_closed", headers={"WWW-Authenticate": "Bearer"})
