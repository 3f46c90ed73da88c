"""The turns of enemies: how many there are, and how a player's roll uses or loses them (chapter 10)."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from systems.core.calls import Outcome, Report, Verdict
from systems.core.errors import Illegal
from systems.core.play import Play, Throw
from systems.core.text import Because, Term, because
from systems.origins.dice import PoolParams, Reading, SkillRoll, band_line, pool_lines, read, sixes_in
from systems.origins.names import calls
from systems.origins.options import DEFAULT, Config
from systems.origins.position import Cell, cell
from systems.origins.vocabulary import BANDS, Difficulty, Params, Points, Position, Wide

_ECONOMY = calls.tables["enemy_turn_economy"]


def loses_turn(difficulty: Difficulty, reading: Reading) -> bool:
    """Whether a roll takes a turn from the enemy (SO-E05); a mere 6 does not trouble the tougher ones (SO-E06)."""
    on = _ECONOMY[difficulty].facts["loses_turn_on"]
    return reading.band in on or (reading.triple_crit and "triple_crit" in on)


def may_pick_kind(difficulty: Difficulty | None, config: Config) -> bool:
    """Whether the GM may name a consequence instead of rolling it (SO-P21); None is a hazard without an enemy."""
    if config.gm_consequence_choice == "hard_only":
        return difficulty is not None and bool(_ECONOMY[difficulty].facts["gm_picks_kind"])
    return config.gm_consequence_choice == "always"


def can_strike(turns_left: int, config: Config) -> bool:
    """A consequence is an enemy turn: without one there is none, unless switched (SO-E04, SO-R37)."""
    return turns_left > 0 or not config.consequence_needs_enemy_turn


Meeting = Literal["loses", "may_strike", "cannot_strike", "untouched"]


def meets(difficulty: Difficulty, turns_left: int, at: Cell, reading: Reading, config: Config) -> Meeting:
    """How a roll meets the enemy's turns: it takes one (SO-E05), lets one strike or not (SO-E03, SO-E04), or touches
    none (SO-E06, SO-E07)."""
    if loses_turn(difficulty, reading):
        return "loses"
    if not at.options:
        return "untouched"
    return "may_strike" if can_strike(turns_left, config) else "cannot_strike"


def one_less(turns_left: int) -> int:
    """After a turn was used or lost: one only, also where option C brings two consequences (SO-E03, SO-E05)."""
    return max(0, turns_left - 1)


class Answer(Struct, frozen=True, cache_hash=True):
    """How the enemy comes out of a player's roll, and by which rule."""

    turns_left: int
    rule: str
    lost: bool = False
    consequence: bool = False


def enemy_answer(
    difficulty: Difficulty, turns_left: int, at: Cell, reading: Reading, *, gm_uses_turn: bool, config: Config
) -> Answer:
    """What an action roll does to the enemy's turns (SO-E03 to SO-E07)."""
    met = meets(difficulty, turns_left, at, reading, config)
    if met == "loses":
        return Answer(one_less(turns_left), "SO-E05", lost=turns_left > 0)
    if met == "may_strike":
        left = one_less(turns_left) if gm_uses_turn else turns_left
        return Answer(left, "SO-E03", consequence=gm_uses_turn)
    if met == "cannot_strike":
        return Answer(turns_left, "SO-E04")
    return Answer(turns_left, "SO-E07" if at.choice else "SO-E06")


class AfterRollParams(PoolParams, frozen=True, kw_only=True):
    difficulty: Difficulty
    turns_left: Points = 0
    position: Position | UnsetType = UNSET
    gm_uses_turn: bool = True
    config: Config = DEFAULT


class AfterRollOutcome(Outcome, frozen=True, kw_only=True):
    turns_left: int
    turn_lost: bool
    consequence: bool


def _answer(p: AfterRollParams, reading: Reading) -> Answer:
    at = cell(p.position, reading.band)
    return enemy_answer(p.difficulty, p.turns_left, at, reading, gm_uses_turn=p.gm_uses_turn, config=p.config)


def enemy_line(difficulty: Difficulty, answer: Answer) -> Because:
    key = "enemy_loses_turn" if answer.lost else "enemy_strikes" if answer.consequence else "enemy_waits"
    return because(answer.rule, key, enemy=Term("enemy_difficulty", difficulty), left=answer.turns_left)


def _after_roll_report(p: AfterRollParams, verdict: Verdict, throws: tuple[Throw, ...]) -> Report:
    reading = read(throws[0])
    after = _answer(p, reading)
    outcome = AfterRollOutcome(turns_left=after.turns_left, turn_lost=after.lost, consequence=after.consequence)
    told = enemy_line(p.difficulty, after)
    return Report(outcome, (*pool_lines(p), band_line(reading, sixes_in(throws[0])), told))


@calls.check(
    "enemy_after_roll",
    rules="SO-E03 SO-E04 SO-E05 SO-E06 SO-E07",
    grades=BANDS,
    report=_after_roll_report,
    outcome=AfterRollOutcome,
)
def enemy_after_roll(play: Play[Any], p: AfterRollParams) -> Verdict:
    """A player's action roll, as the enemy sees it; controlled with 4-5 touches no turn (SO-E07). The GM may keep the
    turn (SO-R38)."""
    reading = play.check(SkillRoll(p.dice), "action")
    return Verdict(reading.band, reading.success)


class EnemyTurnsParams(Params, frozen=True, kw_only=True):
    difficulty: Difficulty
    players: Annotated[int, Meta(ge=1, le=99)]
    turns: Wide | None = None
    gm_override: bool = False


class EnemyTurnsOutcome(Outcome, frozen=True, kw_only=True):
    turns: int


def turn_range(difficulty: Difficulty, players: int) -> tuple[int, int, int]:
    """Fewest, most and usual turns a round for so many able players (SO-E01, SO-R39)."""
    row = _ECONOMY[difficulty].facts
    low = row["min_fixed"] if "min_fixed" in row else row["min_per_player"] * players
    return low, row["max_per_player"] * players, row["default_per_player"] * players


@calls.query("enemy_turns", rules="SO-E01")
def enemy_turns(p: EnemyTurnsParams) -> EnemyTurnsOutcome:
    """Raises `enemy_turn_count` outside the range, unless the GM overrides it."""
    low, high, usual = turn_range(p.difficulty, p.players)
    turns = usual if p.turns is None else p.turns
    if not p.gm_override and not low <= turns <= high:
        raise Illegal("enemy_turn_count", "SO-E01", turns=turns, low=low, high=high)
    return EnemyTurnsOutcome(turns=turns)
