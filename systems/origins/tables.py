"""Throws on tables that are more than one throw of their dice (chapter 1.2)."""

from __future__ import annotations

from typing import Any

from systems.core.calls import NoParams
from systems.core.play import Play
from systems.core.tables import Key
from systems.origins.names import calls


@calls.table_roll("scroll_skill")
def scroll_skill(play: Play[Any], p: NoParams) -> tuple[tuple[str, str], ...]:
    """The skill of a scroll on the standard list: 1d5 for the set, 1d6 inside it (SO-M07)."""
    tens, units = play.check(Key("1d5"), "skill set"), play.check(Key("1d6"), "skill")
    return (("scroll_skill", calls.tables["scroll_skill"].at(10 * tens + units).id),)
