"""Tables of several processes on one database: each serves its own, and does the work that others leave to it."""

import asyncio
from datetime import datetime, timedelta
from typing import Any

import pytest

from bot.platform.database.errors import Fault, StoreUnavailable
from bot.platform.database.news import News
from bot.platform.people import Person
from bot.platform.settings.documents import PreferencesCache
from bot.platform.shards import Shards
from bot.privacy.live.erasure import erase, erase_due
from bot.privacy.live.retention import GONE_DAYS, Retention
from bot.process.service import RETRY_SECONDS, NewsReader
from bot.tables.live.manager import TableManager
from bot.tables.live.table import Table
from bot.tables.log.actions import Join
from bot.tables.log.events import Config
from bot.tables.log.pace import DAY
from bot.tables.refusals import TableRefusal
from bot.tables.settings import TablePreferences, TurnNotice, turn_notice
from bot.tables.store.digests import OwedNotices
from bot.tables.store.rows import GameRow
from tests.support.tables.hall import Hall
from tests.support.tables.kit import ANA, BEA, CLO, GUILD, refused

OWN = Shards(((GUILD >> 22) % 4,), 4)
OTHERS = Shards(tuple(number for number in range(4) if number not in OWN.numbers), 4)
ELSEWHERE = GUILD + (1 << 22)


def process(hall: Hall, shards: Shards) -> TableManager:
    """The table manager of a process with these shards."""
    return hall.make_manager(shards)


async def opened(tables: TableManager, guild_id: int, channel: int, opener: Person = ANA) -> Table:
    return await tables.open(guild_id=guild_id, channel_id=channel, opener=opener, config=Config(), locale="es-ES")


async def test_each_process_restores_the_tables_of_its_own_shards(hall: Hall):
    own, other = process(hall, OWN), process(hall, OTHERS)
    here, there = await opened(own, GUILD, 5), await opened(other, ELSEWHERE, 6)
    for shards, table in ((OWN, here), (OTHERS, there)):
        again = process(hall, shards)
        await again.load(hall.brought_back.append)
        assert len(again) == 1
        await again.bring_back()
        assert [each.id for each in again.within()] == [table.id]
        assert dict(again.by_guild()) == {table.guild_id: 1}


async def test_a_table_that_the_previous_process_opened_last_of_all_is_found(hall: Hall):
    before, after = process(hall, OWN), process(hall, OWN)
    await after.load(hall.brought_back.append)
    table = await opened(before, GUILD, 5)
    assert after.at(5) is None
    with refused(TableRefusal.CHANNEL_BUSY):
        await opened(after, GUILD, 5, BEA)
    await after.wake_at(5)
    found = after.at(5)
    assert found is not None
    assert found.id == table.id


async def test_a_table_being_opened_here_is_not_taken_for_another_processs(hall: Hall, monkeypatch: pytest.MonkeyPatch):
    tables, asked, gate = process(hall, OWN), asyncio.Event(), asyncio.Event()
    open_game = hall.store.games.open

    async def slowly(**values: Any) -> GameRow:
        row = await open_game(**values)
        asked.set()
        await gate.wait()
        return row

    monkeypatch.setattr(hall.store.games, "open", slowly)
    opening = asyncio.create_task(opened(tables, GUILD, 5))
    await asked.wait()
    [game] = await hall.store.games.open_games("match", OWN)
    assert await tables.find(game.id) is None
    gate.set()
    table = await opening
    assert (len(tables), await tables.find(game.id)) == (1, table)


async def test_a_click_finds_a_previous_processs_table_but_none_of_other_shards(hall: Hall):
    before, after = process(hall, OWN), process(hall, OWN)
    await after.load(hall.brought_back.append)
    table = await opened(before, GUILD, 5)
    there = await opened(process(hall, OTHERS), ELSEWHERE, 6)
    found = await after.find(table.id)
    assert found is not None
    assert await after.find(table.id) is found
    assert await after.find(there.id) is None
    assert await after.find(999) is None


