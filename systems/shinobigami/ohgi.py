"""Ohgi on the own turn: Critical Hit, Area Attack, Immortal Body (SG-O01..O20).

An attack Ohgi is no attack for other effects, but takes the place of one (SG-Z68).
"""

from __future__ import annotations

from msgspec import Struct

from systems.core.ask import Question
from systems.core.errors import Illegal
from systems.core.game import Message, Step
from systems.core.play import Play
from systems.core.seats import Seat
from systems.shinobigami.combat import AttackSpent
from systems.shinobigami.combat_state import Battle, Fighter
from systems.shinobigami.group import TurnEnds
from systems.shinobigami.losses import Suffers, immortal_body, loses
from systems.shinobigami.range import in_range
from systems.shinobigami.reactions import defer, uses_ohgi
from systems.shinobigami.sheet import Ohgi

CRITICAL_HIT_POINTS, CRITICAL_HIT_RANGE = 4, 1  # SG-O11
AREA_ATTACK_POINTS, AREA_ATTACK_RANGE = 2, 3  # SG-O12
RANGES = {"critical_hit": CRITICAL_HIT_RANGE, "area_attack": AREA_ATTACK_RANGE}
POINTS = {"critical_hit": CRITICAL_HIT_POINTS, "area_attack": AREA_ATTACK_POINTS}


class UseOhgi(Message, Struct, frozen=True, cache_hash=True, tag="use_ohgi"):
    """An own Ohgi in place of the attack, or Immortal Body at any time (SG-O03, SG-O11..O13)."""

    who: str
    ohgi: str
    targets: tuple[str, ...] = ()

    def refuse(self, game: Battle, seat: Seat, question: Question | None) -> Illegal | None:
        if not game.has(self.who) or not seat.speaks_for(self.who):
            return Illegal("not_your_decision", "SG-O03")
        user = game[self.who]
        if not user.able:
            return Illegal("knocked_out" if user.knocked_out else "dropped_out", "SG-O03")
        ohgi = owned(user, self.ohgi)
        if ohgi is None:
            return Illegal("ohgi_unknown", "SG-O03")
        if ohgi.id in user.used:
            return Illegal("ohgi_already_used", "SG-O02")
        return None if ohgi.type == "immortal_body" else self._refused_attack(game, user, ohgi)

    def _refused_attack(self, game: Battle, user: Fighter, ohgi: Ohgi) -> Illegal | None:
        if ohgi.type not in RANGES:
            return Illegal("ohgi_timing", "SG-O03")
        if user not in game.group:
            return Illegal("not_your_turn", "SG-W31")
        if user.attacked:
            return Illegal("already_attacked", "SG-O19")
        return refused_targets(game, user, ohgi.type, self.targets)

    def carry_out(self, play: Play[Battle], seat: Seat) -> None:
        ohgi = owned(play.game[self.who], self.ohgi)
        if ohgi and ohgi.type == "immortal_body":
            immortal_body(play, self.who)
        elif ohgi:
            play.emit(AttackSpent(self.who))
            if uses_ohgi(play, self.who, ohgi.type):
                play.then(*(Strikes(self.who, target, ohgi.type) for target in self.targets))
            play.then(TurnEnds(self.who))


class Strikes(Step, Struct, frozen=True, cache_hash=True, tag="ohgi_strikes"):
    """An attack Ohgi that was not broken: LP loss of one target, deferred inside a group (SG-O19, SG-W48)."""

    by: str
    target: str
    kind: str

    def run(self, play: Play[Battle]) -> None:
        defer(play, OhgiLoss(self.by, self.target, self.kind))


class OhgiLoss(Step, Struct, frozen=True, cache_hash=True, tag="ohgi_loss"):
    """The loss itself; one loss event for each target (SG-H11)."""

    by: str
    target: str
    kind: str

    def run(self, play: Play[Battle]) -> None:
        if not play.game[self.target].dropped:
            chosen = self.kind == "area_attack"  # SG-O12; Critical Hit marks random Categories (SG-O11)
            loses(play, Suffers(self.target, True, POINTS[self.kind], chosen))


def owned(user: Fighter, ohgi: str) -> Ohgi | None:
    return next((one for one in user.sheet.own_ohgi if one.id == ohgi), None)


def refused_targets(game: Battle, user: Fighter, kind: str, targets: tuple[str, ...]) -> Illegal | None:
    """An attack Ohgi needs targets in its range; Critical Hit exactly one (SG-O11, SG-O12, SG-O20)."""
    if not targets or (kind == "critical_hit" and len(targets) != 1):
        return Illegal("target_required", "SG-O20")
    for target in targets:
        if target == user.id:
            return Illegal("cannot_target_self", "SG-W31")
        if not game.has(target) or not game[target].able:
            return Illegal("target_not_in_combat", "SG-W31", target=target)
        if not in_range(user.plot, game[target].plot, RANGES[kind], "ohgi", game.battlefield):
            return Illegal("out_of_range", "SG-N05", target=target)
    return None
