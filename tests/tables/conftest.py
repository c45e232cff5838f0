"""Halls whose store is a file of the test's own; its tables are made once for all of them."""

from __future__ import annotations

import asyncio
import gc
import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.store import Store
from bot.tables.pace import Pace

from .hall import PACE, Build, Hall
from .kit import Stacked


@pytest.fixture(scope="session")
def empty_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with its tables and nothing in them: making one takes longer than copying it."""
    path = tmp_path_factory.mktemp("empty") / "escoba.sqlite3"

    async def make() -> None:
        await (await Store.open(path)).close()

    asyncio.run(make())
    gc.freeze()  # the collection after each of these tests needn't look at all that was imported: it is half their time
    return path


@pytest.fixture
async def build(tmp_path: Path, empty_database: Path) -> AsyncIterator[Build]:
    """Makes halls, each in a file of its own, and closes them."""
    halls: list[Hall] = []

    async def make(pace: Pace = PACE, chance: Stacked | None = None) -> Hall:
        path = tmp_path / f"{len(halls)}.sqlite3"
        shutil.copyfile(empty_database, path)
        halls.append(await Hall.build(path, pace, chance))
        return halls[-1]

    yield make
    for hall in halls:
        await hall.close()


@pytest.fixture
async def hall(build: Build) -> Hall:
    """A hall at the usual pace."""
    return await build()
