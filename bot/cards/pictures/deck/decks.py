"""The drawings of both decks: faces, backs, pips."""

from enum import StrEnum

from bot.cards.pictures.deck import french, spanish, suits
from bot.cards.pictures.deck.ink import BLUE, HEIGHT, PAPER, RED, WIDTH, YELLOW, block, disc, page, path, placed
from bot.cards.pictures.deck.suits import SIDE, card_emblem, rimmed_emblem, star, suit_emblem, sun
from bot.engine.cards import Card, Suit
from bot.platform.language.faces import Deck

_STEP_X = 27.0
_STEP_Y = 28.2


def lattice(colour: str) -> str:
    """Diamonds in the colour of the deck, a dot in each."""
    drawn = block(14, 14, WIDTH - 28, HEIGHT - 28, colour, radius=8)
    for column in range(-1, 7):
        for row in range(-1, 11):
            x, y = 19 + _STEP_X * (column + 0.5), 14 + _STEP_Y * (row + 0.5)
            if 22 < x < WIDTH - 22 and 22 < y < HEIGHT - 22:
                drawn += path(f"M{x:g} {y - 11:g}L{x + 11:g} {y:g}L{x:g} {y + 11:g}L{x - 11:g} {y:g}Z", PAPER, width=0)
                drawn += disc(x, y, 4.2, colour, width=0)
            x, y = 19 + _STEP_X * (column + 1), 14 + _STEP_Y * (row + 1)
            if 26 < x < WIDTH - 26 and 26 < y < HEIGHT - 26:
                drawn += disc(x, y, 2.6, YELLOW, width=0)
    return drawn


def spanish_back() -> str:
    """Red, with the sun of the ace of oros."""
    return (
        sheet_of_paper() + lattice(RED) + placed(disc(0, 0, 46, PAPER), 100, 155) + placed(sun(), 100, 155, size=0.68)
    )


def french_back() -> str:
    """Blue, with a compass star."""
    mark = disc(0, 0, 46, PAPER) + star(8, 40, 17, BLUE) + star(4, 40, 11, YELLOW) + disc(0, 0, 7, RED, width=2)
    return sheet_of_paper() + lattice(BLUE) + placed(mark, 100, 155)


def sheet_of_paper() -> str:
    """A card before anything is printed on it."""
    return block(1.5, 1.5, WIDTH - 3, HEIGHT - 3, PAPER, radius=16)


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
