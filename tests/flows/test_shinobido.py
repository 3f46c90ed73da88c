"""An exchange, from the declared attack to the Last Stand, by one code for play, replay, odds and simulation.

Aki (Agility 2, Strength 2, Fox's Luck) attacks the captain: Wits 2, Strength 3, Agility 3, Tenacity 2, so Defense 2,
Toughness 2, Health 6 (SD-N08). Nobody but the Narrator knows those numbers (SD-P05). The captain has taken 4 wounds,
which is a wound penalty of 1 (SD-D07), and one more drops at 6.

1. Aki's attack roll: net + 2 - 2, hit above 0 (SD-C08, SD-C09).
2. Right after the dice Aki may throw one red die again, once a scene (SD-M14): `reroll_offer`.
3. A hit is followed by the captain's Toughness roll: net + 2 - 2 (damage rating) - 1 (wounds) (SD-C14, SD-C15).
4. Failing it by 0 to 2 costs one wound, by 3 to 5 two, and so on (SD-C17).
5. Six wounds are the captain's Health: it is going down and may make a Last Stand (SD-W05, SD-H02): `surge_offer`.
6. The Last Stand: net + Tenacity 2 - 3, the wound penalty at six wounds. It stands with 5 wounds or goes Down (SD-H03).

Whether the captain has Fox's Luck is hidden, so its Narrator is asked after each of its own rolls (3 and 6) in a veiled
window: `reroll_offer` again, with nothing but `no` to say, since it has no such Edge.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from systems.core import live, simulate, solve
from systems.core.dice import ScriptedDice
from systems.core.errors import Illegal
from systems.core.game import Event
from systems.core.live import Waiting
from systems.core.play import GM_ONLY
from systems.core.seats import GM, Seat
from systems.core.values import Map
from systems.shinobido.answers import Decide, UseReroll
from systems.shinobido.commands import Attack
from systems.shinobido.events import AttackResolved, DecisionOffered, DieRerolled, SurgeResolved, WoundsTaken
from systems.shinobido.policies import following
from systems.shinobido.sheet import Sheet
from systems.shinobido.state import Fight, Scene
from systems.shinobido.switches import Switches
from systems.shinobido.system import Shinobido

SYSTEM = Shinobido()
AKI, BEN = Seat("s1", characters=("aki",)), Seat("s2", characters=("ben",))
ATTACK = Attack("aki", "captain")

NET_2 = [4, 3, 3, 2]
NET_0 = [3, 3, 3, 3]
NET_MINUS_1 = [3, 3, 6, 1]
NET_MINUS_4 = [2, 2, 4, 4]


def sheet(id: str, **fields: Any) -> Sheet:
    ratings = fields.pop("attributes")
    return Sheet(id=id, attributes=Map(ratings), **fields)


def scene() -> Scene:
    aki = sheet("aki", attributes={"wits": 2, "strength": 2, "agility": 2}, edges=("foxs_luck",))
    ben = sheet("ben", attributes={"wits": 1, "agility": 1})
    ratings = {"wits": 2, "strength": 3, "agility": 3, "tenacity": 2}
    captain = sheet("captain", attributes=ratings, kind="npc", wounds=4)
    sides = Map({"squad": ("aki", "ben"), "shadow": ("captain",)})
    return Scene(
        cast=Map({"aki": aki, "ben": ben, "captain": captain}),
        switches=Switches(auto_penalty_zero=True),
        hidden=("captain",),
        fight=Fight(sides, ("aki", "ben", "captain"), turn="aki"),
    )


def bens_turn() -> Scene:
    return scene().with_fight(turn="ben")


def restarted(progress: live.Progress[Scene]) -> Waiting[Scene]:
    """The open step as another process would read it from the store."""
    return SYSTEM.codec.decode(SYSTEM.codec.encode(progress.waiting), Waiting[Scene])


def seen(events: tuple[Event, ...], viewer: Seat) -> list[Event]:
    return [masked for event in events if (masked := event.seen_by(viewer))]


class Table:
    """The exchange played live: every answer is given by a fresh process."""

    def __init__(self, faces: list[int], **captain: Any) -> None:
        self.start = scene().with_sheet("captain", **captain)
        self.dice = ScriptedDice(faces)
        self.progress = live.command(self.start, ATTACK, AKI, self.dice)
        self.events: list[Event] = [live.planned(ATTACK, AKI), *self.progress.events]
        self.throws = [*self.progress.throws]

    @property
    def asked(self) -> tuple[str, str]:
        assert self.progress.waiting
        (question,) = self.progress.waiting.window.questions
        return question.about, question.topic

    def captain_keeps_its_dice(self) -> None:
        """The veiled window after a roll of the captain: asked, and nothing offered but to leave the dice."""
        assert self.asked == ("captain", "reroll_offer")
        assert self.progress.waiting and self.progress.waiting.window.veiled
        self.answers(Decide("no"), GM)

    def answers(self, message: Any, seat: Seat) -> None:
        self._went(live.answer(restarted(self.progress), 0, message, seat, self.dice))

    def nobody_answers(self) -> None:
        self._went(live.silence(restarted(self.progress), 0, self.dice))

    def _went(self, progress: live.Progress[Scene]) -> None:
        self.progress = progress
        self.events += progress.events
        self.throws += progress.throws

    def ended(self) -> Scene:
        assert self.progress.waiting is None
        self.dice.close()
        assert live.replay(self.start, tuple(self.events)) == self.progress.game, "events alone give the state"
        return self.progress.game


def test_a_miss_turned_into_a_hit_and_the_captain_stands() -> None:
    """Net -1 misses; the red 6 becomes a 2, net 3 hits; Toughness fails by 5, two wounds; the Last Stand holds."""
    table = Table([*NET_MINUS_1, 2, *NET_MINUS_4, *NET_2])
    assert table.asked == ("aki", "reroll_offer")
    table.answers(UseReroll("red1"), AKI)
    table.captain_keeps_its_dice()
    assert table.asked == ("captain", "surge_offer")
    assert table.progress.waiting and not table.progress.waiting.window.veiled
    assert table.progress.waiting.seen.cast["captain"].status == "going_down"
    table.answers(Decide("use"), GM)
    table.captain_keeps_its_dice()
    end = table.ended()
    captain = end.cast["captain"]
    assert (captain.status, captain.wounds, captain.surges_used) == ("standing", 5, 1)
    assert end.cast["aki"].reroll_used
    assert [one.label for one in table.throws] == ["attack", "reroll", "toughness", "surge"]


def test_silence_keeps_the_dice_and_uses_the_surge() -> None:
    """Defaults when time runs out: reroll no, Surge use (SD-T10)."""
    table = Table([*NET_2, *NET_MINUS_4, *NET_0])
    for asked in (
        ("aki", "reroll_offer"),
        ("captain", "reroll_offer"),
        ("captain", "surge_offer"),
        ("captain", "reroll_offer"),
    ):
        assert table.asked == asked
        table.nobody_answers()
    captain = table.ended().cast["captain"]
    assert (captain.status, captain.wounds, captain.surges_used) == ("down", 6, 1), "net 0 - 1 is no success"


def test_a_declined_surge_is_not_used_up() -> None:
    """SD-H04: declining is free."""
    table = Table([*NET_2, *NET_MINUS_4])
    table.answers(Decide("no"), AKI)
    table.captain_keeps_its_dice()
    table.answers(Decide("decline"), GM)
    captain = table.ended().cast["captain"]
    assert (captain.status, captain.surges_used) == ("down", 0)


def test_a_miss_ends_the_exchange() -> None:
    """SD-C13: nothing follows."""
    table = Table(NET_0)
    table.answers(Decide("no"), AKI)
    assert table.ended().cast["captain"].wounds == 4


def test_only_those_asked_answer_and_only_what_is_offered() -> None:
    table = Table(NET_MINUS_1)
    assert table.progress.waiting
    for message, seat, code in (
        (Decide("no"), BEN, "not_asked"),
        (UseReroll("green1"), AKI, "reroll_not_allowed"),
        (Decide("red3"), AKI, "not_offered"),
        (ATTACK, AKI, "decision_pending"),
    ):
        with pytest.raises(Illegal) as refused:
            live.answer(restarted(table.progress), 0, message, seat, table.dice)
        assert refused.value.code == code


def test_without_the_edge_a_hidden_character_is_offered_nothing_but_no() -> None:
    """Asked all the same, but no red die may be thrown again (SD-M14, SD-P05)."""
    table = Table([*NET_2, *NET_MINUS_4])
    table.answers(Decide("no"), AKI)
    assert table.asked == ("captain", "reroll_offer")
    for message, seat, code in (
        (Decide("red1"), GM, "not_offered"),
        (UseReroll("red1"), GM, "reroll_not_allowed"),
        (Decide("no"), AKI, "not_asked"),
    ):
        with pytest.raises(Illegal) as refused:
            live.answer(restarted(table.progress), 0, message, seat, table.dice)
        assert refused.value.code == code


def test_what_may_not_be_declared_throws_nothing() -> None:
    """Only the owner declares (SD-P03), at one target (SD-K04), by the rules of the check (SD-C10, SD-C14, SD-M06)."""
    start = bens_turn()
    for message, seat, code in (
        (ATTACK, BEN, "not_owner"),
        (Attack("ben", "ben"), BEN, "target_self"),
        (Attack("ben", "nobody"), BEN, "target_out"),
        (Attack("ben", "captain", concentrate=3), BEN, "concentrate_out_of_range"),
        (Attack("ben", "captain", weapon_modifier=4), BEN, "weapon_modifier_out_of_range"),
        (UseReroll("red1"), BEN, "reroll_not_allowed"),
        (UseReroll("red1"), AKI, "no_decision"),
        (Decide("use"), AKI, "no_decision"),
    ):
        with pytest.raises(Illegal) as refused:
            live.command(start, message, seat, ScriptedDice([]))
        assert refused.value.code == code
    assert [one.action for one in Attack.offers(start, BEN)] == ["attack"]


def test_players_see_their_own_dice_and_the_wounds_but_no_hidden_value() -> None:
    """Not the total after a hidden Defense, nor the captain's dice or Health (SD-P05, SD-P07, SD-P10)."""
    table = Table([*NET_2, *NET_MINUS_4, *NET_2])
    table.answers(Decide("no"), AKI)
    table.captain_keeps_its_dice()
    table.answers(Decide("use"), GM)
    table.captain_keeps_its_dice()
    table.ended()
    by_label = {one.label: one.seen_by for one in table.throws}
    assert by_label == {"attack": "all", "toughness": GM_ONLY, "surge": GM_ONLY}
    for player in (AKI, BEN):
        shown = seen(tuple(table.events), player)
        assert AttackResolved("aki", "captain", True) in shown
        assert WoundsTaken("captain", 2, 0, True) in shown
        assert SurgeResolved("captain", "last_stand", True) in shown
        assert all(one.dice is None for one in shown if isinstance(one, DecisionOffered)), "no total"
    gm = seen(tuple(table.events), GM)
    assert any(one.dice and one.dice.total == 2 for one in gm if isinstance(one, DecisionOffered))


