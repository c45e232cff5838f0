"""The demo's people, and the languages they speak."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any, Final

import simcord
from babel.core import get_global
from babel.messages.pofile import read_po
from discord import Locale
from discord.ext import commands
from simcord.builders import UserHandle

from bot.platform.language.catalogues import LOCALE_DIR, language_name, language_of, languages, with_parents, words
from bot.platform.language.texts import DEMO_PAGE, SOURCE_LANGUAGE
from bot.platform.settings.language import LanguagePreference, LanguageSettings
from bot.tables.settings import TableSettings

Actor = simcord.MemberActor | UserHandle
"""Somebody who acts on the server, or in their direct message."""


@dataclass(frozen=True, slots=True)
class Visitor:
    """Somebody who uses the demo in a browser window of their own."""

    slug: str
    """The name in the address: ``/as/ana``."""
    name: str
    """The name everybody sees."""
    locale: str
    """The Discord locale this person starts with."""
    colour: str
    """The avatar's background, dark enough for white letters."""
    member: bool = True
    """Whether they are on the server; others have only a direct message with the bot."""


ROSTER = (
    Visitor("ana", "Ana", "es-ES", "#c2410c"),
    Visitor("luis", "Luis", "es-419", "#0f766e"),
    Visitor("emma", "Emma", "en-US", "#7c3aed"),
    Visitor("jordi", "Jordi", "es-ES", "#b45309"),
    Visitor("marta", "Marta", "es-ES", "#be185d"),
    Visitor("noah", "Noah", "en-GB", "#1d4ed8"),
    Visitor("sofia", "Sofía", "es-419", "#4d7c0f"),
    Visitor("diego", "Diego", "es-419", "#0e7490"),
    Visitor("vera", "Vera", "es-ES", "#6d28d9", member=False),
)
"""All possible people. Only append: the order determines their ids, which the bot's database remembers."""
FIRST = 6
"""The number of them that are made before the channels, whose ids would change otherwise; the rest are made after
these."""

PEOPLE = ROSTER
"""The people of a world unless it is made with fewer: enough for a knockout of four pairs."""


@dataclass(slots=True)
class Resident:
    """A person in the world, with what the page remembers of them."""

    person: Visitor
    user: UserHandle
    actor: simcord.MemberActor | None
    """The person as a member of the server; None if they aren't one."""
    locale: str
    """The locale of their Discord."""
    settled: bool = False
    """Whether their language was chosen since the demo began, on the page or by the browser they came with."""
    dismissed: set[int] = field(default_factory=set[int])
    modals: dict[str, tuple[Actor, simcord.InteractionResult]] = field(
        default_factory=dict[str, tuple[Any, simcord.InteractionResult]]
    )

    @property
    def direct(self) -> simcord.ChannelHandle:
        """Their direct message with the bot."""
        return self.user.dm_channel

    def within(self, channel: simcord.ChannelHandle) -> Actor:
        """The person as they act in a channel."""
        return self.user if self.actor is None or channel.id == self.direct.id else self.actor

    def commands(self, channel: simcord.ChannelHandle) -> tuple[str, ...]:
        actor = self.within(channel)
        return actor.available_commands() if isinstance(actor, UserHandle) else actor.available_commands(channel)


if TYPE_CHECKING:
    from bot.process.app import EscobaBot

_LOCALES: Final = sorted((locale.value for locale in Locale), reverse=True)
"""Discord's locales: es-ES before es-419, en-US before en-GB."""
ORDINARY: Final = "en-US"
"""The locale that Discord reports for a server that isn't a Community."""


def tags_of(language: str) -> list[str]:
    """List what can be chosen to have a language of the bot: Discord's locales, or else the language's own tag."""
    return [locale for locale in _LOCALES if language_of(locale) == language] or [language.replace("_", "-")]


def choices() -> dict[str, str]:
    """List all tags that can be chosen on the page, each with the language's own name; browsers don't know them all."""
    return {tag: language_name(tag.replace("-", "_")) for language in languages() for tag in tags_of(language)}


def locale_for(tag: str) -> str:
    """Return the locale of somebody's Discord who chose a tag: that, or the nearest that Discord has.

    >>> [locale_for(each) for each in ("en-GB", "es-AR", "fr-CA", "ca")]
    ['en-GB', 'es-419', 'fr', 'es-ES']
    """
    language = tag.replace("-", "_")
    around = (parent.replace("_", "-") for parent in with_parents(language))
    country = get_global("likely_subtags").get(language, "").rpartition("_")[2]
    near = (each for each in _LOCALES if each.endswith(f"-{country}") or each.startswith(f"{language.split('_')[0]}-"))
    return next(locale for locale in (*around, *near, ORDINARY) if locale in _LOCALES)


