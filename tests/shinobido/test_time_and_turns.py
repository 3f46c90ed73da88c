"""Turns, scenes and missions in small: each test a rule or two."""

from __future__ import annotations

from systems.core.seats import GM
from systems.core.values import Map
from systems.shinobido.advancement import Advance, Buy
from systems.shinobido.commands import Attack, Check, FirstAid, Flee, FocusAttack
from systems.shinobido.declaring import RollDice, SetPenalty
from systems.shinobido.events import RollResolved
from systems.shinobido.fights import EndCombat, Hazard, LateArrival, StartCombat
from systems.shinobido.missions import EndMission, EndScene, LongTask, Rest, StartMission, StartScene
from systems.shinobido.narrator import GmSet, SetOption
from systems.shinobido.rolling import AwardDescription
from systems.shinobido.sheet import Art
from systems.shinobido.turns_taken import Assist, EndTurn, GatherFocus, Guard, PassTurn, Yield
from tests.flows.test_shinobido_game import BAD, EVEN, GOOD, fighting, set_to, squad
from tests.shinobido.at_the_table import AKI, BEN, SYSTEM, WATCHER, Session

PALM = Art(name="Web of Doubt", domain="mental")


def rolled(table: Session, who: str) -> RollResolved:
    return [one for one in table.events if isinstance(one, RollResolved) and one.who == who][-1]


def parts(table: Session, who: str) -> dict[str, int]:
    return {part.what: part.value for part in rolled(table, who).parts}


def turn(table: Session) -> tuple[int, str]:
    assert table.game.fight
    return table.game.fight.round, table.game.fight.turn


def test_the_actions_of_a_turn_and_what_needs_a_fight() -> None:
    """SD-C07, SD-C24, SD-F18: outside a fight only `check` and `first_aid` of them; a pass does nothing."""
    peace = squad(auto_penalty_zero=True)
    for message in (
        Attack("aki", "guard"), FocusAttack("aki", "guard", PALM, 1), Guard(), GatherFocus(), Yield(), Flee(),
    ):  # fmt: skip
        peace.refuses(message, "no_combat", AKI)
    peace.says(Check("wits"), AKI)
    war = fighting()
    before = war.game.cast
    war.says(PassTurn(), AKI)
    assert turn(war) == (1, "ben") and war.game.cast == before


def test_spectators_and_others_do_nothing() -> None:
    """SD-P01, SD-P03."""
    table = fighting()
    table.refuses(Guard("aki"), "not_owner", BEN)
    table.refuses(Guard("aki"), "not_owner", WATCHER)
    table.refuses(EndScene(), "not_narrator", WATCHER)
    assert not SYSTEM.offers(table.game, WATCHER)


def test_who_stands_up_behind_its_place_acts_next_round() -> None:
    """SD-C32: Aki goes Down after the own turn; healed, waits for the next round; a check uses the turn (SD-C31)."""
    table = fighting()
    table.says(PassTurn(), AKI)
    set_to(table, "aki", "wounds", 5)
    assert table.game.cast["aki"].status == "down"
    table.says(FirstAid("aki"), BEN, GOOD)
    assert table.game.cast["aki"].status == "standing" and turn(table) == (1, "captain")
    assert parts(table, "ben")["in_combat"] == -2
    table.says(Check("wits", "captain"), GM, BAD)
    table.says(EndTurn())
    assert turn(table) == (2, "aki")


def test_a_latecomer_acts_from_the_next_round() -> None:
    """SD-C06."""
    table = squad(auto_penalty_zero=True)
    table.refuses(LateArrival("guard", "shadow"), "no_combat")
    table.says(StartCombat(Map({"squad": ("aki", "ben"), "shadow": ("captain",)})), GM, BAD, EVEN, BAD)
    table.says(LateArrival("guard", "shadow"), GM, [3, 3, 3, 4])
    assert table.game.fight
    order = table.game.fight.order
    for _ in range(3):
        assert turn(table) != (1, "guard")
        table.says(PassTurn())
    assert turn(table) == (2, order[0])


