"""Shinobigami: an attack inside a Plot group of two with every reaction, an Ohgi Break, deferred damage, a loss window.

Akari (Plot 3) attacks Botan (Plot 2); Doro shares Akari's Plot. Botan has Dark Interference, which Doro knows and may
break; Akari holds a Soma Pill, Chidori a Prayer Seal, Botan a Bead of Life.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from systems.core import live, simulate, solve
from systems.core.ask import PASS
from systems.core.dice import ScriptedDice
from systems.core.errors import Illegal
from systems.core.game import Message, change
from systems.core.live import Progress, Waiting
from systems.core.play import PolicyAnswers
from systems.core.seats import GM, Seat
from systems.core.system import Codec
from systems.core.values import Map
from systems.shinobigami import combat, group, health, losses, ohgi, policies, reactions
from systems.shinobigami.combat import Attack, Dodge, PassTurn
from systems.shinobigami.combat_state import Battle, Fighter
from systems.shinobigami.group import DroppedOut, GroupFinished
from systems.shinobigami.losses import Struck
from systems.shinobigami.reactions import GearUsed, Interfere, OhgiBreak, OhgiDeclared, UseGear
from systems.shinobigami.sheet import Character, Ohgi, target_number

CODEC = Codec((combat, group, health, losses, ohgi, reactions))
AKARI = Character(
    id="akari",
    clan="kurama",
    skills=("blade", "hand_to_hand", "speed", "escape", "analysis", "poison"),
    gear=Map({"soma_pill": 1}),
)
BOTAN = Character(
    id="botan",
    clan="hirasaka",
    skills=("poison", "manipulation", "bluff", "infiltration", "creature_mastery", "illusion"),
    gear=Map({"bead_of_life": 1}),
    ohgi=(Ohgi(id="veil", name="Whispering Fog", type="dark_interference", assigned_skill="bluff"),),
)
CHIDORI = Character(
    id="chidori",
    clan="hasuba",
    skills=("engineering", "pyromancy", "demolition", "ballistics", "trap", "willpower"),
    gear=Map({"prayer_seal": 1}),
)
DORO = Character(
    id="doro", clan="oni", skills=("curse", "summoning", "illusion", "unholy_strength", "survival", "memory")
)
SEATS = {one: Seat(f"seat_{one}", characters=(one,)) for one in ("akari", "botan", "chidori", "doro")}
ATTACK = Attack("akari", "close_combat_attack", "blade", ("botan",))


def battle(knows: bool = True) -> Battle:
    fighters = (Fighter(AKARI, 3), Fighter(BOTAN, 2), Fighter(CHIDORI, 1), Fighter(DORO, 3))
    return Battle(fighters=fighters, acting=3, knowers=Map({"botan:veil": ("doro",)} if knows else {}))


class Live:
    """A game in which every process is restarted between two messages: only bytes survive."""

    def __init__(self, game: Battle, *faces: int) -> None:
        self.dice = ScriptedDice(faces)
        self.start = self.game = game
        self.waiting: Waiting[Battle] | None = None
        self.events: list[Any] = []

    def _took(self, progress: Progress[Battle]) -> None:
        self.events += progress.events
        self.game = CODEC.decode(CODEC.encode(progress.game), Battle)
        raw = CODEC.encode(progress.waiting)
        self.waiting = CODEC.decode(raw, Waiting[Battle]) if progress.waiting else None

    def command(self, message: Message, seat: Seat) -> None:
        self.events.append(live.planned(message, seat))
        self._took(live.command(self.game, message, seat, self.dice))

    def answer(self, **answers: Message) -> None:
        """One window: these characters answer so, all others who are asked pass."""
        for who in [one.about for one in self._open.window.questions]:
            message = answers.pop(who, PASS)
            at = self._open.window.open_for(who)[0]
            self._took(live.answer(self._open, at, message, SEATS[who], self.dice))
        assert not answers, f"not asked: {answers}"

    @property
    def _open(self) -> Waiting[Battle]:
        assert self.waiting
        return self.waiting

    @property
    def topic(self) -> str:
        return self._open.window.questions[0].topic

    @property
    def asked(self) -> list[str]:
        return [one.about for one in self._open.window.questions]


def test_the_whole_exchange_live_with_a_restart_in_every_window() -> None:
    # attack 4 3 | break 2 3 | Soma Pill 5 5 | Prayer Seal 3 3 | dodge 2 1+... | Category die
    table = Live(battle(), 4, 3, 2, 3, 5, 5, 3, 3, 2, 2, 5)
    table.command(ATTACK, SEATS["akari"])

    # SG-C02: skill, Target Number, dice, window, result
    # SG-R02, SG-Y01: everybody in the scene is asked, whatever they hold; the window is veiled
    assert table.topic == "after_roll" and table.asked == ["akari", "botan", "chidori", "doro"]
    assert table._open.window.veiled
    table.answer(botan=Interfere(0))

    # SG-O31: only Doro knew the Ohgi before its declaration and may try to break it; 5 against bluff fails
    assert table.topic == "ohgi_break" and table.asked == ["doro"]
    assert OhgiDeclared("botan", "veil", ("akari", "chidori", "doro")) in table.events
    table.answer(doro=OhgiBreak(True))
    assert table.topic == "after_roll", "the break check has a window of its own (SG-O32)"
    table.answer()

    # SG-R04, SG-R05: 4 3 has become 1 3, a failure; the window is open again and Akari takes the pill
    table.answer(akari=UseGear("soma_pill"))
    assert GearUsed("akari", "soma_pill") in table.events
    # SG-G04: 5 5 succeeds until Chidori has it thrown again; 3 3 still succeeds against 5
    table.answer(chidori=UseGear("prayer_seal"))
    table.answer()

    # SG-W33: Botan dodges with blade and fails
    assert table.topic == "dodge" and table.asked == ["botan"]
    table.answer(botan=Dodge("assigned"))
    table.answer()

    # SG-W48: nothing has taken effect, Doro of the same group is still to act
    assert table.waiting is None and table.game["botan"].sheet.lost == () and table.game.acting == 3
    assert [type(step).__name__ for step in table.game.deferred] == ["Damage"]
    table.command(PassTurn("doro"), SEATS["doro"])

    # SG-H10: the loss is marked, everybody may react; Botan's Bead heals it, but the loss happened (SG-Z14)
    assert table.topic == "loss" and table._open.seen["botan"].sheet.lost == ("strategy",)
    table.answer(botan=UseGear("bead_of_life", "strategy"))
    table.answer()
    table.dice.close()
    assert table.game["botan"].sheet.lost == () and table.game["botan"].dropped
    assert Struck("botan") in table.events and DroppedOut("botan") in table.events
    assert table.events[-1] == GroupFinished(1), "Botan is out, so the next Plot is Chidori's"

    # what is known of the Ohgi now (SG-O05), and the state again from the events alone
    assert table.game.knowers["botan:veil"] == ("doro", "akari", "chidori")
    assert live.replay(table.start, tuple(table.events)) == table.game


def test_an_ohgi_in_a_break_window_is_broken_first() -> None:
    """SG-O36: Chidori's own Dark Interference on Doro's break roll opens a break window before it works."""
    veil = Ohgi(id="dust", name="Dust", type="dark_interference", assigned_skill="trap")
    game = battle()
    game = game.with_fighter("chidori", sheet=change(CHIDORI, ohgi=(veil,)))
    game = change(game, knowers=game.knowers.put("chidori:dust", ("akari",)))
    table = Live(game, 4, 3, 6, 5, 2, 2)
    table.command(ATTACK, SEATS["akari"])
    table.answer(botan=Interfere(0))
    table.answer(doro=OhgiBreak(True))
    table.answer(chidori=Interfere(0))
    assert table.topic == "ohgi_break" and table.asked == ["akari"]
    table.answer(akari=OhgiBreak(True))
    assert table.topic == "after_roll" and table._open.window.questions[0].subject.startswith("ohgi_break:akari")


def test_two_who_react_at_once_roll_off() -> None:
    """SG-A08, SG-R10: 4 against 2, so Chidori's seal goes first; Botan is asked again and may withdraw."""
    table = Live(battle(knows=False), 4, 3, 4, 2, 6, 5)
    table.command(ATTACK, SEATS["akari"])
    table.answer(botan=Interfere(0), chidori=UseGear("prayer_seal"))
    assert GearUsed("chidori", "prayer_seal") in table.events
    assert table.topic == "after_roll" and not table.game["botan"].used
    table.answer()
    assert table.topic == "dodge"


