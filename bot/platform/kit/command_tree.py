"""The tree of commands: an interaction that no command can handle is answered, too."""

from __future__ import annotations

from typing import Any, Final, NoReturn, cast

import discord
from discord import app_commands

from bot.platform.kit.host import Responsibility, host_of
from bot.platform.kit.interactions import respond
from bot.platform.kit.links import invitation_layout
from bot.platform.refusals import CommonRefusal, Refusal
from bot.platform.transport.permissions import invitation_url, is_member
from bot.platform.transport.reply import private_words, reply_to
from bot.platform.transport.servers import own_server

_OUTDATED: Final = (
    app_commands.CommandNotFound,
    app_commands.CommandSignatureMismatch,
    app_commands.TransformerError,
)
ANYWHERE: Final = tuple(
    f"escoba {name}" for name in ("today", "solo", "games", "learn", "practice", "rules", "stats", "me")
)
"""The commands that need only the person, and so work in private chats, and in servers without the bot."""
_NESTING: Final = (
    discord.AppCommandOptionType.subcommand.value,
    discord.AppCommandOptionType.subcommand_group.value,
)


class EscobaCommandTree(app_commands.CommandTree[Any]):
    """The bot's commands.

    Discord's clients show a command as they last knew it: after an update of the bot somebody may send one that it no
    longer offers. discord.py notices some of these cases, and hands the others to the command's function.
    """

    async def interaction_check(self, interaction: discord.Interaction[Any], /) -> bool:
        """Whether a command was sent as it is offered now, and in a server that the bot is in if it needs one.

        If not, the person gets an explanation.
        """
        command = interaction.command
        if interaction.type is discord.InteractionType.autocomplete:
            return await _answers(interaction)
        if isinstance(command, app_commands.Command) and not _fits(command, interaction):
            await respond(interaction, _failing(app_commands.CommandSignatureMismatch(command)))
            return False
        anywhere = command is not None and command.qualified_name in ANYWHERE
        if not anywhere and not await is_member(interaction):
            await respond(interaction, _invite(interaction))
            return False
        return True

    async def on_error(self, interaction: discord.Interaction[Any], error: app_commands.AppCommandError, /) -> None:
        """Answer in the same way as for any other interaction."""
        await respond(interaction, _failing(error))


async def _answers(interaction: discord.Interaction[Any]) -> bool:
    """Whether this process offers what can be typed; while another takes over, no process has to."""
    host = host_of(interaction)
    return not host.in_flight.closed and await host.duty(interaction.id) is Responsibility.OURS


async def _invite(interaction: discord.Interaction[Any]) -> None:
    url, t = invitation_url(interaction.application_id, interaction.guild_id), private_words(interaction)
    needed = None if own_server(interaction) else CommonRefusal.NEEDS_SERVER.reason(t)
    await reply_to(interaction).send_private(invitation_layout(url, t, needed))


async def _failing(error: app_commands.AppCommandError) -> NoReturn:
    if isinstance(error, _OUTDATED):
        raise Refusal(CommonRefusal.OUTDATED) from error
    raise error


def _fits(command: app_commands.Command[Any, ..., Any], interaction: discord.Interaction[Any]) -> bool:
    """Whether the options have the names, types and values that the command offers."""
    options = cast("dict[str, Any]", interaction.data or {}).get("options", [])
    while options and options[0]["type"] in _NESTING:
        options = options[0].get("options", [])
    offered = {parameter.display_name: parameter for parameter in command.parameters}
    for option in options:
        parameter = offered.get(option["name"])
        if parameter is None or parameter.type.value != option["type"] or not _offers(parameter, option["value"]):
            return False
    return True


def _offers(parameter: app_commands.Parameter, value: Any) -> bool:
    if parameter.choices:
        return value in [choice.value for choice in parameter.choices]
    low, high = parameter.min_value, parameter.max_value
    return (low is None or value >= low) and (high is None or value <= high)
