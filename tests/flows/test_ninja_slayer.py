"""Ninja Slayer: a 5+5+4 split melee attack met hit by hit, and a volley of mobs with bundles and a barrage.

Gozu, an enemy ninja of the NM, strikes at Fuji, a player's ninja; four clone yakuza stand behind him. Every window is
answered after a restart of the process; the same steps are replayed, solved exactly and simulated.
"""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

import pytest

from systems.core import live, simulate, solve
from systems.core.dice import ScriptedDice
from systems.core.errors import Illegal
from systems.core.game import Event, Message, change
from systems.core.live import Progress, Waiting
from systems.core.odds import Distribution
from systems.core.play import PolicyAnswers
from systems.core.seats import GM, Seat
from systems.core.values import Map
from systems.ninja_slayer.exchange import AttackRolled, Counter, Evade
from systems.ninja_slayer.fight import (
    DECLINE_COUNTER,
    DECLINE_EVASION,
    CounterDeclared,
    DamageApplied,
    Endurance,
    EvasionRolled,
    Fight,
    HitWasted,
    InstantDeath,
    Maimed,
    PartsCancelled,
    SpiritDrained,
    StateChanged,
    Switches,
)
from systems.ninja_slayer.mob_volley import MobVolleyOrder
from systems.ninja_slayer.policies import POLICIES, glance
from systems.ninja_slayer.sequence import Melee, MeleePart
from systems.ninja_slayer.sheet import Character
from systems.ninja_slayer.system import NinjaSlayer
from systems.ninja_slayer.volley import DECLINE, BarrageDeclared, DeclareBarrage

CODEC = NinjaSlayer().codec
FUJI_SEAT = Seat("s1", characters=("fuji",))
OTHER_SEAT = Seat("s2", characters=("saru",))
GOZU = Character(karate=14, neuron=4, wazamae=4, leg=7, hp=14, spirit=4, initiative=4, evasion_now=14)
WORN_GOZU = change(GOZU, hp=1)
FUJI = Character(karate=7, neuron=4, wazamae=4, leg=4, hp=6, spirit=3, initiative=4, evasion_now=7)
YAKUZA = Character(category="mob", karate=2, neuron=1, wazamae=2, hp=1, spirit=1)
MOBS = ("yak1", "yak2", "yak3", "yak4")


def fight(gozu: Character = GOZU, fuji: Character = FUJI, **state: Any) -> Fight:
    mobs = dict.fromkeys(MOBS, YAKUZA)
    return Fight(fighters=Map({"gozu": gozu, "fuji": fuji, **mobs}), shown=("fuji",), **state)


def blows(*dice: int) -> Melee:
    return Melee("gozu", tuple(MeleePart("fuji", n) for n in dice))


def restarted(progress: Progress[Fight]) -> Waiting[Fight]:
    """The open step as another process reads it from the store."""
    return CODEC.decode(CODEC.encode(progress.waiting), Waiting[Fight])


class Played:
    """One command played live; `asked` are the windows that opened, in order, each with who was asked."""

    def __init__(self, start: Fight, message: Message, seat: Seat, faces: str, answers: list[Message]) -> None:
        dice = ScriptedDice([int(face) for face in faces if face != " "])
        progress = live.command(start, message, seat, dice)
        self.events: list[Event] = [live.planned(message, seat), *progress.events]
        self.asked: list[tuple[str, str]] = []
        for answer in answers:
            waiting = restarted(progress)
            question = waiting.window.questions[0]
            self.asked.append((question.about, question.topic))
            progress = live.answer(waiting, 0, answer, FUJI_SEAT if question.about == "fuji" else GM, dice)
            self.events += progress.events
        dice.close()
        assert progress.waiting is None
        assert live.replay(start, tuple(self.events)) == progress.game
        self.game = progress.game

    def of(self, kind: type[Any]) -> list[Any]:
        return [event for event in self.events if isinstance(event, kind)]


