"""The routes of the table: seats, invites, clocks, epochs of the dice, the end."""

from __future__ import annotations

from typing import Any

from flask import Response

from service.api import table_documented as doc
from service.api.bodies import CloseBody, Nothing, TickBody
from service.api.gaming import asker, sender, shown, told
from service.api.http import asked, body, key_of, language
from service.api.operations import Routes
from service.forms.form import Form
from service.usecases.games import clocks, epochs, seats
from service.usecases.games.desk import Asked, Desk

NOTHING, TICK, CLOSE = Form(Nothing), Form(TickBody), Form(CloseBody)
SEAT, SEAT_CHANGE = Form(seats.SeatBody), Form(seats.SeatChange)
CLOCK, CLOCK_CHANGE = Form(clocks.ClockBody), Form(clocks.ClockChange)


def _sent(game: str, form: Form[Any]) -> tuple[Asked, Any]:
    """Who posts to a game, and the body by its form."""
    environ = asked()
    who, raw = asker(environ, game), body(environ)
    one = form.read(raw)
    return sender(environ, who, raw), one


def _changed(game: str, form: Form[Any]) -> tuple[Asked, Any]:
    """The same of a change, which needs no key to be sent twice."""
    environ = asked()
    return asker(environ, game), form.read(body(environ))


def seating(desk: Desk) -> Routes:
    """Who sits at the table."""
    routes = Routes("seats", "Seats of a game")

    @routes.post("/v1/games/<game>/seats", doc.SEAT)
    def add_seat(game: str) -> Response:
        """Add a seat; the answer holds an invite that works once (GM)."""
        who, one = _sent(game, SEAT)
        reply = seats.add(desk, who, one)
        return told(reply, f"/v1/games/{game}/seats/{reply.answer['seat']}")

    @routes.get("/v1/games/<game>/seats", doc.SEATS)
    def list_seats(game: str) -> Response:
        """All seats with their roles and characters."""
        return shown(seats.listed(desk, asker(asked(), game)))

    @routes.operation("PATCH", "/v1/games/<game>/seats/<seat>", doc.SEAT_CHANGE)
    def change_seat(game: str, seat: str) -> Response:
        """Change a seat's name, role or characters (GM; players their own name)."""
        who, one = _changed(game, SEAT_CHANGE)
        return told(seats.change(desk, who, seat, one))

    @routes.operation("DELETE", "/v1/games/<game>/seats/<seat>", doc.SEAT_GONE)
    def remove_seat(game: str, seat: str) -> Response:
        """Remove a seat: its token ends, its characters pass to the GM."""
        return told(seats.remove(desk, asker(asked(), game), seat))

    return routes


def inviting(desk: Desk) -> Routes:
    """How seats are taken."""
    routes = Routes("invites", "Invites and tokens")

    @routes.post("/v1/games/<game>/seats/<seat>/invite", doc.REINVITE)
    def invite_again(game: str, seat: str) -> Response:
        """A new invite for a seat; its old token ends, and all see it (GM)."""
        who, _ = _sent(game, NOTHING)
        return told(seats.reinvite(desk, who, seat))

    @routes.post("/v1/games/<game>/seats/me/token", doc.TOKEN)
    def renew_token(game: str) -> Response:
        """A new token for the caller's seat; the old one ends."""
        who, _ = _sent(game, NOTHING)
        return told(seats.renew(desk, who))

    @routes.post("/v1/invites/<code>", doc.REDEEM)
    def redeem_invite(code: str) -> Response:
        """Take the seat of an invite; the answer holds its token."""
        environ = asked()
        NOTHING.read(body(environ))
        return told(seats.redeem(desk, code, key_of(environ), language(environ)))

    return routes


def clockwork(desk: Desk) -> Routes:
    """Free progress clocks, in every system."""
    routes = Routes("clocks", "Progress clocks")

    @routes.post("/v1/games/<game>/clocks", doc.CLOCK)
    def make_clock(game: str) -> Response:
        """Make a clock (GM; players their own)."""
        who, one = _sent(game, CLOCK)
        reply = clocks.make(desk, who, one)
        return told(reply, f"/v1/games/{game}/clocks/{reply.answer['id']}")

    @routes.get("/v1/games/<game>/clocks", doc.CLOCKS)
    def list_clocks(game: str) -> Response:
        """The clocks that the caller may know of."""
        return shown(clocks.listed(desk, asker(asked(), game)))

    @routes.post("/v1/games/<game>/clocks/<clock>/tick", doc.TICK)
    def tick_clock(game: str, clock: str) -> Response:
        """Move a clock on or back; how often it filled and what was lost is told."""
        who, one = _sent(game, TICK)
        return told(clocks.tick(desk, who, clock, one.ticks))

    @routes.operation("PATCH", "/v1/games/<game>/clocks/<clock>", doc.CLOCK_CHANGE)
    def change_clock(game: str, clock: str) -> Response:
        """Change a clock."""
        who, one = _changed(game, CLOCK_CHANGE)
        return told(clocks.change(desk, who, clock, one))

    @routes.operation("DELETE", "/v1/games/<game>/clocks/<clock>", doc.CLOCK_GONE)
    def remove_clock(game: str, clock: str) -> Response:
        """Remove a clock."""
        return told(clocks.remove(desk, asker(asked(), game), clock))

    return routes


def ending(desk: Desk) -> Routes:
    """Proof of the dice, and the end of sessions and games."""
    routes = Routes("epochs", "Proof of the dice")

    @routes.get("/v1/games/<game>/proof", doc.PROOF)
    def prove_dice(game: str) -> Response:
        """Commitments, and for ended epochs the secret with every roll."""
        return shown(epochs.proof(desk, asker(asked(), game)))

    @routes.post("/v1/games/<game>/epoch", doc.EPOCH)
    def end_epoch(game: str) -> Response:
        """End a session and reveal its dice secret (GM)."""
        who, _ = _sent(game, NOTHING)
        return told(epochs.end_epoch(desk, who))

    @routes.post("/v1/games/<game>/close", doc.CLOSE)
    def close_game(game: str) -> Response:
        """End the game and open its log (GM)."""
        who, one = _sent(game, CLOSE)
        return told(epochs.close(desk, who, one.open_log))

    return routes
