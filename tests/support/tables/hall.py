"""A hall of tables: a real store in a file, a clock moved by hand, and an observer that reads the file."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime, timedelta
from email.utils import format_datetime
from functools import partial
from pathlib import Path
from typing import Any, Self

from bot.club.store.results import MatchResult
from bot.engine.moves import Move
from bot.platform.database.database import Database
from bot.platform.database.errors import Fault, StoreUnavailable
from bot.platform.database.key_values import KeyValues
from bot.platform.eventlog import LogEntry
from bot.platform.language.quiet import Quiet
from bot.platform.operating.true_time import TrueTime
from bot.platform.people import Person
from bot.platform.settings.documents import GuildSettingsCache, PreferencesCache
from bot.platform.shards import ALL, Shards
from bot.process.outages import ALIVE, Outages
from bot.process.stores import Stores
from bot.tables.live.chance import Chance
from bot.tables.live.logbook import Restored
from bot.tables.live.manager import TableManager
from bot.tables.live.services import Services
from bot.tables.live.table import Table
from bot.tables.live.waiting import AwayTimes
from bot.tables.log.actions import Action, AddComputer, Join, PlayMove, Start
from bot.tables.log.codec import decode, fold
from bot.tables.log.evenings import Part
from bot.tables.log.events import Config, LogEvent, Phase
from bot.tables.log.pace import Pace
from bot.tables.log.state import TableState
from bot.tables.options import LobbyLimits, TableOptions
from bot.tables.settings import ServerOptions, holiday_times, quiet_of, spend_day, turn_notice
from bot.tables.store.deals import Draw
from bot.tables.store.logs import Games
from tests.support.tables.kit import ANA, CHANNEL, GUILD, PEOPLE, Stacked
from tests.support.tables.timing import HandClock, Time, spin

PACE = Pace(turn=120, warning=30, nudge=0, computer=2, next_round=45, abandon=1800, lobby=3600)


class Everywhere:
    """Everybody is on all servers."""

    async def among(self, guild_ids: Iterable[int | None], person_id: int) -> set[int | None]:
        """Like that of `Members`."""
        return set(guild_ids)


class FaultyStores(Stores):
    """Stores whose writes can be made to fail, or to wait at a gate."""

    broken = False
    gate: asyncio.Event | None = None

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self.games, self.values = _FaultyGames(self), _FaultyValues(self)


class _FaultyGames(Games):
    def __init__(self, stores: FaultyStores) -> None:
        super().__init__(stores.database)
        self._stores = stores

    async def append(
        self,
        game_id: int,
        entries: Sequence[LogEntry],
        *,
        joined: Collection[int] = (),
        result: MatchResult | None = None,
        close: bool = False,
        broken_off: bool = False,
        moved_to: int | None = None,
        draw: Draw | None = None,
        spent: Collection[int] = (),
        part: Part | None = None,
        faceless: bool = False,
        voteless: Collection[int] = (),
    ) -> None:
        """Like the store's, unless the disk is full."""
        if self._stores.gate is not None:
            await self._stores.gate.wait()
        if self._stores.broken:
            raise StoreUnavailable(Fault.DISK_FULL, "the disk is full")
        await super().append(
            game_id,
            entries,
            joined=joined,
            result=result,
            close=close,
            broken_off=broken_off,
            moved_to=moved_to,
            draw=draw,
            spent=spent,
            part=part,
            faceless=faceless,
            voteless=voteless,
        )

    async def open(self, **values: Any) -> Any:
        """Like the store's, unless the disk is full."""
        if self._stores.broken:
            raise StoreUnavailable(Fault.DISK_FULL, "the disk is full")
        return await super().open(**values)


class _FaultyValues(KeyValues):
    def __init__(self, stores: FaultyStores) -> None:
        super().__init__(stores.database)
        self._stores = stores

    async def set(self, key: str, value: str | None) -> None:
        """Like the store's, unless the disk is full."""
        if self._stores.broken:
            raise StoreUnavailable(Fault.DISK_FULL, "the disk is full")
        await super().set(key, value)


@dataclass(frozen=True, slots=True)
class Notification:
    """A call to the observer, and what the file held at that moment."""

    what: str
    version: int
    stored: int
    phase: Phase
    results: int


