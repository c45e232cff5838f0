"""The words that the running bot uses: languages, refusals, and emojis of cards.

The cards' emojis are uploaded by `python -m bot sync` alone. The ids that Discord gives them are stored, so starting
the bot needs none. A bot that was never synced shows cards with common emojis.
"""

from __future__ import annotations

import json
import logging
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

import discord

from bot.cards.pictures.emojis import Uploaded, card_emojis, faces_of
from bot.platform.database.errors import StoreError
from bot.platform.database.key_values import KeyValues
from bot.platform.kit.host import Display
from bot.platform.language.catalogues import words
from bot.platform.language.faces import CardFaces, Deck
from bot.platform.language.mentions import NO_IDS, CommandIds
from bot.platform.language.texts import Words
from bot.platform.outside import read_json
from bot.platform.settings.documents import GuildSettingsCache, PreferencesCache
from bot.platform.settings.language import LanguagePreference, LanguageSettings
from bot.platform.transport.permissions import COMMUNITY
from bot.process.belonging import application_of
from bot.tables.live.manager import TableManager
from bot.tables.settings import TablePreferences, TableSettings

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
        cards = [[card.deck, card.key, card.name, card.id, card.digest] for card in self.cards]
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
    shown = {(card.deck, card.key): card for card in kept.cards if card.id in there}
    in_use = {card.id for card in shown.values()}
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
        replaced = in_use - {card.id for card in shown.values()} | {emoji.id for emoji in gone[deleted:]}
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


async def follow_language(
    before: discord.Guild, after: discord.Guild, guild_settings: GuildSettingsCache, manager: TableManager
) -> None:
    """Show a Community's lobbies in its language if that has changed, unless its guild settings name a language."""
    chosen = (after.preferred_locale, COMMUNITY in after.features)
    if not chosen[1] or chosen == (before.preferred_locale, COMMUNITY in before.features):
        return
    try:
        if (await guild_settings.of(after.id, LanguageSettings)).language is None:
            await manager.set_locale(after.id, after.preferred_locale.value)
    except StoreError as error:
        log.warning("Could not change the language of open lobbies: %s", error)


PLAIN_FACES: Final = {deck: CardFaces(deck) for deck in Deck}
FEW: Final = 3
"""Messages refused because of an emoji within `WHILE` after which all messages go without the application's own."""
WHILE: Final = timedelta(minutes=5)
"""Time for which they do."""


class Wording:
    """Makes words for a language and a server. Until it is loaded, cards are shown with common emojis.

    Args:
        values: keeps the ids of the cards' emojis.
        guild_settings: says which deck a server has, and whether it wants pictures.
        preferences: says the same of people, and their language.
        now: the present instant.
        pictures: whether this bot makes pictures at all.
    """

    def __init__(
        self,
        values: KeyValues,
        guild_settings: GuildSettingsCache,
        preferences: PreferencesCache,
        now: Callable[[], datetime],
        *,
        pictures: bool,
    ) -> None:
        self.command_ids: CommandIds = NO_IDS
        """The ids that Discord gave to the commands; those without one are shown as plain text."""
        self.faces: Mapping[Deck, CardFaces] = PLAIN_FACES
        self._values = values
        self._guild_settings = guild_settings
        self._preferences = preferences
        self._pictures = pictures
        self._now = now
        self._refused: list[datetime] = []
        """The times within the last `WHILE` at which messages were refused because of an emoji."""
        self._plain_until: datetime | None = None

    async def load(self, application_id: int) -> None:
        """Read which of this application's emojis show the cards.

        Raises:
            StoreError: if the database can't be read.
        """
        self.faces = await known_faces(self._values, application_id)

    def emoji_refused(self) -> None:
        """Record that Discord has refused a message because of an emoji. After a few, all go without for a while."""
        now = self._now()
        self._refused = [*(at for at in self._refused if now < at + WHILE), now]
        if len(self._refused) >= FEW and not self._shows_plain:
            self._refused.clear()
            self._plain_until = now + WHILE
            log.warning(
                "Discord refuses the cards' emojis: leaving them out for %d minutes."
                " If this goes on, run the command `sync`",
                WHILE.total_seconds() // 60,
            )

    @property
    def _shows_plain(self) -> bool:
        return self._plain_until is not None and self._now() < self._plain_until

    def words(self, locale: str, guild_id: int | None, person_id: int | None = None) -> Words:
        """The words of a language, with the cards of a server's deck; for one person alone, of their choice."""
        return self._words(
            locale, person_id, self._own(person_id), self._guild_settings.cached(guild_id, TableSettings)
        )

    def _words(self, locale: str, person_id: int | None, own: TablePreferences, settings: TableSettings) -> Words:
        deck = Deck(own.deck or settings.deck)
        locale = self._preferences.cached(person_id, LanguagePreference).language or locale
        return words(locale, self.command_ids, PLAIN_FACES[deck] if self._shows_plain else self.faces[deck])

    def display(self, locale: str, guild_id: int | None, person_id: int | None = None) -> Display:
        """Find how a server's tables are shown in a language, or to one person alone: with pictures, unless turned off
        for the bot, the server or the person."""
        own, settings = self._own(person_id), self._guild_settings.cached(guild_id, TableSettings)
        pictures = self._pictures and settings.pictures and not own.text_only
        words = self._words(locale, person_id, own, settings)
        return Display(words, pictures, seeks=settings.players_role is not None)

    def _own(self, person_id: int | None) -> TablePreferences:
        """The choices of somebody who reads alone; none for what everybody reads."""
        return self._preferences.cached(person_id, TablePreferences)
