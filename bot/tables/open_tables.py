"""The open tables that are in memory, by number and by channel."""

from __future__ import annotations

from collections.abc import Iterator

from bot.tables.table import Table


class OpenTables:
    """Holds tables until they are over."""

    def __init__(self) -> None:
        self._tables: dict[int, Table] = {}
        self._by_channel: dict[int, Table] = {}

    def __len__(self) -> int:
        return len(self._tables)

    def __iter__(self) -> Iterator[Table]:
        return iter(list(self._tables.values()))

    def add(self, table: Table) -> None:
        self._tables[table.id] = self._by_channel[table.channel_id] = table

    def get(self, game_id: int) -> Table | None:
        return self._tables.get(game_id)

    def at(self, channel_id: int) -> Table | None:
        return self._by_channel.get(channel_id)

    def reindex(self, table: Table) -> None:
        """File a table under its current channel, and drop it if it is over."""
        if self.at(table.channel_id) is not table and table.id in self._tables:  # it has moved to a thread
            self._by_channel = {where: each for where, each in self._by_channel.items() if each is not table}
            self._by_channel[table.channel_id] = table
        if not table.phase.open:
            self._tables.pop(table.id, None)
            if self.at(table.channel_id) is table:
                del self._by_channel[table.channel_id]
