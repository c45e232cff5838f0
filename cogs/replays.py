"""/escoba replay and verify: one's finished matches."""

from __future__ import annotations

from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.ui.kit.interactions import respond
from bot.ui.replays.clicks.replay import send_matches
from bot.ui.replays.clicks.verify import send_check
from bot.ui.words.texts import N_


class ReplayCommands(commands.Cog):
    """The commands about finished matches."""

    @app_commands.command(
        name="replay", description=N_("See one of your matches again, step by step, with all hands open")
    )
    async def replay(self, interaction: discord.Interaction[Any]) -> None:
        """List the asker's matches on the server, for them only."""
        await respond(interaction, send_matches(interaction))

    @app_commands.command(name="verify", description=N_("Check that your cards were dealt fairly"))
    async def verify(self, interaction: discord.Interaction[Any]) -> None:
        """Check the asker's latest match, for them only."""
        await respond(interaction, send_check(interaction))
