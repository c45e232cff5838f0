"""Finds secret cards in what the bot sends: every string of a body is searched for their names."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

Clean = Callable[[str, str], str]
"""What is left to search of a string, given its place (such as data/components/0/custom_id) and itself."""

PRINTED = (1, 2, 3, 4, 5, 6, 7, 10, 11, 12)
SUIT_EMOJIS: Mapping[str, str] = {"o": "🪙", "c": "🏆", "e": "🗡️", "b": "🪵"}
VARIATION = "\ufe0f"  # asks for the coloured form of an emoji; texts may leave it out


@dataclass(frozen=True, slots=True)
class Leak:
    """A secret card that was found, where, and in which string."""

    card: str
    place: str
    text: str

    def __str__(self) -> str:
        return f"{self.card} in {self.place}: {self.text[:120]!r}"


def strings(body: Any, files: Sequence[str] = (), at: str = "") -> Iterator[tuple[str, str]]:
    """Every string in a body with its place, and the names of the files sent along."""
    if isinstance(body, str):
        yield at or "body", body
    elif isinstance(body, Mapping):
        for key, value in body.items():
            yield from strings(value, at=f"{at}/{key}" if at else str(key))
    elif isinstance(body, (list, tuple)):
        for index, value in enumerate(body):
            yield from strings(value, at=f"{at}/{index}" if at else str(index))
    for name in files:
        yield "file name", name


def default_words(emojis: Mapping[str, str] = SUIT_EMOJIS) -> dict[str, set[str]]:
    """Each card's notation and emoji spelling: 7o and 7🪙, 10e and 10🗡️."""
    return {
        f"{printed}{suit}": {f"{printed}{suit}", f"{printed}{emoji}"}
        for suit, emoji in emojis.items()
        for printed in PRINTED
    }


def arguments_of_custom_id(place: str, text: str) -> str:
    """Leave out of a custom_id e:<verb>:<game>:<version>[:<args>] the two numbers in base 36.

    Version 48 is written 1c there, which is also the ace of copas.
    """
    if not place.endswith("custom_id"):
        return text
    parts = text.split(":")
    return ":".join([parts[1], *parts[4:]]) if len(parts) > 3 and parts[0] == "e" else text


class CardFinder:
    """Finds cards in strings by a table of each card's spellings.

    A spelling that begins or ends with a letter or a digit stands alone (17o is not 7o), but cards may be
    strung together (7o4c is both); one that ends with an emoji ends there. Case doesn't matter. Two cards may
    share a spelling; then both are found.
    """

    def __init__(self, words: Mapping[str, Iterable[str]]) -> None:
        self._cards: dict[str, set[str]] = {}
        for card, spellings in words.items():
            for spelling in spellings:
                if not spelling.strip():
                    raise ValueError(f"an empty spelling of {card}")
                self._cards.setdefault(_folded(spelling), set()).add(card)
        longest_first = sorted(self._cards, key=len, reverse=True)
        alone = "|".join(re.escape(spelling) for spelling in longest_first if spelling[-1].isalnum()) or "(?!)"
        open_ended = "|".join(re.escape(s) for s in longest_first if not s[-1].isalnum()) or "(?!)"
        start = r"(?:(?<![^\W_])|(?=[\W_]))"
        self._runs = re.compile(rf"{start}(?:{alone})*(?:(?:{open_ended})|(?:{alone})(?![^\W_]))")
        self._one = re.compile("|".join(map(re.escape, longest_first)) or "(?!)")

    def cards(self, text: str) -> set[str]:
        """The cards that the text names."""
        runs = self._runs.findall(_folded(text))
        return {card for run in runs for spelling in self._one.findall(run) for card in self._cards[spelling]}


def _folded(text: str) -> str:
    return text.replace(VARIATION, "").casefold()


@lru_cache(maxsize=1)
def default_finder() -> CardFinder:
    """The finder of `default_words`."""
    return CardFinder(default_words())


def leaked_cards(
    body: Any,
    hidden: Collection[str],
    *,
    files: Sequence[str] = (),
    finder: CardFinder | None = None,
    clean: Clean = arguments_of_custom_id,
) -> list[Leak]:
    """The cards of `hidden` (in notation) that a body or the names of its files give away."""
    if not hidden:
        return []
    search = finder or default_finder()
    secret = set(hidden)
    return [
        Leak(card, place, text)
        for place, text in strings(body, files)
        for card in sorted(search.cards(clean(place, text)) & secret)
    ]
