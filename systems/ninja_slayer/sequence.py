"""The check `attack_sequence` and the command `melee`: one split attack at one target, with all that answers it."""

from __future__ import annotations

from math import prod
from typing import Annotated, Any

from msgspec import UNSET, Meta, Struct, UnsetType

from systems.core.ask import Question
from systems.core.calls import CheckCall, Outcome, Report, Verdict
from systems.core.errors import Illegal, OddsTooLarge
from systems.core.game import Event, Message
from systems.core.odds import ways
from systems.core.play import Play, Throw
from systems.core.seats import Seat
from systems.core.text import because
from systems.core.values import Map
from systems.ninja_slayer.attack import AUTO_SUCCESSES, Striking, attack_pool, criticals, style_of, style_steps
from systems.ninja_slayer.damage import ATTACKER, TARGET, damage_lines, landed
from systems.ninja_slayer.dice import ALL_SUCCESSES, counted_in, thrown
from systems.ninja_slayer.difficulty import NORMAL, word_of
from systems.ninja_slayer.evasion import EvadeParams, evasion_modifiers
from systems.ninja_slayer.exchange import Attack, AttackRolled, Counter, Evade, RollPart
from systems.ninja_slayer.explain import Lines, difficulty_lines, modified
from systems.ninja_slayer.fight import (
    DECLINE_EVASION,
    CounterDeclared,
    Endurance,
    EvasionRolled,
    Fight,
    HitWasted,
    PartsCancelled,
    actor,
)
from systems.ninja_slayer.names import calls
from systems.ninja_slayer.sheet import Character
from systems.ninja_slayer.split import attacks_allowed, unused_dice
from systems.ninja_slayer.words import Atmosphere, AttackKind, Damage, DamageType, Dice, StyleId

MAX_STATES = 13_000  # of one attack on its way that odds follow, as `states_ahead` counts them (5+5+4: about 3,000)
HEAVY_BLOW_ON_SIX = 1  # NS-W15, 15.1
UNLIMITED = 100  # guns and arts bring their own number of attacks (NS-M20)


class Planned(Struct, frozen=True, cache_hash=True, kw_only=True, forbid_unknown_fields=True):
    """Dice against one hit or bundle; `counter_evasion` those of the receiver of a counter."""

    evasion: Dice = 0
    emergency: Dice = 0
    counter_evasion: Dice = 0

    def answer(self) -> Message:
        return Evade(self.evasion, self.emergency) if self.evasion or self.emergency else DECLINE_EVASION


Plan = Annotated[tuple[Planned, ...], Meta(max_length=1_000)]


def planned(plan: Plan, number: int) -> Planned:
    """The entry of a hit or bundle; none means no attempt."""
    return plan[number - 1] if number <= len(plan) else Planned()


def most_dice(plan: Plan) -> int:
    """The most dice that the plan commits to one evasion."""
    return max((one.evasion + one.emergency for one in plan), default=0)


def refuse_plan(plan: Plan, defender: Character, attacker: Character | None) -> None:
    """Raises `Illegal` if the plan commits more dice than there are, or any where none may be (NS-E03, NS-E06)."""
    whole = EvadeParams(
        evasion_now=defender.evasion,
        emergency_now=defender.emergency,
        use_evasion=sum(one.evasion for one in plan),
        use_emergency=sum(one.emergency for one in plan),
        defender_category=defender.kind,
        state=defender.condition,
    )
    if whole.dice and (refusal := whole.refusal()):
        raise refusal
    if attacker and any(one.counter_evasion for one in plan):
        answers = Planned(evasion=sum(one.counter_evasion for one in plan))
        refuse_plan((answers,), attacker, None)


