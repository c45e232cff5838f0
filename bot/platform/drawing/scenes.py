"""The contents of pictures, as values: made only from views, so they hold nothing hidden, and equal for equal pictures.

A public scene is made from what everybody sees, so all who see the same state share one picture. What one person alone
may see is only in a scene whose picture is sent to nobody else. A scene is a frozen dataclass whose `repr` is the same
in every process: layouts are compared by it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import ClassVar, Final

from bot.platform.drawing.parts import Shared
from bot.platform.language.direction import units
from bot.platform.language.texts import Words

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
