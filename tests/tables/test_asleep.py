"""After a restart, tables sleep until somebody clicks or their turn to be woken comes; meanwhile they count as open."""

import asyncio
import gc
import itertools
from collections.abc import Sequence
from typing import Any

import pytest

from bot.platform.clock import spread
from bot.platform.database.errors import Fault, StoreUnavailable
from bot.privacy.live.erasure import erase
from bot.privacy.refusals import PrivacyRefusal
from bot.tables.live.open_tables import Asleep
from bot.tables.live.table import Table
from bot.tables.live.view import TableView
from bot.tables.live.waiting import LEAST_SECONDS
from bot.tables.log.events import Phase
from bot.tables.options import LobbyLimits
from bot.tables.refusals import TableRefusal
from bot.tables.store.rows import OpenGame
from tests.support.errors import Expected
from tests.support.tables.hall import PACE, Hall, state_of
from tests.support.tables.kit import ANA, BEA, CLO, GUILD, refused
from tests.support.tables.timing import spin
from tests.tables.test_deadlines import deadline_in


async def asleep(hall: Hall) -> Hall:
    """The same hall after a restart, with all its tables still asleep."""
    await hall.clock.close()
    again = Hall(hall.store, hall.path, hall.time, hall.pace, hall.chance)
    await again.manager.load(again.brought_back.append)
    return again


async def test_a_table_sleeps_until_somebody_looks_for_it(hall: Hall):
    table = await hall.match(ANA, BEA, channel=5)
    again = await asleep(hall)
    assert again.manager.at(5) is None
    await again.manager.wake_at(6)
    assert again.brought_back == []
    await again.manager.wake_at(5)
    found = again.manager.at(5)
    assert found is not None
    assert state_of(found) == state_of(table)
    assert [restored.table for restored in again.brought_back] == [found]
    assert await again.manager.find(table.id) is found
    await again.manager.bring_back()
    assert [restored.table for restored in again.brought_back] == [found], "it is woken only once"
    await again.close()


async def test_a_table_that_many_people_click_at_once_is_read_once(hall: Hall, monkeypatch: pytest.MonkeyPatch):
    table = await hall.match(ANA, BEA)
    again = await asleep(hall)
    reads: list[int] = []
    read = again.store.games.log

    async def counted(game_id: int) -> Any:
        reads.append(game_id)
        return await read(game_id)

    monkeypatch.setattr(again.store.games, "log", counted)
    found = await asyncio.gather(*(again.manager.find(table.id) for _ in range(9)), again.manager.bring_back())
    assert len({id(each) for each in found[:9]}) == 1
    assert reads == [table.id]
    await again.close()


async def test_a_table_stays_asleep_while_the_store_cant_be_read(hall: Hall, monkeypatch: pytest.MonkeyPatch):
    table = await hall.match(ANA, BEA)
    again = await asleep(hall)

    async def broken(game_id: int) -> Any:
        raise StoreUnavailable(Fault.DISK_FULL, "the disk is full")

    with monkeypatch.context() as patched:
        patched.setattr(again.store.games, "log", broken)
        with pytest.raises(StoreUnavailable):
            await again.manager.find(table.id)
    assert len(again.manager) == 1
    assert await again.manager.find(table.id) is not None
    await again.close()


async def test_tables_that_cant_be_read_now_are_brought_back_once_they_can(hall: Hall, monkeypatch: pytest.MonkeyPatch):
    tables = [await hall.match(ANA, BEA, channel=number) for number in (1, 2)]
    again = await asleep(hall)
    read, refused_once = again.store.games.log, {table.id for table in tables}

    async def at_second_try(game_id: int) -> Any:
        if game_id in refused_once:
            refused_once.remove(game_id)
            raise StoreUnavailable(Fault.LOCKED, "the database is locked")
        return await read(game_id)

    monkeypatch.setattr("bot.tables.live.open_tables.AGAIN_SECONDS", 0)
    monkeypatch.setattr(again.store.games, "log", at_second_try)
    monkeypatch.setattr(again.store.games, "with_logs", at_no_try)
    await again.manager.bring_back()
    assert {table.id for table in again.manager.within()} == {table.id for table in tables}
    await again.close()


async def at_no_try(game_ids: Sequence[int]) -> Any:
    raise StoreUnavailable(Fault.LOCKED, "the database is locked")


