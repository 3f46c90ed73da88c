"""A round of Shinobi Origins: Glory before acceptance, two consequences, a shield, a faint, the effect at the end."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product

import pytest
from msgspec import Struct

from systems.core import live, simulate, solve
from systems.core.ask import PASS, Question
from systems.core.dice import ScriptedDice
from systems.core.errors import Illegal
from systems.core.game import Event, Message, change
from systems.core.live import Waiting
from systems.core.play import PolicyAnswers
from systems.core.seats import GM, Seat
from systems.core.system import installed
from systems.core.values import Map
from systems.origins.action import ActionRolled, DeclareAction, EffectSpent, GloryUsed, TurnUsed
from systems.origins.answers import (
    TAKE,
    AcceptResult,
    CallDefense,
    ChooseOption,
    DefendAlly,
    Glory,
    Respond,
    SpendEffect,
    UseEnemyTurn,
)
from systems.origins.armor import Armor, Load
from systems.origins.chart import HarmChart
from systems.origins.effect import Clock, PlanPart
from systems.origins.fight import Fight, Fighter, Foe
from systems.origins.reaction import DangerTicked, SteppedIn, Suffered

AKI, BO = Seat("s1", characters=("aki",)), Seat("s2", characters=("bo",))
CUT = DeclareAction(who="aki", skill="blades", approach="duel", target="oni", plan=("damage",))
CODEC = installed()["origins"].codec


def fight(**aki: object) -> Fight:
    """Aki is desperate and almost out of chakra, Bo stands by, an average enemy has two turns."""
    known = Fighter(position="desperate", chakra=1, dots=Map({"blades": 2, "evade": 1}), honor=10)
    return Fight(
        fighters=Map({"aki": change(known, **aki), "bo": Fighter(chakra=6, dots=Map({"evade": 2}))}),
        foes=Map({"oni": Foe(difficulty="average", turns_left=2)}),
    )


class Table:
    """A live game whose every process restarts before each answer."""

    def __init__(self, start: Fight, faces: list[int], command: Message = CUT) -> None:
        self.start, self.dice = start, ScriptedDice(faces)
        self.events: list[Event] = [live.planned(command, AKI)]
        self._take(live.command(start, command, AKI, self.dice))

    def _take(self, progress: live.Progress[Fight]) -> None:
        self.fight, self.waiting = progress.game, progress.waiting
        self.events += progress.events

    def asked(self) -> list[tuple[str, str]]:
        assert self.waiting
        return [(one.about, one.topic) for one in self.waiting.window.questions]

    def says(self, seat: Seat, message: Message) -> None:
        """The next process reads the open step from the store and takes this seat's answer."""
        waiting = CODEC.decode(CODEC.encode(self.waiting), Waiting[Fight])
        places = [at for at, one in enumerate(waiting.window.questions) if seat.speaks_for(one.about)]
        self._take(live.answer(waiting, places[0], message, seat, self.dice))

    def ends(self) -> Fight:
        self.dice.close()
        assert self.waiting is None
        assert live.replay(self.start, tuple(self.events)) == self.fight, "events alone give the state"
        return self.fight


def to_option_c(faces: list[int]) -> Table:
    """A fail becomes a partial by Glory, the enemy's turn brings option C."""
    table = Table(fight(), [3, 2, 5, 1, 2, *faces])
    assert table.asked() == [("aki", "accept_result")], "SO-O16: after the dice, before the result is accepted"
    assert table.events[-1] == ActionRolled("fail")
    table.says(AKI, Glory())
    assert GloryUsed("aki") in table.events and ActionRolled("partial") in table.events
    assert table.asked() == [("gm", "use_enemy_turn")], "SO-E03"
    table.says(GM, UseEnemyTurn(True))
    assert table.asked() == [("gm", "choose_option")], "SO-P11: before the consequence die"
    table.says(GM, ChooseOption("C"))
    assert TurnUsed("oni") in table.events
    return table


