"""Files on messages, and what a message is known to show."""

from __future__ import annotations

from collections.abc import Awaitable, Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO
from itertools import chain
from typing import Any, Protocol, TypeVar

import discord
from discord.components import Component, Container, MediaGalleryComponent

from bot.platform.drawing.scenes import Picture
from bot.platform.layout import Layout

Files = list[Any]
"""All the files of an edited message, as discord.py takes them: uploads, and those that stay. Others are dropped."""


@dataclass(frozen=True, slots=True)
class Attached:
    """A file that is on a message. It stays only if an edit lists it with its id and its name."""

    id: int
    name: str

    def to_dict(self) -> dict[str, Any]:
        """Write the file's entry in an edit's list of attachments; discord.py calls this."""
        return {"id": str(self.id), "filename": self.name}


@dataclass(frozen=True, slots=True)
class Sent:
    """A message that Discord has accepted: its id, if known, and the file of its picture."""

    message_id: int | None
    file: Attached | None


def file_of(picture: Picture, alt: str | None = None) -> discord.File:
    """Make the file of a picture, for one request; it can be read again if the request is retried.

    `alt`: what it shows, if no component says so.
    """
    return discord.File(BytesIO(picture.data), picture.name, description=alt)


def uploading(layout: Layout) -> dict[str, Any]:
    """Return the file of a new message, if any, as an argument of discord.py's methods."""
    return {} if layout.picture is None else {"file": file_of(layout.picture)}


def replacing(layout: Layout) -> Files:
    """List the files of an edit that replaces everything the message had."""
    return [] if layout.picture is None else [file_of(layout.picture)]


def file_on(message: discord.Message, layout: Layout) -> Attached | None:
    """Find the file of the layout's picture on a message that shows it, if Discord says which that is."""
    if layout.picture is None:
        return None
    name = layout.picture.name
    # Discord names the file in the component that shows it, and leaves the list of attachments empty.
    listed = (file.id for file in message.attachments if file.filename == name)
    found = next(chain(_files_shown(message.components), listed), None)
    return None if found is None else Attached(found, name)


def _files_shown(components: Sequence[Component]) -> Iterator[int]:
    for component in components:
        if isinstance(component, Container):
            yield from _files_shown(component.children)
        elif isinstance(component, MediaGalleryComponent):
            yield from (item.media.attachment_id for item in component.items if item.media.attachment_id is not None)


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
