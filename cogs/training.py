"""/escoba learn, today and practice: learning the game, and getting better at it."""

from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.platform.kit.interactions import respond
from bot.platform.language.texts import N_
from bot.training.clicks.day import send_today
from bot.training.clicks.lessons import begin_lessons
from bot.training.clicks.practice import send_home


class TrainingCommands(commands.Cog):
    @app_commands.command(name="learn", description=N_("Learn Escoba in ten minutes, step by step"))
    async def learn(self, interaction: discord.Interaction[Any]) -> None:
        """Begin the first lesson, or go on where the asker left off; for them only."""
        await respond(interaction, begin_lessons(interaction))

    @app_commands.command(name="today", description=N_("Solve today's puzzle: one try, the same for everyone"))
    async def today(self, interaction: discord.Interaction[Any]) -> None:
        """Show the position, or what became of it, to the asker only."""
        await respond(interaction, send_today(interaction))

    @app_commands.command(name="practice", description=N_("Practise what you missed"))
    async def practice(self, interaction: discord.Interaction[Any]) -> None:
        """Show what there is to practise, to the asker only."""
        await respond(interaction, send_home(interaction))
