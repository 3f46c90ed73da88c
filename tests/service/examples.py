"""Chooses the examples of the OpenAPI document out of the worked cases: `python -m tests.service.examples`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from service.app import create_app
from service.settings import Settings
from service.usecases.catalogue import path_of
from tests.vectors import cases

WHERE = Path(__file__).parents[2] / "service" / "web" / "examples.json"

AKARI = {
    "id": "akari",
    "clan": "kurama",
    "rank": "chunin",
    "skills": ["blade", "hand_to_hand", "speed", "escape", "analysis", "poison"],
}
OWN: dict[str, dict[str, Any]] = {  # for names that no case calls; a case found later takes its place
    "ninja_slayer": {
        "check/resist_check": {"params": {"pool": 4, "difficulty": "HARD"}, "faces": [5, 3, 2, 6]},
        "odds/at_least": {"params": {"pool": 6, "difficulty": "NORMAL", "successes": 3}},
        "odds/reroll": {"params": {"pool": 4, "difficulty": "HARD"}},
        "odds/split_hits": {"params": {"parts": [3, 3], "difficulty": "NORMAL"}},
        "odds/nrs": {"params": {"pool": 4, "difficulty": "NORMAL"}},
    },
    "origins": {"query/restore_chakra": {"params": {"chakra": 2, "amount": 3}}},
    "shinobido": {
        "query/mission_merit": {"params": {"outcome": "partial", "merit": 2}},
        "odds/net": {"params": {"net": 1}},
        "odds/guard_worth": {"params": {"attack_modifier": 2}},
        "odds/pip_worth": {
            "params": {
                "of": "attack",
                "params": {"actor": {"attributes": {"agility": 1}}, "target": {"attributes": {"wits": 1}}},
                "who": "actor",
                "attribute": "agility",
            }
        },
    },
    "shinobigami": {
        "check/recovery_check": {
            "params": {"scene_player": {**AKARI, "ailments": ["malady"]}, "target_number": 6},
            "faces": [3, 4],
        },
        "query/plot_shift": {"params": {"plot": 3, "amount": 2}},
        "odds/break_against_interference": {"params": {"target_number": 6}},
        "odds/best_skill": {
            "params": {"options": [{"id": "blade", "target_number": 6}, {"id": "escape", "target_number": 7}]}
        },
        "odds/fumble_by_plot": {"params": {"plot": 4}},
        "odds/ailment_gone": {"params": {"target_number": 6, "cycles": 3}},
        "odds/close_critical_distribution": {"params": {"lp": 3}},
        "odds/close_category": {"params": {"category": "stealth"}},
        "odds/immortal_body": {"params": {"use": 2}},
        "odds/target_in_range": {"params": {"own_plot": 3, "range": 1, "target_plots": {"2": "1/2", "5": "1/2"}}},
        "odds/information_found": {"params": {"p": ["13/18", "1/2"], "cycles": 2}},
        "odds/extreme_hit": {"params": {"round": 3}},
        "odds/emotion_rows": {"params": {"both": True}},
        "odds/first_strike": {"params": {"own_plots": {"4": "1"}, "target_plots": {"2": "1/2", "5": "1/2"}}},
    },
}


SHEETS: dict[str, dict[str, Any]] = {
    "shinobigami": {"id": "akari", "clan": "kurama", "skills": ["blade", "speed"], "gear": {"soma_pill": 3}},
    "origins": {"name": "Ren", "dots": {"blades": 2, "stealth": 1}, "chakra": 10},
    "ninja_slayer": {"karate": 5, "neuron": 1, "wazamae": 3, "jitsu": 1},
    "shinobido": {"attributes": {"intellect": 1, "wits": 2, "strength": 2, "agility": 2, "tenacity": 1, "charisma": 1}},
}


def chosen() -> dict[str, dict[str, Any]]:
    """For each name the shortest of its worked cases that the service answers."""
    client = create_app(Settings(rate=0)).test_client()
    found: dict[str, dict[str, Any]] = {}
    for path in sorted((cases.HERE / "data").glob("*.vectors.json")):
        for case in sorted(cases.read(path), key=lambda case: len(json.dumps(case["given"]))):
            system = cases.system_of(case)
            known = found.setdefault(system, {"sheet/": {"character": SHEETS[system]}})
            try:
                call = cases.called(case)
            except cases.Unsupported:
                continue
            name, body = f"{call.kind}/{call.name}", {"params": call.params}
            if call.kind == "check":
                body |= {"faces": case.get("dice", [])}
            if name not in known and client.post(path_of(system, call.kind, call.name), json=body).status_code == 200:
                known[name] = body
    return {system: dict(sorted((OWN.get(system, {}) | names).items())) for system, names in sorted(found.items())}


if __name__ == "__main__":
    WHERE.write_text(json.dumps(chosen(), ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
