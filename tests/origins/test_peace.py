"""Downtime, craft, markets, PvP, honor and sheets (chapters 12 to 16, 2)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import msgspec
import pytest

from .asking import ask, chance, chart, refused, throw


def test_a_jutsu_outside_combat() -> None:
    """SO-J02, SO-R07."""
    answer = throw("use_jutsu_free", 2, pool=1, chakra=1, bonus_effect=1)
    assert (answer["chakra"], answer["effect"], answer["consequence"]) == (0, 2, False)
    dear = {"jutsu_free_cost": 3}
    assert refused("use_jutsu_free", pool=1, chakra=2, config=dear) == "insufficient_chakra"


@pytest.mark.parametrize(
    ("faces", "given", "wanted"),
    [
        ((4,), {}, (0, 1, 2, 2, False)),
        ((6, 6), {"pool": 2, "clock": 1}, (0, 2, 4, 4, True)),
        ((1, 2, 6), {"teacher": {"pool": 1}, "in_nation_of_origin": False}, (1, 2, 3, 3, False)),
        ((1,), {"dojo": True, "dojo_gold": 4, "gold": 9, "config": {"dojo_gold_per_effect": 2}}, (0, 1, 3, 3, False)),
    ],
)
def test_learning(faces: tuple[int, ...], given: dict[str, Any], wanted: tuple[Any, ...]) -> None:
    """SO-J05..J10, SO-R51, SO-R59: the teacher first; excess is lost."""
    answer = throw("learn_jutsu", *faces, **{"pool": 1, **given})
    assert tuple(answer[name] for name in ("teacher_dice", "pool", "effect", "clock", "learned")) == wanted
    assert answer.get("scroll_value") == (0 if wanted[-1] else None)


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"has_scroll": False, "known": True}, "scroll_missing"),
        ({"known": True}, "jutsu_already_known"),
        ({"dojo_gold": 1, "gold": 5}, "no_dojo"),
        ({"dojo": True, "dojo_gold": 2, "gold": 1}, "insufficient_gold"),
    ],
)
def test_learning_that_is_refused(given: dict[str, Any], code: str) -> None:
    """SO-J06, SO-J09."""
    assert refused("learn_jutsu", pool=1, **given) == code


@pytest.mark.parametrize(
    ("clock", "scroll", "wanted"),
    [
        (1, True, (3, False, False, False, 3)),
        (2, True, (4, True, True, True, 0)),
        (3, False, (4, True, False, True, 0)),
    ],
)
def test_altering(clock: int, scroll: bool, wanted: tuple[Any, ...]) -> None:
    """SO-J11..J13, SO-R75."""
    answer = throw("modify_jutsu", 4, pool=1, clock=clock, modification_scroll=scroll, learning_clock=3)
    names = ("clock", "modified", "gains_power", "must_relearn", "learning_clock")
    assert tuple(answer[name] for name in names) == wanted


def test_foraging() -> None:
    """SO-W06, SO-W12."""
    answer = throw("forage", 6, 6, pool=2, bonus_effect=1)
    assert (answer["effect"], answer["resources_gold"]) == (5, 5)


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ({"clock": 2}, {"gold_earned": 1, "clock": 0}),
        ({"clock": 3, "job_changed": True}, {"gold_earned": 0, "clock": 2}),
        ({"bonus_effect": 9}, {"gold_earned": 2, "clock": 3}),
        ({"modifiers": ["dishonorable"]}, {"effect": 4, "honor": 0, "honor_clock": -1, "recorded_level": None}),
        ({"modifiers": ["dangerous"], "gm_cost": "chakra", "chakra": 2}, {"effect": 4, "chakra": 0}),
        ({"modifiers": ["dangerous"]}, {"effect": 4, "recorded_level": 1, "harm_chart": chart() | {"1": ["Wound"]}}),
    ],
)
def test_work(given: dict[str, Any], wanted: dict[str, Any]) -> None:
    """SO-W07..W12, SO-R60: the price is paid whatever the result."""
    answer = throw("work", 4, pool=1, **given)
    assert {name: answer[name] for name in wanted} == wanted


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"in_town": False, "modifiers": ["dangerous", "dishonorable"]}, "not_in_town"),
        ({"modifiers": ["dangerous", "dishonorable"]}, "work_modifier_conflict"),
        ({"modifiers": ["dishonorable", "dishonorable"]}, "work_modifier_conflict"),
        ({"modifiers": ["dangerous"], "gm_cost": "chakra", "chakra": 1}, "insufficient_chakra"),
    ],
)
def test_work_that_is_refused(given: dict[str, Any], code: str) -> None:
    """SO-W07, SO-W10, SO-W11, SO-D18."""
    assert refused("work", pool=1, **given) == code


@pytest.mark.parametrize(
    ("faces", "given", "wanted"),
    [
        ((4,), {"catalog_value": 5, "components": 3}, (3, 0, 0, 2, True)),
        ((4,), {"catalog_value": 4, "started": True, "clock": 2, "batch": True, "components": 9}, (2, 9, 1, 0, False)),
        ((6,), {"catalog_value": 4, "started": True, "clock": 3}, (2, 0, 1, 0, False)),
        ((6,), {"catalog_value": 4, "started": True, "clock": 3, "batch": True, "components": 1}, (2, 1, 1, 0, False)),
        ((6, 6), {"catalog_value": 0, "batch": True, "clock": 3, "started": True}, (0, 0, 1, 3, True)),
        ((2,), {"catalog_value": 4, "components": 2, "in_combat": True}, (2, 0, 0, 0, True)),
        ((6, 6), {"catalog_value": 9, "components": 3, "fine": True, "item_exists": True}, (2, 1, 1, 0, False)),
    ],
)
def test_crafting(faces: tuple[int, ...], given: dict[str, Any], wanted: tuple[Any, ...]) -> None:
    """SO-W13, SO-W15, SO-W16, SO-W17, SO-R57, SO-R58, SO-R76."""
    answer = throw("craft", *faces, pool=len(faces), **given)
    names = ("components_needed", "components", "items_made", "clock", "started")
    assert tuple(answer[name] for name in names) == wanted


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"catalog_value": 5, "components": 2}, "components_missing"),
        ({"fine": True, "components": 2}, "item_missing"),
        ({"fine": True, "components": 2, "item_exists": True, "already_fine": True}, "already_fine"),
        ({"fine": True, "components": 1, "item_exists": True}, "components_missing"),
    ],
)
def test_crafting_that_is_refused(given: dict[str, Any], code: str) -> None:
    """SO-W13, SO-W16."""
    assert refused("craft", pool=1, **given) == code


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ({"ticks": 3, "components": 1}, (0, "sound", 0, 0)),
        ({"ticks": 4, "components": 3}, (4, "broken", 1, 2)),
        ({"ticks": 4, "components_paid": True, "repair_clock": 2}, (0, "sound", 0, 0)),
        ({"ticks": 4, "components": 2, "in_combat": True}, (2, "damaged", 0, 0)),
        ({"ticks": 3, "components": 1, "in_combat": True, "repair_clock": 1}, (1, "sound", 0, 1)),
    ],
)
def test_repair(given: dict[str, Any], wanted: tuple[Any, ...]) -> None:
    """SO-W18, SO-W19, SO-R33."""
    answer = throw("repair_item", 4, pool=1, **given)
    assert (answer["ticks"], answer["state"], answer["components"], answer["repair_clock"]) == wanted


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"ticks": 1}, "nothing_to_repair"),
        ({"ticks": 2, "component_type": "iron"}, "component_type_mismatch"),
        ({"ticks": 4, "components": 1}, "components_missing"),
    ],
)
def test_repair_that_is_refused(given: dict[str, Any], code: str) -> None:
    """SO-W18."""
    assert refused("repair_item", pool=1, **given) == code


def test_values() -> None:
    """SO-W15, SO-W20, SO-M04, SO-R55, SO-R56, SO-R57, SO-R72."""
    assert ask("item_value", component_costs=[1, 2, 3]) == {"value": 8}
    assert ask("potion", herb_costs=[1, 2], kind="healing") == {"heal_ticks": 6}
    assert ask("potion", herb_costs=[1, 2], kind="chakra") == {"chakra": 3}
    assert ask("sell", values=[1, 1, 3]) == {"gold": 2}
    assert refused("sell", values=[1], merchant=False) == "no_merchant"


@pytest.mark.parametrize(
    ("faces", "given", "price"),
    [
        ((2,), {}, None),
        ((4,), {}, 3),
        ((6,), {}, 2),
        ((6, 6), {}, 1),
        ((2,), {"bonus_effect": 2}, 2),
        ((6, 6), {"bonus_effect": 9}, 1),
    ],
)
def test_shopping(faces: tuple[int, ...], given: dict[str, int], price: int | None) -> None:
    """SO-M01, SO-M02, SO-M03, SO-R53."""
    answer = throw("shop", *faces, pool=len(faces), market_price=3, **given)
    assert (answer["price"], answer["available"], answer["success"]) == (price, price is not None, price is not None)


def found(nation: str, price: int, dice: tuple[int, int] | None, matches: bool = False) -> dict[str, Any]:
    skill = {"skill_set": dice[0], "skill": dice[1]} if dice else {}
    return {"nation": nation, "price": price, **skill, "matches_description": matches}


@pytest.mark.parametrize(
    ("faces", "given", "scrolls"),
    [
        ((2, 14, 3, 6), {}, [found("ice", 5, (3, 6))]),
        ((2, 9, 3, 6), {"pool": 3, "description": True}, [found("fire", 6, (3, 6))]),
        ((4, 1, 2), {}, [found("wind", 4, (1, 2))]),
        ((6, 1, 2), {}, [found("fire", 6, (1, 2))]),
        ((6,), {"pool": 3, "description": True}, [found("fire", 6, None, True)]),
        ((4, 5, 5), {"pool": 3, "description": True}, [found("wind", 4, (5, 5))]),
        ((4,), {"pool": 3, "description": True, "requested": "wind"}, [found("wind", 4, None, True)]),
        (
            (6, 6, 20, 1, 1),
            {"pool": 4, "description": True},
            [found("fire", 6, None, True), found("poison", 6, (1, 1))],
        ),
    ],
)
def test_scroll_shopping(faces: tuple[int, ...], given: dict[str, Any], scrolls: list[Any]) -> None:
    """SO-M05..M10, SO-R54."""
    known = {"pool": 1, "requested": "fire", "local": "wind", "neighbours": ["ice"]}
    answer = throw("scroll_shop", *faces, **{**known, **given})
    assert answer["scrolls"] == scrolls
    assert answer["pool"] == {**known, **given}["pool"] - 2 * bool(given.get("description"))


@pytest.mark.parametrize(
    ("faces", "given", "wanted"),
    [
        ((6, 2), {}, ("initiator_wins", "defender", 2, None)),
        ((2, 6), {"aim": "injure"}, ("defender_wins", "initiator", 2, 2)),
        ((4, 5), {"aim": "injure"}, ("tie", None, 0, None)),
        ((6, 2), {"aim": "injure", "initiator": {"pool": 1, "bonus_effect": 5}}, ("initiator_wins", "defender", 7, 3)),
    ],
)
def test_player_against_player(faces: tuple[int, ...], given: dict[str, Any], wanted: tuple[Any, ...]) -> None:
    """SO-X01, SO-X02, SO-X03, SO-X04, SO-X05, SO-R67."""
    answer = throw("pvp", *faces, **{"initiator": {"pool": 1}, "defender": {"pool": 1}, **given})
    assert (answer["grade"], answer["loser"], answer["condition_level"], answer.get("harm_level")) == wanted
    assert answer["success"] is (answer["grade"] == "initiator_wins")


@pytest.mark.parametrize(
    ("before", "delta", "after"),
    [
        ((0, 3), 1, (1, 0)),
        ((0, -3), -1, (-1, 0)),
        ((0, 2), -3, (0, -1)),
        ((0, 0), 9, (2, 1)),
        ((10, 0), 3, (10, 0)),
        ((10, -2), 1, (10, -1)),
        ((-10, 0), -9, (-10, 0)),
        ((9, 0), 99, (10, 0)),
        ((-9, 0), -99, (-10, 0)),
        ((10, 0), -5, (9, -1)),
    ],
)
def test_honor_ticks(before: tuple[int, int], delta: int, after: tuple[int, int]) -> None:
    """SO-O01..O06, SO-R62; the GM confirms them (SO-O04)."""
    answer = ask("honor_tick", honor=before[0], honor_clock=before[1], delta=delta)
    assert (answer["honor"], answer["honor_clock"]) == after


@pytest.mark.parametrize(
    ("honor", "wanted"),
    [
        (0, ("simple", "any")),
        (1, ("moderate", "honor")),
        (-3, ("moderate", "dishonor")),
        (4, ("advanced", "honor")),
        (9, ("dangerous", "honor")),
        (-10, ("deadly", "dishonor")),
    ],
)
def test_open_missions(honor: int, wanted: tuple[str, str]) -> None:
    """SO-O09, SO-R63, SO-R64."""
    answer = ask("mission_tier", honor=honor)
    assert (answer["max_difficulty"], answer["kind"]) == wanted


@pytest.mark.parametrize(
    ("pool", "rolled", "faces", "wanted"),
    [
        (2, [6, 1], (6, 1, 1), ("crit", 2, 6)),
        (1, [1], (2, 3, 2), ("fail", 0, 3)),
        (0, [6, 5], (1, 2, 3), ("fail", 0, 3)),
        (-2, [6, 6], (6,), ("full", 1, 6)),
    ],
)
def test_glory(pool: int, rolled: list[int], faces: tuple[int, ...], wanted: tuple[Any, ...]) -> None:
    """SO-O16..O18, SO-R66: on an empty pool the dice that lie there do not count."""
    answer = throw("glory", *faces, pool=pool, rolled=rolled, honor=10)
    assert (answer["band"], answer["sixes"], answer["result"]) == wanted
    assert (answer["used_this_session"], answer["honor"]) == (True, 10)


@pytest.mark.parametrize("given", [{"pool": 2, "honor": 9}, {"pool": -3, "honor": 10}])
def test_glory_that_is_refused(given: dict[str, int]) -> None:
    """SO-O16, SO-O18."""
    assert refused("glory", rolled=[1, 1], **given) == "glory_unavailable"


SKILLS = ["block", "evade", "endure", "analyze", "resist", "blades"]


@pytest.mark.parametrize(
    ("character", "given", "errors"),
    [
        ({}, {"at_creation": True}, []),
        ({"dots": {"blades": 4}}, {}, []),
        ({"dots": {"blades": -1}}, {}, ["dots_out_of_range"]),
        ({"dots": {"blades": 5}}, {"config": {"skill_max_dots": 5}}, []),
        ({"dots": {"juggling": 1}}, {}, ["unknown_skill"]),
        ({"dots": dict.fromkeys(SKILLS, 3)}, {"at_creation": True}, ["creation_dot_cap", "creation_total_exceeded"]),
        (
            {"dots": dict.fromkeys(SKILLS, 3)},
            {"at_creation": True, "config": {"creation_total_dots": None, "creation_max_dots": 3}},
            [],
        ),
        ({"chakra": -1, "honor": 11}, {}, ["chakra_out_of_range", "honor_out_of_range"]),
        ({"jutsu": [{"name": "x", "nation": "fire", "primary_skill": "juggling"}]}, {}, ["unknown_skill"]),
    ],
)
def test_sheets(character: dict[str, Any], given: dict[str, Any], errors: list[str]) -> None:
    """SO-A03..A08, SO-A13, SO-R03: all errors at once, sorted."""
    assert ask("validate_character", character=character, **given) == {"errors": errors}


def test_a_full_sheet_is_taken() -> None:
    """SO-A15, SO-L08, SO-W08, SO-W14, SO-J10, SO-K01: everything that a character has stands on it."""
    sheet = {
        "id": "aki",
        "rank": "chunin",
        "items": [{"name": "Club", "type": "oak", "fine": True, "bonus": {"dice": 1, "applies_to": ["blades"]}}],
        "components": [{"type": "iron", "cost": 2, "quantity": 3, "descriptors": ["cold"]}],
        "jutsu": [{"name": "Leap", "nation": "wind", "primary_skill": "acrobatics", "clocks": {"learn": 4}}],
        "scrolls": [{"jutsu": "Leap", "nation": "wind", "used": True}],
        "critical_ability": {"name": "Iron Wind", "text": "all stand", "modifiers": [{"dice": 1}]},
        "work_clock": {"town": "Ueda", "job": "smith", "filled": 2},
        "stakes": [{"party": "Mayor", "amount": 2, "promise": "peace"}],
    }
    assert ask("validate_character", character=sheet) == {"errors": []}
    with pytest.raises(msgspec.ValidationError):
        ask("validate_character", character={"components": [{"type": "iron", "cost": 0}]})


def test_an_own_skill_list() -> None:
    """SO-A01, SO-A02, SO-R01, SO-R02."""
    sets = [{"skills": [f"s{row}{at}" for at in range(5)]} for row in range(5)]
    for one, skill in zip(sets, ("analyze", "evade", "resist", "endure", "block"), strict=True):
        one["skills"].append(skill)
    five = ["block", "endure", "evade", "resist", "analyze"]
    assert ask("validate_skill_list", sets=sets, defensive=five) == {"errors": []}
    assert ask("validate_skill_list", sets=sets, defensive=five[:4]) == {"errors": ["skill_list_defensive"]}
    assert ask("validate_skill_list") == {"errors": ["skill_list_defensive", "skill_list_shape"]}
    config = {"skill_list": sets}
    assert ask("validate_character", character={"dots": {"s00": 1}}, config=config) == {"errors": []}
    assert ask("validate_character", character={"dots": {"blades": 1}}, config=config) == {"errors": ["unknown_skill"]}


def test_a_new_character() -> None:
    """SO-A04, SO-A10, SO-R04."""
    answer = ask("new_character", name="Aki", config={"creation_gold": 3, "ranks": ["novice", "master"]})
    assert (answer["gold"], answer["rank"], answer["chakra"], answer["glory_used"]) == (3, "novice", 10, False)
    assert refused("new_character", name="Aki", dots={"blades": 3}) == "creation_dot_cap"
    assert refused("new_character", name="Aki", dots={"juggling": 1}) == "unknown_skill"


def test_derived_values() -> None:
    """SO-A09, SO-L01, SO-L02, SO-L05, SO-R43, SO-R44."""
    wanted = {"light": (3, 50), "normal": (5, 40), "heavy": (6, 30), "overloaded": (9, 10)}
    for level, (left, feet) in wanted.items():
        answer = ask("derive", character={"load": {"level": level}})
        assert (answer["load_left"], answer["move_feet"]) == (left, feet)
    poor = ask("derive", character={"honor": -5, "stakes": [{"party": "A", "amount": 2}]})
    assert (poor["honor_unstaked"], poor["max_mission_difficulty"], poor["glory_available"]) == (0, "advanced", False)
    assert "load_left" not in poor and poor["chakra_depleted"] == 10, "a missing number is 0"
    assert not ask("derive", character={"honor": 10, "glory_used": True})["glory_available"]


def test_initiative() -> None:
    """SO-B02, SO-B03, SO-R42."""
    dots = {"a": (1, 3), "b": (2, 0), "c": (2, 0), "d": (2, 1)}
    listed = [{"id": id, "primary": first, "secondary": second} for id, (first, second) in dots.items()]
    assert ask("initiative", characters=listed) == {"order": ["d", "b", "c", "a"]}


@pytest.mark.parametrize(
    ("question", "given", "wanted"),
    [
        ("shop", {"pool": 1}, {"p_available": "1/2"}),
        ("scroll_request", {"pool": 1, "requested_is_local": True}, {"p_request_met": "1/2"}),
        ("scroll_request", {"pool": 1}, {"p_request_met": "1/6"}),
        (
            "work",
            {"pool": 1, "clock": 3, "bonus_effect": 2},
            {"gold": {"1": "5/6", "2": "1/6"}, "expected_gold": "7/6"},
        ),
        ("privation", {"pool": 1, "chakra": 0}, {"p_unconscious": "1/3", "expected_chakra_paid": "0", "p_harm": "1/2"}),
        ("fill_clock", {"pool": 1, "rate": "combat", "size": 2, "rolls": 2}, {"by_roll": ["1/2", "3/4"]}),
        ("fill_clock", {"pool": 1, "rate": "combat", "size": 2, "filled": 2, "rolls": 1}, {"p_filled": "1"}),
        ("glory", {"pool": 0, "rolled": [1, 1], "want": "crit"}, {"p_reach": "2/27"}),
        ("glory", {"pool": -2, "rolled": [1, 1], "want": "partial"}, {"p_reach": "1/2"}),
        ("enemy_turn_lost", {"pool": 1, "difficulty": "average"}, {"p_lost": "1/6"}),
        ("pvp", {"initiator_pool": 1, "defender_pool": 1}, {"p_tie": "7/18"}),
        ("effect", {"pool": 1, "rate": "combat", "penalty_effect": 2}, {"distribution": {"0": "1"}, "expected": "0"}),
        ("start_position", {"pool": 0}, {"p_controlled": "0", "p_desperate": "3/4", "p_risky": "1/4"}),
    ],
)
def test_odds_questions(question: str, given: dict[str, Any], wanted: dict[str, Any]) -> None:
    """Section 22."""
    answer = chance(question, **given)
    assert {name: answer[name] for name in wanted} == wanted


def test_more_ticks_than_segments_are_no_clock() -> None:
    with pytest.raises(msgspec.ValidationError):
        chance("fill_clock", pool=1, rate="combat", size=2, filled=3, rolls=1)


def test_expected_effect_of_both_rates() -> None:
    """SO-C08, SO-C11: a downtime roll always gives something."""
    for pool in range(6):
        combat, downtime = (
            Fraction(chance("effect", pool=pool, rate=rate)["expected"]) for rate in ("combat", "downtime")
        )
        assert downtime - combat >= Fraction(1, 36)
