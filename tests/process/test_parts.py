"""Building the parts before there is a bot: waiting for the shards, failing halfway, and news that comes too early."""

import asyncio
import json
import logging
import re
import socket
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import aiohttp
import pytest
import sqlalchemy as sa

from bot.engine.cards import Card
from bot.platform.database import database
from bot.platform.database.database import Database
from bot.platform.database.errors import StoreUnavailable
from bot.platform.database.key_values import KeyValues
from bot.platform.database.news import News
from bot.platform.database.opening import database_at
from bot.platform.database.ownership import Held, Owner
from bot.platform.database.postgres import PostgresDatabase
from bot.process.parts import Parts, Simulation, build_parts
from bot.process.stores import Stores
from bot.schema import SCHEMA
from bot.settings import Settings, SettingsError
from bot.tables.settings import TablePreferences, TurnNotice
from tests.support.escoba import settings_for
from tests.support.patience import HANG_SECONDS
from tests.support.ports import free_port
from tests.support.steps import BREAKS, newer_version

IDLE = """
import asyncio, json, sys
from bot.process.app import create_bot
from bot.settings import Settings

async def start(database):
    async with await create_bot(Settings(database=database, _env_file=None)):
        print(json.dumps([*sys.modules]))

asyncio.run(start(sys.argv[1]))
"""
NEEDED_LATER = {
    "PIL", "aiohttp.web", "alembic", "babel.messages", "bot.demo", "isal", "openskill", "psycopg", "pytest", "resvg_py",
    "simcord", "sqlalchemy.dialects.postgresql", "sqlalchemy.orm", "unittest", "xml",
}  # fmt: skip
"""The larger modules that an idle bot on a file does without: none may be loaded before it is used."""


async def reasons_of(port: int) -> dict[str, str]:
    """Why the process with this health endpoint isn't ready."""
    async with aiohttp.ClientSession() as session, session.get(f"http://127.0.0.1:{port}/ready") as answer:
        assert answer.status == 503
        return (await answer.json())["reasons"]


async def test_a_process_that_waits_for_its_shards_answers_monitoring_writes_nothing_and_can_be_stopped(
    tmp_path: Path,
) -> None:
    first = await build_parts(settings_for(tmp_path))
    port = free_port()
    second = await build_parts(settings_for(tmp_path, health_address=str(port)))
    waiting = asyncio.create_task(second.take_over(lambda: False))
    assert await reasons_of(port) == {"gateway": "not_connected", "shards": Held.WAITING, "tables": "not_restored"}
    with pytest.raises(StoreUnavailable, match="doesn't have the lock"):
        await second.stores.values.set("anything", "1")
    waiting.cancel()
    await asyncio.wait([waiting])
    await second.close()
    with socket.socket() as probe:
        assert probe.connect_ex(("127.0.0.1", port)), "the endpoint is closed"
    await first.close()
    third = await build_parts(settings_for(tmp_path))
    assert third.owner.held is Held.YES
    await third.close()


@asynccontextmanager
async def migrating(url: str) -> AsyncIterator[None]:
    """Context manager in which another process is changing the database's tables."""
    other = PostgresDatabase(sa.make_url(url), SCHEMA, 1.0)
    async with other._writer.begin() as connection:
        await other._lock_schema(connection)
        yield
    await other._dispose()


async def until_waiting(port: int, opening: asyncio.Task[Any]) -> None:
    async with asyncio.timeout(HANG_SECONDS):
        reasons: dict[str, str] = {}
        while reasons.get("store") != "waiting_for_migrations":
            assert not opening.done()
            with suppress(aiohttp.ClientError):
                reasons = await reasons_of(port)


async def test_a_process_that_waits_for_a_migration_says_so_and_answers_monitoring(
    tmp_path: Path, postgres_url: str, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "TELL_SECONDS", 0.0)
    caplog.set_level(logging.INFO)
    port = free_port()
    settings = settings_for(tmp_path, database=postgres_url, health_address=str(port))
    async with migrating(postgres_url):
        building = asyncio.create_task(build_parts(settings))
        await until_waiting(port, building)
        said = [line for line in caplog.messages if "yet: another process" in line]
        assert len(said) == 1
        assert re.search(r"\(“escoba[^”]*” from this machine, server process \d+\) is changing its tables", said[0])
        assert said[0].endswith("; waiting until it is done, for 600 s at most")
    async with asyncio.timeout(HANG_SECONDS):
        parts = await building
    assert "store" not in await reasons_of(port)
    await parts.close()


async def test_waiting_for_changes_of_the_tables_can_be_stopped(tmp_path: Path, postgres_url: str) -> None:
    port = free_port()
    async with migrating(postgres_url):
        settings = settings_for(tmp_path, database=postgres_url, health_address=str(port))
        building = asyncio.create_task(build_parts(settings))
        await until_waiting(port, building)
        building.cancel()
        done, _ = await asyncio.wait([building], timeout=HANG_SECONDS)
        assert done
        assert building.cancelled()


