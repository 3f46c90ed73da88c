"""Attack Resolution: the attack, the dodge, and the Plot group whose effects come together (SG-W30..W50)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from msgspec import Struct

from systems.core.ask import Offer, OneOf, Question, SubsetOf, asked, offer
from systems.core.errors import Illegal
from systems.core.game import Message, Public, Step, change
from systems.core.play import Play
from systems.core.seats import Seat
from systems.shinobigami.checks import Grade, succeeds
from systems.shinobigami.combat_state import NO_DODGE, Battle, Exchange, Fighter
from systems.shinobigami.effects import Situation, passive
from systems.shinobigami.group import DropsOut, TurnEnds
from systems.shinobigami.losses import Damage, GainAilment
from systems.shinobigami.matrix import SKILLS
from systems.shinobigami.ninpo import CLOSE_COMBAT_ATTACK, Ninpo, SkillRange, catalogue
from systems.shinobigami.range import in_range
from systems.shinobigami.reactions import after_check, check_of, checked, defer
from systems.shinobigami.sheet import Character

DodgeWith = Literal["assigned", "escape", "decline"]
ESCAPE = "escape"
WATER_PENALTY = -2  # SG-W05


class Attack(Message, Struct, frozen=True, cache_hash=True, tag="attack"):
    """The attack of the own turn: an Attack ninpo with its assigned skill against legal targets (SG-W31)."""

    who: str
    ninpo: str
    skill: str
    targets: tuple[str, ...]

    @classmethod
    def offers(cls, game: Battle, seat: Seat) -> Iterable[Offer]:
        for fighter in () if game.agenda else game.group:
            if seat.plays(fighter.id) and not fighter.attacked and not fighter.backlash:
                yield from _attacks(game, fighter)

    def refuse(self, game: Battle, seat: Seat, question: Question | None) -> Illegal | None:
        if not game.has(self.who) or not seat.speaks_for(self.who):
            return Illegal("not_your_decision", "SG-W31")
        return _refused_actor(game, game[self.who]) or _refused_attack(game, self)

    def carry_out(self, play: Play[Battle], seat: Seat) -> None:
        play.emit(AttackDeclared(self.who, self.ninpo, self.skill, self.targets))
        play.then(AttackCheck(self.who, self.ninpo, self.skill, self.targets), TurnEnds(self.who))


class PassTurn(Message, Struct, frozen=True, cache_hash=True, tag="pass_turn"):
    """A member of the acting group does nothing (SG-W31)."""

    who: str

    @classmethod
    def offers(cls, game: Battle, seat: Seat) -> Iterable[Offer]:
        mine = tuple(one.id for one in game.group if seat.plays(one.id))
        if mine and not game.agenda:
            yield offer(cls, who=OneOf(mine))

    def refuse(self, game: Battle, seat: Seat, question: Question | None) -> Illegal | None:
        if not game.has(self.who) or not seat.speaks_for(self.who):
            return Illegal("not_your_decision", "SG-W31")
        return None if game[self.who] in game.group else Illegal("not_your_turn", "SG-W31")

    def carry_out(self, play: Play[Battle], seat: Seat) -> None:
        play.then(TurnEnds(self.who))


class Dodge(Message, Struct, frozen=True, cache_hash=True, tag="dodge"):
    """With the attack's skill, with Escape to leave the battle, or not at all (SG-W33, SG-W36, SG-Z67)."""

    dodge_with: DodgeWith

    def refuse(self, game: Battle, seat: Seat, question: Question | None) -> Illegal | None:
        if question is None:
            return Illegal("not_your_decision", "SG-W33")
        barred = self.dodge_with == ESCAPE and not game.escape_allowed
        return Illegal("escape_not_allowed", "SG-X03") if barred else None


class AttackDeclared(Public, Struct, frozen=True, cache_hash=True, tag="attack_declared"):
    """Declaring pays: Cost spent and the attack of the round used up (SG-N04, SG-N09)."""

    who: str
    ninpo: str
    skill: str
    targets: tuple[str, ...]

    def applied(self, game: Battle) -> Battle:
        sheet = game[self.who].sheet
        paid = change(sheet, spent_cost=sheet.spent_cost + catalogue()[self.ninpo].cost)
        return game.with_fighter(self.who, attacked=True, sheet=paid)


class AttackSpent(Public, Struct, frozen=True, cache_hash=True, tag="attack_spent"):
    """An attack Ohgi, broken or not, uses up the attack of the turn (SG-O19, SG-O35)."""

    who: str

    def applied(self, game: Battle) -> Battle:
        return game.with_fighter(self.who, attacked=True)


