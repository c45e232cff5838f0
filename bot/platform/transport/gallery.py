"""Layouts with their pictures, sent in time, and without any picture or emojis that Discord doesn't take.

gallery = Gallery(pictures, now, meter, emoji_refused, common_form)
layout = await gallery.illustrated(layout, channel_id, ANSWER_SECONDS, late=surface.invalidate, editing=True)
await gallery.edit(channel_id, layout, shown, reply.update, route=reply.route)
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, TypeVar

import discord

from bot.platform.drawing.scenes import Picture, Pictures, Scene, result_of
from bot.platform.layout import Layout
from bot.platform.operating.meter import Meter, PictureRefusal
from bot.platform.transport.files import Attached, Files, Shown, Written, replacing
from bot.platform.transport.picture_access import PictureAccess, UploadRoute
from bot.platform.transport.plain_faces import CommonForm, is_about_emoji, with_plain_faces
from bot.platform.transport.trouble import ACKNOWLEDGED, ARCHIVED, LOCKED, NETWORK, is_passing
from bot.platform.transport.webhooks import failing_at_once

log = logging.getLogger(__name__)

ANSWER_SECONDS: Final = 0.06
"""Seconds that a reply waits for its picture: nobody notices, and a picture that is ready by then needs no edit."""
EDIT_SECONDS: Final = 0.5
"""Seconds that an edit waits for its picture; nobody waits for the edit."""
UPLOAD_SECONDS: Final = 8.0
"""Seconds after which a message goes out in words because its upload didn't get through; for a click, see `Reply`."""
SLOW_SECONDS: Final = 1.0
"""Seconds after which an upload is so slow that clicks are answered without waiting for theirs."""
AGAIN_SECONDS: Final = 20.0
"""Seconds after which a message that lacks its picture for that reason is edited to show it."""
_BAD_REQUEST: Final = 400
_FORBIDDEN: Final = 403
_REFUSED: Final = (_BAD_REQUEST, _FORBIDDEN, 413)
_UPLOADS_LIMITED: Final = 400001
"""Discord's code when somebody, or the bot, may upload nothing for now."""
_NOT_ABOUT_FILES: Final = (ACKNOWLEDGED, ARCHIVED, LOCKED)
"""Discord's codes for an interaction that was answered before, and for an archived and a locked thread."""

W = TypeVar("W", bound=Written)


