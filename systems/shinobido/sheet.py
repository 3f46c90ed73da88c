"""Characters: the sheet, what is wrong with one, and what follows from its ratings (section 2)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from systems.core.errors import Illegal
from systems.core.values import Map
from systems.shinobido import edges
from systems.shinobido.names import calls
from systems.shinobido.vocabulary import (
    ALIASES,
    ATTRIBUTES,
    DOMAINS,
    LEAST_RATING,
    MOST_RATING,
    RESISTING,
    Attribute,
    AttributeName,
    Count,
    DomainName,
    Kind,
    Name,
    Rank,
    ResistName,
    Status,
    Tags,
    Tier,
    Whole,
)

Fault = tuple[str, str]
"""Error id and rule."""

RESIST_OF: dict[str, str] = {row.id: row.facts["resist"] for row in calls.tables["focus_domains"].rows}  # SD-F03
STRIKING: tuple[Attribute, ...] = ("wits", "agility", "charisma")  # SD-D05
BASE = 3  # of Health and of the Focus maximum (SD-D02, SD-D05; SD-J05, SD-J22)


class Specialty(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, cache_hash=True):
    """Narrow training: helps rolls of its attribute that share a tag (SD-S01, SD-J23)."""

    id: Name
    attribute: AttributeName
    rank: Rank
    tags: Tags = ()


class Art(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, cache_hash=True):
    """A Focus attack; without a resist attribute of its own that of its domain (SD-F03, SD-F13, SD-J12)."""

    name: Name
    domain: DomainName
    resist: ResistName | None = None

    @property
    def resisted_with(self) -> str:
        return self.resist or RESIST_OF[self.domain]


class Traits(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, cache_hash=True):
    """All of a sheet but its attributes. What is left out stands as in section 22.

    `focus` None: the pool is full. `arts` None: the character knows every art that is named. The counters are those of
    the scene; a game keeps them, in a stateless call the sheet brings them. `focus` is always the pool (SD-V03).
    """

    id: Name = ""
    name: Name = ""
    kind: Kind = "pc"
    owner: Name | None = None
    tier: Tier = "shinobi"
    specialties: tuple[Specialty, ...] = ()
    edges: tuple[Name, ...] = ()
    arts: tuple[Art, ...] | None = None
    toughness_attr: Literal["strength", "tenacity"] | None = None
    defense_attr: Literal["wits", "agility"] | None = None
    health_override: Count | None = None
    wounds: Count = 0
    focus: Count | None = None
    merit: Count = 0
    merit_spent: Count = 0
    status: Status = "standing"
    guarding: bool = False
    surprised: bool = False
    second_wind: bool = False
    surges_used: Count = 0
    reroll_used: bool = False
    first_aid_tried: bool = False
    hindrance: Count = 0
    hindrance_attr: Literal["intellect", "strength", "tenacity"] | None = None
    overkill: Count = 0
    merit_from_awards: Count = 0


class Sheet(Traits, frozen=True, kw_only=True, forbid_unknown_fields=True, cache_hash=True):
    """A character. Attributes that are left out are 0 (SD-A03)."""

    attributes: Map[str, Whole]

    def rating(self, attribute: str) -> int:
        return self.attributes.get(attribute, 0)  # type: ignore[no-any-return]

    @property
    def tied(self) -> bool:
        return self.rating("strength") == self.rating("tenacity")

    @property
    def toughness_from(self) -> Attribute:
        """The attribute of Toughness: the lesser; on a tie Strength or as chosen (SD-D01, SD-D03, SD-J06)."""
        if self.tied:
            return self.toughness_attr or "strength"
        return "strength" if self.rating("strength") < self.rating("tenacity") else "tenacity"

    @property
    def health_from(self) -> Attribute:
        """The attribute of Health is always the other one (SD-D03)."""
        return "tenacity" if self.toughness_from == "strength" else "strength"

    @property
    def toughness(self) -> int:
        return self.rating(self.toughness_from)

    @property
    def health(self) -> int:
        """How many wounds drop the character; no part of any roll (SD-D02, SD-D08, SD-D09, SD-N10, SD-E05)."""
        if self.kind == "grunt":
            return max(1, self.health_override or 1)
        return max(1, self.rating(self.health_from) + BASE) + edges.total(self.edges, "health_bonus")

    @property
    def defense(self) -> int:
        """The lesser of Wits and Agility, without Edges (SD-D04, SD-J40)."""
        return min(self.rating("wits"), self.rating("agility"))

    @property
    def focus_max(self) -> int:
        """SD-D05, SD-D08, SD-N10, SD-E06."""
        if self.kind == "grunt":
            return 0
        best = max(self.rating(attribute) for attribute in STRIKING)
        return max(0, BASE + best) + edges.total(self.edges, "focus_max_bonus")

    @property
    def pool(self) -> int:
        """Focus now, from 0 to the maximum (SD-F01)."""
        return self.focus_max if self.focus is None else self.focus

    @property
    def surges_left(self) -> int:
        """Heroic Surges of this scene; grunts have none (SD-H04, SD-H06, SD-N07, SD-N10, SD-E15)."""
        if self.kind == "grunt":
            return 0
        allowed = max([1, *(effect.value for _, effect in edges.effects(self.edges, "surge_uses"))])
        return max(0, allowed - self.surges_used)

    @property
    def may_reroll(self) -> bool:
        return not self.reroll_used and has_reroll(self)


def has_reroll(sheet: Sheet) -> bool:
    """Whether an Edge allows a red die to be thrown again (SD-M14, SD-E08)."""
    return any(True for _ in edges.effects(sheet.edges, "reroll_red"))


def settled(sheet: Sheet) -> Sheet:
    """The sheet as the rules use it: aliases resolved (SD-V01), pool counted. Raises `Illegal` for its first fault."""
    named = Map({canonical(name): rating for name, rating in sheet.attributes.items()})
    if len(named) != len(sheet.attributes):
        raise Illegal("unknown_attribute", "SD-A01", attribute=next(iter(ALIASES)))
    ready = replace(sheet, attributes=named)
    for code, rule in faults(ready):
        raise Illegal(code, rule)
    return replace(ready, focus=ready.pool)


def canonical(name: str) -> str:
    """The id that an old spelling stands for (SD-V01, SD-J13)."""
    return ALIASES.get(name, name)


def faults(sheet: Sheet) -> Iterator[Fault]:
    """What no sheet may have, whoever made it (SD-A15)."""
    if any(name not in ATTRIBUTES for name in sheet.attributes):
        yield "unknown_attribute", "SD-A01"
    if any(not LEAST_RATING <= rating <= MOST_RATING for rating in sheet.attributes.values()):
        yield "attribute_out_of_range", "SD-A02"
    yield from trait_faults(sheet, 3)
    if sheet.toughness_attr and not sheet.tied:
        yield "tie_choice_not_tied", "SD-D03"
    if not any(id not in edges.EDGES for id in sheet.edges) and (
        sheet.wounds > sheet.health or sheet.pool > sheet.focus_max
    ):
        yield "invariant_violated", "SD-N06"


def trait_faults(sheet: Traits, most_rank: int) -> Iterator[Fault]:
    """Specialties, Edges and arts that do not exist as they stand (SD-A09, SD-A10, SD-A11)."""
    if any(canonical(one.attribute) not in ATTRIBUTES for one in sheet.specialties):
        yield "unknown_attribute", "SD-A01"
    if any(not 1 <= one.rank <= most_rank for one in sheet.specialties):
        yield "specialty_rank_out_of_range", "SD-A09"
    if len({one.id for one in sheet.specialties}) < len(sheet.specialties):
        yield "specialty_duplicate", "SD-A09"
    if any(id not in edges.EDGES for id in sheet.edges):
        yield "unknown_edge", "SD-A10"
    for art in sheet.arts or ():
        yield from art_faults(art)


def art_faults(art: Art) -> Iterator[Fault]:
    if art.domain not in DOMAINS:
        yield "bad_domain", "SD-A11"
    if art.resist is not None and art.resist not in RESISTING:
        yield "bad_resist", "SD-A11"
