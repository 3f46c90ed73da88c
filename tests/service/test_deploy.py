"""The files that put the service somewhere name what exists."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

from service.cli import _parser
from service.settings import Settings

DEPLOY = Path(__file__).parents[2] / "deploy"
SETTINGS = {name.upper() for name in Settings.__struct_fields__}
COMPOSE = yaml.safe_load((DEPLOY / "compose.yaml").read_text())


def test_at_most_a_dozen_settings() -> None:
    assert len(SETTINGS) <= 12


@pytest.mark.parametrize("file", ["Containerfile", "ninja-rules.service"])
def test_only_settings_that_exist_are_set(file: str) -> None:
    lines = re.findall(r"^(?:ENV |Environment=)(.*)$", (DEPLOY / file).read_text(), re.MULTILINE)
    named = {pair.split("=")[0] for line in lines for pair in line.split()}
    assert named and named <= SETTINGS


def test_the_composed_parts_fit_together() -> None:
    services = COMPOSE["services"]
    assert set(services["api"]["environment"]) <= SETTINGS
    assert services["api"]["environment"]["REDIS_URL"].startswith("redis://cache:")
    build = services["api"]["build"]
    assert (DEPLOY / build["context"] / build["dockerfile"]).is_file()
    assert "reverse_proxy api:8000" in (DEPLOY / "Caddyfile").read_text()
    assert {one.split(":")[0] for part in services.values() for one in part.get("volumes", ())} - {
        "./Caddyfile"
    } == set(COMPOSE["volumes"])


def test_what_is_started_is_the_command_that_exists() -> None:
    assert 'CMD ["ninja-rules", "serve"]' in (DEPLOY / "Containerfile").read_text()
    assert "/ninja-rules serve" in (DEPLOY / "ninja-rules.service").read_text()
    assert _parser().parse_args(["serve"]).run


def test_the_image_gets_all_that_the_build_needs() -> None:
    copied = re.findall(r"^COPY (.*) \S+$", (DEPLOY / "Containerfile").read_text(), re.MULTILINE)
    named = {name for line in copied for name in line.split()}
    assert {"pyproject.toml", "README.md", "LICENSE", "systems", "service"} == named
    assert all((DEPLOY.parent / name).exists() for name in named)
