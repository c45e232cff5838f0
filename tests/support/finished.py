"""Whether a language's catalogue is finished: an unfinished one fails no test, and CI says how much it lacks."""

from functools import cache

from bot.platform.language import extraction
from bot.platform.language.catalogues import languages
from bot.platform.language.texts import SOURCE_LANGUAGE

coverage = cache(extraction.coverage)


@cache
def is_finished(language: str) -> bool:
    """Whether no text of a language would be in English; a region needs only what differs from its language's."""
    base = language.partition("_")[0]
    known = base if base in languages() else language
    if known == SOURCE_LANGUAGE:
        return True
    translated, there_are = coverage(known)
    return translated == there_are
