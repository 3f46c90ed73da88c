"""Everything that the service needs, started and stopped together."""

from __future__ import annotations

import contextlib
import logging
import os
import socket
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

from flask import Flask
from granian.constants import Interfaces
from granian.log import LogLevels
from granian.server import MPServer as Granian

from service.app import create_app
from service.settings import Settings
from service.store.embedded import SECONDS_TO_LET_GO, CannotStart, EmbeddedCache, claim
from service.store.records import StoreAway, UnknownGame
from service.usecases.games.desk import Desk

PARENT = "NINJA_RULES_PARENT"
BLOCKING_THREADS = 64  # of each worker: a body that arrives slowly holds one (see MAX_ARRIVING)
SECONDS_TO_STOP = 5
SECONDS_BETWEEN_LOOKS = 0.5
SECONDS_BETWEEN_STARTS = 30.0  # of a cache that did not start again
SECONDS_BETWEEN_SWEEPS = 1.0
GAMES_PER_SWEEP = 50
LOG = logging.getLogger("ninja_rules")


def serve(settings: Settings) -> int:
    """Serve until SIGINT or SIGTERM; the exit code. Raises `CannotStart` if something stands in the way."""
    with contextlib.closing(claim(settings.data)):
        _refuse_taken_port(settings)
        with _cache(settings) as (url, told):
            os.environ |= _environment(settings, url)
            _announce(settings, told)
            logging.getLogger("_granian").addFilter(_is_news)
            _web(settings).serve()
    return 0


def _environment(settings: Settings, url: str) -> dict[str, str]:
    return {"REDIS_URL": url, "DATA": str(settings.data), PARENT: str(os.getpid())}


def _web(settings: Settings) -> Granian:
    return Granian(
        "service.serve:worker_app",
        address=settings.host,
        port=settings.port,
        interface=Interfaces.WSGI,
        factory=True,
        workers=settings.workers,
        blocking_threads=BLOCKING_THREADS,
        websockets=False,
        respawn_failed_workers=True,
        workers_kill_timeout=SECONDS_TO_STOP,
        log_level=LogLevels.warning,
        process_name=None,
    )


def _is_news(record: logging.LogRecord) -> bool:
    """More threads than processors are meant: they wait for bodies, they do not compute."""
    return "quite high" not in record.getMessage()


def worker_app() -> Flask:
    """The application of one worker, which ends when the process that started it does."""
    app = create_app()
    start_sweeper(app.extensions["ninja_rules.desk"])
    parent = int(os.environ.get(PARENT, "0"))
    if parent:
        threading.Thread(target=_end_with, args=(parent, Path(os.environ["DATA"])), daemon=True).start()
    return app


def start_sweeper(desk: Desk, seconds: float = SECONDS_BETWEEN_SWEEPS) -> threading.Event:
    """Look for overdue questions until the event is set. Workers need not agree on who looks."""
    ended = threading.Event()
    threading.Thread(target=_sweep, args=(desk, ended, seconds), name="sweeper", daemon=True).start()
    return ended


def _sweep(desk: Desk, ended: threading.Event, seconds: float) -> None:
    while not ended.wait(seconds):
        try:
            for game in desk.games.due(desk.clock(), GAMES_PER_SWEEP):
                _time_out(desk, game)
        except StoreAway:
            continue  # whoever asks for a game is told
        except Exception:  # the next sweep may do better
            LOG.exception("the sweep failed")


def _time_out(desk: Desk, game: str) -> None:
    """A game that cannot go on is told to the log and not looked at again until somebody asks for it."""
    try:
        desk.timeout(game)
    except StoreAway:
        raise
    except Exception:
        LOG.exception("game %s: its deadline could not be kept", game)
        with contextlib.suppress(UnknownGame):
            desk.games.settle_due(game, desk.games.head(game)[0].seq, None)


def _end_with(parent: int, data: Path) -> NoReturn:
    """Until this worker ends it holds the lock of the directory, so the cache there is still the parent's."""
    while os.getppid() == parent:
        time.sleep(SECONDS_BETWEEN_LOOKS)
    EmbeddedCache(data).end_orphan()
    os._exit(1)


@contextlib.contextmanager
def _cache(settings: Settings) -> Iterator[tuple[str, str]]:
    """The URL of the cache and where it is, in words. A cache that cannot start is told and done without."""
    if settings.redis_url:
        yield settings.redis_url, "Redis at REDIS_URL"
        return
    cache = EmbeddedCache(settings.data)
    try:
        number = cache.start()
    except CannotStart as error:
        yield "", f"none ({error})"
        return
    ended = threading.Event()
    watch = threading.Thread(target=_keep_up, args=(cache, ended), daemon=True)
    watch.start()
    try:
        yield cache.url, f"Valkey on {cache.url.removeprefix('unix://')} (process {number})"
    finally:
        ended.set()
        watch.join()
        cache.stop()


def _keep_up(cache: EmbeddedCache, ended: threading.Event) -> None:
    """Start the cache again whenever it has ended by itself or was killed, until `ended`."""
    wait = SECONDS_BETWEEN_LOOKS
    while not ended.wait(wait):
        wait = SECONDS_BETWEEN_LOOKS
        if cache.runs():
            continue
        try:
            LOG.warning("the cache had ended; started again as process %d", cache.start())
        except (CannotStart, OSError) as error:
            LOG.warning("the cache had ended: %s", error)
            wait = SECONDS_BETWEEN_STARTS


def _refuse_taken_port(settings: Settings) -> None:
    """Raises `CannotStart`. Workers of a service that was killed need a moment to let go of the port."""
    until = time.monotonic() + SECONDS_TO_LET_GO
    while (reason := _taken(settings)) and time.monotonic() < until:
        time.sleep(0.1)
    if reason:
        where = f"{settings.host} port {settings.port}"
        raise CannotStart(f"cannot listen on {where}: {reason}; choose another --port or --host")


def _taken(settings: Settings) -> str | None:
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    try:
        with socket.socket(family) as trial:
            trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            trial.bind((settings.host, settings.port))
    except OSError as error:
        return error.strerror or str(error)
    return None


def _announce(settings: Settings, cache: str) -> None:
    shown = "127.0.0.1" if settings.host in ("0.0.0.0", "::") else settings.host
    at = f"http://[{shown}]:{settings.port}" if ":" in shown else f"http://{shown}:{settings.port}"
    lines = (
        f"ninja-rules at {at} (process {os.getpid()}, {settings.workers} workers)",
        f"  docs    {at}/docs",
        f"  data    {settings.data}",
        f"  cache   {cache}",
        f"  try     curl -s {at}/v1/dice -H 'Content-Type: application/json' -d '{{\"notation\": \"2d6+1>=7\"}}'",
        "  stop    Ctrl-C",
    )
    print("\n".join(lines), flush=True)


def set_up_logging(level: str) -> None:
    logging.getLogger("alembic").setLevel(logging.WARNING)  # it tells each worker's look at the schema
    logging.basicConfig(level=level.upper(), stream=sys.stderr, format="%(asctime)s %(levelname)s %(name)s %(message)s")
