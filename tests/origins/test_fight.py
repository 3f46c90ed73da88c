"""Whole actions, enemy turns, effect and teamwork (SO-P03..P25, SO-E01..E07, SO-F, SO-T12..T15, SO-K)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import msgspec
import pytest

from systems.core.calls import resolve
from systems.core.convert import to_struct
from systems.core.dice import ScriptedDice

from .asking import CALLS, ask, chance, chart, grades, refused, throw

AVERAGE = {"difficulty": "average", "turns_left": 2}
HARDER = {"difficulty": "harder", "turns_left": 2}


def act(*faces: int, position: str = "risky", enemy: Any = AVERAGE, actor: Any = None, **given: Any) -> dict[str, Any]:
    choices = {name: given.pop(name) for name in list(given) if name not in ("roll", "config")}
    known = {"roll": {"pool": 1}, "actor": {"position": position, "chakra": 5, **(actor or {})}}
    rest = {} if enemy is None else {"enemy": enemy}
    return throw("resolve_action", *faces, **{**known, **given, **rest, "choices": choices})


@pytest.mark.parametrize(
    ("faces", "given", "wanted"),
    [
        ((6,), {}, {"effect": 2, "enemy_turns_left": 1, "consequences": []}),
        ((6,), {"enemy": HARDER}, {"effect": 2, "enemy_turns_left": 2, "consequences": []}),
        ((4,), {"gm_uses_turn": False}, {"effect": 2, "enemy_turns_left": 2, "consequences": []}),
        ((4, 2), {"enemy": None}, {"position": "desperate"}),
        ((4, 2), {"position": "terrible", "enemy": None}, {"position": "terrible"}),
        ((2, 1), {}, {"effect": 0, "enemy_turns_left": 1}),
        ((4, 3), {}, {"lost_opportunity": True, "effect": 2}),
        ((4, 4), {}, {"complication_ticks": 2}),
        ((2, 4), {"position": "controlled"}, {"complication_ticks": 1}),
        ((4, 4), {"position": "desperate"}, {"complication_ticks": 3}),
        ((4, 5), {"position": "desperate", "option": "B"}, {"harm_chart": chart() | {"2": ["Wound"]}}),
        ((5, 1, 1), {"position": "desperate", "option": "C"}, {"effect": 0}),
        ((4, 5), {"option": "C"}, {"harm_chart": chart() | {"2": ["Wound"]}}),
        ((4, 5), {"responses": [{"name": "Scar"}]}, {"harm_chart": chart() | {"2": ["Scar"]}}),
    ],
)
def test_what_an_action_comes_to(faces: tuple[int, ...], given: dict[str, Any], wanted: dict[str, Any]) -> None:
    """SO-P02 to SO-P25, SO-G04, SO-E03, SO-E07, SO-R11, SO-R37, SO-R38; where there is only A, any option means A."""
    answer = act(*faces, **given)
    assert {name: answer[name] for name in wanted} == wanted


def test_the_turn_goes_to_the_enemy_that_has_one() -> None:
    """SO-E04, and its switch."""
    none = {"difficulty": "average", "turns_left": 0}
    assert act(2, enemy=none)["consequences"] == []
    answer = act(2, 4, enemy=none, config={"consequence_needs_enemy_turn": False})
    assert len(answer["consequences"]) == 1 and answer["enemy_turns_left"] == 0


def test_controlled_four_and_five_are_the_players_choice() -> None:
    """SO-P05, SO-P06, SO-E07, SO-R16; without the choice the check waits for it."""
    through = act(4, position="controlled", controlled="succeed", roll={"pool": 1, "bonus_effect": 1})
    assert (through["position"], through["effect"], through["success"]) == ("risky", 3, True)
    back = act(5, position="controlled", controlled="withdraw")
    assert (back["withdrawn"], back["success"], back["grade"], back["effect"]) == (True, False, "partial", 0)
    waits = act(5, position="controlled")
    assert (waits["pending"], waits["success"], waits["grade"]) == ("choose_controlled", None, "partial")


def test_defence_surcharge_and_overflow_inside_an_action() -> None:
    """SO-D07, SO-D10, SO-P10, SO-P23: the effect stays."""
    answer = act(4, 6, 3, position="terrible", actor={"chakra": 3}, responses=[{"type": "defend", "pool": 1}])
    assert (answer["unconscious"], answer["chakra"], answer["effect"]) == (True, 0, 2)
    assert answer["harm_chart"]["2"] == ["Wound"], "severe, one level lower"
    assert answer["consequences"] == [
        {"kind": "harm", "severity": "severe", "avoided": False, "negated": False, "recorded_level": 2}
    ]


def test_the_unconscious_answer_nothing_but_with_armor_that_they_wear() -> None:
    """SO-A12, SO-H17, SO-D13: the second response falls back to taking it."""
    fallen = {"chakra": 0}
    twice = [{"type": "defend", "pool": 1}, {"type": "armor"}]
    worn = {"armor": {"class": "light", "equipped": True}, "load": {"level": "light", "spent": 1}}
    kept = act(4, 5, 2, 5, position="desperate", option="C", actor=fallen | worn, responses=twice)
    assert kept["consequences"][1]["negated"] and kept["harm_chart"] == chart() | {"1": ["Wound"]}
    packed = {"armor": {"class": "light"}, "load": {"level": "light"}}
    bare = act(4, 5, 2, 5, position="desperate", option="C", actor=fallen | packed, responses=twice)
    assert bare["harm_chart"]["1"] == ["Wound", "Wound"] and bare["load_spent"] == 0


def test_armor_is_kept_for_harm() -> None:
    """SO-H09, SO-H15: against another kind the response means taking it."""
    worn = {"armor": {"class": "light"}, "load": {"level": "light"}}
    assert act(4, 4, actor=worn, responses=[{"type": "armor"}])["complication_ticks"] == 2
    stopped = act(4, 5, actor=worn, responses=[{"type": "armor"}])
    assert stopped["consequences"][0] | {"kind": "harm"} == {
        "kind": "harm",
        "severity": "standard",
        "avoided": True,
        "negated": True,
        "recorded_level": None,
    }
    assert (stopped["load_spent"], stopped["armor"]["used"]) == (1, 1)


def test_other_kinds_are_defended_where_the_gm_allows() -> None:
    """SO-D06."""
    assert act(4, 4, responses=[{"type": "defend", "pool": 1}])["complication_ticks"] == 2
    allowed = act(4, 4, 5, responses=[{"type": "defend", "pool": 1, "gm_allows": True}])
    assert (allowed["complication_ticks"], allowed["chakra"]) == (0, 4)


def test_the_gm_names_the_kind_where_that_is_allowed() -> None:
    """SO-P21."""
    assert act(4, enemy=HARDER, gm_kind=["complication"])["complication_ticks"] == 2
    assert act(4, gm_kind=["lost_opportunity"], config={"gm_consequence_choice": "always"})["lost_opportunity"]
    second = act(4, 3, enemy=HARDER, position="desperate", option="C", gm_kind=["complication"])
    assert (second["complication_ticks"], second["lost_opportunity"]) == (2, True), "the second is rolled"


@pytest.mark.parametrize(("mode", "faces"), [("stand", (2, 1)), ("reroll", (2, 1, 3)), ("gm_choice", (2, 1))])
def test_a_moot_consequence(mode: str, faces: tuple[int, ...]) -> None:
    """SO-P20, SO-R13."""
    answer = act(*faces, config={"moot_consequence": mode})
    assert answer["lost_opportunity"] is (mode == "reroll")
    if mode == "gm_choice":
        assert act(2, 1, gm_kind=["complication"], config={"moot_consequence": mode})["complication_ticks"] == 2


def test_glory_joins_before_everything_else() -> None:
    """SO-C18, SO-O16, SO-O18, SO-R66: it can make the critical that takes the enemy's turn."""
    answer = act(1, 6, 6, 2, glory=True)
    assert (answer["grade"], answer["effect"], answer["enemy_turns_left"]) == ("crit", 3, 1)
    assert answer["critical_ability_triggered"]
    assert act(6, 5, 4, 2, roll={"pool": -1}, glory=True, enemy=None, position="controlled", controlled="withdraw")


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"choices": {"glory": True}, "roll": {"pool": -3}}, "glory_unavailable"),
        ({"choices": {"gm_kind": ["harm"]}}, "consequence_must_be_rolled"),
        ({"choices": {"gm_kind": ["harm"]}, "enemy": None}, "consequence_must_be_rolled"),
        (
            {"choices": {"gm_kind": ["harm"]}, "enemy": HARDER, "config": {"gm_consequence_choice": "never"}},
            "consequence_must_be_rolled",
        ),
        ({"roll": {"pool": 1, "hampering_levels": [3]}}, "needs_help"),
        ({"choices": {"option": "C", "responses": [{}, {"type": "defend", "pool": 1}]}}, "undefendable"),
        ({"choices": {"responses": [{"type": "defend", "pool": 1, "skill": "blades"}]}}, "not_defensive_skill"),
        ({"choices": {"responses": [{"type": "defend", "pool": 1, "alternate": True}]}}, "insufficient_chakra"),
        ({"choices": {"responses": [{"type": "armor"}]}}, "item_missing"),
    ],
)
def test_actions_that_are_refused_before_any_die(given: dict[str, Any], code: str) -> None:
    """SO-O18, SO-P21, SO-H05, SO-P12, SO-D02, SO-D05, SO-H08."""
    known = {"roll": {"pool": 1}, "enemy": AVERAGE, "actor": {"position": "desperate", "chakra": 2}}
    assert refused("resolve_action", **{**known, **given}) == code