class Attacked(Public, Struct, frozen=True, cache_hash=True, tag="attacked"):
    """How an attack against one target ended; its damage waits for the end of the group."""

    exchange: Exchange

    def applied(self, game: Battle) -> Battle:
        return change(game, exchanges=(*game.exchanges, self.exchange))


class AttackCheck(Step, Struct, frozen=True, cache_hash=True, tag="attack_check"):
    """The Attack Check; one for all targets (SG-W32, SG-Z42)."""

    who: str
    ninpo: str
    skill: str
    targets: tuple[str, ...]

    def run(self, play: Play[Battle]) -> None:
        grade = self._grade(play)
        after_check(play, self.who, grade)
        if play.game[self.who].sheet.has_ailment("heavy_wound"):  # SG-H23, SG-Z16
            defer(play, Damage(self.who, "", "close", 1))
        for target in self.targets:
            if succeeds(grade):
                play.then(DodgeCheck(self.who, target, self.ninpo, self.skill, grade))
            else:
                play.emit(Attacked(Exchange(self.who, target, grade)))

    def _grade(self, play: Play[Battle]) -> Grade:
        game, ninpo = play.game, catalogue()[self.ninpo]
        kind = ninpo.damage[0].kind if ninpo.damage else None
        hindered = sum(_hindrance(game[one].sheet, self.who, kind) for one in self.targets)
        critical = 12 + _of_attack(ninpo, "critical_mod", "self")
        situation = Situation(applies_to="attack", attack_kind=kind, phase=game.phase)
        check = check_of(game, self.who, self.skill, situation, hindered, critical)
        return checked(play, self.who, check, "attack")


class DodgeCheck(Step, Struct, frozen=True, cache_hash=True, tag="dodge_check"):
    """One target answers a successful Attack Check (SG-W33, SG-W37); what a hit does is deferred (SG-W48).

    Where the attack's own skill is Escape, the defender's choice says which of the two it is (SG-Z71).
    """

    by: str
    target: str
    ninpo: str
    skill: str
    attack: Grade

    def run(self, play: Play[Battle]) -> None:
        fighter = play.game[self.target]
        if not fighter.able:
            return
        dodge_with = self._choice(play, fighter)
        dodge = self._dodge(play, fighter, dodge_with)
        hit = not succeeds(dodge)
        if dodge_with == ESCAPE and not hit:
            defer(play, DropsOut(self.target))
        if hit:
            self._hits(play)
        play.emit(Attacked(Exchange(self.by, self.target, self.attack, dodge, hit)))

    def _choice(self, play: Play[Battle], fighter: Fighter) -> DodgeWith:
        if fighter.backlash:  # SG-W41: the check fails without dice
            return "assigned"
        ways = ("assigned", ESCAPE, "decline") if play.game.escape_allowed else ("assigned", "decline")
        wanted = offer(Dodge, dodge_with=OneOf(ways))
        answer = play.ask(
            asked(
                self.target,
                "dodge",
                wanted,
                silence=Dodge("decline"),
                assumed=Dodge("assigned"),
                subject=f"by:{self.by}",
            )
        )
        return answer.dodge_with if isinstance(answer, Dodge) else "decline"

    def _dodge(self, play: Play[Battle], fighter: Fighter, dodge_with: DodgeWith) -> str:
        if dodge_with == "decline":
            return NO_DODGE
        if fighter.backlash:
            return "failure"
        ninpo = catalogue()[self.ninpo]
        modifier = _of_attack(ninpo, "check_mod", "target")
        modifier += WATER_PENALTY if play.game.battlefield == "water" else 0
        kind = ninpo.damage[0].kind if ninpo.damage else None
        situation = Situation(applies_to="dodge", attack_kind=kind, phase=play.game.phase)
        skill = ESCAPE if dodge_with == ESCAPE else self.skill
        grade = checked(play, self.target, check_of(play.game, self.target, skill, situation, modifier), "dodge")
        after_check(play, self.target, grade)
        return grade

    def _hits(self, play: Play[Battle]) -> None:
        ninpo = catalogue()[self.ninpo]
        for at, entry in enumerate(ninpo.damage):
            if not entry.when:  # the conditions of the catalogue's attacks are gear spent when declaring
                critical = at == 0 and self.attack == "critical"  # SG-N21, SG-W34
                defer(play, Damage(self.target, self.by, entry.kind, entry.amount, critical))
        for effect in ninpo.effects:
            if effect.op == "ailment" and effect.to == "target":  # SG-H12: after the damage entries
                defer(play, GainAilment(self.target, effect.ailment or ""))


