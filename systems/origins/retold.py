"""A whole action explained: pool, roll, effect, the enemy's turn and every consequence by itself."""

from __future__ import annotations

from systems.core.play import Throw
from systems.core.text import Because, because
from systems.origins.consequence import consequence_line
from systems.origins.defence import Blow, defence_lines, settle_defence
from systems.origins.dice import (
    Modifier,
    band_line,
    effect_lines,
    given_effect,
    pool_lines,
    read,
    sixes_in,
)
from systems.origins.enemies import enemy_answer, enemy_line
from systems.origins.fight import Fight, Settled
from systems.origins.given import ResolveParams
from systems.origins.position import cell
from systems.origins.vocabulary import (
    SIZE,
)


def retold(p: ResolveParams, game: Fight, throws: tuple[Throw, ...]) -> tuple[Because, ...]:
    """The pool, the roll with its Glory, the effect and every consequence, each by itself."""
    if not throws:
        return ()
    glory = [throw for throw in throws[1:2] if throw.label == "glory"]
    reading = read((glory or throws)[0])
    added = tuple(because("SO-O16", "glory", dice=len(throw.faces)) for throw in glory)
    bonuses = given_effect("combat", p.roll.bonus_effect, p.roll.penalty_effect)
    harm = Modifier("SO-H05", "effect_harm", -p.hampered.effect)
    lines = (*pool_lines(p.roll, p.harm_dice), *added, band_line(reading, reading.sixes))
    told = _told(p, game, throws)
    return (*lines, *effect_lines("combat", reading.band, *bonuses, harm), *_turn_lines(p, game), *told)


def _told(p: ResolveParams, game: Fight, throws: tuple[Throw, ...]) -> tuple[Because, ...]:
    """Every consequence with its defence, in order."""
    thrown = {throw.label: throw for throw in throws}
    threats = cell(p.actor.position, "fail").threats(p.choices.option)
    chakra, lines = p.actor.chakra, list[Because]()
    for place, (one, threat) in enumerate(zip(game.acting.settled, threats, strict=False), 1):
        lines += _settled_lines(one)[:1]
        if throw := thrown.get(f"defence {place}"):
            blow = Blow(kind=one.kind, size=SIZE[one.severity], surcharge=threat.surcharge)
            alternate = p.response(place - 1).alternate
            settled = settle_defence(read(throw), blow, chakra, alternate=alternate)
            lines += defence_lines(read(throw), sixes_in(throw), settled, blow, alternate)
            chakra = settled.paid.chakra
        lines += _settled_lines(one)[1:]
    return tuple(lines)


def _turn_lines(p: ResolveParams, game: Fight) -> tuple[Because, ...]:
    if game.acting.withdrawn:
        return (because("SO-P05", "withdrawn"),)
    if p.enemy is None:
        return ()
    enemy, read = p.enemy, game.acting.read
    at, uses = cell(p.actor.position, read.band), p.choices.gm_uses_turn
    answer = enemy_answer(enemy.difficulty, enemy.turns_left, at, read, gm_uses_turn=uses, config=p.config)
    return (enemy_line(enemy.difficulty, answer),)


def _settled_lines(one: Settled) -> tuple[Because, ...]:
    came = consequence_line(one.kind, one.severity)
    if one.negated:
        return came, because("SO-H09", "armor_negates")
    if one.avoided:
        return came, because("SO-D09", "avoided")
    if not one.size:
        return came, because("SO-P20", "moot")
    if one.kind == "harm":
        if one.recorded_level is None:
            return came, because("SO-H04", "dies")
        return came, because("SO-H02", "recorded", level=one.recorded_level)
    return (came,)
