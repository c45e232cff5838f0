"""Columns and helpers of every table, and the platform's own tables.

Erasures that are due are notes of the people whom another process has to erase from its open logs. Each sort of log has
a `place`: a note's key is this, the log's number, a colon and the user's id.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy import event
from sqlalchemy.dialects import sqlite
from sqlalchemy.ext.asyncio import AsyncConnection

metadata: Final = sa.MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)


@dataclass(frozen=True, slots=True)
class Schema:
    """A bot's tables as they are now, and the steps that led to them.

    Attributes:
        metadata: has all tables.
        migrations: the folder of Alembic's env.py, and of the steps in `versions`.
    """

    metadata: sa.MetaData
    migrations: Path


class UtcDateTime(sa.TypeDecorator[datetime]):
    """A timestamp: takes aware datetimes only, stores UTC, returns aware ones (SQLite has no time zones)."""

    impl = sa.DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: sa.Dialect) -> datetime | None:
        return None if value is None else as_utc(value)

    def process_result_value(self, value: datetime | None, dialect: sa.Dialect) -> datetime | None:
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


def as_utc(moment: datetime) -> datetime:
    """Convert a timestamp to the form in which it is stored. Raises ValueError if it has no time zone."""
    if moment.tzinfo is None:
        raise ValueError("the store takes aware datetimes only")
    return moment.astimezone(UTC)


def partial_index(name: str, *columns: Any, where: str, unique: bool = False) -> sa.Index:
    """Make an index of the rows for which a condition in SQL holds. It is attached to the table of its columns."""
    return sa.Index(name, *columns, unique=unique, info={"where": where})


@event.listens_for(metadata, "before_create")
def _tell_conditions(metadata: sa.MetaData, connection: sa.Connection, **_: Any) -> None:
    """Tell only the dialect that creates the tables what its partial indexes cover.

    Each index could have its condition for both from the start, but that loads both dialects, and PostgreSQL's takes
    4 MB, which a bot on a file does without.
    """
    for table in metadata.tables.values():
        for index in table.indexes:
            if where := index.info.get("where"):
                index.dialect_kwargs[f"{connection.dialect.name}_where"] = sa.text(where)


def person() -> sa.ForeignKey:
    """Make a column's reference to a user's row in `people`: deleting that row deletes this one, too."""
    return sa.ForeignKey("people.user_id", ondelete="CASCADE")


# SQLite numbers rows itself only if the column's type is INTEGER.
row_id: Final = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


# Users' preferences. A user without any needs a row only if other rows refer to it. Those are deleted with it, so that
# code that erases a user needn't know about them.
people: Final = sa.Table(
    "people",
    metadata,
    sa.Column("user_id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("choices", sa.Text, nullable=False),
    sa.Column("chosen_at", UtcDateTime),  # noted within a day, by the daily run
)

# The bot's own values, such as the hash of the commands it registered last.
key_values: Final = sa.Table(
    "key_values",
    metadata,
    sa.Column("key", sa.Text, primary_key=True),
    sa.Column("value", sa.Text, nullable=False),
)


_SEQUENCE: Final = sa.text("SELECT pg_get_serial_sequence(:table, 'id')")


def unless_there(connection: AsyncConnection, table: sa.Table, values: Mapping[str, Any]) -> sa.Insert:
    """Make the statement that adds a row to a table, and does nothing if there is one with its key."""
    if connection.dialect.name == "sqlite":
        return sqlite.insert(table).values(values).on_conflict_do_nothing()
    from sqlalchemy.dialects import postgresql  # here, since it takes 4 MB, which a bot on a file does without

    return postgresql.insert(table).values(values).on_conflict_do_nothing()


async def go_on_after(connection: AsyncConnection, table: str, newest: int) -> None:
    """Give a table's new rows ids after `newest`, unless they are past it."""
    values = {"table": table, "newest": newest}
    if connection.dialect.name == "sqlite":
        known = "FROM sqlite_sequence WHERE name = :table"
        await connection.execute(sa.text(f"DELETE {known} AND seq < :newest"), values)
        added = f"SELECT :table, :newest WHERE :newest > 0 AND NOT EXISTS (SELECT 1 {known})"
        await connection.execute(sa.text(f"INSERT INTO sqlite_sequence {added}"), values)
        return
    sequence = await connection.scalar(_SEQUENCE, {"table": table})
    lower = "last_value < :newest OR NOT is_called AND :newest > 0"  # an unused sequence says 1, too
    await connection.execute(sa.text(f"SELECT setval('{sequence}', :newest) FROM {sequence} WHERE {lower}"), values)  # noqa: S608 - the server's own word


async def newest_id(connection: AsyncConnection, table: str) -> int:
    """Return the highest id ever given to a row of a table; 0 if none was."""
    if connection.dialect.name == "sqlite":
        query = sa.text("SELECT seq FROM sqlite_sequence WHERE name = :table")
        return await connection.scalar(query, {"table": table}) or 0
    sequence = await connection.scalar(_SEQUENCE, {"table": table})
    # An unused sequence says 1, too.
    state = sa.text(f"SELECT CASE WHEN is_called THEN last_value ELSE last_value - 1 END FROM {sequence}")  # noqa: S608 - the server's own word
    return await connection.scalar(state) or 0


async def read_pair(connection: AsyncConnection, key: str) -> str | None:
    return await connection.scalar(sa.select(key_values.c.value).where(key_values.c.key == key))


async def pairs_with_prefix(connection: AsyncConnection, prefix: str) -> dict[str, str]:
    # Not LIKE, which ignores case in SQLite.
    has_prefix = sa.func.substr(key_values.c.key, 1, len(prefix)) == prefix
    rows = await connection.execute(sa.select(key_values.c.key, key_values.c.value).where(has_prefix))
    return {key.removeprefix(prefix): value for key, value in rows}


async def write_pair(connection: AsyncConnection, key: str, value: str | None) -> None:
    if value is None:
        await connection.execute(sa.delete(key_values).where(key_values.c.key == key))
        return
    change = sa.update(key_values).where(key_values.c.key == key).values(value=value)
    if (await connection.execute(change)).rowcount == 0:
        await connection.execute(sa.insert(key_values).values(key=key, value=value))


NO_CHOICES: Final = "{}"
"""The stored preferences of a user who has chosen none."""


async def ensure(connection: AsyncConnection, user_id: int) -> None:
    """Make sure that a user has a row in `people`; several processes may do so at once."""
    await connection.execute(unless_there(connection, people, {"user_id": user_id, "choices": NO_CHOICES}))


async def note_due(connection: AsyncConnection, place: str, number: int, user_id: int) -> None:
    await write_pair(connection, _key(place, number, user_id), "")


async def forget_due(connection: AsyncConnection, place: str, number: int, user_id: int) -> None:
    """Delete a note, because the user has been erased."""
    await write_pair(connection, _key(place, number, user_id), None)


async def list_due(connection: AsyncConnection, place: str) -> list[tuple[int, int]]:
    """List all notes in order, each as (number, user)."""
    found = await pairs_with_prefix(connection, place)
    return sorted((int(number), int(user)) for number, user in (key.split(":") for key in found))


async def drop_due(connection: AsyncConnection, place: str, numbers: Collection[int]) -> None:
    """Delete the notes of logs that are deleted, as no process will find them any more."""
    keys = [_key(place, *each) for each in await list_due(connection, place) if each[0] in numbers]
    if keys:
        await connection.execute(sa.delete(key_values).where(key_values.c.key.in_(keys)))


def _key(place: str, number: int, user_id: int) -> str:
    return f"{place}{number}:{user_id}"
