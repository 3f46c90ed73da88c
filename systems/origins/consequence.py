"""The consequence die: which of five kinds comes, and how large it is (SO-P13 to SO-P20)."""

from __future__ import annotations

from typing import Any

from msgspec import UNSET, Struct, UnsetType

from systems.core.ask import OneOf, asked, offer
from systems.core.calls import Outcome, Report, Verdict
from systems.core.checks import AGAIN, Check
from systems.core.dice import Faces, Pool
from systems.core.game import Message
from systems.core.play import GM_ONLY, Play, Throw
from systems.core.text import Because, Term, because
from systems.origins.names import calls
from systems.origins.options import DEFAULT, Config
from systems.origins.position import worse
from systems.origins.vocabulary import SIZE, Kind, Params, Points, Position, Severity, Text

KINDS: tuple[Kind, ...] = ("reduced_effect", "worse_position", "lost_opportunity", "complication", "harm")
_TABLE = calls.tables["consequence"]


class ConsequenceDie(Check[Kind], Struct, frozen=True, cache_hash=True):
    """1d6 on the table of consequences; kinds in `again` are thrown again (switch `moot_consequence`)."""

    again: tuple[Kind, ...] = ()

    @property
    def pool(self) -> Pool:
        return Pool(1)

    def read(self, faces: Faces) -> Kind:
        kind: Kind = _TABLE.at(faces[0]).id  # type: ignore[assignment]
        return AGAIN if kind in self.again else kind  # type: ignore[return-value]


def moot_kinds(effect: int, position: Position | UnsetType | None) -> tuple[Kind, ...]:
    """Kinds that have nothing left to take: effect already 0, position already terrible or none (SO-P20)."""
    moot: list[Kind] = []
    if effect == 0:
        moot.append("reduced_effect")
    if position == "terrible" or not isinstance(position, str):
        moot.append("worse_position")
    return tuple(moot)


class ChooseKind(Message, Struct, frozen=True, cache_hash=True, tag="choose_kind"):
    """The GM names the kind of a consequence, or has it rolled (SO-P21)."""

    kind: Kind | None = None
    roll: bool = False


ROLL_KIND = ChooseKind(roll=True)


def pick_kind(play: Play[Any], label: str) -> Kind | None:
    """The kind that the GM names instead of rolling, or None: it is rolled (SO-P21)."""
    rolled = offer(ChooseKind, kind=OneOf((None,)), roll=OneOf((True,)))
    question = asked(
        GM_ONLY, "choose_kind", offer(ChooseKind, kind=OneOf(KINDS)), rolled, silence=ROLL_KIND, subject=label
    )
    chosen = play.ask(question)
    return chosen.kind if isinstance(chosen, ChooseKind) else None


def throw_kind(play: Play[Any], moot: tuple[Kind, ...], config: Config, label: str) -> Kind:
    """The kind that the die gives; what is moot stands, is thrown again, or is the GM's to replace (SO-P20, SO-R13)."""
    again = moot if config.moot_consequence == "reroll" else ()
    kind = play.check(ConsequenceDie(again), label)
    if kind in moot and config.moot_consequence == "gm_choice":
        instead = offer(ChooseKind, kind=OneOf(KINDS))
        chosen = play.ask(asked(GM_ONLY, "replace_kind", instead, silence=ChooseKind(kind), subject=label))
        return chosen.kind or kind if isinstance(chosen, ChooseKind) else kind
    return kind


class Barred(Struct, frozen=True, cache_hash=True):
    """A skill and an approach that no longer work against a target in this scene (SO-P16, SO-R50)."""

    skill: str
    approach: str
    target: str | UnsetType = UNSET


class ConsequenceParams(Params, frozen=True, kw_only=True):
    severity: Severity
    effect: Points = 0
    position: Position | UnsetType = UNSET
    skill: Text = ""
    approach: Text = ""
    config: Config = DEFAULT


class ConsequenceOutcome(Outcome, frozen=True, kw_only=True):
    kind: Kind
    effect: int
    position: Position | UnsetType = UNSET
    ticks: int | UnsetType = UNSET
    harm_level: int | UnsetType = UNSET
    moot: bool
    barred: Barred | UnsetType = UNSET


def consequence_line(kind: Kind, severity: Severity) -> Because:
    """What the die gave, in words of its rule."""
    rule = {
        "reduced_effect": "SO-P14",
        "worse_position": "SO-P15",
        "lost_opportunity": "SO-P16",
        "complication": "SO-P17",
        "harm": "SO-P18",
    }[kind]
    told = Term("consequence", kind)
    if kind in ("complication", "harm"):
        return because(rule, f"came_{kind}", kind=told, severity=Term("severity", severity), size=SIZE[severity])
    return because(rule, "came", kind=told)


def _report(p: ConsequenceParams, verdict: Verdict, throws: tuple[Throw, ...]) -> Report:
    kind: Kind = verdict.grade  # type: ignore[assignment]
    moot = kind in moot_kinds(p.effect, p.position)
    facts = _TABLE[kind].facts[p.severity]
    position = p.position
    if isinstance(position, str):
        position = worse(position, -facts.get("position_steps", 0))
    outcome = ConsequenceOutcome(
        kind=kind,
        effect=max(0, p.effect + facts.get("effect", 0)),
        position=position,
        ticks=facts.get("ticks", UNSET),
        harm_level=facts.get("harm_level", UNSET),
        moot=moot,
        barred=Barred(p.skill, p.approach) if facts.get("bars") else UNSET,
    )
    die = because("SO-P13", "consequence_die", face=throws[-1].faces[0])
    lines = (die, consequence_line(kind, p.severity), *((because("SO-P20", "moot"),) if moot else ()))
    return Report(outcome, lines)


@calls.check(
    "consequence_roll",
    rules="SO-P13 SO-P14 SO-P15 SO-P16 SO-P17 SO-P18 SO-P19 SO-P20",
    grades=" ".join(KINDS),
    report=_report,
    outcome=ConsequenceOutcome,
)
def consequence_roll(play: Play[Any], p: ConsequenceParams) -> Verdict:
    """One consequence by the die; the severity counts for complication and harm only (SO-P19)."""
    return Verdict(throw_kind(play, moot_kinds(p.effect, p.position), p.config, "consequence"))
