"""The positions of days, and the channels that get them."""

from dataclasses import asdict, dataclass
from datetime import date
from enum import StrEnum
from typing import Any

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.platform.database.base import unless_there
from bot.platform.database.database import Store, reading, writing
from bot.platform.shards import ALL, Shards
from bot.schema.training import day_channels, day_positions

_columns = day_positions.c


class Days(Store):
    """The positions of days, as text."""

    async def position(self, day: date) -> str | None:
        """Return a day's position; None if there is none yet."""
        return await self.database.read(_position, day)

    @writing
    async def add_position(self, connection: AsyncConnection, day: date, text: str) -> str:
        """Store a day's position, unless there is one; return the one that stands. Several processes may do so."""
        values = {"day": day.isoformat(), "exercise": text}
        await connection.execute(unless_there(connection, day_positions, values))
        stands = await _position(connection, day)
        assert stands is not None, "it has just been stored"
        return stands

    @reading
    async def known(self, connection: AsyncConnection, first: date, last: date) -> set[date]:
        """Return the days from `first` to `last` that have a position."""
        found = sa.select(_columns.day).where(_columns.day.between(first.isoformat(), last.isoformat()))
        return {date.fromisoformat(day) for day in await connection.scalars(found)}


async def _position(connection: AsyncConnection, day: date) -> str | None:
    return await connection.scalar(sa.select(_columns.exercise).where(_columns.day == day.isoformat()))


class Stopped(StrEnum):
    """The reason why a server that has chosen a channel gets no more messages there."""

    UNUSED = "unused"
    """Nobody clicked one for a week."""
    FORBIDDEN = "forbidden"
    """Discord doesn't let the bot write there."""
    GONE = "gone"
    """The channel was deleted."""


@dataclass(frozen=True, slots=True)
class DayChannel:
    """A server's channel for the day's position.

    Attributes:
        hour: the hour (UTC) at which the message is posted.
        locale: the language of the person who chose the channel, for a server that has none.
        message_id: the latest message; None if there is none there, or it was deleted.
        day: the day of that message, or the day when the channel was chosen, if its hour had passed.
        unused: the number of messages in a row, up to the latest, that nobody has clicked.
        stopped: the reason why no more are posted; None while they are.
    """

    guild_id: int
    channel_id: int
    hour: int
    locale: str
    message_id: int | None = None
    day: date | None = None
    unused: int = 0
    stopped: Stopped | None = None


class DayChannels(Store):
    """Servers' channels for the day's position.

    A row is written only by the process that has its server's shard.
    """

    @reading
    async def all(self, connection: AsyncConnection, shards: Shards = ALL) -> list[DayChannel]:
        """Return the rows of some shards' servers."""
        rows = await connection.execute(sa.select(day_channels).order_by(day_channels.c.guild_id))
        return [_channel(dict(row)) for row in rows.mappings() if shards.has(row["guild_id"])]

    @reading
    async def get(self, connection: AsyncConnection, guild_id: int) -> DayChannel | None:
        """Return a server's row; None if it has none."""
        rows = await connection.execute(sa.select(day_channels).where(day_channels.c.guild_id == guild_id))
        return next((_channel(dict(row)) for row in rows.mappings()), None)

    @writing
    async def put(self, connection: AsyncConnection, row: DayChannel) -> None:
        values = {**asdict(row), "day": None if row.day is None else row.day.isoformat()}
        change = sa.update(day_channels).where(day_channels.c.guild_id == row.guild_id).values(values)
        if (await connection.execute(change)).rowcount == 0:
            await connection.execute(sa.insert(day_channels).values(values))

    @writing
    async def drop(self, connection: AsyncConnection, guild_id: int) -> None:
        """Remove a server's row, if there is one."""
        await connection.execute(sa.delete(day_channels).where(day_channels.c.guild_id == guild_id))


def _channel(values: dict[str, Any]) -> DayChannel:
    day, stopped = values["day"], values["stopped"]
    values["day"] = None if day is None else date.fromisoformat(day)
    values["stopped"] = None if stopped is None else Stopped(stopped)
    return DayChannel(**values)
