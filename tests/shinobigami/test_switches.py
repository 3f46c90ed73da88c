"""The switches of a table stand in the rules, in the data and in the code alike (section 21)."""

from __future__ import annotations

import pytest

from systems.core.seats import Seat
from systems.core.text import read_toml
from systems.shinobigami.scene import Learned, Taught
from systems.shinobigami.switches import Switches
from tests.shinobigami.asking import ask

SWITCHES = {
    "gm_roll_modifier": "SG-U01",
    "special_incursion": "SG-U02",
    "backgrounds": "SG-U03",
    "fresh_skill_required": "SG-U04",
    "infoshare_direction": "SG-U05",
    "broken_perfect_success": "SG-U06",
    "environment_damage_drops_out": "SG-U07",
    "trade_triggers_infoshare": "SG-U08",
    "allow_death_in_main": "SG-U09",
    "escape_in_climax": "SG-U10",
    "free_replacement": "SG-U11",
    "critical_recovery": "SG-U12",
    "enemy_pc_like": "SG-U13",
    "prize_holder_public": "SG-U14",
    "sengoku_ailments": "SG-U15",
    "prize_effect_table": "SG-U15",
    "incursion_bond_target": "SG-U16",
    "failed_mission_merit": "SG-U17",
    "climax_end_condition": "SG-U18",
    "merit_per_prize": "SG-U19",
}


@pytest.mark.parametrize(("switch", "rule"), SWITCHES.items())
def test_a_switch_has_its_rule_and_its_default(switch: str, rule: str) -> None:
    data = read_toml("systems.shinobigami", "data/options.toml")[switch]
    assert data["rule"] == rule
    assert data["default"] == getattr(Switches(), switch)


def test_all_switches_are_there() -> None:
    assert (
        set(SWITCHES) == set(Switches.__struct_fields__) == set(read_toml("systems.shinobigami", "data/options.toml"))
    )


def test_that_somebody_knows_is_public() -> None:
    """SG-Y05, SG-Z66: the fact is for everybody; the event carries no content of the item."""
    fact = Learned((Taught("akari", "secret", "botan", 1),))
    assert fact.seen_by(Seat("stranger", "spectator")) == fact


def test_an_enemy_has_no_clan_and_no_rank() -> None:
    """SG-S11: it is made by the scenario; slots, a specialised Category, skills, ninpo, gear."""
    guard = {"id": "guard", "kind": "enemy", "specialised_category": "sorcery", "skills": ["curse"], "lp_slots": 3}
    assert not {"unknown_clan", "unknown_rank"} & set(ask("validate_character", character=guard)["errors"])
