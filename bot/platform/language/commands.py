"""The slash commands' names and descriptions in every language, for Discord's own menus."""

from collections.abc import Iterable
from typing import Final

from discord import Locale, app_commands
from discord.app_commands import TranslationContextLocation, TranslationContextTypes

from bot.platform.language.catalogues import language_of, words
from bot.platform.language.mentions import CommandIds
from bot.platform.language.texts import NC_

NAMES: Final = (
    NC_("command", "play"),
    NC_("command", "today"),
    NC_("command", "games"),
    NC_("command", "hand"),
    NC_("command", "table"),
    NC_("command", "leave"),
    NC_("command", "solo"),
    NC_("command", "challenge"),
    NC_("command", "tournament"),
    NC_("command", "learn"),
    NC_("command", "practice"),
    NC_("command", "rules"),
    NC_("command", "leaderboard"),
    NC_("command", "stats"),
    NC_("command", "me"),
    NC_("command", "settings"),
    NC_("command", "escoba-admin"),
    NC_("option", "variant"),
    NC_("option", "target"),
    NC_("option", "order"),
    NC_("option", "season"),
    NC_("option", "player"),
)
"""Names of commands, in the order of use in which Discord lists them, and of options."""
_NAMED: Final = {
    TranslationContextLocation.command_name: "command",
    TranslationContextLocation.group_name: "command",
    TranslationContextLocation.parameter_name: "option",
    TranslationContextLocation.choice_name: "menu",
}
"""The contexts of texts that are names, by their place in a command."""


def place_of(command: str) -> int:
    """Return a command's place in the order of use."""
    return NAMES.index(NC_("command", command))


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
            return t.context(_NAMED[context.location], string.message)
        return t(string.message)
