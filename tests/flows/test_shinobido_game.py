"""A whole mission of Shinobido: every event of section 15 occurs, and the log alone leads to the same state.

Mission (SD-T01, SD-T02, SD-T07, SD-T08), checks with the Narrator's penalty and award (SD-T03, SD-N05, SD-M10), a fight
with an ambush (SD-T04, SD-C02), turns (SD-C05, SD-T06), finishing (SD-C25), downtime and advancement (SD-G06).
"""

from __future__ import annotations

from systems.core.game import Event
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
from systems.shinobido.fights import Contest, EndCombat, Hazard, LateArrival, StartCombat
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
from tests.shinobido.at_the_table import AKI, BEN, SYSTEM, Session

GOOD, EVEN, BAD = [6, 6, 1, 1], [3, 3, 3, 3], [1, 1, 6, 6]
FAIR, MIDDLE = [5, 5, 4, 3], [4, 4, 3, 3]
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
    """Aki, Ben, the captain, the guard, in this order."""
    sides = Map({"squad": ("aki", "ben"), "shadow": ("captain", "guard")})
    table.says(StartCombat(sides), GM, MIDDLE, BAD, GOOD, FAIR)
    assert table.game.fight and table.game.fight.order == ("aki", "ben", "captain", "guard")


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
    table.says(RollDice(), AKI, EVEN, patient=True)
    table.answers(UseReroll("red1"), AKI, [2])
    table.refuses(WithdrawAction(), "action_locked", AKI)
    table.refuses(SetPenalty(1), "penalty_locked")
    table.refuses(AwardDescription(1), "award_locked")
    assert (table.game.result, table.game.cast["aki"].merit) == (2, 1), "1 + 2 + 3 + 1 + 1 - 2 = 6"
    table.says(SecretCheck("guard", "wits"), GM, GOOD)
    table.says(Reveal(check="1"))
    table.says(Reveal(character="captain", fields=("agility",), to=("s1",)))
    for option, value in (("auto_penalty_zero", True), ("focus_effects", True), ("lethality", "gritty")):
        table.says(SetOption(option, value))
    table.says(LongTask("cipher", 4, "intellect"))
    table.says(LongTask("cipher", actor="ben"), BEN, GOOD)
    table.says(Contest("ben", "guard", "wits", "wits"), GM, GOOD, EVEN)
    table.says(OpposedCheck("captain", "charisma", "wits", "ben"), BEN, BAD)
    table.says(Check("intellect", "ben"), BEN, BAD)
    table.refuses(Attack("aki", "guard"), "no_combat", AKI)


def the_fight(table: Session) -> None:
    table.refuses(StartCombat(Map({"squad": ("aki",)})), "bad_sides")
    sides = Map({"shadow": ("guard",), "squad": ("aki", "ben")})
    table.says(StartCombat(sides, "shadow"), GM, BAD, GOOD, BAD, GOOD, EVEN)
    assert table.game.fight and table.game.fight.order == ("aki", "ben", "guard")
    assert table.game.fight.turn == "ben", "Aki was surprised"
    table.refuses(EndScene(), "in_combat")
    table.refuses(Guard(), "not_your_turn", AKI)
    table.says(LateArrival("captain", "shadow"), GM, BAD)
    table.says(GatherFocus(), BEN) if table.game.cast["ben"].pool < 5 else table.says(Guard(), BEN)
    table.says(PassTurn("guard"))
    table.says(FocusAttack("aki", "captain", POISON, 2, "hinder"), AKI, GOOD, BAD)
    assert table.game.cast["captain"].hindrance
    table.says(Assist("aki"), BEN)
    table.says(ShakeOffHindrance("captain"), GM, GOOD)
    table.says(Guard("guard"))
    table.says(Attack("aki", "captain"), AKI, GOOD, EVEN)
    table.says(FirstAid("captain", "ben"), BEN, GOOD)
    table.says(EndTurn())
    falling(table)


def set_to(table: Session, who: str, field: str, value: object, secret: bool = False) -> None:
    table.says(GmSet(f"cast.{who}.{field}", value, "the story wants it", secret))


def falling(table: Session) -> None:
    """The Last Stand, dying, the end of a turn by a hazard, and of a life."""
    table.says(PassTurn("guard"))
    set_to(table, "aki", "wounds", 4)
    table.says(HeroicSurge(), AKI, GOOD)
    table.says(GatherFocus(), AKI)
    set_to(table, "ben", "wounds", 4)
    table.says(Hazard("ben", 3), GM, BAD)
    assert table.topic == "surge_offer" and table.seen.cast["ben"].status == "going_down"
    table.answers(Decide("use"), BEN, GOOD)
    assert table.game.cast["ben"].status == "standing"
    table.says(Hazard("ben", 8), GM, BAD)
    assert table.game.cast["ben"].status == "dying", "overkill at a gritty table; Ben's turn is over"
    table.says(PassTurn("captain"))
    table.says(PassTurn("guard"), GM, GOOD)
    assert table.game.cast["ben"].status == "down", "stable at the end of the round"
    table.says(PassTurn(), AKI)
    table.says(PassTurn("captain"))
    table.says(Finish("ben", "guard"))
    assert table.topic == "death_consent"
    table.answers(Decide("refuse"), BEN)
    assert table.game.cast["ben"].status == "captured"
    set_to(table, "guard", "wounds", 1)
    table.says(Finish("guard"), AKI)
    assert table.game.cast["guard"].status == "dead"
    table.says(Yield("captain"))
    assert table.game.fight is None, "nobody of the shadow is left"


def afterwards(table: Session) -> None:
    set_to(table, "ben", "status", "standing", secret=True)
    set_to(table, "captain", "status", "standing")
    sides = Map({"squad": ("aki", "ben"), "shadow": ("captain",)})
    table.says(StartCombat(sides), GM, GOOD)
    table.says(Flee(), AKI, GOOD)
    assert table.game.cast["aki"].status == "fled"
    table.says(EndCombat())
    set_to(table, "ben", "wounds", 4)
    set_to(table, "ben", "surges_used", 1)
    table.says(Hazard("ben", 8), GM, BAD)
    table.says(DyingCheck("ben"), GM, GOOD)
    table.says(EndScene())
    assert (table.game.cast["ben"].status, table.game.cast["ben"].wounds) == ("standing", 4)
    table.says(Rest("ben"))
    table.says(EndMission("success"))
    ben = table.game.cast["ben"]
    assert (ben.wounds, ben.merit) == (0, 3)
    table.says(Advance(Buy(attribute="intellect"), "aki"), GM) if table.game.cast["aki"].merit >= 6 else None
    table.refuses(Advance(Buy(attribute="agility")), "merit_insufficient", BEN)
    table.says(Advance(Buy(art=Art(name="Palm", domain="physical"))), BEN)
    assert table.game.cast["ben"].merit == 0
