"""Building a character: every error id, and what a legal one may look like (SG-B01..B20, SG-ERR1)."""

from __future__ import annotations

from itertools import islice
from typing import Any

import msgspec
import pytest

from systems.core.text import read_toml
from systems.core.values import Map
from systems.shinobigami import creation
from systems.shinobigami.creation import RANKS, errors_of
from systems.shinobigami.effects import Situation, passive
from systems.shinobigami.matrix import CATEGORIES, CLANS, COLUMNS, specialised_category
from systems.shinobigami.ninpo import Condition, catalogue
from systems.shinobigami.sheet import Ailment, Character, Learned, Ohgi

from .asking import AKARI, ask, refused

NINPO = [
    {"ninpo_id": "close_combat_attack", "assigned_skill": "blade"},
    {"ninpo_id": "pc_answering_steel"},
    {"ninpo_id": "pg_two_breath_cut", "assigned_skill": "blade"},
    {"ninpo_id": "pg_thrown_edge", "assigned_skill": "speed"},
    {"ninpo_id": "pg_iron_constitution"},
]
OHGI = {"id": "o1", "name": "Nameless", "type": "critical_hit", "assigned_skill": "blade"}
LEGAL: dict[str, Any] = {
    **AKARI, "rank": "chunin", "ninpo": NINPO, "ohgi": [OHGI], "gear": {"bead_of_life": 1, "soma_pill": 1},
}  # fmt: skip


def skills(*changed: str) -> list[str]:
    return [*changed, *LEGAL["skills"][len(changed) :]]


def ninpo(at: int, *changed: Any) -> list[Any]:
    return [*NINPO[:at], *changed, *NINPO[at + 1 :]]


def background(id: str, **params: Any) -> dict[str, Any]:
    return {"id": id, "params": params}


@pytest.mark.parametrize(
    ("changes", "errors"),
    [
        ({}, []),
        ({"cover": "mechanic", "conviction": "chaos", "name": "Akari", "age": 17}, []),  # SG-B04
        ({"clan": "koga"}, ["unknown_clan"]),  # SG-B02
        ({"clan": None}, ["unknown_clan"]),
        ({"rank": "kage"}, ["unknown_rank"]),  # SG-B03
        ({"rank": "genin"}, ["ninpo_count", "ohgi_count", "skill_count"]),
        ({"skills": skills()[:5]}, ["skill_count"]),  # SG-B05
        ({"skills": skills("blade", "blade")}, ["duplicate_skill"]),
        ({"skills": [*skills()[:5], "swords"]}, ["unknown_skill"]),
        ({"skills": skills("blade", "hand_to_hand", "trap")}, ["specialised_skill_minimum"]),  # SG-B06
        ({"ninpo": NINPO[1:]}, ["close_combat_skill_missing"]),  # SG-B09
        ({"ninpo": ninpo(0, "close_combat_attack")}, ["close_combat_skill_missing"]),
        ({"ninpo": ninpo(0, {**NINPO[0], "assigned_skill": "swords"})}, ["assigned_skill_not_allowed"]),
        ({"ninpo": NINPO[:4]}, ["ninpo_count"]),  # SG-B10
        ({"ninpo": ninpo(4, "pg_flying_carpet")}, ["ninpo_unknown"]),
        ({"ninpo": ninpo(4, "hadesology")}, ["ninpo_foreign_clan"]),
        ({"ninpo": ninpo(1, "pg_calm_pulse")}, ["ninpo_clan_minimum"]),  # SG-B11
        ({"ninpo": ninpo(4, NINPO[2])}, ["ninpo_duplicate"]),
        ({"ninpo": ninpo(4, {**NINPO[3], "assigned_skill": "trap"})}, []),  # repeatable
        ({"ninpo": ninpo(4, {**NINPO[0], "assigned_skill": "trap"})}, []),
        ({"ninpo": ninpo(3, "pg_thrown_edge")}, ["assigned_skill_missing"]),  # SG-B13
        ({"ninpo": ninpo(2, "pg_two_breath_cut")}, []),
        ({"ninpo": ninpo(2, {**NINPO[2], "assigned_skill": "speed"})}, ["assigned_skill_not_allowed"]),
        ({"ninpo": ninpo(4, {**NINPO[4], "assigned_skill": "speed"})}, ["assigned_skill_not_allowed"]),
        ({"ohgi": []}, ["ohgi_count"]),  # SG-B14
        ({"ohgi": [{**OHGI, "name": "  "}]}, ["ohgi_name_missing"]),
        ({"ohgi": [{**OHGI, "type": "nova"}]}, ["ohgi_type_unknown"]),
        ({"ohgi": [{**OHGI, "assigned_skill": None}]}, ["ohgi_skill_not_known"]),
        ({"ohgi": [{**OHGI, "type": "extra_ninpo"}]}, ["ohgi_extra_ninpo_choice"]),  # SG-B16
        ({"ohgi": [{**OHGI, "type": "extra_ninpo", "params": {"ninpo": ["poison_fist", "pg_half_step"]}}]}, []),
        (
            {"ohgi": [{**OHGI, "type": "extra_ninpo", "params": {"ninpo": ["poison_fist", "poison_fist"]}}]},
            ["ohgi_extra_ninpo_choice"],
        ),
        (
            {"ohgi": [{**OHGI, "type": "extra_ninpo", "params": {"ninpo": ["poison_fist", "wandering"]}}]},
            ["ohgi_extra_ninpo_choice"],
        ),
        ({"backgrounds": ["lucky"]}, ["background_unknown"]),  # SG-B17
        ({"backgrounds": ["clout"]}, ["virtues_exceed_flaws"]),
        ({"backgrounds": ["clout", "war_crazed"]}, []),
        ({"backgrounds": ["fugitive"]}, ["background_parameter"]),
        ({"backgrounds": [background("fugitive", clan="kurama")]}, ["background_parameter"]),
        ({"backgrounds": [background("fugitive", clan="koga")]}, ["background_parameter"]),
        ({"backgrounds": [background("fugitive", clan="oni"), background("traitor", clan="oni")]}, []),
        ({"backgrounds": [background("illicit_love", character="akari")]}, ["background_parameter"]),
        ({"backgrounds": [background("lack_of_emotion", emotion="hunger")]}, ["background_parameter"]),
        ({"backgrounds": [background("lack_of_emotion", emotion="envy")]}, []),
        ({"backgrounds": ["cold_hearted", background("kizuna", character="b", emotion="awe", sign="-")]}, []),
        (
            {"backgrounds": ["cold_hearted", background("kizuna", character="b", emotion="envy", sign="+")]},
            ["background_parameter"],
        ),
        ({"gear": {}}, ["gear_count"]),  # SG-B19
        ({"gear": {"soma_pill": 1, "kunai": 1}}, ["gear_type_unknown"]),
        ({"gear": {"soma_pill": 7}}, ["gear_count", "gear_limit"]),  # SG-B20
    ],
)
def test_validate_character(changes: dict[str, Any], errors: list[str]) -> None:
    answer = ask("validate_character", character={**LEGAL, **changes})
    assert (answer["errors"], answer["valid"]) == (errors, not errors)


