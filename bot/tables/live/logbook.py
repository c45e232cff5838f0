"""Makes tables from their stored logs: those that continue after a restart, and those that are over."""

import logging
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass

from bot.platform.database.continuing import read_log
from bot.platform.database.errors import StoreError, StoreUnavailable
from bot.platform.eventlog import LogEntry, WrittenByNewer, people_of
from bot.platform.observers import Observer
from bot.platform.people import Person
from bot.platform.refusals import CommonRefusal, Refusal
from bot.tables.live.services import Services
from bot.tables.live.table import Table
from bot.tables.log.codec import LOG
from bot.tables.log.events import Fixture, LogEvent
from bot.tables.log.history import read_history
from bot.tables.log.seats import Alone, Place
from bot.tables.log.state import TableState
from bot.tables.log.votes import Votes
from bot.tables.options import TableOptions
from bot.tables.store.deals import Seal
from bot.tables.store.faces import Shown
from bot.tables.store.rows import GameRow

log = logging.getLogger(__name__)

_Read = tuple[GameRow, list[LogEntry], tuple[str, Shown] | None, Votes]
"""A game as the store has it: its row, its log, if any faces are shown there, these with their deal, and its votes."""


@dataclass(frozen=True, slots=True)
class NewGame:
    """A game to be opened: where, by whom, in which language, with which events and seal, and for which pairing if
    any. Without a server and a channel its opener plays alone in private."""

    guild_id: int | None
    channel_id: int | None
    opener: Person
    locale: str
    events: Sequence[LogEvent]
    seal: Seal | None
    fixture: Fixture | None = None

    @property
    def place(self) -> Place:
        return Alone(self.opener.id) if self.channel_id is None else self.channel_id


@dataclass(frozen=True, slots=True)
class Restored:
    """A table brought back from the store, with its row."""

    table: Table
    row: GameRow


@dataclass(frozen=True, slots=True)
class Finished:
    """A table that is over, in its final state."""

    row: GameRow
    state: TableState


class Logbook:
    """Makes tables from the logs of a store; `options_of` says how tables are run on a server."""

    def __init__(
        self, services: Services, observer: Observer[Table], options_of: Callable[[int | None], Awaitable[TableOptions]]
    ) -> None:
        self._games = services.games
        self._clock = services.clock
        self._services = services
        self._observer = observer
        self._options_of = options_of
        self._ahead: dict[int, _Read] = {}
        """Games about to be brought back, as the store has them: nothing is written while they are asleep."""
        self.unseen: dict[int, str] = {}
        """By game, the noted times in which its channel has taken no message."""

    async def begin(self, new: NewGame) -> Table:
        """Store a game with its first events, and make its table. Raises StoreError if it isn't stored."""
        options = await self._options_of(new.guild_id)
        now, services = self._clock.now(), self._services
        with services.meter.storing(len(new.events)):
            row = await self._games.open(
                guild_id=new.guild_id,
                channel_id=new.channel_id,
                opener_id=new.opener.id,
                locale=new.locale,
                at=now,
                entries=LOG.entries(new.events, now),
                joined=people_of(new.events),
                fixture=None if new.fixture is None else (new.fixture.tournament, new.fixture.key),
                seal=new.seal,
            )
        return Table(services, self._observer, options, row, LOG.fold(new.events))

    async def restore(self, game_id: int) -> Restored | None:
        """A table as the store has it; None if its rows are damaged, in which case it is closed.

        Raises:
            StoreUnavailable: if the store can't be read now.
            WrittenByNewer: if a newer version has written the game; it is left as it is.
        """
        try:
            row, entries, faces, votes = self._ahead.pop(game_id, None) or await self._read(game_id)
            history = await read_log(read_history, entries)
            options = await self._options_of(row.guild_id)
            table = Table(self._services, self._observer, options, row, history.state, history)
            if (unseen := self.unseen.pop(game_id, None)) is not None:
                table.unseen.recall(unseen)
            if faces is not None:
                table.faces.recall(*faces)
            table.votes.recall(votes)
            return Restored(table, row)
        except WrittenByNewer:
            log.warning("Game %s was written by a newer version, and waits for one", game_id)
            raise
        except StoreUnavailable:
            raise
        except Exception as error:  # a damaged row may raise anything, and the other tables must still come back
            log.error("Game %s can't be replayed (%s) and is closed", game_id, type(error).__name__)
            await self.give_up(game_id)
            return None

    async def read_ahead(self, game_ids: Sequence[int], wanted: Callable[[int], bool]) -> None:
        """Read the games to be brought back next, replacing those read before; keeps those that are still `wanted`.

        If that fails, each is read by itself later and reports its own error.
        """
        self._ahead = {}
        if game_ids:
            with suppress(StoreError):
                found, (faces, votes) = await self._games.with_logs(game_ids), await self._games.crowds_of(game_ids)
                self._ahead = {
                    number: (*each, faces.get(number), votes.get(number, {}))
                    for number, each in found.items()
                    if wanted(number)
                }

    async def give_up(self, game_id: int) -> None:
        """Close a game that can't continue, so that its channel is free."""
        try:
            await self._games.give_up(game_id, self._clock.now())
        except StoreError as error:
            log.error("Game %s can't be closed: %s", game_id, error)

    async def finished(self, game_id: int) -> Finished | None:
        """A table that is over; None if there is no such table, it is open, or its log is gone or can't be replayed.

        Raises Refusal: FROM_NEWER if a newer version has written it.
        """
        row = await self._games.get(game_id)
        if row is None or row.closed_at is None:
            return None
        entries = await self._games.log(game_id)
        if not entries:
            return None
        try:
            return Finished(row, await read_log(LOG.replayed, entries))
        except WrittenByNewer as error:
            raise Refusal(CommonRefusal.FROM_NEWER) from error
        except Exception as error:
            log.warning("Game %s can't be replayed (%s)", game_id, type(error).__name__)
            return None

    async def _read(self, game_id: int) -> _Read:
        row = await self._games.get(game_id)
        assert row is not None, "games are never deleted"
        entries, (faces, votes) = await self._games.log(game_id), await self._games.crowds_of([game_id])
        return row, entries, faces.get(game_id), votes.get(game_id, {})
