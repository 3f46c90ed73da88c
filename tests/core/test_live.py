"""Live play is data: a step can stop anywhere, go on in another process, and never decides twice."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct
from msgspec.structs import replace

from systems.core import live
from systems.core.ask import PASS, Pass, asked, offer
from systems.core.dice import Pool, ScriptedDice, SeededDice
from systems.core.errors import Diverged, FacesMismatch, Illegal
from systems.core.game import CarryOut, Game, Message, Public, Step
from systems.core.live import Answered, Entry, Progress, Stamped, Thrown, Waiting
from systems.core.play import Play
from systems.core.seats import GM, Seat
from systems.core.system import Codec
from systems.core.values import Map

from .toy import SCUFFLE, Fight, Ninja, Reach, Spend, Strike, new_fight

A, B = Seat("s1", characters=("a",)), Seat("s2", characters=("b",))
STRIKE = Strike("a", "b")
NO_DICE = ScriptedDice([])


class Told(Game, frozen=True, cache_hash=True):
    told: tuple[str, ...] = ()


class Said(Public, Struct, frozen=True, cache_hash=True, tag="said"):
    what: str

    def applied(self, game: Told) -> Told:
        return replace(game, told=(*game.told, self.what))


class Yes(Message, Struct, frozen=True, cache_hash=True, tag="yes"):
    """The other answer."""


class Tell(Message, Struct, frozen=True, cache_hash=True, tag="tell"):
    """One step with a throw, a question, a throw, a question and a throw."""

    def carry_out(self, play: Play[Told], seat: Seat) -> None:
        play.emit(Said(f"{len(play.game.told)} told, begun at {play.now}"))
        play.check(Reach(7), "first")
        wants = play.ask(asked("a", "more", offer(Pass), offer(Yes)))
        play.emit(Said(f"{wants.id} at {play.now}"))
        if wants == Yes():
            play.check(Reach(7), "extra")
        play.emit(Said(str(play.check(Reach(7), "second"))))
        play.ask(asked("b", "more", offer(Pass), offer(Yes)))
        play.emit(Said(f"{play.check(Reach(7), 'third')} at {play.now}"))


class Empty(Step, Struct, frozen=True, cache_hash=True, tag="empty"):
    def run(self, play: Play[Any]) -> None:
        return


CODEC = Codec((sys.modules[__name__],))


def restarted(progress: Progress[Told]) -> Waiting[Told]:
    return CODEC.decode(CODEC.encode(progress.waiting), Waiting[Told])


def to_the_second_question() -> Waiting[Told]:
    progress = live.command(Told(), Tell(), A, ScriptedDice([4, 4]), now=10)
    return restarted(live.answer(restarted(progress), 0, PASS, A, ScriptedDice([1, 2]), now=20))


def test_the_transcript_is_what_was_thrown_asked_and_when() -> None:
    kinds = [type(entry) for entry in to_the_second_question().transcript]
    assert kinds == [Stamped, Thrown, Answered, Stamped, Thrown]


def test_time_is_that_of_each_message_in_every_rerun() -> None:
    waiting = to_the_second_question()
    done = live.answer(waiting, 0, PASS, B, ScriptedDice([6, 6]), now=30)
    assert done.game.told == ("0 told, begun at 10", "pass at 20", "False", "True at 30")


def test_a_stamp_of_zero_is_a_stamp() -> None:
    progress = live.command(Told(), Tell(), A, ScriptedDice([4, 4]), now=0)
    progress = live.answer(restarted(progress), 0, PASS, A, ScriptedDice([1, 2]), now=20)
    assert restarted(progress).seen.told[:2] == ("0 told, begun at 0", "pass at 20")


def test_what_was_thrown_and_told_comes_only_once() -> None:
    progress = live.command(Told(), Tell(), A, ScriptedDice([4, 4]))
    assert [throw.label for throw in progress.throws] == ["first"] and len(progress.events) == 3
    progress = live.answer(restarted(progress), 0, Yes(), A, ScriptedDice([3, 3, 5, 5]))
    assert [throw.label for throw in progress.throws] == ["extra", "second"] and len(progress.events) == 4


def entry(kind: type[Any], at: int = 0, **changes: Any) -> Callable[[Waiting[Told]], Waiting[Told]]:
    def changed(waiting: Waiting[Told]) -> Waiting[Told]:
        places = [place for place, one in enumerate(waiting.transcript) if isinstance(one, kind)]
        entries: list[Entry] = list(waiting.transcript)
        entries[places[at]] = replace(entries[places[at]], **changes)
        return replace(waiting, transcript=tuple(entries))

    return changed


def without(at: int) -> Callable[[Waiting[Told]], Waiting[Told]]:
    def changed(waiting: Waiting[Told]) -> Waiting[Told]:
        return replace(waiting, transcript=waiting.transcript[:at] + waiting.transcript[at + 1 :])

    return changed


CHANGES: dict[str, Callable[[Waiting[Told]], Waiting[Told]]] = {
    "label": entry(Thrown, label="another"),
    "label of the last throw": entry(Thrown, 1, label="another"),
    "pool": entry(Thrown, pool=Pool(3)),
    "sides": entry(Thrown, 1, pool=Pool(2, 8)),
    "faces that tell another story": entry(Thrown, 1, faces=(6, 6)),
    "answer": entry(Answered, answers=(Yes(),)),
    "who was asked": entry(Answered, asked=(("b", "more"),)),
    "topic": entry(Answered, asked=(("a", "less"),)),
    "time of an event": entry(Stamped, now=11),
    "a throw too few": without(1),
    "a window too few": without(2),
    "a throw too many": lambda one: replace(one, transcript=(*one.transcript, *one.transcript[1:2])),
    "shown event": lambda one: replace(one, shown=(*one.shown[:-1], Said("True"))),
    "an event too few": lambda one: replace(one, shown=one.shown[:-1]),
    "no event shown": lambda one: replace(one, shown=()),
    "state before": lambda one: replace(one, before=replace(one.before, told=("something",))),
    "another rule": lambda one: replace(one, before=replace(one.before, agenda=(Empty(),))),
    "another command": lambda one: replace(one, before=replace(one.before, agenda=(CarryOut(Yes(), A),))),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_changed_rule_or_record_diverges_and_throws_nothing(change: Callable[[Waiting[Told]], Waiting[Told]]) -> None:
    dice = SeededDice(bytes(32), "g", counter=5)
    with pytest.raises(Diverged):
        live.answer(change(to_the_second_question()), 0, PASS, B, dice)
    assert dice.counter == 5


def test_dice_that_run_out_are_no_divergence() -> None:
    with pytest.raises(FacesMismatch, match="third"):
        live.answer(to_the_second_question(), 0, PASS, B, NO_DICE)


THREE = Fight(ninja=Map({"a": Ninja(), "b": Ninja(), "c": Ninja(3, 0)}), turn="a")


@pytest.mark.parametrize("order", list(permutations(range(3))), ids=str)
def test_the_order_of_sealed_answers_does_not_matter(order: tuple[int, ...]) -> None:
    answers = (Spend(), Spend(), PASS)
    progress = live.command(THREE, STRIKE, A, ScriptedDice([1, 1]))
    for at in order:
        assert progress.waiting and (not progress.events or at == order[0])
        progress = live.answer(progress.waiting, at, answers[at], GM, ScriptedDice([4, 2, 5, 5]))
    assert [one.charms for one in progress.game.ninja.values()] == [1, 0, 0], "b was lowest and spends"
    assert [throw.faces for throw in progress.throws] == [(4, 2), (5, 5)]


def test_sealed_answers_are_told_to_nobody() -> None:
    progress = live.command(THREE, STRIKE, A, ScriptedDice([1, 1]))
    assert progress.waiting
    half = live.answer(progress.waiting, 1, Spend(), B, NO_DICE)
    assert half.waiting and half.events == () == half.throws
    assert (half.game, half.waiting.seen) == (progress.waiting.before, progress.waiting.seen)
    assert half.waiting.window.open_for("b") == () and half.waiting.window.open_for("a") == (0,)


def test_an_open_question_is_not_veiled_and_a_veiled_window_is() -> None:
    assert not to_the_second_question().window.veiled
    waiting = live.command(THREE, STRIKE, A, ScriptedDice([1, 1])).waiting
    assert waiting and waiting.window.veiled and len(waiting.window.questions) == 3, "who has no charm is asked too"


def test_nobody_answers_twice_for_another_or_out_of_place() -> None:
    waiting = live.command(THREE, STRIKE, A, ScriptedDice([1, 1])).waiting
    assert waiting
    half = live.answer(waiting, 0, PASS, A, NO_DICE).waiting
    assert half
    for at, seat in [(0, A), (1, A), (3, GM), (-1, GM), (0, GM)]:
        with pytest.raises(Illegal, match="not_asked"):
            live.answer(half, at, PASS, seat, NO_DICE)
    with pytest.raises(Illegal, match="not_offered"):
        live.answer(half, 2, Spend(), GM, NO_DICE)


def test_a_gm_who_is_asked_for_two_characters_answers_each() -> None:
    gm = Seat("gm", "gm", ("b", "c"))
    waiting = live.command(THREE, STRIKE, A, ScriptedDice([1, 1])).waiting
    assert waiting
    for at in (1, 2):
        assert waiting.window.open_for("bc"[at - 1]) == (at,)
        waiting = live.answer(waiting, at, PASS, gm, NO_DICE).waiting
        assert waiting
    assert waiting.window.open_for("a") == (0,) and not waiting.window.complete
    assert live.answer(waiting, 0, PASS, A, NO_DICE).game.turn == "b"


def test_silence_says_what_the_question_says_it_means() -> None:
    waiting = live.command(new_fight("a", "b"), STRIKE, A, ScriptedDice([1, 1])).waiting
    assert waiting
    half = live.silence(waiting, 0, NO_DICE).waiting
    assert half and half.window.given == Map({0: PASS})
    assert live.silence(half, 1, NO_DICE).game == live.answer(half, 1, PASS, B, NO_DICE).game


def test_no_command_while_a_step_waits() -> None:
    waiting = live.command(new_fight("a", "b"), STRIKE, A, ScriptedDice([1, 1])).waiting
    assert waiting and waiting.before.agenda
    with pytest.raises(Illegal, match="decision_pending"):
        live.command(waiting.before, STRIKE, A, NO_DICE)


FRESH = """
import sys
from systems.core import live
from systems.core.dice import SeededDice
from systems.core.live import Waiting
from tests.core.toy import SCUFFLE, Fight, Spend
from tests.core.test_live import GM
waiting = SCUFFLE.codec.decode(sys.stdin.buffer.read(), Waiting[Fight])
progress = live.answer(waiting, 0, Spend(), GM, SeededDice(bytes(32), "g", 2), now=7)
while progress.waiting:
    progress = live.silence(progress.waiting, len(progress.waiting.window.given), SeededDice(bytes(32), "g", 40), now=7)
    sys.stdout.buffer.write(SCUFFLE.codec.encode(progress))
"""


def fresh_process(raw: bytes, hash_seed: str) -> bytes:
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
    command = [sys.executable, "-c", FRESH]
    root = Path(__file__).parents[2]
    return subprocess.run(command, input=raw, env=environment, cwd=root, capture_output=True, check=True).stdout


def test_a_fresh_process_with_another_hash_seed_reaches_the_same_state() -> None:
    waiting = live.command(THREE, STRIKE, A, SeededDice(bytes(32), "g")).waiting
    raw = SCUFFLE.codec.encode(waiting)
    first, second = fresh_process(raw, "1"), fresh_process(raw, "4242")
    assert first == second and b'"charms":0' in first
