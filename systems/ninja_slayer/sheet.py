"""Characters: the record that actions take and give back, and what follows from it (section 2 of the digest)."""

from __future__ import annotations

from functools import cache
from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType, structs

from systems.core.calls import Outcome
from systems.core.tables import load_tables
from systems.core.values import Map
from systems.ninja_slayer.names import calls
from systems.ninja_slayer.words import Ability, Category, Condition, Count, Dice, Ids, Number, Part, PoolSize, Steps

LEG_FLOOR = 2  # NS-M03
INSTANT_DICE = 5  # NS-D01
MORTAL_ABILITY = 1  # what an ability never falls below within a scenario (NS-S21)

Marks = Map[Part, Annotated[int, Meta(ge=1, le=1_000)]]


class Abilities(Struct, frozen=True, cache_hash=True, kw_only=True, forbid_unknown_fields=True):
    """Permanent values; prerequisites of skills look only here (2.1, NS-S23)."""

    karate: Ability | UnsetType = UNSET
    neuron: Ability | UnsetType = UNSET
    wazamae: Ability | UnsetType = UNSET
    jitsu: Ability | UnsetType = UNSET
    leg: Ability | UnsetType = UNSET


class Character(Struct, frozen=True, cache_hash=True, kw_only=True, forbid_unknown_fields=True):
    """The record of 2.1, every field optional; an answer repeats the fields that were given."""

    id: Annotated[str, Meta(max_length=80)] | UnsetType = UNSET
    category: Category | UnsetType = UNSET
    karate: Ability | UnsetType = UNSET
    neuron: Ability | UnsetType = UNSET
    wazamae: Ability | UnsetType = UNSET
    jitsu: Ability | UnsetType = UNSET
    leg: Ability | UnsetType = UNSET
    hp: Number | UnsetType = UNSET
    spirit: Number | UnsetType = UNSET
    initiative: Number | UnsetType = UNSET
    evasion_now: PoolSize | UnsetType = UNSET
    emergency_now: Dice | UnsetType = UNSET
    instant_dice: Dice | UnsetType = UNSET
    emergency_dice: Dice | UnsetType = UNSET
    reduction: Count | UnsetType = UNSET
    part_damage: Marks | UnsetType = UNSET
    traits: Ids | UnsetType = UNSET
    skills: Ids | UnsetType = UNSET
    state: Condition | UnsetType = UNSET
    adrenaline_used: bool | UnsetType = UNSET
    dkk: Annotated[int, Meta(ge=0, le=12)] | UnsetType = UNSET  # NS-W02
    original: Abilities | UnsetType = UNSET
    evasion_bonus: PoolSize | UnsetType = UNSET
    evasion_mods: Steps | UnsetType = UNSET
    pool: PoolSize | UnsetType = UNSET

    @property
    def kind(self) -> Category:
        return self.category or "ninja"

    @property
    def ninja(self) -> bool:
        return self.kind == "ninja"

    @property
    def mob(self) -> bool:
        return self.kind == "mob"

    @property
    def condition(self) -> Condition:
        return self.state or "ok"

    @property
    def able(self) -> bool:
        """Acts and evades; the unconscious do neither (NS-H12, NS-E07)."""
        return self.condition == "ok"

    @property
    def gone(self) -> bool:
        """Removed from the map."""
        return self.condition in ("exploded", "dead", "out")

    @property
    def vitality(self) -> int:
        """hp; a sheet without it stands at its maximum (NS-M01, NS-Z05)."""
        return known(self.hp, known(self.karate, 1))

    @property
    def mind(self) -> int:
        """Spirit; a sheet without it stands at its maximum (NS-M02, NS-Z05)."""
        return known(self.spirit, known(self.neuron, 0))

    @property
    def evasion(self) -> int:
        """Evasion dice on offer; a negative stock offers none (NS-D16)."""
        return max(0, known(self.evasion_now, 0))

    @property
    def emergency(self) -> int:
        """Emergency dice in hand, kept apart from evasion dice (NS-D10)."""
        return known(self.emergency_now, known(self.emergency_dice, 0))

    @property
    def immune(self) -> bool:
        """Immune to instant death (NS-S14), as the reaper is (NS-W16)."""
        trait = "instant_death_immunity"
        return trait in (self.traits or ()) or trait in (self.skills or ())

    def ability(self, name: str) -> int:
        return known(getattr(self, name), 0)

    def originally(self, name: str) -> int:
        """The permanent value; the current one where the sheet does not tell them apart (NS-X03)."""
        return known(getattr(self.original, name, UNSET) if self.original else UNSET, self.ability(name))

    def spent(self, evasion: int, emergency: int) -> Character:
        """Dice rolled to evade are gone, success or failure (NS-D15)."""
        changes: dict[str, int] = {}
        if evasion:
            changes["evasion_now"] = known(self.evasion_now, 0) - evasion
        if emergency:
            held = "emergency_dice" if self.emergency_now is UNSET else "emergency_now"
            changes[held] = self.emergency - emergency
        return structs.replace(self, **changes) if changes else self

    def record(self) -> Character:
        """As an answer shows it: what was given without `original`, and the state."""
        return structs.replace(self, original=UNSET, state=self.condition)


