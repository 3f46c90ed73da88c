"""Commands and answers of the rules, and the GM's acts on what waits (API section 2)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from difflib import get_close_matches
from typing import Any

from msgspec import Struct

from service.problems import FieldError, Problem, at, invalid, refusal
from service.usecases.catalogue import Answered
from service.usecases.games import feed
from service.usecases.games.allowed import gm_only, still_open
from service.usecases.games.desk import Asked, At, Desk, Reply
from service.usecases.games.draft import Draft, point_of
from service.usecases.games.pending import own_open
from service.usecases.games.standing import StandingAnswer, Until
from systems.core import live
from systems.core.errors import Diverged, Illegal
from systems.core.game import Message
from systems.core.system import System
from systems.core.table import Cancelled

GM_ACTS = ("gm_answer", "gm_skip", "gm_cancel")


class AnswerBody(Struct, frozen=True):
    """An answer to one open question."""

    question: str
    answer: Answered
    faces: tuple[int, ...] | None = None


def message_of(desk: Desk, system: System, action: str, params: Mapping[str, Any], where: str) -> Message:
    """The message of that name with these parameters. Raises `Problem` 422 with every misfit."""
    form = desk.catalogue.answer_form(system, action)
    if form is None:
        close = get_close_matches(action[:100], sorted(system.codec.messages), n=5, cutoff=0.5)
        more = {"code": "unknown_command", "close": close}
        raise Problem(422, "unknown_command", more=more, name=action[:100], close=close or "-")
    try:
        message: Message = form.read(params)
    except Problem as problem:
        raise invalid([FieldError((where, *one.path), one.misfit) for one in problem.errors]) from None
    return message


def command(desk: Desk, asked: Asked, name: str, params: dict[str, Any]) -> Reply:
    """Carry out a command, as far as it goes without an answer."""
    if name in GM_ACTS:
        return _gm_act(desk, asked, name, params)

    def decide(found: At, draft: Draft) -> None:
        playing(found)
        message = message_of(desk, found.system, name, params, "params")
        standing = draft.standing
        if standing.waiting is not None:
            raise message.refuse(standing.seen, found.seat, None) or Illegal("decision_pending", "")
        if message.answers_only:
            raise message.refuse(standing.game, found.seat, None) or Illegal("not_asked", "")
        carry_out(desk, asked, found, draft, message)

    return desk.act(asked, decide)


def carry_out(desk: Desk, asked: Asked, found: At, draft: Draft, message: Message) -> None:
    """A command of the rules, as far as it goes. Raises `Illegal`."""
    game = draft.standing.game
    source = desk.source(asked, found, draft, message)
    draft.kind = "command"
    draft.set(start=game, since=found.head.seq)
    progress = live.command(game, message, found.seat, source.dice, draft.now)
    draft.progressed(progress, live.planned(message, found.seat))
    _not_too_many(found, draft, game)
    desk.done(draft, source)


def _not_too_many(found: At, draft: Draft, before: Any) -> None:
    """What may be chosen grows with the square of the characters. Players count only theirs: others may be hidden."""
    known = found.system.characters(draft.standing.game)
    if len(known) == len(found.system.characters(before)):
        return
    most = MOST_CHARACTERS if found.seat.gm else MOST_OWN_CHARACTERS
    if len(known if found.seat.gm else found.seat.characters) >= most + found.seat.gm:
        raise refusal("too_many", limit=most)


def answer(desk: Desk, asked: Asked, question: str, action: str, params: dict[str, Any]) -> Reply:
    """Answer an own open question. One of somebody else and one that is closed are refused alike."""

    def decide(found: At, draft: Draft) -> None:
        playing(found)
        message = message_of(desk, found.system, action, params, "answer.params")
        place = draft.standing.question(question)
        if place is None or place not in own_open(draft.standing, found.seat.id):
            raise message.refuse(draft.standing.seen, found.seat, None) or Illegal("not_asked", "")
        _given(desk, asked, found, draft, place, message)

    return desk.act(asked, decide)


def _given(desk: Desk, asked: Asked, found: At, draft: Draft, place: int, message: Message) -> None:
    waiting = draft.standing.waiting
    assert waiting
    source = desk.source(asked, found, draft, message)
    draft.kind = "veiled" if waiting.window.veiled else "answer"
    with _by_the_same_rules():
        draft.progressed(live.answer(waiting, place, message, found.seat, source.dice, draft.now))
    desk.done(draft, source)


@contextmanager
def _by_the_same_rules() -> Iterator[None]:
    """Raises `Problem` 409 where the open step was begun by rules that have changed since."""
    try:
        yield
    except Diverged:
        raise refusal("diverged", 409) from None


def all_silent(desk: Desk, asked: Asked, found: At, draft: Draft) -> None:
    """The deadline: whatever is not answered gets what silence means. Raises `Diverged`."""
    source = desk.source(asked, found, draft, {"type": "decision_timeout"})
    waiting = draft.standing.waiting
    draft.kind = "veiled" if waiting and waiting.window.veiled else "silence"
    window = draft.standing.window
    assert draft.standing.waiting
    for place in range(len(draft.standing.waiting.window.questions)):
        waiting = draft.standing.waiting
        if waiting is not None and draft.standing.window == window and place not in waiting.window.given:
            draft.progressed(live.silence(waiting, place, source.dice, draft.now))
    desk.done(draft, source)


def _gm_act(desk: Desk, asked: Asked, name: str, params: dict[str, Any]) -> Reply:
    def decide(found: At, draft: Draft) -> None:
        gm_only(found)
        playing(found)
        if draft.standing.waiting is None:
            raise Illegal("no_decision", "")
        if name == "gm_cancel":
            _cancel(desk, found, draft, _text(params, "reason", needed=False))
            return
        question = _text(params, "question")
        place = draft.standing.question(question)
        if place is None:
            raise Illegal("not_asked", "")
        if name == "gm_skip":
            _skip(desk, asked, found, draft, place)
            return
        raw = params.get("answer")
        if not isinstance(raw, dict) or not isinstance(raw.get("action"), str):
            raise invalid([at(("params", "answer"), "object")])
        answer_params = raw.get("params", {})
        message = message_of(desk, found.system, raw["action"], answer_params, "params.answer.params")
        if place in draft.standing.waiting.window.given:
            _nothing(desk, asked, found, draft, message)
            return
        _given(desk, asked, found, draft, place, message)

    return desk.act(asked, decide)


def _skip(desk: Desk, asked: Asked, found: At, draft: Draft, place: int) -> None:
    waiting = draft.standing.waiting
    assert waiting
    if place in waiting.window.given:
        _nothing(desk, asked, found, draft, {"type": "gm_skip"})
        return
    source = desk.source(asked, found, draft, {"type": "gm_skip", "place": place})
    draft.kind = "veiled" if waiting.window.veiled else "silence"
    with _by_the_same_rules():
        draft.progressed(live.silence(waiting, place, source.dice, draft.now))
    desk.done(draft, source)


def _nothing(desk: Desk, asked: Asked, found: At, draft: Draft, message: Any) -> None:
    """The question was answered already: in a veiled window not even the GM may learn that."""
    waiting = draft.standing.waiting
    if waiting and not waiting.window.veiled:
        raise Illegal("already_answered", "")
    desk.source(asked, found, draft, message)
    draft.kind = "veiled"


def _cancel(desk: Desk, found: At, draft: Draft, reason: str) -> None:
    """The state before the command that waits; its dice stay in the log, and come again if it comes again."""
    standing = draft.standing
    draft.kind, draft.message = "cancel", {"type": "gm_cancel", "reason": reason}
    assert standing.start is not None
    draft.personal = feed.pointing_back(desk.games, found.game, standing.key, standing.since)
    draft.take_back(standing.start, standing.since)
    draft.tell(Cancelled(reason=reason))


def always(desk: Desk, asked: Asked, topic: str, action: str | None, params: dict[str, Any], until: Until) -> Reply:
    """Keep a standing answer of the seat, or (without an action) forget it. Nobody else learns of it."""

    def decide(found: At, draft: Draft) -> None:
        kept = tuple(one for one in draft.standing.always if (one.seat, one.topic) != (found.seat.id, topic))
        if action is not None:
            message = message_of(desk, found.system, action, params, "answer.params")
            point = point_of(found.system, draft.standing.seen, until)
            kept = (*kept, StandingAnswer(found.seat.id, topic, message, until, point))
        if sum(one.seat == found.seat.id for one in kept) > MOST_STANDING_ANSWERS:  # of others nothing is learnt
            raise refusal("too_many", limit=MOST_STANDING_ANSWERS)
        draft.message = {"type": "standing_answer"}
        draft.set(always=kept)

    return desk.act(asked, decide)


MOST_STANDING_ANSWERS = 50  # of each seat
MOST_CHARACTERS = 300  # of a game, where the GM makes them
MOST_OWN_CHARACTERS = 20  # of each player


def playing(found: At) -> None:
    """Raises `Problem` 422 for one who only watches, and once the game is closed."""
    still_open(found)
    if found.seat.role == "spectator":
        raise refusal("spectators_watch")


def _text(params: Mapping[str, Any], name: str, needed: bool = True) -> str:
    value = params.get(name, None if needed else "")
    if not isinstance(value, str) or len(value) > 200:
        raise invalid([at(("params", name), "missing" if value is None else "text")])
    return value


__all__ = ["AnswerBody", "all_silent", "always", "answer", "command", "message_of"]
