"""Crashes: after a kill everything that was reported as written is there, and nothing is half written."""

from __future__ import annotations

import itertools
import subprocess
import sys
from pathlib import Path

import pytest

from bot.store import DayAnswer, Store
from tests.store.kit import GUILD, NOON, child_environment, entry, integrity_errors, open_game_ids, rows
from tests.support.databases import with_tables

_PLAY = """
import asyncio, sys
from bot.store import Store
from tests.store.kit import entries, match_result, new_game, player_result
async def main():
    store = await Store.open(sys.argv[1])
    game = await new_game(store)
    version = 0
    while True:
        result = match_result([player_result(0, 1), player_result(1, 2)])
        await store.append(game.id, entries(version + 1, version + 3), result=result)
        version += 3
        print(version, flush=True)
asyncio.run(main())
"""


_PLAY_MANY = """
import asyncio, sys
from bot.store import Store
from tests.store.kit import entries, new_game
async def play(store, game_id):
    version = 0
    while True:
        more = 1 + (game_id + version) % 3
        await store.append(game_id, entries(version + 1, version + more))
        version += more
        print(game_id, version, flush=True)
async def main():
    store = await Store.open(sys.argv[1])
    games = [await new_game(store, channel) for channel in range(20)]
    await asyncio.gather(*(play(store, game.id) for game in games))
asyncio.run(main())
"""


_ANSWER = """
import asyncio, itertools, sys
from bot.store import DayAnswer, Store
from tests.store.kit import GUILD, NOON
async def main():
    store = await Store.open(sys.argv[1])
    for user_id in itertools.count(1):
        await store.answers.give(DayAnswer(NOON.date(), user_id, GUILD, "", "first", 0, True, NOON))
        print(user_id, flush=True)
asyncio.run(main())
"""


def output_until_killed(database: str | Path, program: str, said: int) -> list[str]:
    """The lines that a process printed which was killed once it had printed `said` of them."""
    child = subprocess.Popen(
        [sys.executable, "-c", program, str(database)],
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
    return lines


@pytest.mark.parametrize("said", [1, 40, 150])
async def test_a_killed_bot_keeps_all_it_reported_and_nothing_half_written(database: str | Path, said: int) -> None:
    lines = output_until_killed(database, _PLAY, said)

    store = await Store.open(database)
    [game_id] = await open_game_ids(store)
    log = await store.log(game_id)
    assert log == [entry(version) for version in range(1, len(log) + 1)]
    assert len(log) >= int(lines[-1])
    assert len(log) % 3 == 0
    assert rows(database, "SELECT version FROM results") == [(version,) for version in range(3, len(log) + 1, 3)]
    assert rows(database, "SELECT count(*) FROM result_players") == [(len(log) // 3 * 2,)]
    assert integrity_errors(database) == []
    await store.append(game_id, [entry(len(log) + 1)])
    await store.close()


@pytest.mark.parametrize("said", [1, 30, 300])
async def test_a_bot_killed_at_many_tables_keeps_every_move_it_reported(database: str | Path, said: int) -> None:
    lines = output_until_killed(database, _PLAY_MANY, said)
    told: dict[int, int] = {}
    for line in lines:
        if line.endswith("\n"):
            game_id, _, version = line.partition(" ")
            told[int(game_id)] = int(version)

    store = await Store.open(database)
    games = await open_game_ids(store)
    assert len(games) == 20
    for game_id in games:
        log = await store.log(game_id)
        assert log == [entry(version) for version in range(1, len(log) + 1)]
        assert len(log) >= told.get(game_id, 0)
        length = 0
        while length < len(log):
            length += 1 + (game_id + length) % 3
        assert length == len(log), "an append is there as a whole"
        await store.append(game_id, [entry(len(log) + 1)])
    assert integrity_errors(database) == []
    await store.close()


async def test_a_kill_loses_no_answer_to_a_days_position_and_counts_none_twice(path: Path):
    told = [int(line) for line in output_until_killed(with_tables(path), _ANSWER, 30) if line.endswith("\n")]
    store = await Store.open(path)
    try:
        stands = [
            await store.answers.give(DayAnswer(NOON.date(), user_id, GUILD, "", "second", 0, True, NOON))
            for user_id in range(1, told[-1] + 3)
        ]
        shares = (await store.answers.record(1, NOON.date(), NOON.date(), 1)).shares
    finally:
        await store.close()
    assert {each.user_id for each in stands if each.move == "first"} >= set(told)
    assert sum(shares.values()) == len(stands)
    assert integrity_errors(path) == []
