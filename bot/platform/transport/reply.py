"""The one answer to an interaction: at once, or after a deferral when the work takes too long for Discord.

A first answer that Discord doesn't confirm may have been accepted all the same. So it is sent again soon; if Discord
then says that the interaction was answered before, what follows edits that answer.
"""

from __future__ import annotations

import asyncio
import io
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from enum import Enum, auto
from functools import partial
from itertools import chain, repeat
from typing import Any, Final, Protocol, TypeVar

import discord
from discord.ui import Modal
from discord.utils import MISSING

from bot.platform.language.texts import Words
from bot.platform.layout import Drawn, Layout, notice
from bot.platform.people import Person
from bot.platform.transport.channels import EphemeralMessage
from bot.platform.transport.files import Files, Sent, file_on, replacing, uploading
from bot.platform.transport.pacer import Unsure, harmless
from bot.platform.transport.permissions import own_server
from bot.platform.transport.picture_access import UploadRoute
from bot.platform.transport.trouble import ACKNOWLEDGED, NETWORK, UNKNOWN_INTERACTION, is_passing

log = logging.getLogger(__name__)

UPLOAD_SECONDS: Final = 1.0
"""The age of an interaction until which its first answer may upload a file; from then on it is answered in words."""
DEFER_SECONDS: Final = 1.3
"""The age at which an interaction is deferred; Discord gives up on it after 3 s, and the way there takes time too."""
LAST_SECONDS: Final = 2.8
"""The age from which on a first answer isn't tried again."""
ATTEMPT_SECONDS: Final = 1.2
"""Seconds to wait for Discord to confirm a first answer in words, before it is sent again."""
PAUSES: Final = (0.2, 0.4, 0.7)
"""Seconds between a failed attempt and the next; the last of them from then on."""
"""Discord's code for an interaction that is too old to be answered, or never existed."""
_KEY: Final = "reply"
_WORDS: Final = "words"
_BAD_REQUEST: Final = 400
_TOO_MANY_REQUESTS: Final = 429


T = TypeVar("T")


def person_of(interaction: discord.Interaction[Any]) -> Person:
    return Person(interaction.user.id, interaction.user.display_name)


class Speaker(Protocol):
    """The part of the bot that makes texts."""

    def words(self, locale: str, guild_id: int | None, person_id: int | None = None) -> Words:
        """Return the words of a language, with commands and cards as they are shown on a server; for one person alone,
        in the language and with the cards of their choice."""
        ...


