"""The tournaments of all channels: opens them, finds them, and brings them back after a restart."""

import asyncio
import logging
import secrets
from collections.abc import Callable, Sequence
from typing import Final

from cachetools import LRUCache

from bot.club.store.ratings import Ratings
from bot.platform.clock import Clock
from bot.platform.database.continuing import read_log
from bot.platform.database.errors import StoreError
from bot.platform.eventlog import WrittenByNewer, named_in, people_of
from bot.platform.observers import Observer
from bot.platform.people import Person
from bot.platform.refusals import CommonRefusal, Refusal
from bot.tables.live.manager import TableManager
from bot.tables.live.table import Table
from bot.tables.refusals import TableRefusal
from bot.tables.store.errors import ChannelBusy, UnknownGame
from bot.tournaments.live.codec import LOG
from bot.tournaments.live.outcome import counts_already, next_week
from bot.tournaments.live.running import LiveTournament, Log, TournamentObserver
from bot.tournaments.live.steward import Steward
from bot.tournaments.live.view import Places
from bot.tournaments.refusals import TournamentRefusal
from bot.tournaments.rules.log import Announced
from bot.tournaments.rules.setup import is_invalid
from bot.tournaments.rules.tournament import Setup
from bot.tournaments.store.logs import TournamentLogs, TournamentRow

log = logging.getLogger(__name__)

_REMEMBERED: Final = 32
"""Finished tournaments that are kept in memory."""


