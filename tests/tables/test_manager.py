"""The manager of all tables: one per channel, back after a restart, and none affecting another."""

import asyncio
import sqlite3
from contextlib import closing

import pytest

from bot.platform.eventlog import LogEntry
from bot.platform.refusals import CommonRefusal
from bot.tables.log.actions import Cancel, Join, Leave, Touch
from bot.tables.log.events import Config, Phase
from bot.tables.refusals import TableRefusal
from bot.tables.settings import TableSettings
from tests.support.errors import Expected
from tests.support.tables.hall import PACE, Hall, move_by, outcomes, play_round, state_of
from tests.support.tables.kit import ANA, BEA, CHANNEL, GUILD, PEOPLE, config_of, refused


def damage(hall: Hall, statement: str) -> None:
    """Damage the file from outside the bot."""
    with closing(sqlite3.connect(hall.path)) as connection, connection:
        connection.execute(statement)


async def test_a_channel_has_only_one_game(hall: Hall):
    table = await hall.lobby(ANA)
    with refused(TableRefusal.CHANNEL_BUSY):
        await hall.lobby(BEA)
    assert hall.manager.at(CHANNEL) is table
    assert hall.manager.get(table.id) is table
    assert (await hall.lobby(BEA, channel=CHANNEL + 1)).id != table.id
    assert len(hall.manager) == 2


async def test_of_several_people_who_open_a_table_at_once_one_succeeds(hall: Hall):
    answers = await outcomes([hall.lobby(person) for person in PEOPLE * 2])  # type: ignore[list-item]
    codes = [getattr(answer, "code", None) for answer in answers]
    assert codes.count(TableRefusal.CHANNEL_BUSY) == len(codes) - 1
    assert len(hall.manager) == 1
    assert hall.rows("select count(*) from games") == [(1,)]


async def test_a_game_that_another_process_opened_is_respected(hall: Hall):
    await hall.store.games.open(
        guild_id=GUILD, channel_id=CHANNEL, opener_id=1, locale="", at=hall.time.now(), entries=[]
    )
    with refused(TableRefusal.CHANNEL_BUSY):
        await hall.lobby(ANA)


async def test_where_there_is_no_table_none_is_found(hall: Hall):
    assert (hall.manager.at(CHANNEL), hall.manager.get(1), await hall.manager.finished(1)) == (None, None, None)


async def test_after_a_restart_every_open_table_is_as_it_was(hall: Hall):
    lobby = await hall.lobby(ANA, BEA, computers=1, channel=1)
    match = await hall.match(ANA, BEA, channel=2)
    over = await hall.lobby(ANA, channel=3)
    for _ in range(3):
        await match.submit(move_by(match))
    await over.submit(Cancel(ANA))
    restarted = await hall.restarted()
    assert len(restarted.manager) == 2
    for table in (lobby, match):
        again = restarted.manager.get(table.id)
        assert again is not None
        assert restarted.manager.at(table.place) is again
        assert state_of(again) == state_of(table)
        assert again.view().version == table.view().version
    assert restarted.manager.at(3) is None
    click = move_by(match)
    again = restarted.manager.get(match.id)
    assert again is not None
    await again.submit(click)
    assert await restarted.stored(again) == state_of(again)
    await restarted.close()


async def test_a_restart_at_any_moment_of_a_match_changes_nothing(hall: Hall):
    table = await hall.match(ANA, BEA)
    for _ in range(6):
        restarted = await hall.restarted()
        again = restarted.manager.get(table.id)
        assert again is not None
        assert state_of(again) == state_of(table)
        await restarted.clock.close()
        await table.submit(move_by(table))


