"""Notifications in matches without hurry: one a turn at most, whatever else happens in it."""

import pytest

from bot.platform.people import Person as PersonAt
from bot.tables.log.actions import Join, PlayMove, Start
from bot.tables.log.events import Config
from bot.tables.log.pace import Tempo
from bot.tables.parts import TableParts
from bot.tables.settings import SlowNotice, TablePreferences
from tests.played.tables.test_nudges import NUDGE, POSTS, at_turn, next_turn, notified, pings, turn
from tests.support.escoba import Room, RoomOf
from tests.support.people import Person, text_of

DAY = 24 * 3600
REFUSED = "Discord didn't let me send you a private message"
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
            await here.bot.parts.preferences.change(person.id, TablePreferences, slow_notice=wish)
        await turn(here)
        messages = len(here.public_texts())
        await here.wait(DAY - 60)
        assert len(here.public_texts()) == messages


async def test_a_wish_for_slow_matches_changes_nothing_in_others(room_of: RoomOf):
    async with room_of(2) as here:
        for person in here.people:
            await here.bot.parts.preferences.change(person.id, TablePreferences, slow_notice=SlowNotice.NEVER)
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


async def choose(here: Room, person: Person, field: str, value: object) -> None:
    """Choose something in `/escoba me`."""
    await person.slash(here.channel, "escoba me")
    await person.choose(person.panel(here.channel), [field], custom_id="^m:change$")
    await person.choose(person.panel(here.channel), [str(value)], custom_id=f"^m:{field}$")


async def six_matches(here: Room) -> None:
    """Start slow matches of two people in as many channels, in all of which it is the first person's turn."""
    manager = here.bot.parts.manager
    ana, bea = (PersonAt(person.id, person.name) for person in here.people)
    config = Config(tempo=Tempo.THREE_DAYS)
    for number in range(6):
        channel = here.world.guild.create_text_channel(f"mesa-{number}")
        guild_id = here.world.guild.id
        table = await manager.open(guild_id=guild_id, channel_id=channel.id, opener=ana, config=config, locale="en")
        await table.submit(Join(bea))
        await here.env.settle()
        await table.submit(Start(ana, table.version))
        if table.view().person_at_turn != ana.id:
            seat = 0 if table.view().seats[0].person_id == bea.id else 1
            view = table.seat_view(seat)
            assert view is not None
            await table.submit(PlayMove(bea, table.view().version, view.moves[0]))
        await here.env.settle()


async def test_somebody_with_six_slow_matches_gets_one_private_message_a_day_at_their_hour(room_of: RoomOf):
    async with room_of(2) as here:
        ana, _ = here.people
        await choose(here, ana, "slow_notice", SlowNotice.DAILY)
        await choose(here, ana, "digest_hour", 9)
        assert "9:00 (UTC)" in text_of(ana.panel(here.channel))
        await six_matches(here)
        private = ana.actor.user.dm_channel
        for days in range(1, 3):
            await here.wait(DAY)
            told = [message.content for message in private.history()]
            assert len(told) == days
            assert "It's your turn in 6 matches." in told[-1]
        assert ana.id not in notified(here)


@pytest.mark.parametrize(("status", "code"), [(403, 40003), (403, 20026), (403, 0), (429, 0), (500, 0)])
async def test_whoever_could_not_be_told_for_another_reason_is_told_later_and_reads_nothing_of_it(
    room_of: RoomOf, status: int, code: int
):
    async with room_of(2) as here:
        ana, _ = here.people
        await choose(here, ana, "slow_notice", SlowNotice.DAILY)
        await six_matches(here)
        here.env.inject_error("POST", "/users/*/channels", status=status, code=code, times=2)
        await here.wait(DAY + 3600)
        assert here.bot.parts.preferences.cached(ana.id, TablePreferences).slow_notice is SlowNotice.DAILY
        assert len(list(ana.actor.user.dm_channel.history())) == 1
        await ana.slash(here.channel, "escoba me")
        assert REFUSED not in text_of(ana.panel(here.channel))


async def test_whoever_takes_no_private_messages_reads_so_once_and_is_mentioned_again(room_of: RoomOf):
    async with room_of(2) as here:
        ana, _ = here.people
        await choose(here, ana, "slow_notice", SlowNotice.DAILY)
        await six_matches(here)
        here.env.inject_error("POST", POSTS, status=403, code=50007, times=1)
        await here.wait(DAY)
        for once in (True, False):
            await ana.slash(here.channel, "escoba me")
            assert (REFUSED in text_of(ana.panel(here.channel))) is once
        assert here.bot.parts.preferences.cached(ana.id, TablePreferences).slow_notice is SlowNotice.MENTION


async def test_a_refused_mention_leaves_its_player_time_until_they_are_back(room_of: RoomOf):
    async with room_of(2, turn_seconds=DAY) as here:
        await turn(here)
        for method, path in (("POST", POSTS), ("PATCH", EDITS)):
            here.env.inject_error(method, path, status=403, code=50013, times=None)
        await here.wait(3 * DAY)
        assert notified(here) == []
        assert here.table.view().missed == ()
        here.env.backend.faults.clear()
        await here.wait(2 * 3600)
        assert notified(here) == [at_turn(here).id]
        await here.wait(DAY)
        assert len(here.table.view().missed) == 1


async def test_whoever_wants_private_messages_is_told_so_where_the_match_goes_on(room_of: RoomOf):
    async with room_of(2, turn_seconds=DAY) as here:
        await turn(here)
        player = at_turn(here)
        channel = str(here.env.backend.get_dm_channel(player.id).id)
        await here.bot.parts.preferences.change(
            player.id, TablePreferences, slow_notice=SlowNotice.DAILY, digest_channel=channel
        )
        here.env.inject_error("PATCH", EDITS, status=403, code=50013, times=None)
        here.bot.host.of(TableParts).presenter.board_of(here.table).show_again()
        await here.env.settle()
        told = [
            request.body["content"] for request in here.tap.to("POST", POSTS) if request.path.split("/")[2] == channel
        ]
        assert [text.startswith("I can't write in") for text in told] == [True]
        await here.wait(DAY)
        assert len(here.table.view().missed) == 1, "they were told"
