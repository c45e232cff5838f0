"""Nudge, by click: a mention or a private message, as the person chose, and once a turn."""

from bot.tables.log.pace import DAY
from bot.tables.settings import SlowNotice, TablePreferences
from tests.played.tables.test_slow_match import at_a_day_a_turn
from tests.support.escoba import Room, RoomOf

HALF = DAY / 2


def texts(here: Room) -> list[str]:
    """All messages of the channel with plain text."""
    return [message.content for message in here.people[0].messages(here.channel) if message.content]


async def test_a_mention_that_names_who_waits_and_then_the_button_is_gone(room_of: RoomOf):
    async with room_of(2) as here:
        current, other = await at_a_day_a_turn(here)
        assert "nudge" not in "".join(each.custom_id for each in other.buttons(here.shown))
        await here.wait(HALF)
        await here.press(other, here.shown, "nudge")
        [text] = [each for each in texts(here) if "👋" in each]
        assert text.startswith(f"👋 <@{current.id}>, {other.name} is waiting for your move")
        assert "nudge" not in "".join(each.custom_id for each in other.buttons(here.shown))
        await here.restart()
        await here.wait(60)
        assert len([each for each in texts(here) if "👋" in each]) == 1


async def test_whoever_wants_private_messages_is_told_there_and_nobody_else_sees_it(room_of: RoomOf):
    async with room_of(2) as here:
        current, other = await at_a_day_a_turn(here)
        dm = await here.bot.host.tools.channels.open_private(current.id)
        preferences = here.bot.parts.preferences
        await preferences.change(
            current.id, TablePreferences, slow_notice=SlowNotice.DAILY, digest_channel=str(dm), digest_locale="en"
        )
        await here.wait(HALF)
        sent = len(here.tap.requests)
        await here.press(other, here.shown, "nudge")
        await here.wait(60)
        assert not any("👋" in each for each in texts(here))
        told = [each for each in here.tap.requests[sent:] if f"/channels/{dm}/messages" in each.path]
        [text] = [each.message["content"] for each in told]
        assert "It's your turn in 1 match." in text
        assert other.name in text


async def test_whoever_wants_to_hear_nothing_hears_nothing(room_of: RoomOf):
    async with room_of(2) as here:
        current, other = await at_a_day_a_turn(here)
        await here.bot.parts.preferences.change(current.id, TablePreferences, slow_notice=SlowNotice.NEVER)
        await here.wait(HALF)
        await here.press(other, here.shown, "nudge")
        assert not any("👋" in each for each in texts(here))
