"""The square grid: distance, line of sight and the path of a knocked-away target (8.1 and 13.3)."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType, field

from systems.core.calls import Outcome
from systems.ninja_slayer.names import calls
from systems.ninja_slayer.words import Count

Coordinate = Annotated[int, Meta(ge=0, le=99)]
Square = tuple[Coordinate, Coordinate]
Squares = Annotated[tuple[Square, ...], Meta(max_length=10_000)]
Side = Annotated[int, Meta(ge=1, le=100)]

COLLISION_DAMAGE = 1  # NS-S18


class Grid(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Squares from (0, 0); every list is empty unless given. Enemies and allies are those of the mover or viewer."""

    width: Side
    height: Side
    walls: Squares = ()
    obstacles: Squares = ()
    doors: Squares = ()
    enemies: Squares = ()
    enemies_of_viewer: Squares = ()
    allies: Squares = ()
    others: Squares = ()

    def __post_init__(self) -> None:
        lists = (self.walls, self.obstacles, self.doors, self.characters)
        self.hold(square for squares in lists for square in squares)

    @property
    def solid(self) -> frozenset[Square]:
        return frozenset((*self.walls, *self.obstacles))

    @property
    def characters(self) -> tuple[Square, ...]:
        return (*self.enemies, *self.enemies_of_viewer, *self.allies, *self.others)

    def inside(self, square: Square) -> bool:
        return 0 <= square[0] < self.width and 0 <= square[1] < self.height

    def hold(self, squares: Iterable[Square]) -> None:
        """Raises `ValueError` for a square outside."""
        for square in squares:
            if not self.inside(square):
                raise ValueError(f"{list(square)} lies outside the grid")


def distance(a: Square, b: Square) -> int:
    """A diagonal counts as one square (NS-G04, NS-RUL19)."""
    return max(abs(a[0] - b[0]), abs(a[1] - b[1]))


class SightParams(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    grid: Grid
    start: Square = field(name="from")
    end: Square = field(name="to")

    def __post_init__(self) -> None:
        self.grid.hold((self.start, self.end))


class Sight(Outcome, frozen=True, kw_only=True):
    visible: bool
    blocked_by: tuple[Square, ...]
    distance: int
    adjacent: bool


@calls.query("line_of_sight", "NS-G01 NS-G02 NS-G03 NS-G04")
def line_of_sight(p: SightParams) -> Sight:
    """Centre to centre (NS-RUL18): walls, obstacles and the viewer's enemies block, even fallen ones (NS-RUL51);
    allies, corners that are only touched (NS-G03) and the two end squares do not."""
    grid = p.grid
    blocking = {*grid.solid, *grid.enemies, *grid.enemies_of_viewer} - {p.start, p.end}
    crossed = sorted(blocking, key=lambda square: (distance(p.start, square), square))
    blocked_by = tuple(square for square in crossed if _crosses(p.start, p.end, square))
    apart = distance(p.start, p.end)
    return Sight(visible=not blocked_by, blocked_by=blocked_by, distance=apart, adjacent=apart == 1)


def _crosses(start: Square, end: Square, square: Square) -> bool:
    """Whether the open segment between two centres enters the interior of a square (NS-G02)."""
    low, high = Fraction(0), Fraction(1)
    for axis in (0, 1):
        travel, ahead = end[axis] - start[axis], square[axis] - start[axis]
        if travel == 0:
            if ahead != 0:
                return False
            continue
        near, far = sorted((Fraction(2 * ahead - 1, 2 * travel), Fraction(2 * ahead + 1, 2 * travel)))
        low, high = max(low, near), min(high, far)
    return low < high


class KnockbackParams(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The distance is the attacker's Karate after checks of Karate or legs, else the damage (NS-S16)."""

    grid: Grid
    attacker_pos: Square
    target_pos: Square
    attacker_karate: Annotated[int, Meta(ge=1, le=100)] | UnsetType = UNSET
    check_ability: Literal["karate", "leg", "wazamae", "neuron"] = "karate"
    damage_before_reduction: Count = 0

    def __post_init__(self) -> None:
        self.grid.hold((self.attacker_pos, self.target_pos))
        if self.attacker_pos == self.target_pos:
            raise ValueError("attacker and target stand on one square")
        if self.by_karate and self.attacker_karate is UNSET:
            raise ValueError("attacker_karate is missing")

    @property
    def by_karate(self) -> bool:
        return self.check_ability in ("karate", "leg")

    @property
    def squares(self) -> int:
        if self.by_karate and self.attacker_karate is not UNSET:
            return self.attacker_karate
        return self.damage_before_reduction


class Knockback(Outcome, frozen=True, kw_only=True):
    """`position` where the target lands, or `overlap_choices` where its controller chooses."""

    distance: int
    direction: tuple[int, int]
    moved: int
    collision: bool
    collision_damage: int
    position: Square | UnsetType = UNSET
    overlap_choices: tuple[Square, ...] | UnsetType = UNSET


@calls.query("knockback", "NS-S16 NS-S17 NS-S18 NS-S19")
def knockback(p: KnockbackParams) -> Knockback:
    """Straight away from the attacker over everybody in the way (NS-S17, NS-RUL34); a wall, an obstacle or the edge
    stops the flight and hurts only if a step is left (NS-S18)."""
    direction = (_sign(p.target_pos[0] - p.attacker_pos[0]), _sign(p.target_pos[1] - p.attacker_pos[1]))
    at, moved, solid = p.target_pos, 0, p.grid.solid
    while moved < p.squares:
        ahead = (at[0] + direction[0], at[1] + direction[1])
        if not p.grid.inside(ahead) or ahead in solid:
            break
        at, moved = ahead, moved + 1
    collision = moved < p.squares
    choices = _landings(p, at, collision)
    return Knockback(
        distance=p.squares,
        direction=direction,
        moved=moved,
        collision=collision,
        collision_damage=COLLISION_DAMAGE if collision else 0,
        position=choices[0] if len(choices) == 1 else UNSET,
        overlap_choices=UNSET if choices == (at,) else choices,
    )


def _sign(value: int) -> int:
    return (value > 0) - (value < 0)


def _landings(p: KnockbackParams, at: Square, collision: bool) -> tuple[Square, ...]:
    """The nearest free squares, after a collision rather those that touch something solid (NS-S19)."""
    taken = {*p.grid.characters, p.attacker_pos} - {p.target_pos}
    if at not in taken:
        return (at,)
    squares = ((x, y) for x in range(p.grid.width) for y in range(p.grid.height))
    free = [one for one in squares if one not in taken and one not in p.grid.solid]
    nearest = min((distance(at, one) for one in free), default=0)
    choices = tuple(one for one in free if distance(at, one) == nearest)
    touching = tuple(one for one in choices if _touches(p.grid, one))
    return touching if collision and touching else choices


def _touches(grid: Grid, square: Square) -> bool:
    around = ((square[0] + x, square[1] + y) for x in (-1, 0, 1) for y in (-1, 0, 1))
    return any(not grid.inside(one) or one in grid.solid for one in around)
