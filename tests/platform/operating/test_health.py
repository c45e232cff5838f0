"""The health endpoint of a bot on SimCord: what it answers over HTTP, where it listens, and what it doesn't reveal."""

import asyncio
import math
import re
import shutil
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple, cast

import aiohttp
import pytest

from bot.platform.clock import utc_now
from bot.platform.database.database import Database, DiskSpace
from bot.platform.database.errors import Fault, StoreUnavailable
from bot.platform.database.ownership import Held
from bot.platform.operating import monitor
from bot.platform.operating.metrics import Metrics
from bot.platform.operating.monitor import Monitor
from bot.platform.shards import Shards
from bot.process.parts import Simulation, build_parts
from bot.process.stores import Stores
from bot.settings import SettingsError
from tests.support.databases import with_tables
from tests.support.escoba import Decks, Room, bot_maker, settings_for
from tests.support.people import world
from tests.support.ports import free_port
from tests.support.secrecy import default_finder
from tests.support.store import sqlite_of


class _Usage(NamedTuple):
    """What `shutil.disk_usage` returns."""

    total: int
    used: int
    free: int


@dataclass
class Watched:
    """A bot with its endpoint."""

    room: Room
    port: int
    monitor: Any = None

    async def get(self, path: str, **options: Any) -> tuple[int, str, str]:
        """The status, content type and text of an answer."""
        async with (
            aiohttp.ClientSession() as session,
            session.get(f"http://127.0.0.1:{self.port}{path}", **options) as answer,
        ):
            return answer.status, answer.content_type, await answer.text()

    async def json(self, path: str) -> tuple[int, Any]:
        async with aiohttp.ClientSession() as session, session.get(f"http://127.0.0.1:{self.port}{path}") as answer:
            return answer.status, await answer.json()

    async def metrics(self) -> dict[str, float]:
        """The values, by name with labels."""
        status, kind, text = await self.get("/metrics")
        assert (status, kind) == (200, "text/plain")
        return {
            name: float(number)
            for name, number in (line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#"))
        }


@asynccontextmanager
async def watched(folder: Path, people: int = 2) -> AsyncIterator[Watched]:
    port = free_port()
    with_tables(folder / "escoba.sqlite3")
    settings = settings_for(folder, health_address=str(port))
    make = bot_maker(settings, Decks(7), observed=True)
    async with world(make, people) as made:
        yield Watched(Room(made, make), port)


async def test_a_serving_bot_is_alive_and_ready_unless_disconnected_stopping_or_closed(tmp_path: Path) -> None:
    async with watched(tmp_path) as it:
        assert await it.json("/live") == (200, {"live": True})
        assert await it.json("/ready") == (200, {"ready": True, "reasons": {}})
        for path in ("/", "/live/", "/metrics/x"):
            assert (await it.get(path))[0] == 404

        connection: Any = it.room.bot._get_websocket(shard_id=0)
        connection.open = False
        assert await it.json("/ready") == (503, {"ready": False, "reasons": {"gateway": "not_connected"}})
        assert (await it.json("/live"))[0] == 200
        assert (await it.metrics())["escoba_gateway_connected"] == 0
        connection.open = True
        assert (await it.json("/ready"))[0] == 200

        it.room.bot.parts.manager.close()
        assert await it.json("/ready") == (503, {"ready": False, "reasons": {"tables": "closing"}})

        await it.room.bot.close()
        with pytest.raises(aiohttp.ClientConnectorError):
            await it.get("/live")


class Gateway:
    """A client that is connected."""

    session_starts_left: int | None = 7
    waits_for_sessions = False
    shards: tuple[int, ...] = (0,)
    shards_connected = 1
    shard_states: Mapping[int, tuple[bool, float]] = {0: (True, 0.1)}
    latency = 0.1
    guilds = ()
    served_shards = Shards((1, 3), 4)

    def is_ready(self) -> bool:
        return True


@asynccontextmanager
async def alone(store: Any, gateway: Any = None, **options: Any) -> AsyncIterator[Watched]:
    """A monitor without a bot, in real time."""
    port = free_port()
    it = Monitor(store, version="1", now=utc_now, address=("127.0.0.1", port), **options)
    await it.start()
    manager: Any = SimpleNamespace(closing=False, count=lambda *, playing: 0, by_guild=lambda: {1 << 22: 2, 3 << 22: 5})
    it.watch(gateway or Gateway(), manager)
    yield Watched(cast("Room", None), port, it)
    await it.close()


async def test_readiness_says_how_many_shards_are_connected(tmp_path: Path) -> None:
    gateway = Gateway()
    gateway.shards = tuple(range(4))
    async with alone(FakeStore(no_value), gateway) as it:
        for connected, reasons, all_of_them in (
            (4, {}, 1),
            (3, {"gateway": "3_of_4_shards"}, 0),
            (0, {"gateway": "not_connected"}, 0),
        ):
            gateway.shards_connected = connected
            assert (await it.json("/ready"))[1] == {"ready": not reasons, "reasons": reasons}
            found = await it.metrics()
            assert found["escoba_shards_connected"] == connected
            assert found["escoba_gateway_connected"] == all_of_them
        assert found["escoba_session_starts_left"] == 7
        gateway.waits_for_sessions = True
        assert (await it.json("/ready"))[1] == {"ready": False, "reasons": {"gateway": "session_limit"}}


async def test_metrics_cover_each_shard(tmp_path: Path) -> None:
    gateway = Gateway()
    gateway.shard_states = {1: (True, 0.25), 3: (False, float("nan"))}
    async with alone(FakeStore(no_value), gateway) as it:
        found = await it.metrics()
        assert [found[f'escoba_shard_connected{{shard="{number}"}}'] for number in (1, 3)] == [1, 0]
        assert [found[f'escoba_shard_open_tables{{shard="{number}"}}'] for number in (1, 3)] == [2, 5]
        assert found['escoba_shard_latency_seconds{shard="1"}'] == 0.25
        assert math.isnan(found['escoba_shard_latency_seconds{shard="3"}'])


@pytest.mark.parametrize(
    ("held", "stands_by", "owned"),
    [(Held.WAITING, 1, 0), (Held.YES, 0, 1), (Held.DOUBTFUL, 0, 0), (Held.LOST, 0, 0)],
)
async def test_a_process_says_which_shards_it_owns_and_whether_it_waits_for_them(
    held: Held, stands_by: int, owned: int
) -> None:
    gateway = Gateway()
    gateway.shard_states = {1: (True, 0.1), 3: (True, 0.1)}
    async with alone(FakeStore(no_value), gateway, held=lambda: held) as it:
        reasons = {} if owned else {"shards": held.value}
        assert (await it.json("/ready"))[1] == {"ready": not reasons, "reasons": reasons}
        found = await it.metrics()
        assert found["escoba_standing_by"] == stands_by
        assert found["escoba_shards"] == 4
        assert [found[f'escoba_shard_owned{{shard="{number}"}}'] for number in (1, 3)] == [owned, owned]


def test_the_number_of_shards_is_known_before_the_login_only_if_the_settings_name_it() -> None:
    for shards, count in ((Shards((1, 3), 4), 4), (None, None)):
        metrics = Monitor(cast(Database, FakeStore(no_value)), version="1", now=utc_now, shards=shards).meter
        assert isinstance(metrics, Metrics)
        assert metrics.registry.get_sample_value("escoba_shards") == count
        owned = metrics.registry.get_sample_value("escoba_shard_owned", {"shard": "1"})
        assert owned == (None if count is None else 1)


async def no_value() -> str | None:
    return None


class FakeStore:
    """A database whose answers come from the test."""

    def __init__(self, answer: Callable[[], Awaitable[str | None]]) -> None:
        self.answer = answer
        self.asked = 0

    detached = False

    async def read(self, *_: object) -> str | None:
        self.asked += 1
        return await self.answer()

    write = read

    async def obstacle(self) -> Fault | None:
        return None

    async def size(self) -> int | None:
        return None

    def disk_space(self) -> DiskSpace | None:
        return None


async def test_a_failing_store_is_reported_by_its_reason_alone(tmp_path: Path) -> None:
    async def full() -> str | None:
        raise StoreUnavailable(Fault.DISK_FULL, f"{tmp_path} is full")

    async with alone(FakeStore(full)) as it:
        status, kind, text = await it.get("/ready")
        assert (status, kind) == (503, "application/json")
        assert '"store": "disk_full"' in text
        assert str(tmp_path) not in text


async def test_a_full_disk_makes_it_unready_until_there_is_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "escoba.sqlite3"
    store = await Stores.open(with_tables(path))
    async with alone(store.database) as it:
        assert (await it.json("/ready"))[0] == 200
        with monkeypatch.context() as full:
            full.setattr(shutil, "disk_usage", lambda folder: _Usage(10**9, 10**9 - 100, 100))
            assert await it.json("/ready") == (503, {"ready": False, "reasons": {"store": "disk_full"}})
            found = await it.metrics()
            assert (found["escoba_disk_free_bytes"], found["escoba_disk_size_bytes"]) == (100, 10**9)
        assert (await it.json("/ready"))[0] == 200
    await store.database.close()


async def test_a_refused_write_makes_it_unready_until_one_would_succeed(tmp_path: Path) -> None:
    store = await Stores.open(with_tables(tmp_path / "escoba.sqlite3"))
    write: Any = sqlite_of(store)._pen.run
    async with alone(store.database) as it:
        await write("PRAGMA query_only=ON")
        assert (await it.json("/ready"))[0] == 200, "it doesn't write only to find out"
        with pytest.raises(StoreUnavailable):
            await store.values.set("key", "value")
        assert await it.json("/ready") == (503, {"ready": False, "reasons": {"store": "read_only"}})
        await write("PRAGMA query_only=OFF")
        assert (await it.json("/ready"))[0] == 200, "without anybody's move"
        assert await store.values.of("") == {}
    await store.database.close()


async def test_a_hanging_store_is_reported_as_slow_and_asked_only_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(monitor, "STORE_SECONDS", 0.05)
    release = asyncio.Event()

    async def hanging() -> str | None:
        await release.wait()
        return None

    store = FakeStore(hanging)
    async with alone(store) as it:
        answers = await asyncio.gather(it.json("/ready"), it.json("/ready"), it.json("/live"))
        assert answers[0] == answers[1] == (503, {"ready": False, "reasons": {"store": "slow"}})
        assert answers[2] == (200, {"live": True})
        await it.json("/ready")
        assert store.asked == 1
        release.set()
        await asyncio.sleep(0)
        assert (await it.json("/ready"))[0] == 200
        assert store.asked == 2


async def test_an_address_in_use_stops_the_start_and_names_the_setting(tmp_path: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        settings = settings_for(tmp_path, health_address=str(port))
        with pytest.raises(SettingsError, match=rf"ESCOBA_HEALTH_ADDRESS.*127\.0\.0\.1 port {port}"):
            await build_parts(settings, simulation=Simulation(observed=True))


async def test_it_listens_only_on_loopback_and_only_if_the_settings_say_so(tmp_path: Path) -> None:
    async with watched(tmp_path) as it:
        server = it.room.bot.parts.monitor._server
        assert server is not None
        assert server._runner.addresses == [("127.0.0.1", it.port)]
    for address, observed in ((None, True), ("1", False)):  # the second is a demo
        parts = await build_parts(
            settings_for(tmp_path, health_address=address), simulation=Simulation(observed=observed)
        )
        assert parts.monitor._server is None
        await parts.close()


# --------------------------------------------------------------------------------------------- metrics of a match


async def test_the_metrics_follow_a_match_without_naming_anybody(tmp_path: Path) -> None:
    async with watched(tmp_path) as it:
        here = it.room
        before = await it.metrics()
        assert before['escoba_open_tables{phase="lobby"}'] == 0
        ana, bea = here.people
        await here.begin(target=5)
        await here.press(bea, here.shown, "hand")
        await ana.slash(here.channel, "escoba play")
        await bea.slash(here.channel, "escoba settings")  # refused
        now = await it.metrics()
        assert now['escoba_open_tables{phase="playing"}'] == 1
        assert now['escoba_commands_total{command="escoba play"}'] == 2
        assert now['escoba_interactions_total{kind="command",outcome="answered"}'] == 2
        assert now['escoba_interactions_total{kind="command",outcome="refused"}'] == 1
        assert now['escoba_interactions_total{kind="click",outcome="answered"}'] >= 4
        assert now['escoba_handling_seconds_count{kind="click"}'] >= 4
        assert now["escoba_events_stored_total"] == here.table.version
        assert now["escoba_servers"] == 1
        await here.play_out()
        end = await it.metrics()
        assert end['escoba_open_tables{phase="playing"}'] == 0
        assert end["escoba_events_stored_total"] > now["escoba_events_stored_total"] + 30
        assert end['escoba_messages_shown_total{action="edit",outcome="ok"}'] > 0
        assert end['escoba_messages_shown_total{action="panel",outcome="ok"}'] > 0
        labels = "\n".join(end)
        assert re.findall(r"\d{6,}", labels) == []
        assert not default_finder().cards(labels)
        assert not re.search("|".join([*(person.name for person in here.people), "Casa", "mesa"]), labels)


async def test_a_failing_store_and_a_failing_discord_are_counted(tmp_path: Path, monkeypatch: Any) -> None:
    async with watched(tmp_path) as it:
        here = it.room
        await here.begin(target=5)

        async def full(*_: object, **__: object) -> None:
            raise StoreUnavailable(Fault.DISK_FULL, "full")

        with monkeypatch.context() as patch:
            patch.setattr(here.bot.parts.stores.games, "append", full)
            person = here.people[1]
            panel = here.panel(person)
            card = next(button for button in person.buttons(panel) if button.custom_id.startswith("e:card:"))
            await person.press(panel, custom_id=re.escape(card.custom_id))
        assert (await it.metrics())['escoba_store_failures_total{code="disk_full"}'] == 1
        status = await here.bot.parts.monitor.status()
        assert (status.store_failures, status.matches, status.lobbies) == (1, 1, 0)
