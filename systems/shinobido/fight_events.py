"""What happens in a fight around its blows: order, turns, rounds, guards, help, the end (section 7)."""

from __future__ import annotations

from msgspec import Struct

from systems.core.game import Event, Public, change
from systems.core.seats import Seat
from systems.core.values import Map
from systems.shinobido.events import pool_with
from systems.shinobido.happenings import used
from systems.shinobido.state import Fight, Scene
from systems.shinobido.turns import in_order
from systems.shinobido.vocabulary import Status


class CombatStarted(Public, Struct, frozen=True, cache_hash=True, tag="CombatStarted"):
    """SD-C01. `ambush`: the side that lies in wait (SD-C02)."""

    sides: Map[str, tuple[str, ...]]
    ambush: str | None

    def applied(self, game: Scene) -> Scene:
        return change(game, fight=Fight(self.sides), open_action=None)


class InitiativeRolled(Event, Struct, frozen=True, cache_hash=True, tag="InitiativeRolled"):
    """A place in the order of the fight (SD-C03, SD-C04, SD-C06); `acts_for`: a side that acts as a block (SD-C33)."""

    who: str
    total: int
    hidden: bool
    side: str = ""
    late: bool = False

    def applied(self, game: Scene) -> Scene:
        fight = game.fight
        if fight is None:
            return game
        totals = fight.totals.put(self.who, self.total)
        late = (*fight.late, self.who) if self.late else fight.late
        sides = fight.sides
        if self.late and self.who not in sides.get(self.side, ()):
            sides = sides.put(self.side, (*sides.get(self.side, ()), self.who))
        after = change(fight, totals=totals, late=late, sides=sides)
        return change(game, fight=change(after, order=order_of(after, game)))

    def seen_by(self, viewer: Seat) -> Event | None:
        return change(self, total=0) if self.hidden and not viewer.speaks_for(self.who) else self


def order_of(fight: Fight, game: Scene) -> tuple[str, ...]:
    """Each for oneself, or the sides as blocks behind those who rolled for them (SD-C04, SD-C33)."""
    rolled = in_order(fight.totals.dict(), game.cast)
    if game.switches.initiative != "side":
        return rolled
    blocks: list[str] = []
    for who in rolled:
        if who not in blocks:
            blocks += [one for one in fight.sides.get(fight.side_of(who), (who,)) if one not in blocks]
    return tuple(blocks)


class TurnStarted(Public, Struct, frozen=True, cache_hash=True, tag="TurnStarted"):
    """A guard ends, help that this character gave and that was not used ends (SD-C21, SD-C30)."""

    who: str

    def applied(self, game: Scene) -> Scene:
        acted = tuple(one for one in game.fight.acted if one != self.who) if game.fight else ()
        return turn_comes(game, self.who).with_fight(turn=self.who, acted=acted)


class TurnSkipped(Public, Struct, frozen=True, cache_hash=True, tag="turn_skipped"):
    """The surprised lose the first turn, and with it the mark (SD-T06, SD-C02)."""

    who: str

    def applied(self, game: Scene) -> Scene:
        return turn_comes(game, self.who).with_sheet(self.who, surprised=False)


def turn_comes(game: Scene, who: str) -> Scene:
    helped = {ally: tuple(one for one in by if one != who) for ally, by in game.story.assists.items()}
    after = game.with_story(assists=Map({ally: by for ally, by in helped.items() if by}))
    return after.with_sheet(who, guarding=False) if game.cast[who].guarding else after


class TurnEnded(Public, Struct, frozen=True, cache_hash=True, tag="TurnEnded"):
    who: str

    def applied(self, game: Scene) -> Scene:
        return game


class RoundAdvanced(Public, Struct, frozen=True, cache_hash=True, tag="RoundAdvanced"):
    """The order begins again; latecomers are in it now (SD-T06, SD-C06)."""

    round: int

    def applied(self, game: Scene) -> Scene:
        return game.with_fight(round=self.round, acted=(), attacked=Map(), late=())


class CombatEnded(Public, Struct, frozen=True, cache_hash=True, tag="CombatEnded"):
    """Guards, surprise, unspent help and the order of turns are gone (SD-C26)."""

    winner: str | None

    def applied(self, game: Scene) -> Scene:
        calm = {
            who: change(sheet, guarding=False, surprised=False) if sheet.guarding or sheet.surprised else sheet
            for who, sheet in game.cast.items()
        }
        return change(game, cast=Map(calm), fight=None).with_story(assists=Map())


class GuardTaken(Public, Struct, frozen=True, cache_hash=True, tag="GuardTaken"):
    who: str

    def applied(self, game: Scene) -> Scene:
        return used(game.with_sheet(self.who, guarding=True), self.who)


class FocusGathered(Event, Struct, frozen=True, cache_hash=True, tag="focus_gathered"):
    """The turn went into Focus (SD-F15)."""

    who: str
    amount: int
    hidden: bool

    def applied(self, game: Scene) -> Scene:
        return used(game.with_sheet(self.who, focus=pool_with(game.cast[self.who], self.amount)), self.who)

    def seen_by(self, viewer: Seat) -> Event | None:
        return change(self, amount=0) if self.hidden and not viewer.speaks_for(self.who) else self


class Assisted(Public, Struct, frozen=True, cache_hash=True, tag="Assisted"):
    """A +1 that waits for the ally's next declared action (SD-C21, SD-M07)."""

    who: str
    ally: str
    helpers: int

    def applied(self, game: Scene) -> Scene:
        assists = game.story.assists
        waiting = (*assists.get(self.ally, ()), self.who)
        return used(game.with_story(assists=assists.put(self.ally, waiting)), self.who)


class Passed(Public, Struct, frozen=True, cache_hash=True, tag="passed"):
    """A turn in which nothing is done (SD-C24)."""

    who: str

    def applied(self, game: Scene) -> Scene:
        return used(game, self.who)


class Yielded(Public, Struct, frozen=True, cache_hash=True, tag="Yielded"):
    """Captured, by one's own will or in place of death (SD-C23, SD-C25)."""

    who: str
    status: Status = "captured"

    def applied(self, game: Scene) -> Scene:
        return used(game.with_sheet(self.who, status=self.status), self.who)


class Finished(Public, Struct, frozen=True, cache_hash=True, tag="Finished"):
    """Somebody who lies Down is struck again (SD-C25)."""

    who: str
    target: str

    def applied(self, game: Scene) -> Scene:
        return used(game, self.who)


class CharacterDied(Public, Struct, frozen=True, cache_hash=True, tag="CharacterDied"):
    who: str

    def applied(self, game: Scene) -> Scene:
        return game.with_sheet(self.who, status="dead", overkill=0)
