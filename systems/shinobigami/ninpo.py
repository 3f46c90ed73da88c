"""The ninpo catalogue as typed data (SG-N01, SG-N02, SG-N31..N36, SG-N40, SG-Z56)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Literal

import msgspec
from msgspec import Struct, field

from systems.core.errors import Illegal
from systems.core.tables import Row
from systems.shinobigami.ids import Timing
from systems.shinobigami.matrix import category_of
from systems.shinobigami.names import calls

DamageKind = Literal["close", "ranged", "mob"]
NinpoType = Literal["attack", "support", "equip"]

CLOSE_COMBAT_ATTACK = "close_combat_attack"  # SG-N31: every ninja has it


class SkillRange(Struct, frozen=True, cache_hash=True, forbid_unknown_fields=True):
    """Which skill a ninpo may be assigned: a fixed one, one of a list, one of a Category, or any (SG-B13)."""

    fixed: str | None = None
    one_of: tuple[str, ...] = ()
    category: str | None = None
    any: bool = False

    def allows(self, skill: str) -> bool:
        """For a skill of the Matrix."""
        return (
            self.any
            or skill == self.fixed
            or skill in self.one_of
            or (self.category is not None and category_of(skill) == self.category)
        )


class Condition(Struct, frozen=True, cache_hash=True, forbid_unknown_fields=True):
    """When a ninpo may be used or an Equip ninpo is active: the one field that is set (closed list of section 9.2)."""

    target_plot: str | None = None
    range_exact: int | None = None
    battlefield: str | None = None
    category_lost: str | None = None
    knows: str | None = None
    bond_to_target: str | None = None
    own_lp_at_most: int | None = None
    attack_kind: str | None = None
    assigned_category: str | None = None
    round_at_least: int | None = None
    target_has_ailment: bool | None = None
    tn_at_least: int | None = None
    phase: str | None = None
    spent_gear: int | None = None


class Effect(Struct, frozen=True, cache_hash=True, forbid_unknown_fields=True):
    """One effect of the closed vocabulary: `op` says which of the other fields it uses (section 9.2)."""

    op: str
    kind: str | None = None
    amount: int | None = None
    to: str | None = None
    froms: tuple[str, ...] = field(default=(), name="from")
    ailment: str | None = None
    lp: int = 0
    ailments: int = 0
    choice: str | None = None
    applies_to: str | None = None
    who: str | None = None
    duration: str | None = None
    context: str | None = None
    n: int | None = None
    result: str | None = None
    whose: str | None = None
    amounts: tuple[int, ...] = ()
    count: int | None = None
    ninpo_type: str | None = None
    slots: int = 0
    axis: str | None = None
    skill: str | None = None
    plot_outside_plot_phase: int | None = None
    attack_forbidden_first_round: bool = False
    what: str | None = None
    same_target: bool = False
    mode: str | None = None
    of: str | None = None
    bond: str | None = None
    emotion: str | None = None
    state: str | None = None


class Damage(Struct, frozen=True, cache_hash=True, forbid_unknown_fields=True):
    """A damage entry of an attack; entry 0 is the basic damage, its kind the basic kind (SG-N21)."""

    kind: DamageKind
    amount: int
    when: tuple[Condition, ...] = ()


class Targets(Struct, frozen=True, cache_hash=True, forbid_unknown_fields=True):
    """How many and whom a ninpo may name; `count` "any" is any number."""

    count: int | Literal["any"] = 1
    side: Literal["other", "self", "any"] = "other"


class Ninpo(Struct, frozen=True, cache_hash=True, forbid_unknown_fields=True):
    """A ninpo of the catalogue. `range` None is no limit; without `assigned_skill` it works at once (SG-N02)."""

    id: str
    name: tuple[tuple[str, str], ...]
    origin: str
    status: Literal["official_fact", "project"]
    type: NinpoType
    cost: int
    timing: Timing
    range: int | None = None
    assigned_skill: SkillRange | None = None
    remote: bool = False
    min_rank: str | None = None
    repeatable: bool = False
    limit: Literal["combat", "session"] | None = None
    when: tuple[Condition, ...] = ()
    targets: Targets = Targets()
    damage: tuple[Damage, ...] = ()
    effects: tuple[Effect, ...] = ()

    @property
    def clan(self) -> str | None:
        """The clan whose list it stands on; None for the general list."""
        return self.origin.removeprefix("clan:") if self.origin.startswith("clan:") else None


def _raw() -> list[dict[str, Any]]:
    text = files("systems.shinobigami").joinpath("data/ninpo.json").read_text(encoding="utf-8")
    raw: list[dict[str, Any]] = json.loads(text)
    return raw


@cache
def catalogue() -> Mapping[str, Ninpo]:
    """Every ninpo by its id, in the order of the catalogue."""
    read = [msgspec.convert({**one, "name": tuple(one["name"].items())}, Ninpo) for one in _raw()]
    return {one.id: one for one in read}


def find(ninpo: str) -> Ninpo:
    """Raises `Illegal` `ninpo_unknown` (SG-B10)."""
    if ninpo not in catalogue():
        raise Illegal("ninpo_unknown", "SG-B10", ninpo=ninpo)
    return catalogue()[ninpo]


@calls.table("ninpo", "SG-N31 SG-N32 SG-N33 SG-N34 SG-N35 SG-N36 SG-N40")
def ninpo_rows() -> tuple[Row, ...]:
    return tuple(Row(one["id"], facts={key: fact for key, fact in one.items() if key != "id"}) for one in _raw())