def test_several_targets_share_one_attack_check() -> None:
    """SG-W37, SG-Z42, SG-N04, SG-R12: one Attack Check, a Dodge each; the Cost is paid whatever comes of it.

    No window opens after a Category die: gear rerolls Skill Checks only. SG-W35: the dice of damage fall last.
    """
    wheel = Attack("akari", "pg_flood_wheel", "hydromancy", ("botan", "doro"))
    table = Live(battle(), 6, 6, 1, 2, 3, 3)
    table.command(wheel, SEATS["akari"])
    assert table._open.seen["akari"].sheet.spent_cost == 3
    table.answer()
    for who in ("botan", "doro"):
        assert table.topic == "dodge" and table.asked == [who]
        table.answer(**{who: Dodge("assigned")})
        table.answer()
    assert [one.hit for one in table.game.exchanges] == [True, True]


def test_a_broken_ohgi_changes_nothing_and_is_used_up() -> None:
    table = Live(battle(), 4, 3, 6, 6, 2, 2)
    table.command(ATTACK, SEATS["akari"])
    table.answer(botan=Interfere(0))
    table.answer(doro=OhgiBreak(True))
    table.answer()
    # SG-O33: no effect on anybody; 4 3 stands, and a second use is refused (SG-O02)
    with pytest.raises(Illegal, match="ohgi_already_used"):
        table.answer(akari=PASS, botan=Interfere(1))


