"""Cards in words: the printed number, the suit as an emoji, and the worth where it differs from the number."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from bot.engine.cards import Card, CardSet, Rank, Suit
from bot.engine.cards import card as one_of
from bot.platform.language.catalogues import words
from bot.platform.language.faces import CardFaces, Deck
from bot.platform.language.texts import N_, NC_, Words


class SuitWords(NamedTuple):
    """A suit in words: by itself ("most oros"), and after a rank ("seven of oros"), where it may have another form."""

    name: str
    of_it: str


SUIT_EMOJI: Final = {Suit.OROS: "🪙", Suit.COPAS: "🏆", Suit.ESPADAS: "🗡️", Suit.BASTOS: "🪵"}

_FIGURES: Final = {Rank.SOTA: NC_("rank", "sota"), Rank.CABALLO: NC_("rank", "caballo"), Rank.REY: NC_("rank", "rey")}
_WORDED: Final = {
    Rank.ACE: NC_("rank", "ace"),
    Rank.SOTA: NC_("rank", "sota"),
    Rank.CABALLO: NC_("rank", "caballo"),
    Rank.REY: NC_("rank", "rey"),
}
_SUITS: Final = {
    Suit.OROS: SuitWords(NC_("suit", "oros"), N_("of oros")),
    Suit.COPAS: SuitWords(NC_("suit", "copas"), N_("of copas")),
    Suit.ESPADAS: SuitWords(NC_("suit", "espadas"), N_("of espadas")),
    Suit.BASTOS: SuitWords(NC_("suit", "bastos"), N_("of bastos")),
}
_FRENCH_FIGURES: Final = {
    Rank.ACE: NC_("rank", "ace"),
    Rank.SOTA: NC_("rank", "jack"),
    Rank.CABALLO: NC_("rank", "queen"),
    Rank.REY: NC_("rank", "king"),
}
_FRENCH_SUITS: Final = {
    Suit.OROS: SuitWords(NC_("suit", "diamonds"), N_("of diamonds")),
    Suit.COPAS: SuitWords(NC_("suit", "hearts"), N_("of hearts")),
    Suit.ESPADAS: SuitWords(NC_("suit", "spades"), N_("of spades")),
    Suit.BASTOS: SuitWords(NC_("suit", "clubs"), N_("of clubs")),
}
FRENCH_INDICES: Final = {Rank.ACE: "A", Rank.SOTA: "J", Rank.CABALLO: "Q", Rank.REY: "K"}
"""The letters printed on the French cards that carry one."""
_FRENCH_EMOJI: Final = {Suit.OROS: "♦️", Suit.COPAS: "♥️", Suit.ESPADAS: "♠️", Suit.BASTOS: "♣️"}
_JOINED: Final = "\u2060"
"""A character that keeps an index and its suit on one line, where phones would break between the two."""


def face(card: Card, t: Words) -> str:
    """Write a card in a label, for sums: "7🪙", "sota 🗡️ (8)". Labels show Unicode emojis only."""
    suit = _suit(card, t)
    return f"{figure_name(card, t)} {suit} ({card.worth})" if _misleads(card, t) else f"{card.printed}{suit}"


def faces(cards: Iterable[Card], t: Words) -> str:
    """Write several cards in a label, as a sum: "7🪙 + sota 🗡️ (8)"."""
    return " + ".join(face(card, t) for card in cards)


def ranks(cards: CardSet, table: CardSet, t: Words, *, brief: bool = False) -> str:
    """Write some of the table's cards in a label beside its picture, as a sum: "2 + sota (8)".

    The picture shows the suits, so a suit is named only where another card of the same rank stays on the table. With
    `brief` that takes fewer characters: an emoji, or the suit's name where the texts have the application's own emojis.
    """
    others = {card.rank for card in table - cards}

    def term(card: Card) -> str:
        if card.rank not in others:
            return _term(card, t)
        if brief and not t.faces.emojis:
            return face(card, t)
        name = figure_name(card, t) if _misleads(card, t) else str(card.printed)
        if brief:
            text = t.context("card, in few words", "{card} {suit}", card=name, suit=suit_name(card.suit, t))
        else:
            text = _with_suit(name, card.suit, t, t.faces.deck)
        return f"{text} ({card.worth})" if _misleads(card, t) else text

    return " + ".join(term(card) for card in cards)


@lru_cache(maxsize=1024)
def shown(card: Card, t: Words) -> str:
    """Write a card in its shortest form: the application's emoji of it, or its index and suit kept together."""
    emoji = t.faces.emojis.get(card.notation)
    return emoji or f"{index(card, t)}{_JOINED}{_suit(card, t)}"


