"""What a game is made of: messages come in, steps carry them out, events are what happened.

Each is a small frozen Struct with a stable tag; states, messages, events and steps are compared, hashed and stored as
values. A class is the only place of its rule: legality in `refuse`, consequences in `carry_out` and `run`, the change
of the state in `applied`, secrecy in `seen_by`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from systems.core.dice import Faces, Pool, Source
from systems.core.errors import Illegal
from systems.core.seats import Seat

if TYPE_CHECKING:
    from systems.core.ask import Offer, Question
    from systems.core.play import Play

G = TypeVar("G", bound="Game")
S = TypeVar("S", bound=Struct)


class _Tagged:
    """A class with a stable id: the tag of its Struct."""

    @classmethod
    def stable_id(cls) -> str:
        tag = cls.__struct_config__.tag  # type: ignore[attr-defined]
        if not isinstance(tag, str):
            raise TypeError(f"{cls.__name__} needs a tag")
        return tag


class _Id:
    def __get__(self, _: object, owner: type[_Tagged]) -> str:
        return owner.stable_id()


class Message(_Tagged):
    """A command or an answer, named as in the digest."""

    id: ClassVar[Any] = _Id()
    answers_only: ClassVar[bool] = False
    """Whether it is sent only where a question offers it, never as a command."""

    @classmethod
    def offers(cls, game: Any, seat: Seat) -> Iterable[Offer]:
        """Where this may be sent now without being asked, with the domain of each parameter. An answer: nowhere."""
        return ()

    def refuse(self, game: Any, seat: Seat, question: Question | None) -> Illegal | None:
        """Why this is not legal now, or None. `question` is the open question that it answers, if any."""
        return None

    def carry_out(self, play: Play[Any], seat: Seat) -> None:
        """The rule of a command. Answers are read by the rule that asked."""


class Event(_Tagged):
    """What happened. `applied` never throws dice and never refuses; `seen_by` is a decision for every class."""

    id: ClassVar[Any] = _Id()

    def __init_subclass__(cls, undecided: bool = False, **kwargs: Any) -> None:
        super().__init_subclass__()
        if not undecided and cls.seen_by is Event.seen_by:
            raise TypeError(f"{cls.__name__} must say who may see it")

    def applied(self, game: Any) -> Any:
        """The state after this event."""
        raise NotImplementedError

    def seen_by(self, viewer: Seat) -> Event | None:
        """This event as the viewer may know it: itself, a masked one, or nothing."""
        raise NotImplementedError


class Public(Event):
    """An event that all may see."""

    def seen_by(self, viewer: Seat) -> Event | None:
        return self


class Record(Event, undecided=True):
    """What is only told and changes no state, such as the dice of a throw: odds and simulation do without it."""

    def applied(self, game: Any) -> Any:
        return game


class Step(_Tagged):
    """A piece of a rule that is still to be done; it stands as data in the agenda of the state."""

    def run(self, play: Play[Any]) -> None:
        raise NotImplementedError


class Game(Struct, frozen=True, cache_hash=True):
    """The state of one game; subclasses add what it knows. While the agenda is not empty a command is under way."""

    agenda: tuple[Step, ...] = ()

    def violated(self) -> Illegal | None:
        """The invariant that does not hold in this state, if any: an override may not lead there."""
        return None


class CarryOut(Step, Struct, frozen=True, cache_hash=True, tag="carry_out"):
    """The first step of every command."""

    message: Message
    seat: Seat

    def run(self, play: Play[Any]) -> None:
        self.message.carry_out(play, self.seat)


class DiceRolled(Record, Struct, frozen=True, cache_hash=True, tag="DiceRolled"):
    """One throw, faces in the order in which they fell. `audience`: "all", "gm", or the character whose player sees it.

    No viewer gets the proof before the dice secret is open: it holds the counter, which would count hidden throws.
    """

    label: str
    pool: Pool
    faces: Faces
    source: Source
    audience: str
    proof: str = ""

    def seen_by(self, viewer: Seat) -> Event | None:
        open_to_all = self.audience == "all"
        may = open_to_all or viewer.gm or (self.audience != "gm" and viewer.plays(self.audience))
        return change(self, proof="") if may else None


class StepBegun(Event, Struct, frozen=True, cache_hash=True, tag="step_begun"):
    """The first entry of the agenda is being done (kept so that events alone give the state)."""

    def applied(self, game: G) -> G:
        return _with_agenda(game, game.agenda[1:])

    def seen_by(self, viewer: Seat) -> Event | None:
        return None


class StepsPlanned(Event, Struct, frozen=True, cache_hash=True, tag="steps_planned"):
    """Steps put into the agenda, before the entry at `at` (counted from the front)."""

    steps: tuple[Step, ...]
    at: int = 0

    def applied(self, game: G) -> G:
        agenda = game.agenda
        return _with_agenda(game, agenda[: self.at] + self.steps + agenda[self.at :])

    def seen_by(self, viewer: Seat) -> Event | None:
        return None


class StepsDropped(Event, Struct, frozen=True, cache_hash=True, tag="steps_dropped"):
    """The agenda keeps only these steps: what was planned has become impossible."""

    kept: tuple[Step, ...] = ()

    def applied(self, game: G) -> G:
        return _with_agenda(game, self.kept)

    def seen_by(self, viewer: Seat) -> Event | None:
        return None


def _with_agenda(game: G, agenda: tuple[Step, ...]) -> G:
    return change(game, agenda=agenda)


def change(struct: S, **fields: Any) -> S:
    """A copy of a frozen Struct with some fields changed."""
    return replace(struct, **fields)
