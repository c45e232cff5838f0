"""Sends the slash commands to Discord when they have changed, and remembers the ids that Discord gave them."""

import asyncio
import hashlib
import json
import logging
from typing import Any, Final

import discord
from discord import app_commands
from discord.ext import commands
from discord.http import Route

from bot import __version__
from bot.platform.clock import Clock
from bot.platform.database.errors import Fault, StoreError, StoreUnavailable
from bot.platform.database.key_values import KeyValues
from bot.platform.language.catalogues import catalogues_digest, read_catalogues
from bot.platform.language.commands import Translator, ids_of
from bot.platform.language.mentions import CommandIds
from bot.platform.transport.trouble import NETWORK, is_shut_out
from bot.process.belonging import application_of
from bot.process.wording import Wording
from cogs.admin import Admin
from cogs.escoba import Escoba
from cogs.tables import challenge_person

log = logging.getLogger(__name__)

SYNC_SECONDS: Final = 20
"""Seconds that a sync may take at the start; once a daily limit is reached, discord.py would wait for hours."""
SYNC_AGAIN_SECONDS: Final = 600
"""The time after a failure until the commands are synced again."""
LOOK_AGAIN_SECONDS: Final = 30
"""The interval at which a process without shard 0 checks whether the process that has it has synced."""
COMMANDS_HASH: Final = "commands_hash"
COMMAND_IDS: Final = "command_ids"
ENTRY_POINT: Final = 4
"""The type of the command that opens an application's Activity. Discord made it, and the bot has to keep it."""
_ENTRY_POINT_MISSING: Final = 50240
_ENTRY_POINT_FIELDS: Final = (
    *("id", "type", "name", "name_localizations", "description", "description_localizations", "handler"),
    *("contexts", "integration_types", "default_member_permissions", "nsfw"),
)
"""The fields of it that would get their defaults if they weren't sent."""
HOME: Final = "commands_home"
"""The key of the id of the one server that was given /escoba-admin."""


async def add_commands(bot: commands.Bot | commands.AutoShardedBot, home: int | None) -> None:
    """Give a bot its slash commands, in every language. `home`: the one server that has /escoba-admin; None for all."""
    await bot.tree.set_translator(Translator())
    await bot.add_cog(Escoba())
    bot.tree.add_command(challenge_person)
    admin = Admin()
    if home is None:
        await bot.add_cog(admin)
        return
    for command in admin.get_app_commands():  # Discord accepts these fields for global commands only
        command.allowed_contexts = command.allowed_installs = None
    await bot.add_cog(admin, guild=discord.Object(home))


async def send_commands(
    tree: app_commands.CommandTree[Any], values: KeyValues, home: int | None
) -> tuple[CommandIds, bool]:
    """Send the commands to Discord, and remember them with the ids that Discord gave them.

    Returns those ids, and whether the home server, if there is one, has its command, too.

    Raises:
        discord.HTTPException: if Discord refuses them.
        StoreError: if they can't be remembered.
    """
    await asyncio.to_thread(read_catalogues)  # which are needed now, while nobody waits
    ids = ids_of(await _send_global(tree))
    await values.set(COMMAND_IDS, ids.dump())
    complete = await _send_home(tree, values, home)
    if complete:
        await values.set(COMMANDS_HASH, _digest(tree, home))
        log.info("The commands were synced")
    return ids, complete


async def _send_global(tree: app_commands.CommandTree[Any]) -> list[app_commands.AppCommand]:
    """Send the commands for every server, and with them the application's Entry Point command, if it has one."""
    try:
        return await tree.sync()
    except discord.HTTPException as error:
        if error.code != _ENTRY_POINT_MISSING:
            raise
    http, application_id = tree.client.http, application_of(tree.client)
    listing = Route("GET", "/applications/{application_id}/commands", application_id=application_id)
    there: list[dict[str, Any]] = await http.request(listing, params={"with_localizations": "true"})
    kept = [
        {key: command[key] for key in _ENTRY_POINT_FIELDS if command.get(key) not in (None, "")}
        for command in there
        if command["type"] == ENTRY_POINT
    ]
    translator = tree.translator or Translator()
    own = [await command.get_translated_payload(tree, translator) for command in tree.get_commands()]
    await http.bulk_upsert_global_commands(application_id, own + kept)
    log.info("The application's Entry Point command was kept")
    return await tree.fetch_commands()


