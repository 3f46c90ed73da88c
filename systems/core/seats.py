"""Who sits at the table: seats, roles and who plays whom. A table changes at any time and is never rolled back."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from systems.core.values import Map

Role = Literal["gm", "player", "spectator"]


class Seat(Struct, frozen=True, cache_hash=True):
    """One seat as a viewer and as an actor: its role and the characters it plays."""

    id: str
    role: Role = "player"
    characters: tuple[str, ...] = ()

    @property
    def gm(self) -> bool:
        return self.role == "gm"

    def plays(self, character: str) -> bool:
        return character in self.characters

    def speaks_for(self, character: str) -> bool:
        """May decide for this character: its own player, or the GM in the player's place."""
        return self.gm or self.plays(character)


GM = Seat("gm", "gm")


class Table(Struct, frozen=True, cache_hash=True):
    """The cast of a game. Characters that nobody plays belong to the GM."""

    seats: Map[str, Role] = Map()
    cast: Map[str, str] = Map()  # character -> seat

    @property
    def gm(self) -> str:
        return next((seat for seat, role in self.seats.items() if role == "gm"), GM.id)

    def player_of(self, character: str) -> str:
        """The seat that answers for a character; the GM where nobody plays it or its seat is gone."""
        seat = self.cast.get(character)
        return seat if seat in self.seats else self.gm

    def seat(self, seat: str) -> Seat:
        role = self.seats.get(seat, "spectator")
        return Seat(seat, role, tuple(one for one in self.cast if self.player_of(one) == seat))

    def without(self, seat: str) -> Table:
        """The seat leaves; its characters and open questions pass to the GM."""
        return Table(self.seats.without(seat), self.cast)
