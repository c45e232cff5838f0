"""The tools of everything that is shown on Discord."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine, Iterable
from dataclasses import dataclass, field
from typing import Any

import discord
from discord import AllowedMentions

from bot.platform.clock import Clock
from bot.platform.kit.channel_access import RefusingChannels
from bot.platform.kit.display import Display, Displays
from bot.platform.language.texts import Words
from bot.platform.layout import Layout
from bot.platform.operating.meter import Meter
from bot.platform.transport.channels import Channels
from bot.platform.transport.follow_ups import FollowUps
from bot.platform.transport.gallery import EDIT_SECONDS, Gallery
from bot.platform.transport.mentions import everybody_of
from bot.platform.transport.reply import Reply, is_private, reply_to
from bot.platform.transport.servers import own_server
from bot.platform.transport.shown import Shown, Written


@dataclass(frozen=True, slots=True)
class Tools:
    """Shared by all messages and panels.

    Attributes:
        display: how things are shown, in which words.
        pingable: whether a person may be pinged: they haven't chosen never to be.
        waiting_note: says to a person, in words, what waits for them; None if nothing does.
        closing: whether the bot is about to stop, so that nothing new is begun.
        meter: counts what is shown.
        clock: says how old a message is, and when to try again.
        channels: sends messages.
        gallery: where pictures come from.
        follow_ups: says whether there is room for a follow-up.
        spawn: runs a coroutine that nothing waits for.
        refusing: the messages that their channels refuse.
    """

    display: Displays
    pingable: Callable[[int], bool]
    waiting_note: Callable[[int, Words], str | None]
    closing: Callable[[], bool]
    meter: Meter
    clock: Clock
    channels: Channels
    gallery: Gallery
    follow_ups: FollowUps
    spawn: Callable[[Coroutine[Any, Any, None]], None]
    refusing: RefusingChannels = field(default_factory=RefusingChannels)

    def display_for(self, interaction: discord.Interaction[Any]) -> Display:
        """Find how something is shown to the person who asks, alone: as they like it, and else as the server does."""
        return self.display(interaction.locale.value, own_server(interaction), interaction.user.id)

    def tellable(self, people: Iterable[int]) -> list[int]:
        """Leave out the people who chose never to be pinged."""
        return [person_id for person_id in people if self.pingable(person_id)]

    def willing(self, people: Iterable[int | None]) -> AllowedMentions:
        """Mentions of these people, except those who chose never to be pinged; None stands for a computer player."""
        return everybody_of(self.tellable(each for each in people if each is not None))

    async def send(
        self,
        channel_id: int,
        layout: Layout,
        reply: Reply,
        how: Callable[[Layout], Awaitable[Written]] | None = None,
        seconds: float = EDIT_SECONDS,
    ) -> None:
        """Send a message in a channel, with its picture if that is ready within `seconds`.

        `how`: the way in which the reply sends it; None if only the person is to see it.
        """
        layout = await self.gallery.illustrated(layout, channel_id, seconds, editing=False)
        await self.gallery.post(channel_id, layout, Shown(), how or reply.send_private, route=reply.route)

    async def answer(self, interaction: discord.Interaction[Any], layout: Layout) -> None:
        """Show a layout to one person only: on the message they clicked, if only they see it."""
        channel_id, reply = interaction.channel_id or 0, reply_to(interaction)
        if not is_private(interaction):
            await self.send(channel_id, layout, reply)
            return
        layout = await self.gallery.illustrated(layout, channel_id, EDIT_SECONDS, editing=True)
        await self.gallery.edit(channel_id, layout, Shown(), reply.update, route=reply.route)
