"""Dice: pools, the sources that throw them, and the record that every throw leaves."""

from __future__ import annotations

import hashlib
import hmac
import random
import secrets
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from systems.core.errors import FacesMismatch, TooManyDice

MAX_DICE_PER_THROW = 200
MAX_DICE_PER_REQUEST = 2_000
PROOF_ALGORITHM = "hmac-sha256-1"

Faces = tuple[int, ...]
Source = Literal["server", "seeded", "table", "recorded", "fast"]


class Pool(Struct, frozen=True, cache_hash=True):
    """`count` dice with faces 1..`sides`, thrown together.

    A rule gets the faces highest first, so that it cannot depend on the order of the throw; `ordered` keeps the order
    in which the dice fell, for rules that point at a die or read dice by place.
    """

    count: int
    sides: int = 6
    ordered: bool = False

    @property
    def ways(self) -> int:
        """How many equally likely throws there are."""
        return int(self.sides**self.count)

    def arranged(self, faces: Faces) -> Faces:
        """The faces of a throw as a rule gets them."""
        return faces if self.ordered else tuple(sorted(faces, reverse=True))

    def fits(self, faces: Faces) -> bool:
        return len(faces) == self.count and all(1 <= face <= self.sides for face in faces)


class Dice(ABC):
    """A source of faces. `throw` gives them in the order in which the dice fell; `proof` says how to recompute them."""

    source: Source
    thrown = 0

    def throw(self, pool: Pool, label: str) -> tuple[Faces, str]:
        """Faces and proof of one throw.

        Raises `TooManyDice` beyond 200 dice a throw or 2,000 dice in the lifetime of this source (one request).
        """
        self.thrown += pool.count
        if pool.count > MAX_DICE_PER_THROW or self.thrown > MAX_DICE_PER_REQUEST:
            raise TooManyDice(pool.count, MAX_DICE_PER_THROW, MAX_DICE_PER_REQUEST)
        return self.faces(pool, label)

    @abstractmethod
    def faces(self, pool: Pool, label: str) -> tuple[Faces, str]: ...


class CryptoDice(Dice):
    """Randomness of the operating system; every face equally likely (rejection sampling)."""

    source = "server"

    def faces(self, pool: Pool, label: str) -> tuple[Faces, str]:
        width = (pool.sides - 1).bit_length() // 8 + 1
        limit = 256**width - 256**width % pool.sides
        faces: list[int] = []
        while len(faces) < pool.count:
            fresh = secrets.token_bytes(width * (pool.count - len(faces) + 2))
            starts = range(0, len(fresh), width)
            numbers = fresh if width == 1 else [int.from_bytes(fresh[at : at + width], "big") for at in starts]
            faces += [number % pool.sides + 1 for number in numbers if number < limit]
        return tuple(faces[: pool.count]), ""


class SeededDice(Dice):
    """Provable dice: HMAC-SHA256 of a 32-byte secret over game id and counter.

    The hash of the secret is published first (`commitment`), the secret at the end; `recompute` then gives the faces
    of any proof. The counter only ever rises.
    """

    source = "seeded"

    def __init__(self, secret: bytes, game: str, counter: int = 0) -> None:
        self._secret, self._game, self.counter = secret, game, counter

    @property
    def commitment(self) -> str:
        return hashlib.sha256(self._secret).hexdigest()

    def faces(self, pool: Pool, label: str) -> tuple[Faces, str]:
        proof = f"{PROOF_ALGORITHM}:{self._game}:{self.counter}"
        faces, self.counter = _provable(self._secret, self._game, self.counter, pool)
        return faces, proof


def _provable(secret: bytes, game: str, counter: int, pool: Pool) -> tuple[Faces, int]:
    limit = 2**64 - 2**64 % pool.sides
    faces: list[int] = []
    while len(faces) < pool.count:
        digest = hmac.digest(secret, f"{game}:{counter}".encode(), hashlib.sha256)
        counter += 1
        number = int.from_bytes(digest[:8], "big")
        if number < limit:
            faces.append(number % pool.sides + 1)
    return tuple(faces), counter


def recompute(secret: bytes, proof: str, pool: Pool) -> Faces:
    """The faces that a proof stands for; anyone who holds the revealed secret can check a roll with it.

    Raises `ValueError` if the proof was made by another algorithm.
    """
    algorithm, _, subject = proof.partition(":")
    if algorithm != PROOF_ALGORITHM:
        raise ValueError(f"unknown proof algorithm {algorithm!r}")
    game, _, counter = subject.rpartition(":")
    return _provable(secret, game, int(counter), pool)[0]


class ScriptedDice(Dice):
    """Faces that were thrown elsewhere (real dice, a recording, a test). They must fit and be used up exactly."""

    source: Source = "table"

    def __init__(self, faces: Sequence[int], source: Source = "table") -> None:
        self._left, self._used = list(faces), 0
        self.source = source

    def faces(self, pool: Pool, label: str) -> tuple[Faces, str]:
        faces = tuple(self._left[: pool.count])
        if not pool.fits(faces):
            raise FacesMismatch(label, pool.count, pool.sides, self._used, faces)
        del self._left[: pool.count]
        self._used += pool.count
        return faces, ""

    def close(self) -> None:
        """Raises `FacesMismatch` if faces are left that no rule threw."""
        if self._left:
            raise FacesMismatch("", 0, 0, self._used, tuple(self._left))


class FastDice(Dice):
    """A fast seeded source for simulations; the same seed gives the same faces everywhere. Not for play."""

    source = "fast"

    def __init__(self, seed: int | str) -> None:
        self.random = random.Random(seed)

    def throw(self, pool: Pool, label: str) -> tuple[Faces, str]:
        return self.faces(pool, label)

    def faces(self, pool: Pool, label: str) -> tuple[Faces, str]:
        number = self.random.random
        return tuple([int(number() * pool.sides) + 1 for _ in range(pool.count)]), ""
