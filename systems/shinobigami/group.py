"""The end of a turn and of a Plot group: what was put off takes effect, then drop-outs together (SG-W48..W54)."""

from __future__ import annotations

from msgspec import Struct

from systems.core.game import Public, Step, change
from systems.core.play import Play
from systems.shinobigami.combat_state import Battle, Fighter
from systems.shinobigami.losses import Damage, GainAilment
from systems.shinobigami.reactions import BacklashFalls


class TurnEnded(Public, Struct, frozen=True, cache_hash=True, tag="turn_ended"):
    who: str

    def applied(self, game: Battle) -> Battle:
        return game.with_fighter(self.who, acted=True)


class GroupFinished(Public, Struct, frozen=True, cache_hash=True, tag="group_finished"):
    """Nothing is deferred any more; the next Plot is up (SG-W30, SG-W50)."""

    next_plot: int | None

    def applied(self, game: Battle) -> Battle:
        fighters = tuple(change(one, struck=False) for one in game.fighters)
        return change(game, fighters=fighters, acting=self.next_plot)


class DeferredTaken(Public, Struct, frozen=True, cache_hash=True, tag="deferred_taken"):
    """What was deferred takes effect now, in the order in which it arose."""

    def applied(self, game: Battle) -> Battle:
        return change(game, deferred=())


class DroppedOut(Public, Struct, frozen=True, cache_hash=True, tag="dropped_out"):
    """Out of this battle and a loser of it (SG-W54, SG-W63)."""

    who: str

    def applied(self, game: Battle) -> Battle:
        return game.with_fighter(self.who, dropped=True)


class KnockedOut(Public, Struct, frozen=True, cache_hash=True, tag="knocked_out"):
    """No Life Points left (SG-H08); the sheet itself says so."""

    who: str

    def applied(self, game: Battle) -> Battle:
        return game


class DropsOut(Step, Struct, frozen=True, cache_hash=True, tag="drops_out"):
    """An Escape that succeeded, felt at the end of the group (SG-W36, SG-Z31)."""

    who: str

    def run(self, play: Play[Battle]) -> None:
        if not play.game[self.who].dropped:
            drop_out(play, self.who)


class TurnEnds(Step, Struct, frozen=True, cache_hash=True, tag="turn_ends"):
    """A member of the group is through; after the last one what was deferred takes effect (SG-W50)."""

    who: str

    def run(self, play: Play[Battle]) -> None:
        play.emit(TurnEnded(self.who))
        if play.game.acting is not None and not play.game.group:
            play.then(TakeDeferred(), GroupEnds())


class TakeDeferred(Step, Struct, frozen=True, cache_hash=True, tag="take_deferred"):
    """What was put off takes effect in its order, drop-outs after everything else (SG-W50)."""

    def run(self, play: Play[Battle]) -> None:
        later, drop_outs = _split(play.game.deferred)
        play.emit(DeferredTaken())
        play.then(*(step for one in later for step in _with_fall(play.game, one)), *drop_outs)


class GroupEnds(Step, Struct, frozen=True, cache_hash=True, tag="group_ends"):
    """Drop-outs and knock-outs of the group together, then the next lower Plot (SG-W50, SG-W54, SG-X02)."""

    def run(self, play: Play[Battle]) -> None:
        out = tuple(one for one in play.game.fighters if self._is_out(play.game, one))
        for fighter in play.game.fighters:
            if fighter in out:
                play.emit(DroppedOut(fighter.id))
            if fighter.knocked_out:
                play.emit(KnockedOut(fighter.id))
        waiting = [one.plot for one in play.game.able if not one.acted]
        play.emit(GroupFinished(max(waiting, default=None)))
        play.then(*_parting(play.game, *(one.id for one in out)))

    @staticmethod
    def _is_out(game: Battle, fighter: Fighter) -> bool:
        return not fighter.dropped and (fighter.struck if game.phase == "main" else fighter.knocked_out)


def drop_out(play: Play[Battle], who: str) -> None:
    """Out of this battle (SG-W63), and what leaving it costs."""
    play.emit(DroppedOut(who))
    play.then(*_parting(play.game, who))


def _parting(game: Battle, *leaving: str) -> tuple[GainAilment, ...]:
    """Whoever leaves an extreme Battlefield rolls an ailment, once, at that moment (SG-W52)."""
    return tuple(GainAilment(who) for who in leaving) if game.battlefield == "extreme" else ()


def _with_fall(game: Battle, step: Step) -> tuple[Step, ...]:
    """On a High Place whoever fumbled also takes damage, after the Fumble's own consequence (SG-W05, SG-H28)."""
    if isinstance(step, BacklashFalls) and game.battlefield == "high_place":
        return step, Damage(step.who, "", "close", 1)
    return (step,)


def _split(deferred: tuple[Step, ...]) -> tuple[list[Step], list[Step]]:
    """Damage, ailments and Backlash in their order; drop-outs after them (SG-W50)."""
    drop_outs: list[Step] = [step for step in deferred if isinstance(step, DropsOut)]
    return [step for step in deferred if not isinstance(step, DropsOut)], drop_outs