def test_a_defence_needs_its_pool() -> None:
    with pytest.raises(msgspec.ValidationError):
        act(4, responses=[{"type": "defend"}])


def test_odds_of_a_whole_action_are_those_of_its_roll() -> None:
    found = grades("resolve_action", roll={"pool": 2}, actor={"position": "terrible"}, choices={"option": "C"})
    assert found == grades("roll", pool=2)


@pytest.mark.parametrize(
    ("difficulty", "faces", "lost"),
    [
        ("average", (6, 1, 1), True),
        ("average", (6, 6, 1), True),
        ("harder", (6, 1, 1), False),
        ("harder", (6, 6, 1), True),
        ("very_difficult", (6, 6, 1), False),
        ("very_difficult", (6, 6, 6), True),
    ],
)
def test_which_rolls_take_a_turn(difficulty: str, faces: tuple[int, ...], lost: bool) -> None:
    """SO-E05, SO-E06."""
    answer = throw("enemy_after_roll", *faces, difficulty=difficulty, turns_left=3, position="risky", pool=3)
    assert (answer["turn_lost"], answer["turns_left"], answer["consequence"]) == (lost, 3 - lost, False)


@pytest.mark.parametrize(
    ("difficulty", "low", "high", "usual"), [("average", 1, 4, 4), ("harder", 4, 4, 4), ("very_difficult", 4, 8, 8)]
)
def test_turns_of_a_round(difficulty: str, low: int, high: int, usual: int) -> None:
    """SO-E01, SO-R39: with four players."""
    given = {"difficulty": difficulty, "players": 4}
    assert ask("enemy_turns", **given) == {"turns": usual}
    for turns in (low, high):
        assert ask("enemy_turns", turns=turns, **given) == {"turns": turns}
    for turns in (low - 1, high + 1):
        assert refused("enemy_turns", turns=turns, **given) == "enemy_turn_count"
    assert ask("enemy_turns", turns=high + 3, gm_override=True, **given) == {"turns": high + 3}


