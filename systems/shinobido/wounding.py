"""What a blow does: the roll to withstand it, wounds, and the Last Stand of one who drops (sections 7, 9 and 10)."""

from __future__ import annotations

from functools import lru_cache

from msgspec import Struct

from systems.core.game import Step
from systems.core.play import Play
from systems.core.text import Term
from systems.shinobido.answers import chosen, surge_offer
from systems.shinobido.events import (
    CharacterDown,
    CharacterDying,
    CharacterStood,
    DecisionAnswered,
    DecisionOffered,
    HindranceSet,
    ResultKept,
    SurgeResolved,
    WoundsTaken,
)
from systems.shinobido.parts import Occasion, own, traits, wounded
from systems.shinobido.rolling import roll
from systems.shinobido.rolls import Part, Roll
from systems.shinobido.sheet import Sheet
from systems.shinobido.state import Scene
from systems.shinobido.switches import Switches

DYING_FROM = 3  # overkill at a gritty table (SD-W14)


class Damage(Struct, frozen=True, cache_hash=True):
    """What must be withstood: by Toughness, or by the attribute that resists an art, which may hinder instead."""

    rating: int
    resist: str = ""
    domain: str = ""
    hinders: bool = False


class Withstand(Step, Struct, frozen=True, cache_hash=True, tag="withstand"):
    """Toughness or resist; what it fails by becomes wounds or a hindrance (SD-C15, SD-C16, SD-C17, SD-F08, SD-F11)."""

    who: str
    damage: Damage
    by: str = ""

    def run(self, play: Play[Scene]) -> None:
        scene = play.game
        kind, parts = withstanding(scene.cast[self.who], self.damage, scene.switches)
        failed_by = roll(play, self.who, Roll(kind, parts, "wounds"), concealed=self.by in scene.hidden)
        hidden = self.who in scene.hidden
        if not failed_by:
            play.emit(ResultKept(self.who, kind, 1))
        elif self.damage.hinders:
            play.emit(HindranceSet(self.who, failed_by, self.damage.resist, hidden))
        else:
            wound(play, self.who, failed_by)


class LastStand(Step, Struct, frozen=True, cache_hash=True, tag="last_stand"):
    """The offer to one who is going down, before anything else happens (SD-H02, SD-H03, SD-W07)."""

    who: str
    overkill: int

    def run(self, play: Play[Scene]) -> None:
        answer = chosen(play.ask(surge_offer(self.who)))
        play.emit(DecisionAnswered(self.who, "surge_offer", answer, self.who in play.game.hidden))
        if answer == "use":
            play.then(Surge(self.who, self.overkill))
        else:
            drop(play, self.who, self.overkill)


class Surge(Step, Struct, frozen=True, cache_hash=True, tag="surge"):
    """The Last Stand's roll, with the wound penalty at full Health (SD-H03, SD-H04)."""

    who: str
    overkill: int

    def run(self, play: Play[Scene]) -> None:
        sheet = play.game.cast[self.who]
        success = roll(play, self.who, surge_roll(sheet, "last_stand", play.game.switches)) > 0
        play.emit(SurgeResolved(self.who, "last_stand", success))
        if success:
            play.emit(CharacterStood(self.who))
        else:
            drop(play, self.who, self.overkill)


@lru_cache(maxsize=512)
def withstanding(sheet: Sheet, damage: Damage, switches: Switches) -> tuple[str, tuple[Part, ...]]:
    """Kind and parts of the roll against damage; the wounds before this blow count (SD-C15, SD-F08, SD-J38)."""
    if damage.resist:
        occasion = Occasion("resist", damage.resist, domain=damage.domain)
        rolled = own(sheet, occasion, switches)
    else:
        occasion = Occasion("toughness", sheet.toughness_from)
        toughness = Part("rating", sheet.toughness, "SD-D01", Term("general", "toughness"))
        rolled = (toughness, *traits(sheet, occasion, switches))
    hurting = Part("damage_rating", -damage.rating, "SD-F08" if damage.resist else "SD-C15")
    return occasion.kind, (*rolled, hurting, *wounded(sheet, switches))


def wound(play: Play[Scene], who: str, wounds: int) -> None:
    """Wounds are marked; at Health the character drops (SD-W01, SD-W05, SD-W16, SD-J04)."""
    before = play.game.cast[who]
    overkill = max(0, before.wounds + wounds - before.health)
    play.emit(WoundsTaken(who, wounds, overkill, who in play.game.hidden))
    if before.wounds + wounds < before.health:
        return
    if before.wounds >= before.health and before.status != "standing":
        worsen(play, who, overkill)
    elif before.surges_left:
        play.emit(DecisionOffered(who, "surge_offer", who in play.game.hidden))
        play.then(LastStand(who, overkill))
    else:
        drop(play, who, overkill)


def worsen(play: Play[Scene], who: str, overkill: int) -> None:
    """A hazard on one who has full wounds already: no Surge; it can only make the Down dying (SD-C28)."""
    if play.game.cast[who].status == "down" and dies_slowly(overkill, play.game.switches):
        play.emit(CharacterDying(who, overkill))


def drop(play: Play[Scene], who: str, overkill: int) -> None:
    """Down, or dying after three wounds too many at a gritty table (SD-W05, SD-W13, SD-W14, SD-X04)."""
    down = not dies_slowly(overkill, play.game.switches)
    play.emit(CharacterDown(who) if down else CharacterDying(who, overkill))


def dies_slowly(overkill: int, switches: Switches) -> bool:
    return switches.lethality == "gritty" and overkill >= DYING_FROM


@lru_cache(maxsize=512)
def surge_roll(sheet: Sheet, mode: str, switches: Switches) -> Roll:
    """Tenacity and traits less the wound penalty, in a Last Stand that at full Health (SD-H01, SD-H03, SD-J21)."""
    wounds = sheet.health if mode == "last_stand" else sheet.wounds
    return Roll("surge", (*own(sheet, Occasion("surge", "tenacity"), switches), *wounded(sheet, switches, wounds)))
