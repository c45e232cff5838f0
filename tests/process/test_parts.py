"""Building the parts before there is a bot: waiting for the shards, failing halfway, and news that come too early."""

from __future__ import annotations

import asyncio
import socket
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from bot.process.parts import Parts, Simulation, build_parts
from bot.settings import SettingsError
from bot.store import News, Store, StoreUnavailable
from bot.store.ownership import Held, Unowned
from bot.tables.data.preferences import Preferences, TurnNotice
from tests.operating.test_health import free_port
from tests.support.escoba import settings_for
from tests.support.patience import HANG_SECONDS


async def once_waiting(address: str) -> dict[str, str]:
    """Ask the health endpoint until it says that another process holds the shards; returns all its reasons."""
    async with aiohttp.ClientSession() as session, asyncio.timeout(HANG_SECONDS):
        while True:
            try:
                async with session.get(f"{address}/ready") as answer:
                    assert answer.status == 503
                    reasons = (await answer.json())["reasons"]
                    if reasons["shards"] == Held.WAITING:
                        return reasons
            except aiohttp.ClientConnectorError:
                pass
            await asyncio.sleep(0.02)


async def test_whoever_waits_for_its_shards_answers_monitoring_and_can_be_stopped(tmp_path: Path) -> None:
    first = await build_parts(settings_for(tmp_path))
    port = free_port()
    waiting = asyncio.create_task(build_parts(settings_for(tmp_path, health_address=str(port))))
    reasons = await once_waiting(f"http://127.0.0.1:{port}")
    assert reasons == {"gateway": "not_connected", "shards": Held.WAITING, "tables": "not_restored"}
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    with socket.socket() as probe:
        assert probe.connect_ex(("127.0.0.1", port)), "the endpoint is closed"
    await first.close()
    async with asyncio.timeout(HANG_SECONDS):
        second = await build_parts(settings_for(tmp_path))
    await second.close()


async def test_a_failure_closes_what_was_opened_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[Store] = []
    open_store = Store.open

    async def noted(*args: Any, **options: Any) -> Store:
        opened.append(await open_store(*args, **options))
        return opened[-1]

    monkeypatch.setattr(Store, "open", noted)
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        with pytest.raises(SettingsError):
            await build_parts(settings_for(tmp_path, health_address=str(other.getsockname()[1])))
    with pytest.raises(StoreUnavailable):
        await opened[0].get_value("anything")


async def test_news_heard_while_taking_the_shards_are_looked_up_once_the_clock_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = await Store.open(tmp_path / "escoba.sqlite3")

    async def acquire(self: Unowned, heard: Any) -> None:
        heard(News.CHOICES, 7)

    monkeypatch.setattr(Unowned, "acquire", acquire)
    parts: Parts = await build_parts(settings_for(tmp_path), simulation=Simulation())
    assert parts.preferences.get(7).turn_notice is not TurnNotice.NEVER
    await store.set_choices(7, Preferences(TurnNotice.NEVER).dump())
    parts.clock.start()
    async with asyncio.timeout(HANG_SECONDS):
        while parts.preferences.get(7).turn_notice is not TurnNotice.NEVER:  # noqa: ASYNC110 - nobody is notified
            await asyncio.sleep(0.01)
    await parts.clock.close()
    await parts.close()
    await store.close()
