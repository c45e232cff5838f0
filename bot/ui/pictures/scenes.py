"""The contents of pictures, as values: made only from views, so they hold nothing hidden, and equal for equal pictures.

A public scene is made from what everybody sees, so all who see the same state share one picture. Only a panel's scene
holds a hand, and it is sent only to the hand's owner. A scene is a frozen dataclass whose `repr` is the same in every
process: layouts are compared by it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Final

from bot.ui.pictures.canvas import file_of
from bot.ui.pictures.parts import Part, Shared
from bot.ui.pictures.png import Piece
from bot.ui.words.direction import units
from bot.ui.words.texts import Words

LONGEST: Final = 1024
"""The longest alt text that Discord takes."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A finished picture: a PNG file, or a clip as a GIF. Its name reveals nothing that the public message doesn't.

    `digest` identifies the picture by what it shows. A panel's must never leave the process.
    """

    data: bytes = field(compare=False)
    name: str
    digest: bytes


class Scene(ABC):
    """The contents of a picture.

    `is_slow`: whether painting takes so long that it must not hold up other pictures.
    """

    __slots__ = ()
    is_slow: ClassVar[bool] = False

    @abstractmethod
    def paint(self, shared: Shared) -> Picture:
        """Paint the picture, in any thread: the same for equal scenes, whatever was painted with `shared` before."""

    def put_together(self, shared: Shared) -> Picture | None:
        """Make what `paint` would, if all its parts are cached: so quickly that it needs no thread."""
        return None

    @abstractmethod
    def sentences(self, t: Words) -> list[str]:
        """Say everything that the picture shows, and nothing that it doesn't; what is needed to play comes first."""

    def alt(self, t: Words) -> str:
        """Describe the picture for screen readers. What doesn't fit is what the message says anyway."""
        text = ""
        for part in self.sentences(t):  # whole sentences only: half a list of cards would be wrong
            if units(text) + units(part) + 2 > LONGEST:
                return f"{text} …"
            text = f"{text} {part}" if text else part
        return text


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
