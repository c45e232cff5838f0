"""The bot's parts, built in order before the bot itself, which finds the database open and the shards asked for."""

import asyncio
import logging
from collections.abc import Callable
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Final

from bot import __version__
from bot.cards.pictures.sprites import warm
from bot.platform.clock import Clock, Hold, utc_now
from bot.platform.database.errors import StoreError
from bot.platform.database.news import News
from bot.platform.database.opening import database_at, key_beside
from bot.platform.database.ownership import Held, Owner, owner_of
from bot.platform.drawing.scenes import Pictures
from bot.platform.language.faces import Deck
from bot.platform.operating.monitor import CannotListen, Monitor
from bot.platform.operating.true_time import TrueTime
from bot.platform.settings.documents import GuildSettingsCache, PreferencesCache
from bot.platform.transport.pacer import NO_LIMIT, Budget, Fence, Pacer, Unsure, ignored
from bot.process.backups import DailyBackups, backups_of
from bot.process.ending import at_most
from bot.process.links import declare_links
from bot.process.outages import Heartbeat, Outages
from bot.process.service import NewsReader
from bot.process.stores import Stores
from bot.process.wording import Wording
from bot.schema import SCHEMA
from bot.schema.new_ids import number_from
from bot.settings import Settings, SettingsError, variable
from bot.tables.live.chance import Chance, SystemChance, board_secret
from bot.tables.live.manager import TableManager
from bot.tables.live.services import Services
from bot.tables.live.waiting import AwayTimes
from bot.tables.log.pace import Pace
from bot.tables.options import LobbyLimits, TableOptions
from bot.tables.settings import ServerOptions, holiday_times, quiet_of, spend_day, turn_notice
from bot.thinking import InlineThinker
from bot.thinking.processes import ProcessThinker
from bot.training.live.days import DayPositions
from bot.training.live.luck import GAMES

log = logging.getLogger(__name__)

ANSWER_SECONDS: Final = 0.3
"""The time that the first answer to an interaction waits until it is certain that this process has the shards."""
LOOK_SECONDS: Final = 5
"""Pause between two looks at whether the database's files are still there: a write looks by itself."""
CLOSING_SECONDS: Final = 1.5
"""The time that each part has to close. It takes milliseconds if the database answers."""


