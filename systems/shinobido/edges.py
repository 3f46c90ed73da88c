"""Edges as typed effects, read from the table `edges` (section 4.2)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct, convert

from systems.shinobido.names import calls


class Effect(Struct, frozen=True, cache_hash=True):
    """One effect of an Edge. What is not listed does not limit it: no `domains` means every domain."""

    type: str
    value: int = 0
    kinds: tuple[str, ...] = ()
    domains: tuple[str, ...] = ()
    when: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    against: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()
    per_scene: int = 0


class Edge(Struct, frozen=True, cache_hash=True):
    """An Edge with the rule that prints it (SD-E01 to SD-E15)."""

    id: str
    rule: str
    effects: tuple[Effect, ...]


EDGES: dict[str, Edge] = {
    row.id: Edge(row.id, row.facts["rule"], convert(row.facts["effects"], tuple[Effect, ...]))
    for row in calls.tables["edges"].rows
}


def effects(edges: Iterable[str], type: str) -> Iterator[tuple[Edge, Effect]]:
    """All effects of one type among a character's Edges; an Edge counts once (SD-M03)."""
    for id in dict.fromkeys(edges):
        for effect in EDGES[id].effects:
            if effect.type == type:
                yield EDGES[id], effect


def total(edges: Iterable[str], type: str) -> int:
    """The values of all effects of one type together."""
    return sum(effect.value for _, effect in effects(edges, type))
