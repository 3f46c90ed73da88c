"""The types of the digest's parameters: ranges are input limits of the service (section 23), words are its ids."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Literal

from msgspec import Meta

Number = Annotated[int, Meta(ge=-1_000_000, le=1_000_000)]
Count = Annotated[int, Meta(ge=0, le=1_000_000)]
Dice = Annotated[int, Meta(ge=0, le=100)]
PoolSize = Annotated[int, Meta(ge=-100, le=100)]
Ability = Annotated[int, Meta(ge=0, le=100)]
Damage = Annotated[int, Meta(ge=0, le=100)]
Step = Annotated[int, Meta(ge=-20, le=20)]
Steps = Annotated[tuple[Step, ...], Meta(max_length=20)]
Id = Annotated[str, Meta(min_length=1, max_length=80)]
Ids = Annotated[tuple[Id, ...], Meta(max_length=100)]
Difficulty = Annotated[str, Meta(max_length=20, examples=["KIDS", "EASY", "NORMAL", "HARD", "UH", "UH2"])]
PatternText = Annotated[str, Meta(max_length=200, examples=["6,6", "6,5+", "4"])]
Patterns = Annotated[tuple[PatternText, ...], Meta(max_length=20)]

Category = Literal["ninja", "boss", "mob"]
Condition = Literal["ok", "unconscious", "exploded", "dead", "out"]
Part = Literal["head", "torso", "arms", "legs"]
DamageType = Literal["melee", "shuriken", "jutsu", "firearm", "environment"]
Atmosphere = Literal["normal", "hard", "ultra_hard"]
StyleId = Literal["cartwheel", "strong", "precise"]
AttackKind = Literal["melee", "ranged"]


def unlike(ids: Iterable[str], what: str) -> None:
    """Raises `ValueError` if an id stands twice."""
    known = list(ids)
    if len(set(known)) != len(known):
        raise ValueError(f"{what}: an id stands twice")
