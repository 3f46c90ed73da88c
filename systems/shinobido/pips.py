"""What one more pip is worth: another question asked twice (SD-Q18)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import asdict, fields

from systems.core.calls import Outcome
from systems.core.errors import Illegal
from systems.core.game import change
from systems.shinobido.forecasts import FightPolicy, Within
from systems.shinobido.names import calls
from systems.shinobido.odds import SurgeChanceParams
from systems.shinobido.parts import Penalty
from systems.shinobido.sheet import Art, Sheet, settled
from systems.shinobido.switches import Switches
from systems.shinobido.vocabulary import (
    MOST_RATING,
    ArtDamage,
    AttributeName,
    Concentration,
    Count,
    Grade,
    Helpers,
    Rating,
    Tags,
    WeaponModifier,
    attribute_named,
)


class OtherParams(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, cache_hash=True):
    """The parameters of another question; each question has some of these."""

    actor: Sheet | UnsetType = UNSET
    target: Sheet | UnsetType = UNSET
    a: Sheet | UnsetType = UNSET
    b: Sheet | UnsetType = UNSET
    penalty: Penalty | UnsetType = UNSET
    award: Grade | UnsetType = UNSET
    concentrate: Concentration | UnsetType = UNSET
    helpers: Helpers | UnsetType = UNSET
    previous_failures: Count | UnsetType = UNSET
    tags: Tags | UnsetType = UNSET
    options: Switches | UnsetType = UNSET
    earlier_attackers: Count | UnsetType = UNSET
    weapon_modifier: WeaponModifier | UnsetType = UNSET
    art: Art | UnsetType = UNSET
    damage: ArtDamage | UnsetType = UNSET
    effect: Literal["wounds", "hinder"] | UnsetType = UNSET
    strength: Rating | UnsetType = UNSET
    tenacity: Rating | UnsetType = UNSET
    mode: Literal["last_stand", "second_wind"] | UnsetType = UNSET
    policy: FightPolicy | UnsetType = UNSET
    within: Within | UnsetType = UNSET
    first: Literal["a", "b"] | UnsetType = UNSET


class PipParams(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, cache_hash=True):
    """Whose rating is raised by one, in the parameters of which question.

    Raises `ValueError` if `params` are not those of that question or hold no sheet of `who`.
    """

    of: Literal["attack", "focus_attack", "surge", "attacks_to_down", "duel", "initiative", "focus_plan"]
    params: OtherParams
    who: Literal["actor", "target", "a", "b"]
    attribute: AttributeName

    def __post_init__(self) -> None:
        given = _given(self.params)
        known = {one.name: one for one in fields(calls.odds_questions[self.of].params)}
        if foreign := [name for name in given if name not in known]:
            raise ValueError(f"the question {self.of} has no {', '.join(foreign)}")
        if lacking := [name for name, one in known.items() if one.required and name not in given]:
            raise ValueError(f"the question {self.of} needs {', '.join(lacking)}")
        if self.who not in given and (self.of, self.who) != ("surge", "actor"):
            raise ValueError(f"there is no {self.who} in the parameters")


class PipOutcome(Outcome, frozen=True, kw_only=True):
    """The other question's fields with the rating as it is and one higher."""

    before: Outcome
    after: Outcome


@calls.odds("pip_worth", "SD-Q18")
def pip_worth(p: PipParams) -> PipOutcome:
    """Raises `Illegal` attribute_at_maximum, and whatever the other question raises."""
    question = calls.odds_questions[p.of]
    before: Any = question.params(**_given(p.params))
    if isinstance(before, SurgeChanceParams):
        before = change(before, actor=before.sheet)
    after = change(before, **{p.who: _raised(getattr(before, p.who), p)})
    return PipOutcome(before=question.function(before), after=question.function(after))


def _given(params: OtherParams) -> Mapping[str, object]:
    return {name: value for name, value in asdict(params).items() if value is not UNSET}


def _raised(sheet: Sheet, p: PipParams) -> Sheet:
    """One rating higher; a tie that ends drops its choice (SD-D03)."""
    attribute, ready = attribute_named(p.attribute), settled(sheet)
    if ready.rating(attribute) >= MOST_RATING:
        raise Illegal("attribute_at_maximum", "SD-G08", attribute=attribute)
    raised = change(sheet, attributes=ready.attributes.put(attribute, ready.rating(attribute) + 1))
    return raised if raised.tied else change(raised, toughness_attr=None)
