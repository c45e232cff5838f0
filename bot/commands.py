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


async def tell_commands(tree: Tree, store: Store) -> CommandIds:
    """Tell Discord the commands of a tree; returns their ids.

    Raises:
        discord.HTTPException: if Discord refuses them.
        StoreError: if what it said can't be kept.
    """
    digest = await _digest(tree)
    ids = ids_of(await tree.sync())
    await store.set_value(COMMAND_IDS, ids.dump())
    await store.set_value(COMMANDS_HASH, digest)
    log.info("The commands were synced")
    return ids


async def are_told(tree: Tree, store: Store) -> bool:
    """Whether Discord was told these very commands last, and their ids are kept."""
    kept = await store.get_value(COMMAND_IDS)
    return kept is not None and await store.get_value(COMMANDS_HASH) == await _digest(tree)


async def known_commands(store: Store) -> CommandIds:
    """The ids of the commands that Discord was told last, which may be other ones."""
    return CommandIds.load(await store.get_value(COMMAND_IDS))


async def _digest(tree: Tree) -> str:
    """What the commands are as they would be told, in short."""
    translator = tree.translator
    assert translator is not None, "the translator is set before commands are synced"
    payload = [await command.get_translated_payload(tree, translator) for command in tree.get_commands()]
    # They are an application's: another token on the same database has none of them yet.
    told = json.dumps([tree.client.application_id, payload], sort_keys=True)
    return hashlib.sha256(told.encode()).hexdigest()
