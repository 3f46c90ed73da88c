"""Every check is explained line by line, in English, Japanese and Korean (SD-P11, SD-P12)."""

from __future__ import annotations

import re
from typing import Any

import pytest

from systems.core.text import read_toml

from .by_name import BALANCED, EVEN, SYSTEM, net, person, resolved

ART = {"name": "web", "domain": "mental"}
EFFECTS = {"options": {"focus_effects": True}}
FALLING = {**BALANCED, "wounds": 4}
RICH = person(
    agility=2,
    strength=4,
    wounds=4,
    edges=["foxs_luck", "night_born"],
    specialties=[{"id": "blades", "attribute": "agility", "rank": 2, "tags": ["blade"]}],
)
DARK = {"penalty": [{"value": 2, "reason": "darkness"}], "award": 2, "concentrate": 1, "helpers": 1}

CASES: tuple[tuple[str, list[int], dict[str, Any]], ...] = (
    ("check", [*EVEN, 1], {"actor": RICH, "attribute": "agility", "tags": ["blade"], "reroll": "red1", **DARK}),
    ("check", net(-10), {"actor": person(), "attribute": "wits", "penalty": 12, "previous_failures": 1}),
    ("check", net(0), {"actor": person(wits=5), "attribute": "wits", "award": 3, "helpers": 3}),
    ("opposed_check", EVEN, {"actor": RICH, "attribute": "wits", "opponent": BALANCED, "opposing_attribute": "wits"}),
    ("contest", [*EVEN, *EVEN], {"a_modifier": 2}),
    ("contest", [*EVEN, *EVEN], {}),
    ("attack", EVEN, {"actor": RICH, "target": {**BALANCED, "guarding": True}}),
    ("attack", [*net(9), *net(5)], {"actor": RICH, "target": BALANCED}),
    ("attack", [*net(9), *net(-9)], {"actor": RICH, "target": FALLING}),
    ("attack", [*net(9), *EVEN, *net(2)], {"actor": RICH, "target": FALLING, "surge": "use"}),
    ("attack", [*net(9), *EVEN, *EVEN], {"actor": RICH, "target": FALLING, "surge": "use"}),
    (
        "attack",
        [*net(9), *net(-9)],
        {"actor": RICH, "target": FALLING, "surge": "decline", "options": {"lethality": "gritty"}},
    ),
    ("focus_attack", [*net(9), *EVEN], {"actor": person(wits=2), "target": BALANCED, "art": ART, "damage": 3}),
    (
        "focus_attack",
        [*net(9), *EVEN],
        {"actor": person(), "target": BALANCED, "art": ART, "damage": 1, "effect": "hinder", **EFFECTS},
    ),
    ("hazard", net(-2), {"target": FALLING, "damage_rating": 3, "surge": "decline"}),
    ("first_aid", EVEN, {"actor": person(intellect=4), "patient": FALLING, "in_combat": True, "self": True}),
    ("first_aid", EVEN, {"actor": person(intellect=4), "patient": person(wounds=3)}),
    ("first_aid", EVEN, {"actor": person(intellect=4), "patient": {**FALLING, "status": "dying"}}),
    ("flee", EVEN, {"actor": person(agility=1), "opponents": [person()]}),
    ("flee", EVEN, {"actor": person(), "opponents": [person()]}),
    ("flee", [], {"actor": person()}),
    ("heroic_surge", net(3), {"actor": RICH, "mode": "second_wind"}),
    ("heroic_surge", net(-3), {"actor": RICH, "mode": "second_wind"}),
    ("heroic_surge", net(-3), {"actor": RICH, "mode": "last_stand"}),
    ("shake_off", net(3), {"actor": person(hindrance=1, hindrance_attr="strength"), **EFFECTS}),
    ("shake_off", EVEN, {"actor": person(hindrance=1, hindrance_attr="strength"), **EFFECTS}),
    ("dying_check", net(9), {"actor": person(status="dying", overkill=3)}),
    ("dying_check", EVEN, {"actor": person(status="dying", overkill=3)}),
    ("roll_initiative", [*EVEN, *EVEN], {"combatants": [person(id="a"), person(id="b", wits=1)]}),
    ("surprise", [*EVEN, *net(3)], {"targets": [person(id="a"), person(id="b")], "ambushers_best_agility": 1}),
)


@pytest.mark.parametrize("language", ["en", "ja", "ko"])
@pytest.mark.parametrize(("name", "dice", "given"), CASES)
def test_every_line_is_a_sentence(name: str, dice: list[int], given: dict[str, Any], language: str) -> None:
    labels = SYSTEM.labels(language)
    lines = resolved(name, dice, given).report.explain
    assert lines
    for line in lines:
        assert line.rule in SYSTEM.rules
        assert labels.find("explain", line.key), line.key
        said = labels.explain(line)
        assert "…" not in said and "_" not in said, said


def test_every_check_is_among_the_cases() -> None:
    assert {name for name, _, _ in CASES} == set(SYSTEM.calls.checks)


def test_every_sentence_is_used() -> None:
    """No words without a rule."""
    used = {line.key for name, dice, given in CASES for line in resolved(name, dice, given).report.explain}
    assert used == set(read_toml("systems.shinobido", "labels/en.toml")["explain"])


@pytest.mark.parametrize(("name", "dice", "given"), [case for case in CASES if case[0] in ("check", "opposed_check")])
def test_the_parts_make_the_total(name: str, dice: list[int], given: dict[str, Any]) -> None:
    """SD-P12, SD-R07: each part stands by itself, and with the net they are the total."""
    resolution = resolved(name, dice, given)
    english = SYSTEM.labels("en")
    parts = [line for line in resolution.report.explain if line.key.startswith("part")]
    values = [int(re.findall(r"[+-]?\d+$", english.explain(line))[0]) for line in parts]
    outcome = resolution.report.outcome
    assert outcome.net + sum(values) == outcome.total  # type: ignore[union-attr]