def test_every_error_comes_at_once() -> None:
    """SG-ERR1, SG-B01."""
    answer = ask("validate_character", character={"id": "nobody"})
    assert answer["errors"] == ["close_combat_skill_missing", "gear_count", "unknown_clan", "unknown_rank"]


def test_an_unknown_skill_only_warns() -> None:
    """SG-B09: a ninpo may be assigned a skill that the character lacks."""
    changed = {**LEGAL, "ninpo": ninpo(0, {**NINPO[0], "assigned_skill": "curse"})}
    answer = ask("validate_character", character=changed)
    assert (answer["valid"], answer["warnings"]) == (True, ["assigned_skill_not_known"])
    assert ask("validate_character", character=LEGAL)["warnings"] == []


def test_a_ninpo_for_jonin_needs_the_rank(monkeypatch: pytest.MonkeyPatch) -> None:
    """SG-B11: nothing in the starter catalogue is restricted, so one entry is made so here."""
    restricted = {
        **catalogue(),
        "pg_two_breath_cut": msgspec.structs.replace(catalogue()["pg_two_breath_cut"], min_rank="jonin"),
    }
    monkeypatch.setattr(creation, "catalogue", lambda: restricted)
    assert ask("validate_character", character=LEGAL)["errors"] == ["ninpo_rank_restricted"]


def test_two_ohgi_of_one_type_are_separate() -> None:
    """SG-B15, SG-Z10."""
    sheet = Character(id="a", ohgi=("critical_hit", Ohgi(id="two", type="critical_hit")))
    assert [(one.id, one.type) for one in sheet.own_ohgi] == [("critical_hit", "critical_hit"), ("two", "critical_hit")]


