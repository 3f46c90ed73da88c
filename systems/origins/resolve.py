"""A whole action by name: the steps of play, with every decision given in advance (`resolve_action`)."""

from __future__ import annotations

from msgspec import UNSET, Struct, UnsetType

from systems.core.ask import Question
from systems.core.calls import CheckCall, Outcome, Report, Verdict
from systems.core.errors import Illegal
from systems.core.game import Message
from systems.core.play import Throw
from systems.core.values import Map
from systems.origins.action import ReadAction, RollAction
from systems.origins.answers import (
    TAKE,
    AcceptResult,
    CallDefense,
    ChooseControlled,
    ChooseOption,
    Glory,
    Respond,
    UseEnemyTurn,
)
from systems.origins.armor import Armor, refuse_armor
from systems.origins.chart import HarmChart
from systems.origins.consequence import ROLL_KIND, ChooseKind
from systems.origins.defence import ALTERNATE_COST, refuse_defence
from systems.origins.enemies import may_pick_kind
from systems.origins.fight import Action, Fight, Fighter, Foe, Settled
from systems.origins.given import ACTOR, ENEMY, Choices, ResolveParams, Response
from systems.origins.honor import refuse_glory
from systems.origins.names import calls
from systems.origins.position import cell
from systems.origins.retold import retold
from systems.origins.vocabulary import (
    BANDS,
    DEFENSIVE_SKILLS,
    MAX_HONOR,
    Band,
    Kind,
    Position,
    Severity,
)

RULES = (
    *("SO-C18", "SO-P03", "SO-P05", "SO-P06", "SO-P11", "SO-P12", "SO-P13", "SO-P14", "SO-P15", "SO-P16", "SO-P17"),
    *("SO-P18", "SO-P20", "SO-P21", "SO-P22", "SO-P23", "SO-P24", "SO-P25", "SO-D07", "SO-D10", "SO-D13", "SO-E03"),
    *("SO-E04", "SO-E05", "SO-E06", "SO-E07", "SO-H09", "SO-O16"),
)


class Shown(Struct, frozen=True, kw_only=True):
    """A consequence of the action; `avoided` means that nothing of it remains."""

    kind: Kind
    severity: Severity
    avoided: bool
    negated: bool
    recorded_level: int | None


class ResolveOutcome(Outcome, frozen=True, kw_only=True):
    band: Band | UnsetType = UNSET
    withdrawn: bool
    effect: int
    position: Position | None
    chakra: int
    harm_chart: HarmChart
    unconscious: bool
    dead: bool
    complication_ticks: int
    lost_opportunity: bool
    consequences: tuple[Shown, ...]
    enemy_turns_left: int | UnsetType = UNSET
    armor: Armor | UnsetType = UNSET
    load_spent: int
    critical_ability_triggered: bool


def _pool_name(place: int) -> str:
    """The dots of a fighter are by skill; here each response brings its own pool."""
    return f"response {place}"


