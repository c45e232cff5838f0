"""Finds secret cards in what the bot sends, by searching every string of a body for their names."""

import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Any, NamedTuple

from bot.cards.words.cards import oros_in, spoken, suit_name
from bot.engine.cards import Rank, Suit
from bot.engine.cards import card as one_of
from bot.platform.kit.codec import Number, Several, fields_of
from bot.platform.language.catalogues import languages, words
from bot.platform.language.faces import CardFaces, Deck
from bot.process.dispatch import screen_of

Clean = Callable[[str, str], str]
"""Given a string's place, such as data/components/0/custom_id, and the string, returns the part to search."""

PRINTED = (1, 2, 3, 4, 5, 6, 7, 10, 11, 12)
SUIT_EMOJIS: Mapping[str, str] = {"o": "🪙", "c": "🏆", "e": "🗡️", "b": "🪵"}
FRENCH_EMOJIS: Mapping[str, str] = {"o": "♦️", "c": "♥️", "e": "♠️", "b": "♣️"}
FRENCH_INDICES: Mapping[int, str] = {1: "A", 10: "J", 11: "Q", 12: "K"}
"""A French deck's letters; its other cards have the same numbers as the Spanish ones."""
VARIATION = "\ufe0f"  # asks for the coloured form of an emoji; texts may leave it out
MORE_RANKS: Mapping[int, str] = {
    1: "1 as uno ace one",
    2: "2 dos two deuce",
    3: "3 tres three",
    4: "4 cuatro four",
    5: "5 cinco five",
    6: "6 seis six",
    7: "7 siete seven",
    10: "10 diez ten sota jack knave jota",
    11: "11 once eleven caballo knight horse queen dama",
    12: "12 doce twelve rey king",
}
MORE_SUITS: Mapping[str, str] = {
    "o": "oros oro coins coin golds gold diamonds diamond diamantes diamante",
    "c": "copas copa cups cup hearts heart corazones corazón",
    "e": "espadas espada swords sword spades spade picas pica",
    "b": "bastos basto clubs club batons tréboles trébol",
}
"""Names of ranks and suits of both decks in Spanish and in English, in addition to those of the catalogues."""
SEVEN = re.compile(r"7 (?P<joint>(?:\w+[ ’])+)(?P<suit>\w+)|(?P<first>\w+) 7")
SPACED = dict.fromkeys(map(ord, "_-"), " ")
MARKUP = dict.fromkeys(map(ord, "*~`|_\\"))
BLANK = "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0"
"""Invisible characters that Unicode classes as letters, marks or symbols; variation selectors are invisible too."""
SELECTORS = (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))
UNSEEN = "".join(
    character
    for character in map(chr, (*range(0x20000), *range(0xE0000, 0xE0200)))
    if not character.isprintable()  # as most are
    and character != "\n"
    and unicodedata.category(character) in ("Cf", "Cc", "Zs", "Zl", "Zp")
) + "".join(map(chr, SELECTORS))
"""Every invisible character, and every space other than the usual one."""
UNSEEN_ONES = re.compile(f"[{re.escape(UNSEEN + BLANK)}]")
JOINER = "(?<=[0-9AJQK])\u2060(?=[^\x00-\x7f])"
NARROW = "[\u00a0\u202f](?=[:;!?»%])|(?<=«)[\u00a0\u202f]|(?<=\\d)[\u00a0\u202f](?=\\d)"
MAY_BE_UNSEEN = re.compile(rf"(?<=[^\x00-\x7f]){VARIATION}|(?<=@)\u200b|{JOINER}|{NARROW}")
"""Those that the bot does send: for an emoji's coloured form, to stop an @ from pinging, to join index and suit; and
the spaces at which a line doesn't break, before French punctuation and within numbers."""


@dataclass(frozen=True, slots=True)
class Leak:
    """A secret card that was found, with its place and string."""

    card: str
    place: str
    text: str

    def __str__(self) -> str:
        return f"{self.card} in {self.place}: {self.text[:120]!r}"


