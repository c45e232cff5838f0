"""The sprites that pictures are assembled from: each made once in a process, then only copied.

All pictures share one palette, of the printer's inks and the blends between two of them at an edge. Sprites are matched
to it when they are made, so a picture needs only copies of bytes and one compression, and no quantising. A card is
drawn from vectors only once, as large as it is in a hand; smaller and framed ones are made from that.

Pillow is imported where it makes something: a bot that shows nothing does without its 5 MB.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, lru_cache
from io import BytesIO
from typing import TYPE_CHECKING, Final

from bot.cards.pictures.deck import ink
from bot.cards.pictures.deck.decks import Cut, back_drawing, face_drawing, rimmed_pip_of, sheet_of_paper
from bot.cards.pictures.deck.ink import HEIGHT, WIDTH, block, page, placed
from bot.cards.pictures.deck.signs import width_of, writing
from bot.engine.cards import DECK, Card, Suit
from bot.platform.drawing.png import png_of
from bot.platform.language.faces import Deck
from bot.platform.memories import naming

if TYPE_CHECKING:
    from PIL import Image

FELT: Final = "#226846"
DARK: Final = "#1a5238"
SHADE: Final = "#123d29"
GOLD: Final = "#ffd34d"
BRONZE: Final = "#f0b48c"
SIDES: Final = (ink.YELLOW, "#9cc6f2", "#f7b3a7", "#b6e8a0", ink.PAPER)
"""The colour of each side's line and marks."""
CARD_WIDTH: Final = 112
"""The width of a card in a hand, in pixels of a picture that phones show at half its size."""
CARD_HEIGHT: Final = round(CARD_WIDTH * HEIGHT / WIDTH)
TABLE_WIDTH: Final = 80
TABLE_HEIGHT: Final = round(TABLE_WIDTH * HEIGHT / WIDTH)
SMALL_WIDTH: Final = 52
FACE_WIDTHS: Final = (CARD_WIDTH, TABLE_WIDTH, SMALL_WIDTH)
"""The widths of cards in a hand, on the table and in a round's score."""

_INKS: Final = (
    ink.INK, ink.PAPER, ink.YELLOW, ink.RED, ink.BLUE, ink.GREEN, ink.SKIN, ink.STEEL, ink.LEAF, ink.BROWN, ink.SNOW,
    FELT, DARK, SHADE, GOLD, "#ffffff", "#d9932f", "#5b3416", "#c98d4b", "#8f9aa6", "#a5441c", "#3c434b", "#e79a6c",
    "#f3efe2", "#b4531f", BRONZE, *SIDES[1:4],
)  # fmt: skip
_ON_CARDS: Final = 11
"""Number of the inks, from the first, that are those of the cards."""
_SEEN: Final = 41
"""The least opacity, out of 255, of a sprite's pixel that is copied."""
Colour = tuple[int, int, int]


@dataclass(frozen=True, slots=True, eq=False)
class Sprite:
    """A piece of a picture, as indices in the palette, and a mask of where it is opaque. Cached: never draw on them."""

    image: Image.Image
    mask: Image.Image

    @property
    def width(self) -> int:
        return self.image.width

    @property
    def height(self) -> int:
        return self.image.height


