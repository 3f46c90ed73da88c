"""Games over HTTP: create, look, command, answer, undo, read; keys sent twice, stale views, wrong tokens."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from service.app import create_app
from service.settings import Settings
from tests.games.playing import SYSTEM

from .conftest import is_problem
from .table import KEY, Seated
from .trial import TRIAL

SYSTEMS = {SYSTEM.id: SYSTEM, TRIAL.id: TRIAL}
PRIVATE = "private, no-store"


@pytest.fixture
def games(tmp_path: Path) -> FlaskClient:
    return create_app(Settings(rate=0, data=tmp_path), SYSTEMS).test_client()


@pytest.fixture
def alone(games: FlaskClient) -> Seated:
    """A game whose GM plays everybody."""
    return Seated(games)


def test_a_game_is_created(games: FlaskClient) -> None:
    made = games.post("/v1/games", json={"system": "scuffle", "title": "The gate", "name": "Mika"})
    assert made.status_code == 201
    told = made.json
    assert made.headers["Location"] == f"/v1/games/{told['id']}"
    assert made.headers["Cache-Control"] == PRIVATE
    assert told["token"].startswith("t_") and len(told["dice_commitment"]) == 64
    seen = games.get(made.headers["Location"], headers={"Authorization": f"Bearer {told['token']}"})
    assert seen.json["title"] == "The gate"
    assert seen.json["you"] == {"seat": "gm", "name": "Mika", "role": "gm", "characters": []}


def test_what_cannot_be_created(games: FlaskClient) -> None:
    is_problem(games.post("/v1/games", json={"system": "nowhere"}), 404, "unknown_system")
    assert is_problem(games.post("/v1/games", json={"system": "trial"}), 422, "no_games")["code"] == "no_games"
    body = {"system": "scuffle", "title": "x" * 201, "name": "", "options": {}, "more": 1}
    found = is_problem(games.post("/v1/games", json=body), 422, "invalid")
    assert {one["field"] for one in found["errors"]} == {"title", "name", "more"}
    body = {"system": "scuffle", "options": {"dice": "mine", "window_seconds": True, "stranger": 1}}
    found = is_problem(games.post("/v1/games", json=body), 422, "invalid")
    assert {one["field"] for one in found["errors"]} == {
        "options.dice", "options.window_seconds", "options.stranger",
    }  # fmt: skip


def test_the_same_key_creates_one_game(games: FlaskClient) -> None:
    body, key = {"system": "scuffle"}, {"Idempotency-Key": KEY}
    first, again = (games.post("/v1/games", json=body, headers=key) for _ in range(2))
    assert first.json == again.json and again.status_code == 201
    assert "Idempotency-Replayed" not in first.headers
    assert again.headers["Idempotency-Replayed"] == "true"
    other = games.post("/v1/games", json={**body, "title": "x"}, headers=key)
    assert is_problem(other, 422, "key_reused")["code"] == "key_reused"


def test_creating_may_need_an_api_key(tmp_path: Path) -> None:
    client = create_app(Settings(rate=0, data=tmp_path, api_keys=("open sesame", "k2")), SYSTEMS).test_client()
    body = {"system": "scuffle"}
    for given in ({}, {"Authorization": "Bearer wrong"}, {"Authorization": "k2"}, {"Cookie": "Authorization=k2"}):
        for path in ("/v1/games", "/v1/games/import"):
            refused = client.post(path, json=body, headers=given)
            is_problem(refused, 401, "no_api_key")
            assert refused.headers["WWW-Authenticate"] == "Bearer"
    is_problem(client.post("/v1/games?token=k2&access_token=k2", json=body), 401, "no_api_key")
    assert client.post("/v1/games", json=body, headers={"Authorization": "bearer k2"}).status_code == 201


def test_the_view_is_read_again_only_when_it_changed(alone: Seated) -> None:
    seen = alone.get("")
    mark = seen.headers["ETag"]
    assert seen.headers["Cache-Control"] == "private, no-cache"
    same = alone.get("", If_None_Match=mark)
    assert (same.status_code, same.data, same.headers["ETag"]) == (304, b"", mark)
    alone.strikes()
    fresh = alone.get("", If_None_Match=mark)
    assert fresh.status_code == 200 and fresh.headers["ETag"] != mark
    again = alone.get("")
    assert (again.data, again.headers["ETag"]) == (fresh.data, fresh.headers["ETag"])


def test_a_strike_is_answered_to_its_end(alone: Seated) -> None:
    struck = alone.strikes()
    assert struck.status_code == 200 and struck.headers["Cache-Control"] == PRIVATE
    assert [one["type"] for one in struck.json["events"]] == ["DiceRolled", "was_thrown"]
    assert struck.json["pending"]["paused"]
    assert len(struck.json["pending"]["questions"]) == 2
    is_problem(alone.strikes(by="b"), 422, "illegal")
    alone.until_the_end()
    assert alone.view()["waiting_for"] == [{"character": "b", "seat": "gm", "topic": "turn"}]


def test_a_command_sent_twice_with_a_key_happens_once(alone: Seated) -> None:
    first = alone.strikes(Idempotency_Key=KEY)
    again = alone.strikes(Idempotency_Key=KEY)
    assert first.json == again.json and alone.seq() == 1
    assert "Idempotency-Replayed" not in first.headers
    assert again.headers["Idempotency-Replayed"] == "true"
    assert is_problem(alone.strikes(by="b", Idempotency_Key=KEY), 422, "key_reused")
    question = first.json["pending"]["questions"][0]["id"]
    is_problem(alone.answers("gm", question, Idempotency_Key=KEY), 422, "key_reused")
    other = "n" * 22
    answered = alone.answers("gm", question, Idempotency_Key=other)
    assert alone.answers("gm", question, Idempotency_Key=other).json == answered.json
    assert alone.answers("gm", question).status_code == 422


@pytest.mark.parametrize("key", ["", "k" * 21, "k" * 65, "k" * 21 + " ", "k" * 21 + "é"])
def test_keys_have_their_form(alone: Seated, key: str) -> None:
    for path, body in POSTS.items():
        is_problem(alone.post(path, "gm", body, Idempotency_Key=key), 400, "bad_key")
    is_problem(
        alone.client.post("/v1/games", json={"system": "scuffle"}, headers={"Idempotency-Key": key}), 400, "bad_key"
    )


def test_a_stale_view_decides_nothing(alone: Seated) -> None:
    mark = alone.etag()
    assert alone.strikes(If_Match=mark).status_code == 200
    question = alone.questions("gm")[0]
    assert is_problem(alone.answers("gm", question, If_Match=mark), 412, "stale")["code"] == "stale"
    is_problem(alone.strikes(by="b", If_Match=mark), 412, "stale")
    is_problem(alone.strikes(by="b", If_Match='"nonsense"'), 412, "stale")
    assert alone.answers("gm", question, If_Match=alone.etag()).status_code == 200
    assert alone.answers("gm", alone.questions("gm")[0], If_Match="*").status_code == 200


def test_real_dice_are_handed_in(games: FlaskClient) -> None:
    table = Seated(games, dice="table")
    body: dict[str, Any] = {"command": "strike", "params": {"who": "a", "target": "b"}}
    is_problem(table.post("/commands", "gm", body), 422, "faces_mismatch")
    is_problem(table.post("/commands", "gm", {**body, "faces": [3, 7]}), 422, "faces_mismatch")
    struck = table.post("/commands", "gm", {**body, "faces": [3, 4]})
    assert struck.json["events"][0]["faces"] == [3, 4] and struck.json["events"][0]["source"] == "table"
    question = struck.json["pending"]["questions"][0]["id"]
    given = {"question": question, "answer": {"action": "pass"}, "faces": [1]}
    is_problem(table.post("/answers", "gm", given), 422, "faces_mismatch")
    is_problem(Seated(games).post("/commands", "gm", {**body, "faces": [3, 4]}), 422, "server_throws")


def test_bodies_are_told_all_their_errors(alone: Seated) -> None:
    body = {"command": 1, "params": [], "faces": ["1", True, 0], "x": 1}
    found = is_problem(alone.post("/commands", "gm", body), 422, "invalid")
    assert {one["field"] for one in found["errors"]} == {"command", "params", "faces.0", "faces.1", "faces.2", "x"}
    wrong = {"command": "strike", "params": {"who": 1, "more": 2}}
    found = is_problem(alone.post("/commands", "gm", wrong), 422, "invalid")
    assert {one["field"] for one in found["errors"]} == {"params.who", "params.target", "params.more"}
    found = is_problem(alone.post("/commands", "gm", {"command": "strick"}), 422, "unknown_command")
    assert found["close"] == ["strike"]
    is_problem(alone.answers("gm", "q_1"), 422, "illegal")
    found = is_problem(alone.post("/answers", "gm", {"answer": {}}), 422, "invalid")
    assert {one["field"] for one in found["errors"]} == {"question", "answer.action"}


def test_offers_and_odds(games: FlaskClient) -> None:
    table = Seated(games).all_sit()
    plain = table.get("/offers", "a")
    assert [one["command"] for one in plain.json["offers"]] == ["strike"]
    assert plain.headers["Cache-Control"] == PRIVATE and "odds" not in plain.json["offers"][0]
    told = table.get("/offers?odds=true", "a").json["offers"][0]["odds"]
    assert told[0]["cases"][0]["success"]
    is_problem(table.get("/offers?odds=yes", "a"), 422, "invalid")
    before = table.get("").data
    asked = table.post("/odds", "a", {"command": "strike", "params": {"who": "a", "target": "b"}})
    assert len(asked.json["cases"]) == 2 and "b" in asked.json["assumptions"]
    assert table.get("").data == before
    is_problem(table.post("/odds", "a", {"command": "strike", "params": {}}), 422, "invalid")
    assert table.get("/offers", "watcher").json["offers"] == []
    is_problem(table.strikes("watcher"), 422, "spectators_watch")


def test_a_standing_answer_is_given_by_itself(alone: Seated) -> None:
    kept = {"topic": "reroll_strike", "answer": {"action": "pass"}, "until": "revoked"}
    assert alone.send("PUT", "/standing-answers", "gm", kept).status_code == 200
    assert alone.view()["standing_answers"] == [
        {"topic": "reroll_strike", "answer": {"action": "pass", "params": {}}, "until": "revoked"}
    ]
    topics = [one["topic"] for one in (alone.strikes().json["pending"] or {"questions": []})["questions"]]
    assert "reroll_strike" not in topics
    assert alone.send("PUT", "/standing-answers", "gm", {**kept, "answer": None}).status_code == 200
    assert alone.view()["standing_answers"] == []
    found = is_problem(alone.send("PUT", "/standing-answers", "gm", {"topic": "x", "until": "later"}), 422, "invalid")
    assert {one["field"] for one in found["errors"]} == {"answer", "until"}


def test_undo_goes_back_and_the_same_act_throws_the_same(alone: Seated) -> None:
    cursor, faces = alone.view()["cursor"], alone.strikes().json["events"][0]["faces"]
    undone = alone.post("/undo", "gm", {"to": cursor})
    assert undone.status_code == 200 and not alone.view()["paused"]
    assert alone.strikes().json["events"][0]["faces"] == faces
    is_problem(alone.post("/undo", "gm", {"to": "nonsense"}), 422, "bad_cursor")
    is_problem(alone.post("/undo", "gm", {}), 422, "invalid")


def test_events_and_log_are_read_in_parts(alone: Seated) -> None:
    alone.strikes()
    alone.until_the_end()
    whole = alone.get("/events")
    assert whole.headers["Cache-Control"] == PRIVATE and not whole.json["more"]
    told: list[Any] = []
    part = {"more": True, "cursor": ""}
    while part["more"]:
        after = f"&after={part['cursor']}" if part["cursor"] else ""
        part = alone.get(f"/events?limit=2{after}").json
        told += part["events"]
    cursor = part["cursor"]
    assert told == whole.json["events"] and cursor == alone.view()["cursor"]
    log = alone.get("/log")
    assert log.headers["Cache-Control"] == PRIVATE
    assert [one["kind"] for one in log.json["log"]][:2] == ["created", "command"]
    rest = alone.get(f"/log?limit=1&after={alone.get('/log?limit=1').json['cursor']}").json["log"]
    assert rest[0]["kind"] == "command"


@pytest.mark.parametrize("path", ["/events", "/log"])
@pytest.mark.parametrize("limit", ["0", "501", "-1", "1.0", "%201", "٣", "x", "9" * 5_000])
def test_limits_are_numbers(alone: Seated, path: str, limit: str) -> None:
    found = is_problem(alone.get(f"{path}?limit={limit}"), 422, "invalid")
    assert found["errors"][0]["field"] == "limit"
    is_problem(alone.get(f"{path}?after=nonsense"), 422, "bad_cursor")


READS = ["", "/offers", "/events", "/log"]
POSTS: dict[str, Any] = {
    "/commands": {"command": "strike", "params": {"who": "a", "target": "b"}},
    "/answers": {"question": "q_1", "answer": {"action": "pass"}},
    "/undo": {"to": "x"},
}


def test_every_route_needs_a_token_of_this_game(games: FlaskClient) -> None:
    table, other = Seated(games), Seated(games)
    token = table.tokens["gm"]
    calls = [*(("GET", path, None) for path in READS), *(("POST", path, body) for path, body in POSTS.items())]
    calls.append(("POST", "/odds", POSTS["/commands"]))
    calls.append(("PUT", "/standing-answers", {"topic": "x", "answer": None}))
    for method, path, body in calls:
        nobody = table.send(method, path, None, body)
        is_problem(nobody, 401, "no_token")
        assert nobody.headers["WWW-Authenticate"] == "Bearer"
        is_problem(table.send(method, f"{path}?token={token}&access_token={token}", None, body), 401, "no_token")
        is_problem(table.send(method, path, None, body, Cookie=f"token={token}"), 401, "no_token")
        is_problem(table.send(method, path, None, body, Authorization=f"Basic {token}"), 401, "no_token")
        for wrong in (other.tokens["gm"], "t_wrong", "é"):
            is_problem(table.send(method, path, wrong, body), 404, "unknown_game")
        place = f"/v1/games/g_nowhere{path}"
        bearer = {"Authorization": f"Bearer {token}"}
        is_problem(games.open(place, method=method, json=body, headers=bearer), 404, "unknown_game")
        is_problem(
            games.open(place.replace("g_nowhere", "%00"), method=method, json=body, headers=bearer), 404, "unknown_game"
        )


def test_wrong_methods_and_media_types(alone: Seated) -> None:
    for path in POSTS:
        is_problem(alone.send("PUT", path, "gm", {}), 405, "wrong_method")
        bearer = {"Authorization": f"Bearer {alone.tokens['gm']}"}
        for media in (None, "text/plain", "application/x-www-form-urlencoded"):
            told = alone.client.post(f"/v1/games/{alone.id}{path}", data=b"{}", content_type=media, headers=bearer)
            is_problem(told, 415, "not_json")
        told = alone.client.post(
            f"/v1/games/{alone.id}{path}", data=b" " * 70_000, content_type="application/json", headers=bearer
        )
        is_problem(told, 413, "too_large")
    is_problem(alone.send("POST", "", "gm", {}), 405, "wrong_method")


def test_gm_acts(alone: Seated) -> None:
    alone.strikes()
    acts = [one["command"] for one in alone.get("/offers").json["offers"]]
    assert acts == ["gm_answer", "gm_skip", "gm_cancel"]
    question = alone.questions("gm")[0]
    skipped = alone.post("/commands", "gm", {"command": "gm_skip", "params": {"question": question}})
    assert skipped.status_code == 200
    cancelled = alone.post("/commands", "gm", {"command": "gm_cancel", "params": {"reason": "a mistake"}})
    assert cancelled.json["events"][-1]["type"] == "Cancelled" and not alone.view()["paused"]


def test_refusals_are_told_in_the_callers_language(alone: Seated) -> None:
    alone.strikes()
    told = {one: alone.strikes(by="b", Accept_Language=one).json["detail"] for one in ("en", "ja", "ko")}
    assert len(set(told.values())) == 3, told


def test_without_its_database_nothing_is_said_but_come_again(tmp_path: Path) -> None:
    away = tmp_path / "secret_place"
    away.write_text("no directory")
    client = create_app(Settings(rate=0, data=away), SYSTEMS).test_client()
    bearer = {"Authorization": "Bearer t_x"}
    for refused in (
        client.post("/v1/games", json={"system": "scuffle"}),
        client.get("/v1/games/g_x", headers=bearer),
        client.post("/v1/games/g_x/commands", json={"command": "strike"}, headers=bearer),
        client.get("/readyz"),
    ):
        is_problem(refused, 503, "store_away")
        assert refused.headers["Retry-After"] == "5" and "secret_place" not in refused.text
    assert client.get("/healthz").status_code == 200


def test_it_is_ready_without_a_cache(games: FlaskClient) -> None:
    assert games.get("/readyz").json == {"status": "ready", "degraded": ["cache"]}


def test_the_description_tells_commands_answers_and_switches(games: FlaskClient) -> None:
    told = games.get("/v1/systems/scuffle").json
    strike = next(one for one in told["commands"] if one["name"] == "strike")
    assert strike["params"]["required"] == ["who", "target"] and "type" not in strike["params"]["properties"]
    assert {"gm_answer", "gm_skip", "gm_cancel"} <= {one["name"] for one in told["commands"]}
    assert "pass" in {one["name"] for one in [*told["answers"], *told["commands"]]}
    assert told["switches"]["properties"] == {}
    none = games.get("/v1/systems/trial").json
    assert (none["commands"], none["answers"], none["switches"]) == ([], [], None)
