"""Gives layouts their pictures in time, and sends them; without the picture where Discord takes none.

gallery = Gallery(pictures, now)
layout = await gallery.illustrated(layout, channel_id, ANSWER_SECONDS, late=surface.invalidate)
await gallery.send(channel_id, layout, lambda each: reply.update(each))
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from typing import Final, TypeVar

import discord

from bot.ui.pictures.scenes import Scene
from bot.ui.pictures.studio import Picture, Pictures, result_of
from bot.ui.screens.layout import Layout
from bot.ui.transport.plain_faces import plainly

log = logging.getLogger(__name__)

ANSWER_SECONDS: Final = 0.06
"""How long a reply waits for its picture: nobody notices, and a picture that is ready by then needs no edit."""
EDIT_SECONDS: Final = 0.5
"""How long an edit waits for its picture; nobody waits for the edit."""
WITHOUT: Final = timedelta(minutes=10)
"""How long to send no pictures to a channel after Discord has said that the bot may not."""
_TOO_LARGE: Final = 413
_REFUSED: Final = (400, _TOO_LARGE)
_NO_PERMISSION: Final = 50013
_MANY: Final = 1_000

R = TypeVar("R")


class Gallery:
    """Where layouts get their pictures from.

    Args:
        pictures: None if the bot makes none, and layouts stay as they are.
        now: the time.
        emoji_refused: called when Discord refuses an emoji.
    """

    def __init__(
        self, pictures: Pictures | None, now: Callable[[], datetime], emoji_refused: Callable[[], None]
    ) -> None:
        self._pictures = pictures
        self._now = now
        self._emoji_refused = emoji_refused
        self._without: dict[int, datetime] = {}
        """The channels to which no pictures are sent, and until when."""

    async def illustrated(
        self, layout: Layout, channel_id: int, seconds: float, late: Callable[[Scene], None] | None = None
    ) -> Layout:
        """The layout with its picture, or without it if that isn't ready in time or can't be shown in the channel.

        `late` is called with the scene of a picture that isn't ready in time, once it is.
        """
        drawing = layout.drawing
        if drawing is None or self._pictures is None or not self._takes_pictures(channel_id):
            return layout
        picture = self._pictures.at_hand(drawing.scene)
        if picture is None:
            painting = self._pictures.begin(drawing.scene)
            if painting is None:
                return layout
            await asyncio.wait([painting], timeout=seconds)
            if not painting.done():
                if late is not None:
                    painting.add_done_callback(lambda done: _tell(done, drawing.scene, late))
                return layout
            picture = result_of(painting)
        return layout if picture is None else layout.with_picture(picture)

    async def send(self, channel_id: int, layout: Layout, how: Callable[[Layout], Awaitable[R]]) -> R:
        """Send a layout; if Discord takes everything but its picture or its emojis, without that.

        Raises what `how` raises.
        """
        how = plainly(how, self._emoji_refused)
        if layout.picture is None:
            return await how(layout)
        try:
            return await how(layout)
        except discord.HTTPException as error:
            forbidden = isinstance(error, discord.Forbidden) and error.code == _NO_PERMISSION
            if not forbidden and error.status not in _REFUSED:
                raise
            log.info("Channel %s: a picture was refused (%s, code %s)", channel_id, error.status, error.code)
        sent = await how(layout.without_picture)
        if forbidden:  # because of the picture: this was accepted
            self._keep_without(channel_id)
        return sent

    def _takes_pictures(self, channel_id: int) -> bool:
        until = self._without.get(channel_id)
        return until is None or self._now() >= until

    def _keep_without(self, channel_id: int) -> None:
        now = self._now()
        if len(self._without) >= _MANY:
            self._without = {key: until for key, until in self._without.items() if now < until}
        self._without[channel_id] = now + WITHOUT


def _tell(painting: asyncio.Future[Picture], scene: Scene, late: Callable[[Scene], None]) -> None:
    if result_of(painting) is not None:
        late(scene)
