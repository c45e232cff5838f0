"""The open tables that are in memory, by number, by place and by the person whose turn it is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from bot.platform.refusals import Refusal
from bot.tables.live.table import Table
from bot.tables.log.events import Phase
from bot.tables.log.place import Place
from bot.tables.options import LobbyLimits
from bot.tables.refusals import TableRefusal
from bot.tables.store.rows import OpenGame


class OpenTables:
    """Holds tables until they are over."""

    def __init__(self) -> None:
        self._tables: dict[int, Table] = {}
        self._by_place: dict[Place, Table] = {}
        self._awaited: dict[int, int] = {}
        """By table, the person whose move it waits for."""
        self._awaiting: dict[int, dict[int, Table]] = {}
        """The same tables by that person, and by number."""

    def __len__(self) -> int:
        return len(self._tables)

    def __iter__(self) -> Iterator[Table]:
        return iter(list(self._tables.values()))

    def add(self, table: Table) -> None:
        self._tables[table.id] = self._by_place[table.place] = table
        self._note_awaited(table)

    def get(self, game_id: int) -> Table | None:
        return self._tables.get(game_id)

    def at(self, place: Place) -> Table | None:
        return self._by_place.get(place)

    def awaiting(self, person_id: int) -> list[Table]:
        """List the tables that wait for a person's move, the one that waits longest first."""
        return list(self._awaiting.get(person_id, {}).values())

    def within(self, guild_id: int | None, channel_id: int | None) -> list[Table]:
        """Return all open tables, or those of one server or channel."""
        return [
            table for table in self if guild_id in (None, table.guild_id) and channel_id in (None, table.channel_id)
        ]

    def reindex(self, table: Table) -> None:
        """File a table under its current place, and drop it if it is over."""
        if self.at(table.place) is not table and table.id in self._tables:  # it has moved to a thread
            self._by_place = {where: each for where, each in self._by_place.items() if each is not table}
            self._by_place[table.place] = table
        if not table.phase.open:
            self.drop(table)
        self._note_awaited(table)

    def drop(self, table: Table) -> OpenGame:
        """Forget a table; returns what is known of it if it is only put to sleep."""
        self._tables.pop(table.id, None)
        if self.at(table.place) is table:
            del self._by_place[table.place]
        self._note_awaited(table)
        playing = table.phase is Phase.PLAYING
        return OpenGame(table.id, table.guild_id, table.channel_id, table.opener_id, playing=playing)

    def _note_awaited(self, table: Table) -> None:
        person_id, before = table.awaited if table.id in self._tables else None, self._awaited.pop(table.id, None)
        if person_id is not None:
            self._awaited[table.id] = person_id
        if person_id == before:
            return
        if before is not None:
            theirs = self._awaiting[before]
            del theirs[table.id]
            if not theirs:
                del self._awaiting[before]
        if person_id is not None:
            self._awaiting.setdefault(person_id, {})[table.id] = table


def check_room(
    limits: LobbyLimits,
    tables: Iterable[Table],
    asleep: Iterable[OpenGame],
    guild_id: int,
    opener_id: int,
    *,
    besides: Table | None,
) -> None:
    """Raise a refusal if a person can't open one more lobby on a server; the table `besides` doesn't count."""
    lobbies = [table for table in tables if table.phase is Phase.LOBBY and table is not besides and not table.alone]
    sleeping = [game for game in asleep if not game.playing]
    here = sum(each.guild_id == guild_id for each in (*lobbies, *sleeping))
    theirs = sum(table.view().opener_id == opener_id for table in lobbies)
    theirs += sum(game.opener_id == opener_id for game in sleeping)
    if here >= limits.per_guild or theirs >= limits.per_person:
        raise Refusal(TableRefusal.TOO_MANY_LOBBIES)
