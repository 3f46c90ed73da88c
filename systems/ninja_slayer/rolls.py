"""Checks as such: ability, resist and opposed checks, eye designations (section 3, instant dice of 4.1)."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from systems.core.ask import Question
from systems.core.calls import CheckCall, Outcome, Report, Verdict
from systems.core.errors import Illegal, OddsTooLarge
from systems.core.game import Game, Public, Step
from systems.core.play import Play, Throw
from systems.core.text import because
from systems.core.values import Map
from systems.ninja_slayer.dice import ALL_SUCCESSES, Counting, Matching, counted_in, eyes, refuse_long_eyes
from systems.ninja_slayer.difficulty import level_of, shifted, word_of
from systems.ninja_slayer.explain import Lines, difficulty_lines, modifiers, pool_line
from systems.ninja_slayer.names import calls
from systems.ninja_slayer.words import Dice, Difficulty, Id, Patterns, PatternText, PoolSize, Steps, unlike

MAX_CONTEST_BRANCHES = 100_000  # paths through the dice of one contest

CheckKind = Literal["check", "evasion", "table", "value", "fixed_dice"]


class CheckParams(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A pool against a difficulty; instant dice are named before the throw (NS-D02)."""

    pool: PoolSize
    difficulty: Difficulty = "NORMAL"
    mods: Steps = ()
    instant_dice: Dice = 0
    instant_available: Dice = 0
    kind: CheckKind = "check"
    eyes: Patterns = ()
    scenario_main: bool = True

    @property
    def dice(self) -> int:
        """Instant dice are added to max(pool, 0) (NS-C09)."""
        return max(self.pool, 0) + self.instant_dice


class Checked(Outcome, frozen=True, kw_only=True):
    dice_rolled: int
    difficulty: str
    successes: int
    eyes: Map[str, bool]
    instant_left: int


def level_thrown(p: CheckParams) -> int:
    """The level after all modifiers. Raises `Illegal` for dice, words and designations that are not allowed."""
    if p.instant_dice and p.kind == "evasion":
        raise Illegal("instant_dice_not_allowed", "NS-D03")
    if p.instant_dice and p.kind != "check":
        raise Illegal("instant_dice_not_allowed", "NS-D04", kind=p.kind)
    if p.instant_dice and not p.scenario_main:
        raise Illegal("instant_dice_not_allowed", "NS-D05")
    if p.instant_dice > p.instant_available:
        raise Illegal("insufficient_instant_dice", "NS-D06", left=p.instant_available)
    level = shifted(level_of(p.difficulty), p.mods)
    for pattern in p.eyes:
        eyes(pattern)
    return level


def _check_report(p: CheckParams, verdict: Verdict, throws: tuple[Throw, ...]) -> Report:
    base, level = level_of(p.difficulty), level_thrown(p)
    successes = counted_in(throws, "check", level)
    faces = throws[0].faces if throws else ()
    found = {pattern: successes > 0 and eyes(pattern).match(faces) for pattern in p.eyes}
    outcome = Checked(
        dice_rolled=p.dice,
        difficulty=word_of(level),
        successes=successes,
        eyes=Map(found),
        instant_left=p.instant_available - p.instant_dice,
    )
    return Report(outcome, (*_dice_lines(p, base), pool_line(successes, p.dice, level), *_eye_lines(found)))


def _dice_lines(p: CheckParams, base: int) -> Lines:
    lines = difficulty_lines(base, modifiers(p.mods))
    if p.instant_dice:
        lines = (*lines, because("NS-D02", "instant_dice", dice=p.instant_dice))
    return lines


def _eye_lines(found: dict[str, bool], missing: str = "NS-C14") -> Lines:
    return tuple(
        because("NS-C10" if there else missing, "eyes_there" if there else "eyes_missing", pattern=pattern)
        for pattern, there in found.items()
    )


def _check(play: Play[Any], p: CheckParams) -> Verdict:
    level = level_thrown(p)
    success = play.check(Counting(p.dice, level), "check").success
    return Verdict("success" if success else "failure", success)


@calls.check(
    "check",
    rules="NS-C01 NS-C02 NS-C03 NS-C04 NS-C05 NS-C06 NS-C07 NS-C08 NS-C09 NS-C13 NS-C14 NS-C15 NS-D02 NS-D06",
    grades="success failure",
    report=_check_report,
    outcome=Checked,
)
def check(play: Play[Any], p: CheckParams) -> Verdict:
    """A check of any ability at any difficulty that the NM names (NS-C16); NORMAL if none is named (NS-C03)."""
    return _check(play, p)


@calls.check("resist_check", rules="NS-C19", grades="success failure", report=_check_report, outcome=Checked)
def resist_check(play: Play[Any], p: CheckParams) -> Verdict:
    """A passive check: allowed in any state, even unconscious (NS-C19)."""
    return _check(play, p)


