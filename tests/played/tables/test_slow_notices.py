"""Notifications in matches without hurry: one a turn at most, whatever else happens in it."""

from __future__ import annotations

import pytest

from bot.tables.turn import SlowNotice
from tests.played.tables.test_nudges import NUDGE, POSTS, at_turn, next_turn, notified, pings, turn
from tests.support.escoba import Room, RoomOf
from tests.support.people import text_of

DAY = 24 * 3600
EDITS = "/channels/*/messages/*"


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


async def settled_for_hours(here: Room) -> None:
    """Play until the table's message is old, in a turn that has just begun."""
    await turn(here)
    await here.wait(2 * 3600)
    await next_turn(here)
    await here.wait(2 * 3600)


async def test_the_old_message_of_a_slow_match_is_edited_once_a_turn_and_stays_the_table(room_of: RoomOf):
    async with room_of(2, turn_seconds=DAY, nudge_seconds=0) as here:
        await settled_for_hours(here)
        shown = here.shown.id
        for turns in range(1, 4):
            edits, posts = len(here.tap.to("PATCH", EDITS)), len(here.tap.to("POST", POSTS))
            await next_turn(here)
            await here.wait(3600)
            assert here.shown.id == shown, turns
            assert len(here.tap.to("PATCH", EDITS)) == edits + 1
            assert len(here.tap.to("POST", POSTS)) == posts


async def test_the_table_of_a_slow_match_is_posted_below_what_was_said_once_the_turn_passes(room_of: RoomOf):
    async with room_of(2, turn_seconds=DAY, nudge_seconds=0) as here:
        await settled_for_hours(here)
        shown = here.shown.id
        await here.people[0].actor.send(here.channel, "see you tomorrow")
        await here.wait(3600)
        assert here.shown.id == shown, "not before somebody moves"
        await next_turn(here)
        assert here.shown.id > shown
        shown = here.shown.id
        await here.wait(3600)
        await next_turn(here)
        assert here.shown.id == shown, "nothing was said since"


async def test_a_ping_is_nothing_that_was_said(room_of: RoomOf):
    async with room_of(2, turn_seconds=DAY) as here:
        await settled_for_hours(here)
        shown = here.shown.id
        for _ in range(3):
            await next_turn(here)
            await here.wait(3600)
        assert here.shown.id == shown


@pytest.mark.parametrize("killed", [None, False, True], ids=["running", "stopped", "killed"])
async def test_a_panel_tells_what_its_player_has_missed(room_of: RoomOf, killed: bool | None):
    async with room_of(2, turn_seconds=DAY) as here:
        player = await turn(here)
        await here.press(player, here.shown, "hand")
        await here.play_out(until=lambda: at_turn(here) is not player)
        for _ in range(2):
            await next_turn(here)
            await here.wait(DAY + 10)  # the player's turn passes
        if killed is not None:
            await here.restart(killed=killed)
        await here.press(player, here.shown, "hand")
        missed = text_of(player.panel(here.channel))
        assert missed.count(" plays ") == 4, missed
        assert missed.count("🤖 plays") == 2
        await here.press(player, player.panel(here.channel), "panel")
        assert text_of(player.panel(here.channel)).count(" plays ") < 3, "now they have looked"
