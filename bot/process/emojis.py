"""Uploads the cards' emojis to Discord, and remembers the ids that Discord gave them.

Only `python -m bot sync` sends requests for that. The ids are stored, so a start needs none, and a bot that was never
synced shows cards with common emojis.
"""

from __future__ import annotations

import json
import logging
from typing import Final

import discord

from bot.process.belonging import application_of
from bot.store import Store
from bot.ui.pictures.emojis import card_emojis, faces_of, outdated
from bot.ui.words.faces import CardFaces, Deck

log = logging.getLogger(__name__)

EMOJI_IDS: Final = "emoji_ids"
"""The key of the emojis' ids: with the id of the application that they belong to, or as older versions left them."""
_PROGRESS_EVERY: Final = 10


async def sync_emojis(client: discord.Client, store: Store) -> None:
    """Upload the missing emojis, delete outdated ones, and remember the ids. Emojis that aren't the bot's own stay.

    A running bot shows the emojis of the sync before until it restarts, and Discord refuses a button whose emoji is
    gone, so those are deleted by the next sync only. After a failure the next sync finds what was uploaded.

    Raises:
        discord.HTTPException: if Discord refuses one.
    """
    there = {emoji.name: emoji for emoji in await client.fetch_application_emojis()}
    wanted = card_emojis()
    missing = [emoji for emoji in wanted if emoji.name not in there]
    ids = {emoji.name: there[emoji.name].id for emoji in wanted if emoji.name in there}
    application_id = application_of(client)
    in_use = await _kept_ids(store, application_id)
    try:
        for done, emoji in enumerate(missing, start=1):
            made = await client.create_application_emoji(name=emoji.name, image=emoji.image())
            ids[emoji.name] = made.id
            if done % _PROGRESS_EVERY == 0 or done == len(missing):
                log.info("Emojis: %d of %d uploaded", done, len(missing))
    finally:
        await store.set_value(f"{EMOJI_IDS}:{application_id}", json.dumps(ids))
        for other in (await store.values_of(EMOJI_IDS)).keys() - {f":{application_id}"}:
            await store.set_value(EMOJI_IDS + other, None)
    gone = sorted(outdated(there) - in_use.keys())
    for name in gone:
        await there[name].delete()
    log.info("The emojis were synced: %d new, %d outdated ones deleted", len(missing), len(gone))


async def known_faces(store: Store, application_id: int) -> dict[Deck, CardFaces]:
    """How each deck's cards are shown, with the emojis of the current drawings as far as an application has them."""
    ids = await _kept_ids(store, application_id)
    return {deck: faces_of(deck, ids) for deck in Deck}


async def _kept_ids(store: Store, application_id: int) -> dict[str, int]:
    kept = await store.get_value(f"{EMOJI_IDS}:{application_id}") or await store.get_value(EMOJI_IDS)
    return json.loads(kept) if kept else {}