class EyesParams(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    n: Annotated[int, Meta(ge=1, le=100)]
    pattern: PatternText


class EyesOutcome(Outcome, frozen=True, kw_only=True):
    match: bool


def _eyes_report(p: EyesParams, verdict: Verdict, throws: tuple[Throw, ...]) -> Report:
    there = bool(verdict.success)
    return Report(EyesOutcome(match=there), _eye_lines({p.pattern: there}, "NS-C11"))


@calls.check(
    "eyes", rules="NS-C10 NS-C11 NS-C12 NS-C15", grades="success failure", report=_eyes_report, outcome=EyesOutcome
)
def throw_eyes(play: Play[Any], p: EyesParams) -> Verdict:
    """A throw in which only the designation counts, matched by different dice (NS-C10, NS-C12)."""
    there = play.check(Matching(p.n, eyes(p.pattern)), "eyes")
    return Verdict("success" if there else "failure", there)


throw_eyes.limit_odds(lambda p: refuse_long_eyes(p.n, eyes(p.pattern)))


class Side(Struct, frozen=True, cache_hash=True, kw_only=True, forbid_unknown_fields=True):
    """One side of a contest, with a pool and a difficulty of its own (NS-C20)."""

    id: Id
    pool: PoolSize
    difficulty: Difficulty = "NORMAL"
    mods: Steps = ()
    instant_dice: Dice = 0

    @property
    def dice(self) -> int:
        return max(self.pool, 0) + self.instant_dice

    @property
    def level(self) -> int:
        return shifted(level_of(self.difficulty), self.mods)


class OpposedParams(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    sides: Annotated[tuple[Side, ...], Meta(min_length=2, max_length=10)]
    damage_by_margin: bool = False

    def __post_init__(self) -> None:
        unlike((side.id for side in self.sides), "sides")


class OpposedOutcome(Outcome, frozen=True, kw_only=True):
    successes: Map[str, int]
    winner: str | None
    margin: int
    damage: int | UnsetType = UNSET


class Contest(Game, frozen=True, cache_hash=True):
    """A contest under way: the best success count so far and whose it is (None: several have it)."""

    best: int = -1
    leader: str | None = None


class Contending(Step, Struct, frozen=True, cache_hash=True, tag="contending"):
    """One side throws, in listed order (NS-C25); nobody chooses anything between the throws."""

    side: Side

    def run(self, play: Play[Contest]) -> None:
        counted = play.check(Counting(self.side.dice, self.side.level, ALL_SUCCESSES), self.side.id)
        play.emit(Contended(self.side.id, counted.successes))


class Contended(Public, Struct, frozen=True, cache_hash=True, tag="contended"):
    side: str
    successes: int

    def applied(self, game: Contest) -> Contest:
        if self.successes < game.best:
            return game
        leader = self.side if self.successes > game.best else None
        return Contest(agenda=game.agenda, best=self.successes, leader=leader)


class OpposedCheck(CheckCall[OpposedParams, Contest]):
    """The larger success count wins (NS-C20); a tie is a draw without effect (NS-C22, NS-RUL04)."""

    id = "opposed_check"
    rules = ("NS-C20", "NS-C21", "NS-C22")
    grades = ("decided", "tie")
    params = OpposedParams
    outcome = OpposedOutcome

    def begin(self, p: OpposedParams) -> Contest:
        for side in p.sides:
            level_of(side.difficulty)
        return Contest(agenda=tuple(Contending(side) for side in p.sides))

    def verdict(self, p: OpposedParams, game: Contest, pending: str | None) -> Verdict:
        return Verdict("decided" if game.leader is not None else "tie")

    def report(self, p: OpposedParams, game: Contest, throws: tuple[Throw, ...], pending: Question | None) -> Report:
        counts = {side.id: counted_in(throws, side.id, side.level) for side in p.sides}
        best, second = sorted(counts.values(), reverse=True)[:2]
        outcome = OpposedOutcome(
            successes=Map(counts),
            winner=game.leader,
            margin=best - second,
            damage=best - second if p.damage_by_margin else UNSET,
        )
        return Report(outcome, (*_contest_lines(p, counts), *_margin_lines(p, counts, game.leader)))

    def refuse_odds(self, p: OpposedParams) -> None:
        paths, best = 0, 1
        for side in p.sides:
            paths += best * (side.dice + 1)
            best += side.dice
        if paths > MAX_CONTEST_BRANCHES:
            raise OddsTooLarge("branches", paths, MAX_CONTEST_BRANCHES)


def _contest_lines(p: OpposedParams, counts: dict[str, int]) -> Lines:
    return tuple(because("NS-C20", "side_counts", side=side.id, successes=counts[side.id]) for side in p.sides)


def _margin_lines(p: OpposedParams, counts: dict[str, int], leader: str | None) -> Lines:
    if leader is None:
        return (because("NS-C22", "draw"),)
    if not p.damage_by_margin:
        return ()
    losers = ((id, counts[leader] - count) for id, count in counts.items() if id != leader)
    return tuple(because("NS-C21", "margin_damage", side=id, damage=damage) for id, damage in losers)


calls.add(OpposedCheck())
