"""Every stateless operation gives what the contract says."""

from __future__ import annotations

from time import perf_counter
from typing import Any

import pytest
from flask.testing import FlaskClient
from marshmallow import Schema

from service.api import envelopes as shapes
from service.usecases.chances import MAX_BRANCHES, MAX_REMEMBERED, Chances

from .conftest import is_problem
from .trial import TRIAL

LEAP = "/v1/systems/trial/checks/leap"
ASKED = "/v1/systems/trial/checks/asked"


def fits(schema: type[Schema], answer: Any) -> dict[str, Any]:
    assert answer.status_code == 200, answer.text
    assert answer.headers["Content-Type"] == "application/json"
    found: dict[str, Any] = answer.json
    assert not schema().validate(found)
    return found


def test_a_check_tells_outcome_rolls_and_explanation(client: FlaskClient) -> None:
    found = fits(shapes.CheckAnswer, client.post(LEAP, json={"params": {"target": 8}, "label": "ditch"}))
    assert (found["system"], found["check"], found["label"]) == ("trial", "leap", "ditch")
    (roll,) = found["rolls"]
    assert roll["source"] == "server" and len(roll["faces"]) == 2
    assert found["outcome"]["total"] == sum(roll["faces"])
    assert found["outcome"]["success"] == (sum(roll["faces"]) >= 8)
    assert found["explain"] == [{"rule": "TR-3", "text": "leap"}]
    assert "odds" not in found


def test_real_dice_are_taken_in_the_order_in_which_they_are_thrown(client: FlaskClient) -> None:
    found = fits(shapes.CheckAnswer, client.post(LEAP, json={"faces": [3, 5]}))
    assert found["rolls"] == [{"label": "leap", "sides": 6, "faces": [3, 5], "source": "table"}]
    assert found["outcome"]["grade"] == "success"


@pytest.mark.parametrize(
    ("faces", "wanted"),
    [
        ([3], {"label": "leap", "count": 2, "sides": 6}),
        ([3, 7], {"label": "leap", "count": 2, "sides": 6}),
        ([1] * 3, None),
    ],
)
def test_faces_that_do_not_fit_are_told_what_is_thrown(client: FlaskClient, faces: list[int], wanted: Any) -> None:
    found = is_problem(client.post(LEAP, json={"faces": faces}), 422, "faces_mismatch")
    assert found["next"] == wanted
    assert found["errors"][0]["field"] == "faces"


def test_odds_stand_beside_the_answer_if_asked_for(client: FlaskClient) -> None:
    odds = fits(shapes.CheckAnswer, client.post(f"{LEAP}?odds=true", json={}))["odds"]
    assert odds["success"] == "7/12" and odds["success_float"] == 0.5833
    assert [one["grade"] for one in odds["outcomes"]] == ["success", "failure"]
    assert odds == fits(shapes.OddsAnswer, client.post(f"{LEAP}/odds", json={"faces": [1, 1]}))["odds"]


def test_a_check_without_success_has_odds_without_success(client: FlaskClient) -> None:
    odds = client.post(f"{ASKED}/odds", json={"answers": [{"action": "pass"}]}).json["odds"]
    assert odds["success"] is None and odds["success_float"] is None
    assert [(one["grade"], one["p"]) for one in odds["outcomes"]] == [("low", "1/2"), ("high", "1/2")]


def test_an_open_question_ends_the_check_there(client: FlaskClient) -> None:
    outcome = fits(shapes.CheckAnswer, client.post(ASKED, json={"faces": [2]}))["outcome"]
    assert outcome["grade"] == "pending" and outcome["success"] is None
    assert outcome["pending"]["topic"] == "again" and outcome["pending"]["about"] == "you"
    assert [one["action"] for one in outcome["pending"]["offers"]] == ["pass", "again"]


def test_an_open_question_stands_beside_every_outcome(client: FlaskClient) -> None:
    found = fits(shapes.CheckAnswer, client.post(ASKED, json={"faces": [2]}))
    assert found["pending"] == found["outcome"]["pending"]
    found = fits(shapes.CheckAnswer, client.post("/v1/systems/trial/checks/struck", json={}))
    assert found["outcome"]["pending"] == found["pending"]["topic"] == "surge_offer"
    assert [one["action"] for one in found["pending"]["offers"]] == ["pass", "again"]
    assert "pending" not in client.post(ASKED, json={"faces": [6]}).json


def test_answers_are_used_in_order(client: FlaskClient) -> None:
    body = {"faces": [2, 3], "answers": [{"action": "again", "params": {"plus": 1}}]}
    assert client.post(ASKED, json=body).json["outcome"]["grade"] == "high"


