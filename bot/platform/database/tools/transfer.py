"""Copies of a database to another location, from either kind to either: in batches, resumed where the copy was cut off.

The copy has the original's schema version. It is compared with the original, which nobody writes to, row by row before
it counts as complete. Until then a table in it says that it is in progress, and no bot opens it.
"""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Generator, Sequence
from contextlib import AbstractContextManager, AsyncExitStack, asynccontextmanager, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import sqlalchemy as sa
from filelock import Timeout
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.platform.database import postgres_engine, sqlite_engine
from bot.platform.database.base import Schema, UtcDateTime, go_on_after, key_values, newest_id
from bot.platform.database.before_release import VERSION_TABLE, check_file
from bot.platform.database.database import BUSY_SECONDS
from bot.platform.database.errors import CannotCopy, StoreUnavailable, as_store_errors, unavailable
from bot.platform.database.locations import Location, without_password
from bot.platform.database.ownership.port import OWNER_MARK, TURN_MARK, lock_of
from bot.platform.database.postgres_engine import create_schema
from bot.platform.database.private_files import make_private
from bot.platform.database.upgrade import UNDER_WAY, copied_from, upgrade, upgrade_to, version_of, version_to_copy

Progress = Callable[[str, int, int], None]
"""A progress callback: the table, the rows copied so far, the rows in total."""

_BATCH: Final = 2_000
_OURSELVES: Final = f"{postgres_engine.APPLICATION} copy"
_OTHER_TABLES: Final = frozenset({VERSION_TABLE, UNDER_WAY.name})
_NOT_COPIED: Final = (OWNER_MARK, TURN_MARK)
"""Prefixes of the keys that belong to processes rather than to the bot."""
_BOTS: Final = sa.text(
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND application_name = :bot"
)
_LOOKS: Final = 8
_LOOK_SECONDS: Final = 0.25
"""Pause between two looks at a server before a bot counts as connected to it."""


@dataclass(frozen=True, slots=True)
class _Table:
    """A table whose columns have the same Python values in either kind of database."""

    name: str
    clause: sa.TableClause
    columns: tuple[sa.ColumnClause[Any], ...]
    places: tuple[int, ...]
    """The positions of the primary key among the columns."""

    def select(self, *what: sa.ColumnElement[Any]) -> sa.Select[Any]:
        query = sa.select(*what).select_from(self.clause)
        if self.name != key_values.name:
            return query
        key = self.clause.c[key_values.c.key.name]
        return query.where(*(sa.func.substr(key, 1, len(mark)) != mark for mark in _NOT_COPIED))


@dataclass(frozen=True, slots=True)
class _Side:
    """A database that is open for copying."""

    name: str
    engine: AsyncEngine
    connection: AsyncConnection

    @property
    def is_file(self) -> bool:
        return self.connection.dialect.name == "sqlite"


async def transfer(
    source: Location,
    target: Location,
    schema: Schema,
    progress: Progress | None = None,
    *,
    beside_a_bot: bool = False,
) -> int:
    """Copy all rows of a database to an empty location, or to one with the beginning of this copy; return how many.

    New ids there continue after the last ones here. No bot may use either database while this runs. `beside_a_bot`
    allows one to be connected to the source; the copy has none of its later moves.

    Raises CannotCopy if nothing was copied; another StoreError if the copy isn't finished.
    """
    what = f"cannot copy {without_password(source)} to {without_password(target)}"
    if source == target:
        raise CannotCopy(f"{what}: that is the same place")
    with as_store_errors(what, ""):
        async with AsyncExitStack() as stack:
            with _before_anything_is_copied():
                here = await stack.enter_async_context(_opened(source, reads=True, alone=not beside_a_bot))
                version = await here.connection.run_sync(version_to_copy, schema, here.name)
                there = await stack.enter_async_context(_opened(target, reads=False, alone=True))
                begun, tables = await _prepare(here, there, schema, version)
            count = await _copy(here, there, tables, progress)
            if begun and await _difference(here, there, tables) is not None:
                # The original has changed since the copy was begun.
                await _clear(there, tables)
                count = await _copy(here, there, tables, progress)
            difference = await _difference(here, there, tables)
            if difference is not None:
                raise CannotCopy(f"{what}: {difference}")
            for table in tables:
                if "id" in table.clause.c and (newest := await newest_id(here.connection, table.name)):
                    await go_on_after(there.connection, table.name, newest)
            await there.connection.execute(sa.schema.DropTable(UNDER_WAY))
            await there.connection.commit()
            await there.connection.close()
            await upgrade(there.engine, schema, there.name)
        return count


