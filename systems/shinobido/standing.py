"""Who may do something now: the refusals that all commands share, in the order of section 13."""

from __future__ import annotations

from typing import Any

from systems.core.ask import Question
from systems.core.errors import Illegal
from systems.core.game import Message
from systems.core.seats import Seat
from systems.shinobido.scene_call import acting
from systems.shinobido.sheet import Sheet
from systems.shinobido.state import Scene

UNFIT = "value_does_not_fit"  # the kernel's code for what no rule of the digest names


def unfit(field: str, why: str) -> Illegal:
    """A parameter that names nothing there is."""
    return Illegal(UNFIT, "", path=field, why=why)


class Command(Message):
    """A command whose `judge` raises `Illegal` for the first thing that stands against it."""

    def refuse(self, game: Scene, seat: Seat, question: Question | None) -> Illegal | None:
        try:
            self.judge(game, seat)
        except Illegal as refusal:
            return refusal
        return None

    def judge(self, game: Scene, seat: Seat) -> None:
        raise NotImplementedError


def narrating(seat: Seat) -> None:
    """SD-P01, SD-P02."""
    if not seat.gm:
        raise Illegal("not_narrator", "SD-P02")


def owned(game: Scene, seat: Seat, actor: str) -> str:
    """Who acts: the one named, else the only one the seat plays, else for the Narrator whose turn it is (SD-P03)."""
    who = actor
    if not who and len(seat.characters) == 1:
        who = seat.characters[0]
    elif not who and game.fight and seat.speaks_for(game.fight.turn):
        who = game.fight.turn
    if who not in game.cast or not seat.speaks_for(who):
        raise Illegal("not_owner", "SD-P03")
    return who


def waits(game: Scene) -> bool:
    """Whether a question is open or a declared action waits for its dice."""
    return bool(game.open_decision) or (game.open_action is not None and game.open_action.open)


def undecided(game: Scene) -> None:
    """No question is open and no declared action waits for its dice (SD-T09)."""
    if waits(game):
        raise Illegal("decision_pending", "SD-T09")


def at_peace(game: Scene) -> None:
    if game.fight:
        raise Illegal("in_combat", "SD-C01")


def fighting(game: Scene) -> None:
    if not game.fight:
        raise Illegal("no_combat", "SD-C05")


def on_turn(game: Scene, who: str, in_combat_only: bool = True) -> None:
    """One turn a round, one action a turn (SD-C05, SD-F18, SD-C31)."""
    if not game.fight:
        if in_combat_only:
            raise Illegal("no_combat", "SD-C05")
        return
    if who not in game.fight.order and not in_combat_only:
        return
    if game.fight.turn != who:
        raise Illegal("not_your_turn", "SD-C05")
    if who in game.fight.acted:
        raise Illegal("already_acted", "SD-C05")


def ready(game: Scene, seat: Seat, actor: str, in_combat_only: bool = True, rolling: bool = False) -> Sheet:
    """Role, open decision, turn, status: the first four of every action (section 13)."""
    who = owned(game, seat, actor)
    if not rolling:
        undecided(game)
    on_turn(game, who, in_combat_only)
    acting(game.cast[who])
    return game.cast[who]


def there(game: Scene, who: str, rule: str) -> Sheet:
    """Somebody of this game, and in a fight one who takes part (SD-C01)."""
    if who not in game.cast:
        raise Illegal("target_out", rule)
    return game.cast[who]


def within_reach(game: Scene, who: str, other: str, far: bool = False) -> None:
    """Two whom the Narrator declared apart (SD-K03, SD-F12)."""
    if not far and any(pair in ((who, other), (other, who)) for pair in game.story.apart):
        raise Illegal("out_of_reach", "SD-K03")


def standing(game: Scene, ids: Any = None) -> tuple[str, ...]:
    return tuple(who for who in (game.cast if ids is None else ids) if game.cast[who].status == "standing")
