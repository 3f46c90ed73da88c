"""Blows by name: attack, Focus attack, hazard, with the wounds and the Last Stand that follow (sections 7 to 10)."""

from __future__ import annotations

from typing import Generic, Literal, TypedDict, TypeVar

from msgspec import UNSET, Struct, UnsetType

from systems.core.ask import Question
from systems.core.calls import Outcome, Report, Verdict
from systems.core.errors import Illegal
from systems.core.play import Throw
from systems.core.text import Because, Term, because
from systems.shinobido.names import calls
from systems.shinobido.parts import Declared, limits
from systems.shinobido.scene_call import ACTOR, TARGET, SceneCall, acting, affording, rerolling
from systems.shinobido.sheet import Art, Sheet, settled
from systems.shinobido.state import Blow, Scene
from systems.shinobido.strikes import (
    Strike,
    damage_bonus,
    damage_of,
    damage_refused,
    known_art,
    weapon_refused,
)
from systems.shinobido.switches import Switches
from systems.shinobido.told import Rolled, focus_told, rolled, told, wounds_told
from systems.shinobido.vocabulary import ArtDamage, Count, Die, SurgeAnswer, Tags, WeaponModifier, Whole
from systems.shinobido.wounding import Damage, Withstand

BLOW_GRADES = ("miss", "no_harm", "hindrance", "going_down", "down", "dying", "last_stand", "wound")


class StrikeQuestion(Declared, frozen=True, kw_only=True, forbid_unknown_fields=True, cache_hash=True):
    """What an attack and a Focus attack have in common."""

    actor: Sheet
    target: Sheet
    earlier_attackers: Count = 0


class AttackQuestion(StrikeQuestion, frozen=True, kw_only=True, forbid_unknown_fields=True, cache_hash=True):
    """An attack whose decisions are open."""

    tags: Tags = ("melee",)
    weapon_modifier: WeaponModifier = 0


class FocusAttackQuestion(StrikeQuestion, frozen=True, kw_only=True, forbid_unknown_fields=True, cache_hash=True):
    """A Focus attack whose decisions are open."""

    art: Art
    damage: ArtDamage
    effect: Literal["wounds", "hinder"] = "wounds"


class AttackParams(AttackQuestion, frozen=True, kw_only=True, forbid_unknown_fields=True, cache_hash=True):
    """`surge` answers the offer of a Last Stand beforehand; null leaves it open."""

    reroll: Die | None = None
    surge: SurgeAnswer | None = None


class FocusAttackParams(FocusAttackQuestion, frozen=True, kw_only=True, forbid_unknown_fields=True, cache_hash=True):
    """`reroll` and `surge` as for an attack."""

    reroll: Die | None = None
    surge: SurgeAnswer | None = None


S = TypeVar("S", bound=AttackParams | FocusAttackParams)


class HazardParams(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, cache_hash=True):
    target: Sheet
    damage_rating: Whole
    surge: SurgeAnswer | None = None
    options: Switches = Switches()


class BlowOutcome(Outcome, frozen=True, kw_only=True):
    """`wounds_dealt` counts before the cap at Health, `overkill` is what lies beyond it."""

    wounds_dealt: int
    target_wounds: int
    target_status: str
    overkill: int | UnsetType = UNSET
    pending: str | UnsetType = UNSET
    surge_total: int | UnsetType = UNSET


class BlowFields(TypedDict):
    """The fields of `BlowOutcome`."""

    wounds_dealt: int
    target_wounds: int
    target_status: str
    overkill: int | UnsetType
    pending: str | UnsetType
    surge_total: int | UnsetType


class AttackOutcome(BlowOutcome, frozen=True, kw_only=True):
    attack_total: int
    hit: bool
    damage_rating: int | UnsetType = UNSET
    toughness_total: int | UnsetType = UNSET
    focus_after: int


class FocusAttackOutcome(BlowOutcome, frozen=True, kw_only=True):
    attack_total: int
    hit: bool
    resist_attribute: str | UnsetType = UNSET
    resist_total: int | UnsetType = UNSET
    focus_after: int
    hindrance: int | UnsetType = UNSET


class HazardOutcome(BlowOutcome, frozen=True, kw_only=True):
    toughness_total: int