def test_satsubatsu_lands_then_a_counter_fells_the_attacker_and_the_rest_is_cancelled() -> None:
    """NS-A17, NS-RUL21, NS-RUL25, NS-C25, NS-E08, NS-S07, NS-S10, NS-K01, NS-K05, NS-A19."""
    faces = "66512 44111 4111" + "3" + "5541" + "11"  # three parts, the row, Fuji's evasion, Gozu's
    answers = [DECLINE_EVASION, Evade(4), Counter("gozu"), Evade(2)]
    played = Played(fight(gozu=WORN_GOZU), blows(5, 5, 4), GM, faces, answers)
    assert played.asked == [("fuji", "evasion"), ("fuji", "evasion"), ("fuji", "counter"), ("gozu", "evasion")]
    assert [(one.part, one.successes, one.critical) for one in played.of(AttackRolled)] == [
        (1, 3, "satsubatsu"),
        (2, 2, ""),
        (3, 1, ""),
    ]
    fuji, gozu = played.game.fighters["fuji"], played.game.fighters["gozu"]
    assert (fuji.hp, fuji.spirit, fuji.neuron, fuji.initiative) == (4, 1, 3, 3), "row 3: 1 + 1, Neuron -1, spirit -2"
    assert fuji.part_damage == Map({"torso": 1}) and fuji.evasion_now == 3
    assert (gozu.hp, gozu.state, gozu.evasion_now) == (0, "unconscious", 12)
    assert played.of(PartsCancelled) == [PartsCancelled("gozu", (3,))]


def test_endurance_is_asked_while_it_saves_and_a_fallen_target_cannot_evade() -> None:
    """NS-H06, NS-H07, NS-A18, NS-E07, NS-H04: hp 2, spirit 1 against three hits of 1."""
    weak = change(FUJI, hp=2, spirit=1)
    answers: list[Message] = [Evade(2), DECLINE_EVASION, Endurance()]
    played = Played(fight(fuji=weak), blows(5, 5, 4), GM, "41111 41111 4111" + "12", answers)
    assert played.asked == [("fuji", "evasion"), ("fuji", "evasion"), ("fuji", "endurance")]
    assert [(one.lost, one.paid) for one in played.of(DamageApplied)] == [(1, 0), (1, 0), (0, 1)]
    fuji = played.game.fighters["fuji"]
    assert (fuji.hp, fuji.spirit, fuji.state) == (0, 0, "unconscious")

    answers = [DECLINE_EVASION, DECLINE_EVASION, Endurance(False)]
    refused = Played(fight(fuji=weak), blows(5, 5, 4), GM, "41111 41111 4111", answers)
    assert refused.of(StateChanged)[-1].state == "exploded" and refused.game.fighters["fuji"].hp == -1


def test_instant_death_wastes_the_parts_left() -> None:
    """NS-S13, NS-H08, NS-A18: vitality stays as it was."""
    played = Played(fight(), blows(5, 5), GM, "66111 41111" + "12" + "6", [Evade(2)])
    assert played.of(InstantDeath) == [InstantDeath("fuji", 1)] and played.of(HitWasted) == [HitWasted(2)]
    assert (played.game.fighters["fuji"].hp, played.game.fighters["fuji"].state) == (6, "exploded")


def test_namu_is_harder_and_hard_mode_is_added() -> None:
    """NS-S03, NS-O04, NS-E09: NORMAL +1 +1 = UH; the counter is melee, so HARD (NS-K03)."""
    answers = [Evade(7), Counter("gozu"), Evade(1)]
    start = fight(atmosphere="hard")
    played = Played(start, blows(3), GM, "666" + "6666111" + "4", answers)
    assert [one.level for one in played.of(EvasionRolled)] == [5, 4]
    assert played.of(CounterDeclared)[0].level == 4 and played.game.fighters["gozu"].hp == 13


def test_refused_messages_throw_nothing() -> None:
    """NS-A12, NS-A13, NS-E03, NS-E01, NS-K01, NS-H12."""
    none = ScriptedDice([])
    for message, seat, code in (
        (blows(5, 5, 5), GM, "split_exceeds_pool"),
        (blows(5, 0), GM, "split_part_empty"),
        (blows(4, 4, 4, 1), GM, "too_many_attacks"),
        (blows(5), FUJI_SEAT, "not_controller"),
        (Melee("nobody", (MeleePart("fuji", 1),)), GM, "unknown_actor"),
        (Melee("gozu", (MeleePart("nobody", 1),)), GM, "not_adjacent"),
        (Melee("gozu", (MeleePart("fuji", 5),), "cartwheel"), GM, "style_type_mismatch"),
        (Evade(1), FUJI_SEAT, "already_evaded"),
        (DECLINE_EVASION, FUJI_SEAT, "already_evaded"),
        (Counter("gozu"), FUJI_SEAT, "counter_not_available"),
        (DECLINE_COUNTER, FUJI_SEAT, "counter_not_available"),
        (Endurance(), FUJI_SEAT, "insufficient_spirit"),
        (DeclareBarrage(), GM, "barrage_too_late"),
        (DECLINE, GM, "barrage_too_late"),
        (MobVolleyOrder(MOBS, "fuji", "firearm", 2), FUJI_SEAT, "not_controller"),
        (MobVolleyOrder(("gozu",), "fuji", "firearm", 2), GM, "unknown_actor"),
        (MobVolleyOrder(MOBS, "nobody", "firearm", 2), GM, "no_line_of_sight"),
    ):
        with pytest.raises(Illegal, match=code):
            live.command(fight(), message, seat, none)
    fallen = change(GOZU, hp=0, state="unconscious")
    with pytest.raises(Illegal, match="unconscious_cannot_act"):
        live.command(fight(gozu=fallen), blows(5), GM, none)