@pytest.mark.parametrize(
    "statement",
    [
        "update events set body = 'deal 7o' where version = 4 and game_id = 1",
        "update events set kind = '?' where version = 2 and game_id = 1",
        "update events set body = '{' where version = 1 and game_id = 1",
        "update events set body = '5 1o' where version = 5 and game_id = 1",
        "update events set at = 'never' where version = 5 and game_id = 1",
        "delete from events where version = 1 and game_id = 1",
        "delete from events where version = 2 and game_id = 1",
        "delete from events where version >= 4 and game_id = 1; ",
        "delete from events where game_id = 1",
    ],
)
async def test_a_game_with_a_damaged_log_is_closed_and_the_others_come_back(
    hall: Hall, statement: str, expected_errors: Expected
):
    broken = await hall.match(ANA, BEA, channel=1)
    fine = await hall.match(ANA, BEA, channel=2)
    await broken.submit(move_by(broken))
    damage(hall, statement)
    if ">=" not in statement:
        expected_errors.append(("bot.tables.live.logbook", r"^Game 1 can't be replayed \(\w+\) and is closed$"))
        restarted = await hall.restarted()
        assert restarted.manager.get(broken.id) is None
        assert restarted.manager.at(1) is None
        assert hall.rows("select id from games where closed_at is null") == [(fine.id,)]
        assert (await restarted.lobby(BEA, channel=1)).phase is Phase.LOBBY
    else:
        restarted = await hall.restarted()
    again = restarted.manager.get(fine.id)
    assert again is not None
    assert state_of(again) == state_of(fine)
    await restarted.close()


async def test_a_closed_game_with_a_damaged_log_is_simply_not_found(hall: Hall):
    table = await hall.lobby(ANA)
    await table.submit(Cancel(ANA))
    damage(hall, "update events set body = '' where version = 1")
    assert await hall.manager.finished(table.id) is None


async def test_a_finished_table_can_be_read_from_its_log(hall: Hall):
    table = await hall.match(ANA, BEA, computers=1, config=config_of("quince", target=11))
    assert await hall.manager.finished(table.id) is None, "it is still open"
    await table.abandon()
    over = await hall.manager.finished(table.id)
    assert over is not None
    assert over.state == state_of(table)
    with refused(TableRefusal.GAME_OVER):
        await table.submit(Touch(ANA))
    assert hall.manager.get(table.id) is None


async def test_nothing_new_starts_while_the_bot_stops(hall: Hall):
    table = await hall.match(ANA, BEA)
    click = move_by(table)
    hall.manager.close()
    for action in (click, Join(BEA), Cancel(ANA)):
        with refused(CommonRefusal.CLOSING):
            await table.submit(action)
    with refused(CommonRefusal.CLOSING):
        await hall.lobby(ANA, channel=9)
    assert hall.rows("select count(*) from games") == [(1,)]


async def test_a_move_being_stored_when_the_bot_stops_is_completed(hall: Hall):
    table = await hall.match(ANA, BEA)
    version = table.version
    hall.store.gate = asyncio.Event()
    move = asyncio.create_task(table.submit(move_by(table)))
    await asyncio.sleep(0)
    hall.manager.close()
    hall.store.gate.set()
    await move
    assert table.version == version + 1
    assert await hall.stored(table) == state_of(table)


async def test_two_processes_on_one_file_cant_both_store_the_same_move(hall: Hall):
    table = await hall.match(ANA, BEA)
    other = await hall.restarted()
    twin = other.manager.get(table.id)
    assert twin is not None
    click = move_by(table)
    await twin.submit(click)
    with refused(CommonRefusal.STALE):
        await table.submit(click)
    assert await hall.stored(table) == state_of(twin) == state_of(table), (
        "it continues from what the other process wrote"
    )
    await table.submit(move_by(table))
    await other.close()


# ------------------------------------------------------------------- guild settings


