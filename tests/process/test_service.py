"""Which interactions a process answers while it stands by, or when it has just taken over."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.platform.database.ownership import Owner
from bot.platform.kit.host import InFlight, Responsibility
from bot.platform.shards import Shards
from bot.process import service
from bot.process.app import EscobaBot
from bot.process.gateway import ShardedBot
from bot.process.parts import build_parts
from bot.process.service import Service
from bot.process.stores import Stores
from bot.tables.parts import TableParts
from tests.support.escoba import settings_for
from tests.support.patience import HANG_SECONDS

HALF, OTHER_HALF = Shards.parse("0-1/4"), Shards.parse("2-3/4")


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Stores]:
    opened = await Stores.open(tmp_path / "a.sqlite3")
    yield opened
    await opened.database.close()


async def test_interactions_wait_for_the_shards_while_discord_would_take_an_answer(
    store: Stores, monkeypatch: pytest.MonkeyPatch
) -> None:
    standby = Service(Owner(), store.values, HALF)
    waiting = asyncio.create_task(standby.duty(1))
    await asyncio.sleep(0)
    await standby.begin(after_another=False)
    assert await waiting is Responsibility.OURS
    monkeypatch.setattr(service, "KEPT_SECONDS", 0.01)
    assert await Service(Owner(), store.values, HALF).duty(2) is Responsibility.NONE


async def test_interactions_answered_before_are_left_alone_and_the_rest_answered_at_once(
    store: Stores,
) -> None:
    in_flight = InFlight()
    with in_flight.begun(1):
        assert in_flight.handled() == [], "it is still being handled"
    await Service(Owner(), store.values, HALF).note_handled(in_flight.handled())
    other, after = Service(Owner(), store.values, OTHER_HALF), Service(Owner(), store.values, HALF)
    await other.begin(after_another=False)
    await after.begin(after_another=True)
    assert [await after.duty(number) for number in (1, 2)] == [Responsibility.NONE, Responsibility.OURS]
    assert await other.duty(1) is Responsibility.OURS, "the word isn't meant for it"


async def test_after_a_process_that_died_interactions_are_claimed_for_some_seconds(
    store: Stores, monkeypatch: pytest.MonkeyPatch
) -> None:
    after = Service(Owner(), store.values, HALF)
    await after.begin(after_another=True)
    assert await after.duty(1) is Responsibility.CONTESTED
    monkeypatch.setattr(after, "_contested_until", 1.0)
    assert await after.duty(2) is Responsibility.OURS


async def test_word_from_the_previous_process_counts_once(store: Stores) -> None:
    await Service(Owner(), store.values, HALF).note_handled([1])
    await Service(Owner(), store.values, HALF).begin(after_another=True)
    later = Service(Owner(), store.values, HALF)
    await later.begin(after_another=True)
    assert await later.duty(2) is Responsibility.CONTESTED


async def test_a_process_stopped_while_it_takes_over_begins_nothing_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = await build_parts(settings_for(tmp_path))
    bot = EscobaBot(await build_parts(settings_for(tmp_path)))
    await bot._async_setup_hook()
    recalling, recalled = asyncio.Event(), asyncio.Event()

    async def recall(*, shown: bool) -> None:
        recalling.set()
        await recalled.wait()

    async def close_thinker() -> None:
        recalled.set()
        for task in list(bot._background_tasks):  # this could take as long as the rest of taking over
            await asyncio.wait([task])

    async def nothing(*args: object, **options: object) -> None: ...

    monkeypatch.setattr(ShardedBot, "connect", nothing)
    monkeypatch.setattr("bot.process.app.application_of", lambda client: 1)
    monkeypatch.setattr(bot.command_sync, "run", nothing)
    monkeypatch.setattr(bot.host.of(TableParts).presenter, "recall", recall)
    monkeypatch.setattr(bot.parts.thinker, "close", close_thinker)
    await bot.connect()
    await first.close()
    async with asyncio.timeout(HANG_SECONDS):
        await recalling.wait()
        await bot.close()
    assert not bot.service.begun
