"""Games and small values: they are read as they were written, and a channel has one open game."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from sqlalchemy.exc import StatementError

from bot.platform.database.errors import VersionConflict
from bot.platform.eventlog import LogEntry
from bot.process.stores import Stores
from bot.tables.store.errors import ChannelBusy, UnknownGame
from bot.tables.store.rows import GameRow
from tests.support.store import CHANNEL, GUILD, NOON, OPENER, entries, entry, new_game, on_both, open_game_ids

pytestmark = on_both


async def test_an_opened_game_comes_back_as_it_was_written(store: Stores) -> None:
    game = await new_game(store, log=entries(1, 3))
    assert game == GameRow(game.id, GUILD, CHANNEL, OPENER, "es-ES", NOON, None, None, None)
    assert await store.games.get(game.id) == game
    assert await open_game_ids(store) == [game.id]
    assert await store.games.log(game.id) == entries(1, 3)


async def test_a_game_can_be_opened_without_entries(store: Stores) -> None:
    game = await new_game(store)
    assert await store.games.log(game.id) == []
    await store.games.append(game.id, [entry(1)])
    assert await store.games.log(game.id) == [entry(1)]


@pytest.mark.parametrize("versions", [[2], [0, 1], [1, 3], [2, 1], [1, 1]])
async def test_a_new_log_counts_from_one_without_gaps(store: Stores, versions: list[int]) -> None:
    with pytest.raises(VersionConflict):
        await new_game(store, log=[entry(version) for version in versions])
    assert await open_game_ids(store) == []


async def test_a_channel_has_one_open_game(store: Stores) -> None:
    game = await new_game(store)
    with pytest.raises(ChannelBusy) as raised:
        await new_game(store, log=entries(1, 2))
    assert raised.value.channel_id == CHANNEL
    assert raised.value.code == "channel_busy"
    assert await open_game_ids(store) == [game.id]


async def test_a_channel_is_free_again_when_its_game_is_closed(store: Stores) -> None:
    first = await new_game(store)
    await store.games.append(first.id, [], close=True)
    second = await new_game(store)
    assert second.id > first.id
    assert await open_game_ids(store) == [second.id]


async def test_it_is_known_whether_somebody_has_opened_another_game_on_the_server_since(store: Stores) -> None:
    first, other = await new_game(store), 77
    assert not await store.games.opened_since(first, [OPENER, other])
    await new_game(store, CHANNEL + 1)
    assert await store.games.opened_since(first, [other, OPENER])
    assert not await store.games.opened_since(first, [other])
    assert not await store.games.opened_since(replace(first, guild_id=GUILD + 1), [OPENER])


async def test_of_several_openings_at_once_one_succeeds(store: Stores, database: str | Path) -> None:
    other = await Stores.open(database)
    try:
        outcomes = await asyncio.gather(
            *(new_game(each, log=entries(1, 2)) for each in (store, other) * 5), return_exceptions=True
        )
    finally:
        await other.database.close()
    games = [outcome for outcome in outcomes if isinstance(outcome, GameRow)]
    assert len(games) == 1
    assert sum(isinstance(outcome, ChannelBusy) for outcome in outcomes) == 9
    assert await open_game_ids(store) == [each.id for each in games]


async def test_open_games_come_in_the_order_of_their_opening(store: Stores) -> None:
    games = [await new_game(store, channel) for channel in (30, 10, 20)]
    await store.games.append(games[1].id, [], close=True)
    assert await open_game_ids(store) == [games[0].id, games[2].id]


async def test_the_message_of_a_game_is_remembered_and_forgotten(store: Stores) -> None:
    game = await new_game(store)
    await store.games.set_message(game.id, 77, NOON)
    changed = await store.games.get(game.id)
    assert changed is not None
    assert (changed.message_id, changed.message_at) == (77, NOON)
    await store.games.set_message(game.id, None, None)
    assert await store.games.get(game.id) == game


async def test_a_game_that_moves_is_in_its_new_channel_without_a_message(store: Stores) -> None:
    game = await new_game(store)
    await store.games.set_message(game.id, 77, NOON)
    await store.games.append(game.id, [entry(1)], moved_to=900)
    assert await store.games.get(game.id) == replace(game, channel_id=900)
    assert await store.games.log(game.id) == [entry(1)]
    other = await new_game(store)
    assert await open_game_ids(store) == [game.id, other.id]


async def test_no_game_moves_to_a_channel_that_has_one(store: Stores) -> None:
    game, there = await new_game(store), await new_game(store, 900)
    with pytest.raises(ChannelBusy):
        await store.games.append(game.id, [entry(1)], moved_to=900)
    assert await store.games.get(game.id) == game
    assert await store.games.log(game.id) == []
    await store.games.append(there.id, [], close=True)
    await store.games.append(game.id, [entry(1)], moved_to=900)


async def test_the_language_of_a_game_is_remembered(store: Stores) -> None:
    game, other = await new_game(store), await new_game(store, 5)
    await store.games.set_locale(game.id, "es-419")
    changed = await store.games.get(game.id)
    assert changed is not None
    assert changed.locale == "es-419" != game.locale
    assert await store.games.get(other.id) == other
    with pytest.raises(UnknownGame):
        await store.games.set_locale(99, "es-419")


async def test_unknown_games_are_named(store: Stores) -> None:
    assert await store.games.get(5) is None
    assert await store.games.log(5) == []
    with pytest.raises(UnknownGame) as raised:
        await store.games.set_message(5, 77, NOON)
    assert raised.value.game_id == 5
    with pytest.raises(UnknownGame):
        await store.games.append(5, [entry(1)])
    with pytest.raises(UnknownGame):
        await store.games.append(5, [], close=True)


async def test_timestamps_of_any_zone_come_back_as_the_same_time_in_utc(store: Stores) -> None:
    madrid = datetime(2026, 7, 1, 0, 30, tzinfo=timezone(timedelta(hours=2)))
    game = await new_game(store, log=[LogEntry(1, "laid", "", madrid)])
    [logged] = await store.games.log(game.id)
    assert logged.at == madrid
    assert logged.at.tzinfo is UTC
    assert logged.at.hour == 22


async def test_a_timestamp_without_a_zone_is_refused(store: Stores) -> None:
    game = await new_game(store)
    with pytest.raises(StatementError, match="aware"):
        await store.games.set_message(game.id, 77, NOON.replace(tzinfo=None))
    assert await store.games.get(game.id) == game


async def test_texts_come_back_exactly(store: Stores) -> None:
    body = "7o\n ñandú 🂡 '\"; DROP TABLE games; -- \\ %s :a ?\t"
    game = await new_game(store, log=[LogEntry(1, "claimed", body, NOON)])
    assert [each.body for each in await store.games.log(game.id)] == [body]


async def test_a_small_value_can_be_set_replaced_kept_and_deleted(store: Stores, database: str | Path) -> None:
    assert await store.values.get("commands") is None
    await store.values.set("commands", "a")
    await store.values.set("commands", "b")
    await store.values.set("other", "c")
    assert not await store.values.add("other", "d")
    assert await store.values.add("new", "e")
    assert not await store.values.add("new", "f", instead_of="d")
    assert await store.values.add("new", "g", instead_of="e")
    await store.values.set("gone", "h")
    assert not await store.values.add("new", "h", instead_of="e", along={"other": "i", "along": "i"})
    assert (await store.values.get("other"), await store.values.get("along")) == ("c", None)
    assert await store.values.add("new", "h", instead_of="g", along={"gone": None, "along": "i"})
    assert (await store.values.get("gone"), await store.values.get("along")) == (None, "i")
    await store.database.close()
    again = await Stores.open(database)
    assert await again.values.get("commands") == "b"
    assert (await again.values.get("other"), await again.values.get("new")) == ("c", "h")
    await again.values.set("other", None)
    await again.values.set("other", None)
    assert await again.values.get("other") is None
    await again.database.close()


async def test_many_games_and_logs_are_read_as_if_one_by_one(store: Stores) -> None:
    ids = [(await new_game(store, channel, entries(1, channel))).id for channel in (1, 2, 3)]
    await store.games.set_message(ids[0], 77, NOON)
    found = await store.games.with_logs([ids[2], ids[0], 99])
    assert found == {
        game_id: (await store.games.get(game_id), await store.games.log(game_id)) for game_id in (ids[0], ids[2])
    }
    assert await store.games.with_logs([]) == {}


async def test_small_values_are_found_by_the_prefix_of_their_keys(store: Stores) -> None:
    for key in ("a:1", "a:22", "a_3", "b:1"):
        await store.values.set(key, f"value of {key}")
    assert await store.values.of("a:") == {"1": "value of a:1", "22": "value of a:22"}
    assert await store.values.of("a_") == {"3": "value of a_3"}
    assert await store.values.of("c") == {}
