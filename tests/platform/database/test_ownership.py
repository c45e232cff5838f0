"""Which process owns which shards: never two at once, and a process that has lost its shards knows before it writes."""

import asyncio
import itertools
import logging
import os
import platform
import signal
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from bench.postgres import Cluster
from bot.platform.database.base import write_pair
from bot.platform.database.errors import StoreUnavailable
from bot.platform.database.news import News
from bot.platform.database.ownership import Held, Owner, owner_of, port, session
from bot.platform.database.ownership import postgres as sessions
from bot.platform.database.ownership.port import FileOwner
from bot.platform.database.postgres_server import TIMEOUTS
from bot.platform.database.tools.backup_folder import copy_database
from bot.platform.shards import Shards
from bot.privacy.live.erasure import Disguise
from bot.process.stores import Stores
from bot.schema import SCHEMA
from bot.tournaments.live.codec import LOG as TOURNAMENT_LOG
from tests.support.dose import thorough_but
from tests.support.patience import HANG_SECONDS


def ignore_news(what: News, about: int) -> None:
    """Stands for a process that ignores news."""


async def wait_until(happened: Callable[[], bool]) -> None:
    async with asyncio.timeout(HANG_SECONDS):
        while not happened():  # noqa: ASYNC110 - another connection sets no event
            await asyncio.sleep(0.02)


@asynccontextmanager
async def owners(database: str, *texts: str | None) -> AsyncIterator[list[Owner]]:
    """A process for each text, for the shards that the text names; none has asked for them yet."""
    made = [owner_of(database, SCHEMA, None if text is None else Shards.parse(text)) for text in texts]
    try:
        yield made
    finally:
        for owner in made:
            await owner.close()


async def start_waiting(owner: Owner, *, ready: Callable[[], bool] = lambda: False) -> asyncio.Task[None]:
    """Have a process ask for shards that another one holds, and return once it waits.

    `ready`: whether it is connected to Discord.
    """
    asking = asyncio.create_task(owner.acquire(ignore_news, ready=ready))
    await wait_until(lambda: owner.held is Held.WAITING)
    return asking


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sessions, "AGAIN_SECONDS", 0.05)
    monkeypatch.setattr(sessions, "PING_SECONDS", 0.05)
    monkeypatch.setattr(port, "LOOK_SECONDS", 0.02)
    monkeypatch.setattr(port, "AGAIN_SECONDS", 0.02)


