"""Who learns what: InfoShare, open knowledge, and what a fugitive pays (SG-I01..I11)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from systems.core.calls import Outcome
from systems.core.errors import Illegal
from systems.core.values import Map
from systems.shinobigami.ids import Category, Id
from systems.shinobigami.matrix import in_column_order
from systems.shinobigami.names import calls
from systems.shinobigami.scene import Tie
from systems.shinobigami.sheet import Background, Item
from systems.shinobigami.switches import USUAL, Switches

Ids = Annotated[tuple[Id, ...], Meta(max_length=64)]
Ties = Annotated[tuple[Tie, ...], Meta(max_length=512)]
Backgrounds = Annotated[tuple[Id | Background, ...], Meta(max_length=64)]


def sharers(learner: str, ties: Iterable[Tie], switches: Switches = USUAL) -> tuple[str, ...]:
    """Who learns along with `learner` (SG-I05, SG-Z01): whoever holds a bond toward it, each once.

    By the letter of the other passage (SG-U05) it is those toward whom the learner holds one.
    """
    if switches.infoshare_direction == "holder_learns":
        found = (tie.holder for tie in ties if tie.toward == learner)
    else:
        found = (tie.toward for tie in ties if tie.holder == learner)
    return tuple(dict.fromkeys(found))


def learners(
    learner: str, subject: str, ties: Iterable[Tie], known_by: tuple[str, ...] = (), switches: Switches = USUAL
) -> tuple[str, ...]:
    """Everybody who newly learns an item, the learner first; InfoShare does not chain (SG-I06, SG-I07).

    The subject knows its own items (SG-I02); learning what one knows triggers nothing (SG-I01).
    """
    knowing = (*known_by, subject)
    if learner in knowing:
        return ()
    return (learner, *(one for one in sharers(learner, ties, switches) if one not in (*knowing, learner)))


def is_open(kind: str, subject: str, pcs: tuple[str, ...], knowing: tuple[str, ...]) -> bool:
    """A Secret that all PCs know is open; its owner counts as knowing (SG-I09)."""
    return kind == "secret" and bool(pcs) and all(one in knowing or one == subject for one in pcs)


class LearnParams(Struct, frozen=True, cache_hash=True, kw_only=True, forbid_unknown_fields=True):
    """Somebody learns an item; `choices` holds `<subject>_category`, the Life Point that a fugitive gives up."""

    learner: Id
    item: Item
    bonds: Ties = ()
    sealed_bonds: Ties = ()
    pcs: Ids = ()
    already_known_by: Ids = ()
    switches: Switches = Switches()
    learner_clan: Id | UnsetType = UNSET
    subject_backgrounds: Backgrounds = ()
    choices: Map[str, Category] = Map()


class LearnOutcome(Outcome, frozen=True, kw_only=True):
    """Who newly learned it, whether it is open now, and the Categories that the subject lost."""

    learned_by: tuple[str, ...]
    open_knowledge: bool
    subject_lost: tuple[Category, ...]


@calls.query("learn_information", "SG-I01 SG-I02 SG-I05 SG-I06 SG-I07 SG-I09 SG-I11 SG-E06 SG-U05 SG-Z01 SG-Z51")
def learn_information(p: LearnParams) -> LearnOutcome:
    sealed = {(tie.holder, tie.toward) for tie in p.sealed_bonds}  # SG-E06
    ties = tuple(tie for tie in p.bonds if (tie.holder, tie.toward) not in sealed)
    learned_by = learners(p.learner, p.item.subject, ties, p.already_known_by, p.switches)
    knowing = (*p.already_known_by, *learned_by)
    return LearnOutcome(
        learned_by=learned_by,
        open_knowledge=is_open(p.item.kind, p.item.subject, p.pcs, knowing),
        subject_lost=_betrayed(p, learned_by),
    )


def _betrayed(p: LearnParams, learned_by: tuple[str, ...]) -> tuple[Category, ...]:
    """A fugitive's Location with the wrong clan costs 1 ranged damage, the subject chooses where (SG-B39, SG-I11)."""
    taken = (one if isinstance(one, Background) else Background(one) for one in p.subject_backgrounds)
    hunters = tuple(one.params.clan for one in taken if one.id == "fugitive")
    if p.item.kind != "location" or p.learner not in learned_by or p.learner_clan not in hunters:
        return ()
    chosen = p.choices.get(f"{p.item.subject}_category")
    if chosen is None:
        raise Illegal("invalid_choice", "SG-I11", subject=p.item.subject)
    return in_column_order((chosen,))
