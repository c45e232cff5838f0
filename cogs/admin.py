"""/escoba-admin: how the bot is doing, for its owner."""

from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.platform.kit.host import host_of
from bot.platform.kit.interactions import respond
from bot.platform.language.texts import N_
from bot.platform.refusals import CommonRefusal, Refusal
from bot.platform.transport.reply import private_words, reply_to
from bot.server.parts import ServerParts
from bot.server.screens.admin import status_layout


class Admin(commands.Cog):
    """The command for the bot's owner. It isn't part of /escoba, where Discord would list it for everybody."""

    @app_commands.command(name="escoba-admin", description=N_("See how I'm doing; for my owner only"))
    @app_commands.default_permissions(manage_guild=True)
    @app_commands.allowed_contexts(guilds=True, dms=False, private_channels=False)
    @app_commands.allowed_installs(guilds=True, users=False)
    async def admin(self, interaction: discord.Interaction[Any]) -> None:
        """Show the bot's status, to the owner only."""
        await respond(interaction, _admin(interaction))


async def _admin(interaction: discord.Interaction[Any]) -> None:
    client: commands.AutoShardedBot = interaction.client
    if not await client.is_owner(interaction.user):
        raise Refusal(CommonRefusal.NOT_OWNER)
    host = host_of(interaction)
    layout = status_layout(await host.of(ServerParts).status(), private_words(interaction), host.links)
    await reply_to(interaction).send_private(layout)
