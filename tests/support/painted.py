"""Pictures with a record of how they came about: what was written where, and which sprites lie where."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from unittest.mock import patch

from PIL import Image

from bot.cards.pictures import sprites
from bot.cards.pictures.canvas import WIDE, Canvas, Still
from bot.cards.pictures.deck.ink import HEIGHT, PAPER, WIDTH
from bot.cards.pictures.sprites import (
    CARD_WIDTH,
    FACE_WIDTHS,
    FELT,
    TABLE_WIDTH,
    Sprite,
    index_of,
    palette,
    text,
    text_top,
)
from bot.platform.drawing.scenes import Part, Scene, Shared

BACKS = (18, 21, 28, 34, 52, CARD_WIDTH)
"""The widths of backs."""
Box = tuple[int, int, int, int]
"""Left, upper, right and lower edge."""


@dataclass(frozen=True)
class Written:
    """A text on a picture. `box` encloses its ink."""

    words: str
    high: int
    colour: str
    ground: str
    at: tuple[int, int]
    sprite: Sprite
    box: Box


@dataclass(frozen=True)
class Laid:
    """A sprite or a rectangle of one colour on a picture, and the part of the picture that it covered."""

    sprite: Sprite
    box: Box
    below: Image.Image
    colour: str = ""

    @property
    def is_face(self) -> bool:
        """Whether it is a card's face, maybe framed."""
        masks = [sprites._outline(width) for width in FACE_WIDTHS]
        masks += [sprites._frame(width, frame).mask for width in (CARD_WIDTH, TABLE_WIDTH) for frame in (4, 5, 6)]
        return any(self.sprite.mask is mask for mask in masks)

    @property
    def is_card(self) -> bool:
        """Whether it is a card's face or back."""
        short, long = sorted(self.sprite.image.size)
        return self.is_face or (short in BACKS and not self.colour and abs(long / short - HEIGHT / WIDTH) < 0.04)


@dataclass
class Painting:
    """A part of a picture, or a frame of a clip, that has been painted."""

    image: Image.Image
    written: list[Written] = field(default_factory=list)
    laid: list[Laid] = field(default_factory=list)
    is_last: bool = True

    def coloured(self, box: Box) -> Image.Image:
        """A piece of it in full colour."""
        return in_colour(self.image.crop(box))


def meets(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def in_colour(image: Image.Image) -> Image.Image:
    image = image.copy()
    image.putpalette(palette().getpalette() or [])
    return image.convert("RGB")


def paintings(scene: Scene) -> Iterator[tuple[Part | Scene, Painting]]:
    """The parts of a still, or the frames of a clip."""
    if isinstance(scene, Still):
        for part in scene.parts:
            with recording() as found:
                part.draw()
            [painting] = found
            painting.is_last = part is scene.parts[-1]
            yield part, painting
    else:
        with recording() as found:
            scene.paint(Shared())
        for painting in found:
            yield scene, painting


class recording:  # noqa: N801 - used like a function
    """Records all canvases that are painted meanwhile."""

    def __enter__(self) -> list[Painting]:
        self._found: dict[int, tuple[Canvas, Painting]] = {}
        begin, put, write, plate, box = Canvas.__init__, Canvas.put, Canvas.write, Canvas.plate, Canvas.box
        found = self._found
        paused: list[str] = []

        def begun(canvas: Canvas, height: int, ground: str = FELT) -> None:
            begin(canvas, height, ground)
            found[id(canvas)] = canvas, Painting(canvas._image)

        def laid(canvas: Canvas, sprite: Sprite, x: float, y: float, colour: str = "") -> None:
            at = round(x), round(y)
            edges = (at[0], at[1], at[0] + sprite.width, at[1] + sprite.height)
            image = canvas._image
            below = image.crop((1 + edges[0], edges[1], 1 + edges[2], edges[3]))
            found[id(canvas)][1].laid.append(Laid(sprite, edges, below, colour))

        def on_put(canvas: Canvas, sprite: Sprite, x: float, y: float) -> None:
            if not paused:
                laid(canvas, sprite, x, y)
            put(canvas, sprite, x, y)

        def on_plate(
            canvas: Canvas, x: float, y: float, width: float, height: float, colour: str, *, radius: int, ground: str
        ) -> None:
            laid(canvas, sprites.plate(round(width), round(height), radius, colour, ground), x, y, colour)
            paused.append("plate")
            plate(canvas, x, y, width, height, colour, radius=radius, ground=ground)
            paused.pop()

        def on_box(canvas: Canvas, x: float, y: float, width: float, height: float, colour: str) -> None:
            size = max(1, round(x + width) - round(x)), max(1, round(y + height) - round(y))
            whole = Sprite(Image.new("L", size, index_of(colour)), Image.new("1", size, 1))
            laid(canvas, whole, x, y, colour)
            box(canvas, x, y, width, height, colour)

        def on_write(
            canvas: Canvas,
            words: str,
            x: float,
            y: float,
            high: int,
            *,
            colour: str = PAPER,
            ground: str = FELT,
            align: float = 0,
        ) -> float:
            sprite = text(words, high, colour, ground)
            at = round(x - sprite.width * align), round(y - text_top(high))
            ink = sprite.mask.getbbox()
            if ink is not None:
                edges = (at[0] + ink[0], at[1] + ink[1], at[0] + ink[2], at[1] + ink[3])
                record = Written(words, high, colour, ground, at, sprite, edges)
                found[id(canvas)][1].written.append(record)
            paused.append("write")
            width = write(canvas, words, x, y, high, colour=colour, ground=ground, align=align)
            paused.pop()
            return width

        self._patches = [
            patch.object(Canvas, "__init__", begun),
            patch.object(Canvas, "put", on_put),
            patch.object(Canvas, "plate", on_plate),
            patch.object(Canvas, "box", on_box),
            patch.object(Canvas, "write", on_write),
        ]
        for each in self._patches:
            each.start()
        self._made: list[Painting] = []
        return self._made

    def __exit__(self, *_: object) -> None:
        for each in self._patches:
            each.stop()
        for canvas, painting in self._found.values():
            painting.image = canvas._image.crop((1, 0, 1 + WIDE, canvas.height))
            self._made.append(painting)
