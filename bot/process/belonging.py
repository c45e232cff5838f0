"""The application that a database belongs to: another application's bot stops before it changes anything there."""

from typing import Final

import discord

from bot.platform.database.key_values import KeyValues
from bot.settings import SettingsError

APPLICATION: Final = "application"
"""The key of the id of the application that the database belongs to."""


def application_of(client: discord.Client) -> int:
    """The id of the application of a client that has logged in."""
    assert client.application_id is not None, "discord.py knows it after the login"
    return client.application_id


async def belongs(values: KeyValues, application_id: int) -> bool:
    """Whether a database is known to be this application's; False if it belongs to no application yet.

    Raises:
        SettingsError: if it is another application's; the message says what to do.
        StoreError: if it can't be read.
    """
    owner = await values.get(APPLICATION)
    if owner is None or owner == str(application_id):
        return owner is not None
    raise SettingsError(
        f"The database in ESCOBA_DATABASE belongs to the application {owner}, but ESCOBA_TOKEN is a token of"
        f" {application_id}, so nothing was changed: correct one of the two settings or, if the games should belong to"
        " this application from now on, run the command `sync --adopt`"
    )


async def claim(values: KeyValues, application_id: int) -> None:
    """Record that a database is this application's, unless it is another's already.

    Raises:
        StoreError: if that can't be recorded.
    """
    await values.add(APPLICATION, str(application_id))


async def adopt(values: KeyValues, application_id: int) -> None:
    """Make a database this application's, even if it was another's.

    Raises:
        StoreError: if that can't be recorded.
    """
    await values.set(APPLICATION, str(application_id))