async def test_an_erasure_at_another_processs_table_is_left_to_that_process(hall: Hall):
    own, other = process(hall, OWN), process(hall, OTHERS)
    here, there = await opened(own, GUILD, 5), await opened(other, ELSEWHERE, 6)
    await there.submit(Join(BEA))
    assert await erase(hall.store.personal_data, own, hall.preferences, ANA) > 0
    assert not here.phase.open
    assert there.seat_of(ANA.id) is not None, "only the other process may change it"
    assert await erase_due(hall.store.personal_data, own) == 0
    assert await erase_due(hall.store.personal_data, other) == 1
    assert there.seat_of(ANA.id) is None
    assert str(ANA.id) not in str([entry.body for entry in await hall.store.games.log(there.id)])
    assert await erase_due(hall.store.personal_data, other) == 0
    assert (await hall.store.personal_data.of(ANA.id)).games == ()


async def test_an_erasure_is_completed_even_if_the_table_was_over_before_its_process_knew(hall: Hall):
    own, other = process(hall, OWN), process(hall, OTHERS)
    there = await opened(other, ELSEWHERE, 6, CLO)
    await erase(hall.store.personal_data, own, hall.preferences, CLO)
    await other.lose(there)
    assert await erase_due(hall.store.personal_data, other) == 1
    assert str(CLO.id) not in str([entry.body for entry in await hall.store.games.log(there.id)])
    assert await erase_due(hall.store.personal_data, other) == 0


@pytest.mark.parametrize("chosen", [TurnNotice.NEVER, TurnNotice.LATER])
async def test_preferences_set_in_another_process_are_read(hall: Hall, chosen: TurnNotice):
    own, other = PreferencesCache(hall.store.preferences), PreferencesCache(hall.store.preferences)
    await other.change(ANA.id, TablePreferences, turn_notice=TurnNotice.AT_ONCE)
    await own.load()
    await other.change(ANA.id, TablePreferences, turn_notice=chosen)
    assert own.cached(ANA.id, TablePreferences) == TablePreferences(turn_notice=TurnNotice.AT_ONCE)
    await own.refresh(ANA.id)
    assert own.cached(ANA.id, TablePreferences) == TablePreferences(turn_notice=chosen)


async def test_whom_another_process_is_to_tell_in_private_is_told_at_once_by_the_one_that_tells_people(hall: Hall):
    reader, looked = NewsReader(hall.store.personal_data, hall.clock, hall.manager, hall.preferences), list[datetime]()
    reader.on_notices = lambda: looked.append(hall.time.now())
    since = hall.time.now()
    await OwedNotices(hall.store.values).add(ANA.id, since, {})
    reader.receive(News.NOTICES, 0)
    await hall.clock.advance(1)
    assert looked == [since]


async def test_what_another_process_has_changed_is_looked_up_again_if_the_store_fails(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
):
    async def fail() -> None:
        raise StoreUnavailable(Fault.UNAVAILABLE, "not now")

    await PreferencesCache(hall.store.preferences).change(ANA.id, TablePreferences, turn_notice=TurnNotice.NEVER)
    reader = NewsReader(hall.store.personal_data, hall.clock, hall.manager, hall.preferences)
    with monkeypatch.context() as broken:
        broken.setattr(hall.preferences, "load", fail)
        reader.receive(News.CHOICES, 0)
        await hall.clock.advance(RETRY_SECONDS - 1)
    assert turn_notice(hall.preferences, ANA.id) is not TurnNotice.NEVER
    await hall.clock.advance(1)
    assert turn_notice(hall.preferences, ANA.id) is TurnNotice.NEVER


def keeper(hall: Hall, tables: TableManager, *, found: bool = False) -> Retention:
    """The retention of a process whose bot sees none of its servers; `found`: whether Discord says that it is there."""

    async def finds(guild_id: int) -> bool:
        return found

    return Retention(
        hall.store.database,
        hall.store.kept,
        hall.store.alone,
        hall.store.tournaments,
        hall.clock,
        tables,
        hall.guild_settings,
        hall.away,
        idle=hall.options.usual.pace.idle,
        days=1,
        here=lambda guild_id: False,
        finds=finds,
    )