class TournamentDirector(Observer[Table]):
    """Holds the open tournaments, at most one a channel. Add observers before loading or opening any.

    Must be registered as an observer of the tables after the presenter.

    Args:
        logs: hold every event.
        ratings: what people are paired by.
        clock: schedules deadlines and retries.
        tables: opens and finds tables; its shards are also those of the tournaments.
        places: gives tables their channels.
        away: the times in which the bot wasn't in a server, each in seconds since 1970.
    """

    def __init__(
        self,
        logs: TournamentLogs,
        ratings: Ratings,
        clock: Clock,
        tables: TableManager,
        places: Places,
        away: Callable[[int], Sequence[tuple[float, float]]] = lambda _: (),
    ) -> None:
        self.closing = False
        self._logs, self._ratings = logs, ratings
        self._clock = clock
        self._tables = tables
        self._places = places
        self._away = away
        self._observers: list[TournamentObserver] = []
        self._kept: dict[int, LiveTournament] = {}
        """The tournaments that are open, or whose end isn't shown yet."""
        self._stewards: dict[int, Steward] = {}
        self._over: LRUCache[int, LiveTournament] = LRUCache(_REMEMBERED)
        """The tournaments that are over, the latest last."""
        self._newer: dict[int, TournamentRow] = {}
        """The tournaments that a newer version has written: they wait for one."""
        self._begun = False

    def observe(self, observer: TournamentObserver) -> None:
        """Call this observer too, after those that were added before it."""
        self._observers.append(observer)

    def at(self, channel_id: int) -> LiveTournament | None:
        """The open tournament of a channel."""
        return next((live for live in self._kept.values() if live.open and live.channel_id == channel_id), None)

    def here(self, channel_id: int) -> LiveTournament | None:
        """The open tournament of a channel, for somebody who asks for it there.

        Raises Refusal: NEWER if a newer version has written it.
        """
        if self._newer_at(channel_id):
            raise Refusal(CommonRefusal.NEWER)
        return self.at(channel_id)

    def has(self, channel_id: int) -> bool:
        """Whether a channel has an open tournament."""
        return self.at(channel_id) is not None or self._newer_at(channel_id)

    def _newer_at(self, channel_id: int) -> bool:
        return any(row.closed_at is None and row.channel_id == channel_id for row in self._newer.values())

    @property
    def newer(self) -> list[int]:
        """The numbers of the tournaments that a newer version has written."""
        return list(self._newer)

    def get(self, tournament_id: int) -> LiveTournament | None:
        """The open tournament with this number."""
        live = self._kept.get(tournament_id)
        return live if live is not None and live.open else None

    def within(self, guild_id: int | None = None) -> list[LiveTournament]:
        """The open tournaments, of one server if given."""
        return [live for live in self._kept.values() if live.open and guild_id in (None, live.guild_id)]

    async def find(self, tournament_id: int) -> LiveTournament | None:
        """The tournament with this number, even if it is over or this process hasn't heard of it; None if there is
        none, or its log isn't kept any more.

        Raises StoreError if it can't be read, Refusal (NEWER) if a newer version has written it.
        """
        known = self._kept.get(tournament_id) or self._over.get(tournament_id)
        if known is not None:
            return known
        row = await self._logs.get(tournament_id)
        if row is None or not self._tables.shards.has(row.guild_id):
            return None
        live = await self._restored(row)
        known = self._kept.get(tournament_id) or self._over.get(tournament_id)  # somebody else may have found it
        return known or (live and self._keep(live))

    async def open(
        self, *, guild_id: int, channel_id: int, locale: str, organiser: Person, setup: Setup
    ) -> LiveTournament:
        """Open sign-up for a tournament in a channel.

        Args:
            guild_id: the server.
            channel_id: where its messages and, in threads, its tables are.
            locale: the language of its public messages.
            organiser: who may do everything in it.
            setup: what is played; it may be changed until the first round.

        Raises:
            Refusal: if the channel has an open one, if the set-up isn't possible, or if the store can't write.
        """
        if self.closing:
            raise Refusal(CommonRefusal.CLOSING)
        if self.here(channel_id) is not None:
            raise Refusal(TableRefusal.CHANNEL_BUSY)
        if is_invalid(setup):
            raise Refusal(TournamentRefusal.BAD_SETUP)
        return await self._opened(guild_id, channel_id, locale, Announced(organiser, setup, secrets.randbits(31)))

    async def _open_next(self, before: LiveTournament) -> None:
        """Open sign-up for the tournament of the week after one that is over.

        Raises Refusal if the channel has another one, or if the store can't write.
        """
        announced = next_week(before.state, self._clock.now(), secrets.randbits(31))
        try:
            await self._opened(before.guild_id, before.channel_id, before.locale, announced, follows=before.id)
        except UnknownGame:  # it was opened before, without this process having learnt of it
            await self.load()
        before.followed()
        self.release(before)

    async def _opened(
        self, guild_id: int, channel_id: int, locale: str, announced: Announced, *, follows: int | None = None
    ) -> LiveTournament:
        now, organiser = self._clock.now(), announced.organiser
        entries = LOG.entries([announced], now)
        try:
            row = await self._logs.open(
                guild_id=guild_id,
                channel_id=channel_id,
                organiser_id=organiser.id,
                locale=locale,
                at=now,
                entries=entries,
                joined=people_of([announced]),
                follows=follows,
            )
        except ChannelBusy as error:
            await self.load()
            raise Refusal(TableRefusal.CHANNEL_BUSY) from error
        except StoreError as error:
            raise Refusal(CommonRefusal.UNAVAILABLE) from error
        live = self._keep(
            LiveTournament(
                self._logs, self._ratings, self._clock, self._away, self._counts, self._changed, row, Log.read(entries)
            )
        )
        self._changed(live)
        return live

    # -------------------------------------------------------------------- after a restart

    async def load(self) -> None:
        """Learn which tournaments are open, after a restart, or because another process has opened one; nothing happens
        in them before `begin`.

        Raises StoreError if they can't be read.
        """
        for row in await self._logs.unfinished(self._tables.shards):
            if not any(row.id in known for known in (self._kept, self._over, self._newer)):
                try:
                    live = await self._restored(row)
                except Refusal:
                    continue  # a newer version has written it
                if live is not None and row.id not in self._kept:
                    self._keep(live)
                    if self._begun:
                        self._changed(live)

    def begin(self) -> None:
        """Show people the tournaments, and go on with them: tables can be opened from now on."""
        self._begun = True
        for live in list(self._kept.values()):
            self._changed(live)

    def recheck_tables(self) -> None:
        """Compare all tournaments with their tables, now that the tables are back."""
        for steward in self._stewards.values():
            steward.look()

    async def close(self) -> None:
        """Take no more actions, and wait for what is under way."""
        self.closing = True
        await asyncio.gather(*(steward.close() for steward in self._stewards.values()))

    async def _restored(self, row: TournamentRow) -> LiveTournament | None:
        entries = await self._logs.log(row.id)
        if not entries and row.closed_at is not None:
            return None
        try:
            known = await read_log(Log.read, entries)
        except WrittenByNewer as error:
            if row.id not in self._newer:
                log.warning("Tournament %s was written by a newer version, and waits for one", row.id)
                self._newer[row.id] = row
            raise Refusal(CommonRefusal.NEWER) from error
        except Exception as error:  # a damaged row may raise anything, and the others must still come back
            log.error("Tournament %s can't be read (%s)", row.id, type(error).__name__)
            if row.closed_at is None:
                await self._logs.give_up(row.id, self._clock.now())
            return None
        games = await self._logs.games(row.id)
        return LiveTournament(
            self._logs,
            self._ratings,
            self._clock,
            self._away,
            self._counts,
            self._changed,
            row,
            known,
            games,
            restored=True,
        )

    def _counts(self, game_id: int) -> bool:
        table = self._tables.get(game_id)
        return table is not None and counts_already(table.view())

    def _keep(self, live: LiveTournament) -> LiveTournament:
        live.closing = self.closing
        if not live.done_with:
            self._kept[live.id] = live
            self._stewards[live.id] = Steward(live, self._tables, self._places, self._clock, self._open_next)
        else:
            self._over[live.id] = live
        return live

    # -------------------------------------------------------------------- what happens

    def _changed(self, live: LiveTournament) -> None:
        if not self._begun or live.asleep:
            return
        for observer in self._observers:
            observer.tournament_changed(live)
        steward = self._stewards.get(live.id)
        if steward is not None:
            steward.look()
            self.release(live)

    def release(self, live: LiveTournament) -> None:
        """Keep a tournament only among those that are over, once there is nothing left to do for it."""
        if live.row.repeats and live.id in self._stewards:
            self._stewards[live.id].look()  # its end is shown: the next one can be announced
        if live.done_with:
            self._kept.pop(live.id, None)
            self._stewards.pop(live.id, None)
            self._over[live.id] = live

    def table_over(self, table: Table) -> None:
        """A table is over: its tournament, or the one that waits for its channel, goes on."""
        fixture = table.view().fixture
        live = self.at(table.channel_id or 0) if fixture is None else self._kept.get(fixture.tournament)
        if live is None:
            return
        if fixture is not None and fixture.key in live.games:
            live.note_table(fixture.key, table)
        elif live.id in self._stewards:
            self._stewards[live.id].look()

    def lose(self, channel_id: int) -> None:
        """End the tournament of a channel that is gone. If the store can't write, that is tried again."""
        if (live := self.at(channel_id)) is not None:
            live.lost = True
            self._stop_showing(live)
            self._stewards[live.id].look()

    async def leave(self, guild_id: int) -> None:
        """Let a server's tournaments sleep: the bot isn't there."""
        for live in self._of(guild_id):
            live.asleep = True
            self._stop_showing(live)

    async def return_to(self, guild_id: int) -> None:
        """Go on with a server's tournaments: the bot is back."""
        for live in self._of(guild_id):
            live.asleep = False
            self._changed(live)

    async def drop(self, guild_id: int) -> None:
        """Forget a server's tournaments, which are about to be deleted."""
        for live in self._of(guild_id):
            self._kept.pop(live.id)
            await self._stewards.pop(live.id).close()

    def _of(self, guild_id: int) -> list[LiveTournament]:
        return [live for live in self._kept.values() if live.guild_id == guild_id]

    def _stop_showing(self, live: LiveTournament) -> None:
        for observer in self._observers:
            observer.tournament_lost(live)

    # -------------------------------------------------------------------- erasing a person

    @property
    def attended(self) -> list[LiveTournament]:
        """The tournaments that are open, or whose end isn't shown yet, by number."""
        return sorted(self._kept.values(), key=lambda live: live.id)

    async def reread_finished(self, person_id: int) -> None:
        """Read the tournaments again that are over and name a person, all for 0, since their logs were rewritten.

        They stay the same objects, because their messages belong to them. One whose log isn't kept any more is
        forgotten. Raises StoreError or Refusal if one can't be read.
        """
        for live in list(self._over.values()):
            if person_id and not any(person.id == person_id for person in named_in(live.state)):
                continue
            async with live.standing_still():
                if await self._logs.log(live.id):
                    await live.reload()
                    continue
            self._over.pop(live.id, None)
            self._stop_showing(live)
