"""The open tables: those in memory, and those asleep."""

import asyncio
import gc
import logging
from collections.abc import Awaitable, Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Final

from bot.platform.database.errors import StoreError
from bot.platform.eventlog import WrittenByNewer
from bot.platform.refusals import CommonRefusal, Refusal
from bot.tables.live.table import Table
from bot.tables.log.events import Phase
from bot.tables.log.seats import Place, place_of
from bot.tables.options import LobbyLimits
from bot.tables.refusals import TableRefusal
from bot.tables.store.rows import OpenGame

log = logging.getLogger(__name__)


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


WORKERS: Final = 4
"""Games that are replayed at the same time while people play."""
AHEAD: Final = 50
"""Games that are read from the store at once."""
AGAIN_SECONDS: Final = 5.0
"""The wait before another attempt to read from a store that could not be read."""
_NEVER: Final = 1_000_000_000


class Asleep:
    """Sleeping games, by number and place.

    Args:
        wake: brings one back; raises StoreError when the store can't be read, and WrittenByNewer when this version
            can't.
        read_ahead: called with the games to be woken next, so that they can be read together; at the end, with none.
    """

    def __init__(
        self, wake: Callable[[OpenGame], Awaitable[None]], read_ahead: Callable[[Sequence[int]], Awaitable[None]]
    ) -> None:
        self._wake = wake
        self._read_ahead = read_ahead
        self._games: dict[int, OpenGame] = {}
        self._by_place: dict[Place, OpenGame] = {}
        self._waking: dict[int, asyncio.Task[None]] = {}
        self.newer: set[int] = set()
        """The games that a newer version has written: they sleep until one is back."""
        self.left: set[int] = set()
        """The servers that the bot isn't in: their games sleep until it is back there."""

    def __len__(self) -> int:
        return len(self._games)

    def __iter__(self) -> Iterator[OpenGame]:
        return iter(list(self._games.values()))

    def add(self, game: OpenGame) -> None:
        self._games[game.id] = self._by_place[place_of(game)] = game

    def has(self, game_id: int) -> bool:
        return game_id in self._games

    def at(self, place: Place) -> OpenGame | None:
        return self._by_place.get(place)

    def forget(self, place: Place) -> None:
        """Leave a place's game to other processes, unless it is being woken: perhaps this one can't read it."""
        game = self.at(place)
        if game is not None and self.undisturbed(game.id):
            self.newer.discard(game.id)
            del self._games[game.id]
            del self._by_place[place]

    def check(self, place: Place) -> None:
        """Raise a refusal if a newer version has written the game of a place."""
        game = self.at(place)
        if game is not None and game.id in self.newer:
            raise Refusal(CommonRefusal.NEWER)

    def undisturbed(self, game_id: int) -> bool:
        """Whether a game is asleep and isn't being woken."""
        return game_id in self._games and game_id not in self._waking

    async def wake(self, game_id: int, *, even_left: bool = False) -> None:
        """Bring a game back if it is asleep; concurrent calls read it once.

        `even_left`: even that of a server that the bot isn't in.

        Raises:
            StoreError: if it can't be read now; it stays asleep.
            Refusal: NEWER if a newer version has written it.
        """
        game = self._games.get(game_id)
        if game is None or (game.guild_id in self.left and not even_left):
            return
        if game_id in self.newer:
            raise Refusal(CommonRefusal.NEWER)
        waking = self._waking.get(game_id)
        if waking is None:
            waking = self._waking[game_id] = asyncio.create_task(self._woken(game))
        await asyncio.shield(waking)

    async def _woken(self, game: OpenGame) -> None:
        try:
            await self._wake(game)
            del self._games[game.id]
            del self._by_place[place_of(game)]
        except WrittenByNewer as error:
            self.newer.add(game.id)
            raise Refusal(CommonRefusal.NEWER) from error
        finally:
            del self._waking[game.id]

    async def settle(self) -> None:
        """Wait for the games that are being woken on servers where the bot isn't."""
        waking = [task for game_id, task in self._waking.items() if self._games[game_id].guild_id in self.left]
        await asyncio.gather(*waking, return_exceptions=True)

    async def wake_all(self, stopped: Callable[[], bool], *, guild_id: int | None = None) -> None:
        """Bring all games back, or those of one server, the oldest first and a few at a time, until `stopped` returns
        true; but none of a server that the bot isn't in."""
        games = [game for game in self if guild_id in (None, game.guild_id) and game.guild_id not in self.left]
        for begin in range(0, len(games), AHEAD):
            next_ones = [game for game in games[begin : begin + AHEAD] if game.id in self._games]
            while next_ones and not stopped():
                with _rare_collections():
                    await self._read_ahead([game.id for game in next_ones])
                    next_ones = await self._wake_some(iter(next_ones), stopped)
                if next_ones:
                    await asyncio.sleep(AGAIN_SECONDS)
        await self._read_ahead([])

    async def _wake_some(self, games: Iterator[OpenGame], stopped: Callable[[], bool]) -> list[OpenGame]:
        """Bring these games back; returns those that can't be read now."""
        unread: list[OpenGame] = []

        async def work() -> None:
            for game in games:
                if stopped():
                    return
                try:
                    await self.wake(game.id)
                except Refusal:
                    continue  # a newer version has written it
                except StoreError as error:
                    log.warning("Game %s can't be brought back now: %s", game.id, error)
                    unread.append(game)
                except Exception:
                    log.exception("Game %s can't be brought back; the others are", game.id)

        await asyncio.gather(*(work() for _ in range(WORKERS)))
        return unread


@contextmanager
def _rare_collections() -> Generator[None]:
    """Suspend full garbage collections while tables come back: nearly everything allocated then stays, and the
    collector would scan it again and again. The little garbage there is can wait. Contexts may overlap.
    """
    _usual_thresholds.append(gc.get_threshold() if not _usual_thresholds else _usual_thresholds[0])
    gc.set_threshold(*_usual_thresholds[0][:2], _NEVER)
    try:
        yield
    finally:
        usual = _usual_thresholds.pop()
        if not _usual_thresholds:
            gc.set_threshold(*usual)


_usual_thresholds: list[tuple[int, int, int]] = []
"""The collector's usual thresholds, once for each context that is open."""
