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


class Frame:
    """The picture that a message is known to show: the digest of its file, NOTHING, or UNKNOWN.

    Nobody knows while it is written: Discord may apply two writes that overlap in either order, and one that failed or
    not.
    """

    __slots__ = ("_attached", "_begun", "_under_way")

    def __init__(self) -> None:
        self._attached: bytes | _Attached = UNKNOWN
        self._begun = 0
        self._under_way = 0

    def of_older(self) -> Frame:
        """A frame for the message that it was of, because it will be another's."""
        older = Frame()
        older._attached = self._attached
        return older

    def forget(self) -> None:
        """Nobody knows any more."""
        self._attached = UNKNOWN

    @contextmanager
    def writing(self, layout: Layout) -> Generator[Files]:
        """In this block the message is written, or another that takes its place; gives the files of an edit."""
        wanted = NOTHING if layout.picture is None else layout.picture.digest
        files = MISSING if wanted == self._attached else replacing(layout)
        self.forget()
        self._begun += 1
        self._under_way += 1
        number, alone = self._begun, self._under_way == 1
        try:
            yield files
        finally:
            self._under_way -= 1
        if alone and number == self._begun:
            self._written(layout)

    def _written(self, layout: Layout) -> None:
        """It shows this for certain."""
        self._attached = NOTHING if layout.picture is None else layout.picture.digest


class Shown(Frame):
    """The same, and the digest of all that the message shows; None while nobody knows."""

    __slots__ = ("digest",)

    def __init__(self, digest: str | None = None) -> None:
        super().__init__()
        self.digest = digest

    def is_as(self, layout: Layout) -> bool:
        """Whether the message shows this for certain."""
        return self.digest is not None and self.digest == layout.digest

    def is_wholly(self, layout: Layout) -> bool:
        """Whether it shows this with its picture for certain, which hasn't been drawn yet."""
        return self.digest is not None and self.digest == layout.whole_digest

    def forget(self) -> None:
        """Nobody knows any more."""
        super().forget()
        self.digest = None

    def _written(self, layout: Layout) -> None:
        super()._written(layout)
        self.digest = layout.digest
