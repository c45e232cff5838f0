"""Logs in the database: reading, continuing, erasing a person, dropping old ones."""

import asyncio
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.platform.database import news
from bot.platform.database.base import forget_due, list_due, note_due
from bot.platform.eventlog import LogEntry, without_person
from bot.platform.people import Person
from bot.platform.shards import SNOWFLAKE_SHIFT, Shards

_AT_ONCE: Final = 500
"""Entries that are rewritten by one call: their values are put together on the event loop, in milliseconds."""

Numbers = Collection[int]
"""Some numbers of logs."""

Rewrite = Callable[[str, str], str | None]
"""Given the kind and body of an entry: the body without the user; None if it doesn't name them."""

Rewriter = Callable[[int], Rewrite]
"""Given the number of a log: the function that rewrites its entries. Called once for each."""


@dataclass(frozen=True, eq=False)
class EventLogs:
    """The tables of one sort of log. A log has the number of its owner, and is open until that is closed.

    Attributes:
        owners: those whom the logs are about, each with an id, its guild_id, and closed_at.
        opener: the column of `owners` with the person who opened it; 0 once they were erased.
        key: the column that refers to `owners` in the other tables.
        entries: the entries.
        people: the people named in each log, so that a person's data is found without reading every log.
        others: further tables whose rows are dropped with a log.
        place: begins the keys of notes about erasures: see `due`.
    """

    owners: sa.Table
    opener: str
    key: str
    entries: sa.Table
    people: sa.Table
    others: tuple[sa.Table, ...]
    place: str

    @cached_property
    def _logs(self) -> sa.Select[Any, Any, Any, Any, Any]:
        columns = self.entries.c
        found = sa.select(columns[self.key], columns.version, columns.kind, columns.body, columns.at)
        found = found.where(columns[self.key].in_(sa.bindparam("owners", expanding=True)))
        return found.order_by(columns[self.key], columns.version)

    @cached_property
    def _held(self) -> sa.Select[Any]:
        return sa.select(self.owners.c.id).where(self.owners.c.id == sa.bindparam("owner")).with_for_update()

    # ------------------------------------------------------------------ reading and continuing

    async def hold(self, connection: AsyncConnection, number: int) -> bool:
        """Hold off others who would continue a log; returns whether there is one.

        In PostgreSQL this waits for those who are doing so; SQLite has one writer at a time anyway.
        """
        return await connection.scalar(self._held, {"owner": number}) is not None

    async def log(self, connection: AsyncConnection, number: int) -> list[LogEntry]:
        return (await self.logs(connection, [number]))[number]

    async def logs(self, connection: AsyncConnection, numbers: Collection[int]) -> dict[int, list[LogEntry]]:
        """Read some logs; their rows become entries in a thread, because there may be very many."""
        rows = await connection.execute(self._logs, {"owners": list(numbers)})

        def read() -> dict[int, list[LogEntry]]:
            found = defaultdict[int, list[LogEntry]](list)
            for number, *entry in rows:
                found[number].append(LogEntry(*entry))
            return found

        return await asyncio.to_thread(read)

    async def insert(self, connection: AsyncConnection, number: int, entries: Sequence[LogEntry]) -> None:
        if entries:
            rows = [
                {self.key: number, "version": entry.version, "kind": entry.kind, "body": entry.body, "at": entry.at}
                for entry in entries
            ]
            await connection.execute(sa.insert(self.entries), rows)

    async def note_people(self, connection: AsyncConnection, number: int, people: Iterable[int]) -> None:
        """Note people as named in a log; negative ids stand for people who were erased."""
        new = {person for person in people if person > 0}
        if new:
            there = sa.select(self.people.c.user_id).where(self.people.c[self.key] == number)
            new -= set(await connection.scalars(there))
        if new:
            rows = [{self.key: number, "user_id": person} for person in sorted(new)]
            await connection.execute(sa.insert(self.people), rows)

    # ------------------------------------------------------------------ erasing a person

    def naming(self, user_id: int) -> sa.ColumnElement[bool]:
        """Whether a log names a user, as the opener or otherwise."""
        named = sa.select(self.people.c[self.key]).where(self.people.c.user_id == user_id)
        return (self.owners.c[self.opener] == user_id) | self.owners.c.id.in_(named)

    async def forget(
        self,
        connection: AsyncConnection,
        user_id: int,
        rewriter: Rewriter,
        open_ones: Collection[int],
        shards: Shards,
        later: Collection[int] = (),
        besides: Collection[int] = (),
    ) -> int:
        """Erase a user from all logs that are closed or among `open_ones`; returns how many rows changed.

        Open ones of other shards, and those named in `later`, are noted for the processes that can do it, and counted.
        `besides`: logs that don't name the user, but whose processes remember them.
        """
        owners = self.owners.c
        touched = await self._forget_where(
            connection, user_id, rewriter, owners.closed_at.is_not(None) | owners.id.in_(open_ones)
        )
        elsewhere = sa.false() if shards.complete else ~in_shards(owners.guild_id, shards)
        left = sa.select(owners.id).where(
            self.naming(user_id) | owners.id.in_(besides),
            owners.closed_at.is_(None),
            owners.id.not_in(open_ones),
            elsewhere | owners.id.in_(later),
        )
        found = list(await connection.scalars(left.order_by(owners.id))) if later or not shards.complete else []
        for number in found:
            await note_due(connection, self.place, number, user_id)
        if found:
            await news.publish(connection, news.News.ERASURES)
        await news.publish(connection, news.News.ERASED, user_id)
        return touched + len(found)

    async def forget_in(self, connection: AsyncConnection, number: int, user_id: int, rewriter: Rewriter) -> int:
        """Erase a user from one log, and remove the note that this is due."""
        touched = await self._forget_where(connection, user_id, rewriter, self.owners.c.id == number)
        await forget_due(connection, self.place, number, user_id)
        return touched

    async def erasures_due(self, connection: AsyncConnection, shards: Shards) -> list[tuple[int, int]]:
        """(log, user): the erasures still due in some shards."""
        noted = await list_due(connection, self.place)
        owners = self.owners.c
        own = sa.select(owners.id).where(
            owners.id.in_([number for number, _ in noted]), in_shards(owners.guild_id, shards)
        )
        mine = set(await connection.scalars(own)) if noted else set[int]()
        return [each for each in noted if each[0] in mine]

    async def _forget_where(
        self, connection: AsyncConnection, user_id: int, rewriter: Rewriter, may_change: sa.ColumnElement[bool]
    ) -> int:
        await secure(connection)
        free = sa.select(self.owners.c.id).where(may_change)
        touched = await self._rewrite(connection, user_id, rewriter, free)
        theirs = (self.people.c.user_id == user_id) & self.people.c[self.key].in_(free)
        await connection.execute(sa.delete(self.people).where(theirs))
        opened = sa.update(self.owners).where(self.owners.c[self.opener] == user_id, may_change)
        return touched + (await connection.execute(opened.values({self.opener: 0}))).rowcount

    async def misnames(self, connection: AsyncConnection, guild_id: int, person: Person) -> bool:
        """Whether an open log of a server calls a person by another name."""
        return bool(await self._changes(connection, person.id, lambda _: _naming(person), self._open_in(guild_id)))

    async def rename(self, connection: AsyncConnection, guild_id: int, person: Person) -> list[int]:
        """Call a person by their present name in the open logs of a server; return all that name them."""
        free, named = self._open_in(guild_id), self.people.c
        await self._rewrite(connection, person.id, lambda _: _naming(person), free)
        found = sa.select(named[self.key]).where(named.user_id == person.id, named[self.key].in_(free))
        return list(await connection.scalars(found))

    def _open_in(self, guild_id: int) -> sa.Select[tuple[int]]:
        owners = self.owners.c
        return sa.select(owners.id).where(owners.guild_id == guild_id, owners.closed_at.is_(None))

    async def _rewrite(
        self, connection: AsyncConnection, user_id: int, rewriter: Rewriter, free: sa.Select[tuple[int]]
    ) -> int:
        if changes := await self._changes(connection, user_id, rewriter, free):
            entries = self.entries.c
            there = (entries[self.key] == sa.bindparam("owner")) & (entries.version == sa.bindparam("at_version"))
            change = sa.update(self.entries).where(there).values(body=sa.bindparam("new_body"))
            for first in range(0, len(changes), _AT_ONCE):
                await connection.execute(change, changes[first : first + _AT_ONCE])
        return len(changes)

    async def _changes(
        self, connection: AsyncConnection, user_id: int, rewriter: Rewriter, free: sa.Select[tuple[int]]
    ) -> list[dict[str, object]]:
        """Rewrite the entries that may name a user: ids are written into bodies in decimal digits."""
        entries, named = self.entries.c, self.people.c
        found = sa.select(entries[self.key], entries.version, entries.kind, entries.body).where(
            entries[self.key].in_(sa.select(named[self.key]).where(named.user_id == user_id)),
            entries[self.key].in_(free),
            entries.body.contains(str(user_id), autoescape=True),
        )
        rows = await connection.execute(found)

        def rewritten() -> list[dict[str, object]]:
            rewriters: dict[int, Rewrite] = {}
            changes: list[dict[str, object]] = []
            for number, version, kind, body in rows:
                if number not in rewriters:
                    rewriters[number] = rewriter(number)
                if (new := rewriters[number](kind, body)) is not None:
                    changes.append({"owner": number, "at_version": version, "new_body": new})
            return changes

        return await asyncio.to_thread(rewritten)

    # ------------------------------------------------------------------ dropping what is no longer kept

    async def drop_old(
        self, connection: AsyncConnection, before: datetime, *, after_id: int = 0, limit: int | None = None
    ) -> list[int]:
        """Drop the logs of some that were closed before `before`, and whom they name; returns their ids, in order.

        A message that still has to show the end can't any more: there is nothing left to show.
        """
        owners = self.owners.c
        named = (owners[self.opener] != 0) | sa.exists().where(self.entries.c[self.key] == owners.id)
        old = sa.select(owners.id).where(owners.id > after_id, owners.closed_at < before, named)
        found = list(await connection.scalars(old.order_by(owners.id).limit(limit)))
        if found:
            await secure(connection)
            await self.drop(connection, found)
            nobody = {self.opener: 0, **{name: None for name in ("message_id", "message_at") if name in owners}}
            await connection.execute(sa.update(self.owners).where(owners.id.in_(found)).values(nobody))
        return found

    async def drop(self, connection: AsyncConnection, numbers: Collection[int]) -> None:
        """Drop logs with all that belongs to them."""
        for table in (self.entries, self.people, *self.others):
            await connection.execute(sa.delete(table).where(table.c[self.key].in_(numbers)))


def _naming(person: Person) -> Rewrite:
    """Make the function that calls a person by their present name."""

    def rewrite(_: str, body: str) -> str | None:
        try:
            return without_person(person.id, person, body)
        except ValueError:  # it isn't JSON: moves name nobody
            return None

    return rewrite


def are_consecutive(entries: Sequence[LogEntry], first: int) -> bool:
    return all(entry.version == version for version, entry in enumerate(entries, first))


def in_shards(guild_id: sa.ColumnElement[int], shards: Shards) -> sa.ColumnElement[bool]:
    """Whether a server belongs to one of these shards."""
    if shards.complete:
        return sa.true()
    # The number of bits is a literal: a parameter would be a bigint, by which PostgreSQL doesn't shift.
    shard = guild_id.bitwise_rshift(sa.literal_column(str(SNOWFLAKE_SHIFT))) % shards.count
    return shard.in_(shards.numbers)


async def secure(connection: AsyncConnection) -> None:
    """Remove overwritten and deleted data from a file too, not only from its tables."""
    if connection.dialect.name == "sqlite":
        await connection.exec_driver_sql("PRAGMA secure_delete=ON")
