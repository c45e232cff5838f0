"""SQLite files that already have the current tables: creating them takes longer than most tests do."""

from __future__ import annotations

import asyncio
import tempfile
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path

from bot.store import Store


def with_tables(path: Path) -> Path:
    """Create a database file with the current tables and no rows, and the folders it needs; returns its path.

    Does nothing if the file exists. The result is what `Store.open` would create.
    """
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(_empty_database())
    return path


@cache
def _empty_database() -> bytes:
    with tempfile.TemporaryDirectory(prefix="escoba-empty-") as folder, ThreadPoolExecutor(1) as thread:
        path = Path(folder) / "escoba.sqlite3"
        thread.submit(asyncio.run, _create(path)).result()  # in a thread: the caller may be inside an event loop
        return path.read_bytes()


async def _create(path: Path) -> None:
    await (await Store.open(path)).close()
