"""A person's open matches: from memory or from their logs, and without those that can't be read."""

import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from bot.platform.shards import Shards
from bot.tables.live.manager import TableManager
from bot.tables.live.running import RunningMatch, running_matches
from bot.tables.log.actions import AddComputer, Leave, Start
from bot.tables.log.events import Config, Phase
from bot.tables.log.pace import Tempo
from tests.support.tables.hall import Hall, move_by
from tests.support.tables.kit import ANA, BEA, GUILD, config_of


@pytest.fixture
async def hall(tmp_path: Path) -> AsyncIterator[Hall]:
    made = await Hall.build(tmp_path / "escoba.sqlite3")
    yield made
    await made.close()


async def listed(hall: Hall, manager: TableManager | None = None) -> list[RunningMatch]:
    """Ana's matches, as this process lists them."""
    rows = await hall.store.games.running(ANA.id)
    return await running_matches(hall.store.games, hall.manager if manager is None else manager, rows, ANA.id)


def change(hall: Hall, game_id: int, values: str) -> None:
    """Change stored entries of a game, from outside the bot."""
    with closing(sqlite3.connect(hall.path)) as connection, connection:
        connection.execute(f"update events set {values} where game_id = {game_id} and version = 2")  # noqa: S608 - its own


async def test_those_that_wait_for_the_person_come_first_and_lobbies_last(hall: Hall) -> None:
    lobby = await hall.lobby(ANA, channel=1)
    tables = [await hall.match(ANA, BEA, channel=channel) for channel in (2, 3, 4)]
    waiting = tables[0].awaited == ANA.id
    await tables[1].submit(move_by(tables[1]))
    told = await listed(hall)
    assert [each.waits for each in told] == ([True, True] if waiting else [True]) + [False] * (2 if waiting else 3)
    assert told[-1].game_id == lobby.id
    assert not told[-1].begun
    assert [each.deadline is not None for each in told] == [True] * 3 + [False]


@pytest.mark.parametrize("many", [26, 40, 60])
async def test_all_of_them_are_listed_whatever_their_number_and_the_soonest_deadline_first(
    hall: Hall, many: int
) -> None:
    tempos = (Tempo.WEEK, Tempo.DAY, Tempo.THREE_DAYS)
    for channel in range(many):
        config = replace(config_of(), tempo=tempos[channel % 3])
        table = await hall.match(ANA, BEA, config=config, channel=channel + 1)
        if table.awaited != ANA.id:
            await table.submit(move_by(table))
        await hall.clock.advance(600)
    told = await listed(hall)
    assert len(told) == many
    assert all(each.waits for each in told)
    deadlines = [each.deadline for each in told if each.deadline]
    assert len(deadlines) == many
    assert deadlines == sorted(deadlines)
    others = await listed(hall, hall.make_manager(Shards((1 - Shards((0,), 2).of(GUILD),), 2)))
    assert [each.game_id for each in others] == [each.game_id for each in told], "asleep, from logs and tempos"


async def test_whoever_was_invited_finds_the_lobby_but_no_match_that_has_begun_without_them(hall: Hall) -> None:
    table = await hall.manager.open(
        guild_id=GUILD, channel_id=1, opener=BEA, config=Config(), locale="es-ES", invited=(BEA, ANA)
    )
    assert [each.own for each in await listed(hall)] == [None]
    await table.submit(AddComputer(BEA, table.version))
    await table.submit(Start(BEA, table.version))
    assert table.phase is Phase.PLAYING
    assert await listed(hall) == []
    assert await listed(hall, hall.make_manager()) == []


async def test_asleep_or_awake_a_match_is_the_same_but_for_its_deadline(hall: Hall) -> None:
    for channel in (1, 2):
        await hall.match(ANA, BEA, channel=channel)
    awake, asleep = (
        await listed(hall),
        await listed(hall, hall.make_manager(Shards((1 - Shards((0,), 2).of(GUILD),), 2))),
    )
    assert [each.ours for each in (*awake, *asleep)] == [True, True, False, False]
    assert all(each.deadline is None for each in asleep)
    whose = [{(each.game_id, each.own, each.turn, each.seats) for each in some} for some in (awake, asleep)]
    assert whose[0] == whose[1]


async def test_what_cannot_be_read_is_left_out_and_so_is_a_seat_that_was_given_up(
    hall: Hall, caplog: pytest.LogCaptureFixture
) -> None:
    damaged, newer, undated, left, kept = [await hall.match(ANA, BEA, channel=channel) for channel in range(1, 6)]
    await left.submit(Leave(ANA))
    change(hall, damaged.id, "body = '['")
    change(hall, newer.id, "kind = 'juggled'")
    other = hall.make_manager()
    assert {each.game_id for each in await listed(hall, other)} == {undated.id, kept.id}
    assert f"Game {damaged.id} can't be replayed" in caplog.text
    change(hall, undated.id, "at = 'never'")
    assert await listed(hall, other) == []
    assert "Open games can't be listed" in caplog.text
    assert {each.game_id for each in await listed(hall)} >= {undated.id, kept.id}, "those that are awake still are"
