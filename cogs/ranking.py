"""/escoba leaderboard and stats: who has won what on the server."""

from __future__ import annotations

from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.store import Metric
from bot.ui.clicks.interactions import host_of, respond
from bot.ui.clicks.ranking import page_for
from bot.ui.screens.ranking import METRICS, PERIODS, REVIEWS, LeaderboardRef, Period, stats_layout
from bot.ui.transport.reply import private_words, reply_to
from bot.ui.words.texts import N_


class RankingCommands(commands.Cog):
    """The commands about results."""

    @app_commands.command(name="leaderboard", description=N_("Show this server's leaderboard"))
    @app_commands.describe(order=N_("What to rank by"), period=N_("Which period counts"))
    @app_commands.choices(
        order=[app_commands.Choice(name=name, value=metric.value) for metric, name in METRICS.items()],
        period=[app_commands.Choice(name=name, value=period.value) for period, name in PERIODS.items()],
    )
    async def leaderboard(
        self, interaction: discord.Interaction[Any], order: str = Metric.WINS, period: str = Period.ALL
    ) -> None:
        """Show the first page, to the asker only."""
        await respond(interaction, _leaderboard(interaction, LeaderboardRef(Metric(order), Period(period))))

    @app_commands.command(name="stats", description=N_("Show a player's stats on this server"))
    @app_commands.describe(player=N_("Whose stats; yours if left out"))
    async def stats(self, interaction: discord.Interaction[Any], player: discord.User | None = None) -> None:
        """Show the figures, to the asker only."""
        await respond(interaction, _stats(interaction, player or interaction.user))


async def _leaderboard(interaction: discord.Interaction[Any], ref: LeaderboardRef) -> None:
    await reply_to(interaction).send_private(await page_for(interaction, ref))


async def _stats(interaction: discord.Interaction[Any], user: discord.User | discord.Member) -> None:
    store, guild_id = host_of(interaction).store, interaction.guild_id or 0
    stats = await store.stats(guild_id, user.id)
    own = user.id == interaction.user.id  # how right somebody's decisions were is for nobody else
    reviews = await store.reviews(guild_id, user.id, limit=REVIEWS) if own else []
    layout = stats_layout(user.display_name, stats, private_words(interaction), reviews)
    await reply_to(interaction).send_private(layout)
