"""Names that differ between the cases and the public answer, and how a case becomes a running game; no rule is here."""

from __future__ import annotations

from typing import Any

from systems.core import live
from systems.core.convert import to_plain, to_struct
from systems.core.dice import ScriptedDice
from systems.core.errors import Illegal
from systems.core.game import Event, Message, change
from systems.core.live import Progress
from systems.core.seats import GM
from systems.core.system import System
from systems.core.values import Map
from systems.shinobido.advancement import Buy, bought_by
from systems.shinobido.answers import Decide, UseReroll
from systems.shinobido.commands import Check
from systems.shinobido.creation import derived
from systems.shinobido.declaring import Declarable, RollDice, SetPenalty
from systems.shinobido.events import AttackResolved, RollResolved, WoundsTaken
from systems.shinobido.fight_events import Assisted, CombatEnded, InitiativeRolled
from systems.shinobido.fights import StartCombat
from systems.shinobido.happenings import TaskProgressed
from systems.shinobido.parts import PenaltyPart, wound_penalty
from systems.shinobido.rolling import AwardDescription, AwardGranted, AwardLate
from systems.shinobido.sheet import Sheet
from systems.shinobido.state import OpenAction, Scene
from systems.shinobido.turns_taken import Consent
from systems.shinobido.wounding import LastStand
from tests.vectors import cases
from tests.vectors.adapters.shinobido_world import ANSWERS, ROLES, World

# action -> fields of `given` that are facts of a running game: such a case is a command, not the stateless name
_COMMAND = {"combat", "by", "phase", "pending", "statuses", "scene", "clock", "sides", "helpers"}
_CHECKS = (
    "check",
    "opposed_check",
    "contest",
    "attack",
    "focus_attack",
    "hazard",
    "first_aid",
    "flee",
    "heroic_surge",
    "shake_off",
    "dying_check",
    "create_character",
)
STATE: dict[str, set[str]] = dict.fromkeys(_CHECKS, _COMMAND - {"sides", "helpers"}) | dict.fromkeys(
    ("roll_initiative", "surprise"), _COMMAND - {"sides", "helpers"}
)
# expected field -> field of the outcome
RENAMED: dict[str, str] = {}
# fields that are compared without order
SETS: set[str] = set()

PLAYED = {
    *_CHECKS, "guard", "gather_focus", "assist", "pass", "yield", "finish", "roll", "withdraw_action", "set_penalty",
    "award_description", "rest", "start_mission", "start_scene", "start_combat", "late_arrival", "end_combat",
    "end_turn", "end_scene", "end_mission", "advance", "reveal", "secret_check", "set_option", "long_task", "gm_set",
    "answer_decision", "use_reroll", "decision_timeout", "roll_initiative", "surprise",
}  # fmt: skip

STATE_ONLY = {
    "combat", "by", "phase", "pending", "statuses", "scene", "options", "helpers", "previous_failures",
    "between_missions", "merit", "merit_from_awards", "total_before", "surprised", "guarding", "earlier_attackers",
    "award", "surge", "reroll", "characters", "combatants", "targets", "in_combat", "self", "opponents", "wounds",
    "focus",
}  # fmt: skip


def message_of(system: System, world: World) -> Message:  # noqa: C901
    """The command with what it needs out of `given`; characters by their ids."""
    if world.action in ("surprise", "roll_initiative"):
        ids = tuple(world.cast)
        return StartCombat(Map({"one": ids[:1], "two": ids[1:]}))
    kind = system.codec.messages[world.action]
    fields = kind.__struct_fields__  # type: ignore[attr-defined]
    raw: dict[str, Any] = {}
    for name, value in world.given.items():
        if name in fields and name not in STATE_ONLY - {"penalty"}:
            raw[name] = world.names.get(name, value) if name in ROLES else value
    if world.action in ("set_penalty", "secret_check"):
        raw["penalty"] = world.given.get("penalty", 0)
    elif issubclass(kind, Declarable) and "segments" not in world.given:
        raw.pop("penalty", None)
    if "actor" in fields:
        raw["actor"] = world.names.get("actor", world.actor)
    if "target" in fields and "target" not in raw:
        raw["target"] = world.target
    if world.action in ("check", "opposed_check") and "attribute" not in raw:
        raw["attribute"] = "wits"
    if world.action == "contest":
        raw = {"a": "a", "b": "b", "a_attribute": "wits", "b_attribute": "wits"} | raw
    if world.action == "create_character":
        sheet = {name: value for name, value in world.given.items() if name not in _COMMAND}
        raw = {"sheet": sheet}
    if world.action == "start_combat" and "sides" in world.given:
        ids = {side: [one if isinstance(one, str) else one["id"] for one in members]
               for side, members in world.given["sides"].items()}  # fmt: skip
        raw["sides"] = ids
    return system.codec.message({"type": world.action, **raw})


def play(system: System, case: Any, faces: list[int]) -> Any:
    """One message of a running game, with all that has to be said before its dice fall."""
    given = dict(case["given"])
    world = World(case["action"], given)
    dice = ScriptedDice(faces)
    try:
        outcome = _played(system, world, dice)
    except Illegal as refusal:
        return cases.Answer(None, refusal.code)
    dice.close()
    return cases.Answer(outcome)


