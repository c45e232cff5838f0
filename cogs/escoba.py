"""The one command group, /escoba. Discord allows one group of that name, so it joins the classes of all subjects."""

from discord import app_commands
from discord.ext import commands

from bot.platform.language.commands import place_of
from bot.platform.language.texts import N_
from cogs.club import ClubCommands
from cogs.replays import ReplayCommands
from cogs.server import ServerCommands
from cogs.tables import TableCommands
from cogs.tournaments import TournamentCommands
from cogs.training import TrainingCommands


@app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
@app_commands.allowed_installs(guilds=True, users=True)
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
    """Play Escoba in this channel."""

    def __init__(self) -> None:
        group = self.app_command
        assert group is not None, "a GroupCog has one"
        # Discord lists subcommands in the order in which they are registered: without this, class by class.
        for command in sorted(group.commands, key=lambda each: place_of(each.name)):
            group.remove_command(command.name)
            group.add_command(command)
