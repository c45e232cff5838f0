"""The steps that bring a database up to date."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from weakref import WeakKeyDictionary

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.platform.database.base import Schema
from bot.platform.database.before_release import VERSION_TABLE, is_from_before, refusal
from bot.platform.database.errors import CannotCopy, Fault, StoreUnavailable

if TYPE_CHECKING:
    from alembic.config import Config
    from alembic.script import ScriptDirectory

log = logging.getLogger(__name__)

UNDER_WAY: Final = sa.Table(
    "copy_under_way",
    sa.MetaData(),
    sa.Column("source", sa.Text, nullable=False),
    sa.Column("version", sa.Text, nullable=False),
)
"""Exists in a database while another one is being copied into it, and says which one, and its schema version."""
_WORKS_FOR: Final = "works_for"
"""The column beside Alembic's with the oldest schema version whose bots can work with this database: an older bot
doesn't have the newer steps, which say so. It is empty while a copy is being made."""
_VERSION: Final = sa.table(VERSION_TABLE, sa.column("version_num"), sa.column(_WORKS_FOR, sa.Text))
_NOTED: Final = f"SELECT * FROM {_VERSION.name}"  # noqa: S608 - a name of ours
"""Given to the driver as text: for other statements SQLAlchemy remembers which columns they had the first time."""

# Alembic's `op` and `context` are global to the process: one upgrade at a time in each event loop.
_locks: Final[WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Lock]] = WeakKeyDictionary()


class _Present(NamedTuple):
    """A database's statement about itself: its schema version, if it holds anything of this bot; the oldest version
    whose bots can work with it, if that is noted; and what is being copied into it."""

    version: str | None
    works_for: str | None
    copied_from: str | None


Alone = Callable[[AsyncConnection, str, str], AbstractAsyncContextManager[None]]
"""Given the database's schema version and the oldest one allowed: keeps older bots away from the database for the
block, and raises StoreUnavailable if one of them is using it."""


async def upgrade(
    engine: AsyncEngine,
    schema: Schema,
    name: str,
    *,
    lock: Callable[[AsyncConnection], Awaitable[None]] | None = None,
    alone: Alone | None = None,
) -> None:
    """Run the missing steps in one write transaction: all of them or none.

    Either `engine` begins write transactions or `lock` takes a lock in one, so that a second process waits here and
    then finds nothing left to do. If these steps shut out bots that can work with the present schema, they run `alone`.
    Something is always written, so that a read-only database is noticed at once. `name` is the database's name in
    errors.
    """
    turn = _locks.setdefault(asyncio.get_running_loop(), asyncio.Lock())
    async with turn, AsyncExitStack() as stack, engine.begin() as connection:
        if lock is not None:
            await lock(connection)
        present = await connection.run_sync(_read, name)
        if alone is not None and present.version is not None and _shuts_out(schema, present):
            await stack.enter_async_context(alone(connection, present.version, oldest_beside(schema, newest(schema))))
        await connection.run_sync(_migrate, schema, name, present)


