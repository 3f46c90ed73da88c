"""What is the Narrator's alone: reveal, secret checks, switches, the override (sections 5, 12 and 20)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec
from msgspec import Struct

from systems.core.ask import Offer, OneOf, offer
from systems.core.errors import Illegal
from systems.core.override import Path, overridden, with_value
from systems.core.play import GM_ONLY, Play
from systems.core.seats import Seat
from systems.shinobido.edges import EDGES
from systems.shinobido.happenings import NarratorOverride, OptionChanged, Revealed, SecretChecked
from systems.shinobido.parts import Act, Occasion, Penalty, PenaltyPart, circumstances, limits, own, wounded
from systems.shinobido.recovery import recomputed
from systems.shinobido.rolling import record
from systems.shinobido.rolls import Roll
from systems.shinobido.scene_call import acting
from systems.shinobido.standing import Command, narrating, there, undecided, unfit
from systems.shinobido.state import Scene, Secret, Shown
from systems.shinobido.switches import Switches
from systems.shinobido.vocabulary import ATTRIBUTES, Name, Tags, attribute_named

REVEALABLE = (
    "attributes", "health", "wounds", "focus", "focus_max", "defense", "toughness", "edges", "specialties", "arts",
    *ATTRIBUTES,
)  # fmt: skip
SETTABLE = ("cast", "fight", "hidden", "story")  # the rest is the engine's own
RATINGS = ("cast", "attributes", "edges", "health_override")


class Reveal(Command, Struct, frozen=True, cache_hash=True, tag="reveal"):
    """Hidden values, a secret check or the reason of a penalty, to some seats or to all (SD-P05, SD-P13)."""

    character: str = ""
    fields: tuple[Name, ...] = ()
    check: str = ""
    penalty: str = ""
    to: tuple[str, ...] = ()

    @classmethod
    def offers(cls, game: Scene, seat: Seat) -> Iterable[Offer]:
        if seat.gm and game.hidden:
            yield offer(cls, character=OneOf(game.hidden), fields=OneOf(tuple((one,) for one in REVEALABLE)))

    def judge(self, game: Scene, seat: Seat) -> None:
        narrating(seat)
        if self.character:
            there(game, self.character, "SD-P13")
            if not self.fields or any(one not in REVEALABLE for one in self.fields):
                raise unfit("fields", "nothing that could be revealed")
        elif self.check:
            if self._secret(game) is None:
                raise unfit("fields", "nothing that could be revealed")
        elif not self.penalty or game.open_action is None:
            raise unfit("fields", "nothing that could be revealed")

    def _secret(self, game: Scene) -> Secret | None:
        return next((one for one in game.story.secrets if one.id == self.check), None)

    def carry_out(self, play: Play[Scene], seat: Seat) -> None:
        if secret := self._secret(play.game):
            play.emit(Revealed(Shown(f"check:{secret.id}", (), self.to), secret.total))
        elif self.character:
            play.emit(Revealed(Shown(self.character, self.fields, self.to)))
        else:
            play.emit(Revealed(Shown("penalty", (), self.to)))


class SecretCheck(Command, Struct, frozen=True, cache_hash=True, tag="secret_check"):
    """Dice that nobody but the Narrator knows of; no reroll is offered, since the pause would tell (SD-P09)."""

    actor: str
    attribute: str
    penalty: Penalty = 0
    tags: Tags = ()

    @classmethod
    def offers(cls, game: Scene, seat: Seat) -> Iterable[Offer]:
        up = tuple(who for who, one in game.cast.items() if one.status == "standing")
        if seat.gm and up:
            yield offer(cls, actor=OneOf(up), attribute=OneOf(ATTRIBUTES))

    def judge(self, game: Scene, seat: Seat) -> None:
        narrating(seat)
        acting(there(game, self.actor, "SD-P09"))
        limits(self._act, game.switches)
        attribute_named(self.attribute)

    @property
    def _act(self) -> Act:
        parts = (PenaltyPart(value=self.penalty),) if isinstance(self.penalty, int) else self.penalty
        return Act(penalty=parts, tags=self.tags)

    def carry_out(self, play: Play[Scene], seat: Seat) -> None:
        scene, attribute = play.game, attribute_named(self.attribute)
        sheet = scene.cast[self.actor]
        parts = (
            *own(sheet, Occasion("check", attribute, self.tags), scene.switches),
            *circumstances(sheet, self._act),
            *wounded(sheet, scene.switches),
        )
        one = Roll("check", parts, "total")
        total = play.check(one, "secret check", GM_ONLY)
        record(play, self.actor, one, play.last, secret=True)
        id = str(len(scene.story.secrets) + 1)
        play.emit(SecretChecked(Secret(id, self.actor, attribute, total)))


class SetOption(Command, Struct, frozen=True, cache_hash=True, tag="set_option"):
    """A switch of the table, from the next declared action on (SD-X17)."""

    option: str
    value: int | str | bool | None

    def judge(self, game: Scene, seat: Seat) -> None:
        narrating(seat)
        undecided(game)
        if self.option not in Switches.__struct_fields__:
            raise unfit("option", "no such switch")
        after = overridden(game, f"switches.{self.option}", self.value)
        if isinstance(after, Illegal):
            raise after

    def carry_out(self, play: Play[Scene], seat: Seat) -> None:
        play.emit(OptionChanged(self.option, self.value))


class GmSet(Command, Struct, frozen=True, tag="gm_set"):
    """Any value of the state, with a reason (SD-N06, SD-D06, SD-W13)."""

    path: Path
    value: Any
    reason: str
    secret: bool = False

    def judge(self, game: Scene, seat: Seat) -> None:
        narrating(seat)
        after = overridden(game, self.path, self.value, SETTABLE)
        if isinstance(after, Illegal) and not (after.code == "invariant_violated" and self._follows(game)):
            raise after

    def _follows(self, game: Scene) -> bool:
        """Whether lowered ratings only cut what hangs on them (SD-D06)."""
        named = self.path.split(".")
        if named[0] != "cast" or not any(one in RATINGS[1:] for one in named):
            return False
        changed: Scene = with_value(game, self.path, self.value)
        if any(id not in EDGES for sheet in changed.cast.values() for id in sheet.edges):
            return False
        return recomputed(changed).violated() is None

    def carry_out(self, play: Play[Scene], seat: Seat) -> None:
        raw = msgspec.json.encode(self.value).decode()
        play.emit(NarratorOverride(self.path, raw, self.reason, self.secret))
