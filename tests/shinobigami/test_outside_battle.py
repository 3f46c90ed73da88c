"""Fumbles, ailments, the end of a Cycle and Drama Scene Checks (SG-T01, SG-H20..H27, SG-P11, SG-D11..D15)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from systems.core.errors import OddsTooLarge
from systems.core.play import AssumedAnswers
from systems.core.seats import GM, Seat
from systems.core.solve import settle
from systems.core.values import Map
from systems.shinobigami.checks import SkillCheck
from systems.shinobigami.drama import Recovers
from systems.shinobigami.scene import GearLost, Scene
from systems.shinobigami.sheet import Character
from systems.shinobigami.switches import Switches

from .asking import AKARI, BOTAN, chances, refused, throw

ALL = ["technology", "martial_arts", "stealth", "scheming", "strategy", "sorcery"]
PARALYSED = [{"id": "paralysis", "target": skill} for skill in AKARI["skills"]]


def tie(holder: str, toward: str, emotion: str = "", sign: str = "") -> dict[str, str]:
    return {"holder": holder, "toward": toward, "emotion": emotion, "sign": sign}


@pytest.mark.parametrize(
    ("changes", "params", "dice", "row", "state"),
    [
        ({}, {}, (1,), "off_form", {"cycle_penalty": -1}),
        ({"cycle_penalty": -1}, {}, (1,), "off_form", {"cycle_penalty": -1}),  # SG-C18, SG-Z25
        ({}, {}, (2,), "gear_lost", {"gear": {}}),
        ({"gear": {"soma_pill": 2}}, {}, (2,), "gear_lost", {"gear": {"soma_pill": 1}}),
        (
            {"gear": {"soma_pill": 1, "bead_of_life": 1}, "ailments": ["breakdown"]},  # SG-G06: it may still be lost
            {"choices": {"gear": "soma_pill"}},
            (2,),
            "gear_lost",
            {"gear": {"bead_of_life": 1, "soma_pill": 0}},
        ),
        ({"extra_lp": {"slots": 1}}, {}, (4,), "lost_control", {"lost": [], "extra_lost": 1}),  # SG-H04, SG-Z12
        ({"lost": ALL[:5]}, {}, (4,), "lost_control", {"lost": ALL}),  # nothing to choose
        ({"lost": ALL}, {}, (4,), "lost_control", {"lost": ALL}),  # SG-H05
        ({}, {}, (5, 3), "trap", {"ailments": [{"id": "heavy_wound"}]}),
        ({"ailments": ["missing"]}, {}, (5, 4), "trap", {"ailments": [{"id": "missing"}]}),
        ({}, {}, (6,), "lucky_escape", {}),
        ({"kind": "enemy", "lp_slots": 3}, {}, (4,), "lost_control", {"slots_lost": 1}),
    ],
)
def test_rows_of_the_fumble_table(changes: Any, params: Any, dice: tuple[int, ...], row: str, state: Any) -> None:
    """SG-T01, SG-T14, SG-Z37."""
    answer = throw("apply_fumble", *dice, character={**AKARI, **changes}, **params)
    assert (answer["row"], answer["state"], answer["grade"], answer["success"]) == (row, state, "rolled", None)


def test_a_leak_is_shared_once_and_not_with_those_who_chose_it() -> None:
    """SG-T13, SG-Z24, SG-I05, SG-I06."""
    bonds = [tie("doro", "botan"), tie("doro", "chidori"), tie("chidori", "botan"), tie("akari", "botan")]
    choices = {"botan": "location", "chidori": "location"}
    params = {"character": AKARI, "others": ["botan", "chidori", "doro"], "bonds": bonds, "choices": choices}
    learned = throw("apply_fumble", 3, **params)["learned"]
    assert [(one["who"], one["kind"], one.get("by")) for one in learned] == [
        ("botan", "location", None),
        ("chidori", "location", None),
        ("doro", "location", "infoshare"),
    ]


@pytest.mark.parametrize(
    ("character", "choices"),
    [
        ({**AKARI, "lost": ["sorcery"]}, {"category": "sorcery"}),
        ({**AKARI, "gear": {"soma_pill": 1}}, {"gear": "bead_of_life"}),
        ({**AKARI, "secrets": 1}, {"botan": {"secret": 2}}),
        (AKARI, {"botan": "everything"}),
    ],
)
def test_choices_that_a_fumble_does_not_offer(character: Any, choices: Any) -> None:
    assert refused("check", "apply_fumble", character=character, others=["botan"], choices=choices) == "invalid_choice"


def test_a_choice_that_is_missing_stays_open() -> None:
    """The question waits; the odds of the throw are those of one row or another."""
    assert throw("apply_fumble", 4, character=AKARI)["pending"] == "choose_category"
    two = {**AKARI, "gear": {"soma_pill": 1, "bead_of_life": 1}}
    assert throw("apply_fumble", 2, character=two)["pending"] == "choose_gear"
    assert chances("apply_fumble", character=two) == {"rolled": "1"}


def test_what_was_lost_stays_covered() -> None:
    """SG-Y03."""
    lost, mine = GearLost("akari", "soma_pill"), Seat("s", characters=("akari",))
    assert lost.seen_by(mine) == lost == lost.seen_by(GM)
    assert lost.seen_by(Seat("t")) == GearLost("akari", "")


@pytest.mark.parametrize(
    ("changes", "dice", "gained"),
    [
        ({}, (3,), {"id": "heavy_wound"}),
        ({"ailments": PARALYSED[:4]}, (2, 2), {"id": "paralysis", "target": "poison"}),  # two left, one die
        ({"paralyzed": ["blade"]}, (2, 1), {"id": "paralysis", "target": "hand_to_hand"}),
        ({"ailments": PARALYSED[:5]}, (2,), {"id": "paralysis", "target": "poison"}),  # one left, no die
        ({"ailments": PARALYSED}, (2,), None),  # SG-H22
        ({"bonds": {"botan": {"emotion": "anger", "sign": "-"}}}, (5,), {"id": "amnesia", "target": "botan"}),
        (
            {"bonds": {"botan": {}}, "ailments": [{"id": "amnesia", "target": "botan"}]},
            (5,),
            None,
        ),
        ({"ninpo": ["close_combat_attack"]}, (6,), {"id": "cursed", "target": "close_combat_attack"}),
        ({}, (6,), None),  # SG-Z18: an empty pool
    ],
)
def test_gaining_an_ailment(changes: Any, dice: tuple[int, ...], gained: Any) -> None:
    """SG-T02, SG-H20..H26, SG-A05."""
    answer = throw("gain_ailment", *dice, character={**AKARI, **changes})
    assert (answer["grade"], answer["nullified"]) == (("gained", False) if gained else ("nullified", True))
    if gained:
        assert answer["ailments"][-1] == gained


@pytest.mark.parametrize(
    ("changes", "params", "dice", "expected"),
    [
        ({"ailments": ["missing"]}, {}, (6, 6), {"grade": "critical", "ailments": []}),
        (
            {"ailments": ["missing"], "cycle_penalty": -1},
            {},
            (6, 3),
            {"target_number": 9, "grade": "failure"},
        ),  # SG-Z84
        ({"ailments": ["missing"]}, {}, (1, 1, 6), {"fumble_row": "lucky_escape", "grade": "fumble"}),  # SG-C13, SG-Z26
        (
            {"ailments": ["missing"]},
            {},
            (1, 1, 5, 1),
            {"fumble_row": "trap", "ailments": [{"id": "missing"}, {"id": "breakdown"}]},
        ),
        ({"ailments": ["missing"]}, {}, (1, 1, 4), {"fumble_row": "lost_control"}),
        (
            {"ailments": ["missing", "amnesia"]},
            {},
            (6, 5, 1, 2),
            {
                "grade": "partial",
                "success": False,
                "results": [{"id": "missing", "success": True}, {"id": "amnesia", "success": False}],
            },
        ),
        (
            {"ailments": ["missing", "amnesia"]},
            {"order": ["amnesia", "missing"]},
            (4, 4, 6, 5),
            {"grade": "success", "ailments": []},
        ),
        ({"ailments": ["missing", "amnesia"]}, {}, (1, 2, 1, 2), {"grade": "failure"}),
        (
            {"lost": ALL[:5], "ailments": ["heavy_wound"]},
            {},
            (6, 5),
            {"target_number": None, "grade": "failure"},
        ),  # SG-M12
        ({"ailments": ["deadly_poison"]}, {}, (2, 3), {"target_number": 5, "grade": "success"}),  # SG-T12
    ],
)
def test_the_end_of_a_cycle(changes: Any, params: Any, dice: tuple[int, ...], expected: Any) -> None:
    """SG-P11, SG-H27, SG-Z74."""
    answer = throw("cycle_end_recovery", *dice, character={**AKARI, **changes}, **params)
    assert expected.items() <= answer.items(), answer


def test_row_one_counts_in_the_checks_that_follow() -> None:
    """SG-C18, SG-Z84: two kinds, the first check fumbles on row 1, the second misses by that point."""
    botan = {**BOTAN, "ailments": ["amnesia", "missing"]}  # finances: manipulation is two rows away, 7
    assert throw("cycle_end_recovery", 1, 1, 1, 3, 4, character=botan)["results"][1]["success"] is False


def test_the_odds_of_a_cycle_end() -> None:
    """SG-P11: both kinds in 36ths squared without a Fumble between; more than three kinds are refused at once."""
    two = chances("cycle_end_recovery", character={**AKARI, "ailments": ["missing", "heavy_wound"]})
    assert two["success"] == "35/216"
    many = ["missing", "heavy_wound", "breakdown", "amnesia"]
    with pytest.raises(OddsTooLarge):
        chances("cycle_end_recovery", character={**AKARI, "ailments": many})


def test_who_may_not_shake_anything_off() -> None:
    assert refused("check", "cycle_end_recovery", character=AKARI) == "nothing_to_recover"
    ill = {**AKARI, "ailments": ["missing"]}
    assert refused("check", "cycle_end_recovery", character=ill, order=["amnesia"]) == "invalid_choice"
    assert refused("check", "cycle_end_recovery", character={**ill, "lost": ALL}) == "knocked_out"  # SG-H08


HURT = {**AKARI, "lost": ["martial_arts", "stealth", "sorcery"], "ailments": [PARALYSED[0], PARALYSED[2]]}


@pytest.mark.parametrize(
    ("changes", "choices", "dice", "lost", "ailments"),
    [
        ({}, {"categories": ["stealth"]}, (2, 3), ["martial_arts", "sorcery"], 2),
        ({}, {"ailments": ["paralysis"]}, (2, 3), HURT["lost"], 1),  # SG-Z78: one instance
        ({}, {"ailments": [PARALYSED[2]]}, (2, 3), HURT["lost"], 1),
        ({}, {"categories": ["stealth"]}, (1, 2), HURT["lost"], 2),  # SG-D06: failure gives nothing
        ({}, {"categories": ["stealth", "sorcery"]}, (6, 6), ["martial_arts"], 2),  # SG-C07
        ({}, {"categories": ["stealth"], "ailments": ["paralysis"]}, (6, 6), ["martial_arts", "sorcery"], 1),
        ({}, {"ailments": ["paralysis", "paralysis"]}, (6, 6), HURT["lost"], 0),
        (
            {},
            {"categories": ["stealth"]},
            (6, 6),
            ["martial_arts", "sorcery"],
            2,
        ),  # a Critical's recovery may be left out
        ({"backgrounds": ["safehouse"]}, {"categories": ["stealth", "sorcery"]}, (2, 3), ["martial_arts"], 2),  # SG-B31
        ({"backgrounds": ["safehouse"]}, {"ailments": ["paralysis", "paralysis"]}, (2, 3), HURT["lost"], 0),
        ({"ailments": [], "lost": ["stealth"]}, {}, (2, 3), [], 0),  # nothing to choose
        ({"extra_lp": {"slots": 2, "lost": 1}}, {"categories": ["extra"]}, (2, 3), HURT["lost"], 2),  # SG-H07
    ],
)
def test_recovery_check(changes: Any, choices: Any, dice: tuple[int, int], lost: list[str], ailments: int) -> None:
    """SG-D11, SG-H27."""
    answer = throw("recovery_check", *dice, scene_player={**HURT, **changes}, target_number=5, choices=choices)
    assert (answer["lost"], len(answer["ailments"])) == (lost, ailments)


def test_a_critical_restores_both_by_the_switch() -> None:
    """SG-U12, SG-Z06."""
    choices = {"categories": ["stealth", "sorcery"], "ailments": ["paralysis"]}
    params = {"scene_player": HURT, "target_number": 5, "choices": choices}
    answer = throw("recovery_check", 6, 6, **params, switches={"critical_recovery": "and"})
    assert (answer["lost"], len(answer["ailments"])) == (["martial_arts"], 1)
    assert refused("check", "recovery_check", 6, 6, **params) == "invalid_choice"


@pytest.mark.parametrize(
    ("player", "choices", "dice", "code"),
    [
        ("akari", {}, (), "nothing_to_recover"),
        (AKARI, {}, (), "nothing_to_recover"),
        ({**HURT, "lost": ALL}, {}, (), "knocked_out"),
        (HURT, {"categories": ["strategy"]}, (), "invalid_choice"),
        (HURT, {"ailments": ["missing"]}, (), "invalid_choice"),
        (HURT, {"categories": ["extra"]}, (), "invalid_choice"),
        (HURT, {"categories": ["stealth", "sorcery"]}, (2, 3), "invalid_choice"),  # one only
        (
            {**HURT, "backgrounds": ["safehouse"]},
            {"categories": ["stealth"], "ailments": ["paralysis"]},
            (2, 3),
            "invalid_choice",
        ),
    ],
)
def test_refused_recovery(player: Any, choices: Any, dice: tuple[int, ...], code: str) -> None:
    """SG-D11, SG-Z58."""
    params = {"scene_player": player, "target_number": 5, "choices": choices}
    assert refused("check", "recovery_check", *dice, **params) == code


def test_an_open_recovery_is_asked() -> None:
    assert throw("recovery_check", 2, 3, scene_player=HURT, target_number=5)["pending"] == "choose_recovery"


def test_the_steps_of_a_recovery_run_in_a_scene() -> None:
    """The same step with assumed answers: equal states merge, all branches together are 1."""
    sheet = Character(id="akari", lost=("stealth", "sorcery"), ailments=("missing",))
    scene = msgspec.structs.replace(Scene.of(sheet), switches=Switches(critical_recovery="and"))
    ends = settle(scene.doing(Recovers("akari", SkillCheck(7))), AssumedAnswers())
    assert sum(p for _, p in ends) == 1
    assert ends.where(lambda end: not end["akari"].lost) == ends.where(lambda end: end.grade == "critical")
    assert ends.where(lambda end: end.grade == "success").denominator == 9


def info(**changes: Any) -> dict[str, Any]:
    return {"scene_player": "akari", "subject": "botan", "kind": "location", "target_number": 8, **changes}


WOUNDED = {**AKARI, "ailments": ["heavy_wound"]}


@pytest.mark.parametrize(
    ("params", "dice", "expected"),
    [
        (info(), (3, 4), {"learned_by": [], "total": 7, "lost": []}),
        (
            info(subject_clan="oni", backgrounds=[{"id": "traitor", "params": {"clan": "hirasaka"}}]),
            (3, 4),
            {"total": 7},
        ),
        (
            info(
                scene_player={**AKARI, "backgrounds": [{"id": "traitor", "params": {"clan": "oni"}}]},
                subject_clan="oni",
            ),
            (3, 4),
            {"total": 8},
        ),
        (info(scene_player={**AKARI, "cycle_penalty": -1}), (4, 4), {"total": 7, "grade": "failure"}),
        (
            info(bonds=[tie("doro", "akari"), tie("botan", "akari"), tie("akari", "ren")]),
            (4, 4),
            {"learned_by": ["akari", "doro"]},
        ),
        (
            info(bonds=[tie("akari", "ren")], switches={"infoshare_direction": "holder_shares"}),
            (4, 4),
            {"learned_by": ["akari", "ren"]},
        ),
        (info(scene_player=WOUNDED), (1, 1, 4), {"grade": "fumble", "lost": ["scheming"]}),  # SG-H23: success or not
        (
            info(scene_player={**WOUNDED, "lost": ["scheming"]}, choices={"categories": ["sorcery"]}),
            (4, 4, 4),
            {"lost": ["scheming", "sorcery"]},
        ),
        (info(scene_player={**WOUNDED, "extra_lp": {"slots": 1}}), (4, 4), {"lost": []}),
        (
            info(kind="secret", index=2, scene_player={**AKARI, "known": [{"kind": "secret", "subject": "botan"}]}),
            (4, 4),
            {"learned_by": ["akari"]},
        ),
        (info(target_number=None), (6, 6), {"grade": "critical", "learned_by": ["akari"]}),
    ],
)
def test_information_check(params: Any, dice: tuple[int, ...], expected: Any) -> None:
    """SG-D12, SG-D13, SG-D15, SG-I05, SG-I07, SG-U05, SG-Z16."""
    answer = throw("information_check", *dice, **params)
    assert expected.items() <= answer.items(), answer


@pytest.mark.parametrize(
    ("params", "code"),
    [
        (info(kind="ohgi"), "ohgi_not_investigable"),  # SG-I04, SG-Z21
        (info(subject="akari"), "cannot_target_self"),
        (info(scene_player={**AKARI, "known": [{"kind": "location", "subject": "botan"}]}), "already_known"),
        (info(scene_player={**AKARI, "lost": ALL}), "knocked_out"),
    ],
)
def test_refused_information(params: Any, code: str) -> None:
    assert refused("check", "information_check", **params) == code


def test_a_target_number_is_needed() -> None:
    with pytest.raises(msgspec.ValidationError):
        throw("information_check", scene_player="akari", subject="botan", kind="location")


def emotion(**changes: Any) -> dict[str, Any]:
    choices = {"akari": "+", "botan": "-"}
    return {"scene_player": "akari", "target": "botan", "target_number": 5, "choices": choices, **changes}


OLD = tie("akari", "botan", "devotion", "+")
BOTH = [tie("akari", "botan", "empathy", "+"), tie("botan", "akari", "mistrust", "-")]


@pytest.mark.parametrize(
    ("params", "dice", "bonds"),
    [
        (emotion(), (4, 3, 1, 1), BOTH),
        (emotion(), (1, 3), []),
        (emotion(bonds=[OLD, tie("doro", "akari")]), (1, 3), [OLD]),
        (emotion(bonds=[OLD]), (4, 3, 1, 1), BOTH),
        (
            emotion(bonds=[OLD], choices={"akari": "keep", "botan": "+"}),
            (4, 3, 1, 1),
            [OLD, tie("botan", "akari", "empathy", "+")],
        ),
        (emotion(lack_of_emotion={"botan": "empathy"}), (4, 3, 1, 1), BOTH),
    ],
)
def test_emotion_check(params: Any, dice: tuple[int, ...], bonds: Any) -> None:
    """SG-D14, SG-E01..E05, SG-T04: a new bond replaces the old one."""
    assert throw("emotion_check", *dice, **params)["bonds"] == bonds


@pytest.mark.parametrize(
    ("params", "dice", "code"),
    [
        (emotion(target="akari"), (), "cannot_target_self"),
        (emotion(target={**BOTAN, "in_scene": False}), (), "not_in_scene"),
        (emotion(scene_player={**AKARI, "lost": ALL}), (), "knocked_out"),
        (emotion(choices={"akari": "keep", "botan": "+"}), (4, 3, 1, 1), "invalid_choice"),  # SG-E04
        (emotion(lack_of_emotion={"botan": "mistrust"}), (4, 3, 1, 1), "emotion_forbidden"),  # SG-E05, SG-B37
    ],
)
def test_refused_emotion(params: Any, dice: tuple[int, ...], code: str) -> None:
    assert refused("check", "emotion_check", *dice, **params) == code


@pytest.mark.parametrize(
    ("name", "params"),
    [
        ("information_check", info(target_number=5)),
        ("emotion_check", emotion(lack_of_emotion={"akari": "affection"})),
        ("recovery_check", {"scene_player": HURT, "target_number": 5, "choices": {"categories": ["stealth"]}}),
    ],
)
def test_the_odds_of_a_drama_check_are_those_of_its_throw(name: str, params: Any) -> None:
    """SG-D06: 30 of 36 at Target Number 5."""
    assert chances(name, **params) == {"critical": "1/36", "success": "29/36", "failure": "5/36", "fumble": "1/36"}


def test_a_sheet_keeps_its_maps_in_order() -> None:
    assert [*Character(id="a", gear=Map({"soma_pill": 1, "bead_of_life": 1})).gear] == ["bead_of_life", "soma_pill"]