def test_a_hidden_characters_luck_and_overkill_stay_hidden() -> None:
    """SD-P05: Edges and Health are hidden; the window is veiled."""
    start = bens_turn()
    lucky = start.with_sheet("captain", edges=("foxs_luck",), wounds=5)
    dice = ScriptedDice([*NET_2, *NET_MINUS_4, 6])
    progress = live.command(lucky, Attack("ben", "captain"), BEN, dice)
    assert progress.waiting and progress.waiting.window.veiled
    assert not [one for one in seen(progress.events, BEN) if isinstance(one, DecisionOffered)]
    progress = live.answer(restarted(progress), 0, UseReroll("red1"), GM, dice)
    assert not [one for one in seen(progress.events, BEN) if isinstance(one, DieRerolled)]
    (wounds,) = (one for one in progress.events if isinstance(one, WoundsTaken))
    assert wounds.overkill == 2 and wounds.seen_by(BEN) == WoundsTaken("captain", wounds.wounds, 0, True)


LUCK = {"edges": ("foxs_luck",)}
SPENT_LUCK = {**LUCK, "reroll_used": True}


def looks(table: Table, viewer: Seat) -> tuple[Any, ...]:
    """All that the pause shows a seat: events, dice, and the window unless it is veiled and asks somebody else."""
    dice = [(one.label, one.faces) for one in table.throws if one.seen_by == "all" or viewer.gm]
    window = table.progress.waiting and table.progress.waiting.window
    if window and window.veiled and not any(viewer.speaks_for(one.about) for one in window.questions):
        window = None
    return seen(tuple(table.events), viewer), dice, window, table.progress.waiting is not None