class SequenceParams(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    attacker: Character
    target: Character
    parts: Annotated[tuple[Dice, ...], Meta(min_length=1, max_length=20)]
    style: StyleId | None = None
    type: DamageType = "melee"
    base_damage: Damage = 1
    tsuda_on_six: bool = False
    evasion_plan: Plan = ()
    atmosphere: Atmosphere = "normal"


def attack_of(
    by: tuple[str, Character],
    at: tuple[str, Character],
    p: SequenceParams,
    answering: int = ALL_SUCCESSES,
) -> Attack:
    """The attack of a split, its parts not yet thrown; `answering` are the most dice that will evade one hit of it.

    Where that is not known beforehand all successes are told apart: a cap would tell how many dice an enemy has left.
    """
    (attacker_id, attacker), (target_id, target) = by, at
    style = style_of(p.style, _kind(p.type))
    steps = [
        evasion_modifiers(p.type, namu, p.atmosphere, attacker.kind, target.evasion_mods or ())
        for namu in (False, True)
    ]
    return Attack(
        by=attacker_id,
        at=target_id,
        type=p.type,
        level=modified(NORMAL, style_steps(style)),
        evasion=modified(NORMAL, steps[0]),
        namu_evasion=modified(NORMAL, steps[1]),
        special=criticals(style) if p.type == "melee" and attacker.ninja else None,
        base=p.base_damage,
        heavy_blow=style.heavy_blow,
        on_six=HEAVY_BLOW_ON_SIX if p.tsuda_on_six else 0,
        no_heavy_blow=style.no_heavy_blow,
        counted=max(1, answering) if p.type == "melee" and target.ninja else 1,
    )


def _kind(type: DamageType) -> AttackKind:
    return "melee" if type == "melee" else "ranged"


def refuse_parts(attacker: Character, p: SequenceParams) -> None:
    """Raises `Illegal` for a split that is not allowed (NS-A12, NS-A13)."""
    style = style_of(p.style, _kind(p.type))
    allowed = UNLIMITED
    if p.type in ("melee", "shuriken"):
        allowed = attacks_allowed(attacker, _kind(p.type), style.cap, style.pool == "wazamae")
    unused_dice(p.parts, attack_pool(attacker, p.type, style), allowed)


class HitRecord(Struct, frozen=True, kw_only=True):
    """One part; what did not happen is absent (section 26)."""

    successes: int
    hit: bool
    satsubatsu: bool
    namu: bool
    auto: bool | UnsetType = UNSET
    evasion_difficulty: str | UnsetType = UNSET
    evasion_successes: int | UnsetType = UNSET
    evaded: bool | UnsetType = UNSET
    counter: bool | UnsetType = UNSET
    counter_difficulty: str | UnsetType = UNSET
    counter_evaded: bool | UnsetType = UNSET
    row: int | UnsetType = UNSET
    knockback: bool | UnsetType = UNSET
    instant_death: bool | UnsetType = UNSET
    removed: bool | UnsetType = UNSET
    damage_before_reduction: int | UnsetType = UNSET
    final_damage: int | UnsetType = UNSET
    hp_lost: int | UnsetType = UNSET
    cancelled: bool | UnsetType = UNSET
    wasted: bool | UnsetType = UNSET


class SequenceOutcome(Outcome, frozen=True, kw_only=True):
    parts: tuple[HitRecord, ...]
    target: Character
    attacker: Character


def through(before: Character, after: Character) -> bool:
    """Whether some damage reached the target."""
    return (before.vitality, before.mind, before.condition) != (after.vitality, after.mind, after.condition)


def states_ahead(parts: list[Striking], target: Character, evading: bool) -> int:
    """About how many states the odds of these parts pass through.

    All parts lie open before the first evasion (NS-A17), so their results multiply; every part met leaves its traces
    instead: damage, dice spent, rows 2 to 5, and the many totals of 2D6 on the immune.
    """
    results = [ways(part) for part in parts]
    rows = 9 if target.immune else 4
    traces = [3 + evading + rows * any(struck.critical for struck, _ in one) for one in results]
    return sum(prod(map(len, results[met:])) * prod(traces[:met]) for met in range(len(parts) + 1))


class AttackSequence(CheckCall[SequenceParams, Fight]):
    """A whole split attack. The defender always counters when entitled; endurance is used when it saves."""

    id = "attack_sequence"
    rules = (
        "NS-A11",
        "NS-A12",
        "NS-A13",
        "NS-A17",
        "NS-A18",
        "NS-A19",
        "NS-E08",
        "NS-E13",
        "NS-K01",
        "NS-K07",
        "NS-K08",
    )
    grades = ("ok", "unconscious", "exploded", "dead", "out")
    params = SequenceParams
    outcome = SequenceOutcome

    def begin(self, p: SequenceParams) -> Fight:
        if not p.attacker.able:
            raise Illegal("unconscious_cannot_act", "NS-H12")
        refuse_parts(p.attacker, p)
        plan = p.evasion_plan[: len(p.parts)]
        refuse_plan(plan, p.target, p.attacker)
        attack = attack_of((ATTACKER, p.attacker), (TARGET, p.target), p, most_dice(plan))
        return Fight(
            agenda=tuple(RollPart(attack, part, dice) for part, dice in enumerate(p.parts, 1)),
            fighters=Map({ATTACKER: p.attacker, TARGET: p.target}),
            shown=(ATTACKER, TARGET),
            atmosphere=p.atmosphere,
        )

    def refuse_odds(self, p: SequenceParams) -> None:
        parts = [step.check for step in self.begin(p).agenda if isinstance(step, RollPart)]
        states = states_ahead(parts, p.target, most_dice(p.evasion_plan) > 0)
        if states > MAX_STATES:
            raise OddsTooLarge("states", states, MAX_STATES)

    def decide(self, p: SequenceParams, game: Fight, question: Question) -> Message | None:
        if question.topic == "endurance":
            return Endurance()
        if question.topic == "counter":
            return Counter(ATTACKER)
        entry = planned(p.evasion_plan, int(question.subject))
        return entry.answer() if question.about == TARGET else Planned(evasion=entry.counter_evasion).answer()

    def verdict(self, p: SequenceParams, game: Fight, pending: str | None) -> Verdict:
        target = game.fighters[TARGET]
        return Verdict(target.condition, through(p.target, target))

    def told(
        self,
        p: SequenceParams,
        game: Fight,
        events: tuple[Event, ...],
        throws: tuple[Throw, ...],
        pending: Question | None,
    ) -> Report:
        first = game.fighters
        attack = attack_of((ATTACKER, p.attacker), (TARGET, p.target), p)
        records = tuple(_record(attack, part, events, throws) for part in range(1, len(p.parts) + 1))
        outcome = SequenceOutcome(parts=records, target=first[TARGET].record(), attacker=first[ATTACKER].record())
        return Report(outcome, (*difficulty_lines(NORMAL, _style_steps(p)), *_lines(attack, events, throws)))


def _style_steps(p: SequenceParams) -> Any:
    return style_steps(style_of(p.style, _kind(p.type)))


def _record(attack: Attack, part: int, events: tuple[Event, ...], throws: tuple[Throw, ...]) -> HitRecord:
    rolled = next(one for one in events if isinstance(one, AttackRolled) and one.part == part)
    successes = AUTO_SUCCESSES if rolled.auto else counted_in(throws, f"attack {part}", attack.level)
    fields: dict[str, Any] = {"auto": True} if rolled.auto else {}
    if any(isinstance(one, PartsCancelled) and part in one.parts for one in events):
        fields["cancelled"] = True
    elif any(isinstance(one, HitWasted) and one.part == part for one in events):
        fields["wasted"] = True
    elif rolled.successes:
        fields |= _met(attack, rolled, events, throws) | landed(events, attack.at, part)
    return HitRecord(
        successes=successes,
        hit=rolled.successes > 0,
        satsubatsu=bool(rolled.critical),
        namu=rolled.critical == "namu",
        **fields,
    )


def _met(attack: Attack, rolled: AttackRolled, events: tuple[Event, ...], throws: tuple[Throw, ...]) -> dict[str, Any]:
    """How a hit was answered."""
    part = rolled.part
    level = attack.namu_evasion if rolled.critical == "namu" else attack.evasion
    fields: dict[str, Any] = {"evasion_difficulty": word_of(level), "evaded": False}
    for event in events:
        if isinstance(event, EvasionRolled) and event.part == part:
            if event.counter:
                fields["counter_evaded"] = event.result != "failed"
            else:
                fields["evaded"] = event.result != "failed"
                fields["evasion_successes"] = counted_in(throws, f"evasion {part}", level)
        elif isinstance(event, CounterDeclared) and event.part == part:
            fields |= {"counter": True, "counter_difficulty": word_of(event.level), "counter_evaded": False}
    return fields


def _lines(attack: Attack, events: tuple[Event, ...], throws: tuple[Throw, ...]) -> Lines:
    """The story of the exchange, event by event."""
    lines: Lines = ()
    for event in events:
        match event:
            case AttackRolled(part=part, auto=auto):
                counted = AUTO_SUCCESSES if auto else counted_in(throws, f"attack {part}", attack.level)
                key = "part_auto" if auto else "part_thrown"
                lines += (because("NS-A20" if auto else "NS-A17", key, part=part, successes=counted),)
            case EvasionRolled():
                lines += evasion_told(event, throws)
            case CounterDeclared(part=part):
                lines += (because("NS-K01", "counter_declared", part=part),)
            case PartsCancelled():
                lines += (because("NS-A19", "parts_cancelled"),)
            case HitWasted(part=part):
                lines += (because("NS-A18", "part_wasted", part=part),)
            case _:
                lines += damage_lines((event,))
    return lines


def evasion_told(event: EvasionRolled, throws: tuple[Throw, ...]) -> Lines:
    label = f"counter evasion {event.part}" if event.counter else f"evasion {event.part}"
    throw = thrown(throws, label)
    key = "part_evaded" if event.result != "failed" else "part_not_evaded"
    return (
        because(
            "NS-E04" if event.result != "failed" else "NS-E05",
            key,
            part=event.part,
            dice=throw.pool.count if throw else 0,
            successes=counted_in(throws, label, event.level),
            difficulty=word_of(event.level),
        ),
    )


class MeleePart(Struct, frozen=True, cache_hash=True):
    target: str
    dice: int


class Melee(Message, Struct, frozen=True, cache_hash=True, tag="melee"):
    """A melee attack, its targets and dice named before the throw (NS-A11, NS-A14); sight and reach are the NM's ruling
    while there is no map (NS-G05)."""

    actor: str
    parts: tuple[MeleePart, ...]
    style: StyleId | None = None

    def _params(self, game: Fight, target: str) -> SequenceParams:
        return SequenceParams(
            attacker=game.fighters[self.actor],
            target=game.fighters[target],
            parts=tuple(part.dice for part in self.parts),
            style=self.style,
            atmosphere=game.atmosphere,
        )

    def refuse(self, game: Fight, seat: Seat, question: Question | None) -> Illegal | None:
        if refusal := actor(game, seat, self.actor):
            return refusal
        targets = [game.fighters.get(part.target) for part in self.parts]
        if not targets or any(one is None or one.gone for one in targets):
            return Illegal("not_adjacent", "NS-A01")
        try:
            refuse_parts(game.fighters[self.actor], self._params(game, self.parts[0].target))
        except Illegal as refusal:
            return refusal
        return None

    def carry_out(self, play: Play[Fight], seat: Seat) -> None:
        game = play.game
        for number, part in enumerate(self.parts, 1):
            target = game.fighters[part.target]
            by = (self.actor, game.fighters[self.actor])
            attack = attack_of(by, (part.target, target), self._params(game, part.target))
            play.then(RollPart(attack, number, part.dice))


calls.add(AttackSequence())
