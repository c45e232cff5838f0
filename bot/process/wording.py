"""The words that the bot shows: in a language, with clickable commands and the cards that a server has chosen."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Final

from bot.platform.database.key_values import KeyValues
from bot.platform.kit.display import Display
from bot.platform.language.catalogues import words
from bot.platform.language.faces import CardFaces, Deck
from bot.platform.language.mentions import NO_IDS, CommandIds
from bot.platform.language.texts import Words
from bot.platform.settings.documents import GuildSettingsCache, PreferencesCache
from bot.platform.settings.language import LanguagePreference
from bot.process.emojis import known_faces
from bot.tables.settings import TablePreferences, TableSettings

log = logging.getLogger(__name__)

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