def test_the_actor_faints_defending_and_an_ally_takes_the_blow_that_cannot_be_defended() -> None:
    """SO-D10: harm one level lower; SO-T07, SO-T08: an ally shields the unconscious; SO-P23: the effect is spent."""
    table = to_option_c([6, 2, 5])
    assert table.asked() == [("gm", "call_defense")], "SO-D02"
    table.says(GM, CallDefense("evade"))
    assert table.asked() == [("aki", "respond"), ("bo", "defend_ally")]
    table.says(AKI, Respond("defend", name="Cut arm"))
    assert not any(isinstance(one, Suffered) for one in table.events), "nothing is thrown before Bo has answered"
    table.says(BO, PASS)
    assert table.asked() == [("aki", "respond"), ("bo", "defend_ally")], "SO-P12: the second has no defence, so no call"
    table.says(BO, DefendAlly("take"))
    table.says(AKI, TAKE)
    assert SteppedIn("bo", "aki") in table.events
    assert table.asked() == [("aki", "spend_effect")]
    table.says(AKI, SpendEffect((PlanPart("damage", 2),)))
    end = table.ends()
    aki, bo = end.fighters["aki"], end.fighters["bo"]
    assert (aki.chakra, aki.unconscious, aki.harm_chart) == (0, True, HarmChart(("Cut arm",)))
    assert (bo.chakra, bo.harm_chart) == (6, HarmChart(("Wound",)))
    assert end.foes["oni"] == Foe(difficulty="average", turns_left=1, clock=Clock(4, 2)), "SO-E03, SO-E14: one turn"
    assert aki.glory_used and end.action is None


def test_an_ally_rolls_the_first_defence_and_the_second_shifts_the_position() -> None:
    """SO-T06: the ally pays six minus result; SO-P15: one step down, after which nothing of the effect is lost."""
    table = to_option_c([5, 4, 1, 2])
    table.says(GM, CallDefense("evade"))
    table.says(BO, DefendAlly("roll"))
    table.says(AKI, TAKE)
    table.says(AKI, TAKE)
    table.says(BO, PASS)
    table.says(AKI, SpendEffect((PlanPart("weak_spot", 2),)))
    end = table.ends()
    assert end.fighters["bo"].chakra == 6 - 2 and end.fighters["bo"].harm_chart == HarmChart()
    assert end.fighters["aki"].position == "terrible"
    assert [(one.kind, one.owner, one.target) for one in end.states] == [("weak_spot", "aki", "oni")]


def test_armor_worn_stops_what_a_faint_leaves() -> None:
    """SO-H17, and SO-D12: no second defence is offered there."""
    table = Table(fight(armor=Armor(weight="light", equipped=True), load=Load("light", 1)), [5, 1, 5, 2])
    table.says(AKI, AcceptResult())
    table.says(GM, UseEnemyTurn(True))
    table.says(GM, ChooseOption("A"))
    table.says(GM, CallDefense("evade"))
    table.says(BO, PASS)
    table.says(AKI, Respond("defend"))
    assert table.asked() == [("aki", "armor")]
    with pytest.raises(Illegal, match="already_defended"):
        table.says(AKI, Respond("defend"))
    table.says(AKI, Respond("armor"))
    table.says(AKI, SpendEffect(()))
    end = table.ends().fighters["aki"]
    assert end.unconscious and end.harm_chart == HarmChart() and end.armor and end.armor.used == 1


@pytest.mark.parametrize(
    ("message", "code"),
    [
        (Respond("armor"), "item_missing"),
        (Respond("defend", alternate=True, skill="block"), "insufficient_chakra"),
        (DefendAlly("roll"), "cannot_target_self"),
        (Glory(), "result_accepted"),
        (SpendEffect((PlanPart("damage", 3),)), "effect_overspent"),
    ],
)
def test_what_is_not_possible_is_refused_in_the_words_of_the_digest(message: Message, code: str) -> None:
    """SO-H08, SO-D05, SO-T05, SO-O16, SO-F01: and nothing is thrown."""
    table = to_option_c([6])
    table.says(GM, CallDefense("evade"))
    with pytest.raises(Illegal, match=code):
        table.says(AKI, message)
    table.dice.close()


