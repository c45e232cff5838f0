"""The one command group, /escoba. Discord allows one group of that name, so it joins the classes of all subjects."""

from __future__ import annotations

from discord import app_commands
from discord.ext import commands

from bot.ui.words.texts import N_
from cogs.club import ClubCommands
from cogs.replays import ReplayCommands
from cogs.server import ServerCommands
from cogs.tables import TableCommands
from cogs.tournaments import TournamentCommands
from cogs.training import TrainingCommands


@app_commands.allowed_contexts(guilds=True, dms=False, private_channels=False)
@app_commands.allowed_installs(guilds=True, users=False)
class Escoba(
    ServerCommands,
    ReplayCommands,
    TrainingCommands,
    ClubCommands,
    TournamentCommands,
    TableCommands,
    commands.GroupCog,
    group_name="escoba",
    group_description=N_("Play Escoba in this channel"),
):
    """Play Escoba in this channel. Discord lists the commands of the last class first."""
