"""Where every message of a game arrives: who sends it, what the game is at, and how what it changes is written down."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from hashlib import sha256
from threading import Lock
from typing import Any

import msgspec
from msgspec import Struct

from service.problems import Problem, refusal
from service.store.games import Games
from service.store.records import Append, Clash, Head, InviteSpent, KeyTaken, Row, UnknownGame
from service.usecases.catalogue import Catalogue
from service.usecases.games import feed
from service.usecases.games.draft import AgainDice, Draft, Source, recognised_by, table_faces
from service.usecases.games.pending import pending_shown
from service.usecases.games.standing import PUBLIC, Standing, decoded, encoded
from service.usecases.games.times import Clock, now_ms
from service.usecases.games.views import etag, view_of
from service.usecases.refusals import refusing
from systems.core.convert import encoded as as_json
from systems.core.dice import ScriptedDice, SeededDice
from systems.core.errors import Diverged
from systems.core.game import DiceRolled, Event, change
from systems.core.seats import Seat
from systems.core.system import System

MOST_TRIES = 20  # of a message that others overtake
SNAPSHOT_EVERY = 32  # rows
MOST_KEPT = 256  # standings in the memory of a process
OPEN = "open:"  # begins the digest of a row after which a step waits

_ENCODER = msgspec.json.Encoder(enc_hook=as_json)


class Asked(Struct, frozen=True):
    """A message as it arrived. `key` is an idempotency key, `mark` recognises the body, `faces` are real dice."""

    game: str
    token: str
    language: str = "en"
    key: str | None = None
    mark: str = ""
    if_match: str | None = None
    faces: tuple[int, ...] | None = None


class At(Struct, frozen=True):
    """A game as its caller finds it."""

    head: Head
    standing: Standing[Any]
    seat: Seat
    system: System

    @property
    def game(self) -> str:
        return self.head.game


class Reply(Struct, frozen=True):
    """What the sender of a message is told."""

    answer: dict[str, Any]
    replayed: bool = False
    raw: bytes = b""  # the answer as it goes out, where that is known already


class Desk:
    """The games of this process. Every method raises `Problem`, and `StoreAway` while the database is away."""

    def __init__(self, games: Games, catalogue: Catalogue, clock: Clock = now_ms) -> None:
        self.games, self.catalogue, self.clock = games, catalogue, clock
        self._kept: OrderedDict[str, tuple[int, str, Standing[Any]]] = OrderedDict()
        self._secrets: dict[str, tuple[int, bytes]] = {}
        self._lock = Lock()

    def at(self, asked: Asked) -> At:
        """The game as this token's seat finds it, with everything done that is due. 404 for a token of another game."""
        found, _ = self._found(asked, None)
        return found

    def act(self, asked: Asked, decide: Callable[[At, Draft], None], seat: str | None = None) -> Reply:
        """Decide a message and write it down; decided again if another one came first, unless `if_match` is given.

        `seat` acts whatever the token is: what entitles the caller was looked at elsewhere.
        """
        for _ in range(MOST_TRIES):
            at, before = self._found(asked, _held(asked), seat)
            if before is not None:
                return _again(before, asked.mark)
            if asked.if_match is not None and asked.if_match != etag(view_of(at)):
                raise _stale()
            draft = Draft(at.system, at.standing, at.seat, self.clock())
            try:
                with refusing(at.system.labels(asked.language), asked.language):
                    decide(at, draft)
                return self.write(asked, at, draft)
            except Clash:
                if asked.if_match is not None:
                    raise _stale() from None
            except KeyTaken:
                continue
            except InviteSpent:
                raise refusal("invite_spent") from None
        raise Problem(503, "too_busy", headers={"Retry-After": "1"})

    def write(self, asked: Asked, at: At, draft: Draft) -> Reply:
        """One transaction. Raises `Clash`, `KeyTaken`, `InviteSpent`."""
        key = at.standing.key
        table = draft.standing.table
        seen = feed.shown(tuple(draft.events), table, at.standing.counts, at.system.codec, draft.personal)
        draft.set(counts=feed.counted(seen))
        if draft.standing.waiting is not None and draft.base:  # what happens at the table does not move the step
            draft.set(digest=_digest_of_open(draft))
        raw, standing = encoded(at.system, draft.standing)
        draft.standing = standing
        row = draft.row(at.head.seq + 1, at.system.codec.encode(seen), _held(asked), asked.mark)
        answer = self._answer(at, draft, row, seen.get(at.seat.id, seen[PUBLIC]), key)
        told = _ENCODER.encode(answer)
        row = change(
            row,
            answer=told if row.key else b"",  # only who sent a key can ask again
            digest=(OPEN if standing.waiting else "") + standing.digest,
            snapshot=raw if not standing.waiting and (draft.snapshot or row.seq % SNAPSHOT_EVERY == 0) else None,
        )
        nonce = self.games.append(
            Append(
                game=at.game, seq=at.head.seq, row=row, standing=raw, due=standing.due,
                undo_after=draft.undo_after, **draft.appended,
            )
        )  # fmt: skip
        self._keep(at.game, row.seq, nonce, standing)
        return Reply({**answer, **draft.secrets}, raw=b"" if draft.secrets else told)

    def _answer(self, at: At, draft: Draft, row: Row, seen: feed.Shown, key: str) -> dict[str, Any]:
        seat = draft.standing.table.seat(at.seat.id)
        return {
            "cursor": feed.cursor(key, at.seat.id, seen.n),
            "events": feed.told_of(seen, row, at.seat.id, key),
            "pending": pending_shown(draft.standing, seat),
            **draft.more,
        }

    def source(self, asked: Asked, at: At, draft: Draft, message: Any) -> Source:
        """The dice of a message; one that was undone and comes again on the same state gets its faces again."""
        standing = draft.standing
        draft.message = message
        draft.base = recognised_by(standing, at.seat, at.system.codec.encode(message))
        table_faces(asked.faces, standing.options.dice)
        if standing.options.dice == "table":
            return Source(ScriptedDice(asked.faces or ()))
        seeded = SeededDice(self._secret(at), at.game, standing.counter)
        before = self.games.undone_like(at.game, draft.base) if standing.undone else None
        if before is None or before.seq <= standing.epoch_since:  # the dice of an ended epoch are known
            return Source(seeded, seeded)
        events = at.system.codec.decode(before.events, list[Event])
        rolled = [one for one in events if isinstance(one, DiceRolled)]
        return Source(AgainDice(rolled, seeded), seeded)

    def _secret(self, at: At) -> bytes:
        """Of the running epoch: it never changes, so it is looked up once."""
        known = self._secrets.get(at.game)
        if known is None or known[0] != at.standing.epoch:
            epoch = self.games.secret(at.game)
            known = self._secrets[at.game] = (epoch.number, epoch.secret)
            while len(self._secrets) > MOST_KEPT:
                self._secrets.pop(next(iter(self._secrets)), None)
        if known[0] != at.standing.epoch:
            raise Clash
        return known[1]

    def done(self, draft: Draft, source: Source) -> None:
        """After the last throw of a message. Raises `FacesMismatch` if real dice are left over."""
        draft.settle(source.dice)
        source.close()
        if source.seeded:
            draft.set(counter=source.seeded.counter)

    def timeout(self, game: str) -> bool:
        """Answer with silence what is overdue. Whether there was anything."""
        for _ in range(MOST_TRIES):
            try:
                head, _ = self.games.head(game)
                standing = self._standing(head)
                system = self.catalogue.system(head.system)
                if standing.due is None or standing.due > self.clock() or standing.waiting is None:
                    self.games.settle_due(game, head.seq, standing.due)
                    return False
                self._silence(At(head, standing, Seat(PUBLIC, "spectator"), system))
                return True
            except Clash:
                continue
            except UnknownGame:
                return False
        return False

    def _silence(self, at: At) -> None:
        from service.usecases.games.answering import all_silent  # noqa: PLC0415 - it needs the desk

        asked = Asked(at.game, "")
        draft = Draft(at.system, at.standing, at.seat, self.clock())
        try:
            all_silent(self, asked, at, draft)
        except Diverged:  # rules of another version: the GM cancels
            self.games.settle_due(at.game, at.head.seq, None)
            return
        self.write(asked, at, draft)

    def _found(self, asked: Asked, key: str | None, known: str | None = None) -> tuple[At, Row | None]:
        for _ in range(MOST_TRIES):
            try:
                head, row = self.games.head(asked.game, key)
                seat = _seat(head, asked.token) if known is None else known
                standing = self._standing(head)
            except UnknownGame:
                raise unknown_game() from None
            except Clash:
                continue
            if row is None and standing.due is not None and standing.due <= self.clock() and self.timeout(asked.game):
                continue
            return At(head, standing, standing.table.seat(seat), self.catalogue.system(head.system)), row
        raise Problem(503, "too_busy", headers={"Retry-After": "1"})

    def _standing(self, head: Head) -> Standing[Any]:
        with self._lock:
            kept = self._kept.get(head.game)
        if kept is not None and kept[:2] == (head.seq, head.nonce):
            return kept[2]
        standing = decoded(self.catalogue.system(head.system), self.games.standing(head))
        self._keep(head.game, head.seq, head.nonce, standing)
        return standing

    def _keep(self, game: str, seq: int, nonce: str, standing: Standing[Any]) -> None:
        with self._lock:
            self._kept[game] = (seq, nonce, standing)
            self._kept.move_to_end(game)
            while len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)


def token_hash(token: str) -> str:
    return sha256(token.encode()).hexdigest()


def unknown_game() -> Problem:
    return refusal("unknown_game", 404)


def _seat(head: Head, token: str) -> str:
    if not token:
        raise Problem(401, "no_token", headers={"WWW-Authenticate": "Bearer"})
    seat = head.credentials.get(token_hash(token))
    if seat is None:
        raise unknown_game()
    return seat


def _held(asked: Asked) -> str | None:
    """An idempotency key belongs to its holder: nobody else finds the answer by it."""
    return None if asked.key is None else sha256(f"{asked.token}|{asked.key}".encode()).hexdigest()


def _again(row: Row, mark: str) -> Reply:
    if row.mark != mark:
        raise refusal("key_reused")
    return Reply(msgspec.json.decode(row.answer), replayed=True)


def _digest_of_open(draft: Draft) -> str:
    """What a step that waits is recognised by: how it came here, but not when."""
    faces = [one.faces for one in draft.events if isinstance(one, DiceRolled)]
    return sha256(f"{draft.base}|{faces}".encode()).hexdigest()[:32]


def _stale() -> Problem:
    return refusal("stale", 412)
