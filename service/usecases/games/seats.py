"""Seats of a game: added, invited, taken, changed, left. Tokens and invites are told once and kept as hashes."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from typing import Annotated, Any

from msgspec import Meta, Struct

from service.problems import refusal
from service.store.records import Head, Invite, UnknownGame
from service.usecases.games.allowed import gm_only
from service.usecases.games.desk import Asked, At, Desk, Reply, token_hash, unknown_game
from service.usecases.games.draft import Draft
from service.usecases.games.opening import fresh
from service.usecases.games.standing import PUBLIC
from service.usecases.games.views import seats_shown
from systems.core.game import change as changed
from systems.core.seats import Role
from systems.core.table import CastChanged, Chair, SeatAdded, SeatChanged, SeatLeft, SeatReinvited, SeatTaken, Table
from systems.core.values import Map

MOST_SEATS = 50

Name = Annotated[str, Meta(min_length=1, max_length=100)]
Characters = Annotated[tuple[Name, ...], Meta(max_length=100)]


class SeatBody(Struct, frozen=True):
    """A new seat, and the characters that it plays; they may come into the game later."""

    name: Name
    role: Role = "player"
    characters: Characters = ()


class SeatChange(Struct, frozen=True):
    """What is to be different about a seat; `characters` are all that it plays from now on."""

    name: Name | None = None
    role: Role | None = None
    characters: Characters | None = None


def listed(desk: Desk, asked: Asked) -> dict[str, Any]:
    """All seats: everybody at the table sees them."""
    return {"seats": seats_shown(desk.at(asked).standing)}


def add(desk: Desk, asked: Asked, body: SeatBody) -> Reply:
    """A new seat (GM). Its invite is told to the sender alone, and again if the same request comes again."""
    key = _own_key(asked)
    seat, code = "s_" + fresh(key, "seat")[:20], _code(key)

    def decide(found: At, draft: Draft) -> None:
        gm_only(found)
        _add(found, draft, seat, body, code)

    return _with(desk.act(asked, decide), invite=code)


def _add(found: At, draft: Draft, seat: str, body: SeatBody, code: str) -> None:
    if len(found.standing.table.seats) >= MOST_SEATS:
        raise refusal("too_many", limit=MOST_SEATS)
    if body.role == "spectator" and body.characters:
        raise refusal("spectators_watch")
    draft.message = {"type": "add_seat", "seat": seat}
    draft.tell(SeatAdded(seat, body.name, body.role))
    for one in dict.fromkeys(body.characters):
        draft.tell(CastChanged(one, seat))
    draft.more["seat"] = seat
    draft.appended["invites"] = (Invite(token_hash(code), found.game, seat),)


def reinvite(desk: Desk, asked: Asked, seat: str) -> Reply:
    """The seat is open to somebody else (GM): its token ends, and what its player had sealed is dropped."""
    code = _code(_own_key(asked))

    def decide(found: At, draft: Draft) -> None:
        gm_only(found)
        chair_of(found, seat)
        _open_again(found, draft, seat, code)

    return _with(desk.act(asked, decide), invite=code)


def _open_again(found: At, draft: Draft, seat: str, code: str) -> None:
    draft.message = {"type": "reinvite_seat", "seat": seat}
    _forget_sealed(draft, seat)
    draft.tell(SeatReinvited(seat))
    draft.more["seat"] = seat
    draft.appended |= {
        "credentials": _without(found.head, seat),
        "revoked": (seat,),
        "invites": (Invite(token_hash(code), found.game, seat),),
    }


def _forget_sealed(draft: Draft, seat: str) -> None:
    """Standing answers, answers in the open window, sealed picks: nothing of them was shown to anybody."""
    standing = draft.standing
    draft.set(always=tuple(one for one in standing.always if one.seat != seat))
    waiting = standing.waiting
    if waiting is None:
        game = draft.system.without_sealed(standing.game, standing.table.played_by(seat))
        draft.snapshot = game != standing.game
        draft.set(game=game)
        return
    asked, player = waiting.window.questions, standing.table.player_of
    kept = {at: one for at, one in waiting.window.given.items() if player(asked[at].about) != seat}
    if len(kept) < len(waiting.window.given):
        digest = sha256(f"{standing.digest}|{sorted(kept)}".encode()).hexdigest()[:32]
        draft.set(waiting=changed(waiting, window=changed(waiting.window, given=Map(kept))), digest=digest)


def redeem(desk: Desk, code: str, key: str | None, language: str) -> Reply:
    """Take the seat of an invite. The code works once; the same key tells the same token again."""
    code_hash = token_hash(code)
    invite = desk.games.invite(code_hash)
    if invite is None:
        raise refusal("unknown_invite", 404)
    token = "t_" + fresh(None if key is None else f"{code}|{key}", "token")
    asked = Asked(invite.game, token, language, key, code_hash)

    def decide(found: At, draft: Draft) -> None:
        if invite.used or invite.seat not in found.standing.table.seats:
            raise refusal("invite_spent")
        draft.message = {"type": "take_seat", "seat": invite.seat}
        draft.tell(SeatTaken(invite.seat))
        draft.more |= {"game": invite.game, "seat": invite.seat}
        draft.appended |= {
            "used": code_hash,
            "credentials": {**_without(found.head, invite.seat), token_hash(token): invite.seat},
        }

    return _taken(desk, asked, decide, invite.seat)


def renew(desk: Desk, asked: Asked) -> Reply:
    """A new token for the caller's seat; the old one ends. The same key with the old token tells it again."""
    head = _head(desk, asked.game)
    token = "t_" + fresh(_own_key(asked), "token")
    old = token_hash(asked.token)
    seat = head.credentials.get(old) or (head.credentials.get(token_hash(token)) if asked.key else None)
    if seat is None:
        desk.at(asked)  # refuses as for every other token
        raise unknown_game()

    def decide(found: At, draft: Draft) -> None:
        if old not in found.head.credentials:
            raise unknown_game()
        draft.message = {"type": "renew_token"}
        draft.more["seat"] = seat
        others = {hash: one for hash, one in found.head.credentials.items() if hash != old}
        draft.appended["credentials"] = {**others, token_hash(token): seat}

    return _taken(desk, changed(asked, token=token), decide, seat)


