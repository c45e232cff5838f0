"""The one answer to an interaction: at once, or after a deferral when the work takes too long for Discord."""

from __future__ import annotations

import asyncio
import io
import logging
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from enum import Enum, auto
from typing import Any, Final, Protocol

import discord
from discord.ui import Modal
from discord.utils import MISSING

from bot.tables.log.events import Person
from bot.ui.layout import Layout, notice
from bot.ui.transport.drawn import Drawn
from bot.ui.transport.ephemeral import EphemeralMessage
from bot.ui.transport.files import Files, Sent, file_on, replacing, uploading
from bot.ui.transport.trouble import ACKNOWLEDGED, NETWORK
from bot.ui.words.texts import Words

log = logging.getLogger(__name__)

DEFER_SECONDS: Final = 1.8
"""The age at which an interaction is deferred; Discord gives up on it after 3 s, and the way there takes time too."""
_UNKNOWN: Final = 10062
"""Discord's code for an interaction that is too old to be answered, or never existed."""
_KEY: Final = "reply"
_BAD_REQUEST: Final = 400
_TOO_MANY_REQUESTS: Final = 429


def person_of(interaction: discord.Interaction[Any]) -> Person:
    return Person(interaction.user.id, interaction.user.display_name)


class Speaker(Protocol):
    """The part of the bot that makes texts."""

    def words(self, locale: str, guild_id: int | None) -> Words:
        """Return the words of a language, with commands and cards as they are shown on a server."""
        ...


def private_words(interaction: discord.Interaction[Any]) -> Words:
    """Return the words for the person who asks."""
    speaker: Speaker = interaction.client
    return speaker.words(interaction.locale.value, interaction.guild_id)


def is_private(interaction: discord.Interaction[Any]) -> bool:
    """Whether the interaction is a click on a message that only its person sees."""
    return interaction.message is not None and interaction.message.flags.ephemeral


def _answered(answer: discord.InteractionCallbackResponse[Any] | None, layout: Layout) -> Sent:
    """Read what Discord says about the message that answered an interaction."""
    if answer is None:
        return Sent(None, None)
    message = answer.resource
    return Sent(
        answer.message_id, file_on(message, layout) if isinstance(message, discord.InteractionMessage) else None
    )


class _Promise(Enum):
    """The promise of a deferral, and the people who see that the bot is thinking until it is kept."""

    PUBLIC = auto()
    """A message for everybody."""
    PRIVATE = auto()
    """A message for the person alone."""
    UPDATE = auto()
    """A change of the clicked message."""