class Witness:
    """An observer that records each call, with what another program would then read from the database file."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.calls: list[Notification] = []

    def table_changed(self, table: Table) -> None:
        """Record the call."""
        self._note("table_changed", table)

    def deadline_near(self, table: Table) -> None:
        """Record the call."""
        self._note("deadline_near", table)

    def nudge_due(self, table: Table) -> None:
        """Record the call."""
        self._note("nudge_due", table)

    def nudged(self, table: Table) -> None:
        """Record the call."""
        self._note("nudged", table)

    def table_over(self, table: Table) -> None: ...

    def table_lost(self, table: Table) -> None:
        """Record the call."""
        self._note("table_lost", table)

    def table_rests(self, table: Table) -> None:
        """Record the call."""
        self._note("table_rests", table)

    def _note(self, what: str, table: Table) -> None:
        with closing(sqlite3.connect(self._path)) as connection:
            (stored,) = connection.execute("select max(version) from events where game_id = ?", (table.id,)).fetchone()
            (results,) = connection.execute("select count(*) from results where game_id = ?", (table.id,)).fetchone()
        self.calls.append(Notification(what, table.version, stored, table.phase, results))

    def whats(self) -> list[str]:
        """The names of the calls."""
        return [call.what for call in self.calls]


class Told(TrueTime):
    """A time that is always right."""

    def __init__(self, time: Time) -> None:
        super().__init__(time.wall, time.monotonic)
        self.sure = True
        self.now = self.steady = time.now  # type: ignore[method-assign]

    def look(self) -> None:
        """Doubt nothing."""


class Hall:
    """A table manager and everything it needs; `restarted` gives the one after a restart of the process."""

    def __init__(
        self,
        store: FaultyStores,
        path: Path,
        time: Time,
        pace: Pace,
        chance: Chance | None,
        limits: LobbyLimits | None = None,
        *,
        watched: bool = False,
    ) -> None:
        self.store = store
        self.path = path
        self.time = time
        self.watched = watched
        self.true = TrueTime(time.wall, time.monotonic) if watched else Told(time)
        self.clock = HandClock(time, self.true if watched else None)
        self.reachable = True
        """Whether Discord is."""
        self.lies: list[float | None] = []
        """By how many seconds Discord's next answers are wrong; None for one without a time."""
        self.asked = 0
        self.spends = self.sleeps = False
        """Whether missed turns spend days of holidays, and people have quiet hours: most tests do without."""
        self.outages = Outages(
            store.values, store.games, self.true, self.clock, ALL, lambda: self.reachable, self._rearm_all
        )
        self.outages.ask = self.ask
        if watched:
            self.clock.look = self.outages.look
            self.clock.ticked = self._ticked
        self.seen = Witness(path)
        self.chance = chance or Stacked()
        self.pace = pace
        self.brought_back: list[Restored] = []
        self.limits = limits or LobbyLimits()
        self.preferences = PreferencesCache(store.preferences)
        self.members = Everywhere()
        self.guild_settings = GuildSettingsCache(store.values)
        self.options = ServerOptions(self.guild_settings, TableOptions(pace))
        self.away = AwayTimes(store.values, self.clock.now)
        self.manager = self.make_manager()
        self.manager.observe(self.seen)
        self.preferences.on_change = self.manager.rearm

    def make_manager(self, shards: Shards = ALL) -> TableManager:
        """A manager of the tables of these shards, without observers."""
        preferences = self.preferences
        services = Services(
            self.store.games,
            self.store.alone,
            self.store.deals,
            self.store.values,
            self.clock,
            partial(turn_notice, preferences),
            self.chance,
            holidays=partial(holiday_times, preferences),
            spend_day=self._spend_day,
            away=self.away.of,
            quiet=self._quiet,
        )
        return TableManager(services, self.options.of, limits=self.limits, shards=shards)

    def _quiet(self, person_id: int | None, guild_id: int | None) -> Quiet | None:
        return quiet_of(self.preferences, self.guild_settings, person_id, guild_id) if self.sleeps else None

    async def _spend_day(self, person_id: int, now: datetime) -> bool:
        return self.spends and await spend_day(self.preferences, person_id, now)

    @classmethod
    async def build(
        cls,
        path: Path,
        pace: Pace = PACE,
        chance: Chance | None = None,
        limits: LobbyLimits | None = None,
        *,
        watched: bool = False,
        off: float = 0.0,
    ) -> Self:
        """Open a hall on a database file. `watched`: on a machine whose clock may be wrong, and is by `off`."""
        store = await FaultyStores.open(path)
        time = Time()
        time.off = off
        hall = cls(store, path, time, pace, chance, limits, watched=watched)
        await hall._begin()
        return hall

    async def _begin(self) -> None:
        """Start the clock, once Discord has answered at login."""
        if self.watched:
            await self.ask()
            await self.ask()
        await self.outages.read()
        self.clock.start()
        await spin()

    async def close(self) -> None:
        """Stop the clock and close the store."""
        await self.clock.close()
        for task in (self.outages._asking, self.outages._noting):
            if task is not None:
                task.cancel()
        await self.store.database.close()

    async def restarted(self, *, away: float = 0, killed: bool = False) -> Hall:
        """The hall of a new process on the same file, now or `away` seconds later; it knows only what was stored."""
        await self.clock.close()
        if self.outages._noting is not None:
            await asyncio.wait([self.outages._noting])
        if not killed:
            self._note_alive()
        self.time.move_to(self.time.now() + timedelta(seconds=away))
        hall = Hall(self.store, self.path, self.time, self.pace, self.chance, self.limits, watched=self.watched)
        hall.spends, hall.sleeps = self.spends, self.sleeps
        await hall._begin()
        await hall.preferences.load()
        await hall.away.load()
        await hall.manager.load(hall.brought_back.append)
        await hall.manager.bring_back()
        return hall

    def _rearm_all(self) -> None:
        self.manager.rearm_all()

    def _note_alive(self) -> None:
        """Note what a stopping process notes, without a write of the store, which tests count."""
        noted = {"alive": self.true.now().timestamp(), "outages": self.clock.outages.times, "offset": 0}
        with closing(sqlite3.connect(self.path)) as connection:
            connection.execute("replace into key_values values (?, ?)", (ALIVE, json.dumps(noted)))
            connection.commit()

    # ---------------------------------------------------------------- its machine

    async def ask(self) -> None:
        """Have Discord answer any request."""
        self.asked += 1
        self.time.instant += timedelta(milliseconds=1)
        if not self.reachable:
            raise OSError("no network")
        lie = self.lies.pop(0) if self.lies else 0.0
        date = None if lie is None else format_datetime(self.time.now() + timedelta(seconds=lie), usegmt=True)
        self.true.heard(date, asyncio.get_running_loop().time())

    def _ticked(self) -> None:
        if self.true.sure and self.reachable:
            self.outages._alive = self.true.now().timestamp()

    async def set_machine(self, seconds: float) -> None:
        """Set the machine's clock ahead or back, and let a tick pass."""
        self.time.off += seconds
        await self.tick()

    async def suspend(self, seconds: float) -> None:
        """Suspend the machine: its monotonic clock stands still meanwhile."""
        self.time.slept += seconds
        await self.stop(seconds)

    async def stop(self, seconds: float) -> None:
        """Stop the process, as SIGSTOP does."""
        self.time.instant += timedelta(seconds=seconds)
        await self.tick()

    async def tick(self) -> None:
        """Let the clock look at the time, and Discord answer if it is asked."""
        for _ in range(6):
            await self.time.pass_by(0.01)
        await self.clock.settle()

    # ---------------------------------------------------------------- tables

    async def lobby(
        self, *people: Person, config: Config | None = None, computers: int = 0, channel: int = CHANNEL
    ) -> Table:
        """Open a lobby as the first person; the others join."""
        opener, *others = people or (ANA,)
        table = await self.manager.open(
            guild_id=GUILD, channel_id=channel, opener=opener, config=config or Config(), locale="es-ES"
        )
        for person in others:
            await table.submit(Join(person))
        for _ in range(computers):
            await table.submit(AddComputer(opener, table.version))
        return table

    async def match(
        self, *people: Person, config: Config | None = None, computers: int = 0, channel: int = CHANNEL
    ) -> Table:
        """Start a match, with its first round dealt."""
        table = await self.lobby(*people, config=config, computers=computers, channel=channel)
        await table.submit(Start(people[0] if people else ANA, table.version))
        return table

    async def log(self, table: Table) -> list[LogEvent]:
        """The table's events as they are stored."""
        return [decode(entry.kind, entry.body) for entry in await self.store.games.log(table.id)]

    async def stored(self, table: Table) -> TableState:
        """The state that the table's stored events fold to."""
        return fold(await self.log(table))

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        """Run a query on the file as a program other than the bot would."""
        with closing(sqlite3.connect(self.path)) as connection:
            return connection.execute(query).fetchall()


