"""A table's views are made once and kept until something changes; any change makes new ones."""

from __future__ import annotations

from dataclasses import replace

from bot.engine.views import public_view, seat_view
from bot.platform.people import told_apart
from bot.platform.refusals import CommonRefusal
from bot.privacy.live.erasure import erase
from bot.tables.live.table import Table
from bot.tables.live.view import TableView
from bot.tables.live.waiting import LEAST_SECONDS, RETRY_SECONDS
from bot.tables.log.actions import Cancel, Join, Leave, Start, Touch
from bot.tables.log.events import Phase, Presence
from bot.tables.log.state import TableState
from bot.tables.refusals import TableRefusal
from tests.support.tables.hall import PACE, Hall, move_by, person_at, play_round, state_of, turn_of
from tests.support.tables.kit import ANA, BEA, CLO, FRIENDLY, STRANGER, config_of, next_round, refused


class Snapshot:
    """All views of a table at one moment."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.view = table.view()
        self.seats = [table.seat_view(seat) for seat in range(len(self.view.seats))]

    def same(self) -> bool:
        """Whether the table still returns the very same objects."""
        now = Snapshot(self.table)
        return self.view is now.view and all(a is b for a, b in zip(self.seats, now.seats, strict=True))

    def fresh(self) -> TableView:
        """The table's new view; checks that it differs from this one and agrees with the table's state."""
        now, state = Snapshot(self.table), state_of(self.table)
        assert now.view is not self.view
        assert now.view != self.view
        self.matches(now, state)
        return now.view

    def matches(self, now: Snapshot, state: TableState) -> None:
        """Check that the views agree with the state and the clock."""
        view, match = now.view, state.match
        assert (view.seats, view.phase, view.config, view.opener_id) == (
            told_apart(state.seats, drawn=True),
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
    snapshot = Snapshot(table)
    assert snapshot.same()
    await table.submit(Touch(ANA))
    with refused(TableRefusal.NOT_SEATED):
        await table.submit(Touch(STRANGER))
    click = move_by(table)
    hall.store.broken = True
    with refused(CommonRefusal.UNAVAILABLE):
        await table.submit(click)
    hall.store.broken = False
    await hall.clock.advance(PACE.turn - 1)
    assert hall.seen.whats()[-1] == "deadline_near"
    assert snapshot.same()


async def test_the_views_of_all_seats_share_the_public_one(hall: Hall):
    table = await hall.match(ANA, BEA, CLO)
    public = table.view().match
    for seat in range(3):
        view = table.seat_view(seat)
        assert view is not None
        assert view.public is public
    assert table.seat_view(0) is not table.seat_view(1)


async def test_a_change_in_the_lobby_makes_new_views(hall: Hall):
    table = await hall.lobby(ANA)
    snapshot = Snapshot(table)
    assert snapshot.same()
    await table.submit(Join(BEA))
    assert [seat.name for seat in snapshot.fresh().seats] == ["Ana", "Bea"]
    snapshot = Snapshot(table)
    await table.submit(Start(ANA, table.version))
    assert snapshot.fresh().phase is Phase.PLAYING


async def test_every_move_of_a_match_makes_new_views(hall: Hall):
    table = await hall.match(ANA, BEA, config=config_of(target=5))
    while table.phase is Phase.PLAYING:
        snapshot = Snapshot(table)
        match = snapshot.view.match
        assert match is not None
        if match.turn is None:
            await next_round(table)
        else:
            await table.submit(move_by(table))
        snapshot.fresh()
        assert Snapshot(table).same()


async def test_somebody_going_away_or_coming_back_makes_new_views(hall: Hall):
    table = await hall.match(ANA, BEA)
    away = turn_of(table)
    snapshot = Snapshot(table)
    await hall.clock.advance(PACE.turn)
    assert snapshot.fresh().seats[away].presence is Presence.AWAY
    snapshot = Snapshot(table)
    await table.submit(Touch((ANA, BEA)[away]))
    assert snapshot.fresh().seats[away].presence is Presence.HERE
    snapshot = Snapshot(table)
    await table.submit(Leave(BEA))
    assert snapshot.fresh().seats[1].presence is Presence.LEFT


async def test_a_deadline_that_moves_makes_new_views_though_no_card_moved(hall: Hall):
    table = await hall.match(ANA, BEA)
    hall.store.broken = True
    snapshot = Snapshot(table)
    await hall.clock.advance(PACE.turn)
    assert snapshot.same()
    hall.store.broken = False
    await hall.clock.advance(RETRY_SECONDS)
    view = snapshot.fresh()
    assert view == replace(snapshot.view, deadline=view.deadline)
    assert view.deadline is not None
    assert (view.deadline - hall.time.now()).total_seconds() == LEAST_SECONDS


async def test_a_channel_that_takes_no_message_makes_new_views(hall: Hall):
    table = await hall.match(ANA, BEA)
    snapshot = Snapshot(table)
    table.set_unseen(True)
    assert snapshot.fresh().unseen
    snapshot = Snapshot(table)
    table.set_unseen(True)
    assert snapshot.same()
    table.note_heard(person_at(table, turn_of(table)).id)
    assert snapshot.fresh().deadline is not None
    snapshot = Snapshot(table)
    table.set_unseen(False)
    assert not snapshot.fresh().unseen


async def test_the_first_change_after_a_restart_makes_new_views(hall: Hall):
    await hall.match(ANA, BEA)
    restarted = await hall.restarted()
    [table] = restarted.manager.within()
    snapshot = Snapshot(table)
    assert snapshot.view.restored
    assert snapshot.same()
    await table.submit(move_by(table))
    assert not snapshot.fresh().restored
    await restarted.close()


async def test_an_erasure_makes_new_views(hall: Hall):
    table = await hall.match(ANA, BEA, CLO)
    await table.submit(Leave(BEA))
    snapshot = Snapshot(table)
    assert await erase(hall.store.personal_data, hall.manager, hall.preferences, BEA) > 0
    view = snapshot.fresh()
    assert view.seats[1].person_id not in (None, BEA.id)
    assert view.seats[1].name != BEA.name


async def test_the_end_of_a_table_makes_new_views(hall: Hall):
    table = await hall.match(ANA, BEA, config=FRIENDLY)
    await play_round(table)
    snapshot = Snapshot(table)
    await table.submit(Cancel(STRANGER, moderator=True))
    view = snapshot.fresh()
    assert (view.over, view.deadline) == (True, None)