@contextmanager
def _before_anything_is_copied() -> Generator[None]:
    """Raise CannotCopy within the block if a database can't be used: nothing has been copied yet."""
    try:
        with as_store_errors("cannot prepare the copy", ""):
            yield
    except StoreUnavailable as error:
        raise CannotCopy(str(error), transient=error.transient) from error


async def _prepare(here: _Side, there: _Side, schema: Schema, version: str) -> tuple[bool, list[_Table]]:
    """Make the tables in the target, with the note that a copy is under way, unless this copy was begun before.

    Returns whether it was, and the tables.
    """
    begun = await _is_begun(here, there, schema, version)
    if not begun:
        if not there.is_file:
            await create_schema(there.connection)
        await there.connection.run_sync(upgrade_to, schema, version)
    tables = await there.connection.run_sync(_tables)
    if not begun:
        await _begin(here, there, version, tables)
    await there.connection.commit()
    return begun, tables


# ------------------------------------------------------------------------------------------ the two sides


@asynccontextmanager
async def _opened(location: Location, *, reads: bool, alone: bool) -> AsyncGenerator[_Side]:
    name = without_password(location)
    lock: AbstractContextManager[object] = nullcontext()
    if isinstance(location, Path):
        if reads and not location.is_file():
            raise CannotCopy(f"there is no file {location}")
        check_file(location)
        try:
            engine = sqlite_engine.create_engine(sqlite_engine.prepare_folder(location), BUSY_SECONDS, connections=1)
            if alone:
                lock = lock_of(location).acquire(blocking=False)
            if not reads:
                make_private(location)
        except Timeout:
            raise _in_use(name) from None
        except OSError as error:
            raise unavailable(error, f"cannot open the database {location}") from error
        if not reads:
            engine = engine.execution_options(**{sqlite_engine.WRITES: True})
    else:
        engine = postgres_engine.create_engine(
            location, BUSY_SECONDS, connections=1, read_only=reads, application=_OURSELVES, with_timeouts=False
        )
    try:
        async with AsyncExitStack() as stack:
            stack.enter_context(lock)
            with as_store_errors("cannot open the database", name):
                connection = await stack.enter_async_context(engine.connect())
            side = _Side(name, engine, connection)
            if alone and not side.is_file and await _is_bot_connected(connection):
                raise _in_use(name)
            yield side
    finally:
        await engine.dispose()


async def _is_bot_connected(connection: AsyncConnection) -> bool:
    """Whether a bot is connected to a server, which may list a connection for a moment after it was closed."""
    for _ in range(_LOOKS):
        if not await connection.scalar(_BOTS, {"bot": postgres_engine.APPLICATION}):
            return False
        await connection.rollback()  # within a transaction the server repeats its first answer
        await asyncio.sleep(_LOOK_SECONDS)
    return True


def _in_use(name: str) -> CannotCopy:
    return CannotCopy(f"a bot is connected to {name}; stop it first")


async def _is_begun(here: _Side, there: _Side, schema: Schema, version: str) -> bool:
    """Whether this copy was begun in the target before; raises CannotCopy if another version has made its tables."""
    connection = there.connection
    present = await connection.run_sync(version_of, schema, there.name)
    if await connection.run_sync(copied_from, there.name) is not None:
        [(of, at)] = (await connection.execute(sa.select(UNDER_WAY.c.source, UNDER_WAY.c.version))).all()
        if (of, at) != (here.name, version):
            raise CannotCopy(f"{there.name} holds the beginning of another copy, of {of}; name an empty place")
        return True
    if present not in (None, version):
        raise CannotCopy(f"{there.name} isn't empty: another version of the bot has made its tables")
    return False