def strings(body: Any, files: Sequence[str] = ()) -> list[tuple[str, str]]:
    """Every string in a body with its place, and the names of its files."""
    found: list[tuple[str, str]] = []
    _gather(body, "", found)
    found += (("file name", name) for name in files)
    return found


def _gather(value: Any, at: str, found: list[tuple[str, str]]) -> None:
    if isinstance(value, str):
        found.append((at or "body", value))
    elif isinstance(value, (dict, list, tuple)):
        inside = f"{at}/" if at else ""
        for key, each in value.items() if isinstance(value, dict) else enumerate(value):
            if isinstance(each, str):  # most values are strings, or contain none
                found.append((f"{inside}{key}", each))
            elif isinstance(each, (dict, list, tuple)):
                _gather(each, f"{inside}{key}", found)


def default_words(emojis: Mapping[str, str] = SUIT_EMOJIS) -> dict[str, set[str]]:
    """Each card's notation and its spellings with an emoji, for both decks: 7o, 7🪙 and 7♦️; 10e, 10🗡️ and J♠️.

    The names of the application's emojis contain 7o as well, or f7o for the card of the French deck.
    """
    return {
        f"{printed}{suit}": {
            f"{printed}{suit}",
            f"f{printed}{suit}",
            f"{printed}{emoji}",
            f"{FRENCH_INDICES.get(printed, printed)}{FRENCH_EMOJIS[suit]}",
        }
        for suit, emoji in emojis.items()
        for printed in PRINTED
    }


def arguments_of_custom_id(place: str, text: str) -> str:
    """A custom_id without its kind and its numbers, which are in base 36: 48 is written 1c, as is the ace of copas."""
    if not place.endswith("custom_id") or (screen := screen_of(text)) is None:
        return text
    known = [each.part for each in fields_of(screen.refers_to)]
    _, verb, *parts = text.split(":")
    numbers = {at for at, part in enumerate(known) if isinstance(part, Number)}
    if known and isinstance(known[-1], Several) and isinstance(known[-1].of, Number):
        numbers.update(range(len(known) - 1, len(parts)))
    return ":".join([verb, *(part for at, part in enumerate(parts) if at not in numbers)])


class CardFinder:
    """Finds cards in strings by a table of each card's spellings.

    A spelling that begins or ends with a letter or a digit must stand alone (17o isn't 7o), but cards may be
    strung together (7o4c is both); anything may follow a spelling that ends with an emoji. Case doesn't matter.
    Two cards may share a spelling; then both are found.
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


class CardNames(NamedTuple):
    """The names of cards in all languages, by printed number and by a suit's letter."""

    ranks: Mapping[int, set[str]]
    suits: Mapping[str, set[str]]
    joints: set[str]
    """The words between rank and suit: of, de, d’."""
    sevens_of_oros: set[str]
    """The names of the card that is a point by itself: some languages have one word for it."""


@lru_cache(maxsize=1)
def card_names() -> CardNames:
    """The names of both decks in all catalogues, and the other ones that are known here."""
    ranks = {rank: set(words.split()) for rank, words in MORE_RANKS.items()}
    suits = {suit: set(words.split()) for suit, words in MORE_SUITS.items()}
    joints, sevens = set[str](), set[str]()
    for language, deck in product(languages(), Deck):
        t = words(language, faces=CardFaces(deck))
        sevens.add(t("Seven {of_oros}", **oros_in(t)))
        for suit in Suit:
            seven = spoken(one_of(Rank.SEVEN, suit), t, deck)  # 7 de copas, 7 d’oros, kopa 7
            parts = SEVEN.fullmatch(seven)
            assert parts, f"{seven!r} in {language}: how are rank and suit joined?"
            suits[suit.letter] |= {(parts["suit"] or parts["first"]).casefold(), suit_name(suit, t).casefold()}
            if parts["joint"]:
                joints.add(parts["joint"].strip())
            before, after = seven.split("7")
            for rank in (Rank.ACE, Rank.SOTA, Rank.CABALLO, Rank.REY):
                said = spoken(one_of(rank, suit), t, deck).partition(" (")[0]
                ranks[rank.printed].add(said.removeprefix(before).removesuffix(after).casefold())
    return CardNames(ranks, suits, joints, sevens)


