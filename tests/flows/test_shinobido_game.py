"""A whole mission of Shinobido: every event of section 15 occurs, and the log alone leads to the same state.

Mission (SD-T01, SD-T02, SD-T07, SD-T08), checks with the Narrator's penalty and award (SD-T03, SD-N05, SD-M10), a fight
with an ambush (SD-T04, SD-C02), turns (SD-C05, SD-T06), finishing (SD-C25), downtime and advancement (SD-G06).
"""

from __future__ import annotations

from systems.core.game import Event, Record
from systems.core.seats import GM
from systems.core.values import Map
from systems.shinobido import events as told
from systems.shinobido import fight_events, happenings
from systems.shinobido.advancement import Advance, Buy
from systems.shinobido.answers import Decide, UseReroll
from systems.shinobido.commands import Attack, Check, FirstAid, Flee, FocusAttack, OpposedCheck
from systems.shinobido.creation import NewCharacter
from systems.shinobido.declaring import RollDice, SetPenalty, WithdrawAction
from systems.shinobido.entering import CreateCharacter
from systems.shinobido.fights import Contest, Hazard, LateArrival, StartCombat
from systems.shinobido.missions import EndMission, EndScene, LongTask, Rest, StartMission, StartScene
from systems.shinobido.narrator import GmSet, Reveal, SecretCheck, SetOption
from systems.shinobido.parts import PenaltyPart
from systems.shinobido.rolling import AwardDescription
from systems.shinobido.sheet import Art
from systems.shinobido.turns_taken import (
    Assist,
    DyingCheck,
    EndTurn,
    Finish,
    GatherFocus,
    Guard,
    HeroicSurge,
    PassTurn,
    ShakeOffHindrance,
    Yield,
)
from tests.shinobido.at_the_table import AKI, BEN, SYSTEM, WATCHER, Session

GOOD, EVEN, BAD = [6, 6, 1, 1], [3, 3, 3, 3], [1, 1, 6, 6]
POISON = Art(name="Web of Doubt", domain="mental")


def pc(id: str, **ratings: int) -> CreateCharacter:
    full = {"intellect": 1, "wits": 2, "strength": 2, "agility": 2, "tenacity": 1, "charisma": 1} | ratings
    edges = ("foxs_luck",) if id == "aki" else ()
    return CreateCharacter(NewCharacter(id=id, name=id, attributes=Map(full), edges=edges, arts=(POISON,)))


def squad(**switches: object) -> Session:
    table = Session(**switches)
    table.says(pc("aki"), AKI)
    table.says(pc("ben"), BEN)
    table.says(CreateCharacter(template="captain"))
    table.says(CreateCharacter(template="guard"))
    return table


def fighting(**switches: object) -> Session:
    """Aki's turn, then Ben, the captain and the guard; no reroll is offered by anyone but Aki and the hidden."""
    table = squad(auto_penalty_zero=True, **switches)
    table.says(StartMission())
    table.says(StartScene("the bridge"))
    opened(table)
    return table


def opened(table: Session) -> None:
    sides = Map({"squad": ("aki", "ben"), "shadow": ("captain", "guard")})
    table.says(StartCombat(sides), faces=[6, 6, 1, 1])
    keep(table, [5, 5, 2, 2], [3, 3, 3, 3], [2, 2, 4, 4])


def keep(table: Session, *throws: list[int]) -> None:
    """Every reroll offered is declined; `throws` are what falls in between."""
    left = list(throws)
    while table.topic == "reroll_offer":
        table.answers(Decide("no"), GM, left.pop(0) if left else [])
    assert not left, left


def plays(table: Session, message: object, seat: object, *throws: list[int]) -> None:
    table.says(message, seat, throws[0] if throws else [])  # type: ignore[arg-type]
    keep(table, *throws[1:])


def test_a_whole_mission() -> None:
    """SD-P12: the log with its dice gives the same state, and no event of section 15 is missing."""
    table = squad()
    before_the_fight(table)
    the_fight(table)
    afterwards(table)
    assert table.replayed() == table.game
    happened = {type(one) for one in table.events}
    known = {
        one
        for module in (told, happenings, fight_events)
        for one in vars(module).values()
        if isinstance(one, type) and issubclass(one, Event) and one.__module__ == module.__name__ and _concrete(one)
    }
    assert not sorted(one.__name__ for one in known - happened)
    listed = {row.id for row in SYSTEM.calls.tables["events"].rows} - {"DiceRolled"}
    assert listed <= {one.stable_id() for one in known}


def _concrete(one: type[Event]) -> bool:
    return isinstance(getattr(one, "__struct_config__", None) and one.__struct_config__.tag, str)  # type: ignore[attr-defined]


def before_the_fight(table: Session) -> None:
    table.refuses(StartMission(), "not_narrator", AKI)
    table.says(StartMission())
    table.says(StartScene("the wall"))
    table.says(Check("agility", "aki", tags=("climb",)), AKI)
    table.refuses(RollDice(), "decision_pending", AKI)
    table.refuses(Check("wits", "ben"), "decision_pending", BEN)
    table.says(WithdrawAction(), AKI)
    table.says(Check("agility", "aki", concentrate=1), AKI)
    table.says(Assist("aki", "ben"), BEN)
    table.says(SetPenalty((PenaltyPart(value=2, reason="darkness"),), True))
    table.says(Reveal(penalty="aki"))
    table.says(AwardDescription(3))
    table.says(RollDice(), AKI, EVEN)
    table.answers(UseReroll("red1"), AKI, [2])
    table.refuses(WithdrawAction(), "action_locked", AKI)
    table.refuses(SetPenalty(1), "penalty_locked")
    table.refuses(AwardDescription(1), "award_locked")
    assert (table.game.result, table.game.cast["aki"].merit) == (3, 1)  # 1 + 2 + 3 + 1 + 1 - 2 = 6: degree 2? see below
    table.says(SecretCheck("guard", "wits"), GM, GOOD)
    table.says(Reveal(check="1"))
    table.says(Reveal(character="captain", fields=("agility",), to=("s1",)))
    table.says(SetOption("auto_penalty_zero", True))
    table.says(SetOption("focus_effects", True))
    table.says(SetOption("lethality", "gritty"))
    table.says(LongTask("cipher", 4, "intellect"))
    table.says(LongTask("cipher", actor="ben"), BEN, GOOD)
    plays(table, Contest("ben", "guard", "wits", "wits"), GM, GOOD, EVEN)
    table.says(OpposedCheck("captain", "charisma", "wits", "ben"), BEN, BAD)


def the_fight(table: Session) -> None:
    sides = Map({"shadow": ("guard",), "squad": ("aki", "ben")})
    table.refuses(StartCombat(Map({"squad": ("aki",)})), "bad_sides")
    # the guard lies in wait; Aki is surprised; then initiative of the guard, Aki, Ben
    plays(table, StartCombat(sides, "shadow"), GM, BAD, GOOD, BAD, EVEN, GOOD)
    assert (table.game.fight and table.game.fight.turn, table.game.cast["aki"].surprised) == ("ben", True)
    table.refuses(EndScene(), "in_combat")
    plays(table, LateArrival("captain", "shadow"), GM, BAD)
    table.says(GatherFocusOrGuard(table), BEN)
    assert not table.game.cast["aki"].surprised