def in_common_emojis(what: Card | Suit, deck: Deck) -> str:
    """Write a card or a suit in a text, without the application's emojis."""
    if isinstance(what, Suit):
        return (_FRENCH_EMOJI if deck is Deck.FRENCH else SUIT_EMOJI)[what]
    return shown(what, words("en", faces=CardFaces(deck)))


def shown_all(cards: Iterable[Card], t: Words, glue: str = " ") -> str:
    """Write several cards in their shortest form in a text."""
    return glue.join(shown(card, t) for card in cards)


@lru_cache(maxsize=1024)
def named(card: Card, t: Words) -> str:
    """Write a card in a sentence, with its worth where the printed number would mislead."""
    if card.rank not in _FIGURES:
        return shown(card, t)
    name = "" if card.notation in t.faces.emojis else f"{figure_name(card, t)} "  # the emoji's own name already says it
    return f"{name}{shown(card, t)} ({card.worth})"


def named_all(cards: Iterable[Card], t: Words) -> str:
    """Write several cards in a sentence."""
    return t.listed([named(card, t) for card in cards])


def on_button(card: Card, t: Words) -> tuple[str, str | None]:
    """Write a card's label on a button or in a menu, with the application's emoji of its suit beside it, if any.

    The card's number or name stays in the label, where screen readers read it aloud.
    """
    emoji = t.faces.emojis.get(card.suit.letter)
    return (_term(card, t) if emoji else face(card, t)), emoji


@lru_cache(maxsize=1024)
def spoken(card: Card, t: Words, deck: Deck = Deck.SPANISH) -> str:
    """Write a card in words alone, for screen readers: "ace of oros", "sota of espadas (8)", "jack of spades (8)"."""
    if deck is Deck.FRENCH:
        name = t(_FRENCH_FIGURES[card.rank]) if card.rank in _FRENCH_FIGURES else str(card.printed)
    else:
        name = t(_WORDED[card.rank]) if card.rank in _WORDED else str(card.printed)
    text = _with_suit(name, card.suit, t, deck)
    return f"{text} ({card.worth})" if card.rank in _FIGURES else text


def spoken_all(cards: Iterable[Card], t: Words, deck: Deck) -> str:
    """Several cards in words alone."""
    return ", ".join(spoken(card, t, deck) for card in cards)


def worths(cards: Iterable[Card], t: Words) -> str:
    """Write the worth of the figures among some cards: "sota 10 = 8 · rey 12 = 10"; empty without figures."""
    figures = {card.rank: card for card in cards if card.rank in _FIGURES}
    return " · ".join(f"{figure_name(card, t)} {index(card, t)} = {card.worth}" for _, card in sorted(figures.items()))


def sum_of(cards: Sequence[Card], aim: int | None, t: Words) -> str:
    """Write cards as a sum, and whether it hits the aim: "4 + sota (8) = 12, not 15"; without an aim the sum alone."""
    made, total = " + ".join(_term(card, t) for card in cards), sum(card.worth for card in cards)
    if aim is None:
        return f"{made} = **{total}**"
    if total == aim:
        return f"{made} = **{total}** ✓"
    return t("{sum} = **{total}**, not {aim}", sum=made, total=total, aim=aim)


