"""The servers that have the day's position posted in a channel."""

from dataclasses import replace
from datetime import date

import pytest

from bot.platform.shards import Shards
from bot.process.stores import Stores
from bot.training.store.days import DayChannel, Stopped
from tests.support.store import GUILD, NOON, new_game

CHOSEN = DayChannel(GUILD, 12, 18, "es-ES")
POSTED = replace(CHOSEN, message_id=2**60, day=date(2026, 3, 14), unused=1)


@pytest.mark.parametrize("row", [CHOSEN, POSTED, replace(POSTED, stopped=Stopped.FORBIDDEN)])
async def test_a_servers_row_is_as_it_was_stored_last(store: Stores, row: DayChannel) -> None:
    await store.day_channels.put(replace(CHOSEN, channel_id=99, hour=3))
    await store.day_channels.put(row)
    assert await store.day_channels.all() == [await store.day_channels.get(GUILD)] == [row]
    await store.day_channels.drop(GUILD)
    await store.day_channels.drop(GUILD)
    assert await store.day_channels.all() == []
    assert await store.day_channels.get(GUILD) is None


async def test_each_process_reads_those_of_its_own_shards(store: Stores) -> None:
    rows = [replace(CHOSEN, guild_id=number << 22) for number in range(1, 5)]
    for row in rows:
        await store.day_channels.put(row)
    assert await store.day_channels.all(Shards.parse("1/2")) == [rows[0], rows[2]]


async def test_a_servers_row_is_deleted_with_the_server_even_if_there_is_nothing_else(store: Stores) -> None:
    elsewhere = replace(CHOSEN, guild_id=GUILD + 1)
    for row in (CHOSEN, elsewhere):
        await store.day_channels.put(row)
    await new_game(store)
    assert await store.kept.guilds() == [GUILD, GUILD + 1]
    await store.kept.depart([GUILD + 1], NOON)
    assert await store.kept.drop_rest(GUILD + 1, [])
    assert await store.day_channels.all() == [CHOSEN]
    assert await store.kept.guilds() == [GUILD]
