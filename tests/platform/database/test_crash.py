"""Crashes: after a kill, everything that was reported as written is there, and nothing is half written."""

import asyncio
import itertools
import os
from collections.abc import Awaitable, Callable
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from bot.process.stores import Stores
from bot.training.store.rows import DayAnswer
from tests.platform.database.processes import FORKING
from tests.support.dose import thorough_but
from tests.support.store import (
    GUILD,
    NOON,
    entries,
    entry,
    integrity_errors,
    match_result,
    new_game,
    open_game_ids,
    player_result,
    rows,
)

Say = Callable[[str], None]
Program = Callable[[Stores, Say], Awaitable[None]]


async def play(store: Stores, say: Say) -> None:
    game = await new_game(store)
    version = 0
    while True:
        result = match_result([player_result(0, 1), player_result(1, 2)])
        await store.games.append(game.id, entries(version + 1, version + 3), result=result)
        version += 3
        say(f"{version}")


async def play_many(store: Stores, say: Say) -> None:
    async def play_at(game_id: int) -> None:
        version = 0
        while True:
            more = 1 + (game_id + version) % 3
            await store.games.append(game_id, entries(version + 1, version + more))
            version += more
            say(f"{game_id} {version}")

    games = [await new_game(store, channel) for channel in range(20)]
    await asyncio.gather(*(play_at(game.id) for game in games))


async def answer(store: Stores, say: Say) -> None:
    for user_id in itertools.count(1):
        await store.answers.give(DayAnswer(NOON.date(), user_id, GUILD, "", "first", 0, True, NOON))
        say(f"{user_id}")


def run(program: Program, database: str, output: Connection) -> None:
    """The body of the process that will be killed."""

    async def main() -> None:
        with os.fdopen(output.fileno(), "w", closefd=False) as pipe:
            await program(await Stores.open(database), lambda line: print(line, file=pipe, flush=True))

    asyncio.run(main())


def output_until_killed(database: str | Path, program: Program, said: int) -> list[str]:
    """Everything that a process wrote, in lines; it is killed once it has written `said` of them."""
    reader, writer = FORKING.Pipe(duplex=False)
    child = FORKING.Process(target=run, args=(program, str(database), writer))
    child.start()
    writer.close()
    with os.fdopen(os.dup(reader.fileno())) as output:
        reader.close()
        lines = list(itertools.islice(output, said))
        child.kill()
        lines += output.readlines()
    child.join()
    child.close()
    return lines


@pytest.mark.parametrize("said", thorough_but([1, 60], 60))
async def test_a_killed_bot_keeps_all_it_reported_and_nothing_half_written(database: str | Path, said: int) -> None:
    lines = output_until_killed(database, play, said)

    store = await Stores.open(database)
    [game_id] = await open_game_ids(store)
    log = await store.games.log(game_id)
    assert log == [entry(version) for version in range(1, len(log) + 1)]
    assert len(log) >= int(lines[-1])
    assert len(log) % 3 == 0
    assert rows(database, "SELECT version FROM results") == [(version,) for version in range(3, len(log) + 1, 3)]
    assert rows(database, "SELECT count(*) FROM result_players") == [(len(log) // 3 * 2,)]
    assert integrity_errors(database) == []
    await store.games.append(game_id, [entry(len(log) + 1)])
    await store.database.close()


@pytest.mark.parametrize("said", thorough_but([1, 150], 150))
async def test_a_bot_killed_at_many_tables_keeps_every_move_it_reported(database: str | Path, said: int) -> None:
    lines = output_until_killed(database, play_many, said)
    told: dict[int, int] = {}
    for line in lines:
        if line.endswith("\n"):
            game_id, _, version = line.partition(" ")
            told[int(game_id)] = int(version)

    store = await Stores.open(database)
    games = await open_game_ids(store)
    assert len(games) == 20
    for game_id in games:
        log = await store.games.log(game_id)
        assert log == [entry(version) for version in range(1, len(log) + 1)]
        assert len(log) >= told.get(game_id, 0)
        length = 0
        while length < len(log):
            length += 1 + (game_id + length) % 3
        assert length == len(log), "an append is there in full or not at all"
        await store.games.append(game_id, [entry(len(log) + 1)])
    assert integrity_errors(database) == []
    await store.database.close()


async def test_a_kill_loses_no_answer_to_a_days_position_and_counts_none_twice(path: Path):
    told = [int(line) for line in output_until_killed(path, answer, 30) if line.endswith("\n")]
    store = await Stores.open(path)
    try:
        stands = [
            await store.answers.give(DayAnswer(NOON.date(), user_id, GUILD, "", "second", 0, True, NOON))
            for user_id in range(1, told[-1] + 3)
        ]
        shares = (await store.answers.record(1, NOON.date(), NOON.date(), 1)).shares
    finally:
        await store.database.close()
    assert {each.user_id for each in stands if each.move == "first"} >= set(told)
    assert sum(shares.values()) == len(stands)
    assert integrity_errors(path) == []
