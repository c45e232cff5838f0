"""The pages of a server's language, and of a person's."""

from collections.abc import Mapping
from typing import Any, Final

from bot.platform.language.catalogues import language_names
from bot.platform.language.texts import N_, NC_, Words
from bot.platform.settings.choices import Choice
from bot.platform.settings.language import LanguagePreference, LanguageSettings
from bot.platform.settings.pages import OwnPages, ServerPages, text_of

USUAL: Final = N_("{value}, the default")
"""The option that stands for whatever applies where nothing is chosen."""
LANGUAGE: Final = Choice(
    "language",
    NC_("heading", "**Language**"),
    language_names(USUAL),
    about=N_("Automatic: the language of a Community server, elsewhere that of whoever opens the table."),
)
OWN_LANGUAGE: Final = Choice(
    "language",
    NC_("heading", "**Language**"),
    language_names(N_("As in Discord")),
    about=N_("For what only you see. Everyone reads a table in the language of the server."),
)


def _how(which: Choice, settings: LanguageSettings, t: Words) -> Mapping[str, Any]:
    return {"value": t.context("language", "Automatic")}


def _value(which: Choice, settings: LanguageSettings, t: Words) -> str:
    return t.context("language", "Automatic") if settings.language is None else text_of(which, settings, t)


PAGE: Final = ServerPages.menu_page(LANGUAGE, LanguageSettings, value=_value, how=_how)
OWN_PAGE: Final = OwnPages.menu_page(OWN_LANGUAGE, LanguagePreference)