def legend(t: Words) -> str:
    """Explain the suits' emojis; for a French deck, also which suits of the rules they stand for."""
    names: list[str] = []
    for suit in Suit:
        emoji = t.faces.emojis.get(suit.letter) or in_common_emojis(suit, t.faces.deck)
        name, rule = suit_name(suit, t), t(_SUITS[suit].name)
        names.append(f"{emoji} {name}" if name == rule else f"{emoji} {name} ({rule})")
    return " · ".join(names)


def suit_name(suit: Suit, t: Words) -> str:
    """Name a suit of the deck in a sentence: "oros", or for a French deck "diamonds"."""
    return t(_FRENCH_SUITS[suit].name) if t.faces.deck is Deck.FRENCH else t(_SUITS[suit].name)


def oros_in(t: Words) -> dict[str, str]:
    """Return what fills in the suit of oros in a text: `{oros}` by itself, `{of_oros}` in a card's name."""
    return {"oros": suit_name(Suit.OROS, t), "of_oros": _of_suit(Suit.OROS, t, t.faces.deck)}


def _with_suit(name: str, suit: Suit, t: Words, deck: Deck) -> str:
    return t.context("card", "{card} {of_suit}", card=name, of_suit=_of_suit(suit, t, deck))


def _of_suit(suit: Suit, t: Words, deck: Deck) -> str:
    return t(_FRENCH_SUITS[suit].of_it) if deck is Deck.FRENCH else t(_SUITS[suit].of_it)


def index(card: Card, t: Words) -> str:
    """Write the index that is printed in a card's corner."""
    return FRENCH_INDICES.get(card.rank, str(card.printed)) if t.faces.deck is Deck.FRENCH else str(card.printed)


def worth_name(worth: int, t: Words) -> str:
    """Name any card of a worth, without its suit: "7", "sota (8)"."""
    return _term(one_of(Rank(worth), Suit.OROS), t)


def values_text(t: Words) -> str:
    """Explain the worth of the cards of the deck."""
    if t.faces.deck is Deck.FRENCH:
        return t(
            "The ace is worth 1, and 2 to 7 their number. "
            "**The jack is worth 8, the queen is worth 9, the king is worth 10**."
        )
    return t(
        "Cards 1 to 7 are worth their number. Face cards are worth less than the number printed on them: **sota (10) "
        "is worth 8, caballo (11) is worth 9, rey (12) is worth 10**."
    )


def deck_text(t: Words) -> str:
    """Explain what the deck consists of, with the ace of each suit."""
    suits = ", ".join(f"{suit_name(suit, t)} {shown(one_of(Rank.ACE, suit), t)}" for suit in Suit)
    if t.faces.deck is Deck.FRENCH:
        return t("The deck has four suits: {suits}. Each has ten cards: ace, 2 to 7, and the three face cards. There "
                 "are no 8s, 9s or 10s.", suits=suits)  # fmt: skip
    return t("The deck has four suits: {suits}. Each has ten cards: 1 to 7, and the three face cards. There are no 8s "
             "or 9s.", suits=suits)  # fmt: skip


def _term(card: Card, t: Words) -> str:
    """Write a card in a sum, without its suit: "7", "sota (8)", "ace (1)"."""
    return f"{figure_name(card, t)} ({card.worth})" if _misleads(card, t) else str(card.printed)


def _misleads(card: Card, t: Words) -> bool:
    """Whether the card's printed number or letter differs from its worth."""
    return index(card, t) != str(card.worth)


def _suit(card: Card, t: Words) -> str:
    return (_FRENCH_EMOJI if t.faces.deck is Deck.FRENCH else SUIT_EMOJI)[card.suit]


def figure_name(card: Card, t: Words) -> str:
    """Name a figure of the deck, or the ace of a French one."""
    return t(_FRENCH_FIGURES[card.rank]) if t.faces.deck is Deck.FRENCH else t(_FIGURES[card.rank])
