"""The private messages about their matches that people are still to get."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Final, NamedTuple, Self

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.platform.database.base import read_pair, write_pair
from bot.platform.database.key_values import KeyValues
from bot.platform.database.news import News

DIGESTS_OWED: Final = "digests:"
"""The beginning of the keys under which it is noted, by user, that they are still to get a private message."""
EVERY: Final = timedelta(minutes=15)
"""Clocks around the world differ by multiples of it."""


class Owed(NamedTuple):
    """A message that somebody is still to get.

    Attributes:
        hour: when it is due, in seconds since 1970: the hour of a daily message, or the moment of a notice.
        tried: when somebody began to send it, if they haven't noted since how that went.
    """

    hour: int
    tried: int = 0

    @classmethod
    def of_notice(cls, now: datetime) -> Self:
        """A notice of a turn that is due now: at no time at which any clock shows a full hour."""
        seconds = int(now.timestamp())
        return cls(seconds + (seconds % EVERY.total_seconds() == 0))

    @property
    def at(self) -> datetime:
        return datetime.fromtimestamp(self.hour, UTC)

    @property
    def daily(self) -> bool:
        return self.hour % EVERY.total_seconds() == 0

    def dump(self) -> str:
        return f"{self.hour} {self.tried}"


class OwedNotices:
    """Notes that people are to be told of a turn in private, for the process that tells them.

    `on_news`: called when that has been noted, by this process or another.
    """

    def __init__(self, values: KeyValues) -> None:
        self._values = values
        self.on_news: Callable[[], None] = lambda: None

    async def add(self, person_id: int, now: datetime, along: Mapping[str, str | None]) -> None:
        """Note it, with the values `along` of other keys; one message is enough for whoever is owed one already.

        Raises:
            StoreError: if the store fails.
        """
        key, owed = f"{DIGESTS_OWED}{person_id}", Owed.of_notice(now).dump()
        if not await self._values.add(key, owed, along=along, news=News.NOTICES):
            for key, text in along.items():
                await self._values.set(key, text)
        self.on_news()


async def owed(connection: AsyncConnection, user_id: int) -> str | None:
    """Return what is noted about a private message that a user is still to get."""
    return await read_pair(connection, f"{DIGESTS_OWED}{user_id}")


async def forget(connection: AsyncConnection, user_id: int) -> None:
    await write_pair(connection, f"{DIGESTS_OWED}{user_id}", None)
