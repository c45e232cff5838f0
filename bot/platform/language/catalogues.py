"""The catalogues of the bot's languages.

The code is in English; every other language is a catalogue in `locale/`. A text that a catalogue lacks comes from the
next one: from Latin America's for Argentina's, then from Spain's, then from the code.
"""

import gettext
import hashlib
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

from babel import Locale
from babel.core import get_global

from bot.platform.language import compiled
from bot.platform.language.faces import PLAIN, CardFaces
from bot.platform.language.mentions import NO_IDS, CommandIds
from bot.platform.language.texts import SOURCE_LANGUAGE, Words

LOCALE_DIR: Final = Path(__file__).parent / "locale"
_NAMES: Final = {
    "en": "English",
    "ca": "Català",
    "es": "Español",
    "es_419": "Español (Latinoamérica)",
    "es_AR": "Español (Argentina)",
    "eu": "Euskara",
    "fr": "Français",
    "gl": "Galego",
    "it": "Italiano",
    "pt_BR": "Português (Brasil)",
}
"""The names of these languages for themselves. Babel has them, too, but its data of a language takes milliseconds to
read, and a megabyte of memory."""


@cache
def languages() -> tuple[str, ...]:
    """List the codes of all languages, the source language first."""
    return (SOURCE_LANGUAGE, *(path.parent.parent.name for path in _files()))


@cache
def catalogues_digest() -> str:
    """Return a hash of all catalogues' files: making it takes less time and memory than to read them."""
    digest = hashlib.sha256()
    for path in _files():
        digest.update(path.read_bytes())
    return digest.hexdigest()


def language_name(language: str) -> str:
    """Return a language's own name for itself.

    >>> language_name("es")
    'Español'
    """
    if (known := _NAMES.get(language)) is not None:
        return known
    name = Locale.parse(language).get_display_name() or language
    return name[:1].upper() + name[1:]


def language_names(none: str) -> dict[str | None, str]:
    """Return the names of all languages by their codes, after a text for None."""
    return {None: none, **{code: language_name(code) for code in languages()}}


@lru_cache(maxsize=64)
def language_of(locale: str) -> str | None:
    """Return the language in which a locale is shown: its own, that of a region around it, of another one, or None.

    Only this function reads locales, in whatever form: Discord's "es-419", a catalogue's "pt_BR", a bare "es".

    >>> [language_of(each) for each in ("es-AR", "es-MX", "es-ES", "pt-PT", "tlh")]
    ['es_AR', 'es_419', 'es', 'pt_BR', None]
    """
    language, *region = locale.replace("-", "_").split("_")
    code = "_".join((language.lower(), *(each.upper() for each in region[:1])))
    sisters = (each for each in languages() if each.startswith(f"{language.lower()}_"))
    return next((each for each in (*with_parents(code), *sisters) if each in languages()), None)


def with_parents(code: str) -> tuple[str, ...]:
    """List a code and those of the regions around it, by Unicode's list: Argentina, Latin America, Spanish."""
    around: str | None = get_global("parent_exceptions").get(code) or code.rpartition("_")[0]
    return (code, *with_parents(around)) if around else (code,)


def words(locale: str | None, commands: CommandIds = NO_IDS, faces: CardFaces = PLAIN) -> Words:
    """Return the words for a locale such as "es-419": in its language if a catalogue exists, else in English.

    Args:
        locale: Discord's code, or a language's; None for English.
        commands: the known ids of commands, which make them clickable in texts. Labels would show the markup.
        faces: the look of cards in texts.
    """
    return _words(language_of(locale or SOURCE_LANGUAGE) or SOURCE_LANGUAGE, commands, faces)


@lru_cache(maxsize=32)
def _words(language: str, commands: CommandIds, faces: CardFaces) -> Words:
    return Words(language, _catalogue(language), commands, faces)


def read_catalogues() -> None:
    """Read the catalogues of all languages."""
    for language in languages():
        _catalogue(language)


def parse_catalogues() -> None:
    """Parse the catalogues that aren't compiled, which takes half a second, so that later nobody waits for it."""
    for language in languages()[1:]:
        if not compiled.is_compiled(_path(language)):
            _catalogue(language)


def _files() -> list[Path]:
    """List the catalogues as they are written or, in the package, compiled."""
    return sorted(LOCALE_DIR.glob("*/LC_MESSAGES/bot.po")) or sorted(LOCALE_DIR.glob("*/LC_MESSAGES/bot.mo"))


def _path(language: str) -> Path:
    return LOCALE_DIR / language / "LC_MESSAGES" / "bot.po"


@cache
def _catalogue(language: str) -> gettext.NullTranslations:
    if language == SOURCE_LANGUAGE:
        return gettext.NullTranslations()
    translations = compiled.read(_path(language))
    for each in with_parents(language)[1:]:
        if each in languages():
            translations.add_fallback(_catalogue(each))
            break
    return translations
