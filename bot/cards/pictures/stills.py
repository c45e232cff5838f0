"""Scenes whose pictures are PNG files, as wide and in the colours of a canvas."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import ClassVar

from bot.cards.pictures.canvas import file_of
from bot.platform.drawing.parts import Part, Shared
from bot.platform.drawing.png import Piece
from bot.platform.drawing.scenes import Picture, Scene


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