@dataclass(frozen=True, slots=True)
class Simulation:
    """The differences between a bot in the demo, the tests or the benchmarks and one on the real Discord.

    No other process can have its shards, and its computer players think in this process.

    Attributes:
        now: returns the simulated time.
        hold: wraps the clock's waiting, if the simulation has to know about it (see `Clock`).
        forgets: whether commands and messages are gone after a restart, so that the bot mustn't rely on them.
        observed: whether it has a heartbeat file, and a health endpoint if the settings ask for one.
        thinker: chooses the computer players' moves and gives advice.
        luck_games: how many times each round of a finished match is played again to measure its luck; 0 for not at all.
            With a thinker in this process, everything else waits meanwhile.
    """

    now: Callable[[], datetime] = utc_now
    hold: Hold | None = None
    forgets: bool = False
    observed: bool = False
    thinker: InlineThinker | None = None
    luck_games: int = 0


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts of a bot, except for those that need the bot itself."""

    settings: Settings
    clock: Clock
    stores: Stores
    owner: Owner
    monitor: Monitor
    pacer: Pacer
    pictures: Pictures | None
    thinker: ProcessThinker | InlineThinker
    advises: bool
    """Whether hints and reviews are available."""
    luck_games: int
    """The number of times that each round of a finished match is played again to measure its luck."""
    preferences: PreferencesCache
    guild_settings: GuildSettingsCache
    options: ServerOptions
    away: AwayTimes
    manager: TableManager
    days: DayPositions
    wording: Wording
    news: NewsReader
    outages: Outages | None
    """None in a simulation."""
    chance: SystemChance
    heartbeat: Heartbeat | None
    backups: DailyBackups | None
    forgets: bool
    """Whether Discord is simulated, and forgets commands and messages when the bot restarts."""

    async def take_over(self, ready: Callable[[], bool]) -> None:
        """Wait until no other process has these shards, and take them.

        `ready`: returns whether this process is connected, so that the other one can stop.

        Raises:
            StoreError: if the database can't be used.
        """
        await self.owner.acquire(self.news.receive, ready=ready)
        await self.load()
        try:
            await self.monitor.listen()
        except CannotListen as error:  # keeping the tables matters more
            log.error("%s", _wrong_address(error))

    async def load(self) -> None:
        """Read what is needed to serve people, once no other process has the shards.

        Raises:
            StoreError: if the database can't be used, or a newer bot has changed it while this one waited.
        """
        await self.stores.database.check_version()
        if not self.forgets:  # else no button of earlier is left
            await number_from(self.stores.database, self.clock.now())
        await self.preferences.load()
        await self.away.load()
        self.chance.deal_boards_by(await board_secret(self.stores.values))
        self.news.receive(News.ERASURES, 0)  # announced while no process had these shards

    async def look_after_files(self) -> None:
        """Look from time to time whether the database's files are still there."""
        await self.stores.database.obstacle()  # which also brings them back
        self.clock.after("files", LOOK_SECONDS, self.look_after_files)

    async def close(self) -> None:
        """Close the health endpoint and the database, and then give the shards to the next process.

        While the database doesn't answer, the shards stay this process's until it ends.
        """
        with suppress(TimeoutError):
            await at_most(CLOSING_SECONDS, self.monitor.close())
        if self.heartbeat is not None:
            self.heartbeat.remove()
        try:
            await at_most(CLOSING_SECONDS, self.stores.database.close())
            await at_most(CLOSING_SECONDS, self.owner.close())
        except TimeoutError:
            log.warning("The database doesn't answer: this process ends without closing it")


