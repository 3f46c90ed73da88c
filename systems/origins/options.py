"""The switches of a table (`config`): defaults are those of the rules."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, field

from systems.core.values import Map
from systems.origins.vocabulary import Id, Part, Whole

Boxes = Annotated[int, Meta(ge=1, le=20)]
Capacity = Annotated[int, Meta(ge=0, le=99)]
Stake = Annotated[int, Meta(ge=0, le=10)]


class SkillSet(Part, frozen=True, cache_hash=True, kw_only=True):
    """One set of a skill list, its skills in the order of the die (SO-R01)."""

    id: Id | None = None
    skills: Annotated[tuple[Id, ...], Meta(max_length=20)]


class HarmBoxes(Part, frozen=True, cache_hash=True):
    """Boxes of each row of the harm chart (SO-H01, SO-R22)."""

    level_1: Boxes = field(default=2, name="1")
    level_2: Boxes = field(default=2, name="2")
    level_3: Boxes = field(default=1, name="3")

    def of(self, level: int) -> int:
        return (self.level_1, self.level_2, self.level_3)[level - 1]


class LoadCapacity(Part, frozen=True, cache_hash=True):
    """Load points of each level (SO-L01, SO-R44); they rise from level to level."""

    light: Capacity = 3
    normal: Capacity = 5
    heavy: Capacity = 6
    overloaded: Capacity = 9

    def __post_init__(self) -> None:
        if not self.light < self.normal < self.heavy < self.overloaded:
            raise ValueError("load_capacity must rise from level to level")

    def of(self, level: str) -> int:
        return int(getattr(self, level))


class MissionStake(Part, frozen=True, cache_hash=True):
    """Honor that the leader stakes by difficulty (SO-O10, SO-R63)."""

    simple: Stake = 0
    moderate: Stake = 1
    advanced: Stake = 2
    dangerous: Stake = 3
    deadly: Stake = 4


class Config(Part, frozen=True, cache_hash=True, kw_only=True):
    """All switches; a missing one has its default."""

    skill_list: Literal["standard"] | tuple[SkillSet, ...] = "standard"
    skill_aliases: Map[str, str] = Map()
    skill_max_dots: Annotated[int, Meta(ge=1, le=6)] = 4
    creation_total_dots: Whole | None = 15
    creation_max_dots: Annotated[int, Meta(ge=0, le=6)] = 2
    creation_gold: Whole = 0
    ranks: Annotated[tuple[Id, ...], Meta(min_length=1, max_length=20)] = ("genin", "chunin", "jonin")
    harm_boxes: HarmBoxes = HarmBoxes()
    level3_push_cost: Whole | None = 2
    healing_clock_size: Literal[4, 6, 8] = 4
    clear_healing_on_new_harm: bool = False
    load_capacity: LoadCapacity = LoadCapacity()
    option_chooser: Literal["gm", "player"] = "gm"
    gm_consequence_choice: Literal["hard_only", "always", "never"] = "hard_only"
    moot_consequence: Literal["stand", "reroll", "gm_choice"] = "stand"
    withdraw_refunds_action: bool = False
    consequence_needs_enemy_turn: bool = True
    hesitation_seconds: Whole | None = 10
    rush_per_turn: Whole = 1
    assists_per_roll: Whole = 1
    jutsu_combat_cost: Whole = 0
    jutsu_free_cost: Whole = 1
    dojo_gold_per_effect: Annotated[int, Meta(ge=1, le=99)] = 1
    mission_honor_unit: Literal["tick", "point"] = "tick"
    mission_stake: MissionStake = MissionStake()
    advancement: Literal["gm", "blades_xp"] = "gm"


DEFAULT = Config()
