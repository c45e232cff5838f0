"""One word for one thing: no word of the glossary serves two of its rows, or stands where another row's is meant."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping

import pytest

from tests.platform.language.test_glossary import BESIDE_WORDS, CHECKED, PAPER, TABLE
from tests.platform.language.test_texts import pairs

NEAR = (
    ("match", "table", "tournament", "season"),
    ("round (of a match)", "deal", "turn"),
    ("review", "replay", "practice", "lesson"),
    ("seat", "side", "partner"),
    ("pile", "deck", "capture"),
    ("rating", "leaderboard"),
    ("challenge", "rematch"),
    ("tie", "bye", "withdraw"),
    ("hint", "trap"),
)
"""Rows of the glossary for things so near that the word of one is easily said of another."""
SHARED = frozenset(
    {
        ("ace, sota, caballo, rey", "jack, queen, king"),
        ("oros, copas, espadas, bastos", "diamonds, hearts, spades, clubs"),
        ("table", "to the table"),
    }
)
"""Rows that may have a word in common: the cards of both decks, and the cards that lie open."""
OLD_BUTTON = "That button is out of date. `/escoba table` shows the table as it is now."
SEATS_FIVE = "A lobby can also seat five, each solo, or six as three pairs or three against three."
PLAYED_AGAIN = "The table plays again."
AS_MEANT: Mapping[str, frozenset[str]] = {
    "es": frozenset({SEATS_FIVE, PLAYED_AGAIN}),
    "es_AR": frozenset({SEATS_FIVE}),
    "ca": frozenset({SEATS_FIVE, PLAYED_AGAIN}),
    "gl": frozenset({SEATS_FIVE, PLAYED_AGAIN}),
    "eu": frozenset({PLAYED_AGAIN}),
    "pt_BR": frozenset({SEATS_FIVE, "Cantos are sung with three cards in hand, so they go with deals of three only."}),
    "fr": frozenset({OLD_BUTTON}),
}
"""English texts by language whose translations mean it when they say another row's word."""


def rows_of(language: str) -> Mapping[str, list[str]]:
    """The words of a language by row; a region takes what it leaves empty from the column before its own."""
    found: dict[str, list[str]] = {}
    for table in TABLE.findall(PAPER):
        head, _, *rows = ([cell.strip() for cell in line.split("|")[1:-1]] for line in table.splitlines())
        if language not in head:
            continue
        for row in rows:
            cells = row[1 : head.index(language) + 1] if "_" in language else [row[head.index(language)]]
            cell = next(filter(None, reversed(cells)))
            found[row[0]] = [*filter(None, BESIDE_WORDS.sub("", cell).split(", "))]
    return found


def is_said(word: str, text: str) -> bool:
    """Whether a word is in a text, in whatever form: endings of up to three letters may follow, or replace its last."""
    stem = word if len(word) < 5 else word[:-1]
    return re.search(rf"(?<!\w){re.escape(stem)}\w{{0,3}}(?!\w)", text, re.IGNORECASE) is not None


def is_meant(row: str, text: str) -> bool:
    """Whether an English text names the thing of a row."""
    name = re.sub(r" \(.*\)", "", row)
    return re.search(rf"\b{re.escape(name)}(?:e?s)?\b", text, re.IGNORECASE) is not None


def mistaken(language: str) -> Iterator[str]:
    """Yield the English texts that name one of some near things, and whose translations name another of them."""
    rows = rows_of(language)
    for text, said in pairs(language):
        plain, heard = (re.sub(r"\{.*?\}|`[^`]*`", "", each) for each in (text, said))
        for near in NEAR:
            there = {row for row in near if row in rows}
            meant = {row for row in there if is_meant(row, plain)}
            named = {row for row in there if any(is_said(word, heard) for word in rows[row])}
            if len(meant) == 1 and named and not named & meant:
                yield text


@pytest.mark.parametrize("language", CHECKED[1:])
def test_no_word_serves_two_rows(language: str) -> None:
    serves: dict[str, list[str]] = defaultdict(list)
    for row, known in rows_of(language).items():
        for word in known:
            serves[word].append(row)
    assert [(word, rows) for word, rows in serves.items() if len(rows) > 1 and not shared(rows)] == []


def shared(rows: list[str]) -> bool:
    return any({*rows} <= {*pair} for pair in SHARED)


@pytest.mark.parametrize("language", CHECKED[1:])
def test_none_is_said_where_another_is_meant(language: str) -> None:
    assert {*mistaken(language)} - AS_MEANT.get(language, frozenset()) == set()
