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


def chosen() -> dict[str, dict[str, Any]]:
    """For each name the shortest of its worked cases that the service answers."""
    client = create_app(Settings(rate=0)).test_client()
    found: dict[str, dict[str, Any]] = {}
    for path in sorted((cases.HERE / "data").glob("*.vectors.json")):
        for case in sorted(cases.read(path), key=lambda case: len(json.dumps(case["given"]))):
            system = cases.system_of(case)
            known = found.setdefault(system, {})
            try:
                call = cases.called(case)
            except cases.Unsupported:
                continue
            name, body = f"{call.kind}/{call.name}", {"params": call.params}
            if call.kind == "check":
                body |= {"faces": case.get("dice", [])}
            if name not in known and client.post(path_of(system, call.kind, call.name), json=body).status_code == 200:
                known[name] = body
    return {system: dict(sorted(names.items())) for system, names in sorted(found.items())}


if __name__ == "__main__":
    WHERE.write_text(json.dumps(chosen(), ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
