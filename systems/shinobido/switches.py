"""The switches of a table (section 20)."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from systems.shinobido.vocabulary import Count


class Switches(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, cache_hash=True):
    """Each switch with its default: SD-X01 to SD-X16, in this order."""

    wound_penalty: Literal["formula", "gentle"] = "formula"
    award_timing: Literal["before_roll", "after_roll"] = "before_roll"
    negative_scope: Literal["total", "single"] = "total"
    lethality: Literal["heroic", "gritty"] = "heroic"
    initiative: Literal["individual", "side"] = "individual"
    gang_up: bool = False
    focus_effects: bool = False
    pc_death_consent: bool = True
    trait_bonus_cap: Count | None = 3
    concentrate: bool = True
    open_penalty: bool = True
    retry_penalty: Count = 2
    wake_at_scene_end: bool = True
    pip_budget: Annotated[int, Meta(ge=0, le=30)] | None = None
    long_tasks: bool = True
    auto_penalty_zero: bool = False
