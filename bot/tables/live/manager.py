"""The tables of all places: opens them, finds them, and brings them back after a restart."""

import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from functools import partial
from typing import Final

from bot.platform.database.errors import StoreError
from bot.platform.eventlog import WrittenByNewer
from bot.platform.observers import Observer, Observers
from bot.platform.people import Person
from bot.platform.refusals import CommonRefusal, Refusal
from bot.platform.shards import ALL, Shards
from bot.tables.live.dealing import opening
from bot.tables.live.logbook import Finished, Logbook, NewGame, Restored
from bot.tables.live.open_tables import Asleep, OpenTables, check_room
from bot.tables.live.services import Services
from bot.tables.live.table import Table
from bot.tables.live.waiting import UNSEEN_KEY
from bot.tables.log.codec import MATCH, fold
from bot.tables.log.events import Config, Fixture, LogEvent, Opened, Phase
from bot.tables.log.lobby import add_computer
from bot.tables.log.seats import Alone, Place, Seat, place_of
from bot.tables.options import LobbyLimits, TableOptions
from bot.tables.refusals import TableRefusal
from bot.tables.store.errors import ChannelBusy, FixtureOpened
from bot.tables.store.rows import OpenGame

log = logging.getLogger(__name__)

REST_SECONDS: Final = 15 * 60
"""Seconds after which the table of somebody who plays alone goes to sleep: no token lives to show them more of it."""


