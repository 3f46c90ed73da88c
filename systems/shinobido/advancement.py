"""Merit buys ratings, Specialties, Edges and arts between missions (section 11)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from msgspec import Struct

from systems.core.ask import Offer, OneOf, offer
from systems.core.errors import Illegal
from systems.core.game import change
from systems.core.play import Play
from systems.core.seats import Seat
from systems.shinobido import edges
from systems.shinobido.happenings import CharacterAdvanced, MeritSpent
from systems.shinobido.sheet import Art, Sheet, Specialty, art_faults
from systems.shinobido.standing import Command, owned, undecided, waits
from systems.shinobido.state import Scene
from systems.shinobido.vocabulary import ATTRIBUTES, MOST_RATING, Name, Tags, attribute_named

MOST_RANK, EDGE_COST, ART_COST = 3, 5, 3  # SD-G06, SD-G08


class Buy(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, cache_hash=True):
    """One of an attribute (`to`: the wished rating), a Specialty (if new with attribute and tags), an Edge, an art."""

    attribute: Name | None = None
    to: int | None = None
    specialty: Name | None = None
    tags: Tags = ()
    edge: Name | None = None
    art: Art | None = None


class Bought(Struct, frozen=True):
    """The sheet afterwards, what it costs, and the new rating or rank."""

    sheet: Sheet
    cost: int
    value: int


class Advance(Command, Struct, frozen=True, cache_hash=True, tag="advance"):
    """SD-A08, SD-G06 to SD-G11, SD-D03; what follows from ratings follows at once (SD-D06)."""

    buy: Buy
    actor: str = ""
    toughness_attr: Literal["strength", "tenacity"] | None = None

    @classmethod
    def offers(cls, game: Scene, seat: Seat) -> Iterable[Offer]:
        if game.story.phase != "between" or waits(game):
            return
        for who, sheet in game.cast.items():
            steps = tuple(Buy(attribute=one) for one in ATTRIBUTES if affordable(sheet, Buy(attribute=one)))
            if seat.speaks_for(who) and sheet.kind == "pc" and steps:
                yield offer(cls, actor=OneOf((who,)), buy=OneOf(steps))

    def judge(self, game: Scene, seat: Seat) -> None:
        who = owned(game, seat, self.actor)
        undecided(game)
        if game.story.phase != "between":
            raise Illegal("not_between_missions", "SD-G07")
        sheet = game.cast[who]
        if sheet.status == "dead":
            raise Illegal("actor_dead", "SD-W06")
        bought_by(sheet, self.buy, self.toughness_attr)

    def carry_out(self, play: Play[Scene], seat: Seat) -> None:
        who = owned(play.game, seat, self.actor)
        bought = bought_by(play.game.cast[who], self.buy, self.toughness_attr)
        play.emit(MeritSpent(who, bought.cost))
        sheet = play.game.cast[who]
        play.emit(CharacterAdvanced(who, change(bought.sheet, merit=sheet.merit, merit_spent=sheet.merit_spent)))


def affordable(sheet: Sheet, buy: Buy) -> bool:
    try:
        bought_by(sheet, buy)
    except Illegal:
        return False
    return True


def bought_by(sheet: Sheet, buy: Buy, toughness_attr: Literal["strength", "tenacity"] | None = None) -> Bought:
    """What a purchase leads to. Raises `Illegal`: caps and steps first, then the Merit (SD-G06, SD-G08)."""
    bought = _offered(sheet, buy)
    after, was_tied = bought.sheet, sheet.tied
    if toughness_attr and (not after.tied or was_tied):
        raise Illegal("tie_choice_not_tied", "SD-D03")
    if not after.tied:
        after = change(after, toughness_attr=None)
    elif not was_tied:
        after = change(after, toughness_attr=toughness_attr)
    if bought.cost > sheet.merit:
        raise Illegal("merit_insufficient", "SD-G06", merit=sheet.merit, cost=bought.cost)
    return change(bought, sheet=after)


def _offered(sheet: Sheet, buy: Buy) -> Bought:
    if buy.specialty is not None:
        return _specialty(sheet, buy)
    if buy.edge is not None:
        return _edge(sheet, buy.edge)
    if buy.art is not None:
        return _art(sheet, buy.art)
    return _rating(sheet, attribute_named(buy.attribute or ""), buy.to)


def _rating(sheet: Sheet, attribute: str, to: int | None) -> Bought:
    """Up by one, for three times the new rating; negative ones may be bought up (SD-A08, SD-G10, SD-J30, SD-J31)."""
    now = sheet.rating(attribute)
    if to is not None and to < now:
        raise Illegal("negative_after_creation", "SD-A08")
    if now >= MOST_RATING:
        raise Illegal("attribute_at_maximum", "SD-G08", attribute=attribute)
    if to is not None and to != now + 1:
        raise Illegal("not_one_step", "SD-G08")
    raised = change(sheet, attributes=sheet.attributes.put(attribute, now + 1))
    return Bought(raised, 3 * max(1, now + 1), now + 1)


def _specialty(sheet: Sheet, buy: Buy) -> Bought:
    known = next((one for one in sheet.specialties if one.id == buy.specialty), None)
    if known is None:
        new = Specialty(id=buy.specialty or "", attribute=attribute_named(buy.attribute or ""), rank=1, tags=buy.tags)
        _one_step(buy.to, 1)
        return Bought(change(sheet, specialties=(*sheet.specialties, new)), 2, 1)
    if known.rank >= MOST_RANK:
        raise Illegal("specialty_at_maximum", "SD-G08")
    _one_step(buy.to, known.rank + 1)
    better = change(known, rank=known.rank + 1)
    kept = tuple(better if one is known else one for one in sheet.specialties)
    return Bought(change(sheet, specialties=kept), 2 * better.rank, better.rank)


def _one_step(to: int | None, next_one: int) -> None:
    if to is not None and to != next_one:
        raise Illegal("not_one_step", "SD-G08")


def _edge(sheet: Sheet, edge: str) -> Bought:
    if edge not in edges.EDGES:
        raise Illegal("unknown_edge", "SD-A10", edge=edge)
    if edge in sheet.edges:
        raise Illegal("edge_duplicate", "SD-G08", edge=edge)
    return Bought(change(sheet, edges=(*sheet.edges, edge)), EDGE_COST, 1)


def _art(sheet: Sheet, art: Art) -> Bought:
    for code, rule in art_faults(art):
        raise Illegal(code, rule)
    return Bought(change(sheet, arts=(*(sheet.arts or ()), art)), ART_COST, 1)
