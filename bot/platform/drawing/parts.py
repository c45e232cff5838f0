"""Parts of pictures: each is painted once, and shared by all pictures that show it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from threading import Lock
from typing import Final, Protocol

from cachetools import LRUCache

from bot.platform.drawing.png import Piece

MOST_PART_BYTES: Final = 8 * 1024 * 1024
"""Some 500 parts, or 130 large ones."""


class Drawn(Protocol):
    """A strip that has been drawn."""

    def compressed(self) -> Piece: ...


class Part(ABC):
    """A strip of a picture, as a value: equal for equal strips."""

    __slots__ = ()

    @abstractmethod
    def draw(self) -> Drawn:
        """Draw the strip, as wide as the picture."""


class Shared:
    """The parts that were used last: many pictures have some in common, and a change leaves most of them as they were.

    Any thread may ask for them.
    """

    __slots__ = ("_lock", "_pieces")

    def __init__(self, most_bytes: int = MOST_PART_BYTES) -> None:
        self._pieces: LRUCache[Part, Piece] = LRUCache(most_bytes, getsizeof=lambda piece: len(piece.deflated))
        self._lock = Lock()  # not held while painting, so nobody waits for it

    def cached(self, part: Part) -> Piece | None:
        """Return the part, if it has been painted."""
        with self._lock:
            return self._pieces.get(part)

    def get_or_paint(self, part: Part) -> Piece:
        """Return the part, painted now if it isn't cached."""
        piece = self.cached(part)
        if piece is None:
            piece = part.draw().compressed()
            with self._lock:
                self._pieces[part] = piece
        return piece
