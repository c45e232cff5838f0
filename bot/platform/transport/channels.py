"""Channel messages that don't answer an interaction: the one place where they are posted, edited and deleted.

Discord counts these requests, unlike answers to interactions and edits through their tokens, so each waits for its
turn.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterable, Sequence
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Any, Final, Protocol

import discord
from discord import AllowedMentions, Object

from bot.platform.language.spelling import directed
from bot.platform.layout import Below, Component, Drawn, Layout
from bot.platform.transport.files import Attached, Files, Sent, file_of, file_on, replacing, uploading
from bot.platform.transport.pacer import Pacer, Ticket
from bot.platform.transport.trouble import NETWORK, Trouble, trouble_of
from bot.platform.transport.turns import Priority


def only_role(role_id: int) -> AllowedMentions:
    """Allow pinging everybody who has a role."""
    return AllowedMentions(everyone=False, users=False, replied_user=False, roles=[Object(role_id)])


def everybody_of(people: Iterable[int]) -> AllowedMentions:
    """Allow pinging these people, and nobody else. Ask `Tools.willing` instead of whoever hasn't asked for it: some
    have chosen never to be pinged."""
    return AllowedMentions(everyone=False, roles=False, replied_user=False, users=[Object(user) for user in people])


class EphemeralMessage:
    """A private message, and the interaction whose token reaches it.

    Attributes:
        id: None if Discord hasn't given it.
        file: the file of its picture as it was sent, if known.
    """

    __slots__ = ("_follows_up", "_interaction", "file", "id")

    def __init__(
        self, interaction: discord.Interaction[Any], message_id: int | None, file: Attached | None, *, follows_up: bool
    ) -> None:
        self._interaction = interaction
        self._follows_up = follows_up
        """Whether it is a follow-up, which only the token that sent it can reach."""
        self.id = message_id
        self.file = file

    @classmethod
    def original(
        cls, interaction: discord.Interaction[Any], message_id: int | None, file: Attached | None = None
    ) -> EphemeralMessage:
        """Return the message that answered the interaction, or that was clicked."""
        return cls(interaction, message_id, file, follows_up=False)

    @classmethod
    async def follow_up(cls, interaction: discord.Interaction[Any], layout: Layout) -> EphemeralMessage:
        """Send another message after the interaction's first answer."""
        sent = await interaction.followup.send(view=Drawn(layout), **uploading(layout), ephemeral=True, wait=True)
        return cls(interaction, sent.id, file_on(sent, layout), follows_up=True)

    @property
    def token(self) -> str:
        return self._interaction.token

    @property
    def place(self) -> tuple[int | None, int | None]:
        """The server and channel that it is in, which may not be its table's."""
        return self._interaction.guild_id, self._interaction.channel_id

    async def post_again(self, layout: Layout) -> EphemeralMessage:
        """Send the same person a new message through the same token. This one stays until it is deleted."""
        return await self.follow_up(self._interaction, layout)

    async def edit(self, layout: Layout, files: Files | None = None) -> Sent:
        """Edit the message to show a layout; `files` are all that it has from then on, None for those of the layout."""
        view, attached = Drawn(layout), replacing(layout) if files is None else files
        if self._follows_up and self.id is not None:
            edited = await self._interaction.followup.edit_message(self.id, view=view, attachments=attached)
        else:
            edited = await self._interaction.edit_original_response(view=view, attachments=attached)
        return Sent(edited.id, file_on(edited, layout))

    async def delete(self) -> None:
        if self._follows_up and self.id is not None:
            await self._interaction.followup.delete_message(self.id)
        else:
            await self._interaction.delete_original_response()


NOBODY = discord.AllowedMentions.none()
QUIET_MINUTES: Final = 1440
"""Quiet minutes after which Discord archives a thread with an open table: a day, the next choice above an hour."""
QUIET_MINUTES_SLOW: Final = 10080
"""The same for a table at which a turn takes a day or more: a week, the longest that Discord offers."""
QUIET_MINUTES_AFTERWARDS: Final = 60
"""The same once the table is over: an hour, the shortest that Discord offers, for a review, a rematch and some talk."""
APART: Final = timedelta(minutes=30)
"""The least time between two refusals that say that there is no such channel, before that is believed."""
_HAS_THREAD: Final = 160004
"""Discord's code for opening a second thread on a message. The first has the id of the message."""


class Place(Protocol):
    """A table, or anything else with messages in a server's channel."""

    @property
    def channel_id(self) -> int: ...

    @property
    def guild_id(self) -> int: ...


