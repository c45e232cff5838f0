"""/escoba leaderboard and stats: who has won what on the server."""

from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.club.clicks.ranking import first_page
from bot.club.clicks.stats import send_stats
from bot.club.ids.leaderboard import SEASON
from bot.club.screens.ranking import METRICS, PERIODS
from bot.club.store.standing import Metric
from bot.platform.kit.interactions import respond
from bot.platform.language.texts import N_, split_context
from bot.platform.transport.reply import reply_to


class ClubCommands(commands.Cog):
    """The commands about results."""

    @app_commands.command(name="leaderboard", description=N_("Show this server's leaderboard"))
    @app_commands.rename(period="season")
    @app_commands.describe(order=N_("What to rank by"), period=N_("Season, or all time"))
    @app_commands.choices(
        order=[app_commands.Choice(name=split_context(name)[1], value=each.value) for each, name in METRICS.items()],
        period=[app_commands.Choice(name=split_context(name)[1], value=period) for period, name in PERIODS.items()],
    )
    async def leaderboard(
        self, interaction: discord.Interaction[Any], order: str | None = None, period: str = SEASON
    ) -> None:
        """Show the first page, to the asker only."""
        await respond(interaction, _leaderboard(interaction, None if order is None else Metric(order), period))

    @app_commands.command(name="stats", description=N_("Show a player's stats on this server"))
    @app_commands.describe(player=N_("Whose stats; yours if left out"))
    async def stats(self, interaction: discord.Interaction[Any], player: discord.User | None = None) -> None:
        """Show the figures, to the asker only."""
        await respond(interaction, send_stats(interaction, player or interaction.user))


async def _leaderboard(interaction: discord.Interaction[Any], metric: Metric | None, period: str) -> None:
    await reply_to(interaction).send_private(await first_page(interaction, metric, period))