def blow_grade(blow: Blow, status: str) -> str:
    """The first that fits of the blow grades (13.1)."""
    if not blow.hit:
        return "miss"
    if blow.hindrance:
        return "hindrance"
    if not blow.dealt:
        return "no_harm"
    if status in ("going_down", "down", "dying"):
        return status
    return "last_stand" if blow.stood else "wound"


def targeting(actor: Sheet, target: Sheet) -> None:
    """Raises `Illegal` unless the target is another one who stands, friend or foe (SD-C10)."""
    if actor.id and actor.id == target.id:
        raise Illegal("target_self", "SD-C10")
    if target.status in ("down", "going_down", "dying"):
        raise Illegal("target_down", "SD-C10")
    if target.status == "dead":
        raise Illegal("target_dead", "SD-C10")
    if target.status in ("fled", "captured"):
        raise Illegal("target_out", "SD-C10")


def blow_fields(game: Scene, found: dict[str, Rolled], pending: Question | None) -> BlowFields:
    """What has happened so far."""
    blow, target = game.blow or Blow(), game.cast[TARGET]
    return {
        "wounds_dealt": blow.dealt,
        "target_wounds": target.wounds,
        "target_status": target.status,
        "overkill": blow.overkill or UNSET,
        "pending": pending.topic if pending else UNSET,
        "surge_total": found["surge"].total if "surge" in found else UNSET,
    }


def blow_told(game: Scene, found: dict[str, Rolled]) -> tuple[Because, ...]:
    """What the wounds led to."""
    blow, target = game.blow or Blow(), game.cast[TARGET]
    if not blow.dealt:
        return ()
    after = target.wounds + (1 if blow.stood else 0)
    lines = [because("SD-W01", "wounds_now", wounds=after, health=target.health)]
    if blow.overkill:
        lines.append(because("SD-W01", "overkill", overkill=blow.overkill))
    if target.status == "going_down":
        lines.append(because("SD-H02", "surge_offer"))
    if "surge" in found:
        lines += [*told(found["surge"]), because("SD-H03", "last_stand" if blow.stood else "last_stand_failed")]
    if target.status in ("down", "dying"):
        lines.append(because("SD-W14" if target.status == "dying" else "SD-W05", target.status))
    return tuple(lines)


class BlowCall(SceneCall[S], Generic[S]):
    """What attacks and arts share: the verdict and the story of a blow."""

    grades = BLOW_GRADES

    def strike(self, p: S) -> Strike:
        raise NotImplementedError

    def verdict(self, p: S, game: Scene, pending: str | None) -> Verdict:
        blow = game.blow or Blow()
        return Verdict(blow_grade(blow, game.cast[TARGET].status), blow.hit)

    def _told(self, p: S, game: Scene, found: dict[str, Rolled], damage: Because) -> tuple[Because, ...]:
        strike = self.strike(p)
        lines: tuple[Because, ...] = told(found[strike.kind])
        against = next((one for kind, one in found.items() if kind in ("toughness", "resist")), None)
        if against:
            lines = (*lines, damage, *told(against), wounds_told(against, strike.hinders), *blow_told(game, found))
        spent = p.concentrate + strike.damage
        return (*lines, *focus_told(settled(p.actor).pool, spent, game.cast[ACTOR].pool))


class AttackByName(BlowCall[AttackParams]):
    """A basic attack with its Toughness roll (SD-C08 to SD-C18)."""

    id = "attack"
    rules = ("SD-C08", "SD-C09", "SD-C13", "SD-C14", "SD-C15", "SD-C17", "SD-W05")
    params = AttackParams
    outcome = AttackOutcome

    def begin(self, p: AttackParams) -> Scene:
        actor, target = settled(p.actor), settled(p.target)
        acting(actor)
        targeting(actor, target)
        limits(p.act, p.options)
        weapon_refused(p.weapon_modifier)
        rerolling(actor, p.reroll)
        affording(actor, p.concentrate)
        return self.scene({ACTOR: actor, TARGET: target}, p.options, self.strike(p), reroll=p.reroll)

    def strike(self, p: AttackParams) -> Strike:
        return Strike(
            who=ACTOR,
            target=TARGET,
            act=p.act,
            earlier_attackers=p.earlier_attackers,
            weapon_modifier=p.weapon_modifier,
        )

    def report(self, p: AttackParams, game: Scene, throws: tuple[Throw, ...], pending: Question | None) -> Report:
        found = rolled(throws)
        actor = settled(p.actor)
        toughness = found.get("toughness")
        damage = damage_of(self.strike(p), actor).rating
        outcome = AttackOutcome(
            **blow_fields(game, found, pending),
            attack_total=found["attack"].total,
            hit=found["attack"].success,
            damage_rating=damage if toughness else UNSET,
            toughness_total=toughness.total if toughness else UNSET,
            focus_after=game.cast[ACTOR].pool,
        )
        return Report(outcome, self._told(p, game, found, self._damage_told(p, actor, damage)))

    def _damage_told(self, p: AttackParams, actor: Sheet, damage: int) -> Because:
        return because(
            "SD-C14",
            "damage_rating",
            strength=actor.rating("strength"),
            edges=damage_bonus(actor, p.tags),
            weapon=p.weapon_modifier,
            damage=damage,
        )


