"""Several processes of the bot on one PostgreSQL, each with its own shards, connected to one simulated Discord."""

import asyncio
import signal
import socket
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any

import aiohttp

from bot.platform.shards import Shards
from tests.support.fake_discord.realm import Realm
from tests.support.patience import HANG_SECONDS
from tests.wire.players import Party
from tests.wire.process import TOKEN, BotProcess
from tests.wire.server import Server
from tests.wire.table import Table
from tests.wire.world import QUICK, SETTINGS, WINDOW_SECONDS, Wire

SHARDS = 4
PAUSE = 0.1
"""Seconds between two steps of a party: the tests wait for processes, and each step takes computing time from them."""
HALVES = ("0-1/4", "2-3/4")
"""How two processes divide the shards."""


class ShardProcess(BotProcess):
    """One of several processes. When it is started again, it has the same shards."""

    def __init__(self, folder: Path, environment: dict[str, str], shards: str) -> None:
        folder.mkdir()
        self.port = _free_port()
        own = {"ESCOBA_SHARDS": shards, "ESCOBA_HEALTH_ADDRESS": str(self.port), "WIRE_LATE": str(folder / "late")}
        super().__init__(folder, environment | own)
        self.shards = Shards.parse(shards)

    async def ask(self, path: str) -> tuple[int, str]:
        """Ask its health endpoint; returns the status and the body, or the status 0 if it doesn't answer."""
        try:
            async with (
                aiohttp.ClientSession() as session,
                session.get(f"http://127.0.0.1:{self.port}{path}") as answer,
            ):
                return answer.status, await answer.text()
        except aiohttp.ClientError:
            return 0, ""

    async def ready(self) -> None:
        """Wait until its health endpoint says that it is ready.

        Raises:
            AssertionError: if it ends, or takes too long.
        """
        answer = 0, ""
        try:
            async with asyncio.timeout(HANG_SECONDS):
                while (answer := await self.ask("/ready"))[0] != 200:
                    assert self.running, f"the process has ended:\n{self.log[-3000:]}"
                    await asyncio.sleep(0.05)
        except TimeoutError:
            raise AssertionError(f"it isn't ready, but said at last {answer}:\n{self.log[-3000:]}") from None

    async def has_logged(self, text: str) -> None:
        """Wait until it has logged a text."""
        await self.until(lambda: text in self.log)

    @property
    def name(self) -> str:
        return self.folder.name

    async def terminated(self) -> int | None:
        """Send SIGTERM, and wait for the end; returns the exit code, None if it had to be killed."""
        self.signal(signal.SIGTERM)
        return await self.ended()


