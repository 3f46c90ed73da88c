"""POST characters/validate: every system checks a sheet, tells all errors at once, and derives a valid one."""

from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient

from service.app import create_app
from service.settings import Settings

CHUNIN = {
    "id": "akari",
    "name": "Akari",
    "clan": "kurama",
    "rank": "chunin",
    "skills": ["blade", "hand_to_hand", "speed", "escape", "analysis", "poison"],
    "ninpo": [
        {"ninpo_id": "close_combat_attack", "assigned_skill": "blade"},
        {"ninpo_id": "poison_fist"},
        {"ninpo_id": "domineer"},
        {"ninpo_id": "pg_calm_pulse"},
        {"ninpo_id": "pc_answering_steel"},
    ],
    "ohgi": [{"id": "edge", "name": "Final Edge", "type": "critical_hit", "assigned_skill": "blade"}],
    "gear": {"soma_pill": 2},
}
VALID: list[tuple[str, dict[str, Any], str, Any]] = [
    ("shinobigami", CHUNIN, "lp", 6),
    ("origins", {"name": "Ren", "dots": {"blades": 2}, "chakra": 10, "honor": 4}, "max_mission_difficulty", "advanced"),
    ("ninja_slayer", {"karate": 5, "neuron": 1, "wazamae": 3, "jitsu": 1}, "hp_max", 5),
    (
        "shinobido",
        {"attributes": {"intellect": 1, "wits": 2, "strength": 2, "agility": 2, "tenacity": 1, "charisma": 1}},
        "health",
        5,
    ),
]
FAULTY: list[tuple[str, dict[str, Any], list[str]]] = [
    (
        "shinobigami",
        {**CHUNIN, "clan": "nobody", "gear": {"bomb": 7}},
        ["gear_count", "gear_limit", "gear_type_unknown"],
    ),
    ("origins", {"dots": {"juggling": 9}, "chakra": 11, "honor": -11}, ["chakra_out_of_range", "honor_out_of_range"]),
    ("ninja_slayer", {"karate": 9, "neuron": 4, "wazamae": 4}, ["ability_out_of_range", "creation_points_exceeded"]),
    ("shinobido", {"attributes": {"wits": 7, "luck": 1}}, ["attribute_missing", "attribute_out_of_range"]),
]


@pytest.fixture(scope="module")
def client() -> FlaskClient:
    return create_app(Settings(rate=0)).test_client()


@pytest.mark.parametrize(("system", "sheet", "field", "value"), VALID)
def test_a_valid_sheet_is_derived(
    client: FlaskClient, system: str, sheet: dict[str, Any], field: str, value: Any
) -> None:
    for body in ({"character": sheet}, {"params": {"character": sheet}}):
        answer = client.post(f"/v1/systems/{system}/characters/validate", json=body).json
        assert (answer["outcome"]["valid"], answer["outcome"]["errors"], answer["errors"]) == (True, [], [])
        assert answer["outcome"]["derived"][field] == value


@pytest.mark.parametrize("language", ["en", "ja", "ko"])
@pytest.mark.parametrize(("system", "sheet", "codes"), FAULTY)
def test_all_errors_come_at_once_with_a_sentence(
    client: FlaskClient, system: str, sheet: dict[str, Any], codes: list[str], language: str
) -> None:
    path = f"/v1/systems/{system}/characters/validate"
    answer = client.post(path, json={"character": sheet}, headers={"Accept-Language": language})
    assert answer.status_code == 200
    found = answer.json
    assert found["outcome"]["valid"] is False and set(codes) <= set(found["outcome"]["errors"])
    assert found["outcome"]["errors"] == sorted(found["outcome"]["errors"])
    assert [one["code"] for one in found["errors"]] == found["outcome"]["errors"]
    assert all(len(one["detail"]) > 10 and "{" not in one["detail"] for one in found["errors"])
    assert "derived" not in found["outcome"]


def test_a_sheet_of_the_wrong_form_is_refused_field_by_field(client: FlaskClient) -> None:
    answer = client.post("/v1/systems/ninja_slayer/characters/validate", json={"character": {"karate": "5", "x": 1}})
    assert answer.status_code == 422
    assert {one["field"] for one in answer.json["errors"]} == {"params.character.karate", "params.character.x"}
