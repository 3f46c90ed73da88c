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
from tests.shinobido.at_the_table import AKI, BEN, SYSTEM, WATCHER, Session

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
    set_to(table, "ben", "wounds", 2)
    set_to(table, "ben", "status", "standing", secret=True)
    set_to(table, "captain", "status", "standing")
    sides = Map({"squad": ("aki", "ben"), "shadow": ("captain",)})
    table.says(StartCombat(sides), GM, EVEN, GOOD)
    table.says(Flee(), AKI, GOOD)
    assert table.game.cast["aki"].status == "fled"
    table.says(EndCombat())
    set_to(table, "ben", "wounds", 4)
    set_to(table, "ben", "surges_used", 1)
    table.says(Hazard("ben", 1), GM, EVEN)
    assert table.game.cast["ben"].status == "down", "no Surge is left"
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


def test_every_end_of_an_open_step_is_silence_as_the_table_of_decisions_says() -> None:
    """SD-T10: reroll no, Surge use, death consent refuse; an award after the roll is 0 (SD-G02)."""
    table = squad(award_timing="after_roll", auto_penalty_zero=True)
    table.says(Check("agility", "ben"), BEN, EVEN)
    assert table.topic == "award_offer"
    table.refuses_answer(AwardDescription(4), "award_out_of_range")
    table.refuses_answer(AwardDescription(3), "not_asked", BEN)
    table.answers(AwardDescription(2))
    assert table.game.result == 2 and table.game.cast["ben"].pool == 5


def test_an_override_keeps_the_invariants() -> None:
    """SD-N06, SD-D06: nothing above its maximum; lowered ratings cut what hangs on them, without a Surge offer."""
    table = fighting()
    table.refuses(GmSet("cast.aki.wounds", 9, "too many"), "invariant_violated")
    table.refuses(GmSet("cast.aki.attributes.wits", 6, "too clever"), "invariant_violated")
    table.refuses(GmSet("cast.aki.wounds", 1, "a whim"), "not_narrator", AKI)
    set_to(table, "aki", "wounds", 4)
    table.says(GmSet("cast.aki.health_override", None, "nothing"))
    table.says(GmSet("cast.aki.attributes.strength", 0, "cursed"))
    assert (table.game.cast["aki"].wounds, table.game.cast["aki"].status) == (4, "down")
    assert table.replayed() == table.game


def test_hidden_acts_leave_no_trace() -> None:
    """SD-P05, SD-P09: a secret check and a secret override change nothing that others see."""
    for act in (SecretCheck("captain", "wits"), GmSet("cast.captain.focus", 1, "tired", secret=True)):
        table = fighting()
        before = [table.looks(seat) for seat in (AKI, BEN, WATCHER)]
        table.says(act, GM, GOOD)
        assert [table.looks(seat) for seat in (AKI, BEN, WATCHER)] == before
        assert table.looks(GM) != before[0]


def test_players_see_bands_until_the_narrator_reveals() -> None:
    """SD-P04, SD-P05, SD-P06, SD-P13: one case for each hidden value, one when it is known."""
    table = fighting()
    seen = SYSTEM.view(table.game, AKI).characters["captain"]
    assert (seen.sheet, seen.wound_band, seen.name) == (None, "unhurt", "captain")
    assert SYSTEM.view(table.game, AKI).characters["ben"].sheet
    cases = tuple(SYSTEM.imagine(SYSTEM.view(table.game, AKI), Attack("aki", "captain")))
    assert [one.given["defense"] for one in cases] == list(range(-3, 6))
    table.says(Reveal("captain", ("defense",), to=("s1",)))
    assert SYSTEM.view(table.game, AKI).characters["captain"].revealed["defense"] == 2
    assert not SYSTEM.view(table.game, BEN).characters["captain"].revealed
    (case,) = SYSTEM.imagine(SYSTEM.view(table.game, AKI), Attack("aki", "captain"))
    assert case.game.cast["captain"].defense == 2


def test_the_parts_of_a_roll_stand_one_by_one_in_the_log() -> None:
    """SD-P12, SD-P07: the Narrator sees the total, the player the own parts but neither Defense nor total."""
    table = fighting()
    table.says(Attack("aki", "captain"), AKI, GOOD)
    rolls = [one for one in table.events if isinstance(one, told.RollResolved) and one.kind == "attack"]
    assert (rolls[0].net, rolls[0].total) == (10, 10)
    assert {part.what: part.value for part in rolls[0].parts} == {"rating": 2, "opposing_value": -2}
    masked = rolls[0].seen_by(AKI)
    assert isinstance(masked, told.RollResolved) and masked.total is None
    assert [part.what for part in masked.parts] == ["rating"]
    assert isinstance(rolls[0], Record)
    hidden = [one for one in table.events if isinstance(one, told.RollResolved) and one.hidden]
    assert hidden and not any(one.seen_by(AKI) for one in hidden)


