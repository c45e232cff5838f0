"""Tells Discord the slash commands, and remembers what it was told and the ids that they were given."""

from __future__ import annotations

import hashlib
import json
import logging
from typing import Any, Final

from discord import app_commands

from bot.store import Store
from bot.ui.words.commands import ids_of
from bot.ui.words.mentions import CommandIds

log = logging.getLogger(__name__)

COMMANDS_HASH: Final = "commands_hash"
COMMAND_IDS: Final = "command_ids"

Tree = app_commands.CommandTree[Any]


async def tell_commands(tree: Tree) -> CommandIds:
    """Tell Discord the commands of a tree; returns their ids.

    Raises:
        discord.HTTPException: if Discord refuses them.
    """
    return ids_of(await tree.sync())


async def keep_told(tree: Tree, store: Store, ids: CommandIds) -> None:
    """Remember what Discord was told, and the ids that it gave.

    Raises:
        StoreError: if that can't be kept.
    """
    await store.set_value(COMMAND_IDS, ids.dump())
    await store.set_value(COMMANDS_HASH, await _digest(tree))
    log.info("The commands were synced")


async def told_before(tree: Tree, store: Store) -> tuple[CommandIds, bool]:
    """The ids of the commands that Discord was told last, and whether those were the very commands of the tree."""
    kept = await store.get_value(COMMAND_IDS)
    same = kept is not None and await store.get_value(COMMANDS_HASH) == await _digest(tree)
    return CommandIds.load(kept), same


async def _digest(tree: Tree) -> str:
    """What the commands are as they would be told, in short."""
    translator = tree.translator
    assert translator is not None, "the translator is set before commands are synced"
    payload = [await command.get_translated_payload(tree, translator) for command in tree.get_commands()]
    # They are an application's: another token on the same database has none of them yet.
    told = json.dumps([tree.client.application_id, payload], sort_keys=True)
    return hashlib.sha256(told.encode()).hexdigest()
