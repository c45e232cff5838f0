"""A server's language and time zone, and a person's language."""

from typing import Annotated

from pydantic import AfterValidator

from bot.platform.language.calendar import UTC_NAME, zone_name
from bot.platform.settings.documents import Choices


class LanguageSettings(Choices):
    """A server's language and time zone."""

    language: str | None = None
    """Of the public messages; None: that of the person who opens the table, or the Community's own."""
    zone: Annotated[str, AfterValidator(zone_name)] = UTC_NAME
    """The time zone in which the start of a tournament is written, by its IANA name."""


class LanguagePreference(Choices):
    """A person's choice. Its docstring explains it to the person in the file with their data."""

    language: str | None = None
    """the language in which I speak to you alone; null: that of your Discord"""
