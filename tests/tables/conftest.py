"""Fixtures: halls whose stores are in files of the test's own."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.tables.live.chance import Chance
from bot.tables.log.pace import Pace
from bot.tables.options import LobbyLimits
from tests.support.databases import with_tables
from tests.support.tables.hall import PACE, Build, Hall


@pytest.fixture
async def build(tmp_path: Path) -> AsyncIterator[Build]:
    """Builds halls, each with its own file, and closes them after the test."""
    halls: list[Hall] = []

    async def make(
        pace: Pace = PACE,
        chance: Chance | None = None,
        limits: LobbyLimits | None = None,
        *,
        watched: bool = False,
        off: float = 0.0,
    ) -> Hall:
        path = with_tables(tmp_path / f"{len(halls)}.sqlite3")
        halls.append(await Hall.build(path, pace, chance, limits, watched=watched, off=off))
        return halls[-1]

    yield make
    for hall in halls:
        await hall.close()


@pytest.fixture
async def hall(build: Build) -> Hall:
    """A hall at the usual pace."""
    return await build()
