"""How a character of a scene rolls: four dice, then perhaps a red one again (SD-R07, SD-M14)."""

from __future__ import annotations

from systems.core.play import Play
from systems.shinobido.answers import chosen, reroll_offer
from systems.shinobido.events import DecisionAnswered, DecisionOffered, DieRerolled, FocusGained, FocusSpent
from systems.shinobido.parts import AWARDS, Act
from systems.shinobido.rolls import OpenRoll, RedAgain, Roll, read
from systems.shinobido.state import Scene
from systems.shinobido.vocabulary import RedDie

REROLL = "reroll"


def roll(play: Play[Scene], who: str, one: Roll, label: str = "") -> int:
    """The reading of one roll. Who may throw a red die again is asked before anything follows from the dice."""
    scene = play.game
    seen_by = scene.seen_by(who)
    hidden, may = who in scene.hidden, scene.cast[who].may_reroll
    if not scene.rerolls or not (may or hidden):  # a hidden Edge must not show in who is asked (SD-P05)
        return play.check(one, label or one.kind, seen_by)
    dice = play.check(OpenRoll(one), label or one.kind, seen_by)
    play.emit(DecisionOffered(who, "reroll_offer", hidden, one.kind, dice))
    answer = chosen(play.ask_all((reroll_offer(who, one.kind, may),), veiled=hidden)[0])
    play.emit(DecisionAnswered(who, "reroll_offer", answer, hidden))
    if (die := red_die(answer)) is None:
        return read(one.reading, dice.total)
    result = play.check(RedAgain(die, dice.without(die), one.reading), REROLL, seen_by)
    play.emit(DieRerolled(who, die, hidden))
    return result


def red_die(answer: str) -> RedDie | None:
    """The die that an answer to `reroll_offer` names; None leaves the dice as they are."""
    if answer == "red1":
        return "red1"
    return "red2" if answer == "red2" else None


def act_roll(play: Play[Scene], who: str, act: Act, damage: int, one: Roll) -> int:
    """A declared action: Focus goes when the dice are thrown, an award's Focus comes when they are resolved.

    So an award cannot pay for its own action, and comes whether it succeeds or fails (SD-F10, SD-F14, SD-G03).
    """
    hidden = who in play.game.hidden
    if spent := act.concentrate + damage:
        play.emit(FocusSpent(who, spent, hidden))
    result = roll(play, who, one)
    if focus := AWARDS[act.award]["focus"]:
        play.emit(FocusGained(who, focus, hidden))
    return result
