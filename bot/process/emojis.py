"""Uploads the cards' emojis to Discord, and remembers the ids that Discord gave them.

Only `python -m bot sync` sends requests for that. The ids are stored, so starting the bot needs none. A bot that was
never synced shows cards with common emojis.
"""

from __future__ import annotations

import json
import logging
import math
from dataclasses import dataclass
from typing import Final

import discord

from bot.cards.pictures.emojis import Uploaded, card_emojis, faces_of
from bot.platform.database.key_values import KeyValues
from bot.platform.language.faces import CardFaces, Deck
from bot.platform.outside import read_json
from bot.process.belonging import application_of

log = logging.getLogger(__name__)

EMOJI_IDS: Final = "emoji_ids:"
"""The key of the emojis' ids, followed by the id of their application."""
_PROGRESS_EVERY: Final = 10


@dataclass(frozen=True, slots=True)
class Kept:
    """The stored record of the application's emojis: those that the bot shows cards with, and the ids of those they
    replaced, which the next sync deletes."""

    cards: tuple[Uploaded, ...] = ()
    replaced: tuple[int, ...] = ()

    def dump(self) -> str:
        cards = [[each.deck, each.key, each.name, each.id, each.digest] for each in self.cards]
        return json.dumps({"cards": cards, "replaced": self.replaced})

    @classmethod
    def load(cls, text: str | None) -> Kept:
        if text is None:
            return cls()
        try:
            stored = read_json(text)
            cards = tuple(
                Uploaded(Deck(deck), key, name, id_, digest) for deck, key, name, id_, digest in stored["cards"]
            )
            return cls(cards, tuple(stored["replaced"]))
        except (ValueError, TypeError, KeyError) as error:
            log.warning("Can't read the ids of the emojis (%s): sync them", type(error).__name__)
            return cls()


async def sync_emojis(client: discord.Client, values: KeyValues) -> bool:
    """Upload the missing emojis, delete those that were replaced, and remember the ids. Emojis of others stay.

    Until it restarts, a running bot shows the emojis of the previous sync, and Discord refuses a button whose emoji is
    gone, so replaced emojis are only deleted by the next sync. After a failure, the next sync finds what was uploaded.
    Returns False if Discord takes no more changes for now and the next sync has to go on.

    Raises:
        discord.HTTPException: if Discord refuses one.
    """
    there = {emoji.id: emoji for emoji in await client.fetch_application_emojis()}
    application_id = application_of(client)
    kept = await _kept(values, application_id)
    shown = {(each.deck, each.key): each for each in kept.cards if each.id in there}
    in_use = {each.id for each in shown.values()}
    gone = [there.pop(id_) for id_ in kept.replaced if id_ in there and id_ not in in_use]
    unknown = {emoji.name: emoji for emoji in there.values() if emoji.id not in in_use and _is_from(client, emoji)}
    for emoji in card_emojis():  # uploaded by a sync that was cut off, or whose notes are lost
        found = unknown.get(emoji.name)
        if found is not None and not ((known := shown.get((emoji.deck, emoji.key))) and known.shows(emoji)):
            shown[emoji.deck, emoji.key] = Uploaded(emoji.deck, emoji.key, emoji.name, found.id, emoji.digest)
    missing = [e for e in card_emojis() if not ((known := shown.get((e.deck, e.key))) and known.shows(e))]
    taken = {emoji.name for emoji in there.values()}
    deleted = done = 0
    try:
        for emoji in gone:
            await emoji.delete()
            deleted += 1
        for emoji in missing:
            made = await client.create_application_emoji(name=emoji.free_name(taken), image=emoji.image())
            taken.add(made.name)
            shown[emoji.deck, emoji.key] = Uploaded(emoji.deck, emoji.key, made.name, made.id, emoji.digest)
            done += 1
            if done % _PROGRESS_EVERY == 0 or done == len(missing):
                log.info("Emojis: %d of %d uploaded", done, len(missing))
    except discord.RateLimited as limit:
        log.warning(
            "Discord takes no more emojis for now: %d of %d are missing. Run the sync again in %d minutes",
            len(missing) - done,
            len(card_emojis()),
            math.ceil(limit.retry_after / 60),
        )
        return False
    finally:
        replaced = in_use - {each.id for each in shown.values()} | {emoji.id for emoji in gone[deleted:]}
        text = Kept(tuple(shown.values()), tuple(sorted(replaced))).dump()
        await values.set(f"{EMOJI_IDS}{application_id}", text)
        for other in (await values.of(EMOJI_IDS)).keys() - {str(application_id)}:
            await values.set(EMOJI_IDS + other, None)
    log.info("The emojis were synced: %d new, %d outdated ones deleted", len(missing), len(gone))
    return True


async def known_faces(values: KeyValues, application_id: int) -> dict[Deck, CardFaces]:
    """Find how each deck's cards are shown: with the emojis that an application has, including those of earlier
    drawings."""
    kept = await _kept(values, application_id)
    return {deck: faces_of(deck, kept.cards) for deck in Deck}


def _is_from(client: discord.Client, emoji: discord.Emoji) -> bool:
    """Whether the bot has uploaded an emoji, rather than somebody in Discord's developer portal."""
    return emoji.user is not None and client.user is not None and emoji.user.id == client.user.id


async def _kept(values: KeyValues, application_id: int) -> Kept:
    return Kept.load(await values.get(f"{EMOJI_IDS}{application_id}"))