class FocusAttackByName(BlowCall[FocusAttackParams]):
    """An art: Focus for damage, resisted by an attribute (SD-F04 to SD-F11, SD-X07)."""

    id = "focus_attack"
    rules = ("SD-F04", "SD-F05", "SD-F06", "SD-F08", "SD-F10", "SD-X07")
    params = FocusAttackParams
    outcome = FocusAttackOutcome

    def begin(self, p: FocusAttackParams) -> Scene:
        actor, target = settled(p.actor), settled(p.target)
        acting(actor)
        targeting(actor, target)
        if p.effect == "hinder" and not p.options.focus_effects:
            raise Illegal("option_disabled", "SD-X07", option="focus_effects")
        limits(p.act, p.options)
        known_art(actor, p.art)
        damage_refused(p.damage)
        rerolling(actor, p.reroll)
        affording(actor, p.damage + p.concentrate)
        return self.scene({ACTOR: actor, TARGET: target}, p.options, self.strike(p), reroll=p.reroll)

    def strike(self, p: FocusAttackParams) -> Strike:
        return Strike(
            who=ACTOR,
            target=TARGET,
            act=p.act,
            earlier_attackers=p.earlier_attackers,
            art=known_art(p.actor, p.art),
            damage=p.damage,
            hinders=p.effect == "hinder",
        )

    def report(self, p: FocusAttackParams, game: Scene, throws: tuple[Throw, ...], pending: Question | None) -> Report:
        found = rolled(throws)
        resist = found.get("resist")
        against = damage_of(self.strike(p), settled(p.actor)).resist
        blow = game.blow or Blow()
        outcome = FocusAttackOutcome(
            **blow_fields(game, found, pending),
            attack_total=found["focus_attack"].total,
            hit=found["focus_attack"].success,
            resist_attribute=against if resist else UNSET,
            resist_total=resist.total if resist else UNSET,
            focus_after=game.cast[ACTOR].pool,
            hindrance=blow.hindrance or UNSET,
        )
        bought = because("SD-F05", "art_damage", damage=p.damage, attribute=Term("attribute", against))
        return Report(outcome, self._told(p, game, found, bought))


class HazardByName(SceneCall[HazardParams]):
    """Harm without an attack roll (SD-C28, SD-N09)."""

    id = "hazard"
    rules = ("SD-C28", "SD-N09")
    grades = tuple(grade for grade in BLOW_GRADES if grade not in ("miss", "hindrance"))
    params = HazardParams
    outcome = HazardOutcome

    def begin(self, p: HazardParams) -> Scene:
        target = settled(p.target)
        if target.status == "dead":
            raise Illegal("target_dead", "SD-C28")
        return self.scene({TARGET: target}, p.options, Withstand(TARGET, Damage(p.damage_rating)))

    def verdict(self, p: HazardParams, game: Scene, pending: str | None) -> Verdict:
        blow = game.blow or Blow()
        return Verdict(blow_grade(blow, game.cast[TARGET].status), not blow.dealt)

    def report(self, p: HazardParams, game: Scene, throws: tuple[Throw, ...], pending: Question | None) -> Report:
        found = rolled(throws)
        toughness = found["toughness"]
        outcome = HazardOutcome(**blow_fields(game, found, pending), toughness_total=toughness.total)
        hurting = because("SD-C28", "hazard", damage=p.damage_rating)
        lines = (hurting, *told(toughness), wounds_told(toughness, False), *blow_told(game, found))
        return Report(outcome, lines)


calls.add(AttackByName())
calls.add(FocusAttackByName())
calls.add(HazardByName())
