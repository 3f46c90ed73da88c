"""Where a game stands: the table, the game, and the step that waits for answers if there is one."""

from __future__ import annotations

from hashlib import sha256
from typing import Annotated, Any, Generic, Literal, TypeVar

import msgspec
from msgspec import Meta, Struct

from systems.core.game import Game, Message, change
from systems.core.live import Waiting
from systems.core.system import System
from systems.core.table import Table
from systems.core.values import Map

G = TypeVar("G", bound=Game)

PUBLIC = "*"  # stands for whoever has no seat of their own yet in the records of what was shown

Until = Literal["scene_end", "round_end", "revoked"]


class TableOptions(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What holds in every system: whose dice are thrown, and how long questions stay open (0: for ever)."""

    dice: Literal["server", "table"] = "server"
    window_seconds: Annotated[int, Meta(ge=0, le=2_592_000)] = 0


class StandingAnswer(Struct, frozen=True):
    """What a seat always answers to a topic; private. `point` is where in the game's time it was given."""

    seat: str
    topic: str
    answer: Message
    until: Until
    point: tuple[int, ...] = ()


class Standing(Struct, Generic[G], frozen=True):
    """Everything that a game is, but its log and its secrets.

    `start` is the state before the command that waits and `since` the row before it. `window` names the open window,
    `due` is when it closes by itself (ms). `counts` says how many events each seat has been shown so far. `epoch`,
    which began after the row `epoch_since`, and `counter` belong to the dice, which never go back. `digest` identifies
    what the next message is decided on.
    """

    key: str
    commitment: str
    table: Table
    game: G
    options: TableOptions = TableOptions()
    waiting: Waiting[G] | None = None
    start: G | None = None
    since: int = 0
    window: str = ""
    due: int | None = None
    always: tuple[StandingAnswer, ...] = ()
    counts: Map[str, int] = Map()
    epoch: int = 1
    epoch_since: int = -1
    counter: int = 0
    digest: str = ""
    undone: bool = False

    @property
    def seen(self) -> G:
        """The state that views show."""
        return self.waiting.seen if self.waiting else self.game

    def shown_to(self, seat: str) -> int:
        """How many events the seat has been shown; a new one as many as everybody."""
        count: int = self.counts.get(seat, self.counts.get(PUBLIC, 0))
        return count

    def question(self, id: str) -> int | None:
        """The place of the open question of that id."""
        count = len(self.waiting.window.questions) if self.waiting else 0
        return next((at for at in range(count) if self.question_id(at) == id), None)

    def question_id(self, at: int) -> str:
        return "q_" + sha256(f"{self.key}:{self.window}:{at}".encode()).hexdigest()[:20]


def encoded(system: System, standing: Standing[Any]) -> tuple[bytes, Standing[Any]]:
    """A standing as it is stored, with its digest worked out."""
    game = system.codec.encode(standing.game)
    if standing.waiting is None:
        standing = change(standing, digest=sha256(game).hexdigest()[:32])
    return system.codec.encode(change(standing, game=msgspec.Raw(game))), standing


def decoded(system: System, raw: bytes) -> Standing[Any]:
    assert system.state
    return system.codec.decode(raw, Standing[system.state])  # type: ignore[name-defined]
