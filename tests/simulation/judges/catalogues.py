"""The bot's texts in all languages, read from the catalogues' files."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).parents[3] / "bot" / "platform" / "language" / "locale"
ENGLISH: Final = "en"
AROUND: Final = {"es_AR": "es_419", "es_419": "es"}
"""Where a language's texts come from that it lacks; English, if they are nowhere."""
SPOKEN: Final = {"es-ES": "es", "es-419": "es_419", "es-AR": "es_AR", "pt-BR": "pt_BR", "it": "it", "fr": "fr"}
"""The languages of Discord's locales; the others are shown English."""
Texts = Mapping[tuple[str, str], tuple[str, ...]]


@cache
def texts_of(language: str) -> Texts:
    """By context and English text, what it reads in a language: one text, or one for each number."""
    name = "bot.pot" if language == ENGLISH else f"{language}/LC_MESSAGES/bot.po"
    found: dict[tuple[str, str], tuple[str, ...]] = {}
    for entry in (FOLDER / name).read_text("utf-8").split("\n\n"):
        parts = dict(_parts(entry))
        if not (english := parts.get("msgid")) or "#, fuzzy" in entry:
            continue
        ids = tuple(filter(None, (english, parts.get("msgid_plural"))))
        said = tuple(text for key, text in parts.items() if key.startswith("msgstr") and text)
        for each in ids:
            if language == ENGLISH or said:
                found[parts.get("msgctxt", ""), each] = ids if language == ENGLISH else said
    return found


@cache
def lines_of(language: str) -> frozenset[str]:
    """Every line of three words or more that a language's texts have without a placeholder."""
    lines: set[str] = set()
    for key in texts_of(ENGLISH):
        around: str | None = language
        while around is not None and around != ENGLISH and key not in texts_of(around):
            around = AROUND.get(around)
        for text in texts_of(around or ENGLISH)[key]:
            lines |= set(lines_in(text))
    return frozenset(lines)


def lines_in(text: str) -> Iterator[str]:
    """The lines of a text that say something, without the marks at their beginnings."""
    for line in text.split("\n"):
        said = re.sub(r"^(?:-# |#+ |> |- )+", "", line)
        if "{" not in said and len(re.findall(r"\w{2,}", said)) >= 3:
            yield said


@cache
def languages() -> tuple[str, ...]:
    """All languages, by their catalogues."""
    return (ENGLISH, *sorted(path.parent.parent.name for path in FOLDER.glob("*/LC_MESSAGES/bot.po")))


@cache
def translations(english: str) -> frozenset[str]:
    """A text in every language."""
    return frozenset(text for each in languages() for text in texts_of(each).get(("", english), ()))


def _parts(entry: str) -> Iterator[tuple[str, str]]:
    """The fields of an entry with their texts."""
    key, text = "", ""
    for line in entry.split("\n"):
        if line.startswith("msg"):
            if key:
                yield key, text
            key, _, begin = line.partition(" ")
            text = json.loads(begin)
        elif line.startswith('"'):
            text += json.loads(line)
    if key:
        yield key, text
