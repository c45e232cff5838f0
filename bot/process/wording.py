"""The words that the bot shows: in a language, with clickable commands and the cards that a server has chosen."""

from __future__ import annotations

import logging

from bot.process.emojis import known_faces
from bot.store import Store
from bot.tables.server.guild_settings import GuildSettingsCache
from bot.ui.kit.display import Display
from bot.ui.words.faces import CardFaces, Deck
from bot.ui.words.mentions import NO_IDS, CommandIds
from bot.ui.words.texts import Words, words

log = logging.getLogger(__name__)


class Wording:
    """Makes words for a language and a server. Until it is loaded, cards are shown with common emojis.

    Args:
        store: keeps the ids of the cards' emojis.
        guild_settings: says which deck a server has, and whether it wants pictures.
        pictures: whether this bot makes pictures at all.
    """

    def __init__(self, store: Store, guild_settings: GuildSettingsCache, *, pictures: bool) -> None:
        self.command_ids: CommandIds = NO_IDS
        """The ids that Discord gave to the commands; those without one are shown as plain text."""
        self.faces: dict[Deck, CardFaces] = _plain()
        self._store = store
        self._guild_settings = guild_settings
        self._pictures = pictures

    async def load(self, application_id: int) -> None:
        """Read which of this application's emojis show the cards.

        Raises:
            StoreError: if the database can't be read.
        """
        self.faces = await known_faces(self._store, application_id)

    def show_plain(self) -> None:
        """Show cards with common emojis from now on: Discord has refused one of the application's."""
        if any(faces.emojis for faces in self.faces.values()):
            self.faces = _plain()
            log.error(
                "Discord refused an emoji, so cards are shown as plain text: run `make sync`, and restart the bot"
            )

    def words(self, locale: str, guild_id: int | None) -> Words:
        """The words of a language, with the cards of a server's deck."""
        deck = Deck(self._guild_settings.cached(guild_id or 0).deck)
        return words(locale, self.command_ids, self.faces[deck])

    def display(self, locale: str, guild_id: int | None) -> Display:
        """Find how a server's tables are shown in a language: with pictures, unless turned off for the bot or the
        server."""
        settings = self._guild_settings.cached(guild_id or 0)
        seeks = settings.players_role is not None
        return Display(self.words(locale, guild_id), self._pictures and settings.pictures, seeks=seeks)


def _plain() -> dict[Deck, CardFaces]:
    return {deck: CardFaces(deck) for deck in Deck}
