"""The switches of a table (section 21), where a check or a query depends on one."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct


class Switches(Struct, frozen=True, cache_hash=True, forbid_unknown_fields=True, kw_only=True):
    """Every switch with its default, as in `data/options.toml`."""

    gm_roll_modifier: bool = True  # SG-U01
    special_incursion: bool = False  # SG-U02
    backgrounds: bool = True  # SG-U03
    fresh_skill_required: bool = False  # SG-U04
    infoshare_direction: Literal["holder_learns", "holder_shares"] = "holder_learns"  # SG-U05, SG-Z01
    broken_perfect_success: Literal["roll_normally", "check_fails"] = "roll_normally"  # SG-U06, SG-Z19
    environment_damage_drops_out: bool = False  # SG-U07, SG-Z15
    trade_triggers_infoshare: bool = True  # SG-U08
    allow_death_in_main: bool = False  # SG-U09
    escape_in_climax: bool = False  # SG-U10
    free_replacement: bool = False  # SG-U11
    critical_recovery: Literal["or", "and"] = "or"  # SG-U12, SG-Z06
    enemy_pc_like: bool = False  # SG-U13
    prize_holder_public: bool = True  # SG-U14
    sengoku_ailments: bool = False  # SG-U15
    prize_effect_table: bool = False  # SG-U15
    incursion_bond_target: Literal["any_participant", "first_two"] = "any_participant"  # SG-U16
    failed_mission_merit: Annotated[int, Meta(ge=-1_000_000, le=0)] = 0  # SG-U17
    climax_end_condition: Literal["last_standing", "round_limit", "custom"] = "last_standing"  # SG-U18
    merit_per_prize: bool = False  # SG-U19


USUAL = Switches()