@pytest.mark.parametrize("clan", CLANS)
@pytest.mark.parametrize("rank", [row.id for row in RANKS.rows])
def test_every_clan_can_build_every_rank(clan: str, rank: str) -> None:
    """SG-N40, SG-T06, SG-Z09, SG-Z56: the catalogue suffices."""
    allowed = RANKS[rank].facts
    own = COLUMNS[CATEGORIES.index(specialised_category(clan))]
    clans = [one for one in catalogue().values() if one.clan == clan]
    general = [one for one in catalogue().values() if one.origin == "general" and one.id != "close_combat_attack"]
    chosen = [*islice(clans, 1), *general][: allowed["ninpo"]]
    learned = [Learned("close_combat_attack", own[0])]
    for one in chosen:
        open_skill = one.assigned_skill is not None and one.assigned_skill.fixed is None
        learned.append(Learned(one.id, own[0] if open_skill else None))
    sheet = Character(
        id="a", clan=clan, rank=rank, skills=own[: allowed["skills"]], ninpo=tuple(learned),
        ohgi=tuple(Ohgi(f"o{n}", "Name", "area_attack", own[0]) for n in range(allowed["ohgi"])),
        gear=Map({"soma_pill": 2}),
    )  # fmt: skip
    assert errors_of(sheet) == ()


@pytest.mark.parametrize(
    ("backgrounds", "merit"),
    [
        ([], 0),
        (["cold_hearted"], 3),
        (["safehouse", "code_of_chivalry"], 0),
        (["illicit_love", "fugitive", "traitor"], 2),
    ],
)
def test_starting_merit(backgrounds: list[str], merit: int) -> None:
    """SG-B17, SG-Z08, SG-B31..B42."""
    assert ask("starting_merit", backgrounds=backgrounds) == {"merit": merit}
    assert ask("starting_merit", backgrounds=backgrounds, switches={"backgrounds": False}) == {"merit": 0}  # SG-U03


def test_starting_merit_is_never_negative() -> None:
    assert refused("query", "starting_merit", backgrounds=["kizuna", "fugitive"]) == "virtues_exceed_flaws"
    assert refused("query", "starting_merit", backgrounds=["lucky"]) == "background_unknown"


def test_life_points_of_a_sheet() -> None:
    """SG-B08, SG-B12, SG-H08, SG-S13."""
    fresh = Character(id="a", ninpo=("pg_iron_constitution",))
    assert (fresh.lp, fresh.extra_slots, fresh.knocked_out) == (8, 2, False)
    hurt = fresh.with_extra_lost(1).with_lost(("stealth",))
    assert (hurt.lp, hurt.extra_slots, hurt.extra_lost) == (6, 2, 1)
    assert Character(id="e", kind="enemy", lp_slots=2, slots_lost=2).knocked_out


def test_sealing_extra_life_points_takes_the_unmarked() -> None:
    """SG-H26: marked ones stay marked, and all return with the ninpo."""
    sheet = Character(id="a", ninpo=("pg_iron_constitution",)).with_extra_lost(1)
    sealed = msgspec.structs.replace(sheet, ailments=(Ailment("cursed", "pg_iron_constitution"),))
    assert (sealed.extra_slots, sealed.extra_lost) == (1, 1)
    assert msgspec.structs.replace(sealed.with_extra_lost(0), ailments=()).extra_slots == 2


def test_the_catalogue_speaks_the_closed_vocabulary() -> None:
    """Section 9.2, SG-N01, SG-N02, SG-N21, SG-N31, SG-N34."""
    words = read_toml("systems.shinobigami", "data/ninpo_vocabulary.toml")
    for one in catalogue().values():
        assert one.timing in words["timings"] and {effect.op for effect in one.effects} <= {*words["effects"]}
        assert bool(one.damage) == (one.type == "attack") and (one.timing == "passive") == (one.type == "equip")
    assert [entry.kind for entry in catalogue()["domineer"].damage] == ["mob", "ranged"]
    assert (catalogue()["close_combat_attack"].cost, catalogue()["close_combat_attack"].range) == (0, 1)


def test_equip_ninpo_use_conditions_that_are_read() -> None:
    """SG-N01: a condition on an Equip ninpo that nothing looks at would always hold."""
    read = {"category_lost", "attack_kind", "knows", "phase"}
    for one in catalogue().values():
        if one.type == "equip":
            unset = Condition()
            used = {
                name
                for c in one.when
                for name in Condition.__struct_fields__
                if getattr(c, name) != getattr(unset, name)
            }
            assert used <= read, one.id
    late = Character(id="a", ninpo=("emperors_wrath",))
    assert passive(late, "check_mod", "self", Situation(applies_to="attack")) == 0
