"""The language of an answer and the service's own sentences."""

from __future__ import annotations

from functools import lru_cache

from systems.core.text import LANGUAGES, Labels, labels

DEFAULT = "en"
MAX_HEADER = 500  # characters of Accept-Language that are looked at


@lru_cache(maxsize=1024)
def language_of(header: str) -> str:
    """The language (en, ja, ko) that an Accept-Language header likes best; English if it likes none of them."""
    best, weight = DEFAULT, 0.0
    for part in header[:MAX_HEADER].split(","):
        tag, _, parameters = part.partition(";")
        primary = tag.strip().split("-")[0].lower()
        language = DEFAULT if primary == "*" else primary
        if language in LANGUAGES and (quality := _quality(parameters)) > weight:
            best, weight = language, quality
    return best


def _quality(parameters: str) -> float:
    name, _, value = parameters.partition("=")
    if name.strip().lower() != "q":
        return 1.0
    try:
        return min(float(value), 1.0)
    except ValueError:
        return 0.0


def words(language: str) -> Labels:
    """The service's own words."""
    return labels("service", language)