def known(value: int | UnsetType, otherwise: int) -> int:
    return otherwise if value is UNSET else value


class Bonus(Struct, frozen=True, cache_hash=True, kw_only=True, forbid_unknown_fields=True):
    """What gear and skills add to derived values and pools."""

    hp: Number = 0
    spirit: Number = 0
    leg: Number = 0
    initiative: Number = 0
    evasion: Number = 0
    attack: Number = 0
    shooting: Number = 0
    cartwheel: Number = 0
    precision: Number = 0
    hacking: Number = 0
    activation: Number = 0


Grown = Annotated[int, Meta(ge=1, le=100)]


class DeriveParams(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Current abilities; `original` where ability damage or boosts make them differ."""

    karate: Grown
    neuron: Grown
    wazamae: Grown
    jitsu: Ability = 0
    original: Abilities = Abilities()
    weapon_slots: Annotated[tuple[Dice, ...], Meta(max_length=100)] = ()
    bonus: Bonus = Bonus()
    category: Category = "ninja"

    def originally(self, name: str) -> int:
        return known(getattr(self.original, name), int(getattr(self, name)))


class Derived(Outcome, frozen=True, kw_only=True):
    hp_max: int
    spirit_max: int
    leg: int
    initiative: int
    evasion_max: int
    instant_dice: int
    auto_skills: tuple[str, ...]
    attack: int
    shooting: int
    cartwheel: int
    precision: int
    hacking: int
    activation: int | None


@calls.query("derive", "NS-M01 NS-M02 NS-M03 NS-M04 NS-M05 NS-M06 NS-M07 NS-M09 NS-D01 NS-X01")
def derive(p: DeriveParams) -> Derived:
    """Derived values. hp, spirit and legs follow the permanent abilities (NS-M01 to M03: ability damage leaves them,
    NS-M10), initiative, evasion and pools the current ones (NS-M04, NS-M05, NS-M07, NS-M09)."""
    plus = p.bonus
    return Derived(
        hp_max=p.originally("karate") + plus.hp,
        spirit_max=p.originally("neuron") + plus.spirit,
        leg=_legs(p.originally("karate"), p.originally("wazamae")) + plus.leg,
        initiative=p.neuron + plus.initiative,
        evasion_max=_evasion_max(p),
        instant_dice=instant_dice(p.weapon_slots),
        auto_skills=auto_skills(p.originally("karate"), p.originally("neuron"), p.originally("wazamae")),
        attack=p.karate + plus.attack,
        shooting=p.wazamae + plus.shooting,
        cartwheel=p.wazamae + plus.cartwheel,
        precision=p.wazamae + plus.precision,
        hacking=p.neuron + plus.hacking,
        activation=p.neuron + p.jitsu + plus.activation if p.jitsu >= 1 else None,
    )


def _legs(karate: int, wazamae: int) -> int:
    """Half the better of the two, rounded up, at least 2 (NS-M03)."""
    return max(LEG_FLOOR, (max(karate, wazamae) + 1) // 2)


def _evasion_max(p: DeriveParams) -> int:
    """The best of three abilities (NS-M05, NS-RUL09: not Jitsu); mobs have none (NS-M06)."""
    return 0 if p.category == "mob" else max(p.karate, p.neuron, p.wazamae) + p.bonus.evasion


def instant_dice(weapon_slots: tuple[int, ...]) -> int:
    """Five less the slots of all weapons owned, not below 0 (NS-D01, NS-RUL07)."""
    return max(0, INSTANT_DICE - sum(weapon_slots))


@cache
def _thresholds() -> tuple[tuple[str, str, int], ...]:
    rows = load_tables("systems.ninja_slayer")["auto_skill_table"].rows
    return tuple((row.id, row.facts["ability"], row.facts["at_least"]) for row in rows)


def auto_skills(karate: int, neuron: int, wazamae: int) -> tuple[str, ...]:
    """Skills that come by themselves at original abilities (NS-X01, NS-X02, NS-X03); the highest value counts."""
    values = {"karate": karate, "neuron": neuron, "wazamae": wazamae}
    gained: dict[str, str] = {}
    for skill, ability, at_least in _thresholds():
        if values[ability] >= at_least:
            gained[skill.rstrip("_0123456789")] = skill
    return tuple(gained.values())