@pytest.mark.parametrize(
    ("plan", "wanted"),
    [
        ([("disarm", 2), ("damage", 3)], {"states": ["disarm"], "damage": 3, "unspent": 1}),
        ([("charge", 4)], {"charge": 2, "states": [], "unspent": 2}),
        ([("restore_chakra", 4)], {"chakra": 2}),
        ([("heal", 3)], {"heal": 3}),
        ([("increase_position", 2), ("increase_position", 2)], {"position": "risky"}),
        ([], {"unspent": 6, "defeated": False}),
    ],
)
def test_what_effect_buys(plan: list[tuple[str, int]], wanted: dict[str, Any]) -> None:
    """SO-F01..F17, SO-B18, SO-B19: parts may be mixed, the rest is left."""
    parts = [{"type": kind, "effect": points} for kind, points in plan]
    answer = ask("spend_effect", effect=6, plan=parts, position="terrible", healing_jutsu=True)
    assert {name: answer[name] for name in wanted} == wanted


@pytest.mark.parametrize(
    ("plan", "position", "code"),
    [
        ([("damage", 5)], "risky", "effect_overspent"),
        ([("weak_spot", 1)], "risky", "effect_cost_mismatch"),
        ([("debuff", 4)], "risky", "effect_cost_mismatch"),
        ([("charge", 1)], "risky", "effect_cost_mismatch"),
        ([("increase_position", 2), ("increase_position", 2)], "risky", "position_at_max"),
        ([("heal", 1)], "risky", "heal_requires_jutsu"),
    ],
)
def test_plans_that_are_refused(plan: list[tuple[str, int]], position: str, code: str) -> None:
    """SO-F02, SO-F07, SO-F15, SO-H25."""
    parts = [{"type": kind, "effect": points} for kind, points in plan]
    assert refused("spend_effect", effect=4, plan=parts, position=position) == code


