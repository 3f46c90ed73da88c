"""Tables: their rows, and one throw on them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from service.problems import Problem
from service.usecases.answers import new_id, now, rolls_shown
from service.usecases.catalogue import Catalogue
from service.usecases.checks import source_of
from service.usecases.fractions import plain
from service.usecases.refusals import refusing
from systems.core.ask import Question
from systems.core.dice import Dice, ScriptedDice
from systems.core.errors import Unanswered
from systems.core.game import Game, Message
from systems.core.play import DiceChance, Play, Throw
from systems.core.system import System
from systems.core.tables import Row, RowTable
from systems.core.text import Labels

Found = tuple[tuple[str, str], ...]  # (table, row), in the order in which they were thrown


class NobodyAsked:
    """A throw on a table asks nothing."""

    def window(self, play: Play[Any], questions: tuple[Question, ...], veiled: bool) -> tuple[Message, ...]:
        raise Unanswered(questions, veiled)


NOBODY = NobodyAsked()


def rows(catalogue: Catalogue, system: str, table: str, language: str) -> dict[str, Any]:
    """A table with all its rows. Raises `Problem` 404."""
    found, home = catalogue.table(system, table), catalogue.system(system)
    words = home.labels(language)
    return {
        "system": system,
        **summary(home, found, words),
        "rows": [_row(words, table, row) for row in found.rows],
    }


def summary(system: System, table: RowTable, words: Labels) -> dict[str, Any]:
    return {
        "table": table.id,
        "text": words.word("names", "table", table.id),
        "rules": table.rules,
        "dice": table.dice,
        "thrown_on": thrown_on(system, table),
    }


def thrown_on(system: System, table: RowTable) -> bool:
    return table.id in system.calls.table_rolls or any(row.low is not None for row in table.rows)


def _row(words: Labels, table: str, row: Row) -> dict[str, Any]:
    text = words.find("rows", table, row.id) or words.find("terms", table, row.id)
    at = None if row.low is None else row.low if row.low == row.high else [row.low, row.high]
    return {"id": row.id, "at": at, "text": text or row.id, "facts": plain(row.facts)}


def throw(catalogue: Catalogue, system: str, table: str, raw: Any, language: str) -> dict[str, Any]:
    """One throw on a table. Raises `Problem`."""
    known, home = catalogue.table(system, table), catalogue.system(system)
    words = home.labels(language)
    if not thrown_on(home, known):
        raise Problem(422, "not_thrown_on", table=table)
    body = catalogue.table_form(system, table).read(raw)
    dice = source_of(body.faces)
    with refusing(words, language):
        found, throws = _thrown(home, known, body.params, dice)
    return {
        "id": new_id(),
        "system": system,
        "table": table,
        "label": body.label,
        "outcome": {"row": found[0][1] if found else None, "rows": _told(catalogue, system, found, words)},
        "rolls": rolls_shown(throws),
        "at": now(),
    }


def _thrown(system: System, table: RowTable, params: Any, dice: Dice) -> tuple[Found, Sequence[Throw]]:
    chance = DiceChance(dice)
    play: Play[Any] = Play(Game(), chance, NOBODY)
    special = system.calls.table_rolls.get(table.id)
    found: Found = special.function(play, params) if special else ((table.id, table.roll(play).id),)
    if isinstance(dice, ScriptedDice):
        dice.close()
    return found, chance.throws


def _told(catalogue: Catalogue, system: str, found: Found, words: Labels) -> list[dict[str, Any]]:
    return [
        {"table": table, "row": row, **_facts(_row(words, table, catalogue.table(system, table)[row]))}
        for table, row in found
    ]


def _facts(row: dict[str, Any]) -> dict[str, Any]:
    return {"text": row["text"], "facts": row["facts"]}
