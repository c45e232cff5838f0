"""A table with a store: what is shown is stored, what isn't stored didn't happen, and the end is one transaction."""

import pytest

from bot.platform.refusals import CommonRefusal
from bot.tables.log.actions import Cancel, Join, Leave, Start, TakeOut, TakeWin, Touch
from bot.tables.log.events import Phase, Presence
from bot.tables.refusals import MoveRefusal, TableRefusal
from tests.support.tables.hall import Build, Hall, legal, move_by, play_round, state_of, turn_of
from tests.support.tables.kit import ANA, BEA, CLO, DON, STRANGER, Stacked, config_of, move_of, next_round, refused


async def test_observers_are_called_only_after_a_change_is_stored(hall: Hall):
    table = await hall.lobby(ANA, BEA, computers=1)
    await table.submit(Start(ANA, table.version))
    await table.submit(Leave(BEA))
    await hall.clock.advance(400)
    await table.submit(TakeWin(ANA))
    assert len(hall.seen.calls) > 5
    for call in hall.seen.calls:
        assert call.stored == call.version
    assert hall.seen.calls[-1].phase is Phase.FORFEITED
    assert hall.rows("select closed_at is not null from games") == [(1,)]


async def test_every_version_is_one_row(hall: Hall):
    table = await hall.match(ANA, BEA)
    await play_round(table)
    versions = [version for (version,) in hall.rows("select version from events order by version")]
    assert versions == list(range(1, table.version + 1))
    assert await hall.stored(table) == state_of(table)


async def test_the_log_of_a_whole_match_folds_to_the_tables_state(hall: Hall):
    table = await hall.match(ANA, BEA, CLO, config=config_of(target=5))
    while table.phase is Phase.PLAYING:
        await play_round(table)
        assert await hall.stored(table) == state_of(table)
        if table.phase is Phase.PLAYING:
            await next_round(table)
    assert await hall.stored(table) == state_of(table)
    assert hall.seen.calls[-1].results == 1
    assert all(call.results == 0 for call in hall.seen.calls[:-1])


async def test_a_refused_action_is_neither_stored_nor_announced(hall: Hall):
    table = await hall.match(ANA, BEA)
    before, calls = state_of(table), len(hall.seen.calls)
    with refused(MoveRefusal.NOT_YOUR_TURN):
        await table.submit(move_by(table, ANA))
    with refused(TableRefusal.NOT_SEATED):
        await table.submit(Touch(STRANGER))
    assert (state_of(table), await hall.stored(table), len(hall.seen.calls)) == (before, before, calls)


async def test_an_action_that_changes_nothing_isnt_announced(hall: Hall):
    table = await hall.match(ANA, BEA)
    calls = len(hall.seen.calls)
    await table.submit(Touch(ANA))
    assert len(hall.seen.calls) == calls


async def test_when_the_store_cant_write_nothing_changes(hall: Hall):
    table = await hall.match(ANA, BEA)
    before, view, calls, due = state_of(table), table.view(), len(hall.seen.calls), dict(hall.clock.due)
    click = move_by(table)
    hall.store.broken = True
    for action in (click, Leave(ANA), TakeOut(STRANGER)):
        with refused(CommonRefusal.UNAVAILABLE):
            await table.submit(action)
    assert (state_of(table), table.view(), len(hall.seen.calls), hall.clock.due) == (before, view, calls, due)
    hall.store.broken = False
    await table.submit(click)
    assert await hall.stored(table) == state_of(table)


async def test_the_last_click_of_a_match_can_be_repeated_after_the_store_failed(hall: Hall):
    table = await hall.match(ANA, BEA, config=config_of(target=5))
    while table.phase is Phase.PLAYING:
        match = table.view().match
        assert match is not None
        if match.turn is None:
            await next_round(table)
        elif (click := move_of(state_of(table))) and state_of(table).apply(_event(hall, table, click)).open:
            await table.submit(click)
        else:
            hall.store.broken = True
            with refused(CommonRefusal.UNAVAILABLE):
                await table.submit(click)
            assert hall.manager.get(table.id) is table
            hall.store.broken = False
            await table.submit(click)
    assert hall.rows("select count(*) from results") == [(1,)]
    assert hall.manager.get(table.id) is None


def _event(hall: Hall, table, click):
    match = state_of(table).match
    assert match is not None
    return match.event_of(click.move)


async def test_a_lobby_that_cant_be_stored_isnt_opened(hall: Hall):
    hall.store.broken = True
    with refused(CommonRefusal.UNAVAILABLE):
        await hall.lobby(ANA)
    assert (len(hall.manager), hall.clock.due) == (0, {})
    hall.store.broken = False
    assert (await hall.lobby(ANA)).phase is Phase.LOBBY


async def test_a_table_that_is_over_is_dropped_and_its_channel_is_free(hall: Hall):
    table = await hall.lobby(ANA)
    await table.submit(Cancel(ANA))
    assert hall.manager.at(table.place) is None
    assert (len(hall.manager), hall.clock.due) == (0, {})
    with refused(TableRefusal.GAME_OVER):
        await table.submit(Join(BEA))
    assert (await hall.lobby(BEA)).id != table.id


async def test_the_decks_of_one_game_differ(build: Build):
    hall = await build(chance=Stacked("decks"))
    table = await hall.match(ANA, BEA)
    await play_round(table)
    await next_round(table)
    decks = hall.rows("select body from events where body like 'deal %'")
    assert len({body for (body,) in decks}) == 2


async def test_a_seats_view_has_moves_only_on_its_turn(hall: Hall):
    table = await hall.lobby(ANA, BEA)
    assert table.seat_view(0) is None
    await table.submit(Start(ANA, table.version))
    for seat in (0, 1):
        view = table.seat_view(seat)
        assert view is not None
        assert bool(view.moves) == (seat == turn_of(table)) == view.has_turn
    assert legal(table)


async def test_a_computer_plays_for_the_seat_of_somebody_who_left(hall: Hall):
    table = await hall.match(ANA, BEA, CLO, DON)
    await table.submit(Leave(BEA))
    assert (table.seat_of(BEA.id), table.view().seats[1].presence) == (None, Presence.LEFT)
    version = table.view().version
    await hall.clock.advance(hall.pace.computer)
    assert table.view().version == version + 1


@pytest.mark.parametrize("locale", ["es-ES", "en-GB"])
async def test_a_view_says_where_its_table_is_and_who_opened_it(hall: Hall, locale: str):
    table = await hall.manager.open(guild_id=5, channel_id=6, opener=BEA, config=config_of(), locale=locale)
    view = table.view()
    assert (view.id, view.guild_id, view.channel_id, view.opener_id, view.locale) == (table.id, 5, 6, BEA.id, locale)
    assert (view.match, view.deadline, view.waiting, view.version) == (None, None, False, 1)
