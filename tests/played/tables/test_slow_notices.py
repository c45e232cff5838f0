"""Notifications in matches without hurry: two a turn at most, whatever else happens in it."""

from datetime import timedelta
from typing import Any

import pytest

from bot.platform.people import Person as PersonAt
from bot.tables.ids.game import Ref, Verb
from bot.tables.live.table import Table
from bot.tables.log.actions import Join, PlayMove, Start
from bot.tables.log.events import Config
from bot.tables.log.pace import Tempo
from bot.tables.parts import TableParts
from bot.tables.settings import SlowNotice, TablePreferences
from tests.played.tables.test_nudges import NUDGE, POSTS, at_turn, next_turn, notified, pings, turn
from tests.played.tables.test_slow_match import with_holidays
from tests.support.escoba import Room, RoomOf
from tests.support.people import Person, forge, text_of
from tests.support.phrases import YOUR_HAND

DAY = 24 * 3600
REFUSED = "Discord didn't let me send you a private message"
EDITS = "/channels/*/messages/*"


pytestmark = pytest.mark.usefixtures("never_quiet")


@pytest.mark.parametrize("killed", [False, True], ids=["stopped", "killed"])
async def test_a_slow_turn_notifies_when_it_comes_and_once_more_across_clicks_and_restarts(
    room_of: RoomOf, killed: bool
):
    async with room_of(2, turn_seconds=DAY) as here:
        player = await turn(here)
        await here.wait(NUDGE)
        for _ in range(2):
            await here.press(player, here.shown, "hand")
            await here.restart(killed=killed)
            await here.wait(3600)
        assert notified(here) == [player.id]
        assert pings(here) == []
        await here.wait(16 * 3600)
        [second] = pings(here)
        assert "⏰" in second
        for _ in range(2):
            await here.restart(killed=killed)
            await here.wait(3600)
        await here.press(player, here.shown, "hand")
        await here.restart(killed=killed)
        await here.wait(3600)
        assert notified(here) == [player.id] * 2
        assert pings(here) == []
        await next_turn(here)
        await here.wait(NUDGE)
        assert len(notified(here)) == 3, "the next turn notifies again"


async def test_a_second_notice_at_the_table_is_a_new_message_and_the_first_one_goes(room_of: RoomOf):
    async with room_of(2, turn_seconds=DAY) as here:
        player = await turn(here)
        await here.wait(NUDGE)
        first = player.messages(here.channel)[-1]
        await here.wait(18 * 3600)
        assert player.messages(here.channel)[-1].id > first.id
        assert len(pings(here)) == 1
        assert notified(here) == [player.id] * 2
        await here.wait(DAY)
        assert notified(here).count(player.id) == 2, "the turn has passed"


@pytest.mark.parametrize(("tempo", "hours"), [(Tempo.THREE_DAYS, 72 - 18), (Tempo.WEEK, 7 * 24 - 24)])
async def test_a_long_turn_notifies_again_a_quarter_of_it_before_its_end_but_no_more_than_a_day(
    room_of: RoomOf, tempo: Tempo, hours: int
):
    async with room_of(2) as here:
        await here.lobby(here.people[1])
        await here.choose_option(here.people[0], "tempo", tempo)
        await here.agree()
        await here.press(here.people[0], here.shown, "start")
        player = at_turn(here)
        await here.wait(hours * 3600 - 60)
        assert notified(here) == [player.id]
        await here.wait(60)
        assert notified(here) == [player.id] * 2


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


def told_in_private(person: Person) -> list[str]:
    """The private messages that somebody has got, the latest last."""
    private = person.actor.user.dm_channel
    return [] if private is None else [message.content for message in private.history()]


async def slow_turn(here: Room, notice: SlowNotice, hour: int) -> Person:
    """Begin a turn of somebody who wants to be told like that, in seconds after 9:00 UTC."""
    for person in here.people:
        await here.bot.parts.preferences.change(person.id, TablePreferences, slow_notice=notice, digest_hour=hour)
    now = here.env.now()
    await here.begin()
    at_nine = now.replace(hour=9, minute=0, second=0, microsecond=0) + timedelta(days=now.hour >= 9)
    await here.wait((at_nine - now).total_seconds())
    await next_turn(here)
    return at_turn(here)


@pytest.mark.parametrize("killed", [False, True], ids=["stopped", "killed"])
async def test_who_is_told_once_a_day_is_told_privately_when_a_quarter_of_a_turn_is_left(room_of: RoomOf, killed: bool):
    async with room_of(2, turn_seconds=DAY) as here:
        player = await slow_turn(here, SlowNotice.DAILY, hour=12)
        await here.wait(10 * 3600)
        [daily] = told_in_private(player)
        await here.wait(8 * 3600 + 60)  # a quarter is left
        assert len(told_in_private(player)) == 2
        assert told_in_private(player)[-1].split(" · ⏳")[0] == daily.split(" · ⏳")[0]
        for _ in range(2):
            await here.restart(killed=killed)
            await here.wait(1800)
        assert len(told_in_private(player)) == 2
        assert notified(here) == []