async def build_parts(
    settings: Settings, *, chance: Chance | None = None, simulation: Simulation | None = None
) -> Parts:
    """Open the database, take these shards if no other process has them, and make the parts.

    Otherwise nothing can be written to the database until `take_over`.

    Args:
        settings: the settings.
        chance: supplies decks and dealers; the system's random source if None.
        simulation: None on the real Discord.

    Raises:
        StoreError: if the database can't be used.
        SettingsError: if the health endpoint can't listen on its address, and no other process has the shards.
    """
    real, simulated = simulation is None, simulation or Simulation()
    observed = real or simulated.observed
    time = TrueTime() if real else None
    clock = Clock(simulated.now, simulated.hold) if time is None else Clock(time.now, steady=time.steady)
    owner = owner_of(settings.database, SCHEMA, settings.own_shards if settings.shards else None) if real else Owner()
    pacer = Pacer(budget_of(settings), fence=fence_of(owner), heard=ignored if time is None else time.heard)
    async with AsyncExitStack() as opened:
        stores = Stores(database := await database_at(settings.database, SCHEMA))
        backups = backups_of(settings, clock) if real else None
        opened.push_async_callback(database.close)
        monitor = Monitor(
            database,
            version=__version__,
            now=clock.now,
            requests=pacer.requests,
            held=lambda: owner.held,
            backup_age=None if backups is None else backups.age,
            clock_offset=None if time is None else lambda: time.offset,
            address=settings.health_host_and_port if observed else None,
            shards=settings.own_shards if settings.shards else None,
        )
        opened.push_async_callback(monitor.close)
        cannot_listen: CannotListen | None = None
        try:
            await monitor.start()  # before anything that may take long
        except CannotListen as error:
            cannot_listen = error
        await database.open()
        await database.pseudonyms.load(key_beside(settings.database), settings.marks_key)
        database.fence, database.mark = owner.confirm, owner.mark
        thinker = ProcessThinker(settings.thinkers, monitor.meter) if real else simulated.thinker or InlineThinker()
        advises = settings.thinkers > 0 or not real
        preferences = PreferencesCache(stores.preferences)
        guild_settings = GuildSettingsCache(stores.values)
        options = ServerOptions(guild_settings, TableOptions(pace_of(settings), hints=advises))
        away = AwayTimes(stores.values, clock.now)
        system_chance = SystemChance()
        manager = TableManager(
            Services(
                stores.games,
                stores.alone,
                stores.deals,
                stores.values,
                clock,
                partial(turn_notice, preferences),
                chance or system_chance,
                monitor.meter,
                thinker,
                leases=owner,
                holidays=partial(holiday_times, preferences),
                spend_day=partial(spend_day, preferences),
                away=away.of,
                quiet=partial(quiet_of, preferences, guild_settings),
            ),
            options.of,
            limits=LobbyLimits(settings.lobbies_per_guild, settings.lobbies_per_person),
            shards=settings.own_shards,
        )
        preferences.on_change = manager.rearm
        outages = None
        if time is not None:
            outages = Outages(
                stores.values, stores.games, time, clock, settings.own_shards, monitor.reachable, manager.rearm_all
            )
            clock.look = outages.look
        searches = real and settings.thinkers > 0 and settings.own_shards.first
        days = DayPositions(
            stores.days, stores.values, clock, thinker if searches else None, lambda: manager.closing, monitor.meter
        )
        news = NewsReader(stores.personal_data, clock, manager, preferences)
        opened.push_async_callback(owner.close)
        held = await owner.take(news.receive)
        if cannot_listen is not None:
            if held:
                raise _wrong_address(cannot_listen) from cannot_listen
            log.info("%s It is tried again when this process takes over.", _wrong_address(cannot_listen))
        declare_links()
        wording = Wording(stores.values, guild_settings, preferences, clock.now, pictures=settings.pictures)
        parts = Parts(
            settings=settings,
            clock=clock,
            stores=stores,
            owner=owner,
            monitor=monitor,
            pacer=pacer,
            pictures=Pictures(ahead=partial(warm, Deck.SPANISH) if real else None) if settings.pictures else None,
            thinker=thinker,
            advises=advises,
            luck_games=GAMES if real else simulated.luck_games,
            preferences=preferences,
            guild_settings=guild_settings,
            options=options,
            away=away,
            manager=manager,
            days=days,
            wording=wording,
            news=news,
            outages=outages,
            chance=system_chance,
            heartbeat=Heartbeat(settings.heartbeat_path, clock, monitor.reachable) if observed else None,
            backups=backups,
            forgets=simulated.forgets,
        )
        if held:
            await parts.load()
        opened.pop_all()
        return parts


def fence_of(owner: Owner) -> Fence:
    """A fence that lets requests pass to Discord only while this process certainly has the shards.

    Otherwise a process that was suspended, and lost its shards meanwhile, would go on to overwrite what the next one
    has shown. While it isn't certain, only what is harmless passes: deferrals, and requests to try again. After a
    suspension there is no doubt: until this process knows better, the shards are another's.
    """

    async def fence(*, answers: bool, harmless: bool) -> None:
        if harmless and owner.held in (Held.YES, Held.DOUBTFUL):
            return
        try:
            async with asyncio.timeout(ANSWER_SECONDS if answers else None):
                await owner.confirm()
        except (StoreError, TimeoutError) as error:
            raise Unsure(str(error) or "the database doesn't answer in time") from error

    return fence


def _wrong_address(error: CannotListen) -> SettingsError:
    return SettingsError(f"{variable('health_address')}: {error}")


def budget_of(settings: Settings) -> Budget:
    """Compute the requests this process may send: its shards' portion of what all processes together may send."""
    budget = Budget(settings.requests_per_second) if settings.requests_per_second else NO_LIMIT
    return budget.part(settings.own_shards.share)


def pace_of(settings: Settings) -> Pace:
    return Pace(
        turn=settings.turn_seconds,
        warning=settings.warn_seconds,
        nudge=settings.nudge_seconds,
        computer=settings.computer_seconds,
        next_round=settings.round_seconds,
        abandon=settings.abandon_minutes * 60,
        lobby=settings.lobby_minutes * 60,
        idle=settings.idle_days * 24 * 60 * 60,
    )
