"""/escoba rules: how the game is played."""

from __future__ import annotations

from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.ui.kit.host import host_of
from bot.ui.kit.interactions import respond
from bot.ui.tables.clicks.rules_option import config_for, key_of_option, offer_rules
from bot.ui.tables.screens.guide import guide_layout
from bot.ui.transport.reply import private_words, reply_to
from bot.ui.words.rules import own_rules_name
from bot.ui.words.texts import N_


class GuideCommands(commands.Cog):
    """The command that explains the rules."""

    @app_commands.command(name="rules", description=N_("Explain how the game is played"))
    @app_commands.describe(preset=N_("The rule system; this channel's game if you leave it out"))
    @app_commands.autocomplete(preset=offer_rules)
    async def rules(self, interaction: discord.Interaction[Any], preset: str | None = None) -> None:
        """Show the rules, to the asker only."""
        await respond(interaction, _rules(interaction, preset))


async def _rules(interaction: discord.Interaction[Any], preset: str | None) -> None:
    table, t = host_of(interaction).manager.at(interaction.channel_id or 0), private_words(interaction)
    named = await key_of_option(interaction, preset)
    if named is None and table is not None:
        config = table.view().config
    else:
        config = await config_for(interaction, named, None)
    layout = guide_layout(config.preset, config.rules, t, own_rules_name(config, t))
    await reply_to(interaction).send_private(layout)