@cache
def palette() -> Image.Image:
    """The inks, and three blends of each with the grounds that it meets at an edge."""
    from PIL import Image

    colours = dict.fromkeys(map(rgb, _INKS))
    for number, one in enumerate(_INKS):
        grounds = [ink.INK, ink.PAPER]
        grounds += [FELT] if number < _ON_CARDS or one in (GOLD, *SIDES) else []
        grounds += [DARK] if one in (ink.INK, ink.PAPER, GOLD) else []
        for ground in grounds:
            colours |= dict.fromkeys(_between(rgb(one), rgb(ground), step / 4) for step in (1, 2, 3))
    flat = [part for colour in list(colours)[:256] for part in colour]
    made = Image.new("P", (1, 1))
    made.putpalette(flat + flat[:3] * (256 - len(flat) // 3))
    return made


@cache
def index_of(colour: str) -> int:
    """An ink's index in the palette."""
    return _INKS.index(colour)


def rgb(colour: str) -> Colour:
    """The components of a colour like "#2f855a"."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def face(deck: Deck, card: Card, width: int = CARD_WIDTH) -> Sprite:
    """A card's face in one of the `FACE_WIDTHS`."""
    return Sprite(_faces(deck, card)[width], _outline(width))


def framed(deck: Deck, card: Card, width: int, frame: int) -> Sprite:
    """A card's face in a golden frame of `frame` pixels."""
    around = _frame(width, frame)
    image = around.image.copy()
    image.paste(_faces(deck, card)[width], (frame, frame), _outline(width, 255))
    return Sprite(image, around.mask)


@lru_cache(maxsize=8)
def printed(deck: Deck, card: Card, width: int) -> Sprite:
    """A card's face as it is printed."""
    return _sprite(face_drawing(deck, card, Cut.FULL), width)


@lru_cache(maxsize=len(DECK) * len(Deck))
def _faces(deck: Deck, card: Card) -> dict[int, Image.Image]:
    """A card's face by width: drawn once, because that costs more than anything else, and scaled down."""
    drawn_ = _pixels(face_drawing(deck, card, Cut.SMALL), CARD_WIDTH)
    return {width: _on(FELT, _scaled(drawn_, width)) for width in FACE_WIDTHS}


@lru_cache(maxsize=2 * len(FACE_WIDTHS))
def _outline(width: int, level: int = _SEEN) -> Image.Image:
    """Find where a card of that width is at least that opaque: all have the same outline."""
    alpha = _scaled(_pixels(page(sheet_of_paper()), CARD_WIDTH), width).getchannel("A")
    return _mask(alpha, level)


@lru_cache(maxsize=8)
def _frame(width: int, frame: int) -> Sprite:
    """A blank card in a golden frame, drawn in one piece so that their edges meet smoothly."""
    edge = frame * WIDTH / width
    wide, high = WIDTH + 2 * edge, HEIGHT + 2 * edge
    drawing = block(0, 0, wide, high, GOLD, radius=edge * 2.6, outline=0) + placed(sheet_of_paper(), edge, edge)
    return _sprite(page(drawing, wide, high), width + 2 * frame)


@lru_cache(maxsize=64)
def plate(width: int, height: int, radius: int, colour: str, ground: str) -> Sprite:
    """A filled rectangle with round corners."""
    drawing = page(block(0, 0, width, height, colour, radius=radius, outline=0), width, height)
    return _sprite(drawing, width, ground=ground)


@lru_cache(maxsize=64)
def back(deck: Deck, width: int, *, crossed: bool = False) -> Sprite:
    """A card's back, upright or lying across."""
    from PIL import Image

    made = _pixels(back_drawing(deck), width)
    return _matched(made.transpose(Image.Transpose.ROTATE_90) if crossed else made, FELT)


@lru_cache(maxsize=32)
def pip(deck: Deck, suit: Suit, width: int) -> Sprite:
    return _sprite(page(placed(rimmed_pip_of(deck, suit), 58, 58), 116, 116), width)


@naming
@lru_cache(maxsize=512)
def text(words: str, high: int, colour: str = ink.PAPER, ground: str = FELT, bold: float = 11) -> Sprite:
    """A text in the deck's own capitals, which are `high` pixels high; accents and strokes exceed that."""
    scale = high / 60
    above, below = 30 + bold, 20 + bold
    drawing = page(
        writing(words, bold, above, 60, bold=bold, colour=colour), width_of(words) + 2 * bold, 60 + above + below
    )
    return _sprite(drawing, max(1, round((width_of(words) + 2 * bold) * scale)), ground=ground)


def text_top(high: int, bold: float = 11) -> int:
    """Return the pixels between the upper edge of a text's sprite and its capitals."""
    return round((30 + bold) * high / 60)


@lru_cache(maxsize=160)
def drawn(drawing: str, width: int, ground: str = FELT) -> Sprite:
    """A drawing that other pictures use too."""
    return drawn_once(drawing, width, ground)


def drawn_once(drawing: str, width: int, ground: str = FELT) -> Sprite:
    """A drawing for one picture only. It isn't cached: it may be large, and would never be used again."""
    return _sprite(drawing, width, ground=ground)


def warm(deck: Deck, wanted: Callable[[], bool]) -> None:
    """Make the sprites of every card for as long as `wanted` returns True: some 300 ms of CPU, once in a process."""
    for card in DECK:
        if wanted():
            face(deck, card)


def _sprite(drawing: str, width: int, *, ground: str = FELT) -> Sprite:
    return _matched(_pixels(drawing, width), ground)


def _pixels(drawing: str, width: int) -> Image.Image:
    from PIL import Image

    return Image.open(BytesIO(png_of(drawing, width))).convert("RGBA")


def _scaled(pixels: Image.Image, width: int) -> Image.Image:
    """A card's pixels in another width."""
    from PIL import Image

    if width == pixels.width:
        return pixels
    size = width, round(width * HEIGHT / WIDTH)
    # with premultiplied alpha, so that the colour of transparent pixels doesn't bleed into the edges
    return pixels.convert("RGBa").resize(size, Image.Resampling.LANCZOS).convert("RGBA")  # pyright: ignore[reportUnknownMemberType] - as below


def _matched(pixels: Image.Image, ground: str) -> Sprite:
    """The pixels on their ground, matched to the palette."""
    return Sprite(_on(ground, pixels), _mask(pixels.getchannel("A"), _SEEN))


def _on(ground: str, pixels: Image.Image) -> Image.Image:
    from PIL import Image

    below = Image.new("RGB", pixels.size, rgb(ground))
    below.paste(pixels.convert("RGB"), mask=pixels.getchannel("A"))
    matched = below.quantize(palette=palette(), dither=Image.Dither.NONE)
    return Image.frombytes("L", matched.size, matched.tobytes())  # without the palette: 4 KB each


def _mask(alpha: Image.Image, level: int) -> Image.Image:
    levels = [255 if each >= level else 0 for each in range(256)]
    return alpha.point(levels).convert("1")  # pyright: ignore[reportUnknownMemberType] - Pillow leaves one of its kinds untyped


def _between(one: Colour, other: Colour, share: float) -> Colour:
    return (
        round(one[0] + (other[0] - one[0]) * share),
        round(one[1] + (other[1] - one[1]) * share),
        round(one[2] + (other[2] - one[2]) * share),
    )
