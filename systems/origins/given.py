"""What a whole action is asked with: who acts, the pool, the enemy, and every decision in advance."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from systems.origins.armor import Armor, Load
from systems.origins.chart import UNHARMED, WOUND, HarmChart
from systems.origins.checks import Hampered, hampered
from systems.origins.dice import (
    Extra,
    PoolParams,
)
from systems.origins.options import DEFAULT, Config
from systems.origins.vocabulary import (
    Chakra,
    Difficulty,
    Id,
    Kind,
    Letter,
    Level,
    Params,
    Part,
    Points,
    Position,
    Text,
)

ACTOR, ENEMY = "actor", "enemy"


class Actor(Part, frozen=True, kw_only=True):
    """Who acts, as far as consequences need it."""

    position: Position | None = None
    chakra: Chakra = 0
    harm_chart: HarmChart = UNHARMED
    armor: Armor | None = None
    load: Load | None = None


class ActionPool(PoolParams, frozen=True, kw_only=True):
    bonus_effect: Points = 0
    penalty_effect: Points = 0
    hampering_levels: Annotated[tuple[Level, ...], Meta(max_length=40)] = ()
    helped: bool = False


class Enemy(Part, frozen=True, kw_only=True):
    difficulty: Difficulty
    turns_left: Points = 0


class Response(PoolParams, frozen=True, kw_only=True):
    """The answer to one consequence; the pool is that of the defence, if one is rolled."""

    type: Literal["take", "defend", "armor"] = "take"
    alternate: bool = False
    skill: Id | None = None
    gm_allows: bool = False
    name: Text = WOUND

    def __post_init__(self) -> None:
        if self.type == "defend":
            super().__post_init__()


class Choices(Part, frozen=True, kw_only=True):
    """Every decision in advance; `responses` and `gm_kind` by place, where one is missing: take it, roll it."""

    controlled: Literal["withdraw", "succeed"] | None = None
    option: Letter = "A"
    gm_uses_turn: bool = True
    gm_kind: Annotated[tuple[Kind, ...], Meta(max_length=10)] = ()
    responses: Annotated[tuple[Response, ...], Meta(max_length=10)] = ()
    glory: bool = False


class ResolveParams(Params, frozen=True, kw_only=True):
    actor: Actor
    roll: ActionPool
    enemy: Enemy | None = None
    choices: Choices = Choices()
    config: Config = DEFAULT

    @property
    def hampered(self) -> Hampered:
        """Raises `needs_help` (SO-H05)."""
        return hampered(self.roll.hampering_levels, 0, helped=self.roll.helped, push=False, config=self.config)

    @property
    def harm_dice(self) -> Extra:
        return Extra("SO-H05", "pool_harm", -self.hampered.dice)

    @property
    def pool(self) -> int:
        return self.roll.dice + self.harm_dice.dice

    def response(self, place: int) -> Response:
        given = self.choices.responses
        return given[place] if place < len(given) else Response()
