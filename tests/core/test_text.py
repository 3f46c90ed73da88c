"""Words fall back to English, then to the id; a sentence never breaks for want of a word."""

from __future__ import annotations

import pytest

from systems.core.text import LANGUAGES, Labels, Term, because, labels, read_toml

ENGLISH = {
    "grades": {"success": "success", "failure": "failure"},
    "terms": {"skill": {"escape": "Escape"}},
    "explain": {"nearest": "nearest is {skill}, {squares} away", "list": "of {all}", "none": "by {who}"},
}
JAPANESE = Labels({"grades": {"success": "成功"}, "terms": {"skill": {"escape": "縄抜け"}}}, ENGLISH)


@pytest.mark.parametrize(("grade", "word"), [("success", "成功"), ("failure", "failure"), ("unknown", "unknown")])
def test_words_fall_back_to_english_then_to_the_id(grade: str, word: str) -> None:
    assert JAPANESE.grade(grade) == word


def test_what_is_no_text_is_not_found() -> None:
    assert JAPANESE.find("grades") is None and JAPANESE.find("grades", "success", "more") is None
    assert JAPANESE.word("terms", "clan", "iga") == "iga"


def test_terms_are_put_in_the_language_of_the_sentence() -> None:
    line = because("X-1", "nearest", skill=Term("skill", "escape"), squares=1)
    assert JAPANESE.explain(line) == "nearest is 縄抜け, 1 away"
    assert Labels(ENGLISH, ENGLISH).explain(line) == "nearest is Escape, 1 away"


def test_lists_nulls_and_missing_words_are_filled() -> None:
    assert JAPANESE.sentence("explain", "list", {"all": [Term("skill", "escape"), "x"]}) == "of 縄抜け, x"
    assert JAPANESE.sentence("explain", "none", {"who": None}) == "by -"
    assert JAPANESE.sentence("explain", "nearest", {"squares": 2}) == "nearest is …, 2 away"
    assert JAPANESE.sentence("explain", "no_such_sentence", {}) == "no_such_sentence"


def test_values_are_never_read_as_patterns() -> None:
    assert JAPANESE.sentence("explain", "none", {"who": "{all.__class__}"}) == "by {all.__class__}"


def test_a_package_without_texts_speaks_in_ids() -> None:
    assert {labels("tests.core", language).grade("success") for language in (*LANGUAGES, "xx")} == {"success"}
    assert read_toml("tests.core", "data/rules.toml") == {}