async def test_a_daily_message_due_within_three_hours_takes_the_place_of_the_second_notice(room_of: RoomOf):
    async with room_of(2, turn_seconds=DAY) as here:
        player = await slow_turn(here, SlowNotice.DAILY, hour=5)
        await here.wait(19 * 3600)
        assert told_in_private(player) == []
        await here.restart()
        await here.wait(2 * 3600)
        assert len(told_in_private(player)) == 1
        await here.wait(2 * 3600)
        assert len(told_in_private(player)) == 1


async def test_who_wants_private_messages_gets_one_when_a_slow_turn_comes_and_one_before_its_end(room_of: RoomOf):
    async with room_of(2, turn_seconds=DAY) as here:
        player = await slow_turn(here, SlowNotice.PRIVATE, hour=12)
        await here.wait(NUDGE)
        [told] = told_in_private(player)
        assert "It's your turn in 1 match." in told
        await here.restart()
        await here.wait(17 * 3600)
        assert len(told_in_private(player)) == 1
        await here.wait(3600)
        assert len(told_in_private(player)) == 2
        await here.wait(5 * 3600)
        assert len(told_in_private(player)) == 2
        assert notified(here) == []


async def test_a_seat_is_taken_back_from_the_daily_message(room_of: RoomOf):
    async with room_of(2, turn_seconds=DAY) as here:
        ana, bea = here.people
        await here.bot.parts.preferences.change(ana.id, TablePreferences, slow_notice=SlowNotice.DAILY)
        await here.begin(friendly=True)
        seat = here.seat_of(ana)
        while here.table.view().seats[seat].human_here:
            if at_turn(here) is bea:
                await next_turn(here)
            await here.wait(6 * 3600)
        private = ana.actor.user.dm_channel
        before = len(told_in_private(ana))
        while len(told_in_private(ana)) == before:
            await here.wait(3600)
        assert "a robot has played for you since" in told_in_private(ana)[-1]
        me = in_private_with(ana)
        message = me.latest(private, "a robot has played")
        assert message.content, "a notification shows nothing else"
        await me.press(message, label="I'm back")
        assert here.table.view().seats[seat].human_here
        assert YOUR_HAND in text_of(me.panel(private))


async def told_of_three(here: Room) -> tuple[Person, list[Table]]:
    """Have somebody told in private of three slow matches in which it's their turn, the most urgent first."""
    await here.begin(2)
    await next_turn(here)
    player = at_turn(here)
    other = next(each for each in here.people[:2] if each is not player)
    tables = [here.table]
    for number, tempo in enumerate((Tempo.WEEK, Tempo.THREE_DAYS)):
        place: Any = {
            "guild_id": here.world.guild.id,
            "channel_id": here.world.guild.create_text_channel(f"m{number}").id,
        }
        host, guest = (PersonAt(each.id, each.name) for each in (player, other))
        table = await here.bot.parts.manager.open(**place, opener=host, config=Config(tempo=tempo), locale="en")
        await table.submit(Join(guest))
        await table.submit(Start(host, table.version))
        if table.awaited != player.id:
            view = table.seat_view(1)
            assert view is not None
            await table.submit(PlayMove(guest, table.view().version, view.moves[0]))
        tables.insert(1, table)
    await here.bot.parts.preferences.change(player.id, TablePreferences, slow_notice=SlowNotice.DAILY, digest_hour=1)
    await here.wait(2 * 3600)
    return in_private_with(player), tables


async def play_there(me: Person, channel: Any) -> None:
    """Play the first card of the newest panel; if it is laid, take the first capture."""
    for verb in ("card", "take"):
        found = [each for each in me.buttons(me.panel(channel)) if each.custom_id.startswith(f"e:{verb}:")]
        if found:
            await me.press(me.panel(channel), custom_id=found[0].custom_id)


async def test_all_turns_are_played_from_one_private_message_with_the_next_match_in_the_same_answer(room_of: RoomOf):
    async with room_of(2, turn_seconds=DAY) as here:
        me, tables = await told_of_three(here)
        private = me.actor.dm_channel  # type: ignore[attr-defined]
        [text] = told_in_private_channel(private)
        assert text.startswith("**It's your turn in 3 matches.**"), "a notification shows nothing else"
        message = me.latest(private, "your turn in 3")
        before = [table.version for table in tables]
        await me.press(message, label="Play")
        panel = me.panel(private).id
        for number, table in enumerate(tables):
            await play_there(me, private)
            assert table.version > before[number]
            assert me.panel(private).id == panel, "all in the same answer"
            if number < 2:
                await me.press(private, custom_id="^e:nextgame:")
        assert not [each for each in me.buttons(me.panel(private)) if "nextgame" in each.custom_id]
        assert len(told_in_private_channel(private)) == 1


