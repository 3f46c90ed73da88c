"""What a seat sees of a fight, built up field by field (23.2)."""

from __future__ import annotations

from msgspec import Struct, UnsetType

from systems.core.seats import Seat
from systems.core.values import Map
from systems.ninja_slayer.fight import Bundle, Fight, Hit
from systems.ninja_slayer.sheet import Character, Marks
from systems.ninja_slayer.words import Atmosphere, Category, Condition


class FighterSeen(Struct, frozen=True, cache_hash=True):
    """Everybody sees who still stands and which parts are marked; `record` is for the owner, the NM and, of players'
    characters, for all."""

    category: Category
    state: Condition
    part_damage: Marks | UnsetType
    record: Character | None


class FightSeen(Struct, frozen=True, cache_hash=True):
    fighters: Map[str, FighterSeen]
    atmosphere: Atmosphere
    facing: Hit | Bundle | None


def seen(game: Fight, seat: Seat) -> FightSeen:
    """Pending hits are open to all, with successes and criticals (NS-E08, NS-Q03)."""
    fighters = {id: _fighter(game, seat, id, one) for id, one in game.fighters.items()}
    return FightSeen(Map(fighters), game.atmosphere, game.facing)


def _fighter(game: Fight, seat: Seat, id: str, one: Character) -> FighterSeen:
    open_to_seat = id in game.shown or seat.speaks_for(id)
    return FighterSeen(one.kind, one.condition, one.part_damage, one.record() if open_to_seat else None)