@pytest.mark.parametrize(
    ("answer", "field"),
    [
        ({"action": "fly"}, "answers.0.action"),
        ({"action": "again", "params": {"plus": 4}}, "answers.0.params.plus"),
        ({"action": "again", "params": {"minus": 1}}, "answers.0.params.minus"),
        ({"params": {}}, "answers.0.action"),
    ],
)
def test_answers_are_read_as_strictly_as_parameters(client: FlaskClient, answer: dict[str, Any], field: str) -> None:
    found = is_problem(client.post(ASKED, json={"faces": [2], "answers": [answer]}), 422, "invalid")
    assert [one["field"] for one in found["errors"]] == [field]


def test_a_refusal_of_the_rules_has_code_and_rule(client: FlaskClient) -> None:
    found = is_problem(client.post(LEAP, json={"params": {"target": 101}}), 422, "illegal")
    assert (found["code"], found["rule"]) == ("too_high", "TR-4")


def test_more_dice_than_fit_are_refused(client: FlaskClient) -> None:
    found = is_problem(client.post(ASKED, json={"params": {"dice": 201}}), 422, "too_many_dice")
    assert (found["per_throw"], found["per_request"]) == (200, 2000)


def test_odds_that_cost_too_much_are_refused(client: FlaskClient) -> None:
    found = is_problem(client.post("/v1/systems/trial/checks/wide/odds", json={}), 422, "odds_too_large")
    assert found["code"] == "odds_too_large" and found["limit"] > 0


def test_fractions_have_floats_of_the_same_shape_beside_them(client: FlaskClient) -> None:
    outcome = fits(shapes.QuestionAnswer, client.post("/v1/systems/trial/odds/chances", json={}))["outcome"]
    assert outcome == {
        "chance": "1/36",
        "chance_float": 0.0278,
        "distribution": {"2": "1/36", "3": "1/18"},
        "distribution_float": {"2": 0.0278, "3": 0.0556},
        "sure": False,
    }
    leap = client.post(LEAP, json={"params": {"share": "1/3"}}).json["outcome"]
    assert (leap["share"], leap["share_float"]) == ("1/3", 0.3333)


def test_a_character_is_checked_by_the_system(client: FlaskClient) -> None:
    for body in ({"params": {"character": {"name": "Akari"}}}, {"character": {"name": "Akari"}}):
        found = fits(shapes.SheetAnswer, client.post("/v1/systems/trial/characters/validate", json=body))
        assert found["outcome"] == {"valid": True, "errors": [], "warnings": []} and found["errors"] == []
    nameless = client.post("/v1/systems/trial/characters/validate", json={"character": {"name": ""}}).json
    assert [one["code"] for one in nameless["errors"]] == ["nameless"]


def test_tables_are_read_and_thrown_on(client: FlaskClient) -> None:
    table = fits(shapes.TableAnswer, client.get("/v1/systems/trial/tables/fate"))
    assert table["dice"] == "1d6" and table["rows"][3]["at"] == 4 and table["rows"][3]["facts"] == {"worth": 4}
    thrown = fits(shapes.TableRollAnswer, client.post("/v1/systems/trial/tables/fate/roll", json={"faces": [4]}))
    assert thrown["outcome"]["row"] == "row_4" and thrown["outcome"]["rows"][0]["facts"] == {"worth": 4}
    is_problem(client.post("/v1/systems/trial/tables/steps/roll", json={}), 422, "not_thrown_on")
    assert not client.get("/v1/systems/trial/tables/steps").json["thrown_on"]


def test_a_batch_gives_each_roll_its_answer_or_problem(client: FlaskClient) -> None:
    rolls = [
        {"system": "trial", "check": "leap", "faces": [6, 6], "label": "one"},
        {"system": "trail", "check": "leap"},
        {"system": "trial", "check": "leap", "params": {"target": "7"}},
        {"check": 5},
    ]
    found = fits(shapes.BatchAnswer, client.post("/v1/rolls?odds=true", json={"rolls": rolls}))["rolls"]
    assert found[0]["outcome"]["success"] and found[0]["odds"]["success"] == "7/12"
    assert [one.get("status") for one in found] == [None, 404, 422, 422]
    assert [one["field"] for one in found[3]["errors"]] == ["system", "check"]


def test_a_batch_throws_two_thousand_dice_in_all(client: FlaskClient) -> None:
    rolls = [{"system": "trial", "check": "asked", "params": {"dice": 200}, "answers": [{"action": "pass"}]}] * 11
    found = client.post("/v1/rolls", json={"rolls": rolls}).json["rolls"]
    assert [one.get("code") for one in found] == [None] * 10 + ["too_many_dice"]


