"""The drawings of both decks: faces, backs, suits and emojis."""

from __future__ import annotations

from enum import StrEnum

from bot.cards.pictures.deck import french, spanish, suits
from bot.cards.pictures.deck.backs import french_back, spanish_back
from bot.cards.pictures.deck.emblems import SIDE, card_emblem, rimmed_emblem, suit_emblem
from bot.cards.pictures.deck.ink import page
from bot.engine.cards import Card, Suit
from bot.platform.language.faces import Deck


class Cut(StrEnum):
    """The cut of a card: as printed, or for small sizes, with one large index."""

    FULL = "full"
    SMALL = "small"


def face_drawing(deck: Deck, card: Card, cut: Cut) -> str:
    """A card's face as an SVG document."""
    draw = french.face if deck is Deck.FRENCH else spanish.face
    return page(draw(card, small=cut is Cut.SMALL))


def back_drawing(deck: Deck) -> str:
    """A card's back as an SVG document."""
    return page(french_back() if deck is Deck.FRENCH else spanish_back())


def pip_of(deck: Deck, suit: Suit) -> str:
    """A suit around (0, 0), about a hundred units high."""
    return french.suit_mark(suit) if deck is Deck.FRENCH else suits.pip(suit)


def rimmed_pip_of(deck: Deck, suit: Suit) -> str:
    """A suit that stands out on a dark background, too."""
    return french.rimmed_mark(suit) if deck is Deck.FRENCH else suits.pip(suit)


def emoji_drawing(deck: Deck, what: Card | Suit) -> str:
    """A card or a suit as an emoji, an SVG document of 128 × 128."""
    if isinstance(what, Suit):
        french_deck = deck is Deck.FRENCH
        emblem = suit_emblem(french.rimmed_mark(what)) if french_deck else rimmed_emblem(suits.pip(what))
        return page(emblem, SIDE, SIDE)
    pip = pip_of(deck, what.suit)
    if deck is Deck.FRENCH:
        return page(card_emblem(french.index(what), pip, tall=False, colour=french.COLOURS[what.suit]), SIDE, SIDE)
    tall = what.suit in (Suit.ESPADAS, Suit.BASTOS)
    return page(card_emblem(str(what.printed), pip, tall=tall), SIDE, SIDE)