def test_excess_damage_is_lost() -> None:
    """SO-F16, SO-R69; SO-E15 gives the usual sizes."""
    answer = ask("spend_effect", effect=3, plan=[{"type": "damage", "effect": 3}], enemy_clock={"size": 4, "filled": 3})
    assert (answer["enemy_clock"], answer["defeated"]) == ({"size": 4, "filled": 4}, True)


def state(kind: str, owner: str = "aki", **tie: Any) -> dict[str, Any]:
    return {"kind": kind, "owner": owner, **tie}


@pytest.mark.parametrize(
    ("states", "given", "wanted"),
    [
        ([state("impose_worse_position", target="oni")], {}, (1, 0)),
        ([state("impose_worse_position", "bo", target="oni")], {}, (0, 0)),
        ([state("weak_spot", target="tengu")], {}, (0, 0)),
        ([state("weak_spot", target="oni"), state("weak_spot", "cho", target="oni")], {}, (0, 2)),
        ([state("weak_spot", target="oni")] * 2, {}, (0, 1)),
        ([state("charge", "bo", action_name="leap", effect=2)], {"action_name": "leap"}, (0, 2)),
        ([state("charge", "bo", action_name="leap", effect=2)], {"action_name": "cut"}, (0, 0)),
        ([state("charge", action_name="leap")], {"action_name": "leap"}, (0, 0)),
        ([state("setup", target="bo")], {"use_setup": "die"}, (1, 0)),
        ([state("setup", target="bo")], {"use_setup": "effect"}, (0, 1)),
        ([state("setup", target="cho")], {"use_setup": "die"}, (0, 0)),
        ([state("setup", target="bo")], {}, (0, 0)),
        ([state("broad_defense", "bo")], {}, (0, 0)),
        ([state("disarm", target="oni"), state("mist")], {}, (0, 0)),
    ],
)
def test_bonuses_of_an_action(states: list[Any], given: dict[str, Any], wanted: tuple[int, int]) -> None:
    """SO-F06, SO-F08, SO-F12..F14, SO-T09, SO-R46, SO-R47."""
    answer = ask("collect_bonuses", actor="bo", roll="action", target="oni", states=states, **given)
    assert (answer["bonus_dice"], answer["bonus_effect"]) == wanted


@pytest.mark.parametrize(
    ("states", "dice"),
    [
        ([state("disable", target="oni", attack="club")], 2),
        ([state("disable", target="oni", attack="fist")], 0),
        ([state("specific_defense", "bo", attack_type="melee")], 2),
        ([state("specific_defense", attack_type="melee")], 0),
        ([state("broad_defense", "bo"), state("debuff", target="oni")], 2),
        ([state("debuff", target="tengu"), state("weak_spot", target="oni")], 0),
    ],
)
def test_bonuses_of_a_defence(states: list[Any], dice: int) -> None:
    """SO-F03..F05, SO-F09."""
    given = {"enemy": "oni", "attack": "club", "attack_type": "melee"}
    assert ask("collect_bonuses", actor="bo", roll="defense", states=states, **given)["bonus_dice"] == dice


def test_states_end_as_the_turn_begins() -> None:
    """SO-B15, SO-F12, SO-T10, SO-R35."""
    kinds = ["weak_spot", "disarm", "charge", "setup", "broad_defense"]
    kept = ask("turn_start", who="aki", states=[*map(state, kinds), state("setup", "bo")])
    assert kept == {"states": ["disarm", "charge", "setup"]}


@pytest.mark.parametrize(
    ("events", "pending"),
    [
        ([], ["aki", "bo", "oni"]),
        ([("acted", "bo")], ["aki", "oni"]),
        ([("acted", "bo"), ("crit", "aki")], ["aki", "bo", "oni"]),
        ([("acted", "bo"), ("crit", "bo")], ["aki", "oni"]),
        ([("out", "oni"), ("crit", "aki")], ["aki", "bo"]),
        ([("acted", "aki"), ("acted", "bo"), ("out", "oni")], []),
    ],
)
def test_the_waiting_list_of_a_critical_ability(events: list[tuple[str, str]], pending: list[str]) -> None:
    """SO-K02, SO-K03, SO-K04, SO-K05, SO-K06, SO-R48."""
    told = [{"type": kind, "who": who} for kind, who in events]
    answer = ask("critical_ability", allies=["aki", "bo"], enemies=["oni"], events=told)
    assert answer == {"active": bool(pending), "pending": pending}


