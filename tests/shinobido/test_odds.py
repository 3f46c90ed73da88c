"""Odds questions against counts by hand: every throw, the digest's formulas, hand-made chains (section 25)."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

import msgspec
import pytest

from systems.core.calls import Verdict
from systems.core.calls import odds as odds_of
from systems.core.convert import to_plain, to_struct
from systems.core.errors import OddsTooLarge

from .by_name import BALANCED, CALLS, odds, person, refused

STRIKER = person(wits=1, strength=3, agility=4, tenacity=1)
WALL = person(intellect=1, wits=1, strength=3, agility=1, tenacity=3)

NETS = Counter(a + b - c - d for a, b, c, d in product(range(1, 7), repeat=4))
WAYS = 1296


def share(wanted: Any) -> Fraction:
    return Fraction(sum(ways for net, ways in NETS.items() if wanted(net)), WAYS)


def s(modifier: int) -> Fraction:
    return share(lambda net: net + modifier > 0)


@pytest.mark.parametrize("modifier", range(-12, 13))
def test_success_degree_award_guard_and_stranger(modifier: int) -> None:
    """SD-Q01, SD-Q03, SD-Q10, SD-Q16, SD-Q17, SD-R10, SD-P06."""
    found = odds("success", modifier=modifier)
    assert found.p_success == s(modifier)
    assert (found.certain is True) is (modifier >= 11) and (found.impossible is True) is (modifier <= -10)
    degrees = odds("degree", modifier=modifier).p_degree_at_least
    assert dict(degrees.items()) == {d: s(modifier - 3 * (d - 1)) for d in degrees}
    assert s(modifier - 3 * len(degrees)) == 0, "all that can be"
    assert odds("award", modifier=modifier).p_by_award.dict() == {grade: s(modifier + grade) for grade in range(4)}
    guard = odds("guard_worth", attack_modifier=modifier)
    assert (guard.p_hit, guard.p_hit_guarded) == (s(modifier), s(modifier - 2))
    stranger = odds("unknown_defense", attack_modifier=modifier).p_hit_by_defense
    assert stranger.dict() == {value: s(modifier - value) for value in range(-3, 6)}


def test_the_dice_alone() -> None:
    """SD-Q02, SD-R03."""
    assert [odds("net", net=net).p_net for net in range(-11, 12)] == [
        Fraction(NETS[net], WAYS) for net in range(-11, 12)
    ]


def test_too_many_degrees_are_refused_at_once() -> None:
    with pytest.raises(OddsTooLarge):
        odds("degree", modifier=1_000_000)


def blow_by_hand(attack: int, toughness: int, room: int) -> dict[str, Any]:
    """SD-Q05 as it stands in the digest."""
    wounds = {n: s(attack) * share(lambda k, n=n: -3 * n + 1 <= k + toughness <= -3 * n + 3) for n in range(1, 12)}
    return {
        "p_hit": s(attack),
        "p_wound": s(attack) * (1 - s(toughness)),
        "expected_wounds": sum(n * p for n, p in wounds.items()),
        "p_down": sum(p for n, p in wounds.items() if n >= room),
    }


@pytest.mark.parametrize("wounds", range(5))
@pytest.mark.parametrize("actor", [BALANCED, STRIKER, {**BALANCED, "wounds": 4}])
def test_a_blow(actor: dict[str, Any], wounds: int) -> None:
    """SD-Q04, SD-Q05."""
    ratings, own = actor["attributes"], max(0, actor.get("wounds", 0) - 3)
    attack = ratings["agility"] - 2 - own
    toughness = 1 - ratings["strength"] - max(0, wounds - 3)
    found = odds("attack", actor=actor, target={**BALANCED, "wounds": wounds})
    by_hand = blow_by_hand(attack, toughness, 5 - wounds)
    assert {name: getattr(found, name) for name in by_hand} == by_hand
    assert found.p_out == by_hand["p_down"] * (1 - s(1 - 2)), "the Last Stand at five wounds"
    assert sum(found.wounds.values()) == 1


def test_a_blow_without_a_last_stand() -> None:
    """SD-H04, SD-H06: nobody left to stand up."""
    for target in (person(kind="grunt"), {**BALANCED, "wounds": 4, "surges_used": 1}):
        found = odds("attack", actor=STRIKER, target=target, award=2, penalty=1)
        assert found.p_out == found.p_down > 0


def test_an_art() -> None:
    """SD-Q06."""
    art = {"name": "web", "domain": "mental"}
    found = odds("focus_attack", actor=person(wits=4), target=BALANCED, art=art, damage=2, concentrate=1)
    by_hand = blow_by_hand(4 + 1 - 2, 1 - 2, 5)
    assert {name: getattr(found, name) for name in by_hand} == by_hand


def test_decisions_are_no_parameters_of_the_questions() -> None:
    for decision in ({"surge": "use"}, {"reroll": "red1"}):
        with pytest.raises(msgspec.ValidationError):
            odds("attack", actor=BALANCED, target=BALANCED, **decision)


def test_the_odds_of_a_check_leave_the_surge_open_or_follow_its_answer() -> None:
    """SD-H02: the verdict then is going_down."""
    call = CALLS.checks["attack"]
    given = {"actor": STRIKER, "target": {**BALANCED, "wounds": 4}}
    hurt = blow_by_hand(2, 1 - 3 - 1, 1)["p_down"]
    assert odds_of(call, to_struct(given, call.params))[Verdict("going_down", True)] == hurt
    used = odds_of(call, to_struct({**given, "surge": "use"}, call.params))
    assert used[Verdict("last_stand", True)] == hurt * s(-1)
    assert used[Verdict("down", True)] == hurt * (1 - s(-1))


@pytest.mark.parametrize("ahead", range(-3, 4))
def test_a_contest(ahead: int) -> None:
    """SD-Q07."""
    both = Fraction(1, WAYS**2)
    win = sum(NETS[a] * NETS[b] for a in NETS for b in NETS if a + ahead > b) * both
    tie = sum(NETS[a] * NETS[b] for a in NETS for b in NETS if a + ahead == b) * both
    found = odds("contest", a_modifier=ahead + 2, b_modifier=2)
    assert (found.p_a, found.p_tie, found.p_b) == (win, tie, 1 - win - tie)


def test_surges() -> None:
    """SD-Q08."""
    assert to_plain(odds("surge", strength=4, tenacity=1))["modifier"] == -3
    hurt = person(strength=3, tenacity=2, wounds=5)
    second = odds("surge", actor=hurt, mode="second_wind")
    assert (second.modifier, second.p_success) == (0, s(0))
    assert odds("surge", actor={**hurt, "edges": ["grit"]}).modifier == 0
    assert refused("odds", "surge", mode="second_wind")[0] == "surge_not_applicable"
    assert refused("odds", "surge", actor={**hurt, "surges_used": 1})[0] == "surge_used"


def test_a_reroll() -> None:
    """SD-Q09: after a failure the higher red die."""
    for modifier in range(-6, 7):
        ways = Fraction(0)
        for a, b, c, d in product(range(1, 7), repeat=4):
            total = a + b - c - d + modifier
            again = Fraction(sum(total + max(c, d) - face > 0 for face in range(1, 7)), 6)
            ways += 1 if total > 0 else again
        assert odds("reroll", modifier=modifier).p_success == ways / WAYS
    assert refused("odds", "reroll", modifier=0, edge="wings") == ("unknown_edge", "SD-A10")
    assert refused("odds", "reroll", modifier=0, edge="grit") == ("reroll_not_allowed", "SD-M14")


@pytest.mark.parametrize(
    ("a", "b", "ties"),
    [
        (person(wits=2, agility=3), person(wits=2, agility=2), True),
        (person(wits=2), person(wits=2, kind="npc"), True),
        (person(wits=2, id="y"), person(wits=2, id="x"), False),
        (person(wits=2), person(wits=2), True),
    ],
)
def test_who_acts_first(a: dict[str, Any], b: dict[str, Any], ties: bool) -> None:
    """SD-Q13, SD-C04."""
    even = odds("contest", a_modifier=2, b_modifier=2)
    assert odds("initiative", a=a, b=b).p_a_first == even.p_a + (even.p_tie if ties else 0)


@cache
def wounded_by(attack: int, toughness: int) -> dict[int, Fraction]:
    hit = {n: s(attack) * share(lambda k, n=n: -3 * n + 1 <= k + toughness <= -3 * n + 3) for n in range(1, 12)}
    return {**hit, 0: 1 - sum(hit.values())}


def test_how_many_attacks() -> None:
    """SD-Q11: E(w) as the digest has it, and the chance within n attacks."""
    health, expected = 6, {}
    for wounds in reversed(range(health)):
        p = wounded_by(4 - 1, 3 - 3 - max(0, wounds - 3))
        rest = sum(p[n] * expected[wounds + n] for n in p if n and wounds + n < health)
        expected[wounds] = (1 + rest) / (1 - p[0])
    found = odds("attacks_to_down", actor=STRIKER, target=WALL, within=[0, 1, 2])
    assert found.expected_attacks == expected[0]
    assert found.p_down_within.dict() == {0: 0, 1: 0, 2: found.p_down_within[2]} and found.p_down_within[2] > 0
    one = odds("attacks_to_down", actor=STRIKER, target={**WALL, "wounds": 5}, within=[1])
    assert one.p_down_within[1] == 1 - wounded_by(3, -2)[0]


def test_what_may_never_end_has_no_mean() -> None:
    """An attack roll of -10 never hits, a Toughness roll of +11 always holds."""
    rock = person(wits=5, agility=5, strength=5, tenacity=5, edges=["iron_hide"], guarding=True)
    feather = person(agility=-3, strength=-3)
    never = odds("attacks_to_down", actor=feather, target=rock)
    assert (never.expected_attacks, never.p_down_within.dict()) == (None, {3: 0, 6: 0})
    enduring = {"id": "enduring", "attribute": "strength", "rank": 3, "tags": ["toughness"]}
    hide = {"specialties": [enduring], "edges": ["iron_hide"], "wounds": 4}
    anvil = person(agility=-3, strength=5, tenacity=5, **hide)  # strikes at -10, endures at +11
    breeze = person(wits=5, agility=5, strength=-3, edges=["wind_step"])
    uncapped = {"options": {"trait_bonus_cap": None}}
    assert odds("attacks_to_down", actor=breeze, target=anvil, **uncapped).expected_attacks is None
    for pair in ({"a": anvil, "b": breeze}, {"a": breeze, "b": anvil}):
        found = odds("duel", **pair, **uncapped)
        assert (found.p_a_wins, found.expected_turns) == (None, None)


def duel_by_hand(a: dict[str, int], b: dict[str, int], turns: int = 400) -> float:
    """The chance that a, who begins, wins: floats, turn by turn, formulas of the digest."""

    def p(one: dict[str, int], other: dict[str, int], own: int, hurt: int) -> dict[int, Fraction]:
        defense, toughness = min(other["wits"], other["agility"]), min(other["strength"], other["tenacity"])
        penalties = max(0, own - 3), max(0, hurt - 3)
        return wounded_by(one["agility"] - defense - penalties[0], toughness - one["strength"] - penalties[1])

    health = [max(one["strength"], one["tenacity"]) + 3 for one in (a, b)]
    alive, won = {(0, 0): 1.0}, 0.0
    for turn in range(turns):
        after: dict[tuple[int, int], float] = {}
        for (x, y), mass in alive.items():
            for n, share in (p(a, b, x, y) if turn % 2 == 0 else p(b, a, y, x)).items():
                state = (x, y + n) if turn % 2 == 0 else (x + n, y)
                if state[1] >= health[1]:
                    won += mass * float(share)
                elif state[0] < health[0]:
                    after[state] = after.get(state, 0) + mass * float(share)
        alive = after
    return won


@pytest.mark.parametrize(("a", "b"), [(BALANCED, BALANCED), (STRIKER, WALL), (WALL, STRIKER)])
def test_a_duel(a: dict[str, Any], b: dict[str, Any]) -> None:
    """SD-Q12: exact, and as a chain worked out by hand; who goes second wins the rest."""
    found = odds("duel", a=a, b=b)
    full = dict.fromkeys(("wits", "strength", "agility", "tenacity"), 0)
    assert float(found.p_a_wins) == pytest.approx(
        duel_by_hand(full | a["attributes"], full | b["attributes"]), abs=1e-9
    )
    turned = odds("duel", a=b, b=a, first="b")
    assert (turned.p_a_wins, turned.expected_turns) == (1 - found.p_a_wins, found.expected_turns)


def test_a_duel_has_no_surges_and_no_rerolls() -> None:
    """The policy attack_every_turn."""
    lucky = {**BALANCED, "edges": ["foxs_luck"]}
    assert odds("duel", a=lucky, b=lucky) == odds("duel", a=BALANCED, b=BALANCED)
    assert refused("odds", "duel", a={**BALANCED, "status": "down"}, b=BALANCED)[0] == "actor_down"


def test_the_best_plan_for_focus() -> None:
    """SD-Q14: every split compared; less Focus on ties, then less Concentrate."""
    art = {"name": "web", "domain": "mental"}
    for pool in (1, 3, 7):
        actor = person(wits=4, focus=pool)
        found = odds("focus_plan", actor=actor, target=BALANCED, art=art, penalty=2)
        plans = []
        for damage, focus in product(range(1, 6), range(3)):
            if damage + focus <= pool:
                given = {"actor": actor, "target": BALANCED, "art": art, "damage": damage, "concentrate": focus}
                best = odds("focus_attack", **given, penalty=2).expected_wounds
                plans.append((-best, damage + focus, focus, damage))
        worst = min(plans)
        assert (found.damage, found.concentrate, found.expected_wounds) == (worst[3], worst[2], -worst[0])
    broke = {"actor": person(focus=0), "target": BALANCED, "art": art}
    assert refused("odds", "focus_plan", **broke) == ("focus_insufficient", "SD-F14")


@pytest.mark.parametrize(
    ("of", "params", "who", "attribute"),
    [
        ("attack", {"actor": BALANCED, "target": BALANCED, "award": 1}, "target", "tenacity"),
        ("duel", {"a": STRIKER, "b": WALL, "first": "b"}, "a", "tenacity"),
        ("attacks_to_down", {"actor": STRIKER, "target": WALL}, "actor", "agility"),
        ("initiative", {"a": BALANCED, "b": WALL}, "b", "wit"),
        ("surge", {"strength": 3, "tenacity": 1}, "actor", "tenacity"),
    ],
)
def test_what_one_more_pip_is_worth(of: str, params: dict[str, Any], who: str, attribute: str) -> None:
    """SD-Q18: the other question asked twice."""
    found = odds("pip_worth", of=of, params=params, who=who, attribute=attribute)
    assert found.before == odds(of, **params)
    assert found.after != found.before


def test_a_pip_that_ends_a_tie_drops_its_choice() -> None:
    """SD-D03."""
    tied = person(strength=2, tenacity=2, toughness_attr="tenacity")
    found = odds("pip_worth", of="surge", params={"actor": tied}, who="actor", attribute="tenacity")
    assert found.after.modifier == 0


def test_what_pip_worth_refuses() -> None:
    best = person(agility=5)
    given = {"of": "attack", "params": {"actor": best, "target": BALANCED}, "who": "actor"}
    assert refused("odds", "pip_worth", **given, attribute="agility") == ("attribute_at_maximum", "SD-G08")
    assert refused("odds", "pip_worth", **given, attribute="luck")[0] == "unknown_attribute"
    for wrong in ({"who": "a"}, {"params": {"actor": best}}, {"params": {**given["params"], "mode": "last_stand"}}):
        with pytest.raises(msgspec.ValidationError):
            odds("pip_worth", **{**given, **wrong}, attribute="wits")


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("roll_initiative", {"combatants": [person(id=str(at)) for at in range(50)]}),
        ("surprise", {"targets": [person(id=str(at)) for at in range(50)], "ambushers_best_agility": 1}),
    ],
)
def test_many_rollers_cost_no_more(name: str, given: dict[str, Any]) -> None:
    call = CALLS.checks[name]
    found = odds_of(call, to_struct(given, call.params))
    assert sum(p for _, p in found) == 1
    if name == "surprise":
        assert found[Verdict("none_surprised")] == s(-1) ** 50


@pytest.mark.parametrize("wounds", [16, 1_000_000])
def test_fights_of_many_wounds_are_refused_at_once(wounds: int) -> None:
    """A grunt may have a Health of its own (SD-N10); the chains of SD-Q11 and SD-Q12 grow with it."""
    ogre = person(kind="grunt", health_override=wounds)
    for name, given in (
        ("attacks_to_down", {"actor": BALANCED, "target": ogre}),
        ("duel", {"a": ogre, "b": BALANCED}),
        ("duel", {"a": BALANCED, "b": ogre}),
    ):
        with pytest.raises(OddsTooLarge):
            odds(name, **given)
    hurt = {**ogre, "wounds": wounds - 9}
    assert odds("attacks_to_down", actor=BALANCED, target=hurt).p_down_within


def test_one_who_is_surprised_may_be_named_first_and_still_comes_second() -> None:
    """SD-C02, SD-T06: the first turn is lost, and is none of the turns counted."""
    caught = {**BALANCED, "surprised": True}
    assert odds("duel", a=caught, b=BALANCED) == odds("duel", a=BALANCED, b=BALANCED, first="b")
    both = odds("duel", a=caught, b=caught)
    assert both == odds("duel", a=BALANCED, b=caught, first="b") != odds("duel", a=caught, b=BALANCED)
