"""A character as the rules read it: the sheet, what follows from it, and Target Numbers (SG-M09..M12, SG-S13)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from systems.core.game import change
from systems.core.values import InOrder, Listed, Map
from systems.shinobigami.ids import Category, CharacterKind, Count, Id, Line, Plot
from systems.shinobigami.matrix import (
    CATEGORIES,
    Gaps,
    category_of,
    gaps_beside,
    in_column_order,
    place,
    specialised_category,
    squares,
)
from systems.shinobigami.ninpo import Effect, Ninpo, catalogue

LEAST_TARGET_NUMBER = 5  # SG-M10: 5 + distance

ListOf64 = Meta(max_length=64)


class Ailment(Struct, frozen=True, cache_hash=True, forbid_unknown_fields=True):
    """One instance of an ailment; `target` is the skill, bond or ninpo that it seals."""

    id: Id
    target: Id | UnsetType = UNSET


class Bond(Struct, frozen=True, cache_hash=True, forbid_unknown_fields=True):
    """What the holder feels toward somebody: the emotion (of the list or a free word) and its sign (SG-E01, SG-E02)."""

    emotion: Line = ""
    sign: Line = ""


class ExtraLp(Struct, frozen=True, cache_hash=True, forbid_unknown_fields=True):
    """Life Points without a Category: how many slots there are and how many of them are marked (SG-B12)."""

    slots: Count = 0
    lost: Count = 0


class BackgroundParams(Struct, frozen=True, cache_hash=True, forbid_unknown_fields=True):
    """What is chosen when a background is taken; which of them it needs says the table `background`."""

    clan: Id | None = None
    character: Id | None = None
    emotion: Line | None = None
    sign: Line | None = None


class Background(Struct, frozen=True, cache_hash=True, forbid_unknown_fields=True):
    id: Id
    params: BackgroundParams = BackgroundParams()


class NinpoChoices(Struct, frozen=True, cache_hash=True, forbid_unknown_fields=True):
    """What the effects of a learned ninpo leave open: a skill that is kept, a Category that is watched."""

    skill: Id | None = None
    category: Id | None = None


class Learned(Struct, frozen=True, cache_hash=True, forbid_unknown_fields=True):
    """A ninpo on the sheet."""

    ninpo_id: Id
    assigned_skill: Id | None = None
    choices: NinpoChoices = NinpoChoices()


class OhgiParams(Struct, frozen=True, cache_hash=True, forbid_unknown_fields=True):
    """The two ninpo of an Extra Ninpo (SG-B16)."""

    ninpo: Annotated[tuple[Id, ...], ListOf64] = ()


class Ohgi(Struct, frozen=True, cache_hash=True, forbid_unknown_fields=True):
    id: Id = "ohgi"
    name: Line = ""
    type: Line = ""
    assigned_skill: Id | None = None
    params: OhgiParams = OhgiParams()


class Item(Struct, frozen=True, cache_hash=True, forbid_unknown_fields=True):
    """A piece of information: kind `secret`, `location` or `ohgi`, whose, and which (section 13)."""

    kind: Id
    subject: Id
    index: Annotated[int, Meta(ge=1, le=1_000_000)] = 1


_remembered = lru_cache(maxsize=8_192)  # a fight looks at the same few frozen sheets over and over


class Character(Struct, frozen=True, cache_hash=True, forbid_unknown_fields=True, kw_only=True):
    """A sheet (section 28); six Life Points, one for each Category (SG-B08).

    Somebody without data is a plain id; an Enemy has LP slots instead of clan, rank and `lost`.
    """

    id: Id
    kind: CharacterKind = "pc"
    name: Line | None = None
    player_id: Id | None = None
    gender: Line | None = None
    age: Line | int | None = None
    clan: Id | None = None
    rank: Id | None = None
    merit: Count = 0
    cover: Line | None = None
    conviction: Line | None = None
    skills: Annotated[tuple[Id, ...], ListOf64] = ()
    lost: Annotated[tuple[Category, ...], ListOf64] = ()
    extra_lp: ExtraLp | None = None
    paralyzed: Annotated[tuple[Id, ...], ListOf64] = ()
    kept_skills: Annotated[tuple[Id, ...], ListOf64] = ()
    wrap_columns: bool = False
    wrap_rows: bool = False
    ailments: Annotated[tuple[Id | Ailment, ...], ListOf64] = ()
    gear: Map[str, Count] = Map()
    bonds: Map[InOrder, Bond] = Listed()  # sheet order counts (SG-A05)
    backgrounds: Annotated[tuple[Id | Background, ...], ListOf64] = ()
    ninpo: Annotated[tuple[Id | Learned, ...], ListOf64] = ()
    ohgi: Annotated[tuple[Id | Ohgi, ...], ListOf64] = ()
    prizes: Annotated[tuple[Id, ...], ListOf64] = ()
    known: Annotated[tuple[Item, ...], ListOf64] = ()
    secrets: Annotated[int, Meta(ge=0, le=64)] | None = None
    cycle_penalty: Annotated[int, Meta(ge=-1, le=0)] = 0
    specialised_category: Category | None = None
    lp_slots: Count = 0
    slots_lost: Count = 0
    plot: Plot | None = None
    spent_cost: Count = 0
    plot_phase_cost: Count = 0
    backlash: bool = False
    in_scene: bool = True
    gm_consent: bool = False
    knows_ohgi: bool = False
    seat: Count | None = None

    @property
    def is_enemy(self) -> bool:
        return self.kind == "enemy"

    @property
    @_remembered
    def afflictions(self) -> tuple[Ailment, ...]:
        """Every instance of an ailment, in sheet order; `paralyzed` skills are such instances."""
        listed = tuple(one if isinstance(one, Ailment) else Ailment(one) for one in self.ailments)
        known = {one.target for one in listed if one.id == "paralysis"}
        return listed + tuple(Ailment("paralysis", skill) for skill in self.paralyzed if skill not in known)

    def has_ailment(self, ailment: str) -> bool:
        return any(one.id == ailment for one in self.afflictions)

    @_remembered
    def sealed(self, ailment: str) -> tuple[str, ...]:
        """What the instances of paralysis, amnesia or cursed have taken hold of."""
        return tuple(one.target for one in self.afflictions if one.id == ailment and one.target is not UNSET)

    @property
    def taken(self) -> tuple[Background, ...]:
        """The backgrounds with their parameters."""
        return tuple(one if isinstance(one, Background) else Background(one) for one in self.backgrounds)

    def background(self, id: str) -> Background | None:
        return next((one for one in self.taken if one.id == id), None)

    @property
    def learned(self) -> tuple[Learned, ...]:
        return tuple(one if isinstance(one, Learned) else Learned(one) for one in self.ninpo)

    @property
    def own_ohgi(self) -> tuple[Ohgi, ...]:
        """The Ohgi; a plain string stands for one of that type."""
        return tuple(one if isinstance(one, Ohgi) else Ohgi(id=one, type=one) for one in self.ohgi)

    @property
    def active_bonds(self) -> tuple[tuple[str, Bond], ...]:
        """The bonds that amnesia has not sealed (SG-E06, SG-H25)."""
        sealed = self.sealed("amnesia")
        return tuple((toward, bond) for toward, bond in self.bonds.items() if toward not in sealed)

    @property
    def _printed_slots(self) -> int:
        """Extra Life Points with those of sealed ninpo; as given, or as the learned Equip ninpo bring them."""
        if self.extra_lp:
            return self.extra_lp.slots
        return sum(effect.slots for sealed in (False, True) for _, effect in self._equip("extra_lp", sealed=sealed))

    @property
    def extra_slots(self) -> int:
        """Extra Life Points, marked ones included (SG-B12); sealed Equip ninpo keep the marked ones (SG-H26)."""
        sealed = sum(effect.slots for _, effect in self._equip("extra_lp", sealed=True))
        return max(self.extra_lost, self._printed_slots - sealed)

    @property
    def extra_lost(self) -> int:
        return self.extra_lp.lost if self.extra_lp else 0

    @property
    def held(self) -> tuple[Category, ...]:
        """The Categories whose Life Point is held, in column order."""
        return tuple(one for one in CATEGORIES if one not in self.lost)

    @property
    @_remembered
    def lp(self) -> int:
        """Life Points left, extra ones and an Enemy's slots included (SG-H08, SG-S13)."""
        own = self.lp_slots - self.slots_lost if self.is_enemy and self.lp_slots else len(self.held)
        return own + self.extra_slots - self.extra_lost

    @property
    def knocked_out(self) -> bool:
        return self.lp <= 0

    @property
    def filled_gaps(self) -> Gaps:
        """SG-B07; an Enemy's follow from its specialised Category."""
        if self.specialised_category:
            return gaps_beside(self.specialised_category)
        return gaps_beside(specialised_category(self.clan)) if self.clan is not None else ()

    def wraps(self, axis: str) -> bool:
        """Whether the Matrix wraps for this character (SG-M06, SG-M07): a flag, or an Equip ninpo (SG-N32)."""
        flag = self.wrap_columns if axis == "columns" else self.wrap_rows
        return flag or any(effect.axis == axis for _, effect in self._equip("wrap", sealed=False))

    @property
    def kept(self) -> tuple[str, ...]:
        """Skills, or whole Categories, that stay usable although their Life Point is lost (`keep_skill`)."""
        chosen = (one.choices.skill or one.choices.category for one, _ in self._equip("keep_skill", sealed=False))
        return self.kept_skills + tuple(one for one in chosen if one)

    def _equip(self, op: str, *, sealed: bool) -> Iterator[tuple[Learned, Effect]]:
        for one, ninpo in self.equipped(sealed=sealed):
            yield from ((one, effect) for effect in ninpo.effects if effect.op == op)

    @_remembered
    def equipped(self, *, sealed: bool = False) -> tuple[tuple[Learned, Ninpo], ...]:
        """The Equip ninpo that are in effect, or those that `cursed` has sealed (SG-N01, SG-N13)."""
        cursed = self.sealed("cursed")
        known = ((one, catalogue().get(one.ninpo_id)) for one in self.learned if (one.ninpo_id in cursed) == sealed)
        return tuple((one, ninpo) for one, ninpo in known if ninpo and ninpo.type == "equip")

    def usable(self, skill: str) -> bool:
        """Whether a known skill works now: its Life Point is held and it is not paralysed (SG-M09, SG-H06)."""
        if skill in self.sealed("paralysis"):
            return False
        category = category_of(skill)
        return self.is_enemy or category not in self.lost or skill in self.kept or category in self.kept

    @property
    def usable_skills(self) -> tuple[str, ...]:
        return tuple(skill for skill in self.skills if self.usable(skill))

    def with_ailments(self, ailments: tuple[Ailment, ...]) -> Character:
        return change(self, ailments=ailments, paralyzed=())

    def with_lost(self, lost: tuple[Category, ...]) -> Character:
        return change(self, lost=in_column_order(lost))

    def with_extra_lost(self, lost: int) -> Character:
        """With so many extra Life Points marked."""
        return self if lost == self.extra_lost else change(self, extra_lp=ExtraLp(self._printed_slots, lost))

    def with_gear(self, type: str, pieces: int) -> Character:
        """`pieces` more (or fewer) of one type."""
        return change(self, gear=self.gear.put(type, self.gear.get(type, 0) + pieces))


