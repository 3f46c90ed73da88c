"""The plain rolls by name: check, opposed check, contest (sections 3 and 3.2)."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

from msgspec import UNSET, Struct, UnsetType

from systems.core.ask import Question
from systems.core.calls import Outcome, Report, Verdict
from systems.core.errors import Illegal
from systems.core.play import Play, Throw
from systems.core.text import Term, because
from systems.shinobido.deeds import Attempt
from systems.shinobido.names import calls
from systems.shinobido.parts import ActParams
from systems.shinobido.rolls import Part, Roll, degree_of
from systems.shinobido.scene_call import ACTOR, SceneCall, acting, within_limits
from systems.shinobido.sheet import Sheet, settled
from systems.shinobido.state import Scene
from systems.shinobido.told import RollOutcome, degree_told, focus_told, roll_fields, rolled, signed, told
from systems.shinobido.vocabulary import AttributeName, Whole, attribute_named

OPPONENT = "opponent"


class CheckParams(ActParams, frozen=True, kw_only=True, forbid_unknown_fields=True, cache_hash=True):
    """The Narrator names the one attribute that a deed uses (SD-R08, SD-N01, SD-J36)."""

    actor: Sheet
    attribute: AttributeName


class OpposedParams(CheckParams, frozen=True, kw_only=True, forbid_unknown_fields=True, cache_hash=True):
    opponent: Sheet
    opposing_attribute: AttributeName


C = TypeVar("C", bound=CheckParams)


def plain_verdict(success: bool) -> Verdict:
    return Verdict("success" if success else "failure", success)


class AttemptCall(SceneCall[C], Generic[C]):
    """A roll of the actor's own that succeeds or fails."""

    grades = ("success", "failure")
    outcome = RollOutcome

    def verdict(self, p: C, game: Scene, pending: str | None) -> Verdict:
        return plain_verdict(game.result > 0)

    def report(self, p: C, game: Scene, throws: tuple[Throw, ...], pending: Question | None) -> Report:
        (one,) = rolled(throws).values()
        after = game.cast[ACTOR].pool
        lines = (*told(one), *degree_told(one), *focus_told(settled(p.actor).pool, p.concentrate, after))
        return Report(RollOutcome(**roll_fields(one, after)), lines)


class CheckByName(AttemptCall[CheckParams]):
    """Four dice, one attribute, above 0 succeeds (SD-R01 to SD-R09)."""

    id = "check"
    rules = ("SD-R01", "SD-R04", "SD-R05", "SD-R09")
    params = CheckParams

    def begin(self, p: CheckParams) -> Scene:
        actor = settled(p.actor)
        attribute = attribute_named(p.attribute)
        acting(actor)
        within_limits(actor, p)
        return self.scene(
            {ACTOR: actor}, p.options, Attempt(who=ACTOR, attribute=attribute, act=p.act), reroll=p.reroll
        )


class OpposedCheckByName(AttemptCall[OpposedParams]):
    """The opponent does not roll: its attribute is a penalty (SD-O01, SD-O02)."""

    id = "opposed_check"
    rules = ("SD-O01", "SD-O02")
    params = OpposedParams

    def begin(self, p: OpposedParams) -> Scene:
        actor, opponent = settled(p.actor), settled(p.opponent)
        attribute, opposing = attribute_named(p.attribute), attribute_named(p.opposing_attribute)
        acting(actor)
        present(opponent)
        within_limits(actor, p)
        step = Attempt(who=ACTOR, attribute=attribute, act=p.act, opponent=OPPONENT, opposing=opposing)
        return self.scene({ACTOR: actor, OPPONENT: opponent}, p.options, step, reroll=p.reroll)


def present(opponent: Sheet) -> None:
    """Raises `Illegal` unless the opponent is there and alive (section 13)."""
    if opponent.status == "dead":
        raise Illegal("target_dead", "SD-O01")
    if opponent.status == "fled":
        raise Illegal("target_out", "SD-O01")


class ContestParams(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, cache_hash=True):
    a_modifier: Whole = 0
    b_modifier: Whole = 0


class ContestOutcome(Outcome, frozen=True, kw_only=True):
    a_total: int
    b_total: int
    winner: str | None
    tie: bool
    degree: int | UnsetType = UNSET


def contest_report(p: ContestParams, verdict: Verdict, throws: tuple[Throw, ...]) -> Report:
    a, b = (one for throw in throws for one in rolled((throw,)).values())
    ahead = abs(a.total - b.total)
    winner = None if not ahead else "a" if a.total > b.total else "b"
    outcome = ContestOutcome(
        a_total=a.total, b_total=b.total, winner=winner, tie=not ahead, degree=degree_of(ahead) or UNSET
    )
    sides = tuple(
        because("SD-O05", "contest_side", who=Term("contest_winner", side), net=signed(one.net), total=one.total)
        for side, one in (("a", a), ("b", b))
    )
    if winner is None:
        return Report(outcome, (*sides, because("SD-O06", "contest_tie")))
    won = because("SD-O05", "contest_won", who=Term("contest_winner", winner), by=ahead, degree=degree_of(ahead))
    return Report(outcome, (*sides, won))


@calls.check("contest", "SD-O05 SD-O06", "a_wins b_wins tie", contest_report, ContestOutcome)
def contest(play: Play[Any], p: ContestParams) -> Verdict:
    """Both roll, first a; the higher total wins whatever its sign; a tie changes nothing (SD-O05, SD-O06)."""
    a, b = (
        play.check(Roll("contest", (Part("modifier", modifier, "SD-O05"),), "total"), f"contest {side}")
        for side, modifier in (("a", p.a_modifier), ("b", p.b_modifier))
    )
    if a == b:
        return Verdict("tie")
    return Verdict("a_wins", True) if a > b else Verdict("b_wins", False)


calls.add(CheckByName())
calls.add(OpposedCheckByName())
