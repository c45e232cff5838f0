"""A picture as an attachment: uploaded with a message, and kept when the message is edited."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO
from itertools import chain
from typing import Any

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


def file_of(picture: Picture) -> discord.File:
    """Make the file of a picture, for one request; it can be read again if the request is retried."""
    return discord.File(BytesIO(picture.data), picture.name)


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
    listed = (each.id for each in message.attachments if each.filename == name)
    found = next(chain(_files_shown(message.components), listed), None)
    return None if found is None else Attached(found, name)


def _files_shown(components: Sequence[Component]) -> Iterator[int]:
    for each in components:
        if isinstance(each, Container):
            yield from _files_shown(each.children)
        elif isinstance(each, MediaGalleryComponent):
            yield from (item.media.attachment_id for item in each.items if item.media.attachment_id is not None)
