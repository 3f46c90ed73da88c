"""The same over HTTP at the same moment: one invite, one key, one view."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from werkzeug.test import TestResponse

from service.app import create_app
from service.settings import Settings
from tests.games.playing import SYSTEM

from .table import KEY, Seated

AT_ONCE = 8


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Seated]:
    app = create_app(Settings(rate=0, data=tmp_path), {SYSTEM.id: SYSTEM})
    yield Seated(app.test_client())
    app.extensions["ninja_rules.desk"].games.close()


def at_once(table: Seated, send: Callable[[Seated], TestResponse]) -> list[TestResponse]:
    """The answers of several clients, each in a thread of its own."""

    def one(_: int) -> TestResponse:
        own = Seated.__new__(Seated)
        own.__dict__ = {**table.__dict__, "client": table.client.application.test_client()}
        return send(own)

    with ThreadPoolExecutor(AT_ONCE) as pool:
        return list(pool.map(one, range(AT_ONCE)))


def statuses(answers: list[TestResponse]) -> Counter[int]:
    return Counter(one.status_code for one in answers)


def test_one_invite_seats_one(table: Seated) -> None:
    code = table.post("/seats", "gm", {"name": "c"}).json["invite"]
    answers = at_once(table, lambda own: own.client.post(f"/v1/invites/{code}"))
    assert statuses(answers) == {200: 1, 422: AT_ONCE - 1}


def test_one_key_acts_once(table: Seated) -> None:
    answers = at_once(table, lambda own: own.strikes(Idempotency_Key=KEY))
    assert statuses(answers) == {200: AT_ONCE} and table.seq() == 1
    assert len({one.data for one in answers}) == 1
    assert sum("Idempotency-Replayed" not in one.headers for one in answers) == 1


def test_one_view_decides_once(table: Seated) -> None:
    mark = table.etag()
    answers = at_once(table, lambda own: own.strikes(If_Match=mark))
    assert statuses(answers) == {200: 1, 412: AT_ONCE - 1}


def test_one_key_creates_one_game(table: Seated) -> None:
    body, key = {"system": "scuffle"}, {"Idempotency-Key": KEY}
    answers = at_once(table, lambda own: own.client.post("/v1/games", json=body, headers=key))
    assert statuses(answers) == {201: AT_ONCE}
    assert len({one.data for one in answers}) == 1
