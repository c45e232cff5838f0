"""What a message is known to show, so that it isn't edited to what it shows already."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

from bot.ui.screens.layout import Layout


class Shown:
    """The digest of what a message shows.

    None while nobody knows: Discord may apply two writes that overlap in either order, and one that failed or not.
    """

    __slots__ = ("_begun", "_under_way", "digest")

    def __init__(self, digest: str | None = None) -> None:
        self.digest = digest
        self._begun = 0
        self._under_way = 0

    def is_as(self, layout: Layout) -> bool:
        """Whether the message shows this for certain."""
        return self.digest is not None and self.digest == layout.digest

    @contextmanager
    def writing(self, layout: Layout) -> Generator[None]:
        """In this block the message is written."""
        self.digest = None
        self._begun += 1
        self._under_way += 1
        number, alone = self._begun, self._under_way == 1
        try:
            yield
        finally:
            self._under_way -= 1
        if alone and number == self._begun:
            self.digest = layout.digest
