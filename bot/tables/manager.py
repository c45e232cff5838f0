"""The tables of all channels: open one, find one, bring them back after a restart."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from bot.meter import Meter, Unmeasured
from bot.players import Level
from bot.store import ChannelBusy, GameRow, LogEntry, Store, StoreError, StoreUnavailable
from bot.tables.chance import Chance, SystemChance
from bot.tables.clock import Clock
from bot.tables.codec import encode, fold, replayed, rounds_dealt
from bot.tables.decide import free_name
from bot.tables.errors import Refusal, RefusalCode
from bot.tables.house import House
from bot.tables.pace import Pace
from bot.tables.ports import Observer, Ports
from bot.tables.state import ComputerAdded, Config, LogEvent, Opened, Person, Phase, TableState
from bot.tables.table import Table
from bot.thinking import AtOnce, Thinker

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Restored:
    """A table that was brought back from the store; `rounds_dealt` is when each round of its match was."""

    table: Table
    row: GameRow
    rounds_dealt: tuple[datetime, ...]


@dataclass(frozen=True, slots=True)
class Finished:
    """A table that is over, as it ended."""

    row: GameRow
    state: TableState


class TableManager:
    """Keeps the open tables, one a channel. It is their observer: it forgets those that are over, and passes all on.

    Args:
        store: where every event goes before anybody sees it.
        clock: the scheduler of all deadlines.
        observer: who tells people what happened.
        pace: how long things wait.
        chance: where decks come from.
        meter: is told what is stored.
        thinker: finds the computers' moves; at once unless given.
    """

    def __init__(
        self,
        store: Store,
        clock: Clock,
        observer: Observer[Table],
        pace: Pace | None = None,
        chance: Chance | None = None,
        meter: Meter | None = None,
        thinker: Thinker | None = None,
    ) -> None:
        self._observer = observer
        self._ports: Ports[Table] = Ports(
            store,
            clock,
            self,
            chance or SystemChance(),
            meter or Unmeasured(),
            pace or Pace(),
            thinker or AtOnce(),
        )
        self.closing = False
        self._tables: dict[int, Table] = {}
        self._by_channel: dict[int, Table] = {}
        self._houses: dict[int, House] = {}

    def __len__(self) -> int:
        return len(self._tables)

    @property
    def meter(self) -> Meter:
        """What is told what is stored."""
        return self._ports.meter

    def count(self, phase: Phase) -> int:
        """How many open tables are in a phase."""
        return sum(table.phase is phase for table in self._tables.values())

    def at(self, channel_id: int) -> Table | None:
        """The open table of a channel."""
        return self._by_channel.get(channel_id)

    def get(self, game_id: int) -> Table | None:
        """The open table with that id."""
        return self._tables.get(game_id)

    async def open(
        self,
        *,
        guild_id: int,
        channel_id: int,
        opener: Person,
        config: Config,
        locale: str,
        computers: Sequence[Level] = (),
    ) -> Table:
        """Open a lobby in a channel, with its opener and some computer players seated.

        Raises:
            Refusal: if a game is open there already, or the store can't write.
        """
        if self.closing:
            raise Refusal(RefusalCode.CLOSING)
        if channel_id in self._by_channel:
            raise Refusal(RefusalCode.CHANNEL_BUSY)
        self._check_room(guild_id, opener)
        events: list[LogEvent] = [Opened(opener, config)]
        for level in computers:
            events.append(ComputerAdded(free_name(fold(events)), level))
        ports = self._ports
        now = ports.clock.now()
        try:
            with ports.meter.storing(len(events)):
                row = await ports.store.open_game(
                    guild_id=guild_id,
                    channel_id=channel_id,
                    opener_id=opener.id,
                    locale=locale,
                    at=now,
                    entries=[LogEntry(version, *encode(event), now) for version, event in enumerate(events, 1)],
                )
        except ChannelBusy as error:
            raise Refusal(RefusalCode.CHANNEL_BUSY) from error
        except StoreError as error:
            raise Refusal(RefusalCode.UNAVAILABLE) from error
        table = Table(await self._ports_in(guild_id), row, fold(events))
        self._keep(table)
        return table

    async def unshown_ends(self) -> list[Restored]:
        """The tables that are over without anybody having been shown it: the bot ended in between."""
        return [found for game_id in await self._ports.store.unshown_ends() if (found := await self._restored(game_id))]

    async def rematch(self, game_id: int, person: Person) -> Table:
        """Open a lobby with the rules and the computer players of a match that is over, its asker seated.

        Raises:
            Refusal: if there is no such match, its channel has a game, or the store can't write.
        """
        before = await self.finished(game_id)
        if before is None:
            raise Refusal(RefusalCode.STALE)
        return await self.open(
            guild_id=before.row.guild_id,
            channel_id=before.row.channel_id,
            opener=person,
            config=before.state.config,
            locale=before.row.locale,
            computers=[seat.level for seat in before.state.seats if seat.is_computer],
        )

    async def house(self, guild_id: int) -> House:
        """The defaults of a server.

        Raises:
            StoreError: if they can't be read.
        """
        if guild_id not in self._houses:
            self._houses[guild_id] = House.load(await self._ports.store.get_value(_house_key(guild_id)))
        return self._houses[guild_id]

    async def settle(self, guild_id: int, house: House) -> None:
        """Give a server other defaults; games under way keep the pace they began with.

        Raises:
            Refusal: if the store can't write.
        """
        try:
            await self._ports.store.set_value(_house_key(guild_id), house.dump())
        except StoreError as error:
            raise Refusal(RefusalCode.UNAVAILABLE) from error
        self._houses[guild_id] = house

    async def restore(self) -> list[Restored]:
        """Bring every open table back from its log; deadlines begin anew.

        A game that can't be read is closed, so that its channel is free; what is wrong is logged.
        """
        found: list[Restored] = []
        for game_id in await self._ports.store.open_games():
            restored = await self._restored(game_id)
            if restored is None:
                continue
            if restored.table.phase.open:
                self._keep(restored.table)
            else:
                log.error("Game %s is over by its log, and is closed", game_id)
                await self._give_up(game_id)
            found.append(restored)
        return found

    async def _restored(self, game_id: int) -> Restored | None:
        """A table as the store has it; None if its rows are damaged, and then it is given up.

        Raises:
            StoreUnavailable: if nothing can be read now.
        """
        try:
            row = await self._ports.store.game(game_id)
            assert row is not None, "games are never deleted"
            entries = await self._ports.store.log(game_id)
            table = Table(await self._ports_in(row.guild_id), row, replayed(entries), restored=True)
            return Restored(table, row, rounds_dealt(entries))
        except StoreUnavailable:
            raise
        except Exception as error:  # whatever a damaged row raises, the other tables come back
            log.error("Game %s can't be replayed (%s) and is closed", game_id, type(error).__name__)
            await self._give_up(game_id)
            return None

    async def _give_up(self, game_id: int) -> None:
        try:
            await self._ports.store.give_up(game_id, self._ports.clock.now())
        except StoreError as error:
            log.error("Game %s can't be closed (%s)", game_id, type(error).__name__)

    async def finished(self, game_id: int) -> Finished | None:
        """A table that is over, read back from its log; None if there is none or it is open."""
        row = await self._ports.store.game(game_id)
        if row is None or row.closed_at is None:
            return None
        entries = await self._ports.store.log(game_id)
        try:
            state = replayed(entries)
        except Exception as error:
            log.warning("Game %s can't be replayed (%s)", game_id, type(error).__name__)
            return None
        return Finished(row, state)

    async def lose(self, table: Table) -> None:
        """A table's channel is gone: end it quietly. When the store can't write it stays, for the next start to end."""
        self.lost(table)
        try:
            await table.abandon()
        except Refusal:
            log.warning("Table %s lost its channel, but the store can't write that", table.id)

    def within(self, *, guild_id: int | None = None, channel_id: int | None = None) -> list[Table]:
        """The open tables; those of a guild, or of a channel, if one is named."""
        return [
            table
            for table in self._tables.values()
            if guild_id in (None, table.guild_id) and channel_id in (None, table.channel_id)
        ]

    def close(self) -> None:
        """Take no new move, and open nothing; what was begun ends by itself."""
        self.closing = True
        for table in self._tables.values():
            table.close()

    # -------------------------------------------------------------------- the tables' observer

    def changed(self, table: Table) -> None:
        """The table's state changed: one that is over needs no memory."""
        if not table.phase.open:
            self._tables.pop(table.id, None)
            if self._by_channel.get(table.channel_id) is table:
                del self._by_channel[table.channel_id]
        self._observer.changed(table)

    def warned(self, table: Table) -> None:
        """The player at turn has little time left."""
        self._observer.warned(table)

    def lost(self, table: Table) -> None:
        """The table's channel is gone."""
        self._observer.lost(table)

    # -------------------------------------------------------------------- making tables

    def _check_room(self, guild_id: int, opener: Person) -> None:
        lobbies = [table for table in self._tables.values() if table.phase is Phase.LOBBY]
        here = sum(table.guild_id == guild_id for table in lobbies)
        theirs = sum(table.view().opener_id == opener.id for table in lobbies)
        pace = self._ports.pace
        if here >= pace.lobbies_per_guild or theirs >= pace.lobbies_per_person:
            raise Refusal(RefusalCode.TOO_MANY_LOBBIES)

    async def _ports_in(self, guild_id: int) -> Ports[Table]:
        """What a table of a server needs."""
        ports = self._ports
        try:
            return replace(ports, pace=(await self.house(guild_id)).pace(ports.pace))
        except StoreError:
            return ports

    def _keep(self, table: Table) -> None:
        self._tables[table.id] = table
        self._by_channel[table.channel_id] = table
        table.arm()
        if self.closing:
            table.close()  # the bot began to stop while it was stored


def _house_key(guild_id: int) -> str:
    return f"house:{guild_id}"
