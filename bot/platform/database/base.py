"""Parts that all tables share: the metadata they belong to, timestamps, ids, references to people; and a schema."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy import event

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
