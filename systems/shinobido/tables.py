"""Tables that are worked out: from the registry, and number tables from the rules (section 23).

Where a table is by rating or modifier, real characters with just those values are put through the rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction

from msgspec.structs import asdict

from systems.core.tables import Row
from systems.core.text import read_toml
from systems.core.values import Map
from systems.shinobido.blows import AttackQuestion, FocusAttackQuestion
from systems.shinobido.checks import ContestParams
from systems.shinobido.creation import derived
from systems.shinobido.forecasts import AttacksParams, DuelParams, attacks_to_down, duel
from systems.shinobido.names import calls
from systems.shinobido.odds import (
    BlowChances,
    Modifier,
    RerollParams,
    SurgeChanceParams,
    attack,
    chance,
    contest,
    degree,
    focus_attack,
    plain_roll,
    reroll,
    surge,
)
from systems.shinobido.rolls import CERTAIN_FROM, IMPOSSIBLE_TO
from systems.shinobido.sheet import Art, Sheet
from systems.shinobido.strikes import LEAST_DAMAGE, MOST_DAMAGE
from systems.shinobido.vocabulary import LEAST_RATING, MOST_RATING

WAYS = 6**4
RATINGS = range(LEAST_RATING, MOST_RATING + 1)
MANY_WOUNDS = 5  # from here on in one column


def by_number(low: int, high: int) -> Iterator[tuple[str, int]]:
    """Row ids such as `minus_3`, `0`, `5`."""
    return ((row_id(number), number) for number in range(low, high + 1))


def row_id(number: int) -> str:
    return f"minus_{-number}" if number < 0 else str(number)


def with_ratings(**ratings: int) -> Sheet:
    return Sheet(attributes=Map(ratings))


@calls.table("names", "SD-P11")
def names() -> tuple[Row, ...]:
    """Every name that is served without a game."""
    kinds: tuple[tuple[str, Iterable[tuple[str, tuple[str, ...]]]], ...] = (
        ("check", ((one.id, one.rules) for one in calls.checks.values())),
        ("query", ((one.id, one.rules) for one in calls.queries.values())),
        ("odds", ((one.id, one.rules) for one in calls.odds_questions.values())),
        ("table", ((id, table_rules(id)) for id in calls.table_ids)),
    )
    return tuple(
        Row(f"{kind}.{id}", facts={"kind": kind, "name": id, "rules": list(rules)})
        for kind, named in kinds
        for id, rules in sorted(named)
    )


def table_rules(id: str) -> tuple[str, ...]:
    return calls.computed_tables[id][0] if id in calls.computed_tables else calls.tables[id].rules


@calls.table("errors", "SD-P11")
def errors() -> tuple[Row, ...]:
    """Every refusal (section 14)."""
    return tuple(Row(id) for id in sorted(read_toml("systems.shinobido", "labels/en.toml")["errors"]))


@calls.table("rulings", "SD-J01 SD-J40")
def rulings() -> tuple[Row, ...]:
    """SD-J01 to SD-J40 (section 21)."""
    rules = read_toml("systems.shinobido", "data/rules.toml")
    return tuple(Row(id, facts={"line": one["line"]}) for id, one in rules.items() if one["kind"] == "ruling")


@calls.table("net_distribution", "SD-Q02")
def net_distribution() -> tuple[Row, ...]:
    """23.1: the chance of each net and of at least that much."""
    found = plain_roll(0, "total")
    rows = []
    for id, net in by_number(-10, 10):
        at_least = sum((p for reached, p in found if reached >= net), Fraction(0))
        rows.append(
            Row(id, facts={"net": net, "ways": int(found[net] * WAYS), "p": found[net], "p_at_least": at_least})
        )
    return tuple(rows)


@calls.table("success_by_modifier", "SD-Q01 SD-Q16")
def success_by_modifier() -> tuple[Row, ...]:
    """23.2: success, and degrees 2 and 3."""
    rows = []
    for id, modifier in by_number(IMPOSSIBLE_TO, CERTAIN_FROM):
        p, degrees = chance(modifier), degree(Modifier(modifier=modifier)).p_degree_at_least
        better = {f"p_degree_{least}": degrees.get(least, Fraction(0)) for least in (2, 3)}
        rows.append(Row(id, facts={"modifier": modifier, "ways": int(p * WAYS), "p_success": p, **better}))
    return tuple(rows)


@calls.table("wounds_by_modifier", "SD-Q05")
def wounds_by_modifier() -> tuple[Row, ...]:
    """23.3: wounds by the modifier of the Toughness or resist roll."""
    rows = []
    for id, modifier in by_number(-8, 8):
        found = plain_roll(modifier, "wounds")
        p = {str(wounds): found[wounds] for wounds in range(MANY_WOUNDS)}
        p["5_or_more"] = 1 - sum(p.values(), Fraction(0))
        rows.append(Row(id, facts={"modifier": modifier, "wounds": p, "expected_wounds": found.mean(int)}))
    return tuple(rows)


def struck(attack_modifier: int, toughness_modifier: int, health: int = 3) -> tuple[Sheet, Sheet]:
    """Attacker and unhurt target whose rolls have just these modifiers."""
    attacker = with_ratings(agility=attack_modifier, strength=-toughness_modifier)
    return attacker, with_ratings(strength=health - 3)


def blow(attacker: Sheet, target: Sheet) -> BlowChances:
    return attack(AttackQuestion(actor=attacker, target=target))


@calls.table("attack_expectation", "SD-Q05")
def attack_expectation() -> tuple[Row, ...]:
    """23.4: expected wounds of one attack, by the modifiers of both rolls."""
    rows = []
    for id, modifier in by_number(-3, 5):
        found = {toughness: blow(*struck(modifier, toughness)) for toughness in range(-5, 4)}
        expected = {str(toughness): one.expected_wounds for toughness, one in found.items()}
        facts = {"attack_modifier": modifier, "p_hit": chance(modifier), "expected_wounds": expected}
        rows.append(Row(id, facts=facts))
    return tuple(rows)


@calls.table("attacks_needed", "SD-Q11")
def attacks_needed() -> tuple[Row, ...]:
    """23.5: expected attacks to drop a fresh target, by both modifiers and Health."""
    rows = []
    for id, modifier in by_number(-1, 3):
        for other, toughness in by_number(-3, 1):
            expected = {str(health): attacks(*struck(modifier, toughness, health)) for health in range(3, 9)}
            facts = {"attack_modifier": modifier, "toughness_modifier": toughness, "expected_attacks": expected}
            rows.append(Row(f"{id}_against_{other}", facts=facts))
    return tuple(rows)


def attacks(attacker: Sheet, target: Sheet) -> Fraction | None:
    return attacks_to_down(AttacksParams(actor=attacker, target=target, within=())).expected_attacks


def samples() -> tuple[tuple[str, Sheet], ...]:
    return tuple((row.id, drawn(row)) for row in SAMPLE_CHARACTERS.rows)


def drawn(row: Row) -> Sheet:
    """The character of a table row."""
    edges = tuple(row.facts.get("edges", ()))
    return Sheet(attributes=Map(row.facts["attributes"]), kind=row.facts["kind"], edges=edges)


SAMPLE_CHARACTERS = calls.tables.pop("sample_characters")
NPC_TEMPLATES = calls.tables.pop("npc_templates")
DIFFICULTIES = calls.tables.pop("difficulties")
LADDER_RATINGS = (-3, -1, 0, 1, 2, 3, 4, 5)  # SD-N03


def wider(row: Row, **more: object) -> Row:
    return Row(row.id, facts={**row.facts, **more})


@calls.table("sample_characters", "SD-A06")
def sample_characters() -> tuple[Row, ...]:
    """2.1: typical characters with what follows from their ratings."""
    return tuple(wider(row, **asdict(derived(drawn(row)))) for row in SAMPLE_CHARACTERS.rows)


@calls.table("npc_templates", "SD-N08 SD-N10")
def npc_templates() -> tuple[Row, ...]:
    """Section 5: opponents with what follows from their ratings."""
    return tuple(wider(row, **asdict(derived(drawn(row)))) for row in NPC_TEMPLATES.rows)


@calls.table("difficulties", "SD-N03")
def difficulties() -> tuple[Row, ...]:
    """Section 5: the ladder with the chance of success by rating."""
    return tuple(
        wider(row, p_by_rating={str(rating): chance(rating - row.facts["penalty"]) for rating in LADDER_RATINGS})
        for row in DIFFICULTIES.rows
    )


@calls.table("sample_attacks", "SD-Q05 SD-Q11")
def sample_attacks() -> tuple[Row, ...]:
    """23.6: the sample characters' basic attacks on one another."""
    rows = []
    for attacker, actor in samples():
        for defender, target in samples():
            one = blow(actor, target)
            facts = {"attacker": attacker, "target": defender, "p_hit": one.p_hit, "p_wound": one.p_wound}
            facts |= {"expected_wounds": one.expected_wounds, "expected_attacks": attacks(actor, target)}
            rows.append(Row(f"{attacker}_{defender}", facts=facts))
    return tuple(rows)


