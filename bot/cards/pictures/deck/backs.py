"""The backs of both decks: a lattice in a frame, with the deck's mark in the middle."""

from __future__ import annotations

from bot.cards.pictures.deck.ink import BLUE, HEIGHT, PAPER, RED, WIDTH, YELLOW, block, disc, path, placed
from bot.cards.pictures.deck.suits import star, sun

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