async def test_a_process_that_takes_over_reads_what_is_stored_then_and_listens_where_the_previous_one_did(
    tmp_path: Path,
) -> None:
    settings = settings_for(tmp_path, health_address=str(free_port()))
    first = await build_parts(settings)
    second = await build_parts(settings)
    taking = asyncio.create_task(second.take_over(lambda: True))
    await first.stores.preferences.put(7, TablePreferences(turn_notice=TurnNotice.NEVER).dump())
    await first.close()
    async with asyncio.timeout(HANG_SECONDS):
        await taking
    assert second.preferences.cached(7, TablePreferences).turn_notice is TurnNotice.NEVER
    assert settings.health_host_and_port is not None
    assert "shards" not in await reasons_of(settings.health_host_and_port[1])
    await second.stores.values.set("anything", "1")
    await second.close()


async def test_a_process_that_waited_while_a_newer_version_changed_the_tables_serves_nobody(tmp_path: Path) -> None:
    first = await build_parts(settings_for(tmp_path))
    second = await build_parts(settings_for(tmp_path))
    await first.close()
    with newer_version(tmp_path, BREAKS):
        await (await Stores.open(second.settings.database)).database.close()
    with pytest.raises(StoreUnavailable, match="newer version"):
        await second.take_over(lambda: True)
    await second.close()


async def test_a_failure_closes_what_was_opened_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[Database] = []

    async def noted(*args: Any, **options: Any) -> Database:
        opened.append(await database_at(*args, **options))
        return opened[-1]

    monkeypatch.setattr("bot.process.parts.database_at", noted)
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        with pytest.raises(SettingsError):
            await build_parts(settings_for(tmp_path, health_address=str(other.getsockname()[1])))
    with pytest.raises(StoreUnavailable):
        await KeyValues(opened[0]).get("anything")


async def test_news_heard_while_taking_the_shards_is_looked_up_once_the_clock_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = await Stores.open(tmp_path / "escoba.sqlite3")

    async def take(self: Owner, heard: Any) -> bool:
        heard(News.CHOICES, 7)
        return True

    monkeypatch.setattr(Owner, "take", take)
    parts: Parts = await build_parts(settings_for(tmp_path), simulation=Simulation())
    assert parts.preferences.cached(7, TablePreferences).turn_notice is not TurnNotice.NEVER
    await store.preferences.put(7, TablePreferences(turn_notice=TurnNotice.NEVER).dump())
    parts.clock.start()
    async with asyncio.timeout(HANG_SECONDS):
        while parts.preferences.cached(7, TablePreferences).turn_notice is not TurnNotice.NEVER:  # noqa: ASYNC110 - nobody is notified
            await asyncio.sleep(0.01)
    await parts.clock.close()
    await parts.close()
    await store.database.close()


async def looks_for_days(settings: Settings, simulation: Simulation | None = None) -> bool:
    """Whether a process with these settings looks for the positions of the days to come."""
    parts = await build_parts(settings, simulation=simulation)
    parts.days.start()
    found = "days" in parts.clock._due
    await parts.clock.close()
    await parts.close()
    return found


@pytest.mark.parametrize(
    ("thinkers", "simulation", "looks"), [(1, None, True), (0, None, False), (1, Simulation(), False)]
)
async def test_the_days_positions_are_looked_for_where_there_is_a_thinking_process(
    tmp_path: Path, thinkers: int, simulation: Simulation | None, looks: bool
) -> None:
    assert await looks_for_days(settings_for(tmp_path, thinkers=thinkers), simulation) is looks


async def test_of_several_processes_the_first_looks_for_the_days_positions(tmp_path: Path, postgres_url: str) -> None:
    for shards, looks in (("0/2", True), ("1/2", False)):
        settings = settings_for(tmp_path, database=postgres_url, shards=shards, requests_per_second=50)
        assert await looks_for_days(settings) is looks


async def test_a_tournaments_boards_are_the_same_after_a_restart(tmp_path: Path) -> None:
    boards: list[tuple[Card, ...]] = []
    for _ in range(2):
        parts = await build_parts(settings_for(tmp_path), simulation=Simulation())
        boards.append(parts.chance.board(7, 1))
        await parts.close()
    assert boards[0] == boards[1]


async def created(database: str) -> None:
    await (await Stores.open(database)).database.close()


def test_an_idle_bot_has_loaded_nothing_large_that_is_only_needed_later(tmp_path: Path) -> None:
    settings = settings_for(tmp_path)
    asyncio.run(created(settings.database))  # which takes more than a later start
    command = [sys.executable, "-c", IDLE, settings.database]
    ended = subprocess.run(command, cwd=Path(__file__).parents[2], capture_output=True, text=True, check=True)
    loaded = set(json.loads(ended.stdout))
    assert {"bot.process.app", "sqlalchemy.ext.asyncio"} <= loaded
    assert loaded & NEEDED_LATER == set()