def test_a_yield_gives_oneself_up() -> None:
    """SD-C23, SD-T11: captured until the Narrator says otherwise."""
    table = fighting()
    table.says(Yield(), AKI)
    assert table.game.cast["aki"].status == "captured"
    table.says(Hazard("ben", 1), GM, GOOD)
    table.says(EndCombat())
    table.says(EndScene())
    assert table.game.cast["aki"].status == "captured"


def test_ways_to_gain_focus() -> None:
    """SD-F02, SD-F16, SD-W10, SD-W11: mission, gathering, scene, night, downtime."""
    table = squad(auto_penalty_zero=True)

    def pool() -> int:
        return table.game.cast["aki"].pool

    set_to(table, "aki", "focus", 0)
    table.says(StartMission())
    assert pool() == 5
    table.says(StartScene())
    set_to(table, "aki", "focus", 0)
    table.says(EndScene())
    assert pool() == 1
    table.says(Rest("aki"))
    assert pool() == 5
    table.refuses(GatherFocus(), "no_combat", AKI)
    set_to(table, "aki", "focus", 0)
    set_to(table, "aki", "wounds", 3)
    table.says(EndMission("failure"))
    assert (pool(), table.game.cast["aki"].wounds, table.game.cast["aki"].merit) == (5, 0, 1)


def test_arts_reach_whom_the_attacker_perceives() -> None:
    """SD-F12, SD-K03."""
    table = fighting()
    table.says(GmSet("story.apart", [["aki", "captain"]], "a gorge"))
    table.says(FocusAttack("aki", "captain", PALM, 1), AKI, BAD)
    assert table.game.cast["aki"].pool == 4


def test_helpers_need_the_rating_outside_a_fight() -> None:
    """SD-M07, SD-K01, SD-K02: the group's one roll is that of its member, helped by those at 1 or more."""
    table = squad()
    set_to(table, "ben", "attributes.charisma", 0)
    for attribute, helped in (("charisma", None), ("wits", 1)):
        table.says(Check(attribute, "aki"), AKI)
        table.says(Assist("aki"), BEN)
        table.says(SetPenalty(0))
        table.says(RollDice(), AKI)
        assert parts(table, "aki").get("assist") == helped


def test_awards_come_before_the_dice_and_merit_is_capped() -> None:
    """SD-J17, SD-G04, SD-J30: two Merit a mission from awards."""
    table = squad()
    for merit in (1, 2, 2):
        table.says(Check("wits", "ben", tags=(str(merit),)), BEN)
        table.says(SetPenalty(0))
        table.says(AwardDescription(3))
        table.says(RollDice(), BEN)
        assert table.game.cast["ben"].merit == merit
    table.refuses(AwardDescription(1), "award_locked")
    table.says(StartMission())
    assert table.game.cast["ben"].merit_from_awards == 0


def test_the_clock_that_fills_first_decides() -> None:
    """SD-L01, SD-X15."""
    table = squad(auto_penalty_zero=True)
    table.refuses(LongTask("cipher", 4, "intellect"), "not_narrator", AKI)
    table.says(LongTask("cipher", 4, "intellect", penalty=1))
    table.says(LongTask("cipher"), BEN, GOOD)
    task = table.game.story.tasks["cipher"]
    assert (task.progress, task.danger) == (4, 0), "10 + 1 - 1 = 10: degree 4"
    table.refuses(LongTask("cipher"), "value_does_not_fit", BEN)
    table.says(LongTask("wall", 8, "strength"))
    for danger in (1, 2, 3, 4):
        table.says(LongTask("wall"), BEN, BAD)
        assert table.game.story.tasks["wall"].danger == danger
    assert "retry" not in parts(table, "ben")
    table.says(SetOption("long_tasks", False))
    table.refuses(LongTask("other", 4, "wits"), "option_disabled")


def test_a_negative_rating_may_be_bought_up() -> None:
    """SD-J31, SD-G10."""
    table = squad()
    set_to(table, "ben", "attributes.charisma", -2)
    set_to(table, "ben", "merit", 3)
    table.says(Advance(Buy(attribute="charisma")), BEN)
    assert table.game.cast["ben"].attributes["charisma"] == -1
