"""/escoba rules: how the game is played."""

from __future__ import annotations

from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.engine.rules import PRESETS
from bot.ui.clicks.interactions import host_of, respond
from bot.ui.screens.guide import guide_layout
from bot.ui.transport.reply import private_words, reply_to
from bot.ui.words.texts import N_
from cogs.play import PRESET_CHOICES


class GuideCommands(commands.Cog):
    """The command that explains the rules."""

    @app_commands.command(name="rules", description=N_("Explain how the game is played"))
    @app_commands.describe(preset=N_("The rule system; this channel's game if you leave it out"))
    @app_commands.choices(preset=PRESET_CHOICES)
    async def rules(self, interaction: discord.Interaction[Any], preset: str | None = None) -> None:
        """Show the rules, to the asker only."""
        await respond(interaction, _rules(interaction, preset))


async def _rules(interaction: discord.Interaction[Any], preset: str | None) -> None:
    table = host_of(interaction).manager.at(interaction.channel_id or 0)
    settings = await host_of(interaction).guild_settings.get(interaction.guild_id or 0)
    name = preset or settings.preset
    rules = PRESETS[name].rules
    if preset is None and table is not None:
        config = table.view().config
        name, rules = config.preset, config.rules
    layout = guide_layout(name, rules, private_words(interaction))
    await reply_to(interaction).send_private(layout)
