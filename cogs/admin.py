"""/escoba-admin: how the bot is doing, for its owner."""

from __future__ import annotations

from typing import Any, Protocol

import discord
from discord import app_commands
from discord.ext import commands

from bot.operating.meter import Status
from bot.tables.errors import Refusal, RefusalCode
from bot.ui.clicks.interactions import respond
from bot.ui.screens.admin import status_layout
from bot.ui.screens.links import Links
from bot.ui.transport.reply import private_words, reply_to
from bot.ui.words.texts import N_


class Watcher(Protocol):
    """Who knows how the bot is doing."""

    async def status(self) -> Status: ...


class Owned(Protocol):
    """The parts of the bot that only its owner reaches."""

    links: Links

    @property
    def monitor(self) -> Watcher: ...

    async def is_owner(self, user: discord.abc.User, /) -> bool:
        """Whether the application is this person's, or their team's."""
        ...


class Admin(commands.Cog):
    """The command of the bot's owner. It is no part of /escoba, where Discord would list it to everybody."""

    @app_commands.command(name="escoba-admin", description=N_("See how I'm doing; for my owner only"))
    @app_commands.default_permissions(manage_guild=True)
    @app_commands.allowed_contexts(guilds=True, dms=False, private_channels=False)
    @app_commands.allowed_installs(guilds=True, users=False)
    async def admin(self, interaction: discord.Interaction[Any]) -> None:
        """Tell it, to the owner only."""
        await respond(interaction, _admin(interaction))


async def _admin(interaction: discord.Interaction[Any]) -> None:
    bot: Owned = interaction.client
    if not await bot.is_owner(interaction.user):
        raise Refusal(RefusalCode.NOT_OWNER)
    layout = status_layout(await bot.monitor.status(), private_words(interaction), bot.links)
    await reply_to(interaction).send_private(layout)
