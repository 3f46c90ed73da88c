"""The dice can be checked by everybody: commitments first, secrets at the end, and every roll in between."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from service import cli
from service.problems import Problem
from service.usecases.games import epochs, reading
from service.usecases.games.verify import BadProof, verified

from .conftest import refused
from .toy_games import BRAWLS, Hall


def _end(hall: Hall) -> dict[str, Any]:
    return epochs.end_epoch(hall.desk(), hall.asked("gm")).answer


def _proof(hall: Hall, who: str = "b") -> dict[str, Any]:
    return epochs.proof(hall.desk(), hall.asked(who))


def _go(hall: Hall, who: str, target: str) -> None:
    hall.strikes(who, target)
    hall.until_the_end()


def test_a_running_epoch_shows_its_commitment_only(hall: Hall) -> None:
    before = _proof(hall)
    _go(hall, "a", "b")
    assert _proof(hall) == before
    (one,) = before["epochs"]
    assert one["commitment"] == hall.view("a")["dice_commitment"]
    assert one["secret"] is None and "rolls" not in one


def test_an_ended_epoch_shows_its_secret_and_every_roll(hall: Hall) -> None:
    committed = hall.view("a")["dice_commitment"]
    _go(hall, "a", "b")
    thrown = hall.faces()
    (event,) = (one for one in _end(hall)["events"] if one["type"] == "EpochEnded")
    assert sha256(bytes.fromhex(event["secret"])).hexdigest() == committed
    first, second = _proof(hall)["epochs"]
    assert first["secret"] == event["secret"] and [one["faces"] for one in first["rolls"]] == thrown
    assert second["secret"] is None and second["commitment"] == hall.view("b")["dice_commitment"] != committed
    events = {one["id"]: one for one in hall.events("b")["events"]}
    assert all(events[one["event"]]["label"] == one["label"] for one in first["rolls"])


def test_the_proof_holds_over_undo_and_several_epochs(hall: Hall) -> None:
    start = hall.view("gm")["cursor"]
    _go(hall, "a", "b")
    hall.undo(start)
    _go(hall, "a", "b")
    _end(hall)
    counters = [one["counter"] for one in _proof(hall)["epochs"][0]["rolls"]]
    assert counters == sorted(set(counters)), "dice that came again are listed once"
    _go(hall, "b", "a")
    epochs.close(hall.desk(), hall.asked("gm"), "gm")
    verdict = verified(json.dumps(_proof(hall)).encode())
    assert verdict.holds and len(verdict.lines) == 2, verdict.lines


def test_dice_whose_secret_is_open_do_not_come_again(hall: Hall) -> None:
    start = hall.view("gm")["cursor"]
    _go(hall, "a", "b")
    _end(hall)
    hall.undo(start)
    _go(hall, "a", "b")
    _end(hall)
    verdict = verified(json.dumps(_proof(hall)).encode())
    assert verdict.holds, verdict.lines
    first, second, _ = _proof(hall)["epochs"]
    assert second["rolls"][0]["counter"] == 0 and second["rolls"] != first["rolls"]


@pytest.mark.parametrize("who", ["a", "b"])
def test_only_the_gm_ends_and_only_between_commands(hall: Hall, who: str) -> None:
    for act in (epochs.end_epoch, lambda desk, asked: epochs.close(desk, asked, "all")):
        with refused("not_gm"):
            act(hall.desk(), hall.asked(who))
    hall.strikes("a", "b")
    with refused("decision_pending"):
        _end(hall)


def test_a_closed_game_is_over(hall: Hall) -> None:
    _go(hall, "a", "b")
    epochs.close(hall.desk(), hall.asked("gm"), "all")
    assert hall.view("a")["closed"] is True
    start = hall.events("gm")["events"][0]["id"]
    for act in (lambda: hall.strikes("b", "a"), lambda: _end(hall), lambda: hall.undo(start)):
        with refused("game_closed"):
            act()
    assert all(one["secret"] for one in _proof(hall)["epochs"])
    whole = reading.log(hall.desk(), hall.asked("b"), None, 500)["log"]
    assert all("message" in one for one in whole), "the log is open to all"


def test_real_dice_are_listed_without_proof(tmp_path: Path) -> None:
    hall = Hall(tmp_path, dice="table")
    hall.strikes("a", "b", faces=(1, 1))
    hall.gm_does("gm_cancel")
    _end(hall)
    (roll,) = _proof(hall)["epochs"][0]["rolls"]
    assert roll["counter"] is None and roll["faces"] == [1, 1]
    assert "1 of real dice not checked" in verified(json.dumps(_proof(hall)).encode()).lines[0]


def test_a_tampered_proof_differs(hall: Hall) -> None:
    _go(hall, "a", "b")
    _go(hall, "b", "a")
    _end(hall)
    plain = _proof(hall)
    rolls = plain["epochs"][0]["rolls"]
    other = {**rolls[0], "faces": [face % 6 + 1 for face in rolls[0]["faces"]]}
    for changed in (
        {"secret": "0" * 64},
        {"commitment": "0" * 64},
        {"rolls": [other, *rolls[1:]]},
        {"rolls": rolls[1:]},
        {"rolls": [rolls[0], *rolls]},
    ):
        document = {**plain, "epochs": [{**plain["epochs"][0], **changed}, plain["epochs"][1]]}
        verdict = verified(json.dumps(document).encode())
        assert not verdict.holds and "DIFFERS" in verdict.lines[0], changed


@pytest.mark.parametrize("raw", [b"[]", b"{}", b'{"game": "g", "algorithm": "rot13", "epochs": []}', b"{"])
def test_what_is_no_proof_is_said_clearly(raw: bytes) -> None:
    with pytest.raises((BadProof, Problem)):
        verified(raw)


def test_the_command_line_verifies(hall: Hall, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _go(hall, "a", "b")
    _end(hall)
    file = tmp_path / "proof.json"
    file.write_text(json.dumps(_proof(hall)))
    assert cli.main(["verify", str(file)]) == 0
    assert capsys.readouterr().out.splitlines()[1] == "epoch 2: still running, only its commitment is known"
    file.write_text(json.dumps(_proof(hall)).replace('"counter": 0', '"counter": 1'))
    assert cli.main(["verify", str(file)]) == 1
    assert "DIFFERS" in capsys.readouterr().out
    for bad in ("nothing.json", str(tmp_path), __file__):
        assert cli.main(["verify", bad]) != 0
        assert capsys.readouterr().err.count("\n") == 1


def test_the_command_line_invites(
    hall: Hall, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cli, "installed", lambda: {"scuffle": BRAWLS})
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{tmp_path}/games.db")
    assert cli.main(["invite", hall.id, "--role", "gm"]) == 0
    assert hall.redeems(capsys.readouterr().out.strip())["seat"] == "gm"
    assert cli.main(["invite", "g_none"]) == 1
    assert capsys.readouterr().err.startswith("ninja-rules: ")