def _taken(desk: Desk, asked: Asked, decide: Callable[[At, Draft], None], seat: str) -> Reply:
    """The new token belongs to the seat unless it ended in the meantime: then it is told no more."""
    reply = desk.act(asked, decide, seat)
    if reply.replayed and token_hash(asked.token) not in _head(desk, asked.game).credentials:
        raise refusal("invite_spent")
    return _with(reply, token=asked.token)


def change(desk: Desk, asked: Asked, seat: str, body: SeatChange) -> Reply:
    """Another name, role or cast of a seat (GM); players may change their own name."""

    def decide(found: At, draft: Draft) -> None:
        own_name = seat == found.seat.id and body.role is None and body.characters is None
        if not own_name:
            gm_only(found)
        chair = chair_of(found, seat)
        role = body.role or chair.role
        if role == "spectator" and body.characters:
            raise refusal("spectators_watch")
        if role != "gm":
            _leaves_a_gm(found, seat)
        draft.message = {"type": "change_seat", "seat": seat}
        if (body.name or chair.name, role) != (chair.name, chair.role):
            draft.tell(SeatChanged(seat, body.name or chair.name, role))
        played = () if role == "spectator" else body.characters
        if played is not None:
            _recast(draft, seat, played)

    return desk.act(asked, decide)


def _recast(draft: Draft, seat: str, played: tuple[str, ...]) -> None:
    table = draft.standing.table
    for one in table.played_by(seat):
        if one not in played and seat != table.gm:
            draft.tell(CastChanged(one, table.gm))
    for one in dict.fromkeys(played):
        if table.cast.get(one) != seat:
            draft.tell(CastChanged(one, seat))


def remove(desk: Desk, asked: Asked, seat: str) -> Reply:
    """A seat leaves (GM, or whoever sits on it): its characters and open questions pass to the GM."""

    def decide(found: At, draft: Draft) -> None:
        if seat != found.seat.id:
            gm_only(found)
        chair_of(found, seat)
        _leaves_a_gm(found, seat)
        draft.message = {"type": "remove_seat", "seat": seat}
        draft.set(always=tuple(one for one in draft.standing.always if one.seat != seat))
        draft.tell(SeatLeft(seat))
        draft.appended |= {"credentials": _without(found.head, seat), "revoked": (seat,)}

    return desk.act(asked, decide)


def operator_invite(desk: Desk, game: str, role: Role) -> str:
    """An invite for the first seat of that role, or for a new one, for who runs the machine; all see it happen."""
    code = _code(None)
    new = "s_" + fresh(None, "seat")[:20]

    def decide(found: At, draft: Draft) -> None:
        seats = found.standing.table.seats.items()
        seat = next((id for id, chair in seats if chair.role == role), None)
        if seat is None:
            _add(found, draft, new, SeatBody(role, role), code)
        else:
            _open_again(found, draft, seat, code)

    desk.act(Asked(game, ""), decide, PUBLIC)
    return code


def _head(desk: Desk, game: str) -> Head:
    try:
        return desk.games.head(game)[0]
    except UnknownGame:
        raise unknown_game() from None


def chair_of(found: At, seat: str) -> Chair:
    chair: Chair | None = found.standing.table.seats.get(seat)
    if chair is None:
        raise refusal("unknown_seat", 404)
    return chair


def _leaves_a_gm(found: At, seat: str) -> None:
    """Raises `Problem` 422 if without this seat nobody who has a token would be GM."""
    table: Table = found.standing.table
    if table.seats[seat].role == "gm" and not any(
        chair.role == "gm" and chair.taken for id, chair in table.seats.items() if id != seat
    ):
        raise refusal("last_gm")


def _without(head: Head, seat: str) -> dict[str, str]:
    return {hash: one for hash, one in head.credentials.items() if one != seat}


def _own_key(asked: Asked) -> str | None:
    """Equal keys of different holders or games lead to different secrets."""
    return None if asked.key is None else f"{asked.game}|{asked.token}|{asked.key}"


def _code(key: str | None) -> str:
    return "i_" + fresh(key, "invite")


def _with(reply: Reply, **secrets: str) -> Reply:
    return Reply({**reply.answer, **secrets}, reply.replayed)


__all__ = [
    "SeatBody",
    "SeatChange",
    "add",
    "change",
    "listed",
    "operator_invite",
    "redeem",
    "reinvite",
    "remove",
    "renew",
]
