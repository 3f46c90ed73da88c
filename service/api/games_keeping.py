"""The routes of what is carried in and out of games: characters, exports, imports, the deletion."""

from __future__ import annotations

from flask import Response

from service.api import table_documented as doc
from service.api.games_playing import may_create
from service.api.gaming import PRIVATE, asker, sender, shown, told
from service.api.http import MAX_IMPORT, argument, asked, body, key_of, mark_of_request
from service.api.operations import Routes
from service.forms.form import Form
from service.problems import Problem, at, invalid
from service.settings import Settings
from service.usecases.games import characters, transfer
from service.usecases.games.desk import Desk

ARRIVAL = Form(characters.Arrival)
NOT_YET = ("ccfolia", "bcdice-palette")
FORMATS = ("json", *NOT_YET)
MOST_NAME = 100


def casting(desk: Desk) -> Routes:
    """Who is played."""
    routes = Routes("characters", "Characters of a game")

    @routes.get("/v1/games/<game>/characters", doc.CHARACTERS)
    def list_characters(game: str) -> Response:
        """The characters with who plays them."""
        return shown(characters.listed(desk, asker(asked(), game)))

    @routes.post("/v1/games/<game>/characters", doc.ARRIVAL)
    def bring_character(game: str) -> Response:
        """Bring a character in: a sheet, or what was exported from a game."""
        environ = asked()
        who, raw = asker(environ, game), body(environ)
        one = ARRIVAL.read(raw)
        return told(characters.arrive(desk, sender(environ, who, raw), one))

    @routes.get("/v1/games/<game>/characters/<character>/export", doc.SHEET)
    def export_character(game: str, character: str) -> Response:
        """A character as a document that other games take in."""
        environ = asked()
        who = asker(environ, game)
        _only_json(argument(environ, "format") or "json")
        return shown(characters.exported(desk, who, character))

    return routes


def moving(desk: Desk, settings: Settings) -> Routes:
    """Whole games out, in, and gone."""
    routes = Routes("transfer", "Export, import, delete")

    @routes.get("/v1/games/<game>/export", doc.EXPORT)
    def export_game(game: str) -> Response:
        """The whole game, as far as the caller may see it."""
        return shown(transfer.export(desk, asker(asked(), game)))

    @routes.post("/v1/games/import", doc.IMPORT)
    def import_game() -> Response:
        """A new game out of an export; `name` is what its GM's seat is called. The other seats need new invites."""
        environ = asked()
        may_create(settings, environ)
        raw, key, name = body(environ, MAX_IMPORT), key_of(environ), argument(environ, "name") or "GM"
        if len(name) > MOST_NAME:
            raise invalid([at(("name",), "length", low=1, high=MOST_NAME)])
        if not isinstance(raw, dict):
            raise invalid([at((), "object")])
        reply = transfer.import_game(desk, raw, key, mark_of_request(environ, raw), name)
        return told(reply, f"/v1/games/{reply.answer['id']}")

    @routes.operation("DELETE", "/v1/games/<game>", doc.GONE)
    def delete_game(game: str) -> Response:
        """Delete the game with everything in it (GM)."""
        transfer.delete(desk, asker(asked(), game))
        return Response(b"", 204, [PRIVATE])

    return routes


def _only_json(format: str) -> None:
    """Raises `Problem` 422 for a format that there is not, or not yet."""
    if format in NOT_YET:
        raise Problem(422, "not_yet", more={"code": "not_yet", "available": ["json"]}, format=format)
    if format != "json":
        raise invalid([at(("format",), "choice", accepted=list(FORMATS))])