class Fleet(Wire):
    """A table on a server of each shard, and the processes. `bot` is the first process, where one is enough."""

    def __init__(
        self, realm: Realm, server: Server, processes: Sequence[ShardProcess], parties: Sequence[Party]
    ) -> None:
        super().__init__(realm, server, processes[0])
        self.processes = list(processes)
        self.parties = list(parties)
        for party in parties:
            party.wire = self

    @property
    def log(self) -> str:
        """What all processes have logged."""
        return "".join(process.log for process in self.processes)

    @property
    def busy(self) -> bool:
        """Whether any of the processes is busy."""
        return super().busy or any(process.busy for process in self.processes)

    def errors(self) -> list[str]:
        """The unexpected errors that the processes have logged."""
        return [line for process in self.processes for line in process.errors(self.allowed)]

    def parties_of(self, process: ShardProcess) -> list[Party]:
        """The parties who play on a process's servers."""
        return [party for party in self.parties if process.shards.has(self.guild_of(party))]

    def guild_of(self, party: Party) -> int:
        """The server on which a party plays."""
        return int(self.realm.channel_payload(party.channel_id)["guild_id"])

    def table_of(self, party: Party) -> Table:
        """The table of a party."""
        return Table(self, party)

    async def start(self, *processes: ShardProcess) -> None:
        """Start processes, and wait until they serve."""
        for process in processes:
            process.start()
        await asyncio.gather(*(process.ready() for process in processes))

    async def start_all(self) -> None:
        """Start all of them."""
        await self.start(*self.processes)

    def versions(self) -> dict[int, int]:
        """The length of the log of each channel's games, by channel."""
        query = "SELECT channel_id, count(*) FROM events JOIN games ON id = game_id GROUP BY channel_id"
        return dict(self.rows(query))

    def _seen_by(self, parties: Sequence[Party]) -> str:
        """What the people at stuck tables see."""
        lines: list[str] = []
        for party in parties:
            lines.append(f"{party.clicks} clicks, {party.unanswered} of them unanswered")
            seen = (self.latest(party.channel_id, viewer=viewer) for viewer in (None, *party.people))
            lines += ["nothing" if each is None else str(each.payload) for each in seen]
        return "\n".join(lines)

    async def wait_for_moves(self, *parties: Party, seconds: float = HANG_SECONDS) -> None:
        """Wait until a move has been made at each of these tables, while people play.

        Raises:
            AssertionError: with what people see at the tables that are stuck.
        """
        before = self.versions()
        end = asyncio.get_running_loop().time() + seconds
        while True:
            now = self.versions()
            stuck = [p for p in parties if now.get(p.channel_id, 0) <= before.get(p.channel_id, 0)]
            if not stuck:
                return
            if asyncio.get_running_loop().time() >= end:
                raise AssertionError(f"{len(stuck)} tables are stuck:\n{self._seen_by(stuck)}\n{self.log[-3000:]}")
            await asyncio.sleep(0.05)

    @asynccontextmanager
    async def playing(self) -> AsyncIterator[None]:
        """Have everybody play inside this block."""
        tasks = [asyncio.create_task(party.play_on()) for party in self.parties]
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            ended = await asyncio.gather(*tasks, return_exceptions=True)
        failed = [each for each in ended if not isinstance(each, asyncio.CancelledError)]
        assert not failed, failed

    async def once(self, happened: Callable[[], bool]) -> None:
        """Wait for something to happen, whether or not any process is running."""
        async with asyncio.timeout(HANG_SECONDS):
            while not happened():  # noqa: ASYNC110 - other processes do it
                await asyncio.sleep(0.02)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@asynccontextmanager
async def fleet(
    folder: Path,
    database: str,
    shards: Sequence[str] = HALVES,
    *,
    count: int = SHARDS,
    seed: int = 1,
    started: bool = True,
    turns: str = QUICK,
    launch: Mapping[str, str] | None = None,
    **settings: Any,
) -> AsyncIterator[Fleet]:
    """Processes with these shards of `count`, and a table for two people on a server of each shard.

    `turns`: the seconds between the starts of two sessions; empty for the bot's own value. Further options are the
    bot's settings. At the end every process is killed; checking what they logged and sent is left to the test.
    """
    realm = Realm((), 0)
    server = Server(realm, TOKEN)
    server.rates.seconds = WINDOW_SECONDS
    server.gateway.shards = server.gateway.shards_needed = count
    await server.start()
    chosen = {"token": TOKEN, "database": database, **SETTINGS, **settings}
    environment = {f"ESCOBA_{key.upper()}": str(value) for key, value in chosen.items()}
    environment |= {"WIRE_GATEWAY": server.gateway.url, "WIRE_SEED": str(seed), "WIRE_TURNS": turns, **(launch or {})}
    processes: list[ShardProcess] = []
    for some in shards:
        place = folder / f"process-{len(processes)}"
        processes.append(ShardProcess(place, {**environment, "WIRE_API": server.api_of(place.name)}, some))
    parties: list[Party] = []
    for number in range(count):
        guild = realm.add_guild(f"G{number}", shard=(number, count))
        channel = realm.add_channel(f"mesa-{number}", guild)
        people = [realm.add_person(f"P{number}{side}", guild) for side in "ab"]
        parties.append(Party(None, channel, people, Random(f"{seed}/{number}"), rematches=True, pause=PAUSE))  # type: ignore[arg-type] - Fleet sets it
    made = Fleet(realm, server, processes, parties)
    try:
        if started:
            await made.start_all()
        yield made
    finally:
        for process in processes:
            await process.kill()
        await server.close()
