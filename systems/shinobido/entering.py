"""How characters come into a game: made by their players, or by the Narrator (SD-A12, SD-A13, SD-A15, SD-N08)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec
from msgspec import Struct

from systems.core.ask import Offer, OneOf, offer
from systems.core.convert import to_struct
from systems.core.errors import Illegal
from systems.core.game import change
from systems.core.play import Play
from systems.core.seats import Seat
from systems.core.values import Map
from systems.shinobido.creation import NewCharacter, creation_faults, made
from systems.shinobido.happenings import CharacterCreated
from systems.shinobido.names import calls
from systems.shinobido.sheet import Art, Sheet, settled
from systems.shinobido.standing import Command, undecided, unfit, waits
from systems.shinobido.state import Scene
from systems.shinobido.vocabulary import DOMAINS, Name


def _template(row: Any) -> NewCharacter:
    facts = row.facts
    arts = tuple(Art(name=one, domain=one) for one in facts.get("art_domains", ()) if one in DOMAINS)
    return NewCharacter(
        id=row.id, name=row.id, kind=facts["kind"], attributes=Map(facts["attributes"]),
        edges=tuple(facts.get("edges", ())), arts=arts,
    )  # fmt: skip


TEMPLATES: dict[str, NewCharacter] = {row.id: _template(row) for row in calls.tables["npc_templates"].rows}  # SD-N08
SAMPLES: dict[str, NewCharacter] = {row.id: _template(row) for row in calls.tables["sample_characters"].rows}


class CreateCharacter(Command, Struct, frozen=True, cache_hash=True, tag="create_character"):
    """A sheet, or the id of a template or sample; valid ones are stored, all mistakes are named at once (SD-A13)."""

    sheet: NewCharacter | None = None
    template: Name = ""
    called: Name = ""

    @classmethod
    def offers(cls, game: Scene, seat: Seat) -> Iterable[Offer]:
        if waits(game):
            return
        if seat.gm:
            yield offer(cls, template=OneOf((*TEMPLATES, *SAMPLES)))
        elif seat.role == "player" and game.story.phase == "between":
            yield offer(cls, template=OneOf(tuple(SAMPLES)))

    def judge(self, game: Scene, seat: Seat) -> None:
        if seat.role == "spectator":
            raise Illegal("not_owner", "SD-P01")
        sheet = self.drafted(game)
        if not seat.gm and (sheet.kind != "pc" or self.template in TEMPLATES):
            raise Illegal("not_narrator", "SD-P02")
        undecided(game)
        if not seat.gm and game.story.phase != "between":
            raise Illegal("not_between_missions", "SD-A12")
        faults = dict(creation_faults(sheet))
        if faults:
            first = min(faults)
            raise Illegal(first, faults[first], errors=sorted(faults))

    def drafted(self, game: Scene) -> NewCharacter:
        """The sheet as sent, judged by the switches of this game. Raises `Illegal`."""
        known = TEMPLATES.get(self.template) or SAMPLES.get(self.template)
        sheet = self.sheet or known
        if sheet is None:
            raise unfit("template", "neither a sheet nor a template")
        return change(sheet, options=game.switches)

    def stored(self, game: Scene) -> Sheet:
        """Settled, under an id that nobody has yet."""
        sheet = settled(made(self.drafted(game)))
        wanted = self.called or sheet.id or sheet.name or sheet.kind
        return change(sheet, id=unused(wanted, game), name=sheet.name or wanted)

    def carry_out(self, play: Play[Scene], seat: Seat) -> None:
        sheet = self.stored(play.game)
        play.emit(CharacterCreated(sheet, sheet.kind != "pc"))


def unused(wanted: str, game: Scene) -> str:
    """Paths of overrides run through ids, so they have no dots."""
    plain = wanted.replace(".", "-")
    if plain not in game.cast and plain != "gm":
        return plain
    return next(id for n in range(2, len(game.cast) + 3) if (id := f"{plain}-{n}") not in game.cast)


def arriving(sheet: Any) -> CreateCharacter:
    """The command with which a character comes in. Raises `msgspec.ValidationError`."""
    if not isinstance(sheet, dict):
        raise msgspec.ValidationError("Expected an object")
    known = {name: value for name, value in sheet.items() if name in NewCharacter.__struct_fields__}
    return CreateCharacter(sheet=to_struct(known, NewCharacter))