def private_words(interaction: discord.Interaction[Any]) -> Words:
    """Return the words for the person who asks, found once for each interaction."""
    words = interaction.extras.get(_WORDS)
    if words is None:
        speaker: Speaker = interaction.client
        words = speaker.words(interaction.locale.value, own_server(interaction), interaction.user.id)
        interaction.extras[_WORDS] = words
    return words


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
        self._loop = asyncio.get_running_loop()
        self._since = self._loop.time() if since is None else since
        self._lock = asyncio.Lock()
        self._timer: asyncio.TimerHandle | None = None
        self._deferring: asyncio.Task[None] | None = None
        self._promise: _Promise | None = None
        """The promise that hasn't been kept yet."""
        self._unconfirmed: _Promise | None = None
        """The kind of a first answer that Discord may have accepted, although it hasn't said so."""
        self._accepted = False
        """Whether Discord says that it had accepted that one."""
        self.deferred = False
        self.taken = False
        """Whether something else had answered the interaction before this process sent anything."""
        interaction.extras[_KEY] = self

    async def __aenter__(self) -> Reply:
        self._timer = self._loop.call_at(self._since + DEFER_SECONDS, self._too_slow)
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
                if error.code in (ACKNOWLEDGED, UNKNOWN_INTERACTION):
                    log.info("Interaction %s was answered by another process, or came too late", self._interaction.id)
                    return False
                log.info("Interaction %s could not be deferred (%s)", self._interaction.id, type(error).__name__)
            except NETWORK as error:
                log.info("Interaction %s could not be deferred (%s)", self._interaction.id, type(error).__name__)
        return True

    async def _defer(self) -> None:
        async with self._lock:
            if self._is_done:
                return
            try:
                await self._promise_answer()
            except NETWORK as error:
                log.info("Interaction %s could not be deferred (%s)", self._interaction.id, type(error).__name__)

    async def _promise_answer(self) -> None:
        """Tell Discord that the answer will come."""
        response = self._interaction.response
        if self._interaction.message is not None:
            promise, defer = _Promise.UPDATE, response.defer
        else:
            promise = _Promise.PUBLIC if self._public else _Promise.PRIVATE
            defer = partial(response.defer, ephemeral=promise is _Promise.PRIVATE, thinking=True)
        with harmless():
            await self._first(promise, defer)
        if not self._accepted:
            self.deferred, self._promise = True, promise

    @property
    def route(self) -> UploadRoute:
        """The route that the picture of an answer would take now."""
        return UploadRoute.WEBHOOKS if self._is_done else UploadRoute.ANSWERS

    @property
    def _is_done(self) -> bool:
        """Whether Discord has a first answer."""
        return self._accepted or self._interaction.response.is_done()

    async def _first(self, kind: _Promise, send: Callable[[], Awaitable[T]], *, uploads: bool = False) -> T | None:
        """Send the first answer; returns None if Discord had accepted an earlier one, which it hadn't confirmed.

        One with a file is tried once, and no longer than until there is just time for words. Anything else is tried
        again until it is too late.

        Raises:
            NETWORK: the refusal, or the failure of the last attempt.
        """
        for pause in chain(PAUSES, repeat(PAUSES[-1])):
            try:
                until = self._since + UPLOAD_SECONDS if uploads else self._loop.time() + ATTEMPT_SECONDS
                async with asyncio.timeout_at(until):
                    return await send()
            except Unsure:  # it wasn't sent
                raise
            except NETWORK as error:
                if self._unconfirmed is not None and getattr(error, "code", 0) == ACKNOWLEDGED:
                    self._accepted = True
                    self._promise = self._unconfirmed if await self._is_ours() else None
                    return None
                if not is_passing(error):
                    self.taken |= getattr(error, "code", 0) == ACKNOWLEDGED
                    raise
                self._unconfirmed = kind
                if uploads or self._loop.time() + pause > self._since + LAST_SECONDS:
                    raise
            await asyncio.sleep(pause)
        raise AssertionError("unreachable: the pauses never end")

    async def _is_ours(self) -> bool:
        """Whether what Discord had accepted is the unconfirmed answer.

        An interaction can be delivered twice: then it may be the other delivery's, a message that everybody sees, and
        what is for one person's eyes must not be written there.
        """
        if self._unconfirmed is not _Promise.PRIVATE:
            return True
        try:
            return (await self._interaction.original_response()).flags.ephemeral
        except NETWORK as error:
            log.info("Interaction %s: its answer can't be looked up (%s)", self._interaction.id, type(error).__name__)
            return False

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
        interaction = self._interaction
        attached = replacing(layout) if files is None else files
        how: dict[str, Any] = {
            "view": Drawn(layout),
            "attachments": attached,
            "allowed_mentions": allowed_mentions or discord.AllowedMentions.none(),
        }
        async with self._lock:
            if not self._is_done:
                uploads = any(isinstance(each, discord.File) for each in attached)
                send = partial(interaction.response.edit_message, **how)
                answer = await self._first(_Promise.UPDATE, send, uploads=uploads)
                if not self._accepted:
                    return _answered(answer, layout)
            edited = await interaction.edit_original_response(**how)
            return Sent(edited.id, file_on(edited, layout))

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
            if not self._is_done:
                send = partial(interaction.response.send_message, view=view, **uploading(layout), ephemeral=True)
                answer = await self._first(_Promise.PRIVATE, send, uploads=layout.picture is not None)
                if not self._accepted:
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
        interaction = self._interaction
        view = Drawn(layout)
        attached = uploading(layout)
        async with self._lock:
            if not self._is_done:
                send = partial(
                    interaction.response.send_message, view=view, **attached, allowed_mentions=allowed_mentions
                )
                answer = await self._first(_Promise.PUBLIC, send, uploads=bool(attached))
                if not self._accepted:
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
        how: dict[str, Any] = {"allowed_mentions": allowed_mentions, "suppress_embeds": True}
        async with self._lock:
            if self._is_done:
                await interaction.followup.send(text, **how)
            else:
                await self._first(_Promise.PUBLIC, partial(interaction.response.send_message, text, **how))

    async def ignore(self) -> None:
        """Acknowledge a click, and change nothing."""
        async with self._lock:
            if not self._is_done:
                with harmless():
                    await self._first(_Promise.UPDATE, self._interaction.response.defer)

    async def modal(self, modal: Modal) -> None:
        """Open a form; after a deferral Discord opens none."""
        async with self._lock:
            if not self._is_done:
                await self._first(_Promise.UPDATE, partial(self._interaction.response.send_modal, modal))


def reply_to(interaction: discord.Interaction[Any]) -> Reply:
    reply = interaction.extras.get(_KEY)
    return reply if isinstance(reply, Reply) else Reply(interaction)