def _played(system: System, world: World, dice: ScriptedDice) -> dict[str, Any]:
    if world.action in ANSWERS:
        progress = _answered(world, dice)
        return outcome_of(world, progress.game, progress, progress.events)
    message, seat, game = message_of(system, world), world.seat(), world.game
    late = game.switches.award_timing == "after_roll" and world.given.get("phase") in ("rolled", "awarding")
    if world.action == "award_description" and late and seat.gm:
        progress = _answered(world, dice)
        return outcome_of(world, progress.game, progress, progress.events)
    if refusal := message.refuse(game, seat, None):
        raise refusal
    progress = live.command(game, message, seat, dice)
    events = progress.events
    action = progress.game.open_action
    if isinstance(message, Declarable) and action and action.open:
        ready = _set_up(world, progress.game, action)
        if refusal := RollDice().refuse(ready, GM, None):
            raise refusal
        progress = live.command(ready, RollDice(), GM, dice)
        events += progress.events
    progress, events = _answering(world, progress, events, dice)
    return outcome_of(world, progress.game, progress, events)


def _set_up(world: World, game: Scene, action: OpenAction) -> Scene:
    """The Narrator's penalty and award as the case has them."""
    penalty = to_struct({"penalty": world.given.get("penalty", 0)}, SetPenalty)
    if refusal := penalty.refuse(game, GM, None):
        raise refusal
    grade = world.given.get("award", 0)
    if refusal := AwardDescription(grade).refuse(game, GM, None):
        raise refusal
    parts: tuple[PenaltyPart, ...] = penalty.parts
    message = action.message
    failures = game.story.failures
    if isinstance(message, Declarable) and message.same_as(action.who):
        failures = failures.put(message.same_as(action.who), world.given.get("previous_failures", 0))
    after = change(game, open_action=change(action, phase="penalised", penalty=parts, award=grade))
    return after.with_story(failures=failures)


def _answering(world: World, progress: Progress[Scene], events: tuple[Event, ...], dice: ScriptedDice) -> Any:
    """Answers that the case gives beforehand."""
    while progress.waiting:
        (question,) = progress.waiting.window.questions
        message: Message | None = None
        if question.topic == "reroll_offer":
            die = world.given.get("reroll") if question.about == world.actor else None
            message = UseReroll(die) if die else Decide("no")
        elif question.topic == "surge_offer" and "surge" in world.given:
            message = Decide(world.given["surge"])
        elif question.topic == "death_consent" and "answer" in world.given:
            message = Decide(world.given["answer"])
        elif question.topic == "award_offer":
            message = AwardDescription(world.given.get("award", 0))
        if message is None:
            break
        progress = live.answer(progress.waiting, 0, message, GM, dice)
        events += progress.events
    return progress, events


def _answered(world: World, dice: ScriptedDice) -> Progress[Scene]:
    """An answer to the decision that the case says is open."""
    given, topic, game = world.given, world._pending(), world.game
    seat = world.seat() if world.by else GM
    if world.action == "award_description":
        topic = "award_offer"
    if not topic:
        message = UseReroll(given["reroll"]) if world.action == "use_reroll" else Decide(given.get("answer", ""))
        raise message.refuse(game, world.seat(), None) or Illegal("no_decision", "SD-T09")
    pending = given.get("pending")
    about = pending.get("for") if isinstance(pending, dict) else None
    who = about or world.target or world.actor
    if topic == "surge_offer":
        sheet = game.cast[who]
        game = game.with_sheet(who, status="going_down", wounds=sheet.health)
        step: Any = LastStand(who, sheet.overkill)
    elif topic == "death_consent":
        step = Consent(who)
    elif topic == "award_offer":
        step = AwardLate(who=world.actor, kind="check", total=given.get("total_before", 0))
    else:
        return _rerolled(world, dice)
    waiting = live.advance(change(game, agenda=(step,)), dice).waiting
    assert waiting
    if world.action == "decision_timeout":
        return live.silence(waiting, 0, dice)
    answer: Message = Decide(given["answer"]) if "answer" in given else AwardDescription(given.get("grade", 0))
    if refusal := answer.refuse(waiting.seen, seat, waiting.window.questions[0]):
        raise refusal
    progress = live.answer(waiting, 0, answer, seat, dice)
    return _answering(world, progress, progress.events, dice)[0] if progress.waiting else progress


def _rerolled(world: World, dice: ScriptedDice) -> Progress[Scene]:
    game = change(world.game, rerolls=True, fight=None, switches=change(world.game.switches, auto_penalty_zero=True))
    check = Check(world.given.get("attribute", "agility"), world.actor)
    progress = live.command(change(game, open_action=None), check, GM, dice)
    if progress.waiting is None:
        raise Illegal("reroll_not_allowed", "SD-M14")
    if world.action == "decision_timeout":
        return live.silence(progress.waiting, 0, dice)
    die = world.given.get("reroll") or world.given.get("answer")
    answer = UseReroll(die) if die in ("red1", "red2", "green1", "green2") else Decide(str(die))
    return live.answer(progress.waiting, 0, answer, world.seat(), dice)


