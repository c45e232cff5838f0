"""What a message is known to show, so that it isn't edited to what it shows already, nor sent a picture it has."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from enum import Enum, auto
from typing import Final

from discord.utils import MISSING

from bot.ui.screens.layout import Layout
from bot.ui.transport.files import Files, replacing


class _Attached(Enum):
    NOTHING = auto()
    """There is no picture on it."""
    UNKNOWN = auto()
    """There may be one, and nobody knows which."""


NOTHING: Final = _Attached.NOTHING
UNKNOWN: Final = _Attached.UNKNOWN


class Shown:
    """What a message is known to show: the digest of all of it, or None; and which picture.

    Nobody knows while it is being written: Discord may apply two writes that overlap in either order, and a failed one
    or not.
    """

    __slots__ = ("_begun", "_picture", "_under_way", "digest")

    def __init__(self, digest: str | None = None) -> None:
        self.digest = digest
        self._picture: bytes | _Attached = UNKNOWN
        self._begun = 0
        self._under_way = 0

    def picture_only(self) -> Shown:
        """What is known of the message's picture, for when another message replaces it."""
        older = Shown()
        older._picture = self._picture
        return older

    def shows(self, digest: str) -> bool:
        """Whether the message is known to show what has this digest."""
        return self.digest == digest

    def forget(self) -> None:
        """Nobody knows any more."""
        self.digest, self._picture = None, UNKNOWN

    @contextmanager
    def writing(self, layout: Layout) -> Generator[Files]:
        """Write the message in this block, or another that replaces it; yields the files of an edit."""
        picture = NOTHING if layout.picture is None else layout.picture.digest
        files = MISSING if picture == self._picture else replacing(layout)
        self.forget()
        self._begun += 1
        self._under_way += 1
        number, alone = self._begun, self._under_way == 1
        try:
            yield files
        finally:
            self._under_way -= 1
        if alone and number == self._begun:
            self.digest, self._picture = layout.digest, picture
