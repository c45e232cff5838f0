"""Notifications in matches without hurry: one a turn at most, whatever else happens in it."""

from __future__ import annotations

import pytest

from bot.tables.turn import SlowNotice
from tests.played.tables.test_nudges import NUDGE, next_turn, notified, pings, turn
from tests.support.escoba import RoomOf

DAY = 24 * 3600


@pytest.mark.parametrize("killed", [False, True], ids=["stopped", "killed"])
async def test_a_slow_turn_notifies_once_across_clicks_restarts_and_its_warning(room_of: RoomOf, killed: bool):
    async with room_of(2, turn_seconds=DAY) as here:
        player = await turn(here)
        await here.wait(NUDGE)
        for _ in range(2):
            await here.press(player, here.shown, "hand")
            await here.restart(killed=killed)
            await here.wait(3600)
        await here.wait(20 * 3600)
        assert notified(here) == [player.id]
        assert pings(here) == []
        await next_turn(here)
        await here.wait(NUDGE)
        assert len(notified(here)) == 2, "the next turn notifies again"


async def test_whoever_saw_their_slow_turn_begin_is_warned_before_it_ends(room_of: RoomOf):
    async with room_of(2, turn_seconds=DAY) as here:
        player = await turn(here)
        await here.press(player, here.shown, "hand")
        await here.wait(18 * 3600)
        assert notified(here) == [player.id]


@pytest.mark.parametrize("wish", [SlowNotice.DAILY, SlowNotice.NEVER])
async def test_whoever_wants_no_mention_in_slow_matches_gets_no_message_there(room_of: RoomOf, wish: SlowNotice):
    async with room_of(2, turn_seconds=DAY) as here:
        for person in here.people:
            await here.bot.parts.preferences.change(person.id, slow_notice=wish)
        await turn(here)
        messages = len(here.public_texts())
        await here.wait(DAY - 60)
        assert len(here.public_texts()) == messages


async def test_a_wish_for_slow_matches_changes_nothing_in_others(room_of: RoomOf):
    async with room_of(2) as here:
        for person in here.people:
            await here.bot.parts.preferences.change(person.id, slow_notice=SlowNotice.NEVER)
        player = await turn(here)
        await here.wait(NUDGE)
        assert notified(here) == [player.id]
