"""Full states that agree with what a seat sees: one per value of what is hidden and matters (SD-P06, SD-Q10)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from systems.core.game import Message, change
from systems.core.system import Case
from systems.core.values import Map
from systems.shinobido.commands import Attack, FocusAttack, OpposedCheck
from systems.shinobido.sheet import Sheet
from systems.shinobido.state import Fight, Scene, Story
from systems.shinobido.strikes import DOMAINS
from systems.shinobido.views import CharacterView, FightView, SceneView
from systems.shinobido.vocabulary import ATTRIBUTES, LEAST_RATING, MOST_RATING

WOUNDS = {"unhurt": 0, "scratched": 1, "hurt": 4, "down": 0}
PLAIN_RATING = 1  # of a stranger in all that does not matter to the question


def imagined(view: SceneView, message: Message | None) -> Iterable[Case[Scene]]:
    """One case if all that matters is known, else one for each value from -3 to 5 of the one that does."""
    base = _scene(view)
    what, who = _matters(message, view)
    if not who:
        yield Case({"penalty": 0}, base)
        return
    for value in range(LEAST_RATING, MOST_RATING + 1):
        yield Case({what: value, "penalty": 0}, _with(base, who, what, value))


def _matters(message: Message | None, view: SceneView) -> tuple[str, str]:
    """The hidden value that this message's roll meets, and whose it is; nobody's if it is known."""
    if isinstance(message, Attack):
        needs: tuple[str, ...] = ("wits", "agility")
        what, who = "defense", message.target
    elif isinstance(message, FocusAttack) and message.art.domain in DOMAINS:
        what, who = str(DOMAINS[message.art.domain]["avoid"]), message.target
        needs = (what,)
    elif isinstance(message, OpposedCheck) and message.opposing_attribute in ATTRIBUTES:
        what, who = message.opposing_attribute, message.opponent
        needs = (what,)
    else:
        return "", ""
    seen = view.characters.get(who)
    if seen is None or seen.sheet is not None:
        return "", ""
    known = "attributes" in seen.revealed or what in seen.revealed or all(one in seen.revealed for one in needs)
    return ("", "") if known else (what, who)


def _with(game: Scene, who: str, what: str, value: int) -> Scene:
    ratings = game.cast[who].attributes
    for name in ("wits", "agility") if what == "defense" else (what,):
        ratings = ratings.put(name, value)
    sheet = change(game.cast[who], attributes=ratings)
    return change(game, cast=game.cast.put(who, change(sheet, focus=sheet.focus_max)))


def _scene(view: SceneView) -> Scene:
    """Nobody is asked about rerolls, and an unset penalty is nought (SD-X16)."""
    story = Story(
        phase=view.phase or "between",  # type: ignore[arg-type]
        mission=view.mission,
        scene=view.scene,
        title=view.title,
        assists=view.assists,
        failures=view.failures,
        apart=view.apart,
        tasks=view.tasks,
    )
    return Scene(
        cast=Map({who: _sheet(one) for who, one in view.characters.items()}),
        switches=change(view.switches, auto_penalty_zero=True, award_timing="before_roll"),
        rerolls=False,
        fight=_fight(view.fight) if view.fight else None,
        story=story,
    )


def _fight(fight: FightView) -> Fight:
    return Fight(fight.sides, fight.order, fight.round, fight.turn, fight.acted, Map(), fight.attacked, fight.late)


def _sheet(seen: CharacterView) -> Sheet:
    if seen.sheet is not None:
        return seen.sheet
    ratings = dict.fromkeys(ATTRIBUTES, PLAIN_RATING) | dict(_known_ratings(seen))
    sheet = Sheet(id=seen.id, name=seen.name, kind="npc", attributes=Map(ratings), arts=())
    wounds = seen.revealed.get("wounds", WOUNDS.get(seen.wound_band, 0))
    return change(
        sheet,
        status=seen.status,
        guarding=seen.guarding,
        surprised=seen.surprised,
        edges=tuple(seen.revealed.get("edges", ())),
        wounds=sheet.health if seen.status in ("down", "going_down", "dying") else min(wounds, sheet.health - 1),
        focus=sheet.focus_max,
    )


def _known_ratings(seen: CharacterView) -> Iterator[tuple[str, int]]:
    yield from dict(seen.revealed.get("attributes", Map()).items()).items()
    if "defense" in seen.revealed:
        yield from (("wits", seen.revealed["defense"]), ("agility", seen.revealed["defense"]))
    yield from ((name, value) for name, value in seen.revealed.items() if name in ATTRIBUTES)