Build = Callable[..., Awaitable[Hall]]


def state_of(table: Table) -> TableState:
    """A table's private state, which only tests may see."""
    return table._state


def turn_of(table: Table) -> int:
    """The current seat."""
    match = table.view().match
    assert match is not None
    assert match.turn is not None
    return match.turn


def person_at(table: Table, seat: int) -> Person:
    """The person who holds a seat."""
    person_id = table.view().seats[seat].person_id
    return next(person for person in PEOPLE if person.id == person_id)


def move_by(table: Table, person: Person | None = None) -> PlayMove:
    """The first legal move, played by the current player or by another person."""
    moves = legal(table)
    return PlayMove(person or person_at(table, turn_of(table)), table.view().version, moves[0])


def legal(table: Table) -> tuple[Move, ...]:
    """The legal moves of the current seat."""
    view = table.seat_view(turn_of(table))
    assert view is not None
    return view.moves


async def play_round(table: Table) -> None:
    """Play first legal moves until the round is scored."""
    while (match := table.view().match) is not None and match.turn is not None:
        await table.submit(move_by(table))


async def outcomes(submits: Iterable[Awaitable[None]]) -> list[object]:
    """Run several submits at once; for each, None or its exception."""
    return list(await asyncio.gather(*submits, return_exceptions=True))


def submits(table: Table, actions: Iterable[Action]) -> list[Awaitable[None]]:
    """A submit for each action."""
    return [table.submit(action) for action in actions]