async def _begin(here: _Side, there: _Side, version: str, tables: Sequence[_Table]) -> None:
    """Note in the empty target that the copy has begun; raises CannotCopy if it isn't empty."""
    for table in tables:
        if await there.connection.scalar(table.select(sa.func.count())):
            raise CannotCopy(f"{there.name} isn't empty: there are rows in its table {table.name}")
    await there.connection.execute(sa.schema.CreateTable(UNDER_WAY))
    await there.connection.execute(sa.insert(UNDER_WAY).values(source=here.name, version=version))


def _tables(connection: sa.Connection) -> list[_Table]:
    """List the tables that exist, each after those that it refers to."""
    metadata = sa.MetaData()
    metadata.reflect(connection)
    return [_neutral(table) for table in metadata.sorted_tables if table.name not in _OTHER_TABLES]


def _neutral(table: sa.Table) -> _Table:
    columns = tuple(sa.column(column.name, _type(column.type)) for column in table.columns)
    names = [column.name for column in columns]
    places = tuple(names.index(column.name) for column in table.primary_key.columns)
    return _Table(table.name, sa.table(table.name, *columns), columns, places)


def _type(found: sa.types.TypeEngine[Any]) -> sa.types.TypeEngine[Any]:
    if isinstance(found, sa.DateTime):
        return UtcDateTime()
    if isinstance(found, sa.Boolean):
        return sa.Boolean()
    if isinstance(found, sa.Integer):
        return sa.BigInteger()
    return sa.Double() if isinstance(found, sa.Float) else sa.Text()


# ------------------------------------------------------------------------------------------ rows


async def _batches(side: _Side, table: _Table, after: Sequence[Any] | None) -> AsyncIterator[Sequence[sa.Row[Any]]]:
    """Yield a table's rows in batches by primary key, beginning after a given key."""
    key = _key(side, table)
    query = table.select(*table.columns).order_by(*key).limit(_BATCH)
    while True:
        page = query
        if after is not None:
            ends = zip(table.places, after, strict=True)
            values = [sa.literal(value, table.columns[place].type) for place, value in ends]
            page = query.where(sa.tuple_(*key) > sa.tuple_(*values))
        rows = (await side.connection.execute(page)).all()
        if rows:
            yield rows
        if len(rows) < _BATCH:
            return
        after = [rows[-1][place] for place in table.places]


def _key(side: _Side, table: _Table) -> list[sa.ColumnElement[Any]]:
    """Return the primary key, in an order that is the same everywhere: text by its bytes, as in SQLite."""
    key: list[sa.ColumnElement[Any]] = [table.columns[place] for place in table.places]
    return [sa.collate(c, "C") if isinstance(c.type, sa.Text) and not side.is_file else c for c in key]


async def _copy(here: _Side, there: _Side, tables: Sequence[_Table], progress: Progress | None) -> int:
    total = 0
    for table in tables:
        total += await here.connection.scalar(table.select(sa.func.count())) or 0
    done = 0
    for table in tables:
        newest = (
            table.select(*(table.columns[place] for place in table.places))
            .order_by(*(each.desc() for each in _key(there, table)))
            .limit(1)
        )
        last = (await there.connection.execute(newest)).first()
        done += await there.connection.scalar(table.select(sa.func.count())) or 0
        if progress is not None:
            progress(table.name, done, total)
        async for rows in _batches(here, table, last):
            names = [column.name for column in table.columns]
            values = [dict(zip(names, row, strict=True)) for row in rows]
            await there.connection.execute(sa.insert(table.clause), values)
            await there.connection.commit()
            done += len(rows)
            if progress is not None:
                progress(table.name, done, total)
    return done


async def _clear(there: _Side, tables: Sequence[_Table]) -> None:
    for table in reversed(tables):
        await there.connection.execute(sa.delete(table.clause))
    await there.connection.commit()


async def _difference(here: _Side, there: _Side, tables: Sequence[_Table]) -> str | None:
    """Describe the table in which the two differ; None if they are equal."""
    for table in tables:
        ours, theirs = _batches(here, table, None), _batches(there, table, None)
        while True:
            one, other = await anext(ours, None), await anext(theirs, None)
            if one != other:
                return f"the rows of the table {table.name} differ from the original's"
            if one is None:
                break
    return None
