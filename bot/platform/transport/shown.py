"""The known content of a message, so that it is neither edited without need nor sent a picture that it has."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import Protocol, TypeVar

from bot.platform.layout import Layout
from bot.platform.transport.files import Attached


class Written(Protocol):
    """The known facts about a message that was sent: at least the file of its picture."""

    @property
    def file(self) -> Attached | None: ...


W = TypeVar("W", bound=Written)


class Shown:
    """The known content of a message: the digest of all of it, or None; and which picture, as which file.

    Nothing is known while it is being written: Discord may apply two overlapping writes in either order, and may or may
    not apply a failed one.

    Attributes:
        lacks_picture: whether it was written in words because files were having a bad day.
    """

    __slots__ = ("_begun", "_file", "_picture", "_under_way", "digest", "lacks_picture")

    def __init__(self, digest: str | None = None) -> None:
        self.digest = digest
        self.lacks_picture = False
        self._picture: bytes | None = None
        self._file: Attached | None = None
        self._begun = 0
        self._under_way = 0

    def picture_only(self) -> Shown:
        """Keep only what is known of the message's picture, for when another message replaces it."""
        older = Shown()
        older._picture, older._file = self._picture, self._file
        return older

    def shows(self, digest: str) -> bool:
        """Whether the message is known to show what has this digest."""
        return self.digest == digest

    def file_of(self, layout: Layout) -> Attached | None:
        """Return the file of the layout's picture, if the message is known to have it."""
        return self._file if layout.picture is not None and layout.picture.digest == self._picture else None

    def forget(self) -> None:
        """Record that it is no longer known what the message shows."""
        self.digest = self._picture = self._file = None

    async def written(self, layout: Layout, sending: Awaitable[W]) -> W:
        """Await `sending`, which writes the layout to the message or its replacement; returns and raises the same."""
        self.forget()
        self.lacks_picture = False
        self._begun += 1
        self._under_way += 1
        number, alone = self._begun, self._under_way == 1
        try:
            sent = await sending
        finally:
            self._under_way -= 1
        if alone and number == self._begun:
            self.digest, self._file = layout.digest, sent.file
            self._picture = None if layout.picture is None else layout.picture.digest
        return sent