class Channels:
    """The sender of messages to channels. Every method that sends raises what `reply.NETWORK` lists."""

    def __init__(self, client: discord.Client, pacer: Pacer) -> None:
        self._client = client
        self._pacer = pacer

    @asynccontextmanager
    async def turn(self, place: Place, priority: Priority, *, edits: bool = True) -> AsyncGenerator[Ticket]:
        """Wait until a request may be sent to a channel; decide what to send only when the turn has come.

        `edits`: whether the request may edit a message, and so counts as an edit in the channel; one with the priority
        `POST` never does.
        """
        edited = place.channel_id if edits and priority is not Priority.POST else None
        async with self._pacer.turn(priority, edited) as ticket:
            yield ticket

    async def post(
        self, ticket: Ticket, place: Place, layout: Layout, *, nonce: str, allowed_mentions: discord.AllowedMentions
    ) -> Sent:
        """Post a message. For some minutes Discord returns the same message for the same nonce."""
        await ticket.use()
        message = await self._channel(place).send(
            view=Drawn(layout), **uploading(layout), allowed_mentions=allowed_mentions, nonce=nonce
        )
        return Sent(message.id, file_on(message, layout))

    async def post_text(
        self, ticket: Ticket, place: Place, text: str, *, nonce: str, allowed_mentions: discord.AllowedMentions
    ) -> int:
        """Post plain text, as `post` does a layout: notifications show text, and nothing of a layout."""
        await ticket.use()
        message = await self._channel(place).send(
            directed(text), allowed_mentions=allowed_mentions, nonce=nonce, suppress_embeds=True
        )
        return message.id

    async def open_private(self, person_id: int) -> int:
        """Open the private channel with somebody, or find the one there is; return its id. Discord takes few of these
        requests in a short time before it suspects the bot."""
        async with self._pacer.turn(Priority.LEFT_BEHIND, None) as ticket:
            await ticket.use()
            return int((await self._client.http.start_private_message(person_id))["id"])

    async def tell(
        self,
        channel_id: int,
        text: str,
        *,
        nonce: str,
        rows: Sequence[Component] = (),
        pictured: Layout | None = None,
        alt: str = "",
    ) -> Sent:
        """Send a message to somebody's private channel, which they have asked for.

        `rows`: of buttons, below the text; `pictured`: a layout whose picture is attached, if it has one; `alt`: what
        the picture shows.
        """
        async with self._pacer.turn(Priority.LEFT_BEHIND, None) as ticket:
            await ticket.use()
            channel = self._client.get_partial_messageable(channel_id)
            more: dict[str, Any] = {"view": Below(rows)} if rows else {}
            if pictured is not None and pictured.picture is not None:
                more["file"] = file_of(pictured.picture, directed(alt))
            text = directed(text)
            sent = await channel.send(text, nonce=nonce, suppress_embeds=True, allowed_mentions=NOBODY, **more)
            return Sent(getattr(sent, "id", None), None)

    async def edit_text(
        self, ticket: Ticket, place: Place, message_id: int, text: str, *, allowed_mentions: discord.AllowedMentions
    ) -> None:
        await ticket.use()
        message = self._channel(place).get_partial_message(message_id)
        await message.edit(content=directed(text), allowed_mentions=allowed_mentions)

    async def edit(
        self,
        ticket: Ticket,
        place: Place,
        message_id: int,
        layout: Layout,
        files: Files,
        *,
        allowed_mentions: discord.AllowedMentions = NOBODY,
    ) -> Sent:
        """Edit a message to show a layout; `files` are all that it has from then on."""
        await ticket.use()
        message = self._channel(place).get_partial_message(message_id)
        edited = await message.edit(view=Drawn(layout), attachments=files, allowed_mentions=allowed_mentions)
        return Sent(message_id, file_on(edited, layout))

    async def is_gone(self, place: Place, refused_for: timedelta) -> bool:
        """Judge whether a channel that has just been called unknown is gone for good.

        Discord says so wrongly at times. So it has to have said it for long, and to say it once more when it is asked
        for the channel itself; and nothing is believed while the server is in an outage, or the bot isn't in it.

        `refused_for`: how long the channel has refused everything.
        """
        guild = self._client.get_guild(place.guild_id)
        if refused_for < APART or guild is None or guild.unavailable:
            return False
        try:
            await self._client.http.get_channel(place.channel_id)
        except NETWORK as error:
            return trouble_of(error) is Trouble.GONE
        return False

    async def delete(self, ticket: Ticket, place: Place, message_id: int) -> None:
        await ticket.use()
        await self._channel(place).get_partial_message(message_id).delete()

    async def open_thread(self, ticket: Ticket, place: Place, message_id: int, name: str, *, slow: bool = False) -> int:
        """Open a thread on a message of the table, or find the one that is open there; return its id.

        In that of a `slow` table, messages may be days apart.
        """
        quiet = QUIET_MINUTES_SLOW if slow else QUIET_MINUTES
        await ticket.use()
        try:
            await self._client.http.start_thread_with_message(
                place.channel_id, message_id, name=name, auto_archive_duration=quiet
            )
        except discord.HTTPException as error:
            if error.code != _HAS_THREAD:
                raise
        return message_id

    async def start_thread(self, ticket: Ticket, place: Place, name: str, *, slow: bool = False) -> int:
        """Open a public thread that isn't attached to a message; return its id. `slow`: as in `open_thread`."""
        await ticket.use()
        thread = await self._client.http.start_thread_without_message(
            place.channel_id,
            name=name,
            auto_archive_duration=QUIET_MINUTES_SLOW if slow else QUIET_MINUTES,
            type=discord.ChannelType.public_thread.value,
        )
        return int(thread["id"])

    async def own_threads(self, place: Place, since: int) -> dict[str, int]:
        """Return the ids, by name, of the bot's active threads in a channel: only ids from `since` on."""
        assert self._client.user is not None, "the bot has logged in"
        found = await self._client.http.get_active_threads(place.guild_id)
        channel_id, own = str(place.channel_id), str(self._client.user.id)
        return {
            thread["name"]: int(thread["id"])
            for thread in found["threads"]
            if str(thread["parent_id"]) == channel_id and str(thread["owner_id"]) == own and int(thread["id"]) >= since
        }

    async def unarchive(self, ticket: Ticket, place: Place) -> None:
        """Unarchive a thread, which takes no edits while it is archived. A locked one stays so: that is refused."""
        await ticket.use()
        await self._client.http.edit_channel(place.channel_id, archived=False)

    async def archive_thread_after(self, ticket: Ticket, place: Place, minutes: int) -> None:
        """Have Discord archive a thread once it has been quiet for so long."""
        await ticket.use()
        await self._client.http.edit_channel(place.channel_id, auto_archive_duration=minutes)

    def _channel(self, place: Place) -> discord.PartialMessageable:
        return self._client.get_partial_messageable(place.channel_id, guild_id=place.guild_id)