class TargetNumber(Struct, frozen=True, cache_hash=True):
    """What a check against a skill needs: 5 + distance, or no value when only a Critical succeeds (SG-M12).

    `nearest` are the usable skills at that distance; the player names one of several (SG-M11).
    """

    value: int | None
    distance: int | None = None
    nearest: tuple[str, ...] = ()

    @property
    def used_skill(self) -> str | None:
        """The skill that is used, if there is no choice."""
        return self.nearest[0] if len(self.nearest) == 1 else None


def target_number(sheet: Character, skill: str, skills: tuple[str, ...] | None = None) -> TargetNumber:
    """The nearest usable skill decides (SG-M10, SG-Z05); `skills` replaces the usable ones. Raises `Illegal`."""
    to, gaps = place(skill), sheet.filled_gaps
    columns, rows = sheet.wraps("columns"), sheet.wraps("rows")
    usable = sheet.usable_skills if skills is None else skills
    apart = {one: squares(place(one), to, gaps, columns, rows) for one in usable}
    if not apart:
        return TargetNumber(None)
    least = min(apart.values())
    return TargetNumber(LEAST_TARGET_NUMBER + least, least, tuple(one for one in apart if apart[one] == least))


Someone = Id | Character


def sheet_of(who: Someone) -> Character:
    """A plain id stands for a character without relevant data (section 28)."""
    return who if isinstance(who, Character) else Character(id=who)
