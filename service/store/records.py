"""What the store keeps of a game, and how it can fail."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

RowKind = Literal["created", "command", "answer", "silence", "veiled", "table", "undo", "cancel"]


class Head(Struct, frozen=True):
    """Where a game stands: read together with its credentials, the truth that caches are measured by.

    `credentials` maps the hash of a bearer token to the seat that holds it. `seq` is the number of the last row.
    `nonce` is another one with every row, even if a game is deleted and made again or the database restored.
    """

    game: str
    system: str
    seq: int
    credentials: dict[str, str]
    nonce: str = ""


class Row(Struct, frozen=True):
    """One accepted message with all that came of it. Bytes are JSON by the codec of the game's system.

    The kind `veiled` is an answer of a veiled window, whoever gave it.

    `base` identifies the state and the message that it was made on (see undo), `key` is the hash of an idempotency key
    with its holder, `mark` of the body that came with it, `answer` what its sender was told. `shown` says what each
    seat was shown of the events. `snapshot` is the standing after some rows, so that undo need not begin at the start.
    """

    seq: int
    at: int  # milliseconds since 1970
    seat: str
    kind: RowKind
    message: bytes
    events: bytes
    shown: bytes
    digest: str
    base: str
    rules_version: str
    key: str | None = None
    mark: str = ""
    answer: bytes = b""
    snapshot: bytes | None = None
    undone: bool = False


class Invite(Struct, frozen=True):
    """A code that gives a seat its token once; only its hash is kept."""

    code_hash: str
    game: str
    seat: str
    used: bool = False


class Epoch(Struct, frozen=True):
    """A stretch of play with one dice secret: its hash is public at once, the secret when it has ended."""

    game: str
    number: int
    secret: bytes
    commitment: str
    began: int
    ended: int | None = None


class Append(Struct, frozen=True):
    """Everything that one accepted message changes, in one transaction; it holds only if the game is still at `seq`.

    `credentials` replaces all of them. `due` is when the game next wants to be looked at (None: not at all).
    `invites` are new ones, `used` the hash of an invite that is redeemed by this (it must be unused). `revoked` names
    seats whose unused invites end. `undo_after`: rows with a greater seq (this one excepted) become `undone`.
    `ended` and `begun` belong to epochs.
    """

    game: str
    seq: int  # the one it was decided on; the row has seq + 1
    row: Row
    standing: bytes
    due: int | None
    credentials: dict[str, str] | None = None
    invites: tuple[Invite, ...] = ()
    used: str | None = None
    revoked: tuple[str, ...] = ()
    undo_after: int | None = None
    ended: Epoch | None = None
    begun: Epoch | None = None


class Clash(Exception):
    """The game is no longer at the seq that the message was decided on."""


class KeyTaken(Exception):
    """A row of this game has that idempotency key already."""


class InviteSpent(Exception):
    """The invite was redeemed in the meantime."""


class StoreAway(Exception):
    """The database is down, locked or full. Nothing was changed."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


class OutcomeUnknown(StoreAway):
    """The database went away during a commit and did not come back: it may have been carried out or not."""


class UnknownGame(Exception):
    """There is no such game."""
