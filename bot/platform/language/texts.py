"""Texts in the languages of their readers."""

import gettext
import re
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from functools import cache, wraps
from typing import Final, TypeVar

from babel import Locale
from babel.lists import format_list
from babel.numbers import format_decimal
from cachetools import LRUCache

from bot.platform.language.faces import PLAIN, CardFaces
from bot.platform.language.mentions import NO_IDS, CommandIds
from bot.platform.memories import clears

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
_locale: Final = cache(Locale.parse)
"""Babel parses a language's code again each time."""


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
        large = {
            key: self.number(value) for key, value in values.items() if type(value) is int and abs(value) >= _GROUPED
        }
        return text.format_map({**values, **large} if large else values)

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
        text = format_list(items, locale=_locale("en_GB" if self.language == SOURCE_LANGUAGE else self.language))
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


S = TypeVar("S")
R = TypeVar("R")
_MOST = 32
"""Most languages in the cache, more than there are with decks: commands bring new `Words` only when they are synced."""


def cached_by_language(make: Callable[[S, Words], R]) -> Callable[[S, Words], R]:
    """Cache a function's latest result in each language. States are compared by identity, so they must not change."""
    latest: LRUCache[Words, tuple[S, R]] = LRUCache(_MOST)
    clears(latest.clear)

    @wraps(make)
    def kept(state: S, t: Words) -> R:
        known = latest.get(t)
        if known is None or known[0] is not state:
            known = latest[t] = (state, make(state, t))
        return known[1]

    return kept


MEDALS: Final = {1: "🥇", 2: "🥈", 3: "🥉"}


def place_sign(rank: int, t: Words) -> str:
    """Write the medal of a place, or its number in bold."""
    return MEDALS.get(rank, f"**{t.number(rank)}.**")
