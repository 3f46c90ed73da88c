"""The Fumble table and what its rows do (SG-T01, SG-T13, SG-T14, SG-C18)."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import UNSET, Meta, Struct, UnsetType

from systems.core.ask import OneOf, Question, SubsetOf, asked, offer
from systems.core.calls import Outcome, Report, Verdict
from systems.core.errors import Illegal
from systems.core.game import Event, Message, Step, change
from systems.core.play import Play, Throw
from systems.core.text import Term, because
from systems.core.values import Map
from systems.shinobigami.ailments import roll_ailment
from systems.shinobigami.answers import ChooseCategory, ChooseGear, ChooseLeak
from systems.shinobigami.ids import Category, Count, Id
from systems.shinobigami.information import Ids, Ties, sharers
from systems.shinobigami.names import calls
from systems.shinobigami.scene import (
    GearLost,
    Graded,
    Learned,
    RowThrown,
    Scene,
    SceneCall,
    Taught,
    change_health,
)
from systems.shinobigami.sheet import Ailment, Character
from systems.shinobigami.switches import Switches
from systems.shinobigami.wounds import lose_chosen

TABLE = calls.tables["fumble"]
NOTHING = ChooseLeak("nothing", 0)
TOUCHED = {"gear_lost": ("gear",), "lost_control": ("lost",), "trap": ("afflictions",)}  # row -> fields of a sheet
MOST_SECRETS = 64  # how many Secrets of one character a leak may name where the sheet does not say


def throw_fumble(play: Play[Scene], who: str) -> None:
    """1d6 on the Fumble table, and what the row does to the fumbler."""
    row = TABLE.roll(play, f"fumble:{who}").id
    play.emit(RowThrown(who, row))
    if row == "off_form":  # SG-C18: it does not stack with itself (SG-Z25)
        change_health(play, change(play.game[who], cycle_penalty=-1))
    elif row == "gear_lost":
        _lose_gear(play, who)
    elif row == "information_leak":
        _leak(play, who)
    elif row == "lost_control":  # SG-T14: caused by oneself, extra Life Points first
        change_health(play, lose_chosen(play, play.game[who], 1))
    elif row == "trap":
        change_health(play, roll_ailment(play, play.game[who]))


def _lose_gear(play: Play[Scene], who: str) -> None:
    """One piece of the own choice; gear that cannot be used can be lost (SG-G06)."""
    held = tuple(kind for kind, pieces in play.game[who].gear.items() if pieces)
    if not held:
        return
    gear = held[0]
    if len(held) > 1:
        answer = play.ask(asked(who, "choose_gear", offer(ChooseGear, gear=OneOf(held)), silence=ChooseGear(gear)))
        gear = answer.gear if isinstance(answer, ChooseGear) else gear
    play.emit(GearLost(who, gear))


def _leak(play: Play[Scene], who: str) -> None:
    """Everybody chooses unseen by the others, all learn at once, then InfoShare (SG-T13, SG-Z24, SG-I05, SG-I06)."""
    others = play.game.others
    answers = play.ask_all([_which_leak(play.game[who], one) for one in others])
    chosen = [(one, answer) for one, answer in zip(others, answers, strict=True) if isinstance(answer, ChooseLeak)]
    taught = [Taught(one, leak.kind, who, leak.index) for one, leak in chosen if leak.kind != "nothing"]
    shared = [
        Taught(one, first.kind, who, first.index, "infoshare")
        for first in taught
        for one in sharers(first.who, play.game.ties, play.game.switches)
        if one != who and not any((one, first.kind, first.index) == (t.who, t.kind, t.index) for t in taught)
    ]
    play.emit(Learned((*taught, *dict.fromkeys(shared))))


def _which_leak(fumbler: Character, who: str) -> Question:
    numbers = tuple(range(1, (MOST_SECRETS if fumbler.secrets is None else fumbler.secrets) + 1))
    return asked(
        who,
        "choose_leak",
        offer(ChooseLeak, kind=OneOf(("location", "nothing")), index=OneOf((0,))),
        offer(ChooseLeak, kind=OneOf(("secret",)), index=OneOf(numbers)),
        silence=NOTHING,
        subject=fumbler.id,
    )


class SecretChoice(Struct, frozen=True, cache_hash=True, forbid_unknown_fields=True):
    """Which Secret one wants to learn (from 1)."""

    secret: Annotated[int, Meta(ge=1, le=1_000_000)]


class FumbleParams(Struct, frozen=True, cache_hash=True, kw_only=True, forbid_unknown_fields=True):
    """`choices`: `gear` and `category` of the fumbler, and for each other character `location`, a Secret, `nothing`."""

    character: Character
    others: Ids = ()
    bonds: Ties = ()
    choices: Map[str, str | SecretChoice] = Map()
    switches: Switches = Switches()


class FumbleState(Struct, frozen=True, kw_only=True):
    """What changed on the sheet, as it is afterwards."""

    lost: tuple[Category, ...] | UnsetType = UNSET
    extra_lost: int | UnsetType = UNSET
    slots_lost: int | UnsetType = UNSET
    gear: Map[str, Count] | UnsetType = UNSET
    ailments: tuple[Ailment, ...] | UnsetType = UNSET
    cycle_penalty: int | UnsetType = UNSET


class TaughtItem(Struct, frozen=True, kw_only=True):
    who: Id
    kind: str
    subject: Id
    index: int | UnsetType = UNSET
    by: str | UnsetType = UNSET


class FumbleOutcome(Outcome, frozen=True, kw_only=True):
    row: str
    state: FumbleState
    learned: tuple[TaughtItem, ...]


class Fumbles(Step, Struct, frozen=True, cache_hash=True, tag="fumbles"):
    """A Fumble whose consequence is the table (SG-C13)."""

    who: str

    def run(self, play: Play[Scene]) -> None:
        play.emit(Graded("rolled"))
        throw_fumble(play, self.who)


class ApplyFumble(SceneCall[FumbleParams]):
    id = "apply_fumble"
    rules = ("SG-T01", "SG-T13", "SG-T14", "SG-C18", "SG-H04", "SG-H05", "SG-I05", "SG-Z24", "SG-Z25")
    grades = ("rolled",)
    params = FumbleParams
    outcome = FumbleOutcome

    def begin(self, p: FumbleParams) -> Scene:
        _check_choices(p)
        others = tuple(one for one in p.others if one != p.character.id)
        scene = change(Scene.of(p.character), ties=p.bonds, others=others, switches=p.switches)
        return scene.doing(Fumbles(p.character.id))

    def graded(self, grade: str) -> Verdict:
        return Verdict(grade)

    def decide(self, p: FumbleParams, game: Scene, question: Question) -> Message | None:
        if question.topic == "choose_leak":
            return _leak_choice(p.choices.get(question.about))
        key = "gear" if question.topic == "choose_gear" else "category"
        chosen = p.choices.get(key)
        if not isinstance(chosen, str):
            return None
        return ChooseGear(chosen) if key == "gear" else ChooseCategory((chosen,))

    def answered(self, p: FumbleParams, game: Scene, events: tuple[Event, ...], throws: tuple[Throw, ...]) -> Report:
        row = TABLE.at(sum(throws[0].faces)).id
        learned = tuple(
            TaughtItem(who=t.who, kind=t.kind, subject=t.subject, index=t.index or UNSET, by=t.by or UNSET)
            for t in game.taught
        )
        outcome = FumbleOutcome(row=row, state=changed(p.character, game[p.character.id], row), learned=learned)
        return Report(outcome, (because("SG-T01", "fumble_row", row=Term("fumble", row)),))


def changed(before: Character, after: Character, row: str) -> FumbleState:
    """What a row left different on the sheet; what it is about is shown also where nothing changed."""

    def differing(name: str) -> Any:
        now, touched = getattr(after, name), name in TOUCHED.get(row, ()) and not after.is_enemy
        return now if touched or now != getattr(before, name) else UNSET

    return FumbleState(
        lost=differing("lost"),
        extra_lost=differing("extra_lost"),
        slots_lost=differing("slots_lost"),
        gear=differing("gear"),
        ailments=differing("afflictions"),
        cycle_penalty=after.cycle_penalty if row == "off_form" else UNSET,
    )


def _leak_choice(chosen: str | SecretChoice | None) -> ChooseLeak:
    if isinstance(chosen, SecretChoice):
        return ChooseLeak("secret", chosen.secret)
    return ChooseLeak("location", 0) if chosen == "location" else NOTHING


def _check_choices(p: FumbleParams) -> None:
    """Raises `Illegal` `invalid_choice` for a choice that its question would not offer."""
    for key, chosen in p.choices.items():
        if key == "gear":
            fits = isinstance(chosen, str) and bool(p.character.gear.get(chosen))
        elif key == "category":
            fits = SubsetOf(p.character.held, 1, 1).allows((chosen,))
        else:
            fits = chosen in ("location", "nothing") or isinstance(chosen, SecretChoice)
            fits = fits and not _which_leak(p.character, key).refuse(_leak_choice(chosen))
        if not fits:
            raise Illegal("invalid_choice", "SG-T01", choice=key)


calls.add(ApplyFumble())
