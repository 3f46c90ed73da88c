"""The check and the command `mob_volley`."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import UNSET, Meta, Struct, UnsetType

from systems.core.ask import Question
from systems.core.calls import CheckCall, Outcome, Report, Verdict
from systems.core.errors import Illegal, OddsTooLarge
from systems.core.game import Event, Message
from systems.core.play import Play, Throw
from systems.core.seats import Seat
from systems.core.text import because
from systems.core.values import Map
from systems.ninja_slayer.attack import AUTO_SUCCESSES
from systems.ninja_slayer.damage import TARGET, damage_lines, landed
from systems.ninja_slayer.dice import counted_in
from systems.ninja_slayer.difficulty import NORMAL, level_of, word_of
from systems.ninja_slayer.explain import Lines
from systems.ninja_slayer.fight import (
    DECLINE_COUNTER,
    NM,
    Bundle,
    Endurance,
    EvasionRolled,
    Fight,
    HitWasted,
    Switches,
    Wave,
)
from systems.ninja_slayer.names import calls
from systems.ninja_slayer.sequence import Plan, evasion_told, most_dice, planned, refuse_plan, through
from systems.ninja_slayer.sheet import Character
from systems.ninja_slayer.volley import (
    DECLINE,
    BarrageDeclared,
    BundlesFormed,
    DeclareBarrage,
    FormBundles,
    MobRolled,
    RollMob,
    Volley,
    VolleyBegun,
    barrage_refused,
    shot_label,
)
from systems.ninja_slayer.words import DamageType, Dice, Difficulty

MAX_WAYS_TO_HIT = 12_000  # states of a volley on its way that odds keep apart


class VolleyParams(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`pool` are the dice of each shot, already split. `barrage`: the NM declares one; refused, nothing happens."""

    count: Annotated[int, Meta(ge=1, le=100)]
    pool: Dice
    shots: Annotated[int, Meta(ge=1, le=10)] = 1
    time_lag: bool = False
    type: DamageType
    barrage: bool = False
    evasion_difficulty: Difficulty = "NORMAL"
    target: Character = Character()
    evasion_plan: Plan = ()

    def volley(self) -> Volley:
        volley = Volley(TARGET, self.type, self.pool, self.shots, self.time_lag)
        return volley.against(self.target, self.evasion_difficulty, most_dice(self.evasion_plan))

    @property
    def waves(self) -> int:
        return self.shots if self.time_lag else 1

    @property
    def offers(self) -> int:
        """How many evasions there may be at most."""
        return self.count * self.shots if self.target.kind == "boss" else self.waves


class BundleRecord(Struct, frozen=True, kw_only=True):
    """One bundle; what did not happen is absent (section 26)."""

    damage: int
    successes: int
    evasion_difficulty: str
    evaded: bool
    evasion_successes: int | UnsetType = UNSET
    barrage: bool | UnsetType = UNSET
    counter_available: bool | UnsetType = UNSET
    damage_before_reduction: int | UnsetType = UNSET
    final_damage: int | UnsetType = UNSET
    hp_lost: int | UnsetType = UNSET
    wasted: bool | UnsetType = UNSET


class VolleyOutcome(Outcome, frozen=True, kw_only=True):
    bundles: tuple[BundleRecord, ...]
    target: Character