@calls.table("sample_duels", "SD-Q12")
def sample_duels() -> tuple[Row, ...]:
    """23.6: duels of the sample characters, basic attacks only."""
    rows = []
    for first, a in samples():
        for second, b in samples():
            one = duel(DuelParams(a=a, b=b))
            facts = {"first": first, "second": second, "p_first_wins": one.p_a_wins}
            rows.append(Row(f"{first}_{second}", facts={**facts, "expected_turns": one.expected_turns}))
    return tuple(rows)


@calls.table("focus_damage", "SD-Q06 SD-Q14")
def focus_damage() -> tuple[Row, ...]:
    """23.7: what an art does once it has hit, by resist rating and damage bought."""
    rows = []
    for id, rating in by_number(LEAST_RATING, MOST_RATING):
        p_wound: dict[str, Fraction] = {}
        expected: dict[str, Fraction] = {}
        for damage in range(LEAST_DAMAGE, MOST_DAMAGE + 1):
            one = art_blow(rating, damage)
            p_wound[str(damage)] = one.p_wound / one.p_hit
            expected[str(damage)] = one.expected_wounds / one.p_hit
        rows.append(Row(id, facts={"resist": rating, "p_wound": p_wound, "expected_wounds": expected}))
    return tuple(rows)


def art_blow(resist: int, damage: int) -> BlowChances:
    art = Art(name="mental art", domain="mental")
    actor, target = with_ratings(wits=MOST_RATING), with_ratings(intellect=resist)
    return focus_attack(FocusAttackQuestion(actor=actor, target=target, art=art, damage=damage))