async def test_a_table_that_fails_to_come_back_leaves_the_others(
    hall: Hall, monkeypatch: pytest.MonkeyPatch, expected_errors: Expected
):
    first, second = [await hall.match(ANA, BEA, channel=number) for number in (1, 2)]
    again = await asleep(hall)
    restore = again.manager._logbook.restore  # pyright: ignore[reportPrivateUsage]

    async def failing(game_id: int) -> Any:
        if game_id == first.id:
            raise KeyError("a fault of our own")
        return await restore(game_id)

    monkeypatch.setattr(again.manager._logbook, "restore", failing)  # pyright: ignore[reportPrivateUsage]
    expected_errors.append(("bot.tables.live.open_tables", "can't be brought back"))
    await again.manager.bring_back()
    assert {table.id for table in again.manager.within()} == {second.id}
    await again.close()


async def test_a_table_whose_clock_cant_be_set_leaves_those_of_the_others(
    hall: Hall, monkeypatch: pytest.MonkeyPatch, expected_errors: Expected
):
    tables = [await hall.match(ANA, BEA, channel=number) for number in (1, 2)]
    rearmed: list[int] = []

    def rearm(table: Table) -> None:
        rearmed.append(table.id)
        raise KeyError("a fault of our own")

    monkeypatch.setattr(Table, "rearm", rearm)
    expected_errors.append(("bot.tables.live.manager", "The clocks of table"))
    hall.manager.rearm_all()
    assert set(rearmed) == {table.id for table in tables}


async def test_sleeping_tables_are_counted_and_keep_their_channels(hall: Hall):
    await hall.match(ANA, BEA, channel=1)
    await hall.lobby(ANA, channel=2)
    again = await asleep(hall)
    assert len(again.manager) == 2
    assert [again.manager.count(playing=playing) for playing in (False, True)] == [1, 1]
    assert set(again.manager.by_guild()) == {GUILD}
    with refused(TableRefusal.CHANNEL_BUSY):
        await again.lobby(CLO, channel=1)
    await again.close()


@pytest.mark.parametrize("limits", [LobbyLimits(per_guild=1), LobbyLimits(per_person=1)])
async def test_sleeping_lobbies_count_as_lobbies(hall: Hall, limits: LobbyLimits):
    await hall.lobby(ANA, channel=1)
    again = await asleep(hall)
    again.limits = limits
    again.manager = again.make_manager()
    await again.manager.load(again.brought_back.append)
    with refused(TableRefusal.TOO_MANY_LOBBIES):
        await again.lobby(ANA, channel=2)
    await again.close()


async def test_a_sleeping_lobby_ends_with_its_channel_and_a_match_goes_on(hall: Hall):
    await hall.lobby(ANA, channel=1)
    match = await hall.match(ANA, BEA, channel=2)
    again = await asleep(hall)
    for channel in (1, 2):
        await again.manager.lose_channel(channel)
    assert again.rows("select id from games where closed_at is null") == [(match.id,)]
    awake = again.manager.get(match.id)
    assert awake is not None
    assert awake.view().unseen
    await again.close()


async def test_the_games_of_a_server_that_the_bot_left_sleep_until_it_is_back(hall: Hall):
    match, lobby = await hall.match(ANA, BEA, channel=1), await hall.lobby(CLO, channel=2)
    left = deadline_in(hall, match)
    await hall.manager.leave(GUILD)
    assert hall.manager.within() == []
    assert (await hall.manager.find(match.id), len(hall.manager)) == (None, 2)
    await hall.clock.advance(10 * PACE.lobby)
    again = await asleep(hall)
    await again.manager.leave(GUILD)
    await again.manager.bring_back()
    assert again.brought_back == []
    await again.manager.return_to(GUILD)
    assert {each.id for each in again.manager.within()} == {match.id, lobby.id}
    assert left is not None
    await again.close()


async def test_what_comes_late_about_a_table_that_was_put_to_sleep_changes_nothing(hall: Hall):
    table = await hall.match(ANA, BEA, channel=5)
    await hall.manager.leave(GUILD)
    table.set_unseen(True)  # Discord refuses an edit that was under way
    await hall.manager.return_to(GUILD)
    table.set_unseen(False)
    awake = hall.manager.at(5)
    assert awake is not None
    assert awake is hall.manager.get(table.id)
    assert awake is not table
    assert not awake.view().unseen


async def test_the_clock_of_a_turn_stands_still_while_the_bot_is_not_in_the_server(hall: Hall):
    table = await hall.match(ANA, BEA)
    await hall.clock.advance(50)
    left_at = hall.time.now()
    await hall.manager.leave(GUILD)
    await hall.clock.advance(5 * 3600)
    await hall.away.note(GUILD, left_at)
    await hall.manager.return_to(GUILD)
    awake = hall.manager.get(table.id)
    assert awake is not None
    assert awake is not table
    assert deadline_in(hall, awake) == pytest.approx(PACE.turn - 50, abs=1)
    again = await hall.restarted()
    restored = again.manager.get(table.id)
    assert restored is not None
    assert deadline_in(again, restored) == pytest.approx(PACE.turn - 50, abs=1)
    await again.close()