async def test_a_process_deletes_only_what_servers_of_its_own_shards_have_left(hall: Hall):
    own, other = process(hall, OWN), process(hall, OTHERS)
    for tables, guild_id, channel in ((own, GUILD, 5), (other, ELSEWHERE, 6)):
        await opened(tables, guild_id, channel)
    long_ago = hall.clock.now() - timedelta(days=GONE_DAYS + 1)
    await hall.store.kept.depart([GUILD, ELSEWHERE], long_ago)
    for shards, tables, left in ((OWN, own, [ELSEWHERE]), (OTHERS, other, [])):
        keeping = keeper(hall, tables)
        await keeping.compare_guilds(shards.has, sure=True)
        await keeping.delete_expired()
        assert await hall.store.kept.guilds() == left
        assert [*await hall.store.kept.departed()] == left


async def test_nothing_is_deleted_while_discord_says_that_the_bot_is_in_the_server(hall: Hall):
    tables = process(hall, OWN)
    table = await opened(tables, GUILD, 5)
    await hall.store.kept.depart([GUILD], hall.clock.now() - timedelta(days=GONE_DAYS + 1))
    keeping = keeper(hall, tables, found=True)
    await keeping.compare_guilds(OWN.has, sure=True)
    await keeping.delete_expired()
    row = await hall.store.games.get(table.id)
    assert row is not None
    assert row.closed_at is None


async def test_what_is_on_a_server_that_was_left_sleeps_even_if_the_store_cannot_note_it(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
):
    async def fail(*_: object) -> None:
        raise StoreUnavailable(Fault.UNAVAILABLE, "not now")

    tables = process(hall, OWN)
    table = await opened(tables, GUILD, 5)
    with monkeypatch.context() as broken:
        broken.setattr(hall.store.kept, "depart", fail)
        await keeper(hall, tables).compare_guilds(OWN.has, sure=True)
    assert (tables.within(), await hall.store.kept.departed()) == ([], {})
    await hall.clock.advance(5 * DAY)
    row = await hall.store.games.get(table.id)
    assert row is not None
    assert row.closed_at is None
    await keeper(hall, tables).compare_guilds(OWN.has, sure=True)
    assert [*await hall.store.kept.departed()] == [GUILD], "the next start notes it"


async def test_a_process_lets_only_servers_of_its_own_shards_sleep(hall: Hall):
    own, other = process(hall, OWN), process(hall, OTHERS)
    await opened(own, GUILD, 5)
    there = await opened(other, ELSEWHERE, 6)
    await keeper(hall, own).compare_guilds(OWN.has, sure=True)
    assert (own.within(), other.within()) == ([], [there])
    assert [*await hall.store.kept.departed()] == [GUILD]
    await keeper(hall, other).compare_guilds(OTHERS.has, sure=True)
    assert other.within() == []


async def test_people_are_erased_from_tables_that_sleep_with_their_server(hall: Hall):
    own = process(hall, OWN)
    table = await opened(own, GUILD, 5)
    await table.submit(Join(BEA))
    await own.leave(GUILD)
    assert await erase(hall.store.personal_data, own, hall.preferences, BEA) > 0
    assert str(BEA.id) not in str([entry.body for entry in await hall.store.games.log(table.id)])
    assert own.within() == [], "it sleeps on"
    await own.return_to(GUILD)
    assert [each.seat_of(ANA.id) for each in own.within()] == [0]


async def test_a_server_that_removes_the_bot_and_adds_it_again_at_once_ends_up_as_it_was_left(hall: Hall):
    table = await hall.match(ANA, BEA)
    keeping = keeper(hall, hall.manager)
    await asyncio.gather(keeping.guild_left(GUILD), keeping.guild_joined(GUILD))
    assert [each.id for each in hall.manager.within()] == [table.id]
    assert await hall.store.kept.departed() == {}
    await asyncio.gather(keeping.guild_left(GUILD), keeping.guild_joined(GUILD), keeping.guild_left(GUILD))
    assert hall.manager.within() == []
    assert [*await hall.store.kept.departed()] == [GUILD]
