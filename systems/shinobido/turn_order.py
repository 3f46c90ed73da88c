"""Turns and rounds: who is next, the end of a round, the end of a fight (SD-T04, SD-T06, SD-C26, SD-C32)."""

from __future__ import annotations

from msgspec import Struct

from systems.core.game import Step
from systems.core.play import Play
from systems.shinobido.deeds import Dying
from systems.shinobido.fight_events import CombatEnded, RoundAdvanced, TurnEnded, TurnSkipped, TurnStarted
from systems.shinobido.state import Scene


def winner_of(game: Scene) -> tuple[bool, str | None]:
    """Whether the fight is over, and for whom (SD-C26)."""
    if game.fight is None:
        return False, None
    statuses = {who: game.cast[who].status for who in game.fight.order}
    sides = game.fight.sides
    up = [side for side, ids in sides.items() if any(statuses.get(one) in ("standing", "going_down") for one in ids)]
    return len(up) < 2, up[0] if len(up) == 1 else None


class Onward(Step, Struct, frozen=True, cache_hash=True, tag="onward"):
    """After everything that changes how somebody stands: the fight ends, or the turn of one who acted or fell does."""

    acted: str = ""

    def run(self, play: Play[Scene]) -> None:
        fight = play.game.fight
        if fight is None or not fight.turn:
            return
        over, winner = winner_of(play.game)
        if over:
            play.emit(CombatEnded(winner))
        elif self.acted == fight.turn or play.game.cast[fight.turn].status not in ("standing", "going_down"):
            play.emit(TurnEnded(fight.turn))
            play.then(NextTurn())


class NextTurn(Step, Struct, frozen=True, cache_hash=True, tag="next_turn"):
    """The next in the order who stands; behind the last one the round ends, at a gritty table with dying checks."""

    def run(self, play: Play[Scene]) -> None:
        fight = play.game.fight
        if fight is None:
            return
        at = fight.order.index(fight.turn) + 1 if fight.turn in fight.order else 0
        if begins(play, fight.order[at:]):
            return
        dying = tuple(who for who in fight.order if play.game.cast[who].status == "dying")
        play.then(*(Dying(who, play.game.cast[who].overkill) for who in dying), RoundEnd())


class RoundEnd(Step, Struct, frozen=True, cache_hash=True, tag="round_end"):
    """The round number rises and the order starts again (SD-T06)."""

    def run(self, play: Play[Scene]) -> None:
        fight = play.game.fight
        if fight is None:
            return
        play.emit(RoundAdvanced(fight.round + 1))
        if begins(play, fight.order):
            return
        if any(play.game.cast[who].status == "standing" for who in fight.order):
            play.then(RoundEnd())
        else:
            play.emit(CombatEnded(winner_of(play.game)[1]))


def begins(play: Play[Scene], order: tuple[str, ...]) -> bool:
    """The first of these who can act has the turn; the surprised lose theirs on the way (SD-T06, SD-C30)."""
    for who in order:
        fight, sheet = play.game.fight, play.game.cast[who]
        if fight is None or who in fight.late or sheet.status != "standing":
            continue
        if not sheet.surprised:
            play.emit(TurnStarted(who))
            return True
        play.emit(TurnSkipped(who))
    return False
