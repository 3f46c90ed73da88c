"""Which messages of an offer are worth odds, and how a command went (SD-Q04 to SD-Q08)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from systems.core.ask import Offer, OneOf
from systems.core.calls import Verdict
from systems.core.game import Message
from systems.shinobido.blows import blow_grade
from systems.shinobido.checks import plain_verdict
from systems.shinobido.commands import Attack, Check, FirstAid, Flee, FocusAttack
from systems.shinobido.fights import Hazard
from systems.shinobido.state import Blow, Scene
from systems.shinobido.turns_taken import DyingCheck, HeroicSurge, ShakeOffHindrance
from systems.shinobido.views import SceneView


def verdict_of(message: Message, before: Scene, after: Scene) -> Verdict:
    """Read off the states; no grade for what throws no dice."""
    if isinstance(message, Attack | FocusAttack | Hazard):
        if after.blow is None or message.target not in after.cast:
            return Verdict(None)
        blow = after.blow or Blow()
        hit = blow.hit if not isinstance(message, Hazard) else not blow.dealt
        return Verdict(blow_grade(blow, after.cast[message.target].status), hit)
    if isinstance(message, DyingCheck | Check | FirstAid | Flee | HeroicSurge | ShakeOffHindrance):
        return plain_verdict(after.result > 0)
    return Verdict(None)


def examples_of(view: SceneView, offer: Offer) -> Iterable[Message]:
    """One for each target with the cheapest parameters."""
    domains = dict(offer.params)
    for actor in _values(domains.get("actor")):
        if offer.action == "attack":
            yield from (Attack(actor, target) for target in _values(domains["target"]))
        elif offer.action == "focus_attack":
            for target in _values(domains["target"]):
                yield from (FocusAttack(actor, target, art, 1) for art in _values(domains["art"])[:3])
        elif offer.action == "check":
            yield from (Check(one, actor) for one in _values(domains["attribute"]))
        elif offer.action == "first_aid":
            yield from (FirstAid(patient, actor) for patient in _values(domains["patient"]))
        elif offer.action == "heroic_surge":
            yield HeroicSurge(actor)


def _values(domain: Any) -> tuple[Any, ...]:
    return domain.values if isinstance(domain, OneOf) else ()
