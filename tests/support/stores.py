"""A store of its own for each test, on each kind of database."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.process.stores import Stores
from tests.support.databases import with_tables
from tests.support.dose import thorough_but


@pytest.fixture(scope="module", autouse=True)
def threads(sqlite_threads: None) -> None:
    """Open connections in threads, as the bot does: these tests are there to find what threads do to the store."""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A path for a database file, in a folder that doesn't exist yet."""
    return tmp_path / "data" / "escoba.sqlite3"


@pytest.fixture(params=thorough_but(["sqlite", "postgresql"], "sqlite"))
def database(request: pytest.FixtureRequest, path: Path) -> str | Path:
    """A database with the current tables and no rows: tests that use it run on a file and again on a server.

    Only CI runs them on a server, except for those marked with `kit.on_both`.
    """
    return with_tables(path) if request.param == "sqlite" else request.getfixturevalue("postgres_url")


@pytest.fixture
async def store(database: str | Path) -> AsyncIterator[Stores]:
    """An open store on a database of either kind, closed at the end."""
    store = await Stores.open(database)
    yield store
    await store.database.close()


@pytest.fixture
async def file_store(path: Path) -> AsyncIterator[Stores]:
    """An open store in a file, for tests of what only files have."""
    store = await Stores.open(with_tables(path))
    yield store
    await store.database.close()


@pytest.fixture
async def server_store(postgres_url: str) -> AsyncIterator[Stores]:
    """An open store on a server, for tests of what only servers have."""
    store = await Stores.open(postgres_url)
    yield store
    await store.database.close()