async def test_any_of_the_turns_is_chosen_in_the_menu_and_by_its_person_only(room_of: RoomOf):
    async with room_of(3, turn_seconds=DAY) as here:
        me, tables = await told_of_three(here)
        private = me.actor.dm_channel  # type: ignore[attr-defined]
        message = me.latest(private, "your turn in 3")
        [menu] = me.selects(message)
        assert menu.values == [str(table.id) for table in tables[1:]]
        await me.choose(message, [menu.values[1]])
        assert YOUR_HAND in text_of(me.panel(private))
        before = tables[2].version
        await play_there(me, private)
        assert tables[2].version > before
        await me.choose(message, [menu.values[0]])
        before = tables[1].version
        await play_there(me, private)
        assert tables[1].version > before
        stranger = here.people[2]
        await forge(stranger, here.shown, Ref(0).custom_id(Verb.OPEN_GAME), [str(tables[0].id)])
        assert YOUR_HAND not in text_of(stranger.panel(here.channel))


async def test_the_picture_of_the_most_urgent_table_is_attached(room_of: RoomOf):
    async with room_of(2, turn_seconds=DAY, pictures=True) as here:
        me, _ = await told_of_three(here)
        private = me.actor.dm_channel  # type: ignore[attr-defined]
        message = me.latest(private, "your turn in 3")
        assert message.content
        [picture] = message.attachments
        assert picture.description


def told_in_private_channel(channel: Any) -> list[str]:
    return [message.content for message in channel.history() if message.content]


def in_private_with(person: Person) -> Person:
    """The same person, in their private chat with the bot."""
    actor: Any = person.actor.user
    return Person(actor)


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
        await with_holidays(here, 0)
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
        assert missed.count(" plays ") - missed.count("*Forced.*") == 4, missed
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
        await with_holidays(here, 0)
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
        await with_holidays(here, 0)
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


class TestQuietHours:
    """They are 23 to 8 in a person's zone, or that of the server, unless somebody chooses others."""

    async def turn_at(self, here: Room, hour: int, notice: SlowNotice = SlowNotice.MENTION, **chosen: Any) -> Person:
        """Begin a turn at an hour (UTC) of a day."""
        for person in here.people:
            chosen = {"slow_notice": notice, "digest_hour": 12, **chosen}
            await here.bot.parts.preferences.change(person.id, TablePreferences, **chosen)
        await here.begin()
        now = here.env.now()
        then = now.replace(hour=hour, minute=0, second=0, microsecond=0)
        await here.wait((then + timedelta(days=then <= now) - now).total_seconds())
        before = len(notified(here))
        await next_turn(here)
        assert len(notified(here)) == before
        return at_turn(here)

    @pytest.fixture
    def never_quiet(self) -> None:
        """Quiet hours are as usual."""

    async def test_a_turn_that_comes_in_them_is_told_at_their_end(self, room_of: RoomOf):
        async with room_of(2, turn_seconds=DAY) as here:
            player = await self.turn_at(here, 1)
            before = len(notified(here))
            await here.wait(7 * 3600 - 60)
            assert len(notified(here)) == before
            await here.restart()
            await here.wait(120)
            assert notified(here)[before:] == [player.id]

    async def test_the_second_notice_comes_before_them_if_the_deadline_is_in_them(self, room_of: RoomOf):
        async with room_of(2, turn_seconds=DAY) as here:
            player = await self.turn_at(here, 5)
            before = len(notified(here))
            await here.wait(3 * 3600 + 60)
            assert notified(here)[before:] == [player.id]
            await here.wait(12 * 3600 - 120)  # 19:59
            assert notified(here)[before:] == [player.id]
            await here.wait(120)
            assert notified(here)[before:] == [player.id] * 2
            await here.wait(12 * 3600)
            assert notified(here)[before:].count(player.id) == 2

    async def test_they_are_those_of_ones_own_zone_where_one_is_chosen(self, room_of: RoomOf):
        async with room_of(2, turn_seconds=DAY) as here:
            player = await self.turn_at(here, 1, zone="America/Argentina/Buenos_Aires")  # 22:00 there
            before = len(notified(here))
            await here.wait(NUDGE)
            assert notified(here)[before:] == [player.id]

    async def test_private_messages_wait_for_their_end_too(self, room_of: RoomOf):
        async with room_of(2, turn_seconds=DAY) as here:
            player = await self.turn_at(here, 2, SlowNotice.PRIVATE)
            before = len(told_in_private(player))
            await here.wait(5.9 * 3600)
            assert len(told_in_private(player)) == before
            await here.wait(3600)
            assert len(told_in_private(player)) == before + 1

    async def test_a_live_match_has_none(self, room_of: RoomOf):
        async with room_of(2) as here:
            player = await turn(here)
            await here.wait(NUDGE)
            assert notified(here) == [player.id]

    async def test_they_and_the_zone_are_chosen_in_me(self, room_of: RoomOf):
        async with room_of(2) as here:
            ana, _ = here.people
            await choose(here, ana, "quiet_hours", "22-7")
            assert "**Quiet hours** · 22:00 – 7:00" in text_of(ana.panel(here.channel))
            await choose(here, ana, "zone", "Europe/London")
            assert "**Time zone** · Europe/London" in text_of(ana.panel(here.channel))
            await choose(here, ana, "zone", "usual")
            assert "**Time zone** · As on the server" in text_of(ana.panel(here.channel))
            chosen = here.bot.parts.preferences.cached(ana.id, TablePreferences)
            assert (chosen.quiet_hours, chosen.zone) == ("22-7", None)