async def _send_home(tree: app_commands.CommandTree[Any], values: KeyValues, home: int | None) -> bool:
    """Send the home server its command, and remove it from the previous home; returns False if Discord refuses it."""
    kept = await values.get(HOME)
    if kept is not None and kept != str(home):
        try:
            await tree.sync(guild=discord.Object(int(kept)))
        except discord.HTTPException as error:
            if not is_shut_out(error):
                raise  # or the command would stay there
            # The bot has left it, and its commands went with it.
    await values.set(HOME, None if home is None else str(home))
    if home is not None:
        try:
            await tree.sync(guild=discord.Object(home))
        except discord.HTTPException as error:
            if not is_shut_out(error):
                raise
            log.warning(
                "No server has /escoba-admin: invite the bot to ESCOBA_HOME_SERVER (%s), or correct that setting (%s)",
                home,
                error,
            )
            return False
    return True


async def last_sent(
    tree: app_commands.CommandTree[Any], values: KeyValues, home: int | None
) -> tuple[CommandIds, bool]:
    """The ids of the commands that were sent last, and whether the tree still has the same commands."""
    same = await values.get(COMMANDS_HASH) == _digest(tree, home)
    return CommandIds.load(await values.get(COMMAND_IDS)), same


def _digest(tree: app_commands.CommandTree[Any], home: int | None) -> str:
    """A hash of the commands, of whatever translates them, and of where they would be sent.

    They aren't translated for it: that would read nearly all catalogues at each start.
    """
    own = [] if home is None else tree.get_commands(guild=discord.Object(home))
    everywhere, at_home = [[command.to_dict(tree) for command in some] for some in (tree.get_commands(), own)]
    # Commands belong to an application: another one that uses the same database has none of them yet.
    parts = [__version__, catalogues_digest(), tree.client.application_id, everywhere, home, at_home]
    told = json.dumps(parts, sort_keys=True)
    return hashlib.sha256(told.encode()).hexdigest()


class CommandSync:
    """Keeps Discord's list of the commands up to date, and the ids that texts mention them by.

    Args:
        tree: the commands.
        values: remembers what was sent.
        clock: tries again later.
        wording: gets the ids.
        home: the one server that has /escoba-admin; None for all.
        sends: whether this process sends them; of several only one does, and the others read the ids that it stored.
        always: send the commands even if they seem unchanged.
    """

    def __init__(
        self,
        tree: app_commands.CommandTree[Any],
        values: KeyValues,
        clock: Clock,
        wording: Wording,
        *,
        home: int | None,
        sends: bool,
        always: bool,
    ) -> None:
        self._tree = tree
        self._values = values
        self._clock = clock
        self._wording = wording
        self._home = home
        self._sends = sends
        self._always = always

    async def run(self) -> None:
        """Sync the commands, and try again later if that fails: games go on without it."""
        try:
            if not self._sends:
                if not await self._up_to_date():
                    self._clock.after("sync", LOOK_AGAIN_SECONDS, self.run)
                return
            async with asyncio.timeout(SYNC_SECONDS):
                await self.sync()
        except (*NETWORK, TimeoutError, StoreError) as error:
            if isinstance(error, StoreUnavailable) and error.fault is Fault.CLOSED:
                return  # the bot is being stopped
            log.warning("Could not sync the commands; trying again later (%s)", error or type(error).__name__)
            self._clock.after("sync", SYNC_AGAIN_SECONDS, self.run)

    async def sync(self) -> bool:
        """Send the commands unless Discord has them already; returns whether they were sent."""
        if await self._up_to_date() and not self._always:
            return False
        self._wording.command_ids, complete = await send_commands(self._tree, self._values, self._home)
        if not complete:
            self._clock.after("sync", SYNC_AGAIN_SECONDS, self.run)
        return True

    async def _up_to_date(self) -> bool:
        """Whether Discord has these commands; either way, texts use the known ids from now on."""
        self._wording.command_ids, same = await last_sent(self._tree, self._values, self._home)
        return same
