"""What players answer in the middle of a rule (section 25.1, kind answer), and the questions that offer it."""

from __future__ import annotations

from msgspec import Struct

from systems.core.ask import OneOf, Question, SubsetOf, asked, offer
from systems.core.game import Message
from systems.shinobigami.sheet import Ailment, Character

EXTRA = "extra"  # the place of a Life Point without a Category (SG-H07)


class ChooseCategory(Message, Struct, frozen=True, cache_hash=True, tag="choose_category"):
    """Which Life Points are lost (SG-H01, SG-H02)."""

    categories: tuple[str, ...]


class ChooseAilment(Message, Struct, frozen=True, cache_hash=True, tag="choose_ailment"):
    """Which ailments a Critical of a mob attack gives (SG-W34)."""

    ailments: tuple[str, ...]


class ChooseRecovery(Message, Struct, frozen=True, cache_hash=True, tag="choose_recovery"):
    """Which Life Points come back, or which instances of ailments go (SG-C07, SG-H07)."""

    categories: tuple[str, ...] = ()
    ailments: tuple[Ailment, ...] = ()


class ChooseSign(Message, Struct, frozen=True, cache_hash=True, tag="choose_sign"):
    """The sign of the emotion that was rolled, or `keep` for the old bond (SG-E03..E05)."""

    sign: str


class ChooseGear(Message, Struct, frozen=True, cache_hash=True, tag="choose_gear"):
    """Which piece of gear is lost (SG-T01 row 2)."""

    gear: str


class ChooseLeak(Message, Struct, frozen=True, cache_hash=True, tag="choose_leak"):
    """What one learns from a slip of the tongue: the Location, one Secret, or nothing (SG-T13)."""

    kind: str
    index: int = 1


def which_recovery(sheet: Character, amount: int, topic: str) -> Question:
    """Up to `amount` Life Points or as many ailments, never both (SG-Z58); silence takes what stands first."""
    places = sheet.lost + (EXTRA,) * (sheet.extra_lost > 0)
    return asked(
        sheet.id,
        topic,
        offer(ChooseRecovery, categories=SubsetOf(places, 0, amount), ailments=OneOf(((),))),
        offer(ChooseRecovery, categories=OneOf(((),)), ailments=SubsetOf(sheet.afflictions, 0, amount)),
        silence=ChooseRecovery(places[:amount]) if places else ChooseRecovery((), sheet.afflictions[:amount]),
    )
