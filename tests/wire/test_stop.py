"""On SIGTERM the bot finishes what it has begun, accepts nothing new, shows nothing untrue, and exits."""

import asyncio
import signal
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bot.process import app, ending, parts
from bot.process.serve import LEAVING_SECONDS, STOPPING_SECONDS
from bot.process.stopping import BEGUN_SECONDS, CLOSING_SECONDS, SUCCESSOR_SECONDS
from tests.support.patience import HANG_SECONDS
from tests.wire.faults import CALLBACKS, EDITS
from tests.wire.ledger import Ledger
from tests.wire.table import tables
from tests.wire.world import Wire, wire

FOREVER = 10 * HANG_SECONDS
STOPPING = "4"
"""Seconds that stopping may take where the bot has to give something up: less than its own limit, to save time."""
DOCKER_SECONDS = 10
"""Seconds from SIGTERM to SIGKILL."""


def test_the_bot_needs_at_most_half_of_the_time_it_has_to_stop() -> None:
    assert BEGUN_SECONDS + CLOSING_SECONDS <= DOCKER_SECONDS / 2


def test_the_process_always_closes_everything_before_it_ends() -> None:
    finishing = SUCCESSOR_SECONDS + BEGUN_SECONDS + CLOSING_SECONDS + ending.CANCELLING_SECONDS
    closing = app.GOODBYE_SECONDS + parts.CLOSING_SECONDS + ending.CANCELLING_SECONDS  # all but the store close at once
    assert finishing + closing <= STOPPING_SECONDS + LEAVING_SECONDS < DOCKER_SECONDS
    assert finishing < STOPPING_SECONDS


async def _stop(w: Wire) -> None:
    """Stop the bot, which must exit without an error before it is killed."""
    assert await w.term() == 0


@pytest.mark.thorough
@pytest.mark.usefixtures("from_scratch")
async def test_the_bot_answers_everything_it_has_begun_before_it_stops(tmp_path: Path) -> None:
    async with tables(tmp_path, count=3) as (w, all_tables):
        playing = [asyncio.create_task(table.party.play_on()) for table in all_tables]
        await asyncio.sleep(0.7)
        await _stop(w)
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)
        ledger = Ledger(w.database).read()
        ledger.check(w.requests)
        assert ledger.findings == []
        # Starting a match makes two events, every other click one.
        made = ledger.moves - len(ledger.games)
        assert made <= _answered(w), "the log has a move whose click was not answered"
        await w.start_bot()
        versions = [table.version for table in all_tables]
        await asyncio.gather(
            *(
                table.party.play(until=lambda table=table, version=version: table.version > version)
                for table, version in zip(all_tables, versions, strict=True)
            )
        )
        assert ledger.read().findings == []


def _answered(w: Wire) -> int:
    """The number of answered clicks that can make an event of a match."""
    verbs = (":card:", ":take:", ":lay:", ":back:", ":next:", ":start:")
    return sum(shot.done and any(verb in shot.custom_id for verb in verbs) for shot in w.shots.values())


@pytest.mark.thorough
async def test_after_sigterm_no_move_is_accepted_and_nothing_untrue_is_shown(tmp_path: Path) -> None:
    async with tables(tmp_path) as (w, [table]):
        slow = w.faults.add("PATCH", EDITS, delay=2.0)  # the bot needs a while to finish
        await table.move().end()
        await w.bot.until(lambda: slow.hits > 0 and any(table.panel(m).find("card", "take") for m in w.people))
        version = table.version
        w.bot.signal(signal.SIGTERM)
        await w.bot.until(lambda: w.log_has("bot.process.serve: Stopping"))
        await asyncio.sleep(0.1)
        late = [
            w.send_click(member, table.panel(member), press.custom_id)
            for member in w.people
            for press in table.panel(member).find("card", "take")
        ]
        assert await w.bot.ended() == 0
        assert table.version == version
        ledger = Ledger(w.database).read()
        ledger.check(w.requests)
        assert ledger.findings == [], "everything that was shown must be in the log"
        assert all(shot.got is None or shot.done for shot in late)


@pytest.mark.thorough
async def test_the_bot_waits_for_a_slow_answer_before_it_stops(tmp_path: Path) -> None:
    async with tables(tmp_path, allow=["code 40060"]) as (w, [table]):
        slow = w.faults.add("POST", CALLBACKS, delay=1.5, times=1)
        shot = table.move()
        await w.bot.until(lambda: slow.hits > 0)
        await _stop(w)
        assert shot.done


@pytest.mark.thorough
async def test_the_bot_stops_even_if_discord_does_not_answer(tmp_path: Path) -> None:
    async with tables(tmp_path, check=False, launch={"WIRE_STOPPING": STOPPING}) as (w, [table]):
        slow = w.faults.add("*", "*", delay=FOREVER)
        table.move()
        await w.bot.until(lambda: slow.hits > 0)
        await _stop(w)


@pytest.mark.thorough
async def test_the_bot_stops_even_if_the_store_is_locked(tmp_path: Path) -> None:
    async with tables(tmp_path, count=4, check=False, launch={"WIRE_STOPPING": STOPPING}) as (w, all_tables):
        with closing(sqlite3.connect(w.database, isolation_level=None)) as connection:
            connection.execute("BEGIN IMMEDIATE")
            for table in all_tables:
                table.move()
            await asyncio.sleep(0.3)
            await _stop(w)
            connection.execute("ROLLBACK")
        assert w.bot.errors([]) == []


@pytest.mark.thorough
@pytest.mark.usefixtures("from_scratch")
async def test_the_bot_can_be_stopped_while_it_is_starting(tmp_path: Path) -> None:
    async with wire(tmp_path, started=False, check=False) as w:
        w.faults.add("GET", "/users/@me", delay=FOREVER)
        await w.start_bot(connect=False)
        await w.bot.until(lambda: w.faults.injected > 0)
        await _stop(w)
        assert w.bot.errors([]) == []
