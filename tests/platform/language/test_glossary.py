"""The glossary for translators: its words are those of the catalogues, and no finished language is missing."""

import re
from collections import defaultdict
from collections.abc import Mapping

import pytest

from bot.cards.words.cards import oros_in
from bot.platform.language.catalogues import LOCALE_DIR, languages, words
from bot.platform.language.texts import SOURCE_LANGUAGE
from tests.platform.language.test_texts import forms_of, in_the_code
from tests.support.finished import coverage, is_finished
from tests.support.languages import everything_said

PAPER = (LOCALE_DIR / "README.md").read_text(encoding="utf-8")
TABLE = re.compile(r"(?:^\|.*\|\n)+", re.MULTILINE)
BESIDE_WORDS = re.compile(r" \(.*?\)|\[\^\w+\]")
"""A remark, or the number of a source."""


def glossary() -> Mapping[str, list[str]]:
    """All words by language, from each table's columns."""
    found: dict[str, list[str]] = defaultdict(list)
    for table in TABLE.findall(PAPER):
        head, _, *rows = ([cell.strip() for cell in line.split("|")[1:-1]] for line in table.splitlines())
        for row in rows:
            for language, cell in zip(head, row, strict=True):
                found[language] += filter(None, BESIDE_WORDS.sub("", cell).split(", "))
    return found


CHECKED = [each for each in languages() if each == SOURCE_LANGUAGE or (is_finished(each) and coverage(each)[0])]


@pytest.mark.parametrize("language", CHECKED)
def test_its_words_are_in_the_glossary_and_in_the_catalogue(language: str) -> None:
    known = glossary()[language]
    assert known, "a language has a table, or a column, in bot/platform/language/locale/README.md"
    if language == SOURCE_LANGUAGE:
        said = "\n".join(text for key in in_the_code() for text in forms_of(key))
    else:
        said = everything_said(language)
    for placeholder, suit in oros_in(words(language)).items():
        said = said.replace(f"{{{placeholder}}}", suit)
    assert [each for each in known if not re.search(rf"(?<!\w){re.escape(each)}(?!\w)", said, re.IGNORECASE)] == []


def test_it_names_no_language_that_is_not_there() -> None:
    assert glossary().keys() <= {*languages()}


def test_every_source_is_cited_and_explained() -> None:
    explained = re.findall(r"^\[\^(\w+)\]: .", PAPER, re.MULTILINE)
    assert explained == sorted({*re.findall(r"\[\^(\w+)\](?!:)", PAPER)})