class ResolveAction(CheckCall[ResolveParams, Fight]):
    """Throw, Glory, choice, enemy turn, option, consequence dice and answers: the steps of a declared action."""

    id = "resolve_action"
    rules = RULES
    grades = tuple(BANDS.split())
    params = ResolveParams
    outcome = ResolveOutcome

    def begin(self, p: ResolveParams) -> Fight:
        """Raises `needs_help`, `glory_unavailable`, `consequence_must_be_rolled`, and what makes a response impossible
        whatever the dice show."""
        action = Action(
            actor=ACTOR,
            target=ENEMY,
            pool=p.pool,
            bonus_effect=p.roll.bonus_effect,
            penalty_effect=p.roll.penalty_effect + p.hampered.effect,
        )
        _refuse(p)
        pools = {_pool_name(place): one.dice for place, one in enumerate(p.choices.responses, 1)}
        fighter = Fighter(
            position=p.actor.position,
            chakra=p.actor.chakra,
            harm_chart=p.actor.harm_chart,
            armor=p.actor.armor,
            load=p.actor.load,
            dots=Map(pools),
            honor=MAX_HONOR if p.choices.glory else 0,
        )
        foes = {ENEMY: Foe(difficulty=p.enemy.difficulty, turns_left=p.enemy.turns_left)} if p.enemy else {}
        return Fight(
            (RollAction(), ReadAction()),
            fighters=Map({ACTOR: fighter}),
            foes=Map(foes),
            config=p.config,
            action=action,
        )

    def decide(self, p: ResolveParams, game: Fight, question: Question) -> Message | None:
        """The choices of the parameters; a response that is not possible when it comes means taking the blow."""
        chosen = p.choices
        match question.topic:
            case "accept_result":
                return Glory() if chosen.glory else AcceptResult()
            case "choose_controlled":
                return ChooseControlled(chosen.controlled) if chosen.controlled else None
            case "use_enemy_turn":
                return UseEnemyTurn(chosen.gm_uses_turn)
            case "choose_option":
                return ChooseOption(chosen.option)
        place = int(question.subject.rsplit(" ", 1)[-1])
        match question.topic:
            case "choose_kind" | "replace_kind":
                return _kind(chosen, question, place)
            case "call_defense":
                return CallDefense(_pool_name(place), p.response(place - 1).gm_allows)
            case "respond":
                return _response(p, game, place)
        return TAKE

    def verdict(self, p: ResolveParams, game: Fight, pending: str | None) -> Verdict:
        action = game.acting
        if pending:
            return Verdict(action.band)
        return Verdict(action.band, action.read.success and not action.withdrawn)

    def report(self, p: ResolveParams, game: Fight, throws: tuple[Throw, ...], pending: Question | None) -> Report:
        actor, action = game.fighters[ACTOR], game.acting
        foe = game.foes.get(ENEMY)
        suffered = [one for one in action.settled if one.size]
        outcome = ResolveOutcome(
            band=action.band or UNSET,
            withdrawn=action.withdrawn,
            effect=action.effect,
            position=actor.position,
            chakra=actor.chakra,
            harm_chart=actor.harm_chart,
            unconscious=actor.unconscious,
            dead=actor.dead,
            complication_ticks=sum(one.size for one in suffered if one.kind == "complication"),
            lost_opportunity=any(one.kind == "lost_opportunity" for one in suffered),
            consequences=tuple(_shown(one) for one in action.settled),
            enemy_turns_left=foe.turns_left if foe else UNSET,
            armor=actor.armor or UNSET,
            load_spent=actor.load.spent if actor.load else 0,
            critical_ability_triggered=ACTOR in game.abilities,
        )
        return Report(outcome, retold(p, game, throws))


def _refuse(p: ResolveParams) -> None:
    if p.choices.glory and (refusal := refuse_glory(MAX_HONOR, p.pool)):
        raise refusal
    replaces = p.config.moot_consequence == "gm_choice"
    if p.choices.gm_kind and not replaces and not may_pick_kind(p.enemy.difficulty if p.enemy else None, p.config):
        raise Illegal("consequence_must_be_rolled", "SO-P21")
    threats = cell(p.actor.position, "fail").threats(p.choices.option)
    for place, (given, threat) in enumerate(zip(p.choices.responses, threats, strict=False)):
        if given.type == "defend" and not threat.defendable:
            raise Illegal("undefendable", "SO-P12")
        if given.type == "defend" and not given.gm_allows and given.skill and given.skill not in DEFENSIVE_SKILLS:
            raise Illegal("not_defensive_skill", "SO-D02", skill=given.skill)
        if place == 0 and (refusal := _refuse_first(p, given)):
            raise refusal


def _refuse_first(p: ResolveParams, given: Response) -> Illegal | None:
    """What stands against the first response before anything was paid or worn out."""
    if given.type == "armor":
        if p.actor.armor is None:
            return Illegal("item_missing", "SO-H08")
        return refuse_armor(p.actor.armor, p.actor.load, config=p.config)
    if given.type == "defend" and given.alternate and p.actor.chakra < ALTERNATE_COST:
        return Illegal("insufficient_chakra", "SO-D05", chakra=p.actor.chakra, cost=ALTERNATE_COST)
    return None


def _response(p: ResolveParams, game: Fight, place: int) -> Respond:
    given = p.response(place - 1)
    if not _possible(game, given):
        return Respond(name=given.name)
    return Respond(given.type, given.alternate, _pool_name(place), given.name)


def _possible(game: Fight, given: Response) -> bool:
    """Whether the response can be made now; a skill that is not named is one of the defensive five."""
    fighter, faced = game.fighters[ACTOR], game.faced
    if given.type == "armor":
        return faced.blow.kind == "harm" and fighter.armed(game.config)
    if given.type == "defend" and fighter.able:
        skill, allows = given.skill, given.gm_allows
        return not refuse_defence(faced.blow, skill, gm_allows=allows, alternate=given.alternate, chakra=fighter.chakra)
    return False


def _kind(chosen: Choices, question: Question, place: int) -> Message:
    if place <= len(chosen.gm_kind):
        return ChooseKind(chosen.gm_kind[place - 1])
    return ROLL_KIND if question.topic == "choose_kind" else question.silence


def _shown(one: Settled) -> Shown:
    return Shown(
        kind=one.kind,
        severity=one.severity,
        avoided=one.avoided,
        negated=one.negated,
        recorded_level=one.recorded_level,
    )


calls.add(ResolveAction())
