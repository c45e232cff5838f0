"""The slash commands' names and descriptions in every language, for Discord's own menus."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from discord import Locale, app_commands
from discord.app_commands import TranslationContextLocation, TranslationContextTypes

from bot.ui.words.mentions import CommandIds
from bot.ui.words.texts import N_, language_of, words

NAMES: Final = (
    N_("/play"),
    N_("/today"),
    N_("/games"),
    N_("/hand"),
    N_("/table"),
    N_("/leave"),
    N_("/solo"),
    N_("/challenge"),
    N_("/tournament"),
    N_("/learn"),
    N_("/practice"),
    N_("/rules"),
    N_("/leaderboard"),
    N_("/stats"),
    N_("/me"),
    N_("/settings"),
    N_("/escoba-admin"),
    N_("/variant"),
    N_("/target"),
    N_("/order"),
    N_("/season"),
    N_("/player"),
)
"""Names of commands, in the order of use in which Discord lists them, and of options.

The catalogues have them with a slash, to keep them apart from other texts.
"""

_NAMED: Final = (
    TranslationContextLocation.command_name,
    TranslationContextLocation.group_name,
    TranslationContextLocation.parameter_name,
)


def ids_of(commands: Iterable[app_commands.AppCommand]) -> CommandIds:
    """Read the ids of commands in Discord's answer; subcommands share their command's id."""
    found: dict[str, int] = {}
    for command in commands:
        parts = [option.name for option in command.options if isinstance(option, app_commands.AppCommandGroup)]
        found |= {f"{command.name} {part}": command.id for part in parts} or {command.name: command.id}
    return CommandIds.of(found)


class Translator(app_commands.Translator):
    """A translator of commands by the catalogues. Runs only when commands are synced."""

    async def translate(
        self, string: app_commands.locale_str, locale: Locale, context: TranslationContextTypes
    ) -> str | None:
        """Return the text in that locale; None if the bot doesn't speak its language."""
        if language_of(locale.value) is None:
            return None
        t = words(locale.value)
        if context.location in _NAMED and not isinstance(context.data, app_commands.ContextMenu):
            return t(f"/{string.message}").removeprefix("/")
        return t(string.message)