class AnyNameFinder(CardFinder):
    """Finds cards by any name that a reader could know them by.

    That is, by notation and emoji, with the suit before or after the rank, and in words; even if there are
    formatting marks or invisible characters between the two.
    """

    def __init__(self) -> None:
        known = card_names()
        spellings = default_words()
        spellings["7o"] |= known.sevens_of_oros
        super().__init__(spellings)
        self._ranks = {word: rank for rank, words in known.ranks.items() for word in words}
        suits = {word: suit for suit, words in known.suits.items() for word in words}
        emojis = {_folded(emoji): suit for each in (SUIT_EMOJIS, FRENCH_EMOJIS) for suit, emoji in each.items()}
        self._suits = {**suits, **emojis}
        rank, number = "|".join(self._ranks), "1[0-2]|[1-7]"
        # Words with another meaning before a rank, or after a suit, count as ranks only in phrases like "as de oros".
        firm = "|".join(word for word in self._ranks if word not in {"as", "ás", "one", "once"})
        suit, sign = "|".join(suits), "|".join(emojis)
        joint = "|".join(f"{each} +" if each[-1].isalnum() else f"{each[:-1]}[’'] *" for each in known.joints)
        self._worded = re.compile(
            rf"(?<![^\W_])(?P<rank>{rank}) +(?:{joint})(?:(?:the|los|las) +)?(?P<suit>{suit}|{sign})(?![^\W_])"
            rf"|(?<![^\W_])(?P<first>{suit}) ?(?P<then>{firm})(?![^\W_])"
            rf"|(?<!\d)(?P<sign>{sign})(?P<number>{number})(?!\d|[oceb](?![^\W_]))"
        )

        self._cached = lru_cache(maxsize=20_000)(self._find)  # a game sends the same lines again and again

    def cards(self, text: str) -> set[str]:
        """The cards that the text names; no name continues on the next line."""
        return set[str]().union(*map(self._cached, text.split("\n")))

    def _find(self, line: str) -> frozenset[str]:
        coloured = line.replace(VARIATION, "")
        seen = UNSEEN_ONES.sub("", coloured)
        found: set[str] = set()
        for each in {coloured, seen, seen.translate(MARKUP)}:
            found |= super().cards(each)
        for name in self._worded.finditer(_folded(seen.translate(SPACED).translate(MARKUP))):
            rank = name["rank"] or name["then"] or name["number"]
            suit = name["suit"] or name["first"] or name["sign"]
            found.add(f"{self._ranks[rank]}{self._suits[suit]}")
        return frozenset(found)


@lru_cache(maxsize=10_000)
def invisible_characters(text: str) -> tuple[str, ...]:
    """The invisible characters of a text that don't belong there, such as U+200B."""
    if text.isascii() and text.isprintable():
        return ()  # a shortcut: most strings are ids and links
    return tuple(f"U+{ord(found):04X}" for found in UNSEEN_ONES.findall(MAY_BE_UNSEEN.sub("", text)))


def _folded(text: str) -> str:
    return text.replace(VARIATION, "").casefold()


@lru_cache(maxsize=1)
def default_finder() -> CardFinder:
    """The finder of cards by any name."""
    return AnyNameFinder()


def leaked_cards(
    body: Any,
    hidden: Collection[str],
    *,
    files: Sequence[str] = (),
    finder: CardFinder | None = None,
    clean: Clean = arguments_of_custom_id,
) -> list[Leak]:
    """The cards of `hidden` (in notation) that a body or its file names reveal."""
    if not hidden:
        return []
    search = finder or default_finder()
    secret = set(hidden)
    return [
        Leak(card, place, text)
        for place, text in strings(body, files)
        for card in sorted(search.cards(clean(place, text)) & secret)
    ]
