"""Logs that are continued by single statements, which need no transaction around them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import sqlalchemy as sa

from bot.platform.database.errors import StoreError, VersionConflict
from bot.platform.database.event_logs import EventLogs


@dataclass(frozen=True, eq=False)
class AppendedLogs(EventLogs):
    """Logs of which only open ones are continued, so that one statement can do it, for many at once.

    Attributes:
        unknown: makes the error for a log that doesn't exist, from its number.
        closed: makes the error for one that is closed, from its number, the first new version and its last version.
    """

    unknown: Callable[[int], StoreError]
    closed: Callable[[int, int, int], VersionConflict]

    @cached_property
    def state(self) -> sa.Select[Any, bool]:
        """The statement that finds a log's version, 0 if it has no entries, and whether it is closed; no row if there
        is no such log."""
        owners = self.owners.c
        return sa.select(
            self._newest.where(self.entries.c[self.key] == owners.id).scalar_subquery().label("version"),
            owners.closed_at.is_not(None).label("closed"),
        ).where(owners.id == sa.bindparam("owner"))

    @cached_property
    def stored(self) -> sa.Select[Any, Any, Any, Any]:
        """The statement that reads a log's entries from a version `low` to `high`."""
        columns = self.entries.c
        found = sa.select(columns.version, columns.kind, columns.body, columns.at)
        between = columns.version.between(sa.bindparam("low"), sa.bindparam("high"))
        return found.where(columns[self.key] == sa.bindparam("owner"), between).order_by(columns.version)

    @cached_property
    def new_columns(self) -> tuple[sa.ColumnClause[Any], ...]:
        """The columns `continuing` takes for each entry. `follows` is the version that the log must be at."""
        columns = self.entries.c
        number, *entry = (sa.column(name, columns[name].type) for name in self._entry)
        return (number, sa.column("follows", columns.version.type), *entry)

    def continuing(self, count: int) -> sa.Insert:
        """Make the statement that continues logs by this many entries and returns the numbers of those it continued.

        A log that is closed, doesn't exist or isn't at the version that its entries follow is left out. The primary key
        refuses the statement if another process writes the same entry at the same time, which can't happen in SQLite.
        """
        columns = self.new_columns
        values = [tuple(sa.bindparam(f"{each.name}_{n}", type_=each.type) for each in columns) for n in range(count)]
        new = sa.values(*columns, name="new").data(values).cte("new")
        found = self._newest.where(self.entries.c[self.key] == new.c[self.key]).correlate(new).scalar_subquery()
        follow = (
            sa.select(*(new.c[name] for name in self._entry))
            .join(self.owners, self.owners.c.id == new.c[self.key])
            .where(found == new.c.follows, self.owners.c.closed_at.is_(None))
            .with_for_update(read=True, of=self.owners)  # PostgreSQL waits for a log that is being closed
        )
        return sa.insert(self.entries).from_select(self._entry, follow).returning(self.entries.c[self.key])

    def conflict(self, number: int, first: int | None, state: Sequence[Any] | None) -> StoreError:
        """Find why entries from version `first` on (None: any version) don't continue a log whose `state` is this
        row."""
        if state is None:
            return self.unknown(number)
        found, closed = state
        kind = self.closed if closed else VersionConflict
        return kind(number, found + 1 if first is None else first, found)

    @property
    def _entry(self) -> list[str]:
        return [self.key, "version", "kind", "body", "at"]

    @cached_property
    def _newest(self) -> sa.Select[Any]:
        version = sa.func.coalesce(sa.func.max(self.entries.c.version), sa.literal_column("0"))
        return sa.select(version.label("version"))