class TableManager:
    """Holds the open tables, at most one per place, until they are over. Add observers before loading or opening any.

    Args:
        services: what all tables need from outside.
        options_of: how tables are run on a server, by its id, or for somebody who plays alone (None).
        limits: how many lobbies may be open.
        shards: only tables of servers in these shards are held; all shards by default.
    """

    def __init__(
        self,
        services: Services,
        options_of: Callable[[int | None], Awaitable[TableOptions]],
        *,
        limits: LobbyLimits | None = None,
        shards: Shards = ALL,
    ) -> None:
        self.shards = shards
        self.closing = False
        self._tables = OpenTables()
        self._observers: Observers[Table] = Observers(before_change=self._changed)
        self._services = services
        self._limits = limits or LobbyLimits()
        self._asleep = Asleep(self._wake, self._read_ahead)
        self._logbook = Logbook(services, self._observers, options_of)
        self._adopt: Callable[[Restored], None] = lambda _: None
        self._opening: Counter[Place] = Counter()
        """Counts of the tables that are being opened in each place."""

    def observe(self, observer: Observer[Table]) -> None:
        """Call this observer too, after those that were added before it."""
        self._observers.add(observer)

    def announce(self, table: Table) -> None:
        """Have all observers show a table again."""
        self._observers.table_changed(table)

    def __len__(self) -> int:
        return len(self._tables) + len(self._asleep)

    def now(self) -> datetime:
        return self._services.clock.now()

    def count(self, *, playing: bool) -> int:
        """The number of open tables that have a match if `playing`, else of those that are lobbies."""
        phase = Phase.PLAYING if playing else Phase.LOBBY
        asleep = sum(game.playing is playing for game in self._asleep)
        return sum(table.phase is phase for table in self._tables) + asleep

    def at(self, place: Place) -> Table | None:
        """The open table of a place. Sleeping ones aren't found: call `wake_at` before handling a click."""
        return self._tables.at(place)

    def here(self, channel_id: int) -> Table:
        """The open table of a channel, for somebody who asks for it there.

        Raises Refusal: NO_GAME if there is none, NEWER if a newer version has written it.
        """
        self._asleep.check(channel_id)
        table = self._tables.at(channel_id)
        if table is None:
            raise Refusal(TableRefusal.NO_GAME)
        return table

    def has_table(self, place: Place) -> bool:
        """Whether a place has an open table, asleep or not."""
        return self._tables.at(place) is not None or self._asleep.at(place) is not None

    def awaiting(self, person_id: int) -> list[Table]:
        """List the tables that wait for a person's move, the one that waits longest first, but for sleeping ones."""
        return self._tables.awaiting(person_id)

    def get(self, game_id: int) -> Table | None:
        """The open table with this number, unless it is asleep."""
        return self._tables.get(game_id)

    async def find(self, game_id: int, *, even_left: bool = False) -> Table | None:
        """The open table with this number, brought back if it is asleep or if this process hasn't heard of it.

        `even_left`: even if the bot isn't in its server; put it to sleep again with `sleep_on`.

        Raises StoreError if it can't be read, Refusal (NEWER) if a newer version has written it.
        """
        if self._tables.get(game_id) is None:
            if not self._asleep.has(game_id):
                await self._learn(game_id)
            await self._asleep.wake(game_id, even_left=even_left)
        return self._tables.get(game_id)

    async def _learn(self, game_id: int) -> None:
        """Take over an open game that this process hasn't heard of: the shard's previous process opened it in its last
        moments, after this one had looked."""
        row = await self._services.games.get(game_id)
        if row is None or row.closed_at is not None or row.guild_id is None or not self.shards.has(row.guild_id):
            return
        known = self._tables.get(game_id) or self._tables.at(place_of(row)) or self._opening[place_of(row)]
        if not known and not self.closing:
            log.warning("Game %s was opened by another process, and continues here", game_id)
            self._asleep.add(OpenGame(row.id, row.guild_id, row.channel_id, row.opener_id, playing=True))

    async def wake(self, game_id: int, person_id: int | None = None) -> None:
        """Bring the table with this number back now, if it is asleep, or if this person plays alone there.

        Raises:
            StoreError: if it can't be read.
            Refusal: NEWER if a newer version has written it, ELSEWHERE as for `alone`.
        """
        if person_id is not None and self._tables.get(game_id) is None and not self._asleep.has(game_id):
            row = await self._services.games.get(game_id)
            if row is not None and row.closed_at is None and place_of(row) == Alone(person_id):
                await self.alone(person_id)
        await self._asleep.wake(game_id)

    async def alone(self, person_id: int) -> Table | None:
        """The open table of somebody who plays alone, brought back if need be, perhaps from another process.

        Unless it is played elsewhere, the person's place is this process's from now on, also to open a table there.

        Raises:
            StoreError: if it can't be read.
            Refusal: NEWER if a newer version has written it, ELSEWHERE if another process doesn't let go of it in time.
        """
        place = Alone(person_id)
        while self._tables.at(place) is None:
            if not await self._services.leases.take_place(person_id):
                raise Refusal(TableRefusal.ELSEWHERE)
            game = await self._services.alone.open(person_id, MATCH)
            if game is not None and not self.has_table(place) and not self._opening[place]:
                self._asleep.add(game)
            self._rest_later(person_id)
            if (sleeping := self._asleep.at(place)) is not None:
                await self._asleep.wake(sleeping.id)
            if self._services.leases.has_place(person_id):
                break
            await self.rest(person_id)  # another process was given the place while the table was being read
        return self._tables.at(place)

    async def rest(self, person_id: int) -> None:
        """Put the table of somebody who plays alone to sleep, once nothing happens there, and let go of their place."""
        place = Alone(person_id)
        if (table := self._tables.at(place)) is not None:
            async with table.standing_still():
                table.close()
                self._tables.drop(table)
            self._observers.table_rests(table)
        self._asleep.forget(place)
        if not self.has_table(place) and not self._opening[place]:
            await self._services.leases.leave_place(person_id)

    async def forsake(self, person_id: int) -> None:
        """Put the table of somebody who plays alone to sleep, also in another process, since it is about to be deleted.

        Raises StoreError if the database doesn't answer.
        """
        await self._services.leases.take_place(person_id)
        await self.rest(person_id)

    async def end_idle(self, person_id: int) -> None:
        """End the match of somebody who plays alone, and hasn't come back for long.

        Raises StoreError or Refusal if it can't be ended now.
        """
        if (table := await self.alone(person_id)) is not None:
            await table.abandon(Phase.IDLE)

    async def rest_all(self) -> None:
        """Put all tables of people who play alone to sleep: other processes may have had their places meanwhile."""
        for table in self._tables:
            if table.alone:
                await self.rest(table.opener_id)

    def _rest_later(self, person_id: int, seconds: float = REST_SECONDS) -> None:
        self._services.clock.after(("rest", person_id), seconds, partial(self.rest, person_id))

    def _changed(self, table: Table) -> bool:
        over = not table.phase.open
        self._tables.reindex(table)
        if table.alone and not table.closed:
            self._rest_later(table.opener_id, 0 if over else REST_SECONDS)
        return over

    async def wake_at(self, channel_id: int) -> None:
        """Bring the table of a channel back now, if it is asleep and no newer version has written it.

        Raises StoreError if it can't be read.
        """
        if (game := self._asleep.at(channel_id)) is not None:
            with suppress(Refusal):
                await self._asleep.wake(game.id)

    async def open(
        self,
        *,
        guild_id: int | None,
        channel_id: int | None,
        opener: Person,
        config: Config,
        locale: str,
        computers: Sequence[Seat] = (),
        invited: tuple[Person | None, ...] = (),
        instead_of: Table | None = None,
        goes_first: bool = False,
        movable: bool = False,
        challenge: bool = False,
        dealer: int | None = None,
    ) -> Table:
        """Open a lobby in a channel, or for somebody who plays alone.

        Args:
            guild_id: the server; None for somebody who plays alone, once `alone` has found that they have no table.
            channel_id: the channel or thread; None as well.
            opener: takes the first seat.
            config: what the lobby begins with.
            locale: the language of its public messages.
            computers: computer players like these take the next seats.
            invited: who sat at the match that this is the rematch of, by seat.
            instead_of: the channel's forgotten table, which is closed first.
            goes_first: `instead_of` is a challenge, which is closed unless it has been accepted.
            movable: whether the lobby may go on in a thread of the channel.
            challenge: whether the opener challenges the other person who is invited.
            dealer: the seat that deals first if they all play in their old seats; None to draw it.

        Raises:
            Refusal: if another game is open there, if the forgotten one has gone on after all, if too many lobbies are
                open, or if the store can't write.
        """
        if self.closing:
            raise Refusal(CommonRefusal.CLOSING)
        place = Alone(opener.id) if channel_id is None else channel_id
        self._asleep.check(place)
        running = self._tables.at(place)
        if (running is not None and running is not instead_of) or self._asleep.at(place) is not None:
            raise Refusal(TableRefusal.CHANNEL_BUSY)
        if guild_id is not None:
            check_room(self._limits, self._tables, self._asleep, guild_id, opener.id, besides=running)
        if running is not None:
            await (running.abandon(Phase.CANCELLED, lobby_only=True) if goes_first else running.clear(opener))
        events: list[LogEvent] = [Opened(opener, config, invited, movable, challenge=challenge, dealer=dealer)]
        for seat in computers:
            events.append(add_computer(fold(events), seat.level, lot=channel_id or opener.id, wanted=seat.character))
        seal = None if channel_id is None else self._services.chance.seal()  # no message shows the others its number
        return await self._open(NewGame(guild_id, channel_id, opener, locale, events, seal))

    async def open_fixture(
        self, fixture: Fixture, people: Sequence[Person], config: Config, *, guild_id: int, channel_id: int, locale: str
    ) -> Table:
        """Open the table of a tournament's pairing, with its match begun; its people may sit elsewhere, too.

        Args:
            fixture: which pairing it is; it gets only one table.
            people: who plays, by seat. The first is dealt to first.
            config: what is played.
            guild_id: the server.
            channel_id: the channel or thread.
            locale: the language of its public messages.

        Raises:
            Refusal: STALE if the pairing has had its table already; otherwise as `open`.
        """
        if self.closing:
            raise Refusal(CommonRefusal.CLOSING)
        if self.has_table(channel_id):
            raise Refusal(TableRefusal.CHANNEL_BUSY)
        chance = self._services.chance
        seal = None if fixture.boards else chance.seal()
        events = opening(fixture, people, config, chance, sealed=seal is not None)
        table = await self._open(NewGame(guild_id, channel_id, people[0], locale, events, seal, fixture))
        self._observers.table_changed(table)  # no click has opened it, so nothing else shows it
        return table

    async def _open(self, new: NewGame) -> Table:
        self._opening[new.place] += 1
        try:
            table = await self._logbook.begin(new)
            self._keep(table)
            return table
        except FixtureOpened as error:
            raise Refusal(CommonRefusal.STALE) from error
        except ChannelBusy as error:
            if new.channel_id is not None:
                await self._learn_at(new.channel_id)
            raise Refusal(TableRefusal.CHANNEL_BUSY) from error
        except StoreError as error:
            raise Refusal(CommonRefusal.UNAVAILABLE) from error
        finally:
            self._opening[new.place] -= 1
            self._opening += Counter()  # drops the zeros

    async def _learn_at(self, channel_id: int) -> None:
        """Take over the open game that the store has in a channel, so that the next click finds it."""
        if self._tables.at(channel_id) or self._asleep.at(channel_id) or self._opening[channel_id] > 1:
            return
        with suppress(StoreError):
            for game in await self._services.games.open_games(MATCH, self.shards):
                if game.channel_id == channel_id and self._tables.at(channel_id) is None:
                    self._asleep.add(game)

    async def set_locale(self, guild_id: int, locale: str) -> None:
        """Show the lobbies of a server in another language.

        Raises StoreError if it can't be stored; the lobbies before that one have changed.
        """
        for table in self.within(guild_id=guild_id):
            await table.set_locale(locale)

    async def load(self, adopt: Callable[[Restored], None]) -> None:
        """Learn which games are open, after a restart; each sleeps until it is clicked or `bring_back` gets to it.

        `adopt` is called with each table that is brought back, before anything happens there.

        Raises StoreUnavailable if nothing can be read.
        """
        self._adopt = adopt
        noted = await self._services.values.of(UNSEEN_KEY)
        self._logbook.unseen = {int(game_id): text for game_id, text in noted.items()}
        for game in await self._services.games.open_games(MATCH, self.shards):
            self._asleep.add(game)

    async def bring_back(self) -> None:
        """Bring all tables back from their logs, a few at a time. Deadlines are kept unless they have (nearly) passed.

        A game that can't be replayed is closed and logged, so that its channel is free; one that a newer version has
        written stays asleep. Tables whose end nobody has seen, because the bot stopped before showing it, are adopted
        too.
        """
        if (count := len(self._asleep)) > 0:
            await self._asleep.wake_all(lambda: self.closing)
            log.info("All %s open tables are back", count - len(self._asleep.newer))
        try:
            for game_id in await self._services.games.unshown_ends(self.shards):
                with suppress(WrittenByNewer):
                    if (found := await self._logbook.restore(game_id)) is not None and not self.closing:
                        self._adopt(found)
        except StoreError as error:
            log.warning("Can't read the tables whose end was never shown: %s", error)

    async def _wake(self, game: OpenGame) -> None:
        restored = await self._logbook.restore(game.id)
        if restored is None:
            return
        if restored.table.phase.open:
            self._keep(restored.table)
        else:
            log.error("Game %s is over according to its log, and is closed", game.id)
            await self._logbook.give_up(game.id)
        self._adopt(restored)

    async def _read_ahead(self, game_ids: Sequence[int]) -> None:
        await self._logbook.read_ahead(game_ids, self._asleep.undisturbed)

    async def finished(self, game_id: int) -> Finished | None:
        """A table that is over, read from its log; None if there is no such table or it is open.

        Raises Refusal: FROM_NEWER if a newer version has written it.
        """
        return await self._logbook.finished(game_id)

    async def past(self, game_id: int) -> Table | None:
        """A table that is over, as it was at its end; None as for `finished`. Nothing can happen there any more.

        Raises Refusal (FROM_NEWER) if a newer version has written it, StoreError if it can't be read.
        """
        if await self._logbook.finished(game_id) is None:
            return None
        restored = await self._logbook.restore(game_id)
        return None if restored is None else restored.table

    async def lose(self, table: Table) -> None:
        """Note that a table's channel is gone: a match goes on, and a lobby ends, now or at the next start."""
        self._observers.table_lost(table)
        if table.phase is not Phase.LOBBY:
            table.set_unseen(True)
            return
        try:
            await table.abandon()
        except Refusal:
            log.warning("Table %s lost its channel, but the store can't record that", table.id)

    def within(self, *, guild_id: int | None = None, channel_id: int | None = None) -> list[Table]:
        """The open tables that aren't asleep, of one server or channel if given."""
        return self._tables.within(guild_id, channel_id)

    def by_guild(self) -> Mapping[int, int]:
        return Counter(table.guild_id for table in (*self._tables, *self._asleep) if table.guild_id is not None)

    async def lose_channel(self, channel_id: int) -> None:
        """Note that a channel is gone, whose table may be asleep."""
        if (game := self._asleep.at(channel_id)) is not None:
            try:
                await self._asleep.wake(game.id)
            except (StoreError, Refusal) as error:
                log.warning("Game %s lost its channel, but can't be read: %s", game.id, error)
        for table in self.within(channel_id=channel_id):
            await self.lose(table)

    async def leave(self, guild_id: int) -> None:
        """Put all tables of a server to sleep that the bot isn't in, until it is back there."""
        self._asleep.left.add(guild_id)
        await self.sleep_on()

    async def sleep_on(self) -> None:
        """Put the tables to sleep that are awake on servers where the bot isn't."""
        await self._asleep.settle()
        for table in [table for table in self._tables if table.guild_id in self._asleep.left]:
            async with table.standing_still():
                if table.guild_id not in self._asleep.left or not table.phase.open:
                    continue  # meanwhile it is back there, or the table is over
                table.close()
                if (unseen := table.unseen.noted()) is not None:
                    self._logbook.unseen[table.id] = unseen
                self._asleep.add(self._tables.drop(table))
            self._observers.table_rests(table)

    async def return_to(self, guild_id: int) -> None:
        """Bring the tables of a server back that the bot is in again."""
        self._asleep.left.discard(guild_id)
        await self._asleep.wake_all(lambda: self.closing, guild_id=guild_id)

    async def drop(self, guild_id: int) -> None:
        """Close all games of a server that the bot left long ago, as they are about to be deleted."""
        await self.leave(guild_id)
        for game in self._asleep:
            if game.guild_id == guild_id:
                await self._logbook.give_up(game.id)
                self._asleep.forget(place_of(game))
        self._asleep.left.discard(guild_id)

    def rearm(self, person_id: int) -> None:
        """Set the clocks of the turns that wait for a person again, whose choices may be others now."""
        for table in self._tables:
            table.rearm_for(person_id)

    def rearm_all(self) -> None:
        """Set the clocks of all tables again after an outage."""
        for table in self._tables:
            try:
                table.rearm()
            except Exception:
                log.exception("The clocks of table %s can't be set; those of the others are", table.id)

    def close(self) -> None:
        """Take no new moves and open no tables; what has begun is left to finish."""
        self.closing = True
        for table in self._tables:
            table.close()

    def _keep(self, table: Table) -> None:
        self._tables.add(table)
        table.arm()
        if table.alone:
            self._rest_later(table.opener_id)
        if self.closing:
            table.close()  # the bot began to stop while this was being stored