def test_dice_that_one_does_not_have_are_refused_and_the_question_stays_open() -> None:
    """NS-E03, NS-D11."""
    progress = live.command(fight(), blows(5), GM, ScriptedDice([4, 1, 1, 1, 1]))
    waiting = restarted(progress)
    for answer, code in (
        (Evade(), "no_evasion_dice_committed"),
        (Evade(8), "insufficient_evasion_dice"),
        (Evade(1, 1), "insufficient_emergency_dice"),
    ):
        with pytest.raises(Illegal, match=code):
            live.answer(waiting, 0, answer, FUJI_SEAT, ScriptedDice([]))
    with pytest.raises(Illegal, match="not_asked"):
        live.answer(waiting, 0, Evade(1), OTHER_SEAT, ScriptedDice([]))
    assert live.silence(waiting, 0, ScriptedDice([])).game.fighters["fuji"].hp == 5, "silence takes the damage"


def test_what_an_enemy_has_left_stays_with_the_nm() -> None:
    """23.2: vitality lost and spirit of enemies are the NM's, of players' characters everybody's."""
    masked = DamageApplied("gozu", 1, 0, 0, 1, None, None, None, False, True)
    played = Played(fight(), blows(1), GM, "4" + "44" + "1", [Evade(2), Counter("gozu"), Evade(1)])
    (hurt,) = played.of(DamageApplied)
    assert (hurt.seen_by(OTHER_SEAT), hurt.seen_by(GM)) == (masked, hurt)
    assert SpiritDrained("gozu", 2, False).seen_by(OTHER_SEAT) == SpiritDrained("gozu", None, False)
    assert SpiritDrained("fuji", 2, True).seen_by(OTHER_SEAT) == SpiritDrained("fuji", 2, True)
    maimed = Maimed("gozu", 1, 2, False)
    assert maimed.seen_by(OTHER_SEAT) == maimed, "wounds are seen"


def test_a_barrage_replaces_the_bundle_before_the_target_decides() -> None:
    """NS-E17, NS-E18, NS-E19: four hits become 1 damage at HARD."""
    start = fight(switches=Switches(barrage=True))
    order = MobVolleyOrder(MOBS, "fuji", "firearm", 2)
    played = Played(start, order, GM, "41 51 61 41" + "44", [DeclareBarrage(), Evade(2)])
    assert played.asked == [("nm", "barrage"), ("fuji", "evasion")]
    (barrage,) = played.of(BarrageDeclared)
    assert (barrage.bundle.damage, barrage.bundle.level) == (1, 4)
    assert (played.game.fighters["fuji"].hp, played.game.fighters["fuji"].evasion_now) == (5, 5)
    declined = Played(start, order, GM, "41 51 61 41" + "44", [DECLINE, Evade(2)])
    assert declined.game.fighters["fuji"].hp == 6, "one success cancels the whole bundle (NS-E12)"
    off = Played(fight(), order, GM, "41 51 61 41", [DECLINE_EVASION])
    assert off.asked == [("fuji", "evasion")] and off.game.fighters["fuji"].hp == 2