@calls.table("last_stand_chance", "SD-Q08")
def last_stand_chance() -> tuple[Row, ...]:
    """23.9: by Strength and Tenacity, without traits."""
    rows = []
    for id, strength in by_number(LEAST_RATING, MOST_RATING):
        asked = {str(one): SurgeChanceParams(strength=strength, tenacity=one) for one in RATINGS}
        found = {tenacity: surge(one).p_success for tenacity, one in asked.items()}
        rows.append(Row(id, facts={"strength": strength, "p_by_tenacity": found}))
    return tuple(rows)


@calls.table("contest_chance", "SD-Q07")
def contest_chance() -> tuple[Row, ...]:
    """23.10: by how much one modifier is ahead."""
    rows = []
    for id, ahead in by_number(0, 8):
        one = contest(ContestParams(a_modifier=ahead))
        rows.append(Row(id, facts={"ahead": ahead, "p_win": one.p_a, "p_tie": one.p_tie, "p_lose": one.p_b}))
    return tuple(rows)


@calls.table("reroll_gain", "SD-Q09")
def reroll_gain() -> tuple[Row, ...]:
    """23.11: one red-die reroll after a failure."""
    rows = []
    for id, modifier in by_number(-5, 5):
        plain, again = chance(modifier), reroll(RerollParams(modifier=modifier)).p_success
        facts = {"modifier": modifier, "p_plain": plain, "p_with_reroll": again, "gain": again - plain}
        rows.append(Row(id, facts=facts))
    return tuple(rows)
