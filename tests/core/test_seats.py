"""Every character has somebody who answers for it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from systems.core.seats import GM, Role, Seat
from systems.core.table import Chair, SeatLeft, Table
from systems.core.values import Map


def table(seats: dict[str, Role], cast: dict[str, str]) -> Table:
    return Table("", Map({id: Chair(id, role) for id, role in seats.items()}), Map(cast))


SEATS: dict[str, Role] = {"g": "gm", "s1": "player", "s2": "player"}
TABLE = table(SEATS, {"a": "s1", "b": "s2", "c": "s2", "npc": "g"})


def test_a_leaving_seats_characters_pass_to_the_gm() -> None:
    assert TABLE.seat("s2").characters == ("b", "c") and TABLE.seat("g").characters == ("npc",)
    left = SeatLeft("s2").applied(TABLE)
    assert left.seat("g").characters == ("b", "c", "npc")
    assert left.seat("s2") == Seat("s2", "spectator")
    assert left.seat("s1") == TABLE.seat("s1"), "the others keep theirs"


@given(st.dictionaries(st.sampled_from("abcdef"), st.sampled_from(["g", "s1", "s2", "gone"])), st.sampled_from("g12"))
def test_every_character_is_played_by_one_seat(cast: dict[str, str], leaving: str) -> None:
    left = SeatLeft(f"s{leaving}").applied(table(SEATS, cast))
    played = [character for seat in left.seats for character in left.seat(seat).characters]
    assert sorted(played) == sorted(cast)


def test_who_speaks_for_whom() -> None:
    player, watcher = TABLE.seat("s1"), Seat("w", "spectator")
    assert player.plays("a") and player.speaks_for("a") and not player.speaks_for("b")
    assert GM.speaks_for("a") and not GM.plays("a")
    assert not watcher.speaks_for("a") and not TABLE.seat("stranger").speaks_for("a")


def test_without_a_gm_seat_the_gm_still_has_an_id() -> None:
    assert table({"s1": "player"}, {"npc": "gone"}).player_of("npc") == GM.id
