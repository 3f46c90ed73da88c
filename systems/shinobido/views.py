"""What a seat sees of a running game, built field by field (section 12, SD-P04 to SD-P09)."""

from __future__ import annotations

from typing import Any

from msgspec import UNSET, Struct, UnsetType

from systems.core.seats import Seat
from systems.core.values import Map
from systems.shinobido.declaring import Declarable
from systems.shinobido.happenings import without_reasons
from systems.shinobido.narrator import REVEALABLE
from systems.shinobido.parts import PenaltyPart
from systems.shinobido.sheet import Sheet
from systems.shinobido.state import Fight, OpenAction, Scene, Secret, Task
from systems.shinobido.switches import Switches
from systems.shinobido.vocabulary import ATTRIBUTES


class Derived(Struct, frozen=True):
    toughness: int
    health: int
    defense: int
    focus_max: int


class CharacterView(Struct, frozen=True):
    """Of those whose values are hidden: name, status, wound band, what is plain to see, and what was revealed."""

    id: str
    name: str
    status: str
    wound_band: str
    guarding: bool
    surprised: bool
    hidden: bool
    sheet: Sheet | None = None
    derived: Derived | None = None
    revealed: Map[str, Any] = Map()


class ActionView(Struct, frozen=True):
    """The action declared last (SD-T03). The penalty is empty where it is not open yet (SD-P08)."""

    who: str
    action: str
    target: str
    phase: str
    award: int
    penalty: tuple[PenaltyPart, ...] | None = None


class FightView(Struct, frozen=True):
    sides: Map[str, tuple[str, ...]]
    order: tuple[str, ...]
    round: int
    turn: str
    acted: tuple[str, ...]
    late: tuple[str, ...]
    attacked: Map[str, tuple[str, ...]]


class SceneView(Struct, frozen=True):
    """`seat_id`, `role` and `plays` say whose view it is; the Narrator's has the secret checks as well."""

    seat_id: str
    role: str
    plays: tuple[str, ...]
    phase: str
    mission: int
    scene: int
    title: str
    characters: Map[str, CharacterView]
    switches: Switches
    fight: FightView | None
    action: ActionView | None
    assists: Map[str, tuple[str, ...]]
    failures: Map[str, int]
    apart: tuple[tuple[str, str], ...]
    tasks: Map[str, Task]
    known_checks: tuple[Secret, ...] = ()
    open_decision: str | UnsetType = UNSET


def view_of(game: Scene, seat: Seat) -> SceneView:
    story = game.story
    failures = {same: n for same, n in story.failures.items() if _may_know(game, seat, same.split(":")[0])}
    return SceneView(
        seat_id=seat.id,
        role=seat.role,
        plays=seat.characters,
        phase=story.phase,
        mission=story.mission,
        scene=story.scene,
        title=story.title,
        characters=Map({who: character_view(game, who, seat) for who in game.cast}),
        switches=game.switches,
        fight=_fight(game.fight) if game.fight else None,
        action=_action(game, game.open_action, seat) if game.open_action else None,
        assists=story.assists,
        failures=Map(failures),
        apart=story.apart,
        tasks=story.tasks,
        known_checks=tuple(one for one in story.secrets if seat.gm or _shown(game, f"check:{one.id}", seat)),
        open_decision=game.open_decision if seat.gm else UNSET,
    )


def _may_know(game: Scene, seat: Seat, who: str) -> bool:
    return seat.gm or seat.plays(who) or who not in game.hidden


def _shown(game: Scene, what: str, seat: Seat) -> bool:
    return any(one.what == what and (not one.to or seat.id in one.to) for one in game.story.shown)


def character_view(game: Scene, who: str, seat: Seat) -> CharacterView:
    sheet, known = game.cast[who], _may_know(game, seat, who)
    return CharacterView(
        id=who,
        name=sheet.name or who,
        status=sheet.status,
        wound_band=band(sheet),
        guarding=sheet.guarding,
        surprised=sheet.surprised,
        hidden=who in game.hidden,
        sheet=sheet if known else None,
        derived=Derived(sheet.toughness, sheet.health, sheet.defense, sheet.focus_max) if known else None,
        revealed=Map() if known else Map(revealed(game, who, seat)),
    )


def band(sheet: Sheet) -> str:
    """How hurt somebody looks (SD-P05)."""
    if sheet.status in ("down", "going_down", "dying", "dead"):
        return "down"
    return "unhurt" if not sheet.wounds else "scratched" if sheet.wounds < 4 else "hurt"


def revealed(game: Scene, who: str, seat: Seat) -> dict[str, Any]:
    """The values that the Narrator made known to this seat (SD-P13)."""
    fields = [
        field
        for one in game.story.shown
        if one.what == who and (not one.to or seat.id in one.to)
        for field in one.fields
        if field in REVEALABLE
    ]
    sheet = game.cast[who]
    return {field: sheet.rating(field) if field in ATTRIBUTES else getattr(sheet, field) for field in fields}


def _fight(fight: Fight) -> FightView:
    return FightView(fight.sides, fight.order, fight.round, fight.turn, fight.acted, fight.late, fight.attacked)


def _action(game: Scene, action: OpenAction, seat: Seat) -> ActionView:
    message = action.message
    return ActionView(
        who=action.who,
        action=str(message.id),
        target=message.aimed_at() if isinstance(message, Declarable) else "",
        phase=action.phase,
        award=action.award,
        penalty=_penalty(game, action, seat),
    )


def _penalty(game: Scene, action: OpenAction, seat: Seat) -> tuple[PenaltyPart, ...] | None:
    """The number is public where penalties are open, later in any case; the reason may stay secret (SD-N05, SD-P08)."""
    if seat.gm:
        return action.penalty
    if not game.switches.open_penalty and action.phase != "resolved":
        return None
    reason = not action.secret_reason or _shown(game, "penalty", seat)
    return action.penalty if reason or not action.penalty else without_reasons(action.penalty)
