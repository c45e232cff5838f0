"""SQLite does the same without threads as with them."""

import asyncio
import sqlite3
import threading
from pathlib import Path

import aiosqlite
import pytest


async def test_a_call_takes_effect_in_a_later_turn_of_the_loop_even_if_nobody_awaits_it(
    tmp_path: Path,
) -> None:
    threads = threading.active_count()
    async with aiosqlite.connect(tmp_path / "file") as connection:
        await connection.execute("CREATE TABLE told (what TEXT)")
        waiting = asyncio.ensure_future(connection.execute("INSERT INTO told VALUES ('anyway')"))
        await asyncio.sleep(0)
        assert not connection.in_transaction
        waiting.cancel()
        await asyncio.sleep(0)
        assert waiting.cancelled()
        assert list(await connection.execute_fetchall("SELECT what FROM told")) == [("anyway",)]
        assert threading.active_count() == threads


async def test_an_error_reaches_whoever_waits(tmp_path: Path) -> None:
    async with aiosqlite.connect(tmp_path / "file") as connection:
        with pytest.raises(sqlite3.OperationalError, match="no such table"):
            await connection.execute("SELECT * FROM told")
