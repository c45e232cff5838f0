"""The one command group, /escoba. Discord allows one group of that name, so it joins the classes of all topics."""

from __future__ import annotations

from discord import app_commands
from discord.ext import commands

from bot.ui.words.texts import N_
from cogs.coach import CoachCommands
from cogs.guide import GuideCommands
from cogs.me import MeCommands
from cogs.play import PlayCommands
from cogs.privacy import PrivacyCommands
from cogs.ranking import RankingCommands
from cogs.settings import SettingsCommands
from cogs.tournament import TournamentCommands


@app_commands.allowed_contexts(guilds=True, dms=False, private_channels=False)
@app_commands.allowed_installs(guilds=True, users=False)
class Escoba(
    PrivacyCommands,
    SettingsCommands,
    MeCommands,
    GuideCommands,
    CoachCommands,
    RankingCommands,
    TournamentCommands,
    PlayCommands,
    commands.GroupCog,
    group_name="escoba",
    group_description=N_("Play Escoba in this channel"),
):
    """Play Escoba in this channel. Discord lists the commands of the last class first."""
