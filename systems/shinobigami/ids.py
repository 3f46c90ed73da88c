"""The closed lists of ids that parameters may name (digest section 1); tests hold them against data and labels."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

Category = Literal["technology", "martial_arts", "stealth", "scheming", "strategy", "sorcery"]
Clan = Literal["hasuba", "kurama", "lost_ones", "hirasaka", "otogi", "oni"]
Battlefield = Literal["level_ground", "water", "high_place", "bad_weather", "congestion", "extreme"]
Context = Literal["drama", "cycle_end", "plot", "combat"]
Phase = Literal["main", "climax"]
Sign = Literal["+", "-"]
GearType = Literal["bead_of_life", "soma_pill", "prayer_seal"]
CharacterKind = Literal["pc", "npc", "enemy", "extra"]
Timing = Literal[
    "attack",
    "instead_of_attack",
    "own_turn",
    "before_own_attack_check",
    "after_own_attack_success",
    "after_own_attack_dodged",
    "before_own_dodge",
    "on_own_dodge_success",
    "before_any_check",
    "after_any_roll",
    "on_lp_loss_self",
    "on_lp_loss_any",
    "on_drop_out_self",
    "plot_before_choice",
    "plot_before_reveal",
    "plot_on_reveal",
    "end_of_round",
    "any_time",
    "drama_own_scene",
    "drama_any",
    "scene_not_present",
    "passive",
]

Line = Annotated[str, Meta(max_length=500)]
Id = Annotated[str, Meta(min_length=1, max_length=64)]
Count = Annotated[int, Meta(ge=0, le=1_000_000)]
Wide = Annotated[int, Meta(ge=-1_000_000, le=1_000_000)]
Plot = Annotated[int, Meta(ge=0, le=7)]
FumbleValue = Annotated[int, Meta(ge=2, le=11)]
CriticalValue = Annotated[int, Meta(ge=-1_000_000, le=12)]
