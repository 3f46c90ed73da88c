"""Attacks and arts: what joins the attack roll, what a hit brings, and the step that throws it (sections 7 and 8)."""

from __future__ import annotations

from functools import lru_cache

from msgspec import Struct

from systems.core.errors import Illegal
from systems.core.game import Step
from systems.core.play import Play
from systems.core.text import Term
from systems.shinobido import edges
from systems.shinobido.events import AttackResolved
from systems.shinobido.names import calls
from systems.shinobido.parts import MOST_GANG, Act, Occasion, against, declared, if_any, own
from systems.shinobido.rolling import act_roll
from systems.shinobido.rolls import Part, Roll
from systems.shinobido.sheet import Art, Sheet, art_faults
from systems.shinobido.state import Scene
from systems.shinobido.switches import Switches
from systems.shinobido.vocabulary import Attribute
from systems.shinobido.wounding import Damage, Withstand

GUARD = 2  # SD-C19
LEAST_WEAPON, MOST_WEAPON = -2, 3  # SD-C14
LEAST_DAMAGE, MOST_DAMAGE = 1, 5  # Focus for an art's damage (SD-F05, SD-J35)
DOMAINS = {row.id: row.facts for row in calls.tables["focus_domains"].rows}  # SD-F03


class Strike(Step, Struct, frozen=True, kw_only=True, cache_hash=True, tag="strike"):
    """One attack roll at one target, by hand or, with `art`, through Focus (SD-C08, SD-F06, SD-K04)."""

    who: str
    target: str
    act: Act
    earlier_attackers: int = 0
    weapon_modifier: int = 0
    art: Art | None = None
    damage: int = 0
    hinders: bool = False

    def run(self, play: Play[Scene]) -> None:
        attacker, target = play.game.cast[self.who], play.game.cast[self.target]
        parts = attack_parts(self, attacker, target, play.game.switches)
        spent = self.damage if self.art else 0
        concealed = self.target in play.game.hidden
        hit = act_roll(play, self.who, self.act, spent, Roll(self.kind, parts), concealed) > 0
        play.emit(AttackResolved(self.who, self.target, hit))
        if hit:
            play.then(Withstand(self.target, damage_of(self, attacker), self.who))

    @property
    def kind(self) -> str:
        return "focus_attack" if self.art else "attack"


@lru_cache(maxsize=512)
def attack_parts(strike: Strike, attacker: Sheet, target: Sheet, switches: Switches) -> tuple[Part, ...]:
    """Attribute, traits and help, less what the target sets against it, circumstances and the own wounds.

    A basic attack uses Agility against Defense (SD-C08, SD-C11), an art the attributes of its domain (SD-F06, SD-F07,
    SD-F19, SD-J34). Edges may look at a surprised target (SD-E14).
    """
    attribute: Attribute = DOMAINS[strike.art.domain]["attack"] if strike.art else "agility"
    when = ("target_surprised",) if target.surprised else ()
    domain = strike.art.domain if strike.art else ""
    occasion = Occasion(strike.kind, attribute, strike.act.tags, domain, when)
    gang = min(MOST_GANG, strike.earlier_attackers) if switches.gang_up else 0
    return (
        *own(attacker, occasion, switches),
        *if_any("gang_up", gang, "SD-C27"),
        *(avoiding(target, strike.art.domain) if strike.art else defending(target)),
        *declared(attacker, strike.act, switches),
    )


def defending(target: Sheet) -> tuple[Part, ...]:
    """Defense with its Edges, once; wounds do not lower it (SD-C08, SD-D04, SD-E04, SD-W04, SD-J15, SD-J19, SD-J33)."""
    bonus = sum(
        effect.value for _, effect in edges.effects(target.edges, "defense_bonus") if "attack" in effect.against
    )
    return _avoided(target, target.defense + bonus, "SD-C08", Term("general", "defense"))


def avoiding(target: Sheet, domain: str) -> tuple[Part, ...]:
    """The avoid attribute stands instead of Defense (SD-F07)."""
    attribute: str = DOMAINS[domain]["avoid"]
    return _avoided(target, target.rating(attribute), "SD-F06", Term("attribute", attribute))


def _avoided(target: Sheet, value: int, rule: str, name: Term) -> tuple[Part, ...]:
    """At most 0 for the surprised, whatever its Edges; a guard comes on top (SD-C19, SD-C20)."""
    counted = min(0, value) if target.surprised else value
    return (
        against(counted, "SD-C20" if counted != value else rule, name),
        *if_any("guard", -GUARD if target.guarding else 0, "SD-C19"),
    )


def damage_of(strike: Strike, attacker: Sheet) -> Damage:
    """What a hit brings: a damage rating, or the damage bought for an art (SD-C13, SD-C14, SD-F08, SD-F09, SD-J16)."""
    if strike.art:
        return Damage(strike.damage, strike.art.resisted_with, strike.art.domain, strike.hinders)
    return Damage(damage_rating(attacker, strike.act.tags, strike.weapon_modifier))


def damage_rating(attacker: Sheet, tags: tuple[str, ...], weapon_modifier: int) -> int:
    """Strength, Edges for the tags of the attack, and the weapon; own wounds do not lower it (SD-C14, SD-C29, SD-E02).

    It may be negative, and the award of the attack does not join it (SD-C12, SD-J11, SD-J25, SD-J29).
    """
    return attacker.rating("strength") + damage_bonus(attacker, tags) + weapon_modifier


def damage_bonus(attacker: Sheet, tags: tuple[str, ...]) -> int:
    found = edges.effects(attacker.edges, "damage_bonus")
    return sum(effect.value for _, effect in found if any(tag in effect.tags for tag in tags))


def weapon_refused(weapon_modifier: int) -> None:
    """Raises `Illegal` weapon_modifier_out_of_range."""
    if not LEAST_WEAPON <= weapon_modifier <= MOST_WEAPON:
        raise Illegal("weapon_modifier_out_of_range", "SD-C14")


def known_art(attacker: Sheet, art: Art) -> Art:
    """The art as the attacker knows it. Raises `Illegal` bad_domain, bad_resist, art_unknown (SD-F04, SD-N10)."""
    for code, rule in art_faults(art):
        raise Illegal(code, rule)
    if attacker.arts is None and attacker.kind != "grunt":
        return art
    for known in attacker.arts or ():
        if attacker.kind != "grunt" and _is_meant(known, art):
            return known
    raise Illegal("art_unknown", "SD-F04", art=art.name)


def _is_meant(known: Art, art: Art) -> bool:
    """A resist attribute that is not named is the known art's own (SD-F13)."""
    resist = known.resisted_with if art.resist is None else art.resist
    return (known.name, known.domain, known.resisted_with) == (art.name, art.domain, resist)


def damage_refused(damage: int) -> None:
    """Raises `Illegal` if an art is not given 1 to 5 Focus (SD-F05)."""
    if damage < LEAST_DAMAGE:
        raise Illegal("focus_below_minimum", "SD-F05")
    if damage > MOST_DAMAGE:
        raise Illegal("focus_above_cap", "SD-F05")
