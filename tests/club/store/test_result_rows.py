"""The rows of a server's results: the latest first, with neither the id nor the name of anybody who was erased."""

from dataclasses import replace

from bot.platform.eventlog import LogEntry
from bot.platform.people import NOBODY
from bot.process.stores import Stores
from tests.support.store import CHANNEL, GUILD, NOON, match_result, new_game, player_result


async def play(store: Stores, count: int) -> None:
    """Play `count` matches on each of two servers, in turn."""
    for number in range(count):
        for guild_id in (GUILD, GUILD + 1):
            game = await new_game(store, CHANNEL + number * 2 + (guild_id != GUILD))
            players = [player_result(0, 1, won=True, points=number), player_result(1, 2), player_result(2, None)]
            await store.games.append(game.id, [], result=match_result(players, guild_id=guild_id), close=True)


async def test_the_latest_results_of_a_server_come_first(store: Stores) -> None:
    await play(store, 3)
    ids, total = await store.results.latest(GUILD, 2)
    assert total == 3
    assert ids == sorted(ids, reverse=True)
    rows = await store.results.of(ids)
    assert [(row.result_id, row.user_id) for row in rows] == [(each, user) for each in ids for user in (1, 2, None)]
    assert [row.points for row in rows if row.won] == [2, 1]
    assert {row.name for row in rows if row.user_id is None} == {"computer"}


async def test_a_server_without_results_has_no_rows(store: Stores) -> None:
    assert await store.results.latest(GUILD, 2) == ([], 0)
    assert await store.results.of([]) == []


async def test_an_erased_person_has_neither_id_nor_name_in_the_rows(store: Stores) -> None:
    await play(store, 1)
    await store.personal_data.forget(1, lambda game_id: lambda kind, body: None, NOON)
    rows = await store.results.of((await store.results.latest(GUILD, 9))[0])
    assert [(row.user_id, row.name) for row in rows] == [(None, NOBODY), (2, "user 2"), (None, "computer")]


async def test_the_results_of_a_duplicate_tournament_come_once_it_is_over(store: Stores) -> None:
    entry = LogEntry(1, "announced", "{}", NOON)
    row = await store.tournaments.open(
        guild_id=GUILD, channel_id=CHANNEL, organiser_id=1, locale="en", at=NOON, entries=[entry]
    )
    for table, friendly in enumerate((True, False), start=1):
        game = await store.games.open(
            guild_id=GUILD,
            channel_id=CHANNEL + table,
            opener_id=1,
            locale="en",
            at=NOON,
            entries=[],
            fixture=(row.id, f"1.{table}"),
        )
        players = [player_result(0, 1, won=True), player_result(1, 2)]
        result = match_result(players, ranked=not friendly, friendly=friendly)
        await store.games.append(game.id, [], result=result, close=True)
    ids, total = await store.results.latest(GUILD, 9)
    assert (len(ids), total) == (1, 1), "the result from a table that plays cards of its own"
    await store.tournaments.append(row.id, [replace(entry, version=2)], close=True)
    ids, total = await store.results.latest(GUILD, 9)
    assert (len(ids), total) == (2, 2)
