"""Upgrades a database to the present schema by Alembic's steps, safely for several processes at once."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
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

from bot.store.errors import Fault, StoreUnavailable

_MIGRATIONS: Final = Path(__file__).parent
UNDER_WAY: Final = sa.Table(
    "copy_under_way",
    sa.MetaData(),
    sa.Column("source", sa.Text, nullable=False),
    sa.Column("version", sa.Text, nullable=False),
)
"""Exists in a database while another one is being copied into it: which one, and its schema version."""
_VERSION: Final = sa.table("alembic_version", sa.column("version_num"))

# Alembic's `op` and `context` are global to the process: one upgrade at a time in each event loop.
_locks: Final[WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Lock]] = WeakKeyDictionary()


async def upgrade(
    engine: AsyncEngine, name: str, *, lock: Callable[[AsyncConnection], Awaitable[None]] | None = None
) -> None:
    """Run the missing steps in one write transaction: all of them or none.

    `engine` begins write transactions, or `lock` takes a lock in one, so that a second process waits here and then
    finds nothing left to do. Something is always written, so that a read-only database is noticed at once. `name` is
    the database's name in errors.
    """
    turn = _locks.setdefault(asyncio.get_running_loop(), asyncio.Lock())
    async with turn, engine.begin() as connection:
        if lock is not None:
            await lock(connection)
        await connection.run_sync(_upgrade, name)


def configuration(connection: sa.Connection | None = None) -> Config:
    """Alembic's settings, in place of an alembic.ini."""
    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config


def version_of(connection: sa.Connection, name: str) -> str | None:
    """A database's schema version; None if it holds nothing of this bot. Raises StoreUnavailable for a newer one."""
    present = MigrationContext.configure(connection).get_current_heads()
    known = {revision.revision for revision in _steps().walk_revisions()}
    if unknown := [revision for revision in present if revision not in known]:
        raise StoreUnavailable(
            Fault.NEWER,
            f"cannot open the database {name}: a newer version of the bot wrote it (schema {', '.join(unknown)})",
        )
    return present[0] if present else None


def upgrade_to(connection: sa.Connection, version: str = "head") -> None:
    command.upgrade(configuration(connection), version)


@cache
def _steps() -> ScriptDirectory:
    """All steps, read from their files once."""
    return ScriptDirectory.from_config(configuration())


def _upgrade(connection: sa.Connection, name: str) -> None:
    if version_of(connection, name) != _steps().get_current_head():
        upgrade_to(connection)
    if sa.inspect(connection).has_table(UNDER_WAY.name):
        source = connection.scalar(sa.select(UNDER_WAY.c.source))
        raise StoreUnavailable(
            Fault.REFUSED,
            f"cannot open the database {name}: a copy of {source} into it was not finished; begin it again",
        )
    connection.execute(sa.update(_VERSION).values(version_num=_VERSION.c.version_num))
