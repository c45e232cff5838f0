"""A canvas for pictures, and scenes painted on it."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, ClassVar, Final

from bot.cards.pictures.deck.ink import PAPER
from bot.cards.pictures.deck.signs import can_write, width_of
from bot.cards.pictures.sprites import FELT, Sprite, index_of, palette, plate, text, text_top
from bot.platform.drawing.png import Piece, PngFile, compressed, png_file
from bot.platform.drawing.scenes import Part, Picture, Scene, Shared
from bot.platform.people import LETTERS, capitals, sign_of

if TYPE_CHECKING:
    from PIL import Image

WIDE: Final = 600
"""Every picture's width: twice the 300 pixels at which a phone shows it."""
MARGIN: Final = 8
BADGE_WIDTH: Final = 98
BADGE_HIGH: Final = 60
"""The lower left corner of a picture, which Discord covers with its badge for the alt text: nothing to read is there. A
card may reach into it with its lower half."""
LEAST: Final = 14
"""The least height of letters: on a phone they are half as high."""


class Canvas:
    """A picture `WIDE` pixels across, at first all felt."""

    def __init__(self, height: int, ground: str = FELT) -> None:
        from PIL import Image, ImageDraw

        # The leftmost column isn't seen: PNG has a byte in front of each row, so the image's bytes are the file's rows.
        self._image = Image.new("L", (1 + WIDE, height), index_of(ground))
        self._draw = ImageDraw.Draw(self._image)

    @property
    def height(self) -> int:
        return self._image.height

    def put(self, sprite: Sprite, x: float, y: float) -> None:
        """Copy a sprite with its upper left corner at (x, y)."""
        self._image.paste(sprite.image, (1 + round(x), round(y)), sprite.mask)

    def fan(self, sprites: Sequence[Sprite], x: float, y: float, width: float, step: float) -> float:
        """Fan sprites out like a hand, at most `step` apart and within `width`; returns where they end."""
        if not sprites:
            return x
        if len(sprites) > 1:
            step = min(step, (width - sprites[0].width) / (len(sprites) - 1))
        middle = (len(sprites) - 1) / 2
        for n, sprite in enumerate(sprites):
            bow = 6 * ((n - middle) / middle) ** 2 if middle else 0
            self.put(sprite, x + n * step, y + bow)
        return x + step * (len(sprites) - 1) + sprites[0].width

    def box(self, x: float, y: float, width: float, height: float, colour: str) -> None:
        corners = (1 + round(x), round(y), round(x + width), round(y + height) - 1)
        self._draw.rectangle(corners, fill=index_of(colour))

    def plate(self, x: float, y: float, width: float, height: float, colour: str, *, radius: int, ground: str) -> None:
        """Draw a filled rectangle with round corners, whose edges blend into `ground`."""
        self.put(plate(round(width), round(height), radius, colour, ground), x, y)

    def edge(self, colour: str, thick: int, x: float, y: float, width: float, height: float) -> None:
        """Draw a frame just inside the edges of a rectangle."""
        corners = (1 + round(x), round(y), round(x + width), round(y + height) - 1)
        self._draw.rectangle(corners, outline=index_of(colour), width=thick)

    def write(
        self, words: str, x: float, y: float, high: int, *, colour: str = PAPER, ground: str = FELT, align: float = 0
    ) -> float:
        """Write a text with the tops of its capitals at y; it begins (`align` 0), centres (.5) or ends (1) at x.

        Returns its width.
        """
        made = text(words, high, colour, ground)
        self.put(made, x - made.width * align, y - text_top(high))
        return made.width

    def shrunk(self, width: int) -> Image.Image:
        """Return what was painted, smaller and in full colour."""
        from PIL import Image

        whole = self._image.crop((1, 0, 1 + WIDE, self.height))
        whole.putpalette(_colours())
        size = width, round(self.height * width / WIDE)
        return whole.convert("RGB").resize(size, Image.Resampling.LANCZOS)  # pyright: ignore[reportUnknownMemberType]

    def compressed(self) -> Piece:
        """Compress what was painted into a part of a file."""
        self._image.paste(0, (0, 0, 1, self.height))
        return compressed(self._image.tobytes())


def file_of(*parts: Piece) -> PngFile:
    """A PNG file of parts, one below the other."""
    return png_file(WIDE, parts, _colours())


@cache
def _colours() -> bytes:
    return bytes(palette().getpalette() or [])


def seat_number(side: int, place: int, sides: int) -> str:
    """The stand-in for a name that can't be written: the seat number of a side's player."""
    return f"#{side + place * sides + 1}"


def fitting(name: str, width: float, high: int, instead: str, least: int = LEAST) -> tuple[str, int]:
    """A name made to fit the width, and its height: smaller, down to `least`, and then cut.

    Signs that the alphabet lacks are left out. If no letter or digit remains, the name is the sign that its owner has
    in texts, too; outside a match or tournament, `instead`.
    """
    kept = " ".join("".join(sign for sign in name if can_write(sign)).split())
    if not any(sign in LETTERS for sign in capitals(kept)):
        return sign_of(f"{name} ").strip() or instead, high
    high = fitting_height(kept, width, high, least)
    while len(kept) > 1 and width_at(kept, high) > width:
        kept = kept.removesuffix("…")[:-1].rstrip() + "…"
    return kept, high


def fitting_height(words: str, width: float, high: int, least: int = LEAST) -> int:
    """The greatest height up to `high`, but at least `least`, at which a text fits the width."""
    while high > least and width_at(words, high) > width:
        high -= 1
    return high


def width_at(words: str, high: int) -> float:
    return (width_of(words) + 22) * high / 60


class Still(Scene):
    """A picture that is a PNG file.

    `file_name`: the file's name without its ending; None if it is called after its digest.
    """

    __slots__ = ()
    file_name: ClassVar[str | None] = None

    @property
    @abstractmethod
    def parts(self) -> tuple[Part, ...]:
        """The parts of the picture, one below the other."""

    def paint(self, shared: Shared) -> Picture:
        return self._picture([shared.get_or_paint(part) for part in self.parts])

    def put_together(self, shared: Shared) -> Picture | None:
        pieces: list[Piece] = []
        for part in self.parts:
            piece = shared.cached(part)
            if piece is None:
                return None
            pieces.append(piece)
        return self._picture(pieces)

    def _picture(self, pieces: Sequence[Piece]) -> Picture:
        file = file_of(*pieces)
        return Picture(file.data, f"{self.file_name or file.digest.hex()[:16]}.png", file.digest)


class Whole(Still, Part):
    """A picture that is one part."""

    __slots__ = ()

    @property
    def parts(self) -> tuple[Part, ...]:
        return (self,)
