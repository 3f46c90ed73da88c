"""Damage that nobody evades any more: row, endurance, side effects; and kaishaku (sections 12 and 13)."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeVar

from msgspec import UNSET, Meta, Struct, UnsetType

from systems.core.ask import OneOf, Question, asked, offer
from systems.core.calls import CheckCall, Outcome, Report, Verdict
from systems.core.checks import Total
from systems.core.errors import Illegal
from systems.core.game import Event, Message, Step
from systems.core.play import Play, Throw
from systems.core.text import Because, Term, because
from systems.core.values import Map
from systems.ninja_slayer import wounds
from systems.ninja_slayer.explain import Lines
from systems.ninja_slayer.fight import (
    Blow,
    DamageApplied,
    Endurance,
    Fight,
    InstantDeath,
    Maimed,
    MobRemoved,
    SpiritDrained,
    StateChanged,
    Switches,
)
from systems.ninja_slayer.names import calls
from systems.ninja_slayer.sheet import Character
from systems.ninja_slayer.words import Count, Damage

P = TypeVar("P", bound=Struct)

_FALLS = {"unconscious": "NS-H03", "exploded": "NS-H04", "dead": "NS-H05", "out": "NS-H02"}

ATTACKER, TARGET = "attacker", "target"  # the two of a stateless attack

_IMMUNE_BLOW = Total(2)  # heavy blow +2D6 (NS-S14, NS-C23)


class TakeHit(Step, Struct, frozen=True, cache_hash=True, tag="take_hit"):
    """One blow lands: row, damage, endurance, side effects, in this order (NS-S07, NS-S10).

    Side effects need vitality that was really lost (NS-S09, NS-RUL32).
    """

    blow: Blow

    def run(self, play: Play[Fight]) -> None:
        blow = self.blow
        target = play.game.fighters[blow.at]
        if target.gone:
            return
        if blow.satsubatsu and target.mob and not play.game.switches.mob_full:
            play.emit(MobRemoved(blow.at, blow.part))
        elif (row := self._row(play)) == wounds.HEART and not target.immune:
            softened = play.game.switches.instant_death_to_stun and not target.mob
            play.emit(InstantDeath(blow.at, blow.part, softened))
        else:
            self._hurt(play, target, row)
        if play.game.fighters[blow.at].condition != target.condition:
            play.emit(StateChanged(blow.at, play.game.fighters[blow.at].condition))

    def _row(self, play: Play[Fight]) -> int:
        """The row is thrown only now that the blow lands (NS-S07); 0 where there is no satsubatsu."""
        blow = self.blow
        if blow.row or not blow.satsubatsu:
            return blow.row
        return play.check(wounds.ROW, f"satsubatsu {blow.part}")

    def _hurt(self, play: Play[Fight], target: Character, row: int) -> None:
        blow, shown = self.blow, self.blow.at in play.game.shown
        heavy_blow = self._heavy_blow(play, row)
        harm = wounds.harm(target, blow.base, heavy_blow, blow.mercy)
        if (endured := wounds.endurable(target, harm)) and _endures(play, blow.at):
            harm = endured
        play.emit(
            DamageApplied(
                blow.at, blow.part, row, heavy_blow, harm.before, harm.final, harm.lost, harm.paid, shown, blow.counter
            )
        )
        drain = blow.spirit
        if harm.lost and row and row != wounds.HEART and not play.game.fighters[blow.at].gone:
            facts = wounds.SATSUBATSU.at(row).facts
            play.emit(Maimed(blow.at, blow.part, row, bool(facts.get("knock_away"))))
            drain += facts.get("spirit_damage", 0)
        if drain and not play.game.fighters[blow.at].gone:
            play.emit(SpiritDrained(blow.at, drain, shown))

    def _heavy_blow(self, play: Play[Fight], row: int) -> int:
        """Only the highest counts, after 2D6 are thrown (NS-S12, NS-RUL31); the immune get them instead of dying."""
        if self.blow.no_heavy_blow:
            return 0
        by_row = 0
        if row == wounds.HEART:
            by_row = play.check(_IMMUNE_BLOW, f"heavy blow {self.blow.part}")
        elif row:
            by_row = wounds.SATSUBATSU.at(row).facts["heavy_blow"]
        return max(self.blow.heavy_blow, by_row)


def _endures(play: Play[Fight], who: str) -> bool:
    """The owner is asked only where endurance saves; silence uses it (NS-H07, option `endurance_default`)."""
    question = asked(who, "endurance", offer(Endurance, accept=OneOf((True, False))), silence=Endurance())
    answer = play.ask(question)
    return isinstance(answer, Endurance) and answer.accept


class Options(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Switches for one hit."""

    endurance: Literal["auto", "decline"] = "auto"
    mercy: bool = False
    instant_death_to_stun: bool = False
    mob_full: bool = False


