"""Tells Discord the emojis of the cards, and remembers the ids they were given.

Only `python -m bot sync` makes requests for it: the ids are kept in the store, so that starting asks Discord nothing,
and a bot that was never synced shows cards by common emojis.
"""

from __future__ import annotations

import json
import logging
from typing import Final, Protocol

import discord

from bot.ui.pictures.emojis import card_emojis, faces_of, outdated
from bot.ui.words.faces import CardFaces, Deck

log = logging.getLogger(__name__)

EMOJI_IDS: Final = "emoji_ids"
_PROGRESS_EVERY: Final = 10


class Values(Protocol):
    """Where small values are kept: the store."""

    async def get_value(self, key: str) -> str | None:
        """The value of a key."""
        ...

    async def set_value(self, key: str, value: str | None) -> None:
        """Keep a value."""
        ...


async def sync_emojis(client: discord.Client, store: Values) -> None:
    """Upload the emojis that are missing, delete our outdated ones, and keep the ids; what is not ours stays.

    A bot that is running shows those of the sync before until it is started again, and Discord refuses a button whose
    emoji is gone: they are deleted by the next sync. What was uploaded when something failed is found again then, too.

    Raises:
        discord.HTTPException: if Discord refuses one.
    """
    there = {emoji.name: emoji for emoji in await client.fetch_application_emojis()}
    wanted = card_emojis()
    missing = [emoji for emoji in wanted if emoji.name not in there]
    ids = {emoji.name: there[emoji.name].id for emoji in wanted if emoji.name in there}
    in_use = await _kept_ids(store)
    try:
        for done, emoji in enumerate(missing, start=1):
            made = await client.create_application_emoji(name=emoji.name, image=emoji.image())
            ids[emoji.name] = made.id
            if done % _PROGRESS_EVERY == 0 or done == len(missing):
                log.info("Emojis: %d of %d uploaded", done, len(missing))
    finally:
        await store.set_value(EMOJI_IDS, json.dumps(ids))
    gone = sorted(outdated(there) - in_use.keys())
    for name in gone:
        await there[name].delete()
    log.info("The emojis were synced: %d new, %d outdated ones deleted", len(missing), len(gone))


async def known_faces(store: Values) -> dict[Deck, CardFaces]:
    """How each deck's cards are shown by what the store holds; emojis of earlier drawings aren't used."""
    ids = await _kept_ids(store)
    return {deck: faces_of(deck, ids) for deck in Deck}


async def _kept_ids(store: Values) -> dict[str, int]:
    kept = await store.get_value(EMOJI_IDS)
    return json.loads(kept) if kept else {}
