"""The one roll of the game: two green and two red dice, what joins the net, and how a total is read (section 3).

A roll knows its parts one by one, so that every total can be taken apart again. Odds branch on the reading only: yes or
no, a degree, a number of wounds.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from systems.core.checks import Check
from systems.core.dice import Faces, Pool
from systems.core.text import Term
from systems.shinobido.vocabulary import RedDie

FOUR_DICE = Pool(4, ordered=True)  # green 1, green 2, red 1, red 2 (SD-R01, SD-R02, SD-J01)
RED_AT: dict[str, int] = {"red1": 2, "red2": 3}
CERTAIN_FROM, IMPOSSIBLE_TO = 11, -10  # modifiers (SD-R10)

Reading = Literal["success", "degree", "wounds", "total"]


class Part(Struct, frozen=True, cache_hash=True):
    """One thing that joins the net: what it is (`terms.addition`), its signed value, its rule, and its own name."""

    what: str
    value: int
    rule: str
    name: Term | None = None


def net_of(faces: Faces) -> int:
    """Greens less reds, -10 to 10 (SD-R03)."""
    green1, green2, red1, red2 = faces
    return green1 + green2 - red1 - red2


def degree_of(total: int) -> int:
    """0 for a failure; a success has degree 1 and one more for each 3 points beyond 1 (SD-R05, SD-R09)."""
    return 1 + (total - 1) // 3 if total > 0 else 0


def wounds_of(total: int) -> int:
    """No wound above 0; else 1 and one more for each full 3 points below 0 (SD-C16, SD-C17, SD-J09, SD-J10)."""
    return 1 + -total // 3 if total <= 0 else 0


def read(reading: Reading, total: int) -> int:
    """What a total means; a success is 1, a failure 0: nothing is automatic (SD-R05, SD-R06, SD-J32)."""
    if reading == "success":
        return int(total > 0)
    if reading == "degree":
        return degree_of(total)
    return wounds_of(total) if reading == "wounds" else total


class Roll(Check[int], Struct, frozen=True, cache_hash=True):
    """Four dice with their parts: total = net + modifier (SD-R04)."""

    kind: str
    parts: tuple[Part, ...]
    reading: Reading = "success"

    @property
    def pool(self) -> Pool:
        return FOUR_DICE

    @property
    def modifier(self) -> int:
        return sum(part.value for part in self.parts)

    def read(self, faces: Faces) -> int:
        return read(self.reading, net_of(faces) + self.modifier)


class OpenDice(Struct, frozen=True, cache_hash=True):
    """A total whose red dice lie open, for a roller who may throw one of them again."""

    total: int
    red1: int
    red2: int

    def without(self, die: RedDie) -> int:
        """The total before a red die is taken off it."""
        return self.total + (self.red1 if die == "red1" else self.red2)


class OpenRoll(Check[OpenDice], Struct, frozen=True, cache_hash=True):
    """The same roll, when its red dice may still matter (SD-M14)."""

    roll: Roll

    @property
    def pool(self) -> Pool:
        return FOUR_DICE

    def read(self, faces: Faces) -> OpenDice:
        return OpenDice(net_of(faces) + self.roll.modifier, faces[2], faces[3])


class RedAgain(Check[int], Struct, frozen=True, cache_hash=True):
    """One red die thrown again, taken off `rest`; its new face stays (SD-M14)."""

    die: RedDie
    rest: int
    reading: Reading

    @property
    def pool(self) -> Pool:
        return Pool(1)

    def read(self, faces: Faces) -> int:
        return read(self.reading, self.rest - faces[0])
