"""Sends the slash commands to Discord when they have changed, and remembers the ids that Discord gave them."""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
from typing import Any, Final

from discord import app_commands
from discord.ext import commands

from bot.process.wording import Wording
from bot.store import Store, StoreError
from bot.tables.clock import Clock
from bot.ui.transport.reply import NETWORK
from bot.ui.words.commands import Translator, ids_of
from bot.ui.words.mentions import CommandIds
from cogs.admin import Admin
from cogs.escoba import Escoba

log = logging.getLogger(__name__)

SYNC_SECONDS: Final = 20
"""How long a sync may take at the start; past a daily limit discord.py would wait for hours."""
SYNC_AGAIN_SECONDS: Final = 600
"""How long after a failure the commands are synced again."""
LOOK_AGAIN_SECONDS: Final = 30
"""How often a process without shard 0 looks whether the one with it has synced."""
COMMANDS_HASH: Final = "commands_hash"
COMMAND_IDS: Final = "command_ids"


async def add_commands(bot: commands.Bot | commands.AutoShardedBot) -> None:
    """Give a bot its slash commands, in every language."""
    await bot.tree.set_translator(Translator())
    await bot.add_cog(Escoba())
    await bot.add_cog(Admin())


async def send_commands(tree: app_commands.CommandTree[Any], store: Store) -> CommandIds:
    """Send the commands to Discord, and remember them with the ids that Discord gave them.

    Raises:
        discord.HTTPException: if Discord refuses them.
        StoreError: if they can't be remembered.
    """
    ids = ids_of(await tree.sync())
    await store.set_value(COMMAND_IDS, ids.dump())
    await store.set_value(COMMANDS_HASH, await _digest(tree))
    log.info("The commands were synced")
    return ids


async def last_sent(tree: app_commands.CommandTree[Any], store: Store) -> tuple[CommandIds, bool]:
    """The ids of the commands that were sent last, and whether those are the tree's commands as they are now."""
    kept = await store.get_value(COMMAND_IDS)
    same = kept is not None and await store.get_value(COMMANDS_HASH) == await _digest(tree)
    return CommandIds.load(kept), same


async def _digest(tree: app_commands.CommandTree[Any]) -> str:
    """A hash of the commands as they would be sent."""
    translator = tree.translator
    assert translator is not None, "the translator is set before commands are synced"
    payload = [await command.get_translated_payload(tree, translator) for command in tree.get_commands()]
    # Commands belong to an application: another token on the same database has none of them yet.
    told = json.dumps([tree.client.application_id, payload], sort_keys=True)
    return hashlib.sha256(told.encode()).hexdigest()


class CommandSync:
    """Keeps Discord's list of the commands up to date, and the ids that texts mention them by.

    Args:
        tree: the commands.
        store: remembers what was sent.
        clock: tries again later.
        wording: gets the ids.
        sends: whether this process sends them; of several only one does, and the others read the ids that it stored.
        always: send the commands even if they seem unchanged.
    """

    def __init__(
        self,
        tree: app_commands.CommandTree[Any],
        store: Store,
        clock: Clock,
        wording: Wording,
        *,
        sends: bool,
        always: bool,
    ) -> None:
        self._tree = tree
        self._store = store
        self._clock = clock
        self._wording = wording
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
            log.warning("The commands could not be synced, and will be later (%s)", error or type(error).__name__)
            self._clock.after("sync", SYNC_AGAIN_SECONDS, self.run)

    async def sync(self) -> bool:
        """Send the commands unless Discord has these already; returns whether they were sent."""
        if await self._up_to_date() and not self._always:
            return False
        self._wording.command_ids = await send_commands(self._tree, self._store)
        return True

    async def _up_to_date(self) -> bool:
        """Whether Discord has these commands; the ids that are known are used in any case."""
        self._wording.command_ids, same = await last_sent(self._tree, self._store)
        return same
