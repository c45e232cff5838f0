"""When something is slow, a click is deferred in time and answered later, and no table waits for another."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path

import pytest

from tests.support.dose import thorough_but
from tests.wire.faults import CALLBACKS, EDITS, PANELS
from tests.wire.ledger import Ledger
from tests.wire.seen import WORKING
from tests.wire.table import tables
from tests.wire.world import Wire


@asynccontextmanager
async def locked(w: Wire) -> AsyncIterator[None]:
    """Hold the database's write lock, as another process might."""
    with closing(sqlite3.connect(w.database, isolation_level=None)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        yield
        connection.execute("ROLLBACK")


@pytest.mark.thorough
async def test_a_click_is_deferred_while_the_store_is_locked_and_answered_afterwards(tmp_path: Path) -> None:
    async with tables(tmp_path) as (w, [table]):
        version = table.version
        async with locked(w):
            shot = table.move()
            answer = await shot.answer()
            assert answer.kind == WORKING  # in time: Discord accepts no answer after three seconds
            await asyncio.sleep(3.3 - answer.seconds)
            assert table.version == version
            assert not shot.later, "nothing is shown before it is stored"
        await shot.end()
        await table.catches_up(version + 1)
        assert table.version == version + 1
        ledger = Ledger(w.database).read()
        ledger.check(w.requests)
        assert ledger.findings == []
        await w.settle()  # until the other player's panel shows it, too
        await table.moves(1)


@pytest.mark.thorough
async def test_a_click_that_arrives_late_is_deferred_sooner(tmp_path: Path) -> None:
    async with tables(tmp_path) as (w, [table]):
        w.gateway.delay = 1.4
        w.delay_answers(2.0)
        shot = table.move()
        assert (await shot.answer()).kind == WORKING, "1.8 seconds after it arrived Discord takes no answer any more"
        await shot.end()
        w.gateway.delay = 0
        w.delay_answers(0)
        await table.catches_up()


@pytest.mark.thorough
async def test_an_answer_that_discord_limits_for_minutes_is_given_up(tmp_path: Path) -> None:
    async with tables(tmp_path) as (w, [table]):
        version = table.version
        w.delay_answers(2.0)
        shot = table.move()
        token = shot.payload["token"]
        w.faults.add("PATCH", PANELS, 429, retry_after=600.0, where=lambda request: token in request.path)
        await w.bot.until(lambda: w.log_has(r"could not be answered \(RateLimited\)"))
        w.delay_answers(0)
        await table.catches_up(version + 1)
        assert await w.term() == 0, "nothing holds up the end"


async def test_requests_that_write_nothing_are_answered_at_once_while_the_store_is_locked(tmp_path: Path) -> None:
    async with tables(tmp_path) as (w, [table]), locked(w):
        looked = await w.click(table.other, table.panel(table.other), table.panel(table.other).one("panel"))
        assert not looked.deferred
        ranking = await w.slash(w.people[0], table.channel_id, "escoba stats")
        assert not ranking.deferred


@pytest.mark.thorough
async def test_commands_are_deferred_while_the_store_is_locked(tmp_path: Path) -> None:
    async with tables(tmp_path) as (w, [_]):
        channel = w.realm.add_channel("otra")
        async with locked(w):
            shot = w.send_slash(w.people[0], channel, "escoba play", target=11)
            answer = await shot.answer()
            assert answer.deferred
        await shot.end()
        assert w.table(channel).find("join")


@pytest.mark.parametrize("path", thorough_but([EDITS, CALLBACKS], EDITS))
async def test_a_slow_table_delays_no_other(tmp_path: Path, path: str) -> None:
    async with tables(tmp_path, count=2) as (w, [slow, fast]):
        release = asyncio.Event()
        slow_shots = {slow.move().id}
        fault = w.faults.add(
            "*", path, held=release, where=lambda request: _is_of(request, slow.channel_id, slow_shots)
        )
        slow_shots.add(slow.move().id)
        await w.bot.until(lambda: fault.hits > 0)
        for _ in range(4):
            assert not (await fast.move().end()).deferred
            await w.bot.until(lambda: any(fast.panel(m).find("card", "take") for m in fast.party.people))
        release.set()
        await fast.catches_up()
        await slow.catches_up()


def _is_of(request: object, channel_id: int, shots: set[int]) -> bool:
    path = str(getattr(request, "path", ""))
    return f"/channels/{channel_id}/" in path or any(f"/interactions/{shot}/" in path for shot in shots)
