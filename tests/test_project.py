"""The house rules of the repository that a machine can check."""

from __future__ import annotations

import ast
import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from service.app import create_app
from service.settings import Settings
from systems.core.calls import resolve
from systems.core.dice import ScriptedDice

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
MODULES = sorted([*(ROOT / "systems").rglob("*.py"), *(ROOT / "service").rglob("*.py")])
MAX_FILE_LINES = 400
MAX_FUNCTION_LINES = 40
BANNED_WORDS = {"manager", "helper", "util", "utils", "handler", "processor", "data", "info"}
BANNED_WORDS |= {"base", "abstract", "impl"}
BANNED_STARTS = ("process_", "do_")
KNOWN_ONLY_TO_DICE = {"random", "secrets"}
UNKNOWN_TO_RULES = {"time", "datetime", "flask", "sqlalchemy", "redis", "celery"}

each_module = pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))


def text(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def nodes(path: Path, *kinds: type[ast.AST]) -> Iterator[Any]:
    return (node for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, kinds))


@each_module
def test_a_file_can_be_read_in_one_sitting(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= MAX_FILE_LINES


@each_module
def test_a_function_fits_a_screen(path: Path) -> None:
    functions = nodes(path, ast.FunctionDef, ast.AsyncFunctionDef)
    long = {one.name: size for one in functions if (size := one.end_lineno - one.lineno + 1) > MAX_FUNCTION_LINES}
    assert not long


def parts(name: str) -> list[str]:
    return [part.lower() for part in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", name)]


@each_module
def test_names_say_what_a_thing_is(path: Path) -> None:
    defined = [one.name for one in nodes(path, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)]
    banned = [one for one in defined if {*parts(one)} & BANNED_WORDS or one.startswith(BANNED_STARTS)]
    assert not banned


@each_module
def test_comments_are_no_banners_and_no_promises(path: Path) -> None:
    source = path.read_text(encoding="utf-8")
    assert not re.findall(r"^\s*#\s*[-=#*~]{4,}", source, re.MULTILINE)
    assert not re.findall(r"#.*\b(?:TODO|FIXME|XXX)\b", source)


def imported(path: Path) -> set[str]:
    found = [alias.name for one in nodes(path, ast.Import) for alias in one.names]
    found += [one.module for one in nodes(path, ast.ImportFrom) if one.module]
    return {name.split(".")[0] for name in found}


@pytest.mark.parametrize("path", [path for path in MODULES if "systems" in path.parts], ids=str)
def test_rules_know_no_clock_no_chance_and_no_server(path: Path) -> None:
    dice = path == ROOT / "systems" / "core" / "dice.py"
    assert not imported(path) & (UNKNOWN_TO_RULES if dice else UNKNOWN_TO_RULES | KNOWN_ONLY_TO_DICE)


def dependencies() -> list[str]:
    project = PROJECT["project"]
    wanted = [*project["dependencies"], *(one for many in project["optional-dependencies"].values() for one in many)]
    return [re.split(r"[^A-Za-z0-9_.-]", one)[0] for one in wanted]


@pytest.mark.parametrize("name", dependencies())
def test_every_dependency_has_its_reason(name: str) -> None:
    reasons = re.findall(rf"^\| `{re.escape(name)}` \| (.+) \|$", text("CONTRIBUTING.md"), re.MULTILINE)
    assert len(reasons) == 1 and len(reasons[0].split()) >= 4


def test_the_readme_begins_with_the_two_commands() -> None:
    first_screen = "\n".join(text("README.md").splitlines()[:60])
    assert "make up" in first_screen and "make test" in first_screen and "unofficial" in first_screen.lower()


def test_the_answer_in_the_readme_is_the_real_one() -> None:
    """With the faces that it shows, everything but its id, its time and where the faces came from."""
    shown = json.loads(re.findall(r"```json\n(.+?)```", text("README.md"), re.DOTALL)[0])
    asked = json.loads(re.findall(r"-d '(\{.+?\})'", text("README.md"))[0])
    path = f"/v1/systems/{shown['system']}/checks/{shown['check']}?odds=true"
    assert path in text("README.md")
    client = create_app(Settings(rate=0)).test_client()
    answer = client.post(path, json={**asked, "faces": shown["rolls"][0]["faces"]}).get_json()
    shown["rolls"][0]["source"] = "table"
    assert {**answer, "id": shown["id"], "at": shown["at"]} == shown


def test_the_commands_of_the_readme_exist() -> None:
    targets = {*re.findall(r"^([a-z]+):", text("Makefile"), re.MULTILINE)}
    named = {*re.findall(r"`make ([a-z]+)", text("README.md") + text("CONTRIBUTING.md"))}
    assert {"up", "test"} <= named <= targets


def test_every_setting_stands_in_the_readme() -> None:
    settings = [field.name.upper() for field in msgspec.structs.fields(Settings)]
    assert [name for name in settings if f"| `{name}` |" not in text("README.md")] == []
    assert len(settings) <= 12


def test_the_example_of_a_system_works_and_is_short() -> None:
    example = re.findall(r"```python\n(.+?)```", text("CONTRIBUTING.md"), re.DOTALL)[0]
    written: dict[str, Any] = {"__name__": __name__}
    exec(compile(example, "CONTRIBUTING.md", "exec"), written)
    coins = written["COINS"]
    thrown = resolve(coins.calls.checks["toss"], written["TossParams"](2), ScriptedDice([2, 2]))
    assert thrown.verdict.success and len(example.splitlines()) < 60


def test_the_licence_keeps_the_attribution() -> None:
    notice = re.search(r"based on Blades in the Dark.*?Unported license", text("systems/origins/data/ATTRIBUTION.md"))
    assert notice and notice[0] in text("LICENSE") and notice[0] in text("README.md")


def test_changes_are_written_down() -> None:
    assert "## [Unreleased]" in text("CHANGELOG.md")
    assert re.fullmatch(r"\d+\.\d+\.\d+", PROJECT["project"]["version"])


@pytest.mark.parametrize("game", PROJECT["project"]["entry-points"]["ninja_rules.systems"])
def test_every_system_is_described(game: str) -> None:
    assert "unofficial" in text(f"systems/{game}/README.md").lower()
    assert f"`{game}`" in text("README.md")
