"""The rules that a command names: suggestions while somebody types, and the rules that the text stands for."""

import logging
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

import discord
from discord import app_commands

from bot.cards.words.rules import choices_for, is_preset_name, key_typed
from bot.club.rules.seasons import is_key
from bot.club.store.newcomers import Newcomers
from bot.club.store.rule_sets import RuleSets
from bot.platform.database.errors import StoreError
from bot.platform.kit.host import host_of
from bot.platform.language.spelling import is_visible, normalized_name
from bot.platform.refusals import Refusal
from bot.platform.settings.documents import GuildSettingsCache, PreferencesCache
from bot.platform.transport.permissions import own_server
from bot.platform.transport.reply import private_words
from bot.tables.live.own_rules import SavedRules, new_config, saved_rules
from bot.tables.log.events import Config
from bot.tables.log.pace import Tempo
from bot.tables.log.target import at_pace
from bot.tables.refusals import TableRefusal
from bot.tables.settings import ServerOptions, TablePreferences, TableSettings

log = logging.getLogger(__name__)

MOST_CHOICES: Final = 25
"""Discord's limit for suggestions."""


async def offer_rules(interaction: discord.Interaction[Any], typed: str) -> list[app_commands.Choice[str]]:
    """Suggest rules while somebody types: the server's own, then the rule systems, in the person's language.

    Nothing is suggested to somebody who asks too often.
    """
    found: Sequence[tuple[str, str]] = ()
    if host_of(interaction).throttle.suggestions.take(interaction.user.id):
        try:
            names = await _names(interaction)
        except StoreError as error:
            log.info("Can't offer a server's own rules: %s", error)
            names = {}
        found = choices_for(typed, names, private_words(interaction))
    return [app_commands.Choice(name=name, value=key) for name, key in found[:MOST_CHOICES]]


async def key_of_option(interaction: discord.Interaction[Any], typed: str | None) -> str | None:
    """The key of the rules that a command names; None if it names none.

    Raises:
        Refusal: if there are no such rules.
        StoreError: if the server's own rules can't be read.
    """
    if typed is None:
        return None
    key = key_typed(typed, await _names(interaction), private_words(interaction))
    if key is None:
        raise Refusal(TableRefusal.NO_SUCH_RULES)
    return key


def check_name(name: str) -> None:
    """Check that a server can give its own rules this name.

    Raises:
        Refusal: if nothing of it is visible, or if it names other rules: a rule system, or a set by its key.
    """
    if not normalized_name(name) or not is_visible(name):
        raise Refusal(TableRefusal.RULES_NAMELESS)
    if is_preset_name(name) or is_key(normalized_name(name)):
        raise Refusal(TableRefusal.RULES_OF_ALL)


async def config_for(interaction: discord.Interaction[Any], named: str | None, target: int | None) -> Config:
    """The config of the server's defaults, except for what was asked for. `named`: a rules key.

    Raises:
        Refusal: if those rules have been deleted.
        StoreError: if the server's defaults can't be read.
    """
    settings = await host_of(interaction).of(GuildSettingsCache).of(own_server(interaction), TableSettings)
    return new_config(settings, named, target, await _sets(interaction))


async def lobby_config(interaction: discord.Interaction[Any], named: str | None, target: int | None) -> Config:
    """The config that a lobby of the person who asks begins with: with the pace that they prefer, and its target.

    Somebody's first match is a friendly one with hints.

    Raises:
        what `config_for` raises.
    """
    config = await config_for(interaction, named, target)
    tempo = host_of(interaction).of(PreferencesCache).cached(interaction.user.id, TablePreferences).tempo
    pace = (await host_of(interaction).of(ServerOptions).of(own_server(interaction))).pace
    tempo = tempo if config.tempo is Tempo.USUAL else config.tempo
    return await first_friendly(interaction, at_pace(config, tempo, slow=pace.at(tempo).slow, was_slow=False))


async def first_friendly(interaction: discord.Interaction[Any], config: Config) -> Config:
    """The same config, but a friendly match with hints if it is the first of the person who asks.

    Raises:
        StoreError: if that can't be read.
    """
    new = await host_of(interaction).of(Newcomers).among([interaction.user.id])
    return replace(config, rated=False, hints=True) if new else config


async def _names(interaction: discord.Interaction[Any]) -> dict[str, str]:
    return {saved.key: saved.name for saved in await _sets(interaction)}


async def _sets(interaction: discord.Interaction[Any]) -> Sequence[SavedRules]:
    """The own rules of the interaction's server, if it has one."""
    guild_id = own_server(interaction)
    return () if guild_id is None else await saved_rules(host_of(interaction).of(RuleSets), guild_id)
