"""Crashes: whatever was said to be written is there after a kill, and nothing is there by half."""

from __future__ import annotations

import itertools
import subprocess
import sys
from pathlib import Path

import pytest

from bot.store import Store
from tests.store.kit import child_environment, entry, rows

_PLAY = """
import asyncio, sys
from bot.store import Store
from tests.store.kit import entries, match, opened, player
async def main():
    store = await Store.open(sys.argv[1])
    game = await opened(store)
    version = 0
    while True:
        result = match([player(0, 1), player(1, 2)])
        await store.append(game.id, entries(version + 1, version + 3), result=result)
        version += 3
        print(version, flush=True)
asyncio.run(main())
"""


@pytest.mark.parametrize("said", [1, 40, 150])
async def test_a_killed_bot_has_what_it_said_and_nothing_by_half(path: Path, said: int) -> None:
    child = subprocess.Popen(  # noqa: ASYNC220 - the child has to die at once, with nothing in between
        [sys.executable, "-c", _PLAY, str(path)],
        stdout=subprocess.PIPE,
        env=child_environment(),
        text=True,
    )
    assert child.stdout is not None
    lines = list(itertools.islice(child.stdout, said))
    child.kill()
    lines += child.stdout.readlines()
    child.stdout.close()
    child.wait()

    store = await Store.open(path)
    [game_id] = await store.open_games()
    log = await store.log(game_id)
    assert log == [entry(version) for version in range(1, len(log) + 1)]
    assert len(log) >= int(lines[-1])
    assert len(log) % 3 == 0
    assert rows(path, "SELECT version FROM results") == [(version,) for version in range(3, len(log) + 1, 3)]
    assert rows(path, "SELECT count(*) FROM result_players") == [(len(log) // 3 * 2,)]
    assert rows(path, "PRAGMA integrity_check") == [("ok",)]
    await store.append(game_id, [entry(len(log) + 1)])
    await store.close()
