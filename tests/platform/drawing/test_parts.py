"""The parts of pictures are painted once, and kept within bounds."""

from dataclasses import dataclass
from functools import cache

from bot.cards.pictures.canvas import Canvas
from bot.cards.pictures.sprites import DARK, FELT
from bot.platform.drawing.scenes import Part, Shared

drawn: list[int] = []


@dataclass(frozen=True)
class Band(Part):
    """Nothing but felt, up to the band at the bottom."""

    height: int

    def draw(self) -> Canvas:
        drawn.append(self.height)
        canvas = Canvas(100, FELT)
        canvas.box(0, 100 - self.height, 600, self.height, DARK)
        return canvas


@cache
def size() -> int:
    """The bytes of a band: those of the others differ by a few."""
    return len(Band(1).draw().compressed().deflated)


def test_recently_used_parts_stay() -> None:
    shared = Shared(2 * size() + size() // 2)
    drawn.clear()
    for height in (1, 2, 1, 3, 1, 2):
        shared.get_or_paint(Band(height))
    assert drawn == [1, 2, 3, 2]
    assert shared.cached(Band(3)) is None
    assert shared.cached(Band(1)) is shared.get_or_paint(Band(1))


def test_the_memory_for_parts_is_bounded() -> None:
    shared = Shared(10 * size() + size() // 2)
    for height in range(1, 40):
        shared.get_or_paint(Band(height))
    assert [height for height in range(1, 40) if shared.cached(Band(height)) is not None] == list(range(30, 40))
