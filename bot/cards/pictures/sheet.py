"""Prints a sheet of both decks for docs/PLAYING.md: `python -m bot.cards.pictures.sheet docs/pictures/decks.png`."""

import argparse
from io import BytesIO
from pathlib import Path
from typing import Final

from PIL import Image

from bot.cards.pictures.deck.decks import Cut, back_drawing, face_drawing
from bot.cards.pictures.sprites import FELT, rgb
from bot.engine.cards import DECK, Suit
from bot.platform.drawing.png import png_of
from bot.platform.language.faces import Deck

_WIDTH: Final = 130
_GAP: Final = 8
_COLUMNS: Final = 10


def sheet(width: int = _WIDTH) -> bytes:
    """Both decks as printed, a suit in each row, and a row of the backs and of some small cuts, as one PNG file."""
    rows: list[list[str]] = []
    for deck in Deck:
        rows += [[face_drawing(deck, card, Cut.FULL) for card in DECK if card.suit is suit] for suit in Suit]
    small = [face_drawing(deck, card, Cut.SMALL) for deck in Deck for card in (DECK[0], DECK[25], DECK[30], DECK[39])]
    rows.append([back_drawing(Deck.SPANISH), *small, back_drawing(Deck.FRENCH)])
    high = round(width * 1.55)
    made = Image.new("RGB", (_COLUMNS * (width + _GAP) + _GAP, len(rows) * (high + _GAP) + _GAP), rgb(FELT))
    for y, row in enumerate(rows):
        for x, drawing in enumerate(row):
            card = Image.open(BytesIO(png_of(drawing, width))).convert("RGBA")
            made.paste(card, (_GAP + x * (width + _GAP), _GAP + y * (high + _GAP)), card)
    out = BytesIO()
    made.quantize(128, dither=Image.Dither.NONE).save(out, "PNG", optimize=True)
    return out.getvalue()


def main() -> None:
    """Write the sheet to the file named on the command line."""
    parser = argparse.ArgumentParser(prog="python -m bot.cards.pictures.sheet", description=__doc__)
    parser.add_argument("file", type=Path, help="the PNG file to write")
    parser.parse_args().file.write_bytes(sheet())


if __name__ == "__main__":
    main()