PER_SCENE = (
    "status", "surges_used", "second_wind", "reroll_used", "first_aid_tried", "guarding", "surprised", "hindrance",
    "wounds", "merit",
)  # fmt: skip


def by_id(game: Scene) -> dict[str, Any]:
    return {
        who: {name: getattr(sheet, name) for name in PER_SCENE}
        | {"focus": sheet.pool, "wound_penalty": wound_penalty(sheet, game.switches)}
        for who, sheet in game.cast.items()
    }


def outcome_of(world: World, game: Scene, progress: Progress[Scene], events: tuple[Event, ...]) -> dict[str, Any]:
    """The outcome fields, read from the state after the message and from its events."""
    if progress.waiting:
        game = progress.waiting.seen
    actor, target = game.cast[world.actor], game.cast.get(world.target)
    found: dict[str, Any] = {**by_id(game), **_sheet_fields(world, actor, game), **_told(world, game, events)}
    if target:
        found |= {"target_wounds": target.wounds, "target_status": target.status, "patient_wounds": target.wounds}
        found |= {"patient_status": target.status, "healed": world.game.cast[world.target].wounds - target.wounds}
    if progress.waiting:
        found["pending"] = progress.waiting.window.questions[0].topic
    fight = game.fight
    found |= {
        "turn": fight.turn if fight else None,
        "round": fight.round if fight else None,
        "order": list(fight.order) if fight else [],
        "surprised": [who for who, one in game.cast.items() if one.surprised],
        "guarding": [who for who, one in game.cast.items() if one.guarding],
        "scene": game.story.scene,
    }
    if world.action == "guard":
        found["guarding"] = actor.guarding
    if world.action == "withdraw_action" and game.open_action:
        found |= {"phase": game.open_action.phase, "dice_used": len(progress.throws)}
    if game.open_action:
        found["penalty"] = sum(part.value for part in game.open_action.penalty)
    return found


def _sheet_fields(world: World, actor: Sheet, game: Scene) -> dict[str, Any]:
    who = game.cast[world.names["character"]] if world.names.get("character") in game.cast else actor
    fields: dict[str, Any] = {
        "wounds": who.wounds,
        "focus": who.pool,
        "status": who.status,
        "merit": who.merit,
        "focus_after": actor.pool,
        "surges_used": actor.surges_used,
        "wound_penalty_after": wound_penalty(actor, game.switches),
        "action_used": False,
        "hindrance": actor.hindrance,
        "option": world.given.get("option"),
        "value": getattr(game.switches, str(world.given.get("option")), None),
    }
    if world.action == "advance":
        before = world.game.cast[world.actor]
        bought = bought_by(before, message_buy(world), world.given.get("toughness_attr"))
        fields |= to_plain(derived(actor))
        fields |= {"cost": before.merit - actor.merit, "merit_after": actor.merit, "value_after": bought.value}
    if world.action == "create_character":
        made = next(reversed(game.cast.values()))
        fields |= {"valid": True, **to_plain(derived(made))}
    return fields


def message_buy(world: World) -> Any:
    return to_struct(world.given["buy"], Buy)


def _told(world: World, game: Scene, events: tuple[Event, ...]) -> dict[str, Any]:  # noqa: C901, PLR0912
    found: dict[str, Any] = {}
    for event in events:
        if isinstance(event, RollResolved):
            name = {"attack": "attack", "focus_attack": "attack"}.get(event.kind, event.kind)
            found[f"{name}_total"] = event.total
            if name not in ("toughness", "resist", "surge") or world.action in ("heroic_surge", *ANSWERS):
                total = event.total or 0
                found |= {"net": event.net, "total": event.total, "modifier": total - event.net}
                found |= {"success": event.success, "degree": event.degree}
                if event.net_before is not None:
                    before = event.net_before + total - event.net
                    found |= {"net_before": event.net_before, "total_before": before, "reroll_used": True}
        elif isinstance(event, AwardGranted):
            found |= {"bonus": event.bonus, "focus": event.focus, "merit": event.merit}
            if event.total is not None:
                found |= {"total": event.total, "success": event.success}
        elif isinstance(event, AttackResolved):
            found |= {"hit": event.hit, "wounds_dealt": 0}
        elif isinstance(event, WoundsTaken):
            found |= {"wounds_dealt": event.wounds}
            if event.overkill:
                found["overkill"] = event.overkill
        elif isinstance(event, TaskProgressed):
            found |= {"progress": event.task.progress, "danger": event.task.danger}
        elif isinstance(event, Assisted):
            found["helpers"] = event.helpers
        elif isinstance(event, CombatEnded):
            found |= {"ended": True, "winner": event.winner}
        elif isinstance(event, InitiativeRolled):
            found.setdefault("totals", {})[event.who] = event.total
            found["total"] = event.total
    return found