# ------------------------------------------------------------------------------------------------ a file
async def test_a_file_has_one_process_and_the_next_waits_until_it_ends(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with owners(str(tmp_path / "a.sqlite3"), None, None) as (first, second):
        await first.acquire(ignore_news)
        assert not await second.take(ignore_news)
        asking = await start_waiting(second)
        await asyncio.sleep(0)  # let it begin to wait
        await first.confirm()
        await first.close()
        await asking
        assert second.held is Held.YES
        assert [record.levelno for record in caplog.records] == [logging.WARNING], "it says so once"
        assert (
            f"Another bot (process {os.getpid()}) uses {tmp_path / 'a.sqlite3'}: waiting until it ends" in caplog.text
        )


async def test_a_process_with_a_file_ends_for_one_that_is_ready_to_take_its_place(tmp_path: Path) -> None:
    connected = asyncio.Event()
    async with owners(str(tmp_path / "a.sqlite3"), None, None) as (first, second):
        await first.acquire(ignore_news)
        asked = asyncio.create_task(first.asked_to_end())
        asking = await start_waiting(second, ready=connected.is_set)
        assert not await first.has_successor()
        connected.set()
        await asked
        assert await first.has_successor()
        with pytest.raises(StoreUnavailable, match="doesn't have the lock"):
            await second.confirm()
        await first.close()
        await asking
        await second.confirm()
        with pytest.raises(StoreUnavailable):
            await first.confirm()


async def test_a_process_that_its_supervisor_starts_again_does_not_take_its_file_back(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with owners(str(tmp_path / "a.sqlite3"), *[None] * 4) as (first, second, again, later):
        await first.acquire(ignore_news)
        asking = await start_waiting(second, ready=lambda: True)
        await first.close()
        await asking
        asked = asyncio.create_task(second.asked_to_end())
        await start_waiting(again, ready=lambda: True)
        await wait_until(lambda: "it must wait until this one is stopped" in caplog.text)
        monkeypatch.setattr(second, "_settled_at", 0.0)  # some minutes later it still waits
        assert await second.has_successor(), "if this one is stopped, the other takes over without a pause"
        done, _ = await asyncio.wait([asked], timeout=0.1)
        assert not done
        looked: list[bool] = []

        async def look() -> bool:
            looked.append(await FileOwner.has_successor(second))  # type: ignore[arg-type] - it is one
            return looked[-1]

        monkeypatch.setattr(second, "has_successor", look)
        await again.close()
        await wait_until(lambda: looked[-1:] == [False])
        await start_waiting(later, ready=lambda: True)
        await asked


async def test_a_reader_of_a_file_needs_no_ownership(tmp_path: Path) -> None:
    async with owners(str(tmp_path / "a.sqlite3"), None) as (owner,):
        await owner.acquire(ignore_news)
        store = await Stores.open(tmp_path / "a.sqlite3")
        await asyncio.to_thread(copy_database, tmp_path / "a.sqlite3", tmp_path / "b.sqlite3")
        await store.database.close()


# ---------------------------------------------------------------------------------------------- a server
@pytest.mark.parametrize(
    ("held", "asked"),
    [
        ("0-1/4", "1-2/4"),
        ("0-1/4", "2/8"),
        (None, "0-1/4"),
        *(
            pytest.param(*shards, marks=pytest.mark.thorough)
            for shards in (("0-1/4", "0-1/4"), ("0-1/4", None), (None, None), ("0/1", None))
        ),
    ],
)
async def test_a_process_waits_for_shards_that_another_owns(
    postgres_url: str, held: str | None, asked: str | None
) -> None:
    async with owners(postgres_url, held, asked) as (first, second):
        await first.acquire(ignore_news)
        asking = await start_waiting(second)
        await first.confirm()
        await first.close()
        await asking
        assert (first.held, second.held) == (Held.NO, Held.YES)


@pytest.mark.parametrize(
    ("held", "ready", "has_successor"), [("0-1/4", "0-1/4", True), ("0-1/4", "0/4", False), (None, None, True)]
)
async def test_a_process_knows_whether_another_is_ready_to_take_its_shards(
    postgres_url: str, held: str | None, ready: str | None, has_successor: bool
) -> None:
    connected = asyncio.Event()
    async with owners(postgres_url, held, ready) as (first, second):
        await first.acquire(ignore_news)
        asking = await start_waiting(second, ready=connected.is_set)
        assert not await first.has_successor()
        connected.set()
        await wait_until(lambda: second._session.ready)  # type: ignore[attr-defined] - of this kind
        while await first.has_successor() is not has_successor:  # noqa: ASYNC110 - its next attempt tells the other
            await asyncio.sleep(0.02)
        with pytest.raises(StoreUnavailable):
            await second.confirm()
        await second.turn(0)
        assert second.held is Held.WAITING, "it may start sessions already"
        await first.close()
        await asking
        await second.confirm()
        assert not await second.has_successor()


async def test_processes_with_different_shards_go_side_by_side(postgres_url: str) -> None:
    async with owners(postgres_url, "0-1/4", "2/4", "3/4") as all_of_them:
        for owner in all_of_them:
            await owner.acquire(ignore_news)
            await owner.confirm()


async def test_a_process_that_waits_for_one_shard_holds_none_of_the_others(postgres_url: str) -> None:
    async with owners(postgres_url, "0/4", "0-1/4", "1/4") as (first, both, last):
        await first.acquire(ignore_news)
        asking = await start_waiting(both)
        await last.acquire(ignore_news)
        assert last.held is Held.YES
        await both.close()
        assert not asking.done(), "it no longer asks, and doesn't believe that it has them"
        await last.confirm()
        asking.cancel()
        await asyncio.wait([asking])


async def test_a_process_that_is_stopped_while_it_asks_for_shards_blocks_nobody_for_long(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session, "DECIDING_SECONDS", 1)
    async with owners(postgres_url, "0/4", "0/4") as (stopped, successor):
        asking: Any = stopped
        connection = await asking._session._connect()
        await connection.execute("BEGIN")
        await connection.execute(session._GATE, (asking._session._classes[0],))  # and is stopped here
        await asyncio.wait_for(successor.acquire(ignore_news), HANG_SECONDS)
        assert successor.held is Held.YES


async def test_a_session_that_ends_is_taken_up_again_if_nobody_else_had_the_shards(
    postgres: Cluster, postgres_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    heard: list[tuple[News, int]] = []
    async with owners(postgres_url, "0-1/4") as (owner,):
        await owner.acquire(lambda what, about: heard.append((what, about)))
        ended = end_sessions(postgres, postgres_url)
        assert ended == 1
        await wait_until(lambda: len(heard) == len(News))
        await owner.confirm()
        assert [about for _, about in heard] == [0] * len(News), "news from the meantime is looked up"
    assert "has ended (terminating connection due to administrator command" in caplog.text


async def test_shards_that_another_had_meanwhile_are_lost_before_anything_is_written(
    postgres: Cluster, postgres_url: str, expected_errors: list[tuple[str, str]]
) -> None:
    expected_errors.append(("bot.platform.database.ownership.postgres", "this one has lost shards 0-1/4"))
    store = await Stores.open(postgres_url)
    async with owners(postgres_url, "0-1/4", "1/4") as (first, second):
        await first.acquire(ignore_news)
        store.database.fence = first.confirm
        await store.values.set("a", "1")
        stopped: Any = first
        stopped._watching.cancel()
        asking = await start_waiting(second)
        end_sessions(postgres, postgres_url, "0-1/4")
        await asking
        stopped._sure_at -= 3.0
        writing = asyncio.create_task(store.values.set("a", "2"))  # the first thing it does when it goes on
        stopped._watching = asyncio.create_task(stopped._watch())
        with pytest.raises(StoreUnavailable, match="no longer has shards 0-1/4"):
            await writing
        await asyncio.wait_for(first.lost(), HANG_SECONDS)
        with pytest.raises(StoreUnavailable):
            await store.values.set("a", "3")
        assert (first.held, await store.values.get("a")) == (Held.LOST, "1")
        await second.confirm()
    await store.database.close()


def test_no_process_is_sure_of_its_shards_long_enough_for_another_to_take_over() -> None:
    assert sessions.SURE_SECONDS + sessions.PING_SECONDS < session.FROZEN_SECONDS / 2
    assert TIMEOUTS["idle_in_transaction_session_timeout"] < session.FROZEN_SECONDS


@pytest.mark.parametrize("taken", thorough_but(["0/4", "1/4", "0-3/4", "0/8", None], "1/4", None))
async def test_what_was_begun_before_the_shards_were_lost_is_not_committed(
    postgres: Cluster, postgres_url: str, taken: str | None, expected_errors: list[tuple[str, str]]
) -> None:
    expected_errors.append(("bot.platform.database.ownership.postgres", "this one has lost shards 0-1/4"))
    store = await Stores.open(postgres_url)
    async with owners(postgres_url, "0-1/4", taken) as (first, second):
        await first.acquire(ignore_news)
        store.database.fence, store.database.mark = first.confirm, first.mark
        await store.values.set("a", "1")

        async def stop_and_go_on(connection: AsyncConnection) -> None:
            """Stands for a process that is stopped in a transaction until another one has its shards."""
            stopped: Any = first
            stopped._watching.cancel()
            asking = await start_waiting(second)
            end_sessions(postgres, postgres_url, "0-1/4")
            await asking
            await write_pair(connection, "a", "2")
            await write_pair(connection, "b", "2")

        with pytest.raises(StoreUnavailable, match="another process has taken over"):
            await store.database.write(stop_and_go_on)
        assert [await store.values.get(key) for key in "ab"] == ["1", None]
        stopped: Any = first
        stopped._watching = asyncio.create_task(stopped._watch())
        await asyncio.wait_for(first.lost(), HANG_SECONDS)
    await store.database.close()


async def test_nobody_takes_over_between_the_last_look_and_the_commit(postgres: Cluster, postgres_url: str) -> None:
    store: Any = await Stores.open(postgres_url)
    async with owners(postgres_url, "0/4", "0/4") as (first, second):
        await first.acquire(ignore_news)
        store.database.fence, store.database.mark = first.confirm, first.mark
        async with store.database._writer.begin() as connection:
            await write_pair(connection, "a", "1")
            assert await store.database._pass_mark(connection) is not None
            await first.close()
            asking = asyncio.create_task(second.acquire(ignore_news))
            blocked = "wait_event_type = 'Lock' AND application_name LIKE 'escoba owner of%'"
            query = f"SELECT 1 FROM pg_stat_activity WHERE {blocked}"  # noqa: S608 - constants
            while not await asyncio.to_thread(postgres.run, query):
                assert not asking.done()
        await asyncio.wait_for(asking, HANG_SECONDS)
    await store.database.close()


async def test_a_waiting_process_names_its_shards_and_their_owner(
    postgres_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    waits = {"1-2/4": "Shard 1 is held by", "0/8": "Some of 4 shards are held by", None: "Some of 4 shards are held by"}
    for asked, said in waits.items():
        caplog.clear()
        async with owners(postgres_url, "0-1/4", asked) as (first, second):
            await first.acquire(ignore_news)
            assert not await second.take(ignore_news)
            who = f"“escoba owner of shards 0-1/4 on {platform.node()}, process {os.getpid()}” from this machine"
            assert f"{said} {who} (server process " in caplog.text
            assert f"): waiting for {'all shards' if asked is None else f'shards {asked}'}" in caplog.text


@pytest.mark.thorough  # tests/platform/database/test_server_faults.py restarts it, too
async def test_a_restart_of_the_server_only_delays_writes(postgres: Cluster, postgres_url: str) -> None:
    store = await Stores.open(postgres_url)
    async with owners(postgres_url, "0-1/4") as (owner,):
        await owner.acquire(ignore_news)
        store.database.fence = owner.confirm
        await asyncio.to_thread(postgres.stop, signal.SIGINT)
        await wait_until(lambda: owner.held is Held.DOUBTFUL)
        writing = asyncio.create_task(store.values.set("a", "1"))
        postgres.begin()  # called here, because the server ends with the thread that started it
        await writing
        assert owner.held is Held.YES
    await store.database.close()


async def test_a_server_that_hangs_for_a_moment_brings_doubt_but_no_loss(
    postgres: Cluster, postgres_url: str, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sessions, "WRITE_SECONDS", 0.2)
    async with owners(postgres_url, "0-1/4") as (owner,):
        await owner.acquire(ignore_news)
        with postgres.stopped(whole=True):
            await wait_until(lambda: owner.held is Held.DOUBTFUL)
            for _ in range(2):
                began = time.monotonic()
                with pytest.raises(StoreUnavailable, match="doesn't say who has"):
                    await owner.confirm()
                assert time.monotonic() - began < sessions.SURE_SECONDS
        await wait_until(lambda: owner.held is Held.YES)
    assert "has ended" not in caplog.text, "the session goes on"


async def test_a_server_that_hangs_for_longer_is_given_up_at_once_and_then_found_again(
    postgres: Cluster, postgres_url: str, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session, "ANSWER_SECONDS", 1.0)
    async with owners(postgres_url, "0-1/4") as (owner,):
        await owner.acquire(ignore_news)
        with postgres.stopped(whole=True):
            async with asyncio.timeout(session.DECIDING_SECONDS):
                await wait_until(lambda: "has ended (no answer in time)" in caplog.text)
            assert owner.held is Held.DOUBTFUL
        await wait_until(lambda: owner.held is Held.YES)


async def test_a_process_need_not_wait_for_a_server_that_hangs_to_end_its_session(
    postgres: Cluster, postgres_url: str
) -> None:
    async with owners(postgres_url, "0-1/4") as (owner,):
        await owner.acquire(ignore_news)
        with postgres.stopped(whole=True):
            await wait_until(lambda: owner.held is Held.DOUBTFUL)
            async with asyncio.timeout(1.0):
                await owner.close()


async def test_sessions_of_a_bucket_start_apart_whichever_process_starts_them(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sessions, "IDENTIFY_SECONDS", 0.4)
    begun: dict[int, list[float]] = {0: [], 1: []}

    async def begin(owner: Owner, bucket: int) -> None:
        for _ in range(2):
            await owner.turn(bucket)
            await owner.turn(bucket, starts_now=True)
            begun[bucket].append(asyncio.get_running_loop().time())

    async with owners(postgres_url, "0-1/4", "2-3/4") as both:
        for owner in both:
            await owner.acquire(ignore_news)
        await asyncio.gather(*(begin(owner, bucket) for owner in both for bucket in (0, 1)))
    for times in begun.values():
        assert len(times) == 4
        assert all(later - earlier > 0.35 for earlier, later in itertools.pairwise(times))


async def test_news_of_one_process_reaches_the_others(postgres_url: str) -> None:
    store = await Stores.open(postgres_url)
    heard: list[tuple[News, int]] = []
    async with owners(postgres_url, "0/2") as (owner,):
        await owner.acquire(lambda what, about: heard.append((what, about)))
        await store.preferences.put(7, "{}")
        await wait_until(lambda: heard == [(News.CHOICES, 7)])
        for _ in range(2):
            await store.values.add("owed", "now", news=News.NOTICES)
        await store.preferences.put(8, "{}")
        await wait_until(lambda: heard[1:] == [(News.NOTICES, 0), (News.CHOICES, 8)])
        await store.personal_data.forget(8, Disguise(8).rewriter, datetime.now(UTC))
        await store.tournaments.forget(8, Disguise(8, TOURNAMENT_LOG).rewriter)
        await wait_until(lambda: heard[3:] == [(News.ERASED, 8), (News.CHOICES, 8), (News.ERASED, 8)])
    await store.database.close()


def end_sessions(postgres: Cluster, url: str, shards: str = "") -> int:
    """Have the server end the sessions that hold shards; returns how many there were."""
    like = f"escoba owner of %{shards} on %"
    name = sa.make_url(url).database
    query = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
    return len(postgres.run(f"{query} WHERE application_name LIKE '{like}' AND datname = '{name}'"))
