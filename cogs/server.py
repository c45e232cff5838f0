"""/escoba me and settings: what people and servers choose."""

from __future__ import annotations

from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.platform.kit.host import host_of
from bot.platform.kit.interactions import respond
from bot.platform.kit.press import server_of
from bot.platform.language.texts import N_
from bot.platform.transport.permissions import check_manages
from bot.platform.transport.reply import private_words, reply_to
from bot.tables.server.preferences import PreferencesCache
from bot.ui.server.clicks.guild_settings import settings_layout
from bot.ui.server.screens.me import me_layout


class ServerCommands(commands.Cog):
    """The commands about choices."""

    @app_commands.command(name="me", description=N_("Your language, cards and notifications, and the data I keep"))
    async def me(self, interaction: discord.Interaction[Any]) -> None:
        """Show the choices, to the asker only."""
        await respond(interaction, _me(interaction))

    @app_commands.command(name="settings", description=N_("Choose how this server's tables start out"))
    async def settings(self, interaction: discord.Interaction[Any]) -> None:
        """Show the editor, to the asker only."""
        await respond(interaction, _settings(interaction))


async def _me(interaction: discord.Interaction[Any]) -> None:
    host, person_id = host_of(interaction), interaction.user.id
    choices, today = host.of(PreferencesCache).get(person_id), host.tools.clock.now().date()
    await reply_to(interaction).send_private(me_layout(choices, private_words(interaction), today=today))
    if choices.digest_refused:
        await host.of(PreferencesCache).change(person_id, digest_refused=False)  # they have read it now


async def _settings(interaction: discord.Interaction[Any]) -> None:
    check_manages(interaction)
    layout = await settings_layout(host_of(interaction), server_of(interaction), private_words(interaction))
    await reply_to(interaction).send_private(layout)
