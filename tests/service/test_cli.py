"""The command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from service import cli
from service.cli import main
from service.usecases.coverage import covered, report
from systems.core.system import Rule, System

from .trial import TRIAL


@pytest.fixture(autouse=True)
def only_the_trial(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cli, "installed", lambda: {"trial": TRIAL})
    monkeypatch.setenv("LC_ALL", "C.UTF-8")


def test_roll_takes_parameters_as_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["roll", "trial", "leap", "target=2", "style=wild", 'gear=[{"name": "rope"}]']) == 0
    assert json.loads(capsys.readouterr().out)["outcome"]["success"] is True


def test_roll_takes_a_whole_body(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["roll", "trial", "leap", "--json", '{"faces": [3, 5], "label": "ditch"}']) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["label"], found["outcome"]["total"]) == ("ditch", 8)


def test_odds_of_a_check_and_of_a_question(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["odds", "trial", "leap"]) == 0
    assert json.loads(capsys.readouterr().out)["odds"]["success"] == "7/12"
    assert main(["odds", "trial", "chances"]) == 0
    assert json.loads(capsys.readouterr().out)["outcome"]["chance"] == "1/36"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["roll", "trail", "leap"], "trial"),
        (["roll", "trial", "leep"], "leap"),
        (["roll", "trial", "leap", "target"], "key=value"),
        (["roll", "trial", "leap", "target=x"], "params.target"),
        (["roll", "trial", "leap", "--json", "{"], "JSON"),
        (["roll", "trial", "leap", "a=1", "--json", "{}"], "not both"),
        (["coverage", "nope"], "trial"),
    ],
)
def test_errors_are_one_clear_line(capsys: pytest.CaptureFixture[str], arguments: list[str], said: str) -> None:
    assert main(arguments) != 0
    told = capsys.readouterr().err
    assert told.count("\n") == 1 and told.startswith("ninja-rules: ") and said in told


def test_the_language_of_the_terminal_is_spoken(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", "ja_JP.UTF-8")
    main(["roll", "trial", "leep"])
    assert "判定" in capsys.readouterr().err


TR = "TR-"  # written apart, so that this file does not name the rules itself


class Small(System):
    """A system with one rule of each standing."""

    id, package = "small", "tests.service"
    calls = TRIAL.calls
    rules = {  # type: ignore[assignment] # noqa: RUF012
        f"{TR}3": Rule("rule", "check", "leaps"),
        f"{TR}4": Rule("rule", "check", "too high"),
        f"{TR}90": Rule("rule", "check", "missing"),
        f"{TR}91": Rule("rule", "game", "later"),
        f"{TR}92": Rule("advice", "advice", "be nice"),
        f"{TR}93": Rule("rule", "check", "not ours", left_out="a question of taste"),
    }


def test_coverage_says_how_every_rule_stands(tmp_path: Path) -> None:
    (tmp_path / "test_leap.py").write_text("# TR-3\n")
    found = covered(Small(), tmp_path)
    assert {one.id: one.state for one in found.rules} == {
        "TR-3": "implemented and tested",
        "TR-4": "implemented only",
        f"{TR}90": "missing",
        f"{TR}91": "not yet (needs a game)",
        f"{TR}92": "advice",
        f"{TR}93": "left out",
    }
    assert "TR-9" in found.unknown
    told = report(Small(), tests=tmp_path, only_missing=True)
    assert f"{TR}90" in told and "TR-4 " in told and f"{TR}92" not in told
