"""A store of its own for each test."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.store import Store


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where the database is; its folder is missing at first."""
    return tmp_path / "data" / "escoba.sqlite3"


@pytest.fixture
async def store(path: Path) -> AsyncIterator[Store]:
    """An open store, closed at the end."""
    store = await Store.open(path)
    yield store
    await store.close()