def test_a_bundle_of_blows_is_countered_by_beating_its_sum_or_met_apart() -> None:
    """NS-K09, NS-E16: successes 2 + 1; four are needed. Apart, the first needs three."""
    order = MobVolleyOrder(MOBS[:3], "fuji", "melee", 2)
    bundled = Played(fight(), order, GM, "45 11 14" + "44441", [Evade(5), Counter("yak3")])
    assert bundled.asked == [("fuji", "evasion"), ("fuji", "counter")]
    assert bundled.game.fighters["yak3"].state == "out" and bundled.game.fighters["fuji"].hp == 6
    answers = [Evade(3, bundle=1), Counter("yak1"), Evade(1)]
    apart = Played(fight(), order, GM, "45 11 14" + "444" + "1", answers)
    assert apart.game.fighters["yak1"].state == "out" and apart.game.fighters["fuji"].hp == 5
    waiting = live.command(fight(), order, GM, dice := ScriptedDice([4, 5, 1, 1, 1, 4, 4, 4, 4, 4, 1]))
    asked = live.answer(restarted(waiting), 0, Evade(5), FUJI_SEAT, dice)
    with pytest.raises(Illegal, match="target_not_in_bundle"):
        live.answer(restarted(asked), 0, Counter("yak2"), FUJI_SEAT, dice)


def test_staggered_mobs_bundle_wave_by_wave() -> None:
    """NS-E14: first shots together, second shots together."""
    order = MobVolleyOrder(MOBS[:2], "fuji", "firearm", 1, shots=2, time_lag=True)
    played = Played(fight(), order, GM, "4 1 4 4" + "4", [Evade(1), DECLINE_EVASION])
    assert played.asked == [("fuji", "evasion")] * 2
    assert [one.before for one in played.of(DamageApplied)] == [1] and played.game.fighters["fuji"].hp == 5


def baseline() -> PolicyAnswers:
    policy = POLICIES["evade_baseline"]
    return PolicyAnswers(dict.fromkeys(("gozu", "fuji"), policy), glance)


def standing(game: Fight) -> tuple[Any, ...]:
    """What is compared: vitality, spirit and state of the two."""
    return tuple((one.hp, one.spirit, one.condition) for one in (game.fighters["fuji"], game.fighters["gozu"]))


@cache
def counted(dice: int, lowest: int) -> tuple[tuple[int, int, Fraction], ...]:
    """Every throw listed: dice of `lowest` or more, sixes, and their share."""
    tally = Tally(
        (sum(face >= lowest for face in faces), faces.count(6)) for faces in product(range(1, 7), repeat=dice)
    )
    return tuple((hits, sixes, Fraction(ways, 6**dice)) for (hits, sixes), ways in tally.items())


Ends = Iterator[tuple[tuple[Any, ...], Fraction]]


class ByHand:
    """The exchange 2+1 written out anew for one case: Fuji (vitality 2, spirit 2, four dice) commits two dice to each
    hit while he has them and always counters, Gozu (vitality 1, spirit 0, one die) evades the first counter with it."""

    def run(self) -> dict[tuple[Any, ...], Fraction]:
        ends: dict[tuple[Any, ...], Fraction] = {}
        for (a, sixes, p), (b, _, q) in product(counted(2, 4), counted(1, 4)):
            hits = tuple(hit for hit in ((a, sixes >= 2), (b, False)) if hit[0])
            for end, share in self.meet(hits, (2, 2, "ok", 4), (1, 0, "ok", 1)):
                ends[end] = ends.get(end, Fraction(0)) + p * q * share
        return ends

    def meet(self, hits: tuple[tuple[int, bool], ...], fuji: tuple[Any, ...], gozu: tuple[Any, ...]) -> Ends:
        if not hits or gozu[2] != "ok" or fuji[2] == "exploded":
            yield (fuji[:3], gozu[:3]), Fraction(1)
            return
        (successes, satsubatsu), rest = hits[0], hits[1:]
        if fuji[2] != "ok" or fuji[3] == 0:
            yield from self.land(satsubatsu, rest, fuji, gozu)
            return
        spent = (*fuji[:3], fuji[3] - 2)
        for own, _, p in counted(2, 4):
            if own == 0:
                onward = self.land(satsubatsu, rest, spent, gozu)
            else:
                onward = self.counter(rest, spent, gozu) if own > successes else self.meet(rest, spent, gozu)
            yield from ((end, p * share) for end, share in onward)

    def counter(self, rest: tuple[tuple[int, bool], ...], fuji: tuple[Any, ...], gozu: tuple[Any, ...]) -> Ends:
        down = (0, 0, "unconscious", 0)
        if not gozu[3]:
            yield from self.meet(rest, fuji, down)
            return
        yield from ((end, share / 2) for end, share in self.meet(rest, fuji, down))
        yield from ((end, share / 2) for end, share in self.meet(rest, fuji, (1, 0, "ok", 0)))

    def land(
        self, satsubatsu: bool, rest: tuple[tuple[int, bool], ...], fuji: tuple[Any, ...], gozu: tuple[Any, ...]
    ) -> Ends:
        if not satsubatsu:
            yield from self.meet(rest, self.hurt(fuji, 1, 0), gozu)
            return
        for row in range(1, 7):
            struck = (*fuji[:2], "exploded", fuji[3]) if row == 6 else self.hurt(fuji, 2, 2 if row == 3 else 0)
            yield from ((end, share / 6) for end, share in self.meet(rest, struck, gozu))

    def hurt(self, fuji: tuple[Any, ...], damage: int, drain: int) -> tuple[Any, ...]:
        hp, spirit, _, dice = fuji
        lost = min(damage, hp)
        if damage - lost > spirit:
            return hp - damage, spirit, "exploded", dice
        hp, spirit = hp - lost, spirit - (damage - lost) - (drain if lost else 0)
        if spirit < 0:
            hp = 0
        return hp, spirit, "ok" if hp else "unconscious", dice


