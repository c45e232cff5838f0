"""A press of a button, or a choice in a menu: who made it, on what, and how to answer."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any, TypeVar, cast

import discord

from bot.platform.kit.codec import number_in
from bot.platform.kit.display import Display
from bot.platform.kit.host import host_of
from bot.platform.layout import Layout
from bot.platform.refusals import CommonRefusal, Refusal
from bot.platform.transport.channels import NOBODY
from bot.platform.transport.gallery import EDIT_SECONDS
from bot.platform.transport.permissions import check_may_speak, check_may_write
from bot.platform.transport.reply import Reply, person_of, private_words, reply_to
from bot.platform.transport.servers import own_language, own_server


def public_locale(interaction: discord.Interaction[Any], chosen: str | None) -> str:
    """The language of public messages: what the server has chosen in the bot, a Community's own, or else the asker's.

    Discord lets only Communities choose a language, and reports American English for every other server.
    """
    return chosen or own_language(interaction.guild) or private_locale(interaction)


def private_locale(interaction: discord.Interaction[Any]) -> str:
    """The language of the asker: their choice in the bot, or else in Discord."""
    return host_of(interaction).language_of(interaction.user.id) or interaction.locale.value


def server_of(interaction: discord.Interaction[Any]) -> int:
    """The server of an interaction, where the bot is installed.

    Raises:
        Refusal: if there is none.
    """
    guild_id = own_server(interaction)
    if guild_id is None:
        raise Refusal(CommonRefusal.NEEDS_SERVER)
    return guild_id


class Press:
    """A press on anything that doesn't belong to a game."""

    def __init__(self, interaction: discord.Interaction[Any]) -> None:
        self.interaction = interaction
        self.host = host_of(interaction)
        self.person = person_of(interaction)
        self.t = private_words(interaction)

    @property
    def values(self) -> list[str]:
        """The choice in a menu, as it was sent: a forged click may not come from a menu at all."""
        data = cast("dict[str, Any]", self.interaction.data or {})
        return [value for value in data.get("values", ()) if isinstance(value, str)]

    @property
    def value(self) -> str:
        """The single value that was chosen in a menu; empty if none was."""
        return next(iter(self.values), "")

    @property
    def number(self) -> int:
        """The number that was chosen in a menu; 0 if it isn't one."""
        return number_in(self.value) or 0

    @property
    def server(self) -> int | None:
        """The server where the press was made, if the bot is installed there."""
        return own_server(self.interaction)

    @property
    def guild_id(self) -> int:
        """The server where the press was made.

        Raises:
            Refusal: if there is none.
        """
        return server_of(self.interaction)

    @property
    def reply(self) -> Reply:
        return reply_to(self.interaction)

    @property
    def display(self) -> Display:
        """The way something is shown to the person alone."""
        return self.host.tools.display_for(self.interaction)

    async def public_display(self) -> Display:
        """Find how something is shown to everybody on the server: in its language, and with its deck.

        Raises:
            StoreError: if the server's settings can't be read.
        """
        chosen = await self.host.language_on(self.server)
        return self.host.tools.display(public_locale(self.interaction, chosen), self.server)

    def count_change(self) -> None:
        """Count a change of a lobby or a tournament that can be made again and again.

        Raises:
            Refusal: if the person has made too many.
        """
        self.host.throttle.changes.take_or_refuse(self.person.id, CommonRefusal.TOO_MANY_CHANGES)

    async def answer(self, layout: Layout) -> None:
        """Show a layout to the person alone: on the message they clicked, if only they see that."""
        await self.host.tools.answer(self.interaction, layout)

    async def show_to_all(self, layout: Layout, *, seconds: float = EDIT_SECONDS) -> None:
        """Show a layout to everybody in the channel; it pings nobody. `seconds`: how long it waits for its picture.

        Without a server Discord alone decides whether the others see it.

        Raises:
            Refusal: if the person or the bot may not write there, or if something was shown there not long ago.
        """
        if self.server is not None:
            check_may_write(self.interaction)
            check_may_speak(self.interaction)
        channel_id = self.interaction.channel_id or 0
        self.host.throttle.shows.take_or_refuse(channel_id, CommonRefusal.SHOWN_JUST_NOW)
        send = partial(self.reply.send_public, allowed_mentions=NOBODY)
        await self.host.tools.send(channel_id, layout, self.reply, send, seconds)


R = TypeVar("R")
Handling = Coroutine[Any, Any, None]
Handler = Callable[[Press], Handling]
RefHandler = Callable[[Press, R], Handling]
"""Handles a press on what a custom_id refers to."""
