"""SQLite files that already have the current tables: creating them takes longer than most tests do."""

import asyncio
import sys
import tempfile
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from bot.platform.database.tools.transfer import transfer
from bot.process.stores import Stores


def with_tables(path: Path) -> Path:
    """Create a database file with the current tables and no rows, and the folders it needs; returns its path.

    Does nothing if the file exists. The result is what `Stores.open` would create.
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
    await (await Stores.open(path)).database.close()


@contextmanager
def tables_looked_at_once() -> Generator[None]:
    """In the block, copies inspect the tables of each dialect and version once: that takes longer than a small copy."""
    known: dict[tuple[str, object], Any] = {}
    with pytest.MonkeyPatch.context() as patch:
        module = sys.modules[transfer.__module__]
        look = module._tables

        def tables(connection: sa.Connection) -> Any:
            which = connection.dialect.name, connection.scalar(sa.text("SELECT version_num FROM escoba_version"))
            if which not in known:
                known[which] = look(connection)
            return known[which]

        patch.setattr(module, "_tables", tables)
        yield