class Reply:
    """The one answer to an interaction, in any way that is still open. Use it as a context manager around the work.

    `public` says that a command's answer is for everybody; the answer to a click changes the clicked message or is
    private. `since`: when Discord began to wait for the answer, in the loop's time; None for now.
    """

    def __init__(
        self, interaction: discord.Interaction[Any], *, public: bool = False, since: float | None = None
    ) -> None:
        self._interaction = interaction
        self._public = public
        self._since = since
        self._lock = asyncio.Lock()
        self._timer: asyncio.TimerHandle | None = None
        self._deferring: asyncio.Task[None] | None = None
        self._promise: _Promise | None = None
        """The promise that hasn't been kept yet."""
        self.deferred = False
        interaction.extras[_KEY] = self

    async def __aenter__(self) -> Reply:
        loop = asyncio.get_running_loop()
        since = loop.time() if self._since is None else self._since
        self._timer = loop.call_at(since + DEFER_SECONDS, self._too_slow)
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._timer is not None:
            self._timer.cancel()
        if self._deferring is not None:
            await asyncio.wait([self._deferring])

    def promise_in_public(self) -> None:
        """Make the answer to this command one for everybody: a deferral from now on says so."""
        self._public = True

    def _too_slow(self) -> None:
        self._deferring = asyncio.create_task(self._defer())

    async def claim(self) -> bool:
        """Defer at once; return False if another process has answered the interaction already, or it came too late.

        Discord accepts one answer to an interaction, so no other process answers one that this process could defer.
        """
        if self._interaction.type is discord.InteractionType.autocomplete:
            return True  # it can't be deferred, and an answer does no harm
        async with self._lock:
            try:
                await self._promise_answer()
            except discord.HTTPException as error:
                if error.code in (ACKNOWLEDGED, _UNKNOWN):
                    log.info("Interaction %s was answered by another process, or came too late", self._interaction.id)
                    return False
                log.info("Interaction %s could not be deferred (%s)", self._interaction.id, type(error).__name__)
            except NETWORK as error:
                log.info("Interaction %s could not be deferred (%s)", self._interaction.id, type(error).__name__)
        return True

    async def _defer(self) -> None:
        async with self._lock:
            if self._interaction.response.is_done():
                return
            try:
                await self._promise_answer()
            except NETWORK as error:
                log.info("Interaction %s could not be deferred (%s)", self._interaction.id, type(error).__name__)

    async def _promise_answer(self) -> None:
        """Tell Discord that the answer will come."""
        response = self._interaction.response
        if self._interaction.message is not None:
            promise = _Promise.UPDATE
            await response.defer()
        else:
            promise = _Promise.PUBLIC if self._public else _Promise.PRIVATE
            await response.defer(ephemeral=promise is _Promise.PRIVATE, thinking=True)
        self.deferred, self._promise = True, promise

    async def update(
        self,
        layout: Layout,
        files: Files | None = None,
        *,
        allowed_mentions: discord.AllowedMentions | None = None,
    ) -> Sent:
        """Show a layout on the clicked message; it pings only those whom `allowed_mentions` allows.

        `files` are all that the message has from then on, None for those of the layout.
        """
        interaction, view, attached = self._interaction, Drawn(layout), replacing(layout) if files is None else files
        mentions = allowed_mentions or discord.AllowedMentions.none()
        async with self._lock:
            if interaction.response.is_done():
                edited = await interaction.edit_original_response(
                    view=view, attachments=attached, allowed_mentions=mentions
                )
                return Sent(edited.id, file_on(edited, layout))
            answer = await interaction.response.edit_message(view=view, attachments=attached, allowed_mentions=mentions)
            return _answered(answer, layout)

    async def update_private(self, layout: Layout) -> None:
        """Show a layout on the clicked message if only the person sees that, otherwise in a private message."""
        if is_private(self._interaction):
            await self.update(layout)
        else:
            await self.send_private(layout)

    async def send_private(self, layout: Layout) -> EphemeralMessage:
        """Send a message that only the person sees."""
        interaction, view = self._interaction, Drawn(layout)
        async with self._lock:
            if not interaction.response.is_done():
                answer = await interaction.response.send_message(view=view, **uploading(layout), ephemeral=True)
                sent = _answered(answer, layout)
                return EphemeralMessage.original(interaction, sent.message_id, sent.file)
            if self._promise is _Promise.PRIVATE:
                message = await interaction.edit_original_response(view=view, attachments=replacing(layout) or MISSING)
                self._promise = None
                return EphemeralMessage.original(interaction, message.id, file_on(message, layout))
            async with self._replacing_promise(_Promise.PUBLIC):
                return await EphemeralMessage.follow_up(interaction, layout)

    @asynccontextmanager
    async def _replacing_promise(self, promise: _Promise) -> AsyncGenerator[None]:
        """Send something other than `promise` within the block, if that was promised.

        The first follow-up takes the place of the promised message, and would be seen by the same people; and if that
        is just deleted, Discord may take no follow-up at all. So it becomes three dots for a moment.
        """
        promised = self._promise is promise
        if promised:
            await self._interaction.edit_original_response(view=Drawn(notice("…")))
        yield
        if promised:
            self._promise = None
            try:
                await self._interaction.delete_original_response()
            except NETWORK as error:
                log.info(
                    "Interaction %s: could not delete the placeholder (%s)", self._interaction.id, type(error).__name__
                )

    async def follow_up_with_file(self, layout: Layout, text: str, name: str, content: bytes) -> None:
        """Send a file after the private answer, shown by a layout that contains the text.

        If that answer was deferred, the file takes its place: Discord may refuse files in follow-ups to a deferral.
        """
        interaction, view = self._interaction, Drawn(layout)
        file = discord.File(io.BytesIO(content), name)
        if self.deferred:
            await interaction.edit_original_response(view=view, attachments=[file])
            return
        try:
            await interaction.followup.send(view=view, file=file, ephemeral=True)
        except discord.HTTPException as error:
            if error.status != _BAD_REQUEST:
                raise
            log.info("Interaction %s: a file goes out in plain content (code %s)", interaction.id, error.code)
            file = discord.File(io.BytesIO(content), name)
            await interaction.followup.send(text, file=file, ephemeral=True)

    async def send_public(self, layout: Layout, *, allowed_mentions: discord.AllowedMentions) -> Sent:
        """Send a message that everybody sees."""
        interaction, view, attached = self._interaction, Drawn(layout), uploading(layout)
        async with self._lock:
            if not interaction.response.is_done():
                answer = await interaction.response.send_message(
                    view=view, **attached, allowed_mentions=allowed_mentions
                )
                return _answered(answer, layout)
            if self._promise is _Promise.PUBLIC:
                files = replacing(layout) or MISSING
                message = await interaction.edit_original_response(
                    view=view, attachments=files, allowed_mentions=allowed_mentions
                )
                self._promise = None
                return Sent(message.id, file_on(message, layout))
            async with self._replacing_promise(_Promise.PRIVATE):
                message = await interaction.followup.send(
                    view=view, **attached, allowed_mentions=allowed_mentions, wait=True
                )
            return Sent(message.id, file_on(message, layout))

    async def announce(self, text: str, *, allowed_mentions: discord.AllowedMentions) -> None:
        """Answer a click with plain text that everybody sees: notifications show text, and nothing of a layout."""
        interaction = self._interaction
        async with self._lock:
            if interaction.response.is_done():
                await interaction.followup.send(text, allowed_mentions=allowed_mentions, suppress_embeds=True)
            else:
                await interaction.response.send_message(text, allowed_mentions=allowed_mentions, suppress_embeds=True)

    async def ignore(self) -> None:
        """Acknowledge a click, and change nothing."""
        async with self._lock:
            if not self._interaction.response.is_done():
                await self._interaction.response.defer()

    async def modal(self, modal: Modal) -> None:
        """Open a form; after a deferral Discord opens none."""
        async with self._lock:
            if not self._interaction.response.is_done():
                await self._interaction.response.send_modal(modal)


def reply_to(interaction: discord.Interaction[Any]) -> Reply:
    reply = interaction.extras.get(_KEY)
    return reply if isinstance(reply, Reply) else Reply(interaction)