@pytest.mark.parametrize(
    ("faces", "wanted"),
    [
        ((1, 6, 6), ("crit", 6, 1, 2, ["b"])),
        ((3, 2, 2), ("fail", 3, 2, 1, [])),
        ((6, 4, 5), ("full", 6, 0, 3, [])),
    ],
)
def test_a_group_roll(faces: tuple[int, ...], wanted: tuple[Any, ...]) -> None:
    """SO-T12, SO-T13, SO-T14, SO-T15, SO-R36: only who threw the sixes wakes an ability."""
    members = [{"id": "a", "pool": 1}, {"id": "b", "pool": 2}]
    answer = throw("lead_group", *faces, leader_chakra=3, members=members)
    found = (answer["best_band"], answer["best_result"], answer["below_four"], answer["leader_chakra"])
    assert (*found, answer["critical_ability_by"]) == wanted
    assert refused("lead_group", members=members[:1]) == "group_needs_two"


def test_group_odds_agree_with_the_check() -> None:
    """SO-T13, SO-T14."""
    found = chance("group", pools=[0, 2])
    members = [{"id": "a", "pool": 0}, {"id": "b", "pool": 2}]
    assert grades("lead_group", members=members)["fail"] == Fraction(found["p_fail"]) == Fraction(3, 16)
    assert Fraction(found["expected_leader_cost"]) == Fraction(3, 4) + Fraction(1, 4)


@pytest.mark.parametrize("option", ["A", "B", "C"])
@pytest.mark.parametrize("position", ["controlled", "risky", "desperate", "terrible"])
def test_odds_of_a_consequence(position: str, option: str) -> None:
    """Section 22: p_any_harm = p_consequence (1 - (2/3)^k)."""
    found = chance("consequence", pool=3, position=position, option=option)
    fail, partial = Fraction(1, 8), Fraction(49, 108)
    controlled = position == "controlled"
    comes = fail if controlled else fail + partial
    twice = option == "C" and position in ("desperate", "terrible")
    assert Fraction(found["p_consequence"]) == comes
    assert Fraction(found["p_any_harm"]) == comes * (1 - Fraction(2, 3) ** (2 if twice else 1))
    assert Fraction(found["p_choice"]) == (partial if controlled else 0)


def test_odds_of_death_follow_the_chart() -> None:
    """SO-H04: with two blows of option C the first may fill the box that the second needs."""
    full = chart("", "cd", "e")
    bare = Fraction(chance("harm_death", pool=1, position="risky", harm_chart=full)["p_death"])
    assert bare == Fraction(5, 6) * Fraction(1, 3)
    twice = chance("harm_death", pool=1, position="terrible", option="C", harm_chart=chart("", "cd"))["p_death"]
    assert Fraction(twice) == Fraction(5, 6) * Fraction(1, 9)


@pytest.mark.parametrize(
    ("faces", "given", "rule"),
    [
        ((6,), {}, "SO-E05"),
        ((4,), {}, "SO-E03"),
        ((4,), {"gm_uses_turn": False}, "SO-E03"),
        ((4,), {"turns_left": 0}, "SO-E04"),
        ((6,), {"difficulty": "harder"}, "SO-E06"),
        ((5,), {"position": "controlled"}, "SO-E07"),
    ],
)
def test_the_enemys_line_names_its_rule(faces: tuple[int, ...], given: dict[str, Any], rule: str) -> None:
    """SO-E03..E07: the same line under the roll alone and under the whole action."""
    asked = {"difficulty": "average", "turns_left": 2, "position": "risky", **given}
    whole = {
        "actor": {"position": asked["position"]},
        "roll": {"pool": 1},
        "enemy": {"difficulty": asked["difficulty"], "turns_left": asked["turns_left"]},
        "choices": {"controlled": "succeed", "gm_uses_turn": asked.get("gm_uses_turn", True)},
    }
    alone = lines("enemy_after_roll", faces, pool=1, **asked)
    assert alone[-1].rule == rule
    assert alone[-1] in lines("resolve_action", (*faces, 4), **whole)


def lines(name: str, faces: tuple[int, ...], **given: Any) -> tuple[Any, ...]:
    """How an outcome is explained."""
    check = CALLS.checks[name]
    return resolve(check, to_struct(given, check.params), ScriptedDice(faces)).report.explain
