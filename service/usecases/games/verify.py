"""Whether a saved proof holds: offline, from what GET …/proof answered and nothing else."""

from __future__ import annotations

import hashlib
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from service.strictjson import load
from systems.core.dice import MAX_DICE_PER_THROW, PROOF_ALGORITHM, Pool, SeededDice

Count = Annotated[int, Meta(ge=0, le=MAX_DICE_PER_THROW)]
Sides = Annotated[int, Meta(ge=1, le=1_000_000)]
Counter = Annotated[int, Meta(ge=0, le=2**62)]
Secret = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]


class BadProof(ValueError):
    """The document is no proof; the text says why."""


class ProvenRoll(Struct, frozen=True):
    """One roll; those of real dice have no counter."""

    counter: Counter | None
    sides: Sides
    count: Count
    faces: tuple[int, ...]


class ProvenEpoch(Struct, frozen=True):
    """A commitment, and once it has ended the secret with every roll."""

    number: int
    commitment: str
    secret: Secret | None = None
    rolls: tuple[ProvenRoll, ...] = ()


class Proof(Struct, frozen=True):
    """What GET …/proof answers, as far as it is checked."""

    game: str
    algorithm: str
    epochs: tuple[ProvenEpoch, ...]


class Verdict(Struct, frozen=True):
    """A line for each epoch, and whether everything held."""

    lines: tuple[str, ...]
    holds: bool


def verified(raw: bytes) -> Verdict:
    """Check a saved proof. Raises `BadProof` for what is none, `Problem` for what is no JSON."""
    return _verdict(_read(load(raw)))


def _read(document: Any) -> Proof:
    try:
        proof = msgspec.convert(document, Proof)
    except msgspec.ValidationError as error:
        raise BadProof(f"this is no answer of GET …/proof: {error}") from None
    if proof.algorithm != PROOF_ALGORITHM:
        raise BadProof(f"the algorithm {proof.algorithm[:60]!r} is not known here, only {PROOF_ALGORITHM}")
    return proof


def _verdict(proof: Proof) -> Verdict:
    lines, holds = [], True
    for epoch in proof.epochs:
        differences = _differences(proof.game, epoch) if epoch.secret else []
        holds = holds and not differences
        lines.append(f"epoch {epoch.number}: " + ("; ".join(differences) or _held(epoch)))
    return Verdict(tuple(lines), holds)


def _held(epoch: ProvenEpoch) -> str:
    if epoch.secret is None:
        return "still running, only its commitment is known"
    proven = sum(one.counter is not None for one in epoch.rolls)
    real = len(epoch.rolls) - proven
    unchecked = f", {real} of real dice not checked" if real else ""
    return f"the secret fits its commitment, {proven} rolls fit{unchecked}"


def _differences(game: str, epoch: ProvenEpoch) -> list[str]:
    """What does not hold, in words: the commitment, faces, and dice that were thrown but are not listed."""
    secret = bytes.fromhex(epoch.secret or "")
    found: list[str] = []
    if hashlib.sha256(secret).hexdigest() != epoch.commitment:
        found.append("DIFFERS: the secret does not fit its commitment")
    following = 0
    for roll in epoch.rolls:
        if roll.counter is None:
            continue
        if roll.counter != following:
            found.append(f"DIFFERS: after counter {following} comes {roll.counter}, so rolls are missing or doubled")
        dice = SeededDice(secret, game, roll.counter)
        faces, _ = dice.faces(Pool(roll.count, roll.sides), "")
        following = dice.counter
        if faces != roll.faces:
            found.append(f"DIFFERS: the roll at counter {roll.counter} should be {list(faces)}, not {list(roll.faces)}")
    return found
