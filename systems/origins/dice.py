"""How a dice pool is thrown and read (chapter 3.1), and what points of effect it gives (chapter 3.2)."""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from systems.core.checks import Fold
from systems.core.dice import Pool
from systems.core.odds import Distribution, distribution
from systems.core.play import Throw
from systems.core.text import Because, Term, because
from systems.origins.names import calls
from systems.origins.vocabulary import Band, Params, Points, Rate

SIXES_REMEMBERED = 3  # SO-C04: a triple critical is the most that rules tell apart


class Reading(Struct, frozen=True, cache_hash=True):
    """What a pool shows: the die that counts (1..6), and its sixes up to three (0 without a real pool)."""

    result: int
    sixes: int = 0

    @property
    def crit(self) -> bool:
        return self.sixes >= 2  # SO-C04, SO-R06

    @property
    def triple_crit(self) -> bool:
        return self.sixes >= 3

    @property
    def band(self) -> Band:
        """SO-C05."""
        if self.crit:
            return "crit"
        return "fail" if self.result <= 3 else "partial" if self.result <= 5 else "full"

    @property
    def success(self) -> bool:
        """SO-C06: not a fail."""
        return self.result >= 4

    @property
    def rank(self) -> tuple[int, int]:
        """SO-T12: a critical with more sixes before a critical before 6 … before 1."""
        return (self.sixes if self.crit else 0, self.result)


NOTHING = Reading(0)


class SkillRoll(Fold[Reading, Reading], Struct, frozen=True, cache_hash=True):
    """A pool of any size: the highest die counts (SO-C02), without dice the lower of two (SO-C03, SO-R05).

    `upon` is what already lies on the table when dice are added to a roll (SO-O16).
    """

    dice: int
    upon: Reading = NOTHING

    @property
    def pool(self) -> Pool:
        return Pool(self.dice if self.dice >= 1 else 2)

    def start(self) -> Reading:
        return self.upon if self.dice >= 1 else Reading(6)

    def add(self, memory: Reading, face: int) -> Reading:
        if self.dice < 1:
            return Reading(min(memory.result, face))
        sixes = min(SIXES_REMEMBERED, memory.sixes + (face == 6))
        return Reading(max(memory.result, face), sixes)

    def outcome(self, memory: Reading) -> Reading:
        return memory


def readings(dice: int) -> Distribution[Reading]:
    """The exact distribution of what a pool shows."""
    return distribution(SkillRoll(dice))


PoolSize = Annotated[int, Meta(ge=-99, le=99)]
Dots = Annotated[int, Meta(ge=0, le=6)]


class PoolParams(Params, frozen=True, kw_only=True):
    """A pool, given as such or as dots; bonus and penalty dice change either (SO-C01, SO-R47: no upper limit)."""

    pool: PoolSize | UnsetType = UNSET
    dots: Dots | UnsetType = UNSET
    bonus_dice: Points = 0
    penalty_dice: Points = 0

    def __post_init__(self) -> None:
        if (self.pool is UNSET) == (self.dots is UNSET):
            raise ValueError("either `pool` or `dots` is required, and not both")

    @property
    def rated(self) -> int:
        """The pool or the dots before bonus and penalty."""
        return self.pool if isinstance(self.pool, int) else self.dots if isinstance(self.dots, int) else 0

    @property
    def dice(self) -> int:
        return self.rated + self.bonus_dice - self.penalty_dice


class Extra(Struct, frozen=True):
    """Dice that a rule adds to a pool or takes from it; `key` is the sentence that says so."""

    rule: str
    key: str
    dice: int


def pool_lines(p: PoolParams, *extras: Extra) -> tuple[Because, ...]:
    """The pool taken apart: dots, bonus, penalty, what rules added, and the sum if there was anything to sum."""
    lines = [because("SO-C01", "pool_dots", dice=p.rated)]
    if p.bonus_dice:
        lines.append(because("SO-C01", "pool_bonus", dice=p.bonus_dice))
    if p.penalty_dice:
        lines.append(because("SO-C01", "pool_penalty", dice=p.penalty_dice))
    changing = [one for one in extras if one.dice]
    lines += [because(one.rule, one.key, dice=one.dice) for one in changing]
    total = p.dice + sum(one.dice for one in changing)
    if len(lines) > 1:
        lines.append(because("SO-C01", "pool_total", dice=total))
    if total < 1:
        lines.append(because("SO-C03", "pool_empty"))
    return tuple(lines)


def band_line(reading: Reading, sixes: int) -> Because:
    """How a throw was read."""
    band = Term("band", reading.band)
    if reading.crit:
        return because("SO-C04", "band_crit", sixes=sixes, band=band)
    return because("SO-C05", "band", result=reading.result, band=band)


def read(throw: Throw) -> Reading:
    """A recorded throw, read again."""
    reading: Reading = throw.check.read(throw.arranged)
    return reading


def sixes_in(throw: Throw) -> int:
    """All sixes of a recorded throw; none count without a real pool (SO-C03)."""
    return throw.faces.count(6) if throw.check.dice >= 1 else 0


RATES: dict[str, dict[str, int]] = {
    rate: {row.id: int(row.facts[rate]) for row in calls.tables["effect_rate"].rows} for rate in ("combat", "downtime")
}  # SO-C07, SO-C08, SO-R10


def effect_of(rate: Rate, band: Band, bonus: int = 0, penalty: int = 0) -> int:
    """Points of effect, never below 0 (SO-C10, SO-R09).

    In combat a fail gives nothing whatever the bonus (SO-C09, SO-C12, SO-F13); in downtime bonuses always count
    (SO-C11, SO-R08).
    """
    if rate == "combat" and band == "fail":
        return 0
    return max(0, RATES[rate][band] + bonus - penalty)


class Modifier(Struct, frozen=True):
    """Effect that a rule adds (or takes, if negative)."""

    rule: str
    key: str
    effect: int


def effect_lines(rate: Rate, band: Band, *changes: Modifier) -> tuple[Because, ...]:
    """The effect taken apart: base by rate, every modifier, and the sum."""
    base = RATES[rate][band]
    rule = "SO-C07" if rate == "combat" else "SO-C08"
    lines = [because(rule, "effect_base", band=Term("band", band), rate=Term("rate", rate), effect=base)]
    if rate == "combat" and band == "fail":
        return (*lines, because("SO-C09", "effect_fail")) if any(one.effect > 0 for one in changes) else tuple(lines)
    changing = [one for one in changes if one.effect]
    lines += [because(one.rule, one.key, effect=one.effect) for one in changing]
    if changing:
        total = max(0, base + sum(one.effect for one in changing))
        lines.append(because("SO-C10", "effect_total", effect=total))
    return tuple(lines)


def given_effect(rate: Rate, bonus: int, penalty: int = 0) -> tuple[Modifier, ...]:
    """The modifiers that came with the request."""
    bonus_rule = "SO-C09" if rate == "combat" else "SO-C11"
    return Modifier(bonus_rule, "effect_bonus", bonus), Modifier("SO-C10", "effect_penalty", -penalty)
