"""Whole attacks and volleys by name: the steps of a game, decided by the plan (9.3, 10.1, 10.2, 11)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from systems.core import solve
from systems.core.ask import asked
from systems.core.calls import odds
from systems.core.convert import to_struct
from systems.core.errors import Illegal, OddsTooLarge
from systems.core.play import PolicyAnswers
from systems.core.seats import GM, Seat
from systems.core.values import Map
from systems.ninja_slayer.exchange import Evade
from systems.ninja_slayer.fight import DECLINE_EVASION, Blow, Fight, Hit
from systems.ninja_slayer.policies import POLICIES, Glance, dice_for, glance
from systems.ninja_slayer.sequence import Melee, MeleePart
from systems.ninja_slayer.sheet import Character
from systems.ninja_slayer.view import seen

from .asking import CALLS, exact, refused, throw, told

ATTACKER: dict[str, Any] = {"karate": 13, "wazamae": 7, "hp": 5, "spirit": 3, "evasion_now": 5}
TARGET: dict[str, Any] = {"karate": 5, "neuron": 4, "hp": 5, "spirit": 3, "evasion_now": 5}


def attack(dice: str, *parts: int, plan: list[dict[str, int]] | None = None, **params: Any) -> dict[str, Any]:
    given = {"attacker": ATTACKER, "target": TARGET, "parts": parts, "evasion_plan": plan or [], **params}
    return throw("attack_sequence", dice, **given)


def test_a_plan_has_one_entry_for_each_hit() -> None:
    """A missed part uses up none; without an entry nobody tries."""
    done = attack("11 41 44" + "1", 2, 2, 2, plan=[{"evasion": 1}])
    missed, first, second = done["parts"]
    assert missed == {"successes": 0, "hit": False, "satsubatsu": False, "namu": False}
    assert (first["evasion_successes"], first["evaded"], "evasion_successes" in second) == (0, False, False)
    assert (done["target"]["hp"], done["target"]["evasion_now"], done["success"]) == (3, 4, True)


def test_success_counts_are_told_in_full() -> None:
    """The rule tells them apart only as far as the plan can answer them; the record counts all."""
    assert attack("444411" + "4", 6, plan=[{"evasion": 1}])["parts"][0]["successes"] == 4


def test_counter_in_hard_mode_and_evaded() -> None:
    """NS-K03, NS-O04, NS-K02, NS-K04: UH after namu in hard mode; the counter stands at HARD and deals 1."""
    done = attack(
        "666" + "6666" + "15",
        3,
        atmosphere="hard",
        plan=[{"evasion": 4, "counter_evasion": 2}],
        attacker={**ATTACKER, "evasion_mods": [-1]},
    )
    part = done["parts"][0]
    assert (part["evasion_difficulty"], part["counter_difficulty"], part["counter_evaded"]) == ("UH", "NORMAL", True)
    assert done["attacker"]["evasion_now"] == 3 and done["success"] is False


def test_only_ninja_counter_and_mobs_cannot_evade_one() -> None:
    """NS-K01, NS-K05, NS-K06; a mob felled by a counter attacks no further (NS-A19, NS-RUL22)."""
    assert (
        "counter"
        not in attack("4" + "444", 1, plan=[{"evasion": 3}], target={**TARGET, "category": "boss"})["parts"][0]
    )
    mob = {"category": "mob", "karate": 3, "hp": 1, "skills": ["multi_attack_2"]}
    done = attack("4 41" + "44", 1, 2, plan=[{"evasion": 2}], attacker=mob)
    assert done["parts"][0]["counter_evaded"] is False and done["parts"][1]["cancelled"] is True
    assert done["attacker"]["state"] == "out"
    assert "counter" not in attack("4" + "44", 1, type="shuriken", plan=[{"evasion": 2}])["parts"][0]


def test_hits_on_those_who_fell_or_left() -> None:
    """NS-A18, NS-RUL22, NS-A20: a rolled satsubatsu stays one; parts against nobody are wasted."""
    weak = {**TARGET, "hp": 1}
    fallen = attack("4 66 4" + "1", 1, 2, 1, target=weak, plan=[{}, {"evasion": 2}])
    assert [part.get("row") for part in fallen["parts"]] == [None, 1, None]
    assert (fallen["grade"], fallen["target"]["spirit"]) == ("unconscious", 0)
    gone = attack("66 4" + "6", 2, 1)
    assert gone["parts"][0]["instant_death"] is True and gone["parts"][1]["wasted"] is True
    assert gone["grade"] == "exploded" and gone["success"] is True
    down = attack("", 3, 2, style="strong", target={**TARGET, "hp": 0, "state": "unconscious", "spirit": 9})
    assert [part["auto"] for part in down["parts"]] == [True, True] and down["target"]["spirit"] == 5


def test_styles_in_a_sequence() -> None:
    """NS-G23, NS-G24, NS-X11, NS-S12, NS-W15."""
    strong = attack("55", 2, style="strong")["parts"][0]
    assert strong["damage_before_reduction"] == 2
    precise = attack("666 4" + "5", 3, 1, style="precise", tsuda_on_six=True)["parts"]
    assert (precise[0]["row"], precise[0]["final_damage"]) == (5, 1), "no heavy blow in any case"
    six = attack("64 4", 2, 1, tsuda_on_six=True)["parts"]
    assert [part["final_damage"] for part in six] == [2, 1]


def test_a_mob_is_taken_off() -> None:
    """NS-S08."""
    done = attack("66", 2, target={"category": "mob", "hp": 3})
    assert done["parts"][0]["removed"] is True and done["target"]["state"] == "out" and done["success"] is True


@pytest.mark.parametrize(
    ("params", "code"),
    [
        ({"attacker": {"state": "unconscious"}}, "unconscious_cannot_act"),  # NS-H12
        ({"parts": [4, 4, 4, 1]}, "too_many_attacks"),  # NS-A13
        ({"attacker": {"karate": 6}, "parts": [2, 2]}, "too_many_attacks"),
        (
            {"style": "strong", "attacker": {"pool": 9, "skills": ["multi_attack_5"]}, "parts": [1] * 4},
            "too_many_attacks",
        ),
        ({"parts": [3, 0]}, "split_part_empty"),  # NS-A12
        ({"parts": [7, 7]}, "split_exceeds_pool"),
        ({"style": "cartwheel"}, "style_type_mismatch"),
        ({"style": "strong", "type": "shuriken"}, "style_type_mismatch"),
        ({"evasion_plan": [{"evasion": 6}]}, "insufficient_evasion_dice"),  # NS-E03
        ({"parts": [1, 1], "evasion_plan": [{"evasion": 3}, {"evasion": 3}]}, "insufficient_evasion_dice"),
        ({"evasion_plan": [{"emergency": 1}]}, "insufficient_emergency_dice"),
        ({"evasion_plan": [{"counter_evasion": 6}]}, "insufficient_evasion_dice"),
        ({"target": {"category": "mob", "hp": 1}, "evasion_plan": [{"evasion": 1}]}, "mob_cannot_evade"),
        ({"target": {"state": "unconscious"}, "evasion_plan": [{"evasion": 1}]}, "evasion_not_allowed"),
    ],
)
def test_sequences_refused(params: dict[str, Any], code: str) -> None:
    assert refused("attack_sequence", **{"attacker": ATTACKER, "target": TARGET, "parts": [1], **params}) == code


def test_the_story_names_every_step() -> None:
    lines = told(
        "attack_sequence", "41" + "44" + "", attacker=ATTACKER, target=TARGET, parts=[2], evasion_plan=[{"evasion": 2}]
    )
    assert lines[1:] == [
        "Part 1: 1 success(es).",
        "Part 1: 2 dice at NORMAL, 2 success(es), evaded.",
        "Counter karate against part 1.",
        "The counter lands for 1.",
        "Damage 1.",
        "Vitality falls by 1.",
    ]


class Follow:
    """Decides as the plan of a request does."""

    def answer(self, question: Any, look: Any) -> Any:
        if question.topic != "evasion":
            return question.assumed
        dice = {("t", "1"): 2, ("t", "2"): 3, ("a", "1"): 1, ("a", "2"): 0}[question.about, question.subject]
        return Evade(dice) if dice else DECLINE_EVASION


def test_caps_change_no_probability() -> None:
    """The check, which knows the plan, tells fewer successes apart than the command, which does not."""
    sheets = {name: to_struct(raw, Character) for name, raw in (("a", ATTACKER), ("t", TARGET))}
    answers = PolicyAnswers(dict.fromkeys("at", Follow()), glance)
    parts = (MeleePart("t", 5), MeleePart("t", 4))
    whole = solve.odds_of(Fight(fighters=Map(sheets)), Melee("a", parts), GM, answers)
    by_plan = exact(
        "attack_sequence",
        attacker=ATTACKER,
        target=TARGET,
        parts=[5, 4],
        evasion_plan=[{"evasion": 2, "counter_evasion": 1}, {"evasion": 3}],
    )
    assert whole.by(lambda game: game.fighters["t"].condition).weights == by_plan.by(lambda end: end.grade).weights


def test_odds_that_would_not_fit_are_refused_at_once() -> None:
    with pytest.raises(OddsTooLarge):
        exact(
            "attack_sequence",
            attacker={"pool": 50, "skills": ["multi_attack_5"]},
            target=TARGET,
            parts=[9] * 5,
            evasion_plan=[{"evasion": 5}],
        )
    with pytest.raises(OddsTooLarge):
        exact("mob_volley", count=50, pool=2, shots=4, time_lag=True, type="firearm", target=TARGET)
    with pytest.raises(OddsTooLarge):
        exact(
            "attack_sequence",
            attacker={"pool": 7, "skills": ["multi_attack_7"]},
            target=TARGET,
            parts=[1] * 7,
            evasion_plan=[{"evasion": 1}] * 5,
        )
    many = exact("mob_volley", count=10, pool=2, shots=10, type="firearm", target=TARGET)
    assert sum(p for _, p in many) == 1, "shots that hit alike meet again"
    call = CALLS.checks["mob_volley"]
    volley = to_struct({"count": 12, "pool": 2, "type": "firearm", "target": TARGET}, call.params)
    assert sum(p for _, p in odds(call, volley)) == 1


def volley(dice: str, count: int, pool: int, **params: Any) -> dict[str, Any]:
    return throw("mob_volley", dice, **{"count": count, "pool": pool, "type": "firearm", "target": TARGET, **params})


def test_all_unstaggered_shots_are_one_bundle() -> None:
    """NS-E10, NS-E11, NS-E12, NS-E15, NS-RUL23, NS-C25: mob by mob, each all its shots."""
    done = volley("4 1 5 6" + "3", 2, 1, shots=2, evasion_difficulty="EASY", evasion_plan=[{"evasion": 1}])
    assert done["bundles"] == [
        {"damage": 3, "successes": 3, "evasion_difficulty": "EASY", "evaded": True, "evasion_successes": 1}
    ]


def test_waves_and_a_target_that_falls_between() -> None:
    """NS-E13, NS-E14, NS-E07: an empty bundle is one, too."""
    target = {**TARGET, "hp": 1}
    done = volley(
        "4 4 1 1 4 1" + "", 2, 1, shots=3, time_lag=True, target=target, evasion_plan=[{}, {}, {"evasion": 2}]
    )
    assert [one["damage"] for one in done["bundles"]] == [1, 2, 0]
    assert (done["grade"], done["target"]["spirit"]) == ("unconscious", 1)


@pytest.mark.parametrize(
    ("hits", "damage", "difficulty"), [(3, 1, "HARD"), (6, 2, "HARD"), (9, 2, "HARD"), (10, 3, "UH")]
)
def test_barrage(hits: int, damage: int, difficulty: str) -> None:
    """NS-E18, NS-E19, NS-RUL24."""
    bundle = volley("4" * hits + "1" * (10 - hits), 10, 1, barrage=True)["bundles"][0]
    assert (bundle["damage"], bundle["evasion_difficulty"]) == (damage, difficulty)
    assert bundle["barrage"] is True


@pytest.mark.parametrize("dice", ["44111", "11111"])
def test_no_barrage_of_too_few_hits(dice: str) -> None:
    """NS-E20: only the throw shows that the total is below 3; without a declaration nothing is wrong with it."""
    with pytest.raises(Illegal) as refusal:
        volley(dice, 5, 1, barrage=True, evasion_plan=[{"evasion": 2}])
    assert refusal.value.code == "barrage_not_possible"
    assert volley(dice, 5, 1)["bundles"][0]["damage"] == dice.count("4")


def test_odds_of_a_barrage() -> None:
    """NS-E19, NS-E20: what the barrage itself does; three mobs of one die come to one in an eighth of all throws."""
    ended = exact("mob_volley", count=3, pool=1, type="firearm", target=TARGET, barrage=True)
    assert ended.where(lambda end: bool(end.success)) == Fraction(1, 8)


@pytest.mark.parametrize(
    ("params", "code"),
    [
        ({"type": "melee"}, "barrage_not_possible"),  # NS-E20
        ({"type": "jutsu"}, "barrage_not_possible"),
        ({"time_lag": True, "shots": 2}, "barrage_not_possible"),
        ({"count": 2}, "barrage_not_possible"),
        ({"target": {**TARGET, "category": "boss"}}, "barrage_not_possible"),  # NS-E21
        ({"barrage": False, "evasion_difficulty": "?"}, "unknown_difficulty"),
        ({"barrage": False, "evasion_plan": [{"evasion": 6}]}, "insufficient_evasion_dice"),
        ({"barrage": False, "target": {"category": "mob"}, "evasion_plan": [{"evasion": 1}]}, "mob_cannot_evade"),
    ],
)
def test_volleys_refused(params: dict[str, Any], code: str) -> None:
    given = {"count": 5, "pool": 1, "type": "firearm", "target": TARGET, "barrage": True, **params}
    assert refused("mob_volley", **given) == code


def test_a_boss_meets_hit_by_hit() -> None:
    """NS-E21, NS-RUL56."""
    boss = {**TARGET, "category": "boss"}
    done = volley("4 1 5" + "41", 3, 1, target=boss, evasion_plan=[{"evasion": 1}, {"evasion": 1}])
    assert [(one["damage"], one["evaded"]) for one in done["bundles"]] == [(1, True), (1, False)]


def test_blows_of_mobs_and_the_entitlement_to_counter() -> None:
    """NS-K09: more than the sum; misses add nothing."""
    done = volley("44 11 41" + "4444", 3, 2, type="melee", evasion_plan=[{"evasion": 4}])
    assert done["bundles"][0]["successes"] == 3 and done["bundles"][0]["counter_available"] is True
    assert volley("4", 1, 1, type="melee")["bundles"][0]["counter_available"] is False


def test_volleys_at_the_fallen_and_the_exploding() -> None:
    """NS-A20 without a throw; NS-A18: what comes after is wasted."""
    fallen = volley("", 2, 3, target={**TARGET, "hp": 0, "spirit": 5, "state": "unconscious"})
    assert fallen["bundles"][0]["successes"] == 2 and fallen["target"]["spirit"] == 3
    gone = volley("4 4 4 4", 2, 1, shots=2, time_lag=True, target={"hp": 1, "spirit": 0})
    assert gone["bundles"][1]["wasted"] is True and gone["grade"] == "exploded"


def test_policies() -> None:
    """Section 25: fewest dice for 80 %, for satsubatsu and namu 95 %; any offer may be declined (NS-C26, NS-K11)."""
    sure, surer = Fraction(4, 5), Fraction(19, 20)
    assert [dice_for(3, sure), dice_for(4, sure), dice_for(3, surer), dice_for(4, surer)] == [3, 4, 5, 8]
    assert {*POLICIES} == {"auto", "decline", "counter_always", "evade_baseline"}
    ninja = {"a": Character(karate=5, hp=1, evasion_now=9), "t": Character(karate=5, hp=1, spirit=0, evasion_now=4)}
    game, blow = Fight(fighters=Map(ninja)), Melee("a", (MeleePart("t", 2),))
    ends = {}
    for name, policy in POLICIES.items():
        reached = solve.odds_of(game, blow, GM, PolicyAnswers(dict.fromkeys("at", policy), glance))
        ends[name] = (
            reached.where(lambda end: not end.fighters["t"].able),
            reached.where(lambda end: not end.fighters["a"].able),
        )
    assert ends["decline"] == ends["auto"] == ends["counter_always"] and ends["decline"][1] == 0
    assert ends["evade_baseline"][0] < ends["decline"][0] and ends["evade_baseline"][1] > 0


def test_a_third_of_the_pool_is_kept_and_emergency_dice_wait() -> None:
    hit = Hit(Blow("t"), "a", 1, "melee", 3, 1)
    baseline, question = POLICIES["evade_baseline"], asked("t", "evasion")
    assert baseline.answer(question, lambda: Glance(hit, 3, 4, 9, enemies_to_act=True)) == Evade(2)
    assert baseline.answer(question, lambda: Glance(hit, 1, 4, 1)) == Evade(1, 2)
    assert baseline.answer(question, lambda: Glance(hit, 0, 4, 9)) == DECLINE_EVASION


def test_what_a_seat_sees() -> None:
    """NS-Q03, 23.2: enemies' sheets are the NM's."""
    fighters = {"a": Character(karate=9, hp=3), "t": Character(karate=5, hp=4)}
    game = Fight(fighters=Map(fighters), shown=("t",))

    view = seen(game, Seat("other"))
    assert (view.fighters["a"].record, view.fighters["a"].state) == (None, "ok")
    assert view.fighters["t"].record == fighters["t"].record() and seen(game, GM).fighters["a"].record
