"""Cards in words: the printed number, the suit as an emoji, and the worth where it differs from the number."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final

from bot.engine.cards import Card, CardSet, Rank, Suit
from bot.ui.words.faces import CardFaces, Deck
from bot.ui.words.texts import N_, Words, words

SUIT_EMOJI: Final = {Suit.OROS: "🪙", Suit.COPAS: "🏆", Suit.ESPADAS: "🗡️", Suit.BASTOS: "🪵"}

_FIGURES: Final = {Rank.SOTA: N_("sota"), Rank.CABALLO: N_("caballo"), Rank.REY: N_("rey")}
_SUITS: Final = {Suit.OROS: N_("oros"), Suit.COPAS: N_("copas"), Suit.ESPADAS: N_("espadas"), Suit.BASTOS: N_("bastos")}
_FRENCH_FIGURES: Final = {Rank.ACE: N_("ace"), Rank.SOTA: N_("jack"), Rank.CABALLO: N_("queen"), Rank.REY: N_("king")}
_FRENCH_SUITS: Final = {
    Suit.OROS: N_("diamonds"),
    Suit.COPAS: N_("hearts"),
    Suit.ESPADAS: N_("spades"),
    Suit.BASTOS: N_("clubs"),
}
FRENCH_INDICES: Final = {Rank.ACE: "A", Rank.SOTA: "J", Rank.CABALLO: "Q", Rank.REY: "K"}
"""What is printed on the French cards that carry a letter."""
_FRENCH_EMOJI: Final = {Suit.OROS: "♦️", Suit.COPAS: "♥️", Suit.ESPADAS: "♠️", Suit.BASTOS: "♣️"}
_JOINED: Final = "\u2060"
"""Keeps an index and its suit on one line, where phones would break between the two."""


def face(card: Card, t: Words) -> str:
    """The shortest form in a label: the index and the suit, as "7🪙". Labels show Unicode emojis only."""
    return f"{_index(card, t)}{_suit(card, t)}"


def faces(cards: Iterable[Card], t: Words, glue: str = " ") -> str:
    """Several cards in their shortest form in a label."""
    return glue.join(face(card, t) for card in cards)


def ranks(cards: CardSet, table: CardSet, t: Words) -> str:
    """Some of the table's cards in a label beside its picture, as a sum: "2 + 6".

    The picture shows the suits, so one is named only where another card of its rank stays on the table.
    """
    others = {card.rank for card in table - cards}
    return " + ".join(
        f"{_index(card, t)} {_suit_name(card, t)}" if card.rank in others else _index(card, t) for card in cards
    )


def shown(card: Card, t: Words) -> str:
    """The shortest form in a text: the application's emoji of the card, or its index and suit kept together."""
    emoji = t.faces.emojis.get(card.notation)
    return emoji or f"{_index(card, t)}{_JOINED}{_suit(card, t)}"


def in_common_emojis(what: Card | Suit, deck: Deck) -> str:
    """A card or a suit in a text, without the application's emojis."""
    if isinstance(what, Suit):
        return (_FRENCH_EMOJI if deck is Deck.FRENCH else SUIT_EMOJI)[what]
    return shown(what, words("en", faces=CardFaces(deck)))


def shown_all(cards: Iterable[Card], t: Words, glue: str = " ") -> str:
    """Several cards in their shortest form in a text."""
    return glue.join(shown(card, t) for card in cards)


def named(card: Card, t: Words) -> str:
    """A card in a sentence, with its worth where the printed number would mislead."""
    if card.rank not in _FIGURES:
        return shown(card, t)
    return f"{_figure(card, t)} {shown(card, t)} ({card.worth})"


def named_all(cards: Iterable[Card], t: Words) -> str:
    """Several cards in a sentence."""
    return ", ".join(named(card, t) for card in cards)


def on_button(card: Card, t: Words) -> tuple[str, str | None]:
    """A card's label on a button or in a menu, and the application's emoji of its suit beside it, if there is one.

    The index stays in the label, where screen readers read it aloud.
    """
    emoji = t.faces.emojis.get(card.suit.letter)
    text = _index(card, t) if emoji else face(card, t)
    return (f"{_figure(card, t)} {text} ({card.worth})" if card.rank in _FIGURES else text), emoji


def on_small_button(card: Card, t: Words) -> tuple[str, str | None]:
    """A card's index on one of many buttons, and the emoji beside it; with its suit if there is no such emoji."""
    emoji = t.faces.emojis.get(card.suit.letter)
    return (_index(card, t) if emoji else face(card, t)), emoji


@lru_cache(maxsize=1024)
def spoken(card: Card, t: Words, deck: Deck = Deck.SPANISH) -> str:
    """A card in words alone, for screen readers: "7 of oros", "sota of espadas (8)", "jack of spades (8)"."""
    if deck is Deck.FRENCH:
        suit = t(_FRENCH_SUITS[card.suit])
        name = t(_FRENCH_FIGURES[card.rank]) if card.rank in _FRENCH_FIGURES else str(card.printed)
    else:
        suit = t(_SUITS[card.suit])
        name = t(_FIGURES[card.rank]) if card.rank in _FIGURES else str(card.printed)
    text = t("{card} of {suit}", card=name, suit=suit)
    return f"{text} ({card.worth})" if card.rank in _FIGURES else text


def worths(cards: Iterable[Card], t: Words) -> str:
    """What the figures among some cards are worth: "sota 10 = 8 · rey 12 = 10"; empty without figures."""
    figures = {card.rank: card for card in cards if card.rank in _FIGURES}
    return " · ".join(f"{_figure(card, t)} {_index(card, t)} = {card.worth}" for _, card in sorted(figures.items()))


def sum_of(terms: Sequence[int], aim: int | None, t: Words) -> str:
    """Numbers as a sum, and whether it hits the aim: "4 + 7 = 11, not 15"; without an aim the sum alone."""
    made, total = " + ".join(map(str, terms)), sum(terms)
    if aim is None:
        return f"{made} = **{total}**"
    if total == aim:
        return f"{made} = **{total}** ✓"
    return t("{sum} = **{total}**, not {aim}", sum=made, total=total, aim=aim)


def legend(t: Words) -> str:
    """What the suits' emojis mean."""
    emojis = _FRENCH_EMOJI if t.faces.deck is Deck.FRENCH else SUIT_EMOJI
    return " · ".join(f"{emojis[suit]} {t(name)}" for suit, name in _SUITS.items())


def _index(card: Card, t: Words) -> str:
    return FRENCH_INDICES.get(card.rank, str(card.printed)) if t.faces.deck is Deck.FRENCH else str(card.printed)


def _suit(card: Card, t: Words) -> str:
    return (_FRENCH_EMOJI if t.faces.deck is Deck.FRENCH else SUIT_EMOJI)[card.suit]


def _suit_name(card: Card, t: Words) -> str:
    return t(_FRENCH_SUITS[card.suit]) if t.faces.deck is Deck.FRENCH else t(_SUITS[card.suit])


def _figure(card: Card, t: Words) -> str:
    return t(_FRENCH_FIGURES[card.rank]) if t.faces.deck is Deck.FRENCH else t(_FIGURES[card.rank])