async def test_games_of_a_server_that_is_about_to_be_deleted_are_closed(hall: Hall):
    await hall.match(ANA, BEA, channel=1)
    await hall.manager.drop(GUILD)
    assert hall.rows("select id from games where closed_at is null") == []
    assert len(hall.manager) == 0


async def test_no_table_is_woken_while_the_bot_stops(hall: Hall):
    await hall.match(ANA, BEA)
    again = await asleep(hall)
    again.manager.close()
    await again.manager.bring_back()
    assert again.brought_back == []
    await again.close()


async def test_restarted_deadlines_are_spread_and_never_shorter_than_promised(hall: Hall):
    tables = [await hall.match(ANA, BEA, channel=channel) for channel in range(1, 9)]
    await hall.clock.advance(PACE.turn - 1)
    again = await hall.restarted(away=PACE.turn)
    views: list[TableView] = [restored.table.view() for restored in again.brought_back]
    waits = [(view.deadline - again.time.now()).total_seconds() for view in views if view.deadline is not None]
    assert len(set(waits)) == len(tables)
    assert min(waits) >= LEAST_SECONDS
    assert max(waits) <= LEAST_SECONDS * 1.25
    await again.close()


def test_many_tables_are_spread_evenly():
    found = sorted(spread(number) for number in range(1, 1001))
    assert found[0] >= 0
    assert found[-1] < 0.25
    assert max(later - earlier for earlier, later in itertools.pairwise(found)) < 0.25 / 300


async def test_tables_that_nobody_clicks_are_read_together(hall: Hall, monkeypatch: pytest.MonkeyPatch):
    tables = [await hall.match(ANA, BEA, channel=channel) for channel in range(1, 6)]
    again = await asleep(hall)

    async def alone(game_id: int) -> Any:
        raise AssertionError("it was read by itself")

    monkeypatch.setattr(again.store.games, "log", alone)
    await again.manager.bring_back()
    found = {restored.table.id: state_of(restored.table) for restored in again.brought_back}
    assert found == {table.id: state_of(table) for table in tables}
    await again.close()


async def test_what_was_read_in_advance_is_dropped_if_somebody_wakes_the_table_meanwhile(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
):
    table = await hall.match(ANA, BEA, channel=1)
    again = await asleep(hall)
    read = again.store.games.with_logs

    async def slow(game_ids: Any) -> Any:
        found = await read(game_ids)
        played = await again.manager.find(table.id)
        assert played is not None
        await again.store.games.set_message(
            table.id, 5, hall.time.now()
        )  # without a message, its end need not be shown
        await played.abandon()
        return found

    monkeypatch.setattr(again.store.games, "with_logs", slow)
    await again.manager.bring_back()
    assert [restored.table.phase for restored in again.brought_back] == [Phase.GONE, Phase.GONE]
    await again.close()


@pytest.mark.parametrize("cancelled", [False, True])
async def test_garbage_is_collected_as_often_as_before_once_all_tables_are_awake(cancelled: bool):
    usual, meanwhile = gc.get_threshold(), list[int]()
    release = asyncio.Event()

    async def wake(game: OpenGame) -> None:
        meanwhile.append(gc.get_threshold()[2])
        await release.wait()

    async def read(game_ids: Sequence[int]) -> None:
        pass

    both = [Asleep(wake, read), Asleep(wake, read)]
    for asleep in both:
        asleep.add(OpenGame(1, 2, 3, 4, playing=True))
    tasks = [asyncio.create_task(asleep.wake_all(lambda: False)) for asleep in both]
    await spin()
    if cancelled:
        tasks[0].cancel()
        await spin()
    release.set()
    await asyncio.gather(*tasks, return_exceptions=True)
    assert min(meanwhile) > usual[2]
    assert gc.get_threshold() == usual


async def test_tables_that_an_erasure_woke_sleep_on_even_if_it_fails(hall: Hall, monkeypatch: pytest.MonkeyPatch):
    table = await hall.match(ANA, BEA, channel=5)
    await hall.manager.leave(GUILD)

    async def broken(*_: Any, **__: Any) -> Any:
        raise StoreUnavailable(Fault.DISK_FULL, "the disk is full")

    monkeypatch.setattr(hall.store.games, "append", broken)
    with refused(PrivacyRefusal.NOT_ERASED):
        await erase(hall.store.personal_data, hall.manager, hall.preferences, ANA)
    assert (hall.manager.within(), len(hall.manager)) == ([], 1)
    assert await hall.manager.find(table.id) is None
