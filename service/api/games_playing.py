"""The routes of playing: create, look, command, answer, ask for odds, take back, read."""

from __future__ import annotations

from flask import Response

from service.api import games_documented as doc
from service.api.bodies import AlwaysBody, CommandBody, ForecastBody, GivenAnswer, NewGame, UndoBody
from service.api.gaming import asker, sender, shown, told
from service.api.http import (
    Environ,
    answer_bytes,
    argument,
    asked,
    bearer,
    body,
    flag,
    is_one_of,
    key_of,
    mark_of_request,
    number,
)
from service.api.operations import Routes
from service.forms.form import Form
from service.problems import Problem, refusal
from service.settings import Settings
from service.usecases.games import answering, offering, opening, reading, undoing
from service.usecases.games.desk import Desk
from service.usecases.games.views import etag, view_of

NEW_GAME, COMMAND, GIVEN, ALWAYS = Form(NewGame), Form(CommandBody), Form(GivenAnswer), Form(AlwaysBody)
FORECAST, UNDO = Form(ForecastBody), Form(UndoBody)
EVENTS_AT_ONCE = 100  # unless told


def may_create(settings: Settings, environ: Environ) -> None:
    """Raises `Problem` 401 where creating games needs a key and this is none."""
    if settings.api_keys and not is_one_of(bearer(environ), settings.api_keys):
        raise Problem(401, "no_api_key", headers={"WWW-Authenticate": "Bearer"})


def opening_routes(desk: Desk, settings: Settings) -> Routes:
    """Games begin here."""
    routes = Routes("games", "Games with seats, secrets and time")

    @routes.post("/v1/games", doc.NEW)
    def create_game() -> Response:
        """Create a game; the answer holds its GM's token."""
        environ = asked()
        may_create(settings, environ)
        raw = body(environ)
        wanted, key = NEW_GAME.read(raw), key_of(environ)
        system = desk.catalogue.system(wanted.system)
        if system.state is None:
            raise refusal("no_games", system=system.id)
        options, switches = opening.options_of(desk, system, wanted.options)
        game = system.new_game(switches)
        mark = mark_of_request(environ, raw)
        reply = opening.create(desk, opening.Opening(system, wanted.title, wanted.name, options, game, key, mark))
        return told(reply, f"/v1/games/{reply.answer['id']}")

    @routes.get("/v1/games/<game>", doc.VIEW)
    def view_game(game: str) -> Response:
        """The game as the caller may see it."""
        environ = asked()
        raw = view_of(desk.at(asker(environ, game)))
        mark = etag(raw)
        headers = {"ETag": mark, "Cache-Control": "private, no-cache"}
        if mark in environ.get("HTTP_IF_NONE_MATCH", ""):
            return answer_bytes(b"", 304, headers)
        return answer_bytes(raw, headers=headers)

    return routes


def acting(desk: Desk) -> Routes:
    """What changes a game by its rules."""
    routes = Routes("play", "Commands and answers")

    @routes.post("/v1/games/<game>/commands", doc.COMMAND)
    def send_command(game: str) -> Response:
        """Carry out a command, as far as it goes without an answer."""
        environ = asked()
        who, raw = asker(environ, game), body(environ)
        one = COMMAND.read(raw)
        return told(answering.command(desk, sender(environ, who, raw, one.faces, True), one.command, one.params))

    @routes.post("/v1/games/<game>/answers", doc.ANSWER)
    def send_answer(game: str) -> Response:
        """Answer an open question of the caller."""
        environ = asked()
        who, raw = asker(environ, game), body(environ)
        one = GIVEN.read(raw)
        who = sender(environ, who, raw, one.faces, True)
        return told(answering.answer(desk, who, one.question, one.answer.action, one.answer.params))

    @routes.operation("PUT", "/v1/games/<game>/standing-answers", doc.ALWAYS)
    def keep_answer(game: str) -> Response:
        """Keep an answer for whenever that topic comes, or take it back; nobody else learns of it."""
        environ = asked()
        who, one = asker(environ, game), ALWAYS.read(body(environ))
        action, params = (one.answer.action, one.answer.params) if one.answer else (None, {})
        return told(answering.always(desk, who, one.topic, action, params, one.until))

    return routes


def weighing(desk: Desk) -> Routes:
    """What may be done, and how likely it goes well."""
    routes = Routes("choices", "Offers and odds")

    @routes.get("/v1/games/<game>/offers", doc.OFFERS)
    def list_offers(game: str) -> Response:
        """What the caller may do now; with `odds=true` the exact odds of examples."""
        environ = asked()
        return shown(offering.offers(desk, asker(environ, game), flag(environ, "odds")))

    @routes.post("/v1/games/<game>/odds", doc.FORECAST)
    def forecast_command(game: str) -> Response:
        """Exact odds of a command from what the caller knows; nothing is changed."""
        environ = asked()
        who, raw = asker(environ, game), body(environ)
        one = FORECAST.read(raw)
        return shown(offering.odds(desk, sender(environ, who, raw), one.command, one.params))

    return routes


def remembering(desk: Desk) -> Routes:
    """What happened."""
    routes = Routes("history", "Events, logs and undo")

    @routes.post("/v1/games/<game>/undo", doc.UNDO)
    def undo_events(game: str) -> Response:
        """Take back everything after an event (GM)."""
        environ = asked()
        who, raw = asker(environ, game), body(environ)
        to = UNDO.read(raw).to
        return told(undoing.undo(desk, sender(environ, who, raw), to))

    @routes.get("/v1/games/<game>/events", doc.EVENTS)
    def list_events(game: str) -> Response:
        """The caller's events after a cursor."""
        environ = asked()
        who, limit = asker(environ, game), number(environ, "limit", EVENTS_AT_ONCE, 1, reading.MOST_EVENTS)
        return shown(reading.events(desk, who, argument(environ, "after"), limit))

    @routes.get("/v1/games/<game>/log", doc.LOG)
    def read_log(game: str) -> Response:
        """The caller's own log, message by message."""
        environ = asked()
        who, limit = asker(environ, game), number(environ, "limit", EVENTS_AT_ONCE, 1, reading.MOST_EVENTS)
        return shown(reading.log(desk, who, argument(environ, "after"), limit))

    return routes
