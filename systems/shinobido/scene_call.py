"""How a check by name becomes a scene: sheets in, the same steps as in a game, decisions out of the parameters."""

from __future__ import annotations

from typing import TypeVar

from msgspec import Struct

from systems.core.ask import Question
from systems.core.calls import CheckCall
from systems.core.errors import Illegal
from systems.core.game import Message, Step
from systems.core.values import Map
from systems.shinobido.answers import Decide, UseReroll, reroll_refused
from systems.shinobido.parts import ActParams, limits
from systems.shinobido.sheet import Sheet
from systems.shinobido.state import Scene
from systems.shinobido.switches import Switches
from systems.shinobido.vocabulary import Die

P = TypeVar("P", bound=Struct)

ACTOR, TARGET = "actor", "target"


class SceneCall(CheckCall[P, Scene]):
    """A check that runs in a scene of its own. The parameter `reroll` is the actor's answer, `surge` the target's."""

    def scene(self, cast: dict[str, Sheet], switches: Switches, *steps: Step, reroll: Die | None = None) -> Scene:
        """Nobody is asked about a reroll that was not named beforehand (section 22)."""
        return Scene(steps, Map(cast), switches, rerolls=reroll is not None)

    def decide(self, p: P, game: Scene, question: Question) -> Message | None:
        if question.topic == "surge_offer":
            surge = getattr(p, "surge", None)
            return Decide(surge) if surge else None
        reroll: Die | None = getattr(p, "reroll", None)
        return UseReroll(reroll) if reroll and question.about == ACTOR else Decide("no")


def acting(actor: Sheet) -> None:
    """Raises `Illegal` unless the character stands (SD-W06)."""
    if actor.status == "dead":
        raise Illegal("actor_dead", "SD-W06")
    if actor.status in ("fled", "captured"):
        raise Illegal("actor_out", "SD-W06")
    if actor.status != "standing":
        raise Illegal("actor_down", "SD-W06")


def rerolling(actor: Sheet, reroll: Die | None) -> None:
    """Raises `Illegal` if the actor may not throw that die again (SD-M14)."""
    refusal = reroll_refused(actor, reroll) if reroll else None
    if refusal:
        raise refusal


def affording(actor: Sheet, focus: int) -> None:
    """Raises `Illegal` focus_insufficient; all that an action costs is judged together (SD-M06, SD-F14)."""
    if focus > actor.pool:
        raise Illegal("focus_insufficient", "SD-F14", focus=actor.pool)


def within_limits(actor: Sheet, p: ActParams) -> None:
    """The circumstances, the reroll, then what it costs, in the order of section 13."""
    limits(p.act, p.options)
    rerolling(actor, p.reroll)
    affording(actor, p.concentrate)
