"""Seats as viewers and as actors; who sits where is in `table`."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

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