@pytest.mark.parametrize(
    ("start", "code"),
    [
        (fight(dead=True), "dead"),
        (fight(unconscious=True), "unconscious"),
    ],
)
def test_who_cannot_act_declares_nothing(start: Fight, code: str) -> None:
    """SO-A11, SO-A12, SO-B09, SO-B19."""
    with pytest.raises(Illegal, match=code):
        live.command(start, CUT, AKI, ScriptedDice([]))
    with pytest.raises(Illegal, match="not_your_turn"):
        live.command(fight(), CUT, BO, ScriptedDice([]))
    with pytest.raises(Illegal, match="plan_missing"):
        live.command(fight(), change(CUT, plan=()), AKI, ScriptedDice([]))


def test_a_lost_opportunity_closes_the_approach() -> None:
    """SO-P16: the effect stands, but the same skill and approach against the same target are over."""
    table = Table(fight(honor=0), [4, 1, 3])
    table.says(GM, UseEnemyTurn(True))
    table.says(GM, ChooseOption("B"))
    table.says(GM, CallDefense())
    table.says(AKI, TAKE)
    table.says(BO, PASS)
    table.says(AKI, SpendEffect((PlanPart("damage", 2),)))
    with pytest.raises(Illegal, match="approach_lost"):
        live.command(table.ends(), CUT, AKI, ScriptedDice([]))


def test_a_secret_danger_clock_stays_secret() -> None:
    """SO-G03: players see that a complication came, not the clock that it moved."""
    hidden = change(fight(honor=0), danger=change(fight().danger, hidden=True))
    table = Table(hidden, [4, 1, 4])
    table.says(GM, UseEnemyTurn(True))
    table.says(GM, ChooseOption("A"))
    table.says(GM, CallDefense())
    table.says(AKI, TAKE)
    table.says(BO, PASS)
    table.says(AKI, SpendEffect((PlanPart("damage", 2),)))
    ticked = DangerTicked(3, hidden=True)
    assert ticked in table.events and ticked.seen_by(AKI) is None and ticked.seen_by(GM) == ticked
    system, end = installed()["origins"], table.ends()
    assert end.danger.filled == 3
    assert system.view(end, AKI).danger.filled == 0 and system.view(end, GM).danger.filled == 3
    assert [case.given for case in system.imagine(system.view(end, AKI))] == [{"danger": 0}]


class Deciding(Struct, frozen=True):
    """A player or GM who always answers the same by topic."""

    answers: tuple[tuple[str, Message], ...]

    def answer(self, question: Question, look: Callable[[], Fight]) -> Message:
        said = dict(self.answers).get(question.topic, question.assumed)
        if question.topic == "accept_result":
            return Glory() if look().acting.band == "fail" else AcceptResult()
        if question.topic == "spend_effect":
            return SpendEffect((PlanPart("damage", look().acting.effect),))
        if question.topic == "call_defense" and look().faced.blow.kind != "harm":
            return CallDefense()
        if question.topic == "respond":
            return said if question.refuse(said) is None else TAKE
        if question.topic == "defend_ally":
            faced = look().faced
            return said if look().fighters["aki"].unconscious and faced.blow.kind == "harm" else PASS
        return said


ANSWERS = PolicyAnswers(
    {
        "aki": Deciding((("respond", Respond("defend")),)),
        "bo": Deciding((("defend_ally", DefendAlly("take")),)),
        "gm": Deciding((("choose_option", ChooseOption("C")), ("call_defense", CallDefense("evade")))),
    },
    lambda game, about: installed()["origins"].view(game, Seat(about, characters=(about,))),
)

