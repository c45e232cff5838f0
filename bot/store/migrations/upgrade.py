"""Upgrades a database to the present schema by Alembic's steps, safely for several processes at once."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from functools import cache
from pathlib import Path
from typing import Final
from weakref import WeakKeyDictionary

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.store.errors import CannotCopy, Fault, StoreUnavailable

log = logging.getLogger(__name__)

_MIGRATIONS: Final = Path(__file__).parent
UNDER_WAY: Final = sa.Table(
    "copy_under_way",
    sa.MetaData(),
    sa.Column("source", sa.Text, nullable=False),
    sa.Column("version", sa.Text, nullable=False),
)
"""Exists in a database while another one is being copied into it: which one, and its schema version."""
_WORKS_FOR: Final = "works_for"
"""The column beside Alembic's with the oldest schema version whose bots can work with this database: an older bot
doesn't have the steps that say so."""
_VERSION: Final = sa.table("alembic_version", sa.column("version_num"), sa.column(_WORKS_FOR, sa.Text))

# Alembic's `op` and `context` are global to the process: one upgrade at a time in each event loop.
_locks: Final[WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Lock]] = WeakKeyDictionary()


Alone = Callable[[AsyncConnection, str, str], AbstractAsyncContextManager[None]]
"""Given the database's schema and an oldest one: keeps bots that are older than that away from the database for the
block, and raises StoreUnavailable if one of them is there."""


async def upgrade(
    engine: AsyncEngine,
    name: str,
    *,
    lock: Callable[[AsyncConnection], Awaitable[None]] | None = None,
    alone: Alone | None = None,
) -> None:
    """Run the missing steps in one write transaction: all of them or none.

    `engine` begins write transactions, or `lock` takes a lock in one, so that a second process waits here and then
    finds nothing left to do. If bots that can work with the present schema couldn't go on after these steps, they
    run `alone`. Something is always written, so that a read-only database is noticed at once. `name` is the database's
    name in errors.
    """
    turn = _locks.setdefault(asyncio.get_running_loop(), asyncio.Lock())
    async with turn, AsyncExitStack() as stack, engine.begin() as connection:
        if lock is not None:
            await lock(connection)
        present, shuts_out = await connection.run_sync(_plan)
        if shuts_out and alone is not None:
            await stack.enter_async_context(alone(connection, present, oldest_beside(newest())))
        await connection.run_sync(migrate, name)


def configuration(connection: sa.Connection | None = None) -> Config:
    """Alembic's settings, in place of an alembic.ini."""
    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config


def version_of(connection: sa.Connection, name: str) -> str | None:
    """A database's schema version; None if it holds nothing of this bot. Raises StoreUnavailable for a newer one."""
    version = _version(connection)
    if version is not None and not _is_known(version):
        raise _newer(name, version)
    return version


def version_to_copy(connection: sa.Connection, name: str) -> str:
    """The schema version of a database that can be copied. Raises StoreUnavailable, CannotCopy."""
    version = version_of(connection, name)
    if version is None:
        raise CannotCopy(f"{name} holds no database of this bot")
    if (source := copied_from(connection)) is not None:
        raise CannotCopy(f"{name} isn't complete: {unfinished(source)}")
    return version


def check_version(connection: sa.Connection, name: str) -> None:
    """Raise StoreUnavailable if a newer bot has changed the database in a way that this one can't work with."""
    version = _version(connection)
    if version is not None and not _is_known(version) and _works_for(connection, version) > newest():
        raise _newer(name, version)


def newest() -> str:
    """The schema version that this bot's code is written for. Versions are numbers of four digits, in order."""
    head = _steps().get_current_head()
    assert head is not None, "there are steps"
    return head


def in_use(name: str, version: str = "") -> StoreUnavailable:
    """The error for steps that have to wait until the bots that they shut out have stopped."""
    who = f"an older version of the bot{version and f' (schema {version})'}"
    return StoreUnavailable(
        Fault.UNAVAILABLE,
        f"cannot open the database {name}: {who} is using it, and couldn't go on after the changes that this version"
        f" (schema {newest()}) makes; stop that one first, and then start this one again",
    )


def copied_from(connection: sa.Connection) -> str | None:
    """The database that is being copied into this one; None unless that was begun and not finished."""
    if not sa.inspect(connection).has_table(UNDER_WAY.name):
        return None
    return str(connection.scalar(sa.select(UNDER_WAY.c.source)))


def unfinished(source: str) -> str:
    """What an unfinished copy is, in words."""
    return f"a copy of {source} into it was not finished; run the same copy again"


def upgrade_to(connection: sa.Connection, version: str = "head") -> None:
    command.upgrade(configuration(connection), version)


@cache
def _steps() -> ScriptDirectory:
    """All steps, read from their files once."""
    return ScriptDirectory.from_config(configuration())


def _version(connection: sa.Connection) -> str | None:
    return next(iter(MigrationContext.configure(connection).get_current_heads()), None)


def _is_known(version: str) -> bool:
    return any(step.revision == version for step in _steps().walk_revisions())


def _newer(name: str, version: str) -> StoreUnavailable:
    return StoreUnavailable(
        Fault.NEWER,
        f"cannot open the database {name}: a newer version of the bot wrote it (schema {version}), and this version"
        f" (schema {newest()}) can't work with that; start the newer one, or restore a backup",
    )


def oldest_beside(version: str) -> str:
    """The oldest schema version whose bots can go on working with a database of this one: see CONTRIBUTING.md."""
    return str(getattr(_steps().get_revision(version).module, "works_for", version))


def _plan(connection: sa.Connection) -> tuple[str, bool]:
    """The present schema version, and whether the missing steps shut out bots that can work with it."""
    present = _version(connection) or ""
    if not _is_known(present) or present == newest():
        return present, False
    return present, _works_for(connection, present) < oldest_beside(newest())


def _works_for(connection: sa.Connection, version: str) -> str:
    """The oldest schema version whose bots can work with a database of this one; itself alone if that isn't noted."""
    noted = connection.execute(sa.select(sa.text("*")).select_from(_VERSION)).mappings().one().get(_WORKS_FOR)
    return version if noted is None else str(noted)


def migrate(connection: sa.Connection, name: str) -> None:
    """Run the missing steps in the transaction of this connection: see `upgrade`."""
    check_version(connection, name)
    present, head = _version(connection), newest()
    if present is None or _is_known(present):
        if present != head:
            upgrade_to(connection)
        _note_works_for(connection, oldest_beside(head))
    else:
        log.info("A newer version of the bot wrote the database (schema %s); this one can work with it, too", present)
        connection.execute(sa.update(_VERSION).values(version_num=_VERSION.c.version_num))
    if (source := copied_from(connection)) is not None:
        raise StoreUnavailable(Fault.REFUSED, f"cannot open the database {name}: {unfinished(source)}")


def _note_works_for(connection: sa.Connection, oldest: str) -> None:
    if _WORKS_FOR not in {column["name"] for column in sa.inspect(connection).get_columns(_VERSION.name)}:
        connection.execute(sa.text(f"ALTER TABLE {_VERSION.name} ADD COLUMN {_WORKS_FOR} TEXT"))
    connection.execute(sa.update(_VERSION).values({_WORKS_FOR: oldest}))