def _own(tag: str) -> str | None:
    """Return the language that has to be chosen in the bot itself, because Discord lacks it."""
    return None if tag in _LOCALES else language_of(tag)


def _tag(own: str | None, locale: str) -> str:
    """Return what counts as chosen. `own`: the language chosen in the bot, which takes precedence over Discord's."""
    language = language_of(own or locale)
    return locale if language in (None, language_of(locale)) else tags_of(language)[0]


def page_texts(language: str) -> dict[str, str]:
    """Translate the page's own texts into a language; the keys are the English ones, which the page's code has."""
    t = words(language)
    return {text: t.context(DEMO_PAGE, text) for text in _page_texts()}


@cache
def _page_texts() -> list[str]:
    with (LOCALE_DIR / "bot.pot").open("rb") as file:
        return [str(message.id) for message in read_po(file) if message.context == DEMO_PAGE]


class Languages:
    """The languages of the people on the simulated server, and of the server itself.

    Args:
        bot: remembers the languages that Discord doesn't have, if it is Escoba.
        guild_id: the server.
        make_community: makes the server a Community with a Discord locale, and its lobbies speak a language.
    """

    def __init__(
        self,
        bot: commands.Bot | commands.AutoShardedBot,
        guild_id: int,
        make_community: Callable[[str, str], Awaitable[None]],
    ) -> None:
        self._bot = bot
        self._guild_id = guild_id
        self._make_community = make_community
        self.guild_locale: str | None = None
        """The server's Discord locale; an ordinary server has none."""
        self._first: Resident | None = None
        """The first visitor, whose language the server follows until one is chosen for it."""
        self._followed: str | None = None
        """The language that the bot's settings got in following them."""

    def chosen(self, resident: Resident) -> str:
        """Return the tag of a person's language."""
        return _tag(self._own_of(resident), resident.locale)

    def language(self, resident: Resident) -> str:
        """Return the language in which the bot speaks to a person alone."""
        return language_of(self.chosen(resident)) or SOURCE_LANGUAGE

    @property
    def guild_chosen(self) -> str:
        """The tag of the language of the public messages."""
        return _tag(self._guild_own, self.guild_locale or ORDINARY)

    async def choose(self, resident: Resident, tag: str) -> None:
        """Have a person speak a language: by their Discord, or by what they prefer in the bot if Discord lacks it."""
        resident.settled, resident.locale = True, locale_for(tag)
        if (bot := self._escoba) is not None and self._own_of(resident) != _own(tag):
            await bot.parts.preferences.change(resident.user.id, LanguagePreference, language=_own(tag))
        if resident is self._first and self._guild_own == self._followed:
            await self._choose_for_guild(tag)

    async def suggest(self, resident: Resident, language: str) -> None:
        """Have a person speak the language of the browser they came with, unless they have another already."""
        fits = self._own_of(resident) is not None or self.language(resident) == language
        if not resident.settled and not fits:
            await self.choose(resident, tags_of(language)[0])
        resident.settled = True

    async def choose_for_guild(self, tag: str) -> None:
        self._first = None
        await self._choose_for_guild(tag)

    async def welcome(self, resident: Resident) -> None:
        """Note that somebody has opened a window. The server follows the first visitor's language, if it has none."""
        if self._first is not None or self.guild_locale is not None:
            return
        self._first = resident
        if (bot := self._escoba) is not None:
            await bot.parts.guild_settings.of(self._guild_id, TableSettings)  # from now on they are known
        if self._guild_own is None:
            await self._choose_for_guild(self.chosen(resident))
        else:
            self._first = None
            await self._become_community(self.guild_chosen)

    async def _choose_for_guild(self, tag: str) -> None:
        self._followed = _own(tag)
        if (bot := self._escoba) is not None and self._guild_own != self._followed:
            await bot.parts.guild_settings.change(self._guild_id, LanguageSettings, language=self._followed)
        await self._become_community(tag)

    async def _become_community(self, tag: str) -> None:
        self.guild_locale = locale_for(tag)
        await self._make_community(self.guild_locale, self._guild_own or self.guild_locale)

    @property
    def _escoba(self) -> EscobaBot | None:
        from bot.process.app import EscobaBot

        return self._bot if isinstance(self._bot, EscobaBot) else None

    def _own_of(self, resident: Resident) -> str | None:
        bot = self._escoba
        return None if bot is None else bot.parts.preferences.cached(resident.user.id, LanguagePreference).language

    @property
    def _guild_own(self) -> str | None:
        bot = self._escoba
        return None if bot is None else bot.parts.guild_settings.cached(self._guild_id, LanguageSettings).language