@pytest.mark.parametrize("captain", [LUCK, SPENT_LUCK], ids=["luck", "spent luck"])
def test_a_window_of_a_hidden_character_looks_the_same_with_luck_and_without(captain: dict[str, Any]) -> None:
    """SD-P05: every pause of the exchange, also the one after a roll that went well; the Narrator sees the choice."""
    for faces in ([*NET_2, *NET_MINUS_4, *NET_2], [*NET_2, *NET_2], [*NET_2, *NET_MINUS_4, *NET_0]):
        plain, other = Table(faces), Table(faces, **captain)
        while plain.progress.waiting:
            for player in (AKI, BEN):
                assert looks(plain, player) == looks(other, player)
            assert plain.asked == other.asked
            may = captain is LUCK and plain.asked == ("captain", "reroll_offer")
            assert (looks(plain, GM) != looks(other, GM)) == may, "only the Narrator sees that there is a choice"
            plain.nobody_answers()
            other.nobody_answers()
        for player in (AKI, BEN):
            assert looks(plain, player) == looks(other, player)
        plain.ended()
        other.ended()


def test_a_hidden_characters_used_luck_shows_in_nothing_but_what_comes_of_it() -> None:
    """The same wounds by a bad throw or by a bad second throw: players cannot tell which (SD-P05, SD-P07, SD-P10)."""
    plain, lucky = Table([*NET_2, *NET_MINUS_4]), Table([*NET_2, *NET_MINUS_1, 4], **LUCK)
    for table in (plain, lucky):
        table.answers(Decide("no"), AKI)
    plain.captain_keeps_its_dice()
    lucky.answers(UseReroll("red2"), GM)
    assert plain.asked == lucky.asked == ("captain", "surge_offer")
    for player in (AKI, BEN):
        assert looks(plain, player) == looks(lucky, player)
    assert lucky.progress.waiting and lucky.progress.waiting.seen.cast["captain"].reroll_used


