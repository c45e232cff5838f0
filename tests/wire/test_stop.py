"""SIGTERM: the bot ends what it had begun, takes nothing new, tells nobody anything false, and is gone."""

from __future__ import annotations

import asyncio
import signal
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bot.process.app import BEGUN_SECONDS, CLOSING_SECONDS
from tests.support.patience import HANG_SECONDS
from tests.wire.faults import CALLBACKS, EDITS
from tests.wire.ledger import Ledger
from tests.wire.table import tables
from tests.wire.world import Wire, wire

pytestmark = pytest.mark.usefixtures("from_scratch")
FOREVER = 10 * HANG_SECONDS
DOCKER_SECONDS = 10
"""From SIGTERM to SIGKILL."""


def test_what_the_bot_waits_for_at_its_end_leaves_half_of_the_time_that_there_is() -> None:
    assert BEGUN_SECONDS + CLOSING_SECONDS <= DOCKER_SECONDS / 2


async def _stopped(w: Wire) -> None:
    """Stop the bot: without complaint, and while what it may wait for at most still lasts."""
    assert await w.term() == 0


async def test_the_bot_stops_with_everything_answered_that_it_had_begun(tmp_path: Path) -> None:
    async with tables(tmp_path, count=3) as (w, all_tables):
        playing = [asyncio.create_task(table.party.play_on()) for table in all_tables]
        await asyncio.sleep(0.7)
        await _stopped(w)
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)
        ledger = Ledger(w.database).read()
        ledger.judge(w.requests)
        assert ledger.findings == []
        # A start makes two events, every other click one.
        made = ledger.moves - len(ledger.games)
        assert made <= _answered(w), "a move is in the log whose click was not answered"
        await w.start_bot()
        versions = [table.version for table in all_tables]
        for table, version in zip(all_tables, versions, strict=True):
            await table.party.play(until=lambda table=table, version=version: table.version > version)
        assert ledger.read().findings == []


def _answered(w: Wire) -> int:
    """How many clicks that can make an event of a match were answered."""
    verbs = (":card:", ":take:", ":lay:", ":back:", ":next:", ":start:")
    return sum(shot.done and any(verb in shot.custom_id for verb in verbs) for shot in w.shots.values())


async def test_after_sigterm_no_move_is_taken_and_nothing_false_is_said(tmp_path: Path) -> None:
    async with tables(tmp_path) as (w, [table]):
        slow = w.faults.add("PATCH", EDITS, delay=2.0)  # what was begun takes a while to end
        await table.move().end()
        await w.bot.until(lambda: slow.hits > 0 and any(table.panel(m).find("card", "take") for m in w.people))
        version = table.version
        w.bot.signal(signal.SIGTERM)
        await asyncio.sleep(0.4)
        late = [
            w.send_click(member, table.panel(member), press.custom_id)
            for member in w.people
            for press in table.panel(member).find("card", "take")
        ]
        assert await w.bot.ended() == 0
        assert table.version == version
        ledger = Ledger(w.database).read()
        ledger.judge(w.requests)
        assert ledger.findings == [], "nothing was shown that isn't so"
        assert all(shot.got is None or shot.done for shot in late)


async def test_an_answer_that_takes_a_while_is_given_before_the_end(tmp_path: Path) -> None:
    async with tables(tmp_path) as (w, [table]):
        w.faults.add("POST", CALLBACKS, delay=1.5, times=1)
        shot = table.move()
        await asyncio.sleep(0.3)
        await _stopped(w)
        assert shot.done


async def test_the_bot_stops_though_discord_answers_nothing(tmp_path: Path) -> None:
    async with tables(tmp_path, check=False) as (w, [table]):
        w.faults.add("*", "*", delay=FOREVER)
        table.move()
        await asyncio.sleep(0.3)
        await _stopped(w)


async def test_the_bot_stops_though_the_store_is_locked(tmp_path: Path) -> None:
    async with tables(tmp_path, count=8, check=False) as (w, all_tables):
        with closing(sqlite3.connect(w.database, isolation_level=None)) as connection:
            connection.execute("BEGIN IMMEDIATE")
            for table in all_tables:
                table.move()
            await asyncio.sleep(0.3)
            await _stopped(w)
            connection.execute("ROLLBACK")
        assert w.bot.errors([]) == []


async def test_the_bot_stops_while_it_is_starting(tmp_path: Path) -> None:
    async with wire(tmp_path, started=False, check=False) as w:
        w.faults.add("GET", "/users/@me", delay=FOREVER)
        await w.start_bot(connect=False)
        await w.bot.until(lambda: w.faults.injected > 0)
        await _stopped(w)
        assert w.bot.errors([]) == []
