"""The bot's texts in its languages, from gettext catalogues.

The code is in English; every other language is a catalogue in `locale/`. Catalogues are compiled in memory, so the
repository holds no compiled file that could go stale. A text that a catalogue lacks comes from the next one: from Latin
America's for Argentina's, then from Spain's, then from the code.
"""

from __future__ import annotations

import gettext
import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from functools import cache, lru_cache
from io import BytesIO
from pathlib import Path
from typing import Final

from babel import Locale
from babel.core import get_global
from babel.lists import format_list
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.numbers import format_decimal

from bot.platform.language.faces import PLAIN, CardFaces
from bot.platform.language.mentions import NO_IDS, CommandIds

LOCALE_DIR: Final = Path(__file__).parent / "locale"
SOURCE_LANGUAGE: Final = "en"
DEMO_PAGE: Final = "demo page"
"""The context of the texts of the demo's own page, which are in its JavaScript."""
_COMMAND: Final = "`/"
"""The beginning of a command in a text."""
_Y_BEFORE_I: Final = re.compile(r" y (?=\W*h?[ií](?![aeo]))", re.IGNORECASE)
"""The Spanish "and" where it is e: before the sound of i."""
_GROUPED: Final = 1000
"""The least number that is written in groups of digits."""
_CONTEXT: Final = "\x04"
"""The character between a message's context and its text, as in compiled catalogues."""


class Words:
    """A translator of messages into one language: call it with the English message.

    Messages are `str.format` templates, filled in after translation. Whole numbers are written as the language does.

    >>> words("en").context("button", "Join")
    'Join'
    >>> words("es-ES").plural("{n} win", "{n} wins", 2)
    '2 victorias'
    """

    def __init__(
        self,
        language: str,
        catalogue: gettext.NullTranslations,
        commands: CommandIds = NO_IDS,
        faces: CardFaces = PLAIN,
    ) -> None:
        self.language: Final = language
        self.faces: Final = faces
        self._catalogue = catalogue
        self._mentions = dict(commands.mentions(lambda part: self.context("command", part)))

    def __call__(self, message: str, **values: object) -> str:
        """Translate the message into this language and fill in its values."""
        text = self._catalogue.gettext(message)
        if _CONTEXT in text:
            _, text = split_context(text)
        if _COMMAND in text:
            for typed, mention in self._mentions.items():
                text = text.replace(typed, mention)
        return self._filled(text, values) if values else text

    def context(self, context: str, message: str, **values: object) -> str:
        """Translate a message that is too short to say by itself where it stands, such as the "Join" of a "button"."""
        return self(f"{context}{_CONTEXT}{message}", **values)

    @property
    def colon(self) -> str:
        """The sign between a label and its value: in French there is a space before it, too."""
        return "\u00a0: " if self.language == "fr" else ": "

    def plural(self, one: str, many: str, n: int, **values: object) -> str:
        """Translate the singular or plural message for the number `n`, which also fills in `{n}`."""
        return self._filled(self._catalogue.ngettext(one, many, n), {"n": n, **values})

    def _filled(self, text: str, values: Mapping[str, object]) -> str:
        return text.format(**{key: self.number(each) if type(each) is int else each for key, each in values.items()})

    def number(self, value: float | Decimal, pattern: str | None = None) -> str:
        """Write a number as the language does, by a pattern such as "#,##0.0", or with the decimals that it has.

        >>> words("es").number(1061), words("en").number(2.5)
        ('1.061', '2.5')
        """
        if isinstance(value, int) and abs(value) < _GROUPED:  # Babel's data of a language takes a megabyte of memory
            return str(value)
        return format_decimal(value, format=pattern, locale=self.language)

    def rounded(self, value: float) -> str:
        """Write a number with at most one decimal."""
        return self.number(value, "#,##0.#")

    def listed(self, items: Sequence[str]) -> str:
        """List names in a sentence, the last with "and" before it. After a colon commas are enough.

        >>> words("en").listed(("Ana", "Bea", "Iván")), words("es").listed(("Ana", "Iván"))
        ('Ana, Bea and Iván', 'Ana e Iván')
        """
        text = format_list(items, locale="en_GB" if self.language == SOURCE_LANGUAGE else self.language)
        return _Y_BEFORE_I.sub(" e ", text) if self.language.startswith("es") else text


def N_(message: str) -> str:  # noqa: N802 - gettext's own name for a message that is translated where it is used
    """Mark a message for translation elsewhere."""
    return message


def NC_(context: str, message: str) -> str:  # noqa: N802 - GLib's name for the same with a context
    """Mark a message in its context for translation elsewhere: by `Words(...)`, as any other."""
    return f"{context}{_CONTEXT}{message}"


def split_context(marked: str) -> tuple[str, str]:
    """Split a marked message into its context, which may be empty, and its text."""
    context, _, text = marked.rpartition(_CONTEXT)
    return context, text


@cache
def languages() -> tuple[str, ...]:
    """List the codes of all languages, the source language first."""
    found = sorted(path.parent.parent.name for path in LOCALE_DIR.glob("*/LC_MESSAGES/bot.po"))
    return (SOURCE_LANGUAGE, *found)


def catalogues_digest() -> str:
    """Return a hash of all catalogues as they are written: making it takes less time and memory than to read them."""
    digest = hashlib.sha256()
    for language in languages()[1:]:
        digest.update(_path(language).read_bytes())
    return digest.hexdigest()


@cache
def language_name(language: str) -> str:
    """Return a language's own name for itself.

    >>> language_name("es")
    'Español'
    """
    name = Locale.parse(language).get_display_name() or language
    return name[:1].upper() + name[1:]


class LanguageNames(Mapping[str | None, str]):
    """The names of all languages by their codes, after a text for None: each is looked up when it is shown.

    Babel's data of a language takes a megabyte of memory.
    """

    def __init__(self, none: str) -> None:
        self._none = none

    def __getitem__(self, code: str | None) -> str:
        if code is None:
            return self._none
        if code in languages():
            return language_name(code)
        raise KeyError(code)

    def __iter__(self) -> Iterator[str | None]:
        return iter((None, *languages()))

    def __len__(self) -> int:
        return 1 + len(languages())


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
    """Read the catalogues of all languages, which takes half a second the first time."""
    for language in languages():
        _catalogue(language)


def _path(language: str) -> Path:
    return LOCALE_DIR / language / "LC_MESSAGES" / "bot.po"


@cache
def _catalogue(language: str) -> gettext.NullTranslations:
    if language == SOURCE_LANGUAGE:
        return gettext.NullTranslations()
    with _path(language).open("rb") as file:
        catalogue = read_po(file, locale=language)
    for message in list(catalogue):
        if isinstance(message.string, tuple) and not all(message.string):  # written out, it would be in English
            catalogue.delete(message.id, message.context)
    compiled = BytesIO()
    write_mo(compiled, catalogue)
    compiled.seek(0)
    translations = gettext.GNUTranslations(compiled)
    for each in with_parents(language)[1:]:
        if each in languages():
            translations.add_fallback(_catalogue(each))
            break
    return translations