def _hindrance(target: Character, attacker: str, kind: str | None) -> int:
    """What a target's Equip ninpo do to the attacker's check; some ask what it knows of the attacker (SG-N01)."""
    knows = tuple(item.kind for item in target.known if item.subject == attacker)
    return passive(target, "check_mod", "attacker", Situation(applies_to="attack", attack_kind=kind, knows=knows))


def _of_attack(ninpo: Ninpo, op: str, who: str) -> int:
    """What the attack's own data change about its check or the dodge."""
    return sum(effect.amount or 0 for effect in ninpo.effects if effect.op == op and effect.who == who)


def _attacks(game: Battle, fighter: Fighter) -> Iterable[Offer]:
    for one in fighter.sheet.learned:
        ninpo = catalogue().get(one.ninpo_id)
        if ninpo is None or ninpo.type != "attack" or refused_cost(fighter, ninpo):
            continue
        reach = tuple(
            other.id for other in game.able if other.id != fighter.id and _reaches(game, fighter, other, ninpo)
        )
        if reach:
            most = len(reach) if ninpo.targets.count == "any" else ninpo.targets.count
            skill = one.assigned_skill or (ninpo.assigned_skill and ninpo.assigned_skill.fixed)
            yield offer(
                Attack,
                {"cost": ninpo.cost},
                who=OneOf((fighter.id,)),
                ninpo=OneOf((ninpo.id,)),
                skill=OneOf((skill,) if skill else SKILLS),
                targets=SubsetOf(reach, 1, most),
            )


def _reaches(game: Battle, fighter: Fighter, other: Fighter, ninpo: Ninpo) -> bool:
    return in_range(fighter.plot, other.plot, ninpo.range, "attack", game.battlefield)


def _refused_actor(game: Battle, fighter: Fighter) -> Illegal | None:
    """Actor's state, then limits, in the order of SG-ERR1."""
    if fighter.knocked_out:
        return Illegal("knocked_out", "SG-H08")
    if fighter.dropped:
        return Illegal("dropped_out", "SG-W63")
    if fighter.plot != game.acting or fighter.acted:
        return Illegal("not_your_turn", "SG-W31")
    if fighter.backlash:
        return Illegal("backlash", "SG-W41")
    return Illegal("already_attacked", "SG-N09") if fighter.attacked else None


def _refused_attack(game: Battle, attack: Attack) -> Illegal | None:
    fighter, ninpo = game[attack.who], catalogue().get(attack.ninpo)
    if ninpo is None:
        return Illegal("ninpo_unknown", "SG-B10", ninpo=attack.ninpo)
    if ninpo.type != "attack":
        return Illegal("ninpo_timing", "SG-N01", ninpo=attack.ninpo)
    known = {one.ninpo_id for one in fighter.sheet.learned} | {CLOSE_COMBAT_ATTACK}
    if fighter.sheet.ninpo and ninpo.id not in known:
        return Illegal("ninpo_unknown", "SG-B10", ninpo=attack.ninpo)
    if ninpo.id in fighter.sheet.sealed("cursed"):
        return Illegal("ninpo_sealed", "SG-N13", ninpo=ninpo.id)
    if not (ninpo.assigned_skill or SkillRange(any=True)).allows(attack.skill):
        return Illegal("assigned_skill_not_allowed", "SG-B13", skill=attack.skill)
    return refused_reach(game, fighter, attack.targets, ninpo) or refused_cost(fighter, ninpo)


def refused_reach(game: Battle, fighter: Fighter, targets: tuple[str, ...], ninpo: Ninpo) -> Illegal | None:
    """The targets of an Attack ninpo: others in the battle, in Range, as many as it may name (SG-W31, SG-N05)."""
    for target in targets:
        if target == fighter.id:
            return Illegal("cannot_target_self", "SG-W31")
        if not game.has(target) or not game[target].able:
            return Illegal("target_not_in_combat", "SG-W31", target=target)
        if not _reaches(game, fighter, game[target], ninpo):
            return Illegal("out_of_range", "SG-N05", target=target)
    most = len(game.fighters) if ninpo.targets.count == "any" else ninpo.targets.count
    return Illegal("target_required", "SG-W31") if not 1 <= len(targets) <= most else None


def refused_cost(fighter: Fighter, ninpo: Ninpo) -> Illegal | None:
    """The round's Cost limit is the Plot; too much Plot-phase Cost leaves Cost 0 only (SG-N06, SG-N08)."""
    if ninpo.cost and fighter.sheet.plot_phase_cost > fighter.plot:
        return Illegal("cost_locked", "SG-N08")
    if ninpo.cost and fighter.sheet.spent_cost + ninpo.cost > fighter.plot:
        return Illegal("cost_exceeded", "SG-N06", cost=ninpo.cost, plot=fighter.plot)
    return None
