"""Who acts when, how the air of a fight changes, and how the purse is shared (sections 5, 6, 18 and 19)."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Literal

from msgspec import Meta, Struct

from systems.core.calls import Outcome
from systems.core.errors import Illegal
from systems.ninja_slayer.names import calls
from systems.ninja_slayer.words import Atmosphere, Category, Count, Id, Ids, Number, unlike

SLOWEST = 1  # NS-I03: initiative below 1 counts as 1 for the order
HARD_FROM, ULTRA_HARD_FROM = 4, 7  # first turns of the two modes (NS-O02, NS-O03)


class Combatant(Struct, frozen=True, cache_hash=True, kw_only=True, forbid_unknown_fields=True):
    id: Id
    side: Literal["pc", "enemy", "neutral"]
    initiative: Number
    category: Category = "ninja"


class InitiativeParams(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Ties among players' characters follow `party_order` (NS-I05), all others `gm_order` (NS-I08), else the list."""

    combatants: Annotated[tuple[Combatant, ...], Meta(min_length=1, max_length=100)]
    party_order: Ids = ()
    gm_order: Ids = ()
    duel: bool = False

    def __post_init__(self) -> None:
        unlike((one.id for one in self.combatants), "combatants")


class InitiativeOrder(Outcome, frozen=True, kw_only=True):
    order: tuple[str, ...]
    placement_order: tuple[str, ...]


class _Go(Struct, frozen=True):
    """A combatant's go with the value that orders it."""

    combatant: Combatant
    value: Fraction


@calls.query("initiative_order", "NS-I01 NS-I03 NS-I05 NS-I07 NS-I08 NS-I09 NS-P01 NS-P02 NS-P03")
def initiative_order(p: InitiativeParams) -> InitiativeOrder:
    """Highest first (NS-I01); for a sudden fight the slowest is placed first (NS-I09).

    In a duel the second go of each stands at exactly half its initiative (NS-P02, NS-P03, NS-RUL14).
    """
    goes = [_Go(one, Fraction(max(SLOWEST, one.initiative))) for one in p.combatants]
    order = _sorted(p, goes)
    placement = tuple(reversed(order))
    if p.duel:
        if len(goes) != 2 or any(one.category != "ninja" for one in p.combatants):
            raise Illegal("duel_needs_two_ninja_alone", "NS-P01")
        order = _sorted(p, [*goes, *(_Go(go.combatant, go.value / 2) for go in goes)])
    return InitiativeOrder(order=order, placement_order=placement)


def _sorted(p: InitiativeParams, goes: list[_Go]) -> tuple[str, ...]:
    """Players before all others at equal values (NS-I07); neutrals stand among the NM's (NS-RUL59)."""
    listed = [one.id for one in p.combatants]

    def rank(go: _Go) -> tuple[Fraction, bool, int, int]:
        pc = go.combatant.side == "pc"
        agreed = p.party_order if pc else p.gm_order
        place = agreed.index(go.combatant.id) if go.combatant.id in agreed else len(agreed)
        return -go.value, not pc, place, listed.index(go.combatant.id)

    return tuple(go.combatant.id for go in sorted(goes, key=rank))


class AtmosphereParams(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    turn: Annotated[int, Meta(ge=1, le=1_000_000)]
    boss_present: bool = True


class AtmosphereOutcome(Outcome, frozen=True, kw_only=True):
    mode: Atmosphere


@calls.query("atmosphere", "NS-O01 NS-O02 NS-O03")
def atmosphere(p: AtmosphereParams) -> AtmosphereOutcome:
    """The mode in force during a turn: declared at the end of turns 3 and 6, in fights with a boss-class enemy."""
    if not p.boss_present or p.turn < HARD_FROM:
        return AtmosphereOutcome(mode="normal")
    return AtmosphereOutcome(mode="hard" if p.turn < ULTRA_HARD_FROM else "ultra_hard")


class ShareParams(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    pool: Count
    members: Annotated[int, Meta(ge=1, le=100)]


class Shares(Outcome, frozen=True, kw_only=True):
    each: int
    remainder: int


@calls.query("share_pool", "NS-F05")
def share_pool(p: ShareParams) -> Shares:
    """Equal shares; what does not divide stays in the purse (NS-RUL47)."""
    each, remainder = divmod(p.pool, p.members)
    return Shares(each=each, remainder=remainder)