class ResolveHitParams(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A hit on a target; `tsuda` are the heavy blows that apply."""

    target: Character
    base_damage: Damage | UnsetType = UNSET
    tsuda: Annotated[tuple[Count, ...], Meta(max_length=20)] = ()
    satsubatsu: bool = False
    no_tsuda: bool = False
    spirit_damage: Count = 0
    options: Options = Options()

    @property
    def dealt(self) -> int:
        """1, or 0 where only spirit damage is given."""
        if self.base_damage is not UNSET:
            return self.base_damage
        return 0 if self.spirit_damage and not self.satsubatsu and not self.tsuda else 1


class HitOutcome(Outcome, frozen=True, kw_only=True):
    """Bools stand only where true; damage only where some was worked out."""

    row: int | UnsetType = UNSET
    damage_before_reduction: int | UnsetType = UNSET
    final_damage: int | UnsetType = UNSET
    hp_lost: int | UnsetType = UNSET
    knockback: bool | UnsetType = UNSET
    instant_death: bool | UnsetType = UNSET
    removed: bool | UnsetType = UNSET
    target: Character


def landed(events: tuple[Event, ...], who: str, part: int) -> dict[str, int | bool]:
    """The fields of what blow `part` did to `who`; counters are another matter."""
    found: dict[str, int | bool] = {}
    for event in events:
        if isinstance(event, DamageApplied) and (event.who, event.part, event.counter) == (who, part, False):
            found |= {"row": event.row} if event.row else {}
            found["damage_before_reduction"] = event.before
            found["final_damage"], found["hp_lost"] = event.final or 0, event.lost or 0
        elif isinstance(event, Maimed) and (event.who, event.part) == (who, part) and event.knocked_away:
            found["knockback"] = True
        elif isinstance(event, InstantDeath) and (event.who, event.part) == (who, part):
            found |= {"row": wounds.HEART} if event.softened else {"row": wounds.HEART, "instant_death": True}
        elif isinstance(event, MobRemoved) and (event.who, event.part) == (who, part):
            found["removed"] = True
    return found


def damage_lines(events: tuple[Event, ...]) -> Lines:
    """What happened, rule by rule."""
    lines: list[Because] = []
    for event in events:
        lines += _told(event)
    return tuple(lines)


def _told(event: Event) -> Lines:
    match event:
        case MobRemoved():
            return (because("NS-S08", "mob_removed"),)
        case InstantDeath(softened=softened):
            return (because("NS-S15" if softened else "NS-S13", "stunned" if softened else "instant_death"),)
        case DamageApplied():
            return _damage_told(event)
        case Maimed(row=row):
            return (
                because("NS-S10", "side_effects", row=row, effect=Term("satsubatsu_row", wounds.SATSUBATSU.at(row).id)),
            )
        case SpiritDrained(points=points):
            return (because("NS-H09", "spirit_drained", points=points),)
        case StateChanged(who=who, state=state):
            return (because(_FALLS[state], "state_now", who=_named(who), state=Term("state", state)),)
    return ()


def _damage_told(event: DamageApplied) -> Lines:
    lines = []
    if event.counter:
        lines.append(because("NS-K02", "counter_lands", damage=event.before))
    if event.row:
        row = Term("satsubatsu_row", wounds.SATSUBATSU.at(event.row).id)
        lines.append(because("NS-S07", "satsubatsu_row", row=event.row, effect=row))
    if event.heavy_blow:
        base = event.before - event.heavy_blow
        lines.append(because("NS-S11", "damage_sum", base=base, heavy_blow=event.heavy_blow, before=event.before))
    else:
        lines.append(because("NS-A03", "damage_base", before=event.before))
    if event.final != event.before:
        lines.append(because("NS-H17", "damage_reduced", final=event.final))
    lines.append(because("NS-H01", "vitality_lost", lost=event.lost))
    if event.paid:
        lines.append(because("NS-H06", "endurance_paid", spirit=event.paid))
    return tuple(lines)


def _named(who: str) -> Term | str:
    return Term("role", who) if who in (ATTACKER, TARGET) else who


class Outright(CheckCall[P, Fight]):
    """A check that is one blow on a target, without attack throw or evasion."""

    outcome = HitOutcome
    grades = ("ok", "unconscious", "exploded", "dead", "out")

    def verdict(self, p: P, game: Fight, pending: str | None) -> Verdict:
        return Verdict(game.fighters[TARGET].condition)

    def told(
        self, p: P, game: Fight, events: tuple[Event, ...], throws: tuple[Throw, ...], pending: Question | None
    ) -> Report:
        fields: dict[str, Any] = landed(events, TARGET, 1)
        return Report(HitOutcome(**fields, target=game.fighters[TARGET].record()), damage_lines(events))


class ResolveHit(Outright[ResolveHitParams]):
    """One hit worked out to its end (NS-H01 to NS-H11, NS-H17, NS-H18, NS-S07 to NS-S26)."""

    id = "resolve_hit"
    rules = ("NS-H01", "NS-H06", "NS-H17", "NS-H18", "NS-S07", "NS-S08", "NS-S12", "NS-S13", "NS-S14", "NS-S15")
    params = ResolveHitParams

    def begin(self, p: ResolveHitParams) -> Fight:
        blow = Blow(
            TARGET,
            base=p.dealt,
            heavy_blow=max(p.tsuda, default=0),
            satsubatsu=p.satsubatsu and not p.options.mercy,  # NS-H18: a mercy strike is no satsubatsu
            no_heavy_blow=p.no_tsuda,
            spirit=p.spirit_damage,
            mercy=p.options.mercy,
        )
        switches = Switches(mob_full=p.options.mob_full, instant_death_to_stun=p.options.instant_death_to_stun)
        return Fight(agenda=(TakeHit(blow),), fighters=Map({TARGET: p.target}), shown=(TARGET,), switches=switches)

    def decide(self, p: ResolveHitParams, game: Fight, question: Question) -> Message | None:
        return Endurance(p.options.endurance == "auto")


class KaishakuParams(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    attacker: Character = Character()
    target: Character
    base_damage: Damage = 1
    adjacent: bool = True


class Kaishaku(Outright[KaishakuParams]):
    """A ninja finishes an adjacent unconscious enemy: row 6 without any throw (NS-A21); the immune suffer base damage
    and heavy blow 2D6 instead (NS-A22, NS-RUL30)."""

    id = "kaishaku"
    rules = ("NS-A21", "NS-A22", "NS-S13", "NS-S14")
    params = KaishakuParams

    def begin(self, p: KaishakuParams) -> Fight:
        if not p.attacker.able:
            raise Illegal("unconscious_cannot_act", "NS-H12")
        if not p.attacker.ninja:
            raise Illegal("kaishaku_ninja_only", "NS-A21")
        if p.target.condition != "unconscious":
            raise Illegal("kaishaku_target_not_unconscious", "NS-A21", state=Term("state", p.target.condition))
        if not p.adjacent:
            raise Illegal("not_adjacent", "NS-A21")
        blow = Blow(TARGET, base=p.base_damage, satsubatsu=True, row=wounds.HEART)
        return Fight(agenda=(TakeHit(blow),), fighters=Map({TARGET: p.target}), shown=(TARGET,))

    def decide(self, p: KaishakuParams, game: Fight, question: Question) -> Message | None:
        return Endurance()


calls.add(ResolveHit())
calls.add(Kaishaku())
