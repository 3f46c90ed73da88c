"""The words and small values that every chapter uses: ids, ranges and the base of parameters."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

Band = Literal["fail", "partial", "full", "crit"]
Position = Literal["controlled", "risky", "desperate", "terrible"]
Severity = Literal["minor", "standard", "severe"]
Kind = Literal["reduced_effect", "worse_position", "lost_opportunity", "complication", "harm"]
Letter = Literal["A", "B", "C"]
Rate = Literal["combat", "downtime"]
Difficulty = Literal["average", "harder", "very_difficult"]
MissionDifficulty = Literal["simple", "moderate", "advanced", "dangerous", "deadly"]
ItemState = Literal["sound", "damaged", "broken"]
LoadLevel = Literal["light", "normal", "heavy", "overloaded"]
ArmorClass = Literal["light", "medium", "heavy"]
Nation = Literal[
    "light", "gravity", "lightning", "dragon", "water", "earth", "grass", "wind", "fire", "cosmic",
    "beast", "bone", "metal", "ice", "shadow", "spirit", "demon", "sand", "sound", "poison",
]  # fmt: skip

BANDS = "fail partial full crit"
POSITIONS: tuple[Position, ...] = ("controlled", "risky", "desperate", "terrible")  # SO-P01: from best to worst
DEFENSIVE_SKILLS = ("analyze", "evade", "resist", "endure", "block")  # SO-A02
LEVELS = (1, 2, 3)  # of harm
SIZE: dict[Severity, int] = {"minor": 1, "standard": 2, "severe": 3}  # SO-P13: ticks, or level of harm

MAX_CHAKRA = 10  # SO-A05
MAX_HONOR = 10  # SO-A06
MANY = 1_000_000  # a bound of the service, not of the game

Text = Annotated[str, Meta(max_length=200)]
Id = Annotated[str, Meta(min_length=1, max_length=200)]
Whole = Annotated[int, Meta(ge=0, le=MANY)]
Wide = Annotated[int, Meta(ge=-MANY, le=MANY)]
Points = Annotated[int, Meta(ge=0, le=99)]
Chakra = Annotated[int, Meta(ge=0, le=MAX_CHAKRA)]
Honor = Annotated[int, Meta(ge=-MAX_HONOR, le=MAX_HONOR)]
HonorClock = Annotated[int, Meta(ge=-3, le=3)]
Level = Annotated[int, Meta(ge=1, le=3)]
Size = Annotated[int, Meta(ge=1, le=3)]
Ticks = Annotated[int, Meta(ge=0, le=4)]
HealingTicks = Annotated[int, Meta(ge=0, le=7)]
Surcharge = Annotated[int, Meta(ge=0, le=2)]


class Params(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a name is asked with: unknown fields are refused, everything in it is hashable."""


class Part(Struct, frozen=True, cache_hash=True, forbid_unknown_fields=True):
    """A part of parameters and states, such as a suit of armor."""
