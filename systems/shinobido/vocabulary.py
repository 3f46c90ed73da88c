"""The words that parameters and sheets are made of, with their types and bounds."""

from __future__ import annotations

from typing import Annotated, Literal, get_args

from msgspec import Meta

from systems.core.errors import Illegal

Attribute = Literal["intellect", "wits", "strength", "agility", "tenacity", "charisma"]  # SD-A01
Domain = Literal["mental", "physical", "spiritual"]  # SD-F03; social arts are spiritual (SD-V02, SD-J14)
Status = Literal["standing", "going_down", "down", "dying", "dead", "fled", "captured"]
Kind = Literal["pc", "npc", "grunt"]
Tier = Literal["student", "shinobi", "veteran", "master"]  # SD-A04
RedDie = Literal["red1", "red2"]
Die = Literal["green1", "green2", "red1", "red2"]
SurgeAnswer = Literal["use", "decline"]

ATTRIBUTES: tuple[Attribute, ...] = get_args(Attribute)
DOMAINS: tuple[Domain, ...] = get_args(Domain)
RESISTING: tuple[Attribute, ...] = ("intellect", "strength", "tenacity")  # SD-F13
ALIASES: dict[str, Attribute] = {"wit": "wits", "charm": "charisma"}  # SD-V01, SD-J13
LEAST_RATING, MOST_RATING = -3, 5  # SD-A02

_FAR = 1_000_000

Whole = Annotated[int, Meta(ge=-_FAR, le=_FAR)]
Count = Annotated[int, Meta(ge=0, le=_FAR)]
Name = Annotated[str, Meta(max_length=200)]
Rating = Annotated[int, Meta(ge=LEAST_RATING, le=MOST_RATING)]
Tags = Annotated[tuple[Name, ...], Meta(max_length=50)]


def _legal(low: int, high: int) -> Meta:
    """Any whole number is read; what lies outside is refused by the rule's own error."""
    return Meta(ge=-_FAR, le=_FAR, description=f"legal: {low} to {high}")


AttributeName = Annotated[str, Meta(max_length=200, description=f"one of {', '.join(ATTRIBUTES)}")]
DomainName = Annotated[str, Meta(max_length=200, description=f"one of {', '.join(DOMAINS)}")]
ResistName = Annotated[str, Meta(max_length=200, description=f"one of {', '.join(RESISTING)}")]
PenaltySum = Annotated[int, _legal(-3, 15)]
Grade = Annotated[int, _legal(0, 3)]
Concentration = Annotated[int, _legal(0, 2)]
Helpers = Annotated[int, Meta(ge=0, le=_FAR, description="legal: 0 to 3")]
WeaponModifier = Annotated[int, _legal(-2, 3)]
ArtDamage = Annotated[int, _legal(1, 5)]
Rank = Annotated[int, _legal(1, 3)]


def attribute_named(name: str) -> Attribute:
    """The attribute that a name or its alias means (SD-V01). Raises `Illegal` unknown_attribute."""
    for attribute in ATTRIBUTES:
        if ALIASES.get(name, name) == attribute:
            return attribute
    raise Illegal("unknown_attribute", "SD-A01", attribute=name)
