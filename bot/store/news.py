"""What a process tells the others that share a PostgreSQL database: what of theirs it has changed."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

CHANNEL: Final = "escoba"
"""PostgreSQL's name for where the news come; whoever hears of nothing new finds nothing."""


class News(StrEnum):
    """What has changed."""

    CHOICES = "choices"
    """A person's choices."""
    ERASURES = "erasures"
    """Somebody is to be forgotten in open games."""


async def tell(connection: AsyncConnection, what: News, about: int = 0) -> None:
    """Let the other processes know when the transaction is committed; a SQLite file has no others."""
    if connection.dialect.name == "postgresql":
        await connection.execute(sa.select(sa.func.pg_notify(CHANNEL, f"{what.value} {about}")))


def read(text: str) -> tuple[News, int] | None:
    """What was told, and about whom or what; None for what nobody of this version says."""
    what, _, about = text.partition(" ")
    try:
        return News(what), int(about)
    except ValueError:
        return None
