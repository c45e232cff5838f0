"""A bot whose database hangs still ends in time, whatever stage it has reached, and at once if it is told twice."""

import signal
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tests.support.hanging import between
from tests.wire.world import Wire, wire

PROMISED_SECONDS = 10.0
SHORT = "1.0"
"""Seconds that stopping may take in tests that don't need the bot's usual time: the process ends one way or another."""


@asynccontextmanager
async def hung(
    folder: Path, url: str, *, connected: bool = True, stopping: str = SHORT, command: str = "run"
) -> AsyncIterator[Wire]:
    """A bot that waits for an answer from its database, with a command under way if it is `connected`."""
    launch = {"WIRE_STOPPING": stopping, "WIRE_COMMAND": command}
    async with (
        between(url, folder / "server") as server,
        wire(folder, 1, started=connected, check=False, database=server.url, launch=launch) as w,
    ):
        if connected:
            await w.settle()
        server.hang()
        if connected:
            w.send_slash(w.people[0], w.channels[0], "escoba play")
        else:
            await w.start_bot(connect=False)
        await w.bot.until(lambda: server.swallowed > 0)
        yield w


async def in_time(w: Wire, seconds: float = PROMISED_SECONDS) -> int | None:
    """Wait for the end, for as long as is promised; returns the exit code, None if the bot had to be killed."""
    return await w.bot.ended(seconds)


@pytest.mark.parametrize("connected", [True, False])
async def test_it_stops_while_the_database_hangs(tmp_path: Path, postgres_url: str, connected: bool) -> None:
    async with hung(tmp_path, postgres_url, connected=connected) as w:
        w.bot.signal(signal.SIGTERM)
        assert await in_time(w) == 0
        assert w.log_has("WARNING bot.process.ending: Something isn't responding and holds up the shutdown")
        assert w.bot.errors([]) == []


@pytest.mark.thorough
async def test_it_exits_with_the_reason_if_discord_refuses_it_while_the_database_hangs(
    tmp_path: Path, postgres_url: str
) -> None:
    async with hung(tmp_path, postgres_url) as w:
        await w.gateway.close(4014)
        assert await in_time(w, 2 * PROMISED_SECONDS) == 2, "nobody has asked it to stop, so nobody is waiting"
        assert w.log_has("ERROR +bot.process.serve: Discord doesn't allow this bot an intent")


async def test_a_second_signal_ends_it_at_once(tmp_path: Path, postgres_url: str) -> None:
    async with hung(tmp_path, postgres_url, stopping="60") as w:
        w.bot.signal(signal.SIGTERM)
        await w.bot.until(lambda: w.log_has("bot.process.serve: Stopping"))
        began = time.monotonic()
        w.bot.signal(signal.SIGINT)
        assert await in_time(w) == 128 + signal.SIGINT
        assert time.monotonic() - began < PROMISED_SECONDS / 2