async def test_a_servers_settings_are_stored_and_set_the_pace_of_its_games(hall: Hall):
    settings = TableSettings(preset="quince", target=11, turn=60, computer=0.5)
    await hall.guild_settings.change(GUILD, TableSettings, preset="quince", target=11, turn=60, computer=0.5)
    assert await hall.guild_settings.of(GUILD, TableSettings) == settings
    assert await hall.guild_settings.of(GUILD + 1, TableSettings) == TableSettings()
    table = await hall.match(ANA, BEA)
    assert hall.clock.seconds_to(table.id) == 60 - PACE.warning
    restarted = await hall.restarted()
    assert await restarted.guild_settings.of(GUILD, TableSettings) == settings
    assert restarted.clock.seconds_to(table.id) == 60 - PACE.warning
    await restarted.close()


async def test_guild_settings_that_cant_be_stored_arent_applied(hall: Hall):
    hall.store.broken = True
    with refused(CommonRefusal.UNAVAILABLE):
        await hall.guild_settings.change(GUILD, TableSettings, target=11)
    assert await hall.guild_settings.of(GUILD, TableSettings) == TableSettings()


async def test_a_game_keeps_its_rules_when_the_servers_settings_change(hall: Hall):
    table = await hall.match(ANA, BEA)
    await hall.guild_settings.change(GUILD, TableSettings, preset="clasica")
    await play_round(table)
    restarted = await hall.restarted()
    again = restarted.manager.get(table.id)
    assert again is not None
    assert (again.view().config, state_of(again)) == (table.view().config, state_of(table))
    await restarted.close()


async def test_a_change_of_language_reaches_the_lobbies_of_that_server_and_no_others(hall: Hall):
    here, there = [
        await hall.manager.open(guild_id=guild, channel_id=guild, opener=person, config=Config(), locale="en-US")
        for guild, person in ((GUILD, ANA), (GUILD + 1, BEA))
    ]
    await hall.manager.set_locale(GUILD, "es-ES")
    assert (here.locale, there.locale) == ("es-ES", "en-US")
    assert hall.rows("select locale from games order by id") == [("es-ES",), ("en-US",)]


async def test_log_entries_carry_the_clocks_time(hall: Hall):
    table = await hall.lobby(ANA)
    await hall.clock.advance(7)
    await table.submit(Join(BEA))
    entries: list[LogEntry] = await hall.store.games.log(table.id)
    assert (entries[1].at - entries[0].at).total_seconds() == 7


async def test_the_tables_that_wait_for_a_person_are_known_at_each_moment_of_their_matches(hall: Hall):
    tables = [await hall.match(ANA, BEA, channel=channel) for channel in (1, 2, 3)]
    tables.append(await hall.lobby(ANA, BEA, channel=4))
    await tables[2].submit(move_by(tables[2]))
    while tables[0].phase.open and tables[0].awaited is not None:
        await tables[0].submit(move_by(tables[0]))
        for person in (ANA, BEA):
            waiting = [table for table in tables if table.phase.open and table.awaited == person.id]
            assert set(hall.manager.awaiting(person.id)) == set(waiting)
    hall = await hall.restarted()
    first, second, third = (hall.manager.get(table.id) for table in tables[:3])
    assert first is not None
    assert second is not None
    assert third is not None
    holder = second.awaited or 0
    assert second in hall.manager.awaiting(holder), "also after a restart"
    other = BEA if holder == ANA.id else ANA
    await second.submit(Leave(other))
    await third.submit(Leave(other))
    assert not {second, third} & set(hall.manager.awaiting(other.id))
    for table in (first, second, third):
        await table.abandon()
    assert hall.manager.awaiting(ANA.id) == hall.manager.awaiting(BEA.id) == []
    assert hall.manager._tables._awaiting == {}


async def test_of_the_tables_that_wait_for_a_person_the_longest_wait_comes_first(hall: Hall):
    first, second = [await hall.match(ANA, BEA, channel=channel) for channel in (1, 2)]
    holder = first.awaited
    assert holder is not None
    assert holder == second.awaited
    assert hall.manager.awaiting(holder) == [first, second]
    while True:
        await first.submit(move_by(first))
        if first.awaited == holder:
            break
    assert hall.manager.awaiting(holder) == [second, first]
