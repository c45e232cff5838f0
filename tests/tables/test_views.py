"""A table's views are made once and kept as long as nothing changes; after any change they are others."""

from __future__ import annotations

from dataclasses import replace

from bot.engine.views import public_view, seat_view
from bot.tables.alarm import RETRY_SECONDS
from bot.tables.data.erasure import erase
from bot.tables.errors import RefusalCode
from bot.tables.log.actions import Cancel, Join, Leave, NextRound, Start, Touch
from bot.tables.log.events import Phase, Presence
from bot.tables.log.state import TableState
from bot.tables.table import Table
from bot.tables.view import TableView

from .hall import PACE, Hall, move_by, play_round, state_of, turn_of
from .kit import ANA, BEA, CLO, STRANGER, config_of, refused


class Looks:
    """What was seen of a table, all of it, at one moment."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.view = table.view()
        self.seats = [table.seat_view(seat) for seat in range(len(self.view.seats))]

    def same(self) -> bool:
        """Whether the table shows the very same objects."""
        now = Looks(self.table)
        return self.view is now.view and all(a is b for a, b in zip(self.seats, now.seats, strict=True))

    def fresh(self) -> TableView:
        """The table's view, now that it is another one, and is what its state comes to."""
        now, state = Looks(self.table), state_of(self.table)
        assert now.view is not self.view
        assert now.view != self.view
        self.matches(now, state)
        return now.view

    def matches(self, now: Looks, state: TableState) -> None:
        """What is seen is what the state, and the clock, say."""
        view, match = now.view, state.match
        assert (view.seats, view.phase, view.config, view.opener_id) == (
            state.seats,
            state.phase,
            state.config,
            state.opener_id,
        )
        assert view.version == state.move_version
        assert view.waiting == (state.phase is Phase.PLAYING and not state.anybody_here)
        if match is None:
            assert view.match is None
            assert now.seats == [None] * len(state.seats)
        else:
            assert view.match == public_view(match)
            assert now.seats == [seat_view(match, seat) for seat in range(len(state.seats))]


async def test_while_nothing_changes_the_views_are_the_same_objects(hall: Hall):
    table = await hall.match(ANA, BEA)
    looks = Looks(table)
    assert looks.same()
    await table.submit(Touch(ANA))
    with refused(RefusalCode.NOT_SEATED):
        await table.submit(Touch(STRANGER))
    click = move_by(table)
    hall.store.broken = True
    with refused(RefusalCode.UNAVAILABLE):
        await table.submit(click)
    hall.store.broken = False
    await hall.clock.advance(PACE.turn - 1)
    assert hall.seen.whats()[-1] == "deadline_near"
    assert looks.same()


async def test_the_views_of_all_seats_share_the_public_one(hall: Hall):
    table = await hall.match(ANA, BEA, CLO)
    public = table.view().match
    for seat in range(3):
        view = table.seat_view(seat)
        assert view is not None
        assert view.public is public
    assert table.seat_view(0) is not table.seat_view(1)


async def test_a_change_in_the_lobby_is_seen(hall: Hall):
    table = await hall.lobby(ANA)
    looks = Looks(table)
    assert looks.same()
    await table.submit(Join(BEA))
    assert [seat.name for seat in looks.fresh().seats] == ["Ana", "Bea"]
    looks = Looks(table)
    await table.submit(Start(ANA, table.version))
    assert looks.fresh().phase is Phase.PLAYING


async def test_every_move_of_a_match_is_seen(hall: Hall):
    table = await hall.match(ANA, BEA, config=config_of(target=5))
    while table.phase is Phase.PLAYING:
        looks = Looks(table)
        match = looks.view.match
        assert match is not None
        if match.turn is None:
            await table.submit(NextRound(ANA, looks.view.version))
        else:
            await table.submit(move_by(table))
        looks.fresh()
        assert Looks(table).same()


async def test_that_somebody_goes_away_and_comes_back_is_seen(hall: Hall):
    table = await hall.match(ANA, BEA)
    away = turn_of(table)
    looks = Looks(table)
    await hall.clock.advance(PACE.turn)
    assert looks.fresh().seats[away].presence is Presence.AWAY
    looks = Looks(table)
    await table.submit(Touch((ANA, BEA)[away]))
    assert looks.fresh().seats[away].presence is Presence.HERE
    looks = Looks(table)
    await table.submit(Leave(BEA))
    assert looks.fresh().seats[1].presence is Presence.LEFT


async def test_a_deadline_that_begins_anew_is_seen_though_no_card_moved(hall: Hall):
    table = await hall.match(ANA, BEA)
    hall.store.broken = True
    looks = Looks(table)
    await hall.clock.advance(PACE.turn)
    assert looks.same()
    hall.store.broken = False
    await hall.clock.advance(RETRY_SECONDS)
    view = looks.fresh()
    assert view == replace(looks.view, deadline=view.deadline)
    assert view.deadline is not None
    assert (view.deadline - hall.time.now()).total_seconds() == PACE.turn


async def test_that_time_stands_still_and_goes_on_is_seen(hall: Hall):
    table = await hall.match(ANA, BEA)
    looks = Looks(table)
    table.suspend()
    assert looks.fresh().deadline is None
    looks = Looks(table)
    table.suspend()
    assert looks.same()
    await hall.clock.advance(7)
    table.resume()
    assert looks.fresh().deadline is not None


async def test_the_first_change_after_a_restart_is_seen(hall: Hall):
    await hall.match(ANA, BEA)
    restarted = await hall.restarted()
    [table] = restarted.manager.within()
    looks = Looks(table)
    assert looks.view.restored
    assert looks.same()
    await table.submit(move_by(table))
    assert not looks.fresh().restored
    await restarted.close()


async def test_that_somebody_was_erased_is_seen(hall: Hall):
    table = await hall.match(ANA, BEA, CLO)
    await table.submit(Leave(BEA))
    looks = Looks(table)
    assert await erase(hall.store, hall.manager, hall.preferences, BEA) > 0
    view = looks.fresh()
    assert view.seats[1].person_id not in (None, BEA.id)
    assert view.seats[1].name != BEA.name


async def test_the_end_is_seen(hall: Hall):
    table = await hall.match(ANA, BEA)
    await play_round(table)
    looks = Looks(table)
    await table.submit(Cancel(ANA))
    view = looks.fresh()
    assert (view.over, view.deadline) == (True, None)