class Gallery:
    """The maker of pictures for layouts, and their sender.

    Args:
        pictures: None if the bot makes no pictures; layouts then stay as they are.
        now: the present instant.
        meter: counts the pictures that Discord refuses.
        emoji_refused: called when Discord refuses an emoji; the layout is then sent without the bot's own.
        common_form: returns what is sent in place of one of those.
    """

    def __init__(
        self,
        pictures: Pictures | None,
        now: Callable[[], datetime],
        meter: Meter,
        emoji_refused: Callable[[], None],
        common_form: CommonForm,
    ) -> None:
        self._pictures = pictures
        self._access = PictureAccess(now)
        self._meter = meter
        self._emoji_refused = emoji_refused
        self._common_form = common_form

    async def illustrated(
        self,
        layout: Layout,
        channel_id: int,
        seconds: float,
        late: Callable[[Scene], None] | None = None,
        *,
        editing: bool,
    ) -> Layout:
        """Add its picture to a layout, unless it isn't ready in time or can't be shown in the channel.

        Args:
            layout: the layout to show.
            channel_id: the channel to show it in.
            seconds: the longest wait for the picture.
            late: called with the scene of a picture that isn't ready in time, once it is.
            editing: whether a message is edited, rather than posted.
        """
        if self._pictures is not None:
            self._pictures.draw_ahead()
        drawing, access = layout.drawing, self._access
        takes_pictures = access.takes_edits if editing else access.takes_posts
        if drawing is None or self._pictures is None or not takes_pictures(channel_id):
            return layout
        picture = self._pictures.get_if_ready(drawing.scene)
        if picture is None:
            painting = self._pictures.start_painting(drawing.scene)
            if painting is None:
                return layout
            await asyncio.wait([painting], timeout=seconds)
            if not painting.done():
                if late is not None:
                    painting.add_done_callback(lambda done: _tell(done, drawing.scene, late))
                return layout
            picture = result_of(painting)
        return layout if picture is None else layout.with_picture(picture)

    async def post(
        self,
        channel_id: int,
        layout: Layout,
        shown: Shown,
        how: Callable[[Layout], Awaitable[W]],
        *,
        route: UploadRoute = UploadRoute.POSTS,
    ) -> W:
        """Send a new message, without its picture if Discord refuses that. Raises what `how` raises."""
        attempts = [_Attempt(layout, PictureRefusal.POST, route), *_in_words(layout, route)]
        return await self._send(channel_id, attempts, shown, lambda each, _: how(each))

    async def edit(
        self,
        channel_id: int,
        layout: Layout,
        shown: Shown,
        how: Callable[[Layout, Files], Awaitable[W]],
        *,
        route: UploadRoute = UploadRoute.EDITS,
    ) -> W:
        """Edit a message: `how` receives a layout and all the files that the message has from then on.

        A picture that the message already has is kept. If Discord refuses to keep it, it is uploaded again, and if that
        is refused too, the layout is shown without it. Raises what `how` raises.
        """
        if layout.picture is not None and not self._access.takes_edits(channel_id):
            layout = layout.without_picture
        attempts = [_Attempt(layout, PictureRefusal.EDIT, route), *_in_words(layout, route)]
        kept = shown.file_of(layout)
        if kept is not None and self._access.keeps_files(channel_id):
            attempts.insert(0, _Attempt(layout, PictureRefusal.KEPT, route, kept))
        return await self._send(channel_id, attempts, shown, how)

    def rests(self, route: UploadRoute) -> bool:
        """Whether no picture is uploaded on a route for now: a few uploads in a row have failed on Discord's side."""
        return self._access.uploads_rest(route)

    async def _send(
        self,
        channel_id: int,
        attempts: Sequence[_Attempt],
        shown: Shown,
        how: Callable[[Layout, Files], Awaitable[W]],
    ) -> W:
        """Make the first attempt, and the next one if the files of the first may be why it failed."""
        first, *others = attempts
        if first.uploads and others and not self._access.may_upload(first.route):
            return await self._send_in_words(channel_id, others, shown, how)
        began = asyncio.get_running_loop().time()
        try:
            async with asyncio.timeout(UPLOAD_SECONDS if first.uploads else None):
                with failing_at_once(first.uploads):
                    sent = await self._send_faces(first, shown, how)
        except NETWORK as error:
            if not others or getattr(error, "code", 0) in _NOT_ABOUT_FILES:
                raise
            failure = error
        else:
            if first.uploads:
                self._upload_took(first.route, asyncio.get_running_loop().time() - began)
            return sent
        if first.uploads and is_passing(failure) and not isinstance(failure, discord.RateLimited):
            sent = await self._send_in_words(channel_id, others, shown, how)
            log.info("Channel %s: a picture did not get through (%s)", channel_id, type(failure).__name__)
            self._upload_took(first.route, UPLOAD_SECONDS)
            return sent
        if not isinstance(failure, discord.HTTPException) or failure.status not in _REFUSED:
            raise failure
        # A forbidden or too large request stays so in any form; only a bad request may pass in another one.
        sent = await self._send(channel_id, others if failure.status == _BAD_REQUEST else others[-1:], shown, how)
        self._learn(channel_id, first.risk, failure)  # the files were the reason, because this was accepted
        return sent

    async def _send_faces(self, attempt: _Attempt, shown: Shown, how: Callable[[Layout, Files], Awaitable[W]]) -> W:
        """Make an attempt, and if an emoji is refused, again: once as it was, because Discord refuses some requests
        with valid emojis, then without our own."""
        layout = attempt.layout
        for _ in range(2):
            try:
                return await shown.written(layout, how(layout, attempt.files))
            except discord.HTTPException as error:
                if not is_about_emoji(error):
                    raise
        self._emoji_refused()
        layout = with_plain_faces(layout, self._common_form)
        return await shown.written(layout, how(layout, attempt.files))

    def _upload_took(self, route: UploadRoute, seconds: float) -> None:
        """Note how long an upload took, or that it didn't get through."""
        if seconds < SLOW_SECONDS:
            self._access.upload_passed(route)
        elif self._access.upload_failed(route):
            log.warning(
                "Discord takes files too slowly, or not at all (%s): tables are shown in words for a while",
                route.name.lower(),
            )

    async def _send_in_words(
        self,
        channel_id: int,
        attempts: Sequence[_Attempt],
        shown: Shown,
        how: Callable[[Layout, Files], Awaitable[W]],
    ) -> W:
        sent = await self._send(channel_id, attempts[-1:], shown, how)
        shown.lacks_picture = True
        return sent

    def _learn(self, channel_id: int, refused: PictureRefusal, error: discord.HTTPException) -> None:
        log.info("Channel %s: a picture was refused (%s: %s, %s)", channel_id, refused, error.status, error.code)
        self._meter.picture_refused(refused)
        if error.status == _FORBIDDEN or error.code == _UPLOADS_LIMITED:
            self._access.forbidden(channel_id)
            return
        if refused is PictureRefusal.KEPT:
            self._access.not_kept(channel_id)
        if refused is not PictureRefusal.POST and self._access.edit_refused(channel_id):
            log.info("Channel %s: editing messages without pictures for a while", channel_id)
            self._meter.picture_refused(PictureRefusal.CHANNEL)


@dataclass(frozen=True, slots=True)
class _Attempt:
    """A way to send a layout. `risk`: the refusal that its files may cause; `kept`: the file that is there already."""

    layout: Layout
    risk: PictureRefusal
    route: UploadRoute
    kept: Attached | None = None

    @property
    def files(self) -> Files:
        if self.kept is not None:
            return [self.kept]
        return [] if self.layout.picture is None else replacing(self.layout)

    @property
    def uploads(self) -> bool:
        """Whether it sends a file."""
        return self.kept is None and self.layout.picture is not None


def _in_words(layout: Layout, route: UploadRoute) -> list[_Attempt]:
    """List the attempt without the layout's picture, if it has one."""
    return [] if layout.picture is None else [_Attempt(layout.without_picture, PictureRefusal.EDIT, route)]


def _tell(painting: asyncio.Future[Picture], scene: Scene, late: Callable[[Scene], None]) -> None:
    if result_of(painting) is not None:
        late(scene)
