"""The open games that a restart has not brought back yet: known by where they are, and brought back once."""

from __future__ import annotations

import asyncio
import gc
import logging
from collections.abc import Awaitable, Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from typing import Final

from bot.store import OpenGame, StoreError

log = logging.getLogger(__name__)

WORKERS: Final = 4
"""How many games are replayed at a time while people play."""
AHEAD: Final = 50
"""How many games are read at a time."""
AGAIN_SECONDS: Final = 5.0
"""After so long a store that could not be read is asked again."""
_NEVER: Final = 1_000_000_000


class Asleep:
    """Games by their ids and channels. `wake` brings one back; it raises StoreError when the store can't be read.

    `read` is told which are woken next, so that they can be read at once; none when all are awake.
    """

    def __init__(
        self, wake: Callable[[OpenGame], Awaitable[None]], read: Callable[[Sequence[int]], Awaitable[None]]
    ) -> None:
        self._wake = wake
        self._read = read
        self._games: dict[int, OpenGame] = {}
        self._by_channel: dict[int, OpenGame] = {}
        self._waking: dict[int, asyncio.Task[None]] = {}

    def __len__(self) -> int:
        return len(self._games)

    def __iter__(self) -> Iterator[OpenGame]:
        return iter(list(self._games.values()))

    def add(self, game: OpenGame) -> None:
        """A game sleeps."""
        self._games[game.id] = self._by_channel[game.channel_id] = game

    def has(self, game_id: int) -> bool:
        """Whether a game sleeps."""
        return game_id in self._games

    def at(self, channel_id: int) -> OpenGame | None:
        """The sleeping game of a channel."""
        return self._by_channel.get(channel_id)

    def holds(self, game_id: int) -> bool:
        """Whether a game sleeps, and nobody is waking it."""
        return game_id in self._games and game_id not in self._waking

    async def wake(self, game_id: int) -> None:
        """Bring a game back, if it sleeps; when several ask for it, it is read once.

        Raises:
            StoreError: if it can't be read now; it goes on sleeping.
        """
        game = self._games.get(game_id)
        if game is None:
            return
        waking = self._waking.get(game_id)
        if waking is None:
            waking = self._waking[game_id] = asyncio.create_task(self._woken(game))
        await asyncio.shield(waking)

    async def _woken(self, game: OpenGame) -> None:
        try:
            await self._wake(game)
            del self._games[game.id]
            del self._by_channel[game.channel_id]
        finally:
            del self._waking[game.id]

    async def wake_all(self, stopped: Callable[[], bool], workers: int = WORKERS) -> None:
        """Bring all back, the oldest first and a few at a time, until `stopped` says so."""
        games = list(self)
        for begin in range(0, len(games), AHEAD):
            next_ones = [game for game in games[begin : begin + AHEAD] if game.id in self._games]
            while next_ones and not stopped():
                with _few_collections():
                    await self._read([game.id for game in next_ones])
                    next_ones = await self._wake_some(iter(next_ones), stopped, workers)
                if next_ones:
                    await asyncio.sleep(AGAIN_SECONDS)
        await self._read([])

    async def _wake_some(self, games: Iterator[OpenGame], stopped: Callable[[], bool], workers: int) -> list[OpenGame]:
        """Bring some back; returns those that can't be read now."""
        unread: list[OpenGame] = []

        async def work() -> None:
            for game in games:
                if stopped():
                    return
                try:
                    await self.wake(game.id)
                except StoreError as error:
                    log.warning("Game %s can't be brought back now (%s)", game.id, type(error).__name__)
                    unread.append(game)

        await asyncio.gather(*(work() for _ in range(workers)))
        return unread


@contextmanager
def _few_collections() -> Generator[None]:
    """While tables come back, nearly all that grows old stays: the collector would look through it again and again.

    What is garbage all the same waits until then. Several may do this at once.
    """
    _often.append(gc.get_threshold() if not _often else _often[0])
    gc.set_threshold(*_often[0][:2], _NEVER)
    try:
        yield
    finally:
        often = _often.pop()
        if not _often:
            gc.set_threshold(*often)


_often: list[tuple[int, int, int]] = []
"""How often Python collects usually, once for each that has it do so less often."""