Ending = tuple[bool, int, int, str, int, int]  # Aki: unconscious, harm 1, harm 2, position; Bo: harm 1; damage


def ending(state: Fight) -> Ending:
    aki, bo = state.fighters["aki"], state.fighters["bo"]
    counts = len(aki.harm_chart.level_1), len(aki.harm_chart.level_2)
    return (aki.unconscious, *counts, str(aki.position), len(bo.harm_chart.level_1), state.foes["oni"].clock.filled)


def by_hand() -> dict[Ending, Fraction]:
    """The same round, counted die by die and without the rules' code."""
    found: dict[Ending, Fraction] = defaultdict(Fraction)
    for (band, points), weight in thrown().items():
        if band in ("full", "crit"):
            found[False, 0, 0, "desperate", 0, points] += weight
            continue
        for first, defence, second in product(range(1, 7), repeat=3):
            found[struck(points, first, defence, second)] += weight * Fraction(1, 216)
    return found


def thrown() -> dict[tuple[str, int], Fraction]:
    """Bands of two dice, after a fail of five; with the points of effect."""

    def band(faces: tuple[int, ...]) -> tuple[str, int]:
        if faces.count(6) > 1:
            return "crit", 3
        return ("full", 2) if max(faces) == 6 else ("partial", 2) if max(faces) > 3 else ("fail", 0)

    found: dict[tuple[str, int], Fraction] = defaultdict(Fraction)
    for two in product(range(1, 7), repeat=2):
        if band(two)[0] != "fail":
            found[band(two)] += Fraction(1, 36)
            continue
        for more in product(range(1, 7), repeat=3):
            found[band((*two, *more))] += Fraction(1, 36 * 216)
    return found


def struck(points: int, first: int, defence: int, second: int) -> Ending:
    """Two consequences: Aki defends the first harm with one die and one chakra; Bo steps in once Aki has fallen."""
    down, level_1, level_2, steps, bo = False, 0, 0, 0, 0
    for place, die in enumerate((first, second)):
        if die == 1:
            points = max(0, points - 1)
        elif die == 2:
            steps += 1
        elif die in (5, 6) and place == 0:
            down = 6 - defence > 1
            level_1 += down
        elif die in (5, 6):
            bo, level_1 = (1, level_1) if down else (0, level_1 + 1)
    return down, level_1, level_2, ("desperate", "terrible")[min(1, steps)], bo, points


def test_exact_odds_of_the_whole_action_equal_a_count_by_hand() -> None:
    reached = solve.odds_of(fight(), CUT, AKI, ANSWERS)
    assert sum(p for _, p in reached) == 1
    assert reached.by(ending).weights == dict(by_hand())


def runs(count: int) -> Iterator[Ending]:
    chance = simulate.SampledChance(5)
    for _ in range(count):
        yield ending(simulate.carry_out(fight(), CUT, AKI, chance, ANSWERS))


def test_simulation_agrees_with_the_exact_odds() -> None:
    trials, exact = 3000, by_hand()
    fainted = sum(p for end, p in exact.items() if end[0])
    damaged = sum(p for end, p in exact.items() if end[-1] >= 2)
    found = list(runs(trials))
    for p, hits in ((fainted, sum(one[0] for one in found)), (damaged, sum(one[-1] >= 2 for one in found))):
        assert abs(hits / trials - float(p)) < 4 * float(p * (1 - p) / trials) ** 0.5


def test_effect_is_shown_only_when_everything_is_settled() -> None:
    """SO-P23, SO-R14."""
    table = to_option_c([1, 1])
    for _ in range(1):
        table.says(GM, CallDefense())
        table.says(AKI, TAKE)
        table.says(BO, PASS)
    table.says(AKI, TAKE)
    table.says(BO, PASS)
    assert not any(isinstance(one, EffectSpent) for one in table.events)
    assert table.ends().foes["oni"].clock.filled == 0, "SO-P22: two reduced effects are -2, nothing is left to spend"
