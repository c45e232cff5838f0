"""Lanes on which appends reach a PostgreSQL: those of many games that come together are one statement and commit."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any, Final

import psycopg
import sqlalchemy as sa
from sqlalchemy.dialects.postgresql.psycopg import PGDialectAsync_psycopg
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.store import logs
from bot.store.writer import Append, Queue

_COLUMNS: Final = [column.name for column in logs.NEW_COLUMNS]
_NUMBERS: Final = [column.name for column in logs.NEW_COLUMNS if isinstance(column.type, sa.Integer)]
_CONTINUE: Final = str(logs.continuing_arrays().compile(dialect=PGDialectAsync_psycopg())).encode()


class Unheard(Exception):
    """It isn't known whether an append was written: nobody has answered."""


class Lane(Queue):
    """Appends on a connection of its own, which is kept: nothing is said to it but the one statement.

    What the statement doesn't take is no matter of the lane, which would keep others waiting: `append` returns then
    False, and nothing was written. That is so for what doesn't follow its game's log, for a game that somebody is
    changing, and for all of a statement that was refused for one of them. It raises Unheard, or StoreUnavailable if
    its turn doesn't come.
    """

    def __init__(self, name: str, busy_seconds: float, engine: AsyncEngine) -> None:
        super().__init__(name, asyncio.Lock(), busy_seconds, engine.dialect)
        self._engine = engine.execution_options(isolation_level="AUTOCOMMIT")
        self._connection: AsyncConnection | None = None
        self._driver: psycopg.AsyncConnection[Any] | None = None

    async def close(self) -> None:
        """Hang up; nothing is under way."""
        connection, self._connection, self._driver = self._connection, None, None
        if connection is not None:
            await connection.invalidate()
            await connection.close()

    async def _write(self, group: Sequence[Append]) -> None:
        if not group:
            return
        continued = await self._continued(group)
        for append in group:
            if continued is None:
                append.done.set_exception(Unheard())
            else:
                append.done.set_result(append.game_id in continued)

    async def _continued(self, group: Sequence[Append]) -> set[int] | None:
        """The ids of the games that were continued; None if that isn't known."""
        try:
            driver = await self._connected()
        except Exception:  # it is tried again, and told of, by who is less in a hurry
            return set()
        rows = [value for append in group for value in append.values]
        columns = {name: rows[n :: len(_COLUMNS)] for n, name in enumerate(_COLUMNS)}
        # Numbers as text: else the smallest type that holds them all would make a statement of its own.
        numbers = {name: f"{{{','.join(map(str, columns[name]))}}}" for name in _NUMBERS}
        try:
            cursor = await driver.execute(_CONTINUE, columns | numbers)
            return {row[0] for row in await cursor.fetchall()}
        except Exception as error:
            # What the server has refused, or the driver hasn't sent since it is no text, wasn't written.
            known = getattr(error, "sqlstate", None) is not None or isinstance(error, (psycopg.DataError, ValueError))
            if known and not driver.closed:
                return set()
        await self.close()
        return None

    async def _connected(self) -> psycopg.AsyncConnection[Any]:
        if self._driver is None:
            self._connection = await self._engine.connect()
            self._driver = (await self._connection.get_raw_connection()).driver_connection
            assert self._driver is not None
        return self._driver