def net(faces: tuple[int, ...]) -> int:
    return faces[0] + faces[1] - faces[2] - faces[3]


THROWS = tuple(product(range(1, 7), repeat=4))


def hit_by_hand() -> Fraction:
    """Every throw of four dice; after a failure the higher red die again."""
    hits = Fraction(0)
    for faces in THROWS:
        if net(faces) > 0:
            hits += 1
        else:
            rest = net(faces) + max(faces[2:])
            hits += Fraction(sum(rest - face > 0 for face in range(1, 7)), 6)
    return hits / len(THROWS)


def share(wanted: Any) -> Fraction:
    return Fraction(sum(bool(wanted(net(faces))) for faces in THROWS), len(THROWS))


def out_by_hand() -> Fraction:
    """Hit, then Toughness short by 3 or more (two wounds), then the Last Stand fails."""
    return hit_by_hand() * share(lambda k: k - 1 <= -3) * share(lambda k: k + 2 - 3 <= 0)


LUCKY = {"aki": "reroll_higher_red"}


def test_exact_odds_agree_with_a_count_by_hand() -> None:
    reached = solve.odds_of(scene(), ATTACK, AKI, following(**LUCKY))
    assert sum(p for _, p in reached) == 1
    status = reached.by(lambda end: end.cast["captain"].status)
    assert status["down"] == out_by_hand()
    one_wound = reached.where(lambda end: end.cast["captain"].wounds == 5 and not end.cast["captain"].surges_used)
    assert one_wound == hit_by_hand() * share(lambda k: -3 < k - 1 <= 0)


def test_odds_assume_what_silence_means() -> None:
    """No reroll, the Surge used (table `decisions`)."""
    reached = solve.odds_of(scene(), ATTACK, AKI)
    assert not reached.where(lambda end: end.cast["aki"].reroll_used)
    plain = share(lambda k: k > 0) * share(lambda k: k - 1 <= -3)
    assert reached.where(lambda end: end.cast["captain"].surges_used == 1) == plain


def test_simulation_agrees_with_the_odds() -> None:
    chance, trials = simulate.SampledChance(7), 3000
    answers = following(**LUCKY)
    down = sum(
        simulate.carry_out(scene(), ATTACK, AKI, chance, answers).cast["captain"].status == "down"
        for _ in range(trials)
    )
    p = float(out_by_hand())
    assert abs(down / trials - p) < 4 * (p * (1 - p) / trials) ** 0.5