def test_an_error_of_ours_in_one_roll_is_that_rolls_problem(client: FlaskClient) -> None:
    rolls = [{"system": "trial", "check": name} for name in ("leap", "bursts", "leap")]
    answer = client.post("/v1/rolls", json={"rolls": rolls}, headers={"X-Request-ID": "mine"})
    found = fits(shapes.BatchAnswer, answer)["rolls"]
    assert [one.get("status") for one in found] == [None, 500, None]
    assert found[1]["type"] == "/docs#unexpected" and found[1]["request_id"] == "mine"
    assert "secret" not in answer.text and "Traceback" not in answer.text


def test_odds_that_cost_too_much_are_refused_once_and_remembered(client: FlaskClient) -> None:
    body = {"params": {"throws": 100}}
    first, began = client.post("/v1/systems/trial/checks/crowd/odds", json=body), perf_counter()
    again = client.post("/v1/systems/trial/checks/crowd/odds", json=body)
    assert perf_counter() - began < 0.05
    assert is_problem(again, 422, "odds_too_large") == is_problem(first, 422, "odds_too_large")
    assert again.json["limit"] == MAX_BRANCHES


def test_the_odds_of_a_batch_share_a_budget(client: FlaskClient) -> None:
    rolls = [{"system": "trial", "check": "crowd", "params": {"throws": 5, "salt": at}} for at in range(100)]
    began = perf_counter()
    found = client.post("/v1/rolls?odds=true", json={"rolls": rolls}).json["rolls"]
    assert perf_counter() - began < 5
    codes = [one.get("code") for one in found]
    assert codes[0] is None and codes[-1] == "odds_too_large"
    alone = client.post("/v1/systems/trial/checks/crowd/odds", json={"params": rolls[-1]["params"]})
    assert alone.status_code == 200, "the refusal of a batch says nothing about the check alone"


def test_remembered_odds_do_not_fill_the_memory() -> None:
    chances, call = Chances(), TRIAL.calls.checks["leap"]
    for at in range(MAX_REMEMBERED + 50):
        chances.of(call, call.params(), (), str(at).encode())
    assert len(chances._found) == MAX_REMEMBERED


@pytest.mark.parametrize("count", [0, 101])
def test_a_batch_has_one_to_a_hundred_rolls(client: FlaskClient, count: int) -> None:
    rolls = [{"system": "trial", "check": "leap"}] * count
    is_problem(client.post("/v1/rolls", json={"rolls": rolls}), 422, "invalid")


def test_systems_tell_what_they_offer(client: FlaskClient) -> None:
    listed = fits(shapes.SystemsAnswer, client.get("/v1/systems"))["systems"]
    assert [one["id"] for one in listed] == ["trial"] and listed[0]["languages"] == ["en", "ja", "ko"]
    told = fits(shapes.SystemAnswer, client.get("/v1/systems/trial"))
    names = {one["name"]: one for one in told["names"]}
    assert {one["kind"] for one in names.values()} == {"check", "query", "odds"}
    assert [one["id"] for one in names["leap"]["grades"]] == ["success", "failure"]
    schema = told["schemas"]["params"][names["leap"]["params"]["$ref"].rsplit("/", 1)[1]]
    assert schema["properties"]["target"] == {
        "type": "integer", "minimum": -1_000_000, "maximum": 1_000_000, "default": 7,
    }  # fmt: skip
    assert schema["additionalProperties"] is False
    assert told["character"]["properties"]["character"] == {"$ref": "#/$defs/SheetParams"}


def test_what_seldom_changes_is_not_sent_twice(client: FlaskClient) -> None:
    first = client.get("/v1/systems/trial")
    again = client.get("/v1/systems/trial", headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")


@pytest.mark.parametrize(
    ("path", "kind", "close"),
    [
        ("/v1/systems/tria/checks/leap", "unknown_system", ["trial"]),
        ("/v1/systems/trial/checks/leep", "unknown_check", ["leap"]),
        ("/v1/systems/trial/queries/validate_charakter", "unknown_query", ["validate_character"]),
        ("/v1/systems/trial/odds/chance", "unknown_odds", ["chances"]),
        ("/v1/systems/trial/tables/fat/roll", "unknown_table", ["fate"]),
        ("/v1/systems/trial/odds/leap", "other_kind", None),
    ],
)
def test_unknown_names_are_answered_with_close_ones(client: FlaskClient, path: str, kind: str, close: Any) -> None:
    assert is_problem(client.post(path, json={}), 404, kind).get("close") == close
