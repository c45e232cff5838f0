"""The words of the bot in the languages it speaks, by gettext catalogues.

English is the language of the code; every other language is a catalogue in `locale/`. Catalogues are read as text and
compiled in memory, so that no compiled file is kept in the repository or goes stale.
"""

from __future__ import annotations

import gettext
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Final

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from bot.ui.words.faces import PLAIN, CardFaces

LOCALE_DIR: Final = Path(__file__).parent / "locale"
SOURCE_LANGUAGE: Final = "en"


class Words:
    """Translates messages into one language; call it with the English message.

    Messages are `str.format` templates; the values are put in after translation.

    >>> words("en")("Join")
    'Join'
    >>> words("es-419").plural("{n} win", "{n} wins", 2)
    '2 victorias'
    """

    def __init__(self, language: str, catalogue: gettext.NullTranslations, faces: CardFaces = PLAIN) -> None:
        self.language: Final = language
        self.faces: Final = faces
        self._catalogue = catalogue

    def showing(self, faces: CardFaces) -> Words:
        """The same words, with cards shown in this way."""
        return Words(self.language, self._catalogue, faces)

    def __call__(self, message: str, **values: object) -> str:
        """The message in this language, with its values."""
        text = self._catalogue.gettext(message)
        return text.format(**values) if values else text

    def plural(self, one: str, many: str, n: int, **values: object) -> str:
        """The message for the number `n`, which is also its value `n`."""
        return self._catalogue.ngettext(one, many, n).format(n=n, **values)


def N_(message: str) -> str:  # noqa: N802 - gettext's own name for a message that is translated where it is used
    """Mark a message for translation without translating it here."""
    return message


@cache
def languages() -> tuple[str, ...]:
    """The languages there are words in, the source language first."""
    found = sorted(path.parent.parent.name for path in LOCALE_DIR.glob("*/LC_MESSAGES/bot.po"))
    return (SOURCE_LANGUAGE, *found)


def words(locale: str | None) -> Words:
    """The words for a Discord locale, as "es-419": its language if there is one, else English."""
    language = (locale or SOURCE_LANGUAGE).partition("-")[0].lower()
    return _load(language if language in languages() else SOURCE_LANGUAGE)


@cache
def _load(language: str) -> Words:
    if language == SOURCE_LANGUAGE:
        return Words(language, gettext.NullTranslations())
    path = LOCALE_DIR / language / "LC_MESSAGES" / "bot.po"
    with path.open("rb") as file:
        catalogue = read_po(file, locale=language)
    compiled = BytesIO()
    write_mo(compiled, catalogue)
    compiled.seek(0)
    return Words(language, gettext.GNUTranslations(compiled))