class TwoDiceThenOne:
    """Fuji commits two dice to each hit while he has any, Gozu his one."""

    def answer(self, question: Any, look: Any) -> Message:
        if question.topic != "evasion":
            assumed: Message = question.assumed
            return assumed
        dice = min(look().evasion, 2)
        return Evade(dice) if dice else DECLINE_EVASION


def test_exact_odds_of_an_exchange_agree_with_one_written_out_by_hand() -> None:
    """NS-A17 to A19, NS-E04, NS-K01, NS-K05, NS-H03 to H09, NS-S07 to S13, followed anew over every face."""
    fuji = Character(karate=5, neuron=9, wazamae=4, hp=2, spirit=2, evasion_now=4)
    gozu = Character(karate=7, neuron=4, wazamae=4, hp=1, spirit=0, evasion_now=1)
    answers = PolicyAnswers(dict.fromkeys(("gozu", "fuji"), TwoDiceThenOne()), glance)
    exact = solve.odds_of(fight(gozu, fuji), blows(2, 1), GM, answers).by(standing)
    by_hand = ByHand().run()
    assert sum(by_hand.values()) == 1 and exact.weights == by_hand


def test_exact_and_simulated_exchanges_agree() -> None:
    """5+5+4 against seven evasion dice under `evade_baseline`: within four standard errors."""
    start = fight(fuji=Character(karate=7, neuron=4, wazamae=4, hp=7, spirit=4, evasion_now=7))
    exact: Distribution[Any] = solve.odds_of(start, blows(5, 5, 4), GM, baseline()).by(standing)
    assert sum(share for _, share in exact) == 1
    chance, trials = simulate.SampledChance("ninja slayer"), 3_000
    seen = Tally(standing(simulate.carry_out(start, blows(5, 5, 4), GM, chance, baseline())) for _ in range(trials))
    assert {*seen} <= {*exact.weights}
    for end, share in exact:
        error = float(trials * share * (1 - share)) ** 0.5
        assert abs(seen[end] - float(trials * share)) <= 4 * error + 1, end


def test_exact_and_simulated_volleys_agree() -> None:
    """Six dice in four shots with a barrage declared whenever it is possible."""
    start, order = fight(switches=Switches(barrage=True)), MobVolleyOrder(MOBS, "fuji", "firearm", 2)

    class Always:
        def answer(self, question: Any, look: Any) -> Message:
            return DeclareBarrage() if question.topic == "barrage" else DECLINE

    answers = PolicyAnswers({"fuji": POLICIES["decline"], "nm": Always()}, glance)
    exact = solve.odds_of(start, order, GM, answers).by(lambda game: game.fighters["fuji"].hp)
    hits = {n: Fraction(comb, 4**4) for n, comb in enumerate((1, 12, 54, 108, 81))}  # binomial(4, 3/4)
    assert exact[6] == hits[0] and exact[4] == hits[2] and exact[5] == hits[1] + hits[3] + hits[4]
    chance, trials = simulate.SampledChance(5), 2_000
    lost = sum(simulate.carry_out(start, order, GM, chance, answers).fighters["fuji"].hp == 4 for _ in range(trials))
    share = float(exact[4])
    assert abs(lost - trials * share) <= 4 * (trials * share * (1 - share)) ** 0.5
