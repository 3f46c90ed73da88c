"""Dice are fair, provable, and never more than were asked for."""

from __future__ import annotations

import hmac
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import cycle, islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from systems.core.dice import (
    MAX_DICE_PER_REQUEST,
    MAX_DICE_PER_THROW,
    CryptoDice,
    Dice,
    FastDice,
    Pool,
    ScriptedDice,
    SeededDice,
    recompute,
)
from systems.core.errors import FacesMismatch, TooManyDice

SECRET = bytes(range(32))
SOURCES: list[Callable[[], Dice]] = [CryptoDice, lambda: SeededDice(SECRET, "g"), lambda: FastDice(7)]
pools = st.builds(Pool, st.integers(0, 30), st.integers(1, 100), st.booleans())


@pytest.mark.parametrize("source", SOURCES)
@given(pool=pools)
def test_faces_fit_the_pool(source: Callable[[], Dice], pool: Pool) -> None:
    assert pool.fits(source().throw(pool, "any")[0])


@pytest.mark.parametrize("source", SOURCES)
def test_every_face_comes(source: Callable[[], Dice]) -> None:
    dice = source()
    assert {face for _ in range(5) for face in dice.throw(Pool(200), "any")[0]} == set(range(1, 7))


@pytest.mark.parametrize("sides", [2, 3, 5, 6, 20, 66, 100, 128])
def test_rejection_is_unbiased_over_all_bytes(monkeypatch: pytest.MonkeyPatch, sides: int) -> None:
    """Of the 256 bytes each face gets exactly as many as every other; those beyond come often and count for nothing."""
    accepted = 256 - 256 % sides
    numbers: Iterator[int] = cycle([*range(accepted, 256)] * 7 + [*range(accepted)])
    monkeypatch.setattr("secrets.token_bytes", lambda count: bytes(next(numbers) for _ in range(count)))
    faces, _ = CryptoDice().faces(Pool(accepted, sides), "any")
    assert Counter(faces) == dict.fromkeys(range(1, sides + 1), accepted // sides)


@pytest.mark.parametrize("sides", [129, 256, 257, 1000])
def test_dice_of_more_sides_draw_two_bytes(monkeypatch: pytest.MonkeyPatch, sides: int) -> None:
    accepted = 65536 - 65536 % sides
    numbers = cycle([*range(accepted, 65536)] * 3 + [*range(accepted)])
    monkeypatch.setattr(
        "secrets.token_bytes", lambda count: b"".join(next(numbers).to_bytes(2, "big") for _ in range(count // 2))
    )
    faces, _ = CryptoDice().faces(Pool(accepted, sides), "any")
    assert Counter(faces) == dict.fromkeys(range(1, sides + 1), accepted // sides)


@given(pool=pools, game=st.text(max_size=8), counter=st.integers(0, 2**40), secret=st.binary(min_size=32, max_size=32))
def test_a_proof_recomputes_its_faces(pool: Pool, game: str, counter: int, secret: bytes) -> None:
    faces, proof = SeededDice(secret, game, counter).throw(pool, "any")
    assert recompute(secret, proof, pool) == faces


def published(secret: bytes, game: str, counter: int, sides: int) -> Iterator[int]:
    """The faces as somebody works them out who has only read how it is done."""
    while True:
        drawn = hmac.new(secret, f"{game}:{counter}".encode(), "sha256").digest()[:8]
        number, counter = int.from_bytes(drawn, "big"), counter + 1
        if number < 2**64 // sides * sides:
            yield number % sides + 1


@pytest.mark.parametrize("sides", [6, 100, 2**63 + 1, 3 * 2**61])
def test_anyone_can_work_out_the_faces(sides: int) -> None:
    faces, proof = SeededDice(SECRET, "g:1", 17).throw(Pool(50, sides), "any")
    assert proof == "hmac-sha256-1:g:1:17"
    assert faces == tuple(islice(published(SECRET, "g:1", 17, sides), 50))


@given(st.lists(st.integers(1, 20), min_size=2, max_size=8))
def test_the_counter_only_rises(counts: list[int]) -> None:
    dice, before = SeededDice(SECRET, "g"), -1
    for count in counts:
        assert dice.counter > before
        before = dice.counter
        dice.throw(Pool(count), "any")
        assert dice.counter >= before + count


def test_another_game_secret_or_counter_gives_other_faces() -> None:
    pool = Pool(50)
    variants = [(SECRET, "g", 0), (SECRET, "h", 0), (SECRET[::-1], "g", 0), (SECRET, "g", 50)]
    assert len({SeededDice(*one).throw(pool, "any")[0] for one in variants}) == len(variants)


def test_the_commitment_says_nothing_but_binds_the_secret() -> None:
    assert SeededDice(SECRET, "g").commitment == "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"


@pytest.mark.parametrize("proof", ["", "other-1:g:0", "hmac-sha256-1", "hmac-sha256-1:g:x"])
def test_a_foreign_proof_is_refused(proof: str) -> None:
    with pytest.raises(ValueError):
        recompute(SECRET, proof, Pool(1))


@pytest.mark.parametrize("source", [SeededDice(SECRET, "fair"), FastDice("fair")])
def test_seeded_faces_are_uniform(source: Dice) -> None:
    seen = Counter(face for _ in range(300) for face in source.faces(Pool(100), "any")[0])
    n, p = seen.total(), 1 / 6
    assert all(abs(seen[face] - n * p) < 5 * (n * p * (1 - p)) ** 0.5 for face in range(1, 7))


@given(st.lists(st.integers(1, 6), min_size=1, max_size=20), st.data())
def test_scripted_dice_give_their_faces_in_order(faces: list[int], data: st.DataObject) -> None:
    dice, at = ScriptedDice(faces), 0
    while at < len(faces):
        count = data.draw(st.integers(1, len(faces) - at))
        assert dice.throw(Pool(count), "any")[0] == tuple(faces[at : at + count])
        at += count
    dice.close()


@pytest.mark.parametrize("faces", [[], [3], [3, 7], [0, 3]])
def test_scripted_faces_must_fit(faces: list[int]) -> None:
    with pytest.raises(FacesMismatch) as misfit:
        ScriptedDice(faces).throw(Pool(2), "strike")
    assert (misfit.value.label, misfit.value.count, misfit.value.sides) == ("strike", 2, 6)


def test_scripted_faces_must_be_used_up() -> None:
    dice = ScriptedDice([1, 2, 3])
    dice.throw(Pool(2), "any")
    with pytest.raises(FacesMismatch) as left:
        dice.close()
    assert left.value.got == (3,) and left.value.used == 2 and left.value.count == 0


@pytest.mark.parametrize("source", [CryptoDice, lambda: SeededDice(SECRET, "g"), lambda: ScriptedDice([1] * 3000)])
def test_no_more_dice_than_the_limits(source: Callable[[], Dice]) -> None:
    with pytest.raises(TooManyDice):
        source().throw(Pool(MAX_DICE_PER_THROW + 1), "any")
    dice = source()
    for _ in range(MAX_DICE_PER_REQUEST // MAX_DICE_PER_THROW):
        dice.throw(Pool(MAX_DICE_PER_THROW), "any")
    with pytest.raises(TooManyDice):
        dice.throw(Pool(1), "any")


def test_only_ordered_pools_keep_the_order_of_the_throw() -> None:
    assert Pool(3).arranged((2, 6, 4)) == (6, 4, 2)
    assert Pool(3, ordered=True).arranged((2, 6, 4)) == (2, 6, 4)


def test_the_same_seed_throws_the_same() -> None:
    assert FastDice(5).throw(Pool(50), "a") == FastDice(5).throw(Pool(50), "b") != FastDice(6).throw(Pool(50), "a")