def configuration(schema: Schema, connection: sa.Connection | None = None) -> Config:
    """Alembic's settings, in place of an alembic.ini."""
    from alembic.config import Config  # imported where it is needed, as all of Alembic: a database is rarely upgraded

    config = Config()
    config.set_main_option("script_location", str(schema.migrations).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config


def version_of(connection: sa.Connection, schema: Schema, name: str) -> str | None:
    """A database's schema version; None if it holds nothing of this bot.

    Raises StoreUnavailable for a newer one that this bot can't work with, and for one from before the first release.
    """
    present = _read(connection, name)
    _check(schema, present, name)
    return present.version


def version_to_copy(connection: sa.Connection, schema: Schema, name: str) -> str:
    """The schema version for the copy of a database: its own, or this bot's if only a newer one can make its tables.

    Raises StoreUnavailable; CannotCopy, also if a newer version has stored something that would be left out.
    """
    version = version_of(connection, schema, name)
    if version is None:
        raise CannotCopy(f"{name} holds no database of this bot")
    if (source := copied_from(connection, name)) is not None:
        raise CannotCopy(f"{name} isn't complete: {unfinished(source)}")
    if _is_known(schema, version):
        return version
    if (table := _with_more(connection, schema)) is not None:
        what = f"a newer version of the bot has stored something in the table {table} of {name}"
        raise CannotCopy(f"{what} that this version can't copy; run the command `copy` of that version")
    return newest(schema)


def _with_more(connection: sa.Connection, schema: Schema) -> str | None:
    """Name a table in which something is stored that only a newer version of the bot knows; None if there is none."""
    found = sa.MetaData()
    found.reflect(connection)
    for table in found.sorted_tables:
        known = schema.metadata.tables.get(table.name)
        new = [column for column in table.columns if known is None or column.name not in known.columns]
        if table.name in (VERSION_TABLE, UNDER_WAY.name) or not new:
            continue
        query = sa.select(sa.literal(1)).select_from(table).limit(1)
        if known is not None:
            query = query.where(sa.or_(*(column.is_distinct_from(_default(column)) for column in new)))
        if connection.scalar(query) is not None:
            return table.name
    return None


def _default(column: sa.Column[Any]) -> Any:
    """The value of a column in the rows of a writer that doesn't know it."""
    default = column.server_default
    return default.arg if isinstance(default, sa.DefaultClause) else sa.null()


def check_version(connection: sa.Connection, schema: Schema, name: str) -> None:
    """Raise StoreUnavailable if a newer bot has changed the database in a way that this one can't work with."""
    _check(schema, _read(connection, name), name)


def newest(schema: Schema) -> str:
    """The schema version that this bot's code is written for. Versions are numbers of four digits, in order."""
    return _versions(schema.migrations)[-1]


def in_use(schema: Schema, name: str, version: str = "") -> StoreUnavailable:
    """The error for steps that have to wait until the bots that they shut out have stopped."""
    who = f"an older version of the bot{version and f' (schema {version})'}"
    return StoreUnavailable(
        Fault.UNAVAILABLE,
        f"cannot open the database {name}: {who} is using it, and couldn't go on after the changes that this version"
        f" (schema {newest(schema)}) makes; stop that one first, and then start this one again",
    )


def copied_from(connection: sa.Connection, name: str) -> str | None:
    """The database that is being copied into this one; None unless a copy was begun and not finished."""
    return _read(connection, name).copied_from


def unfinished(source: str) -> str:
    """Describes an unfinished copy in words."""
    return f"a copy of {source} into it was not finished; run the same copy again"


def upgrade_to(connection: sa.Connection, schema: Schema, version: str = "head") -> None:
    from alembic import command

    command.upgrade(configuration(schema, connection), version)


@cache
def _versions(migrations: Path) -> tuple[str, ...]:
    """All schema versions in order, by which the files of the steps are called."""
    return tuple(sorted(path.name[:4] for path in (migrations / "versions").glob("[0-9]*.py")))


@cache
def _steps(schema: Schema) -> ScriptDirectory:
    """All steps, read from their files once."""
    from alembic.script import ScriptDirectory

    return ScriptDirectory.from_config(configuration(schema))


def _read(connection: sa.Connection, name: str) -> _Present:
    tables = sa.inspect(connection).get_table_names()
    if is_from_before(tables):
        raise refusal(name)
    noted = connection.exec_driver_sql(_NOTED).mappings().first() if _VERSION.name in tables else None
    source = connection.scalar(sa.select(UNDER_WAY.c.source)) if UNDER_WAY.name in tables else None
    copied = None if UNDER_WAY.name not in tables else str(source)
    if noted is None:
        return _Present(None, None, copied)
    return _Present(str(noted["version_num"]), noted[_WORKS_FOR], copied)


def _is_known(schema: Schema, version: str) -> bool:
    return version in _versions(schema.migrations)


def _newer(schema: Schema, name: str, version: str) -> StoreUnavailable:
    return StoreUnavailable(
        Fault.NEWER,
        f"cannot open the database {name}: a newer version of the bot wrote it (schema {version}), and this version"
        f" (schema {newest(schema)}) can't work with that; start the newer one, or restore an older backup",
    )


def oldest_beside(schema: Schema, version: str) -> str:
    """The oldest schema version whose bots can go on working with a database at this one: see CONTRIBUTING.md."""
    return str(getattr(_steps(schema).get_revision(version).module, "works_for", version))


def _shuts_out(schema: Schema, present: _Present) -> bool:
    """Whether the missing steps shut out bots that can work with the present schema."""
    version = present.version
    if version is None or not _is_known(schema, version) or version == newest(schema):
        return False
    return (present.works_for or version) < oldest_beside(schema, newest(schema))


def _check(schema: Schema, present: _Present, name: str) -> None:
    version = present.version
    if version is not None and not _is_known(schema, version) and (present.works_for or version) > newest(schema):
        raise _newer(schema, name, version)


def migrate(connection: sa.Connection, schema: Schema, name: str) -> None:
    """Run the missing steps in the transaction of this connection: see `upgrade`."""
    _migrate(connection, schema, name, _read(connection, name))


def _migrate(connection: sa.Connection, schema: Schema, name: str, present: _Present) -> None:
    _check(schema, present, name)
    head = newest(schema)
    if present.version is None or _is_known(schema, present.version):
        if present.version != head:
            upgrade_to(connection, schema)
        current = present.works_for if present.version == head else None
        connection.execute(sa.update(_VERSION).values({_WORKS_FOR: current or oldest_beside(schema, head)}))
    else:
        version = present.version
        log.info("A newer version of the bot wrote the database (schema %s); this one can work with it, too", version)
        connection.execute(sa.update(_VERSION).values(version_num=_VERSION.c.version_num))
    if present.copied_from is not None:
        raise StoreUnavailable(Fault.REFUSED, f"cannot open the database {name}: {unfinished(present.copied_from)}")