class MobVolley(CheckCall[VolleyParams, Fight]):
    """Mobs alike act together (NS-E17); nobody in particular can be countered, so a counter is only told of."""

    id = "mob_volley"
    rules = (
        "NS-E10",
        "NS-E11",
        "NS-E12",
        "NS-E14",
        "NS-E15",
        "NS-E17",
        "NS-E18",
        "NS-E19",
        "NS-E20",
        "NS-E21",
        "NS-K09",
    )
    grades = ("ok", "unconscious", "exploded", "dead", "out")
    params = VolleyParams
    outcome = VolleyOutcome

    def begin(self, p: VolleyParams) -> Fight:
        level_of(p.evasion_difficulty)
        total = p.count * p.shots if p.target.kind != "boss" else 1
        if p.barrage and (refusal := barrage_refused(p.type, p.time_lag, total)):
            raise refusal
        refuse_plan(p.evasion_plan[: p.offers], p.target, None)
        volley = p.volley()
        return Fight(
            agenda=(*(RollMob(volley, number) for number in range(1, p.count + 1)), FormBundles(volley, p.barrage)),
            fighters=Map({TARGET: p.target}),
            shown=(TARGET,),
            switches=Switches(barrage=p.barrage),
            waves=(Wave(),) * p.waves,
        )

    def decide(self, p: VolleyParams, game: Fight, question: Question) -> Message | None:
        if question.topic == "barrage":
            return DeclareBarrage() if p.barrage else DECLINE
        if question.topic == "endurance":
            return Endurance()
        if question.topic == "counter":
            return DECLINE_COUNTER
        return planned(p.evasion_plan, int(question.subject)).answer()

    def verdict(self, p: VolleyParams, game: Fight, pending: str | None) -> Verdict:
        target = game.fighters[TARGET]
        return Verdict(target.condition, through(p.target, target))

    def told(
        self,
        p: VolleyParams,
        game: Fight,
        events: tuple[Event, ...],
        throws: tuple[Throw, ...],
        pending: Question | None,
    ) -> Report:
        formed = next(event for event in events if isinstance(event, BundlesFormed))
        total = sum(bundle.damage for bundle in formed.bundles)
        if p.barrage and (refusal := barrage_refused(p.type, p.time_lag, total)):
            raise refusal  # NS-E20: only the throw shows that too few hit
        sums = _sums(p, events, throws)
        records = tuple(
            _record(p, bundle, successes, events, throws)
            for bundle, successes in zip(formed.bundles, sums, strict=True)
        )
        return Report(
            VolleyOutcome(bundles=records, target=game.fighters[TARGET].record()), _lines(p, sums, events, throws)
        )

    def refuse_odds(self, p: VolleyParams) -> None:
        sums = p.volley().counted
        ways = ((p.count * p.shots // p.waves + 1) * sums) ** p.waves * p.count * p.waves
        if ways > MAX_WAYS_TO_HIT:
            raise OddsTooLarge("ways to hit", ways, MAX_WAYS_TO_HIT)


def _sums(p: VolleyParams, events: tuple[Event, ...], throws: tuple[Throw, ...]) -> list[int]:
    """All successes of each bundle; misses add nothing (NS-K09)."""
    waves: list[list[int]] = [[] for _ in range(p.waves)]
    for event in events:
        if isinstance(event, MobRolled) and event.successes:
            own = counted_in(throws, shot_label(event.number, event.shot), NORMAL)
            waves[event.wave - 1].append(max(own, AUTO_SUCCESSES))
    if p.target.kind == "boss":
        return [successes for wave in waves for successes in wave]
    return [sum(wave) for wave in waves]


def _record(
    p: VolleyParams, bundle: Bundle, successes: int, events: tuple[Event, ...], throws: tuple[Throw, ...]
) -> BundleRecord:
    fields: dict[str, Any] = {"counter_available": False} if p.type == "melee" else {}
    evaded = False
    for event in events:
        match event:
            case BarrageDeclared(bundle=barrage) if barrage.part == bundle.part:
                bundle = barrage
                fields["barrage"] = True
            case EvasionRolled(part=part, level=level, result=result) if part == bundle.part:
                evaded = result != "failed"
                fields["evasion_successes"] = own = counted_in(throws, f"evasion {part}", level)
                if p.type == "melee":
                    fields["counter_available"] = evaded and p.target.ninja and own > successes
            case HitWasted(part=part) if part == bundle.part:
                fields["wasted"] = True
    fields |= landed(events, TARGET, bundle.part)
    return BundleRecord(
        damage=bundle.damage,
        successes=successes,
        evasion_difficulty=word_of(bundle.level),
        evaded=evaded,
        **fields,
    )


def _lines(p: VolleyParams, sums: list[int], events: tuple[Event, ...], throws: tuple[Throw, ...]) -> Lines:
    lines: Lines = ()
    for event in events:
        match event:
            case BundlesFormed(bundles=bundles):
                lines += tuple(
                    because("NS-E17", "bundle_formed", part=one.part, damage=one.damage, successes=successes)
                    for one, successes in zip(bundles, sums, strict=True)
                )
            case BarrageDeclared(bundle=bundle):
                lines += (because("NS-E19", "barrage", damage=bundle.damage, difficulty=word_of(bundle.level)),)
            case EvasionRolled():
                lines += evasion_told(event, throws)
            case HitWasted(part=part):
                lines += (because("NS-A18", "part_wasted", part=part),)
            case _:
                lines += damage_lines((event,))
    return lines


class MobVolleyOrder(Message, Struct, frozen=True, cache_hash=True, tag="mob_volley"):
    """The NM lets mobs of one kind and initiative act together against one target (NS-E17)."""

    mobs: tuple[str, ...]
    target: str
    attack_type: DamageType
    pool: int
    shots: int = 1
    time_lag: bool = False
    evasion_difficulty: str = "NORMAL"

    def refuse(self, game: Fight, seat: Seat, question: Question | None) -> Illegal | None:
        if not seat.gm:
            return Illegal("not_controller", "NS-RUL55", actor=NM)
        fighters = [game.fighters.get(mob) for mob in self.mobs]
        if not fighters or any(one is None or not one.mob for one in fighters):
            return Illegal("unknown_actor", "NS-RUL55")
        if any(one is not None and not one.able for one in fighters):
            return Illegal("unconscious_cannot_act", "NS-H12")
        target = game.fighters.get(self.target)
        return Illegal("no_line_of_sight", "NS-A06") if target is None or target.gone else None

    def carry_out(self, play: Play[Fight], seat: Seat) -> None:
        bare = Volley(self.target, self.attack_type, self.pool, self.shots, self.time_lag)
        volley = bare.against(play.game.fighters[self.target], self.evasion_difficulty)
        play.emit(VolleyBegun(self.shots if self.time_lag else 1))
        play.then(*(RollMob(volley, number, mob) for number, mob in enumerate(self.mobs, 1)), FormBundles(volley))


calls.add(MobVolley())