def test_penalties_and_their_reasons() -> None:
    """SD-N02, SD-N05, SD-P08, SD-M10, SD-X11."""
    table = squad(open_penalty=False)
    table.says(Check("agility", "aki"), AKI)
    table.refuses(SetPenalty(16), "penalty_out_of_range")
    table.refuses(SetPenalty(1), "not_narrator", AKI)
    table.says(SetPenalty((PenaltyPart(value=2, reason="darkness"),), True))
    view = SYSTEM.view(table.game, AKI).action
    assert view and view.penalty is None
    table.says(RollDice(), AKI)
    view = SYSTEM.view(table.game, AKI).action
    assert view and view.penalty == (PenaltyPart(value=2),)
    assert SYSTEM.view(table.game, GM).action.penalty[0].reason == "darkness"
    (roll,) = (one for one in table.events if isinstance(one, told.RollResolved))
    masked = roll.seen_by(AKI)
    assert isinstance(masked, told.RollResolved) and not any(part.name for part in masked.parts if part.value == -2)


def test_a_failed_check_makes_the_next_try_harder() -> None:
    """SD-R14, SD-X12: until the scene ends."""
    table = squad(auto_penalty_zero=True)
    table.says(StartMission())
    table.says(StartScene())
    for _ in range(2):
        table.says(Check("wits", "ben"), BEN, BAD)
    last = [one for one in table.events if isinstance(one, told.RollResolved)][-1]
    assert [part.value for part in last.parts if part.what == "retry"] == [-2]
    table.says(EndScene())
    assert not table.game.story.failures


def test_two_who_are_apart_reach_each_other_only_from_afar() -> None:
    """SD-K03."""
    table = fighting()
    table.says(GmSet("story.apart", [["aki", "captain"]], "the bridge is down"))
    table.refuses(Attack("aki", "captain"), "out_of_reach", AKI)
    table.says(Attack("aki", "captain", tags=("ranged",)), AKI, GOOD)


def test_sides_may_roll_as_one() -> None:
    """SD-C33, SD-X05: the sides act as blocks."""
    table = squad(initiative="side", auto_penalty_zero=True)
    table.says(StartCombat(Map({"squad": ("ben", "aki"), "shadow": ("captain", "guard")})), GM, BAD, GOOD)
    assert table.game.fight and table.game.fight.order == ("ben", "aki", "captain", "guard")


def test_gang_up_counts_who_struck_before() -> None:
    """SD-C27, SD-X06."""
    table = fighting(gang_up=True)
    table.says(Attack("aki", "captain"), AKI, BAD)
    table.says(Attack("ben", "captain"), BEN, BAD)
    last = [one for one in table.events if isinstance(one, told.RollResolved) and one.who == "ben"][-1]
    assert [part.value for part in last.parts if part.what == "gang_up"] == [1]


def test_purchases_between_missions() -> None:
    """SD-A08, SD-G06 to SD-G11, SD-D03: costs, caps, single steps."""
    table = squad()
    set_to(table, "aki", "merit", 40)
    for buy, code in (
        (Buy(attribute="wits", to=1), "negative_after_creation"),
        (Buy(attribute="wits", to=5), "not_one_step"),
        (Buy(edge="foxs_luck"), "edge_duplicate"),
        (Buy(edge="wings"), "unknown_edge"),
        (Buy(specialty="stealth", attribute="agility", to=2), "not_one_step"),
    ):
        table.refuses(Advance(buy), code, AKI)
    for buy, left in ((Buy(attribute="wits"), 31), (Buy(edge="grit"), 26), (Buy(art=POISON), 23)):
        table.says(Advance(buy), AKI)
        assert table.game.cast["aki"].merit == left
    for left in (21, 17, 11):
        table.says(Advance(Buy(specialty="stealth", attribute="agility", tags=("stealth",))), AKI)
        assert table.game.cast["aki"].merit == left
    table.refuses(Advance(Buy(specialty="stealth")), "specialty_at_maximum", AKI)
    table.says(StartMission())
    table.refuses(Advance(Buy(edge="grit")), "not_between_missions", AKI)
