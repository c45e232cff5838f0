"""News between the processes that share a PostgreSQL database, about the changes that one of them has made."""

from enum import StrEnum
from typing import Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

CHANNEL: Final = "escoba"
"""The name of the PostgreSQL notification channel."""


class News(StrEnum):
    """The subject of a change."""

    CHOICES = "choices"
    """A user's preferences."""
    ERASURES = "erasures"
    """Somebody must be erased from open logs."""
    ERASED = "erased"
    """All that is stored about a user is erased, apart from what must be erased from open logs."""
    PLACES = "places"
    """Another process wants a person's place."""
    NOTICES = "notices"
    """A user is to be told something in private."""


async def publish(connection: AsyncConnection, what: News, about: int = 0) -> None:
    """Notify the other processes when the transaction commits; with a SQLite file there are none."""
    if connection.dialect.name == "postgresql":
        await connection.execute(sa.select(sa.func.pg_notify(CHANNEL, f"{what.value} {about}")))


def parse(text: str) -> tuple[News, int] | None:
    """Read a notification's subject and the id it is about; None for one that this version doesn't know."""
    what, _, about = text.partition(" ")
    try:
        return News(what), int(about)
    except ValueError:
        return None
