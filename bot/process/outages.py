"""Signs of life, and what was missed while there were none."""

import asyncio
import json
import logging
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from typing import Final

from bot.platform.clock import Breaks, Clock
from bot.platform.database.errors import StoreError
from bot.platform.database.key_values import KeyValues
from bot.platform.operating.true_time import Ask, TrueTime
from bot.platform.outside import read_json
from bot.platform.shards import ALL, Shards
from bot.tables.store.logs import Games

log = logging.getLogger(__name__)

ALIVE: Final = "alive:"
"""Prefix of the keys under which the bot notes when it was last alive, its outages, and how far off the machine's clock
was, followed by its shards if not all."""
NOTE_SECONDS: Final = 30.0
LEAST_SECONDS: Final = 5.0
"""Shorter than this, it isn't an outage: not every restart is to change all messages."""
KEPT_SECONDS: Final = 30 * 24 * 60 * 60.0


async def clock_offsets(values: KeyValues) -> list[float]:
    """Read by how many seconds each process found its machine's clock ahead of Discord's when it was last alive."""
    try:
        return [float(read_json(note)["offset"]) for note in (await values.of(ALIVE)).values()]
    except (ValueError, TypeError, KeyError):
        return []


class Outages:
    """The outages of a bot.

    Args:
        values: keep them.
        games: tell when something has happened last.
        time: tells the time, and whether that is sure.
        clock: gets them.
        shards: the servers that this process serves.
        serves: whether people can reach the bot, as far as Discord is concerned.
        rearm: called when one is over.
    """

    def __init__(
        self,
        values: KeyValues,
        games: Games,
        time: TrueTime,
        clock: Clock,
        shards: Shards,
        serves: Callable[[], bool],
        rearm: Callable[[], None],
    ) -> None:
        self.ask: Ask | None = None
        """Makes any request to Discord that is always allowed."""
        self._values, self._games, self._time, self._clock = values, games, time, clock
        self._serves, self._rearm = serves, rearm
        self._shards = shards
        self._alive: float | None = None
        self._noted = 0.0
        self._asking: asyncio.Task[None] | None = None
        self._noting: asyncio.Task[None] | None = None

    async def read(self) -> None:
        """Learn the outages of the processes before this one; the latest isn't over until `look` says so."""
        try:
            found = await self._values.of(ALIVE)
            notes = [read_json(note) for shards, note in found.items() if Shards.read(shards).meets(self._shards)]
            times = [(float(begin), float(end)) for note in notes for begin, end in note["outages"]]
            alive = max((float(note["alive"]) for note in notes), default=0.0)
            now = self._now()
            if now - alive > 2 * NOTE_SECONDS and (newest := await self._games.newest_event()) is not None:
                alive = max(alive, newest.timestamp())  # an older version, which notes nothing, was alive then
        except (StoreError, ValueError, TypeError, KeyError, AttributeError) as error:
            log.warning("Can't look up when the bot was last alive: %s", error)
            return
        self._clock.outages = Breaks(times)
        self._alive = min(alive, now) if alive else None
        if self._time.sure:
            self._live_on(now)  # so that tables come back with their clocks right

    def look(self) -> bool:
        """Note that the bot is alive, if it is, about once a second; return whether it is, so that moments may come."""
        self._time.look()
        if not self._time.sure:
            if self.ask is not None and (self._asking is None or self._asking.done()):
                self._asking = asyncio.create_task(self._time.ask(self.ask))
            return False
        if not self._serves():
            return False
        now = self._now()
        if self._live_on(now):
            self._rearm()
        if abs(now - self._noted) > NOTE_SECONDS and (self._noting is None or self._noting.done()):
            self._noted = now
            self._noting = asyncio.create_task(self.note())
        return True

    def _live_on(self, now: float) -> bool:
        """The bot is alive now; return whether an outage is over."""
        alive, self._alive = self._alive, now
        if alive is None or abs(now - alive) < LEAST_SECONDS:
            return False
        kept = [(begin, min(end, now)) for begin, end in self._clock.outages.times if now - end < KEPT_SECONDS]
        self._clock.outages = Breaks([*kept, (alive, now)])
        if alive < now:
            log.info("Nobody could play for %s: clocks stood still", timedelta(seconds=round(now - alive)))
        self._noted = 0.0
        return True

    async def note(self) -> None:
        """Store that the bot was alive a moment ago."""
        if self._alive is None:
            return
        noted = {
            "alive": round(self._alive, 3),
            "outages": self._clock.outages.times,
            "offset": round(self._time.offset, 1),
        }
        try:
            key = f"{ALIVE}{'' if self._shards == ALL else self._shards}"
            await self._values.set(key, json.dumps(noted))
        except StoreError as error:
            log.warning("Could not note that the bot is alive: %s", error)

    async def close(self) -> None:
        """Note for the last time that it is alive."""
        if self._asking is not None:
            self._asking.cancel()
        if self._noting is not None:
            await asyncio.wait([self._noting])
        await self.note()

    def _now(self) -> float:
        return self._time.now().timestamp()


HEARTBEAT_SECONDS: Final = 30


class Heartbeat:
    """Touches a file at intervals while the gateway is connected."""

    def __init__(self, path: Path, clock: Clock, reachable: Callable[[], bool]) -> None:
        self._path = path
        self._clock = clock
        self._reachable = reachable

    async def beat(self) -> None:
        """Touch the file if the bot is connected, and schedule the next beat."""
        connected = self._reachable()
        try:
            if connected:
                await asyncio.to_thread(Path.touch, self._path)
        except OSError as error:
            log.warning("Can't write the heartbeat file: %s", error)
        finally:
            self._clock.after("heartbeat", HEARTBEAT_SECONDS if connected else 1, self.beat)

    def remove(self) -> None:
        """Delete the file, now that the bot has stopped."""
        with suppress(OSError):  # a disk that can't be written has been reported already
            self._path.unlink(missing_ok=True)
