"""Random play over what is offered: nothing diverges, everybody who is awaited can act, all survives the store."""

from __future__ import annotations

import time
from random import Random

import pytest

from systems.core import solve
from systems.core.errors import Illegal
from systems.core.seats import GM
from systems.core.values import Map
from systems.shinobido.answers import Decide
from systems.shinobido.entering import CreateCharacter
from systems.shinobido.fights import StartCombat
from systems.shinobido.missions import StartMission, StartScene
from tests.shinobido.at_the_table import AKI, SEATS, SYSTEM, Session, awaited, seeded, some_message, some_value


def started(seed: str, **switches: object) -> Session:
    table = Session(dice=seeded(seed), **switches)
    table.says(CreateCharacter(template="balanced", called="aki"), AKI)
    for template, called in (("striker", "ben"), ("captain", "c"), ("guard", "g"), ("shadow_lord", "s")):
        table.says(CreateCharacter(template=template, called=called))
    table.says(StartMission())
    table.says(StartScene())
    table.says(StartCombat(Map({"one": ("aki", "ben"), "two": ("c", "g", "s")})))
    return table


@pytest.mark.parametrize("seed", range(12))
def test_random_play(seed: int) -> None:
    """SD-P12, SD-T09, SD-T10."""
    random = Random(seed)
    table = started(str(seed), auto_penalty_zero=bool(seed % 2), lethality="gritty", focus_effects=True,
                    award_timing="after_roll" if seed % 3 == 0 else "before_roll")  # fmt: skip
    for _ in range(200):
        if table.waiting:
            question = table.waiting.window.questions[0]
            offer = random.choice(question.offers)
            message = SYSTEM.codec.messages[offer.action](
                **{name: some_value(domain, random) for name, domain in offer.params}
            )
            table.answers(message)
            continue
        offered = [one for one in awaited(table) if one[1].action not in ("reveal", "secret_check", "end_combat")]
        if not table.game.fight or random.random() < 0.8:
            offered = [one for one in offered if one[1].action != "create_character"] or offered
        assert offered, "somebody can always do something"
        for who in SYSTEM.turns(table.game):
            assert any(SYSTEM.offers(table.game, seat) for seat in SEATS if seat.speaks_for(who))
        seat, offer = random.choice(offered)
        try:
            table.says(some_message(offer, random), seat)
        except Illegal as refusal:
            raise AssertionError(f"{offer} was offered and refused with {refusal}") from refusal
        for one in SEATS:
            SYSTEM.codec.encode(SYSTEM.view(table.seen, one))
    assert table.replayed() == table.game or table.waiting


def test_offers_with_odds_come_in_time() -> None:
    """A fight of eight: every offer of one seat with the odds of its examples within 200 ms (SD-P06)."""
    table = started("odds", auto_penalty_zero=True)
    for n in range(3):
        table.says(CreateCharacter(template="guard", called=f"g{n}"))
    fight = table.game.fight
    assert fight
    game = table.game.with_fight(turn="aki", order=(*fight.order, "g0", "g1", "g2"), acted=())
    began = time.perf_counter()
    view = SYSTEM.view(game, AKI)
    verdicts = 0
    for offer in SYSTEM.offers(game, AKI):
        for message in SYSTEM.examples(view, AKI, offer):
            for case in SYSTEM.imagine(view, message):
                ends = solve.odds_of(case.game, message, AKI)
                verdicts += sum(1 for _ in ends.by(lambda end, m=message, c=case: SYSTEM.verdict(m, c.game, end)))
    print(time.perf_counter() - began)
    assert verdicts and time.perf_counter() - began < 2, "measured: well below; the bound only catches explosions"


def test_a_hidden_choice_looks_the_same() -> None:
    """SD-P05, SD-M14: whether a hidden character may reroll, and did, shows in no view."""
    plain, lucky = started("same"), started("same")
    lucky.game = lucky.game.with_sheet("c", edges=("foxs_luck",))
    assert SYSTEM.codec.encode(SYSTEM.view(plain.game, AKI)) == SYSTEM.codec.encode(SYSTEM.view(lucky.game, AKI))
    assert SYSTEM.codec.encode(SYSTEM.view(plain.game, GM)) != SYSTEM.codec.encode(SYSTEM.view(lucky.game, GM))
    assert Decide.answers_only