def test_who_did_not_know_cannot_break() -> None:
    table = Live(battle(knows=False), 4, 3)
    table.command(ATTACK, SEATS["akari"])
    table.answer(botan=Interfere(0))
    assert table.topic == "after_roll", "first seen now: no break window (SG-O31)"


def test_refusals_name_their_rule() -> None:
    game = battle()
    cases = [
        (Attack("botan", "close_combat_attack", "poison", ("akari",)), "not_your_turn"),
        (Attack("akari", "close_combat_attack", "blade", ("akari",)), "cannot_target_self"),
        (Attack("akari", "close_combat_attack", "blade", ("chidori",)), "out_of_range"),
        (Attack("akari", "domineer", "creature_mastery", ("botan",)), "cost_exceeded"),
        (Attack("akari", "nothing", "blade", ("botan",)), "ninpo_unknown"),
        (Dodge("assigned"), "not_your_decision"),
        (Interfere(0), "no_dice_to_change"),
        (UseGear("soma_pill"), "no_dice_to_change"),
    ]
    for message, code in cases:
        refusal = message.refuse(game, GM, None)
        assert refusal and refusal.code == code, message


def test_an_ohgi_is_masked_for_those_who_are_not_there() -> None:
    declared = OhgiDeclared("botan", "veil", ("akari",))
    assert declared.seen_by(SEATS["akari"]) == declared
    assert declared.seen_by(SEATS["doro"]) == OhgiDeclared("botan", "", ())


PAIRS = list(product(range(1, 7), repeat=2))


def chance(target: int, fumble: int, pair: tuple[int, int]) -> bool:
    """The digest's SG-Q01 by hand: F, then 12, then the target."""
    total = sum(pair)
    return total > fumble and (total == 12 or total >= target)


def play_out(policy: str, game: Battle) -> PolicyAnswers:
    return PolicyAnswers({one.id: policies.POLICIES[policy] for one in game.fighters}, lambda g, who: g)


def struck(state: Battle) -> bool:
    return any(exchange.hit for exchange in state.exchanges)


def test_exact_odds_without_reactions_are_those_of_the_digest() -> None:
    game = battle()
    reached = solve.odds_of(game, ATTACK, GM, play_out("passive", game))
    attack = Fraction(sum(chance(5, 3, pair) for pair in PAIRS), 36)  # Akari knows blade
    dodge = Fraction(sum(chance(_botan_blade(), 2, pair) for pair in PAIRS), 36)
    assert reached.where(struck) == attack * (1 - dodge)
    assert sum(p for _, p in reached) == 1


def _botan_blade() -> int:
    value = target_number(BOTAN, "blade").value
    assert value is not None
    return value


def test_exact_odds_with_reactions_agree_with_brute_force_and_simulation() -> None:
    game = battle(knows=False)
    answers = play_out("reactive", game)
    exact = solve.odds_of(game, ATTACK, GM, answers).where(struck)
    dodge = Fraction(sum(chance(_botan_blade(), 2, pair) for pair in PAIRS), 36)
    assert exact == _by_hand(soma=1, seal=1, veil=1) * (1 - dodge)

    draws, trials = simulate.SampledChance(7), 4000
    hits = sum(struck(simulate.carry_out(game, ATTACK, GM, draws, answers)) for _ in range(trials))
    p = float(exact)
    assert abs(hits / trials - p) < 4 * (p * (1 - p) / trials) ** 0.5


def _by_hand(soma: int, seal: int, veil: int) -> Fraction:
    """Reactive policies by enumeration: a pill on failure; on success seal and veil, rolled off for who is first."""

    def after(pair: tuple[int, int], soma: int, seal: int, veil: int) -> Fraction:
        if not chance(5, 3, pair):
            return fresh(0, seal, veil) if soma else Fraction(0)
        first: list[Fraction] = []
        if seal:
            first.append(fresh(soma, 0, veil))
        if veil:
            first.append(after((1, pair[1]), soma, seal, 0))
        return sum(first, Fraction(0)) / len(first) if first else Fraction(1)

    def fresh(soma: int, seal: int, veil: int) -> Fraction:
        return sum((after(pair, soma, seal, veil) for pair in PAIRS), Fraction(0)) / 36

    return fresh(soma, seal, veil)
