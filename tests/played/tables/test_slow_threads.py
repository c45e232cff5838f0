"""A slow table opens in a thread of its own, which stays for a week, so that its channel is free."""

from typing import Any

import pytest

from bot.tables.log.events import Phase
from bot.tables.log.pace import Tempo
from bot.tables.settings import TablePreferences
from tests.played import brief
from tests.played.tables.test_threads import CREATION, IN_ITS_THREAD, forbid, move, rung, sent
from tests.support.escoba import Room, RoomOf
from tests.support.fake_discord import worlds
from tests.support.fake_discord.threads import archive, state_of
from tests.support.people import text_of
from tests.support.phrases import OPENS, REMATCH

DAY, WEEK = 24 * 3600, 10080


def quiet_minutes(here: Room) -> int:
    """After how many quiet minutes Discord archives the room's thread."""
    return int(state_of(here.env.backend, here.channel.id).auto_archive_duration)


def free(here: Room, channel: Any) -> bool:
    """Whether somebody can open a table in a channel."""
    return not here.bot.parts.manager.has_table(channel.id)


async def test_a_slow_table_opens_in_a_thread_and_its_channel_takes_another(room_of: RoomOf):
    async with room_of(3, turn_seconds=DAY) as here:
        ana, bea, ciro = here.people
        channel = here.channel
        await here.lobby(bea)
        [thread] = channel.threads
        assert here.channel.id == thread.id
        assert (thread.name, quiet_minutes(here)) == ("🧹 Ana · Escoba", WEEK)
        assert text_of(ana.messages(channel)[0]) == IN_ITS_THREAD.format(here.table.guild_id, thread.id)
        assert rung(sent(here, "POST", f"/channels/{thread.id}/messages")[0]) == [ana.id]
        assert OPENS.format("Ana") in here.public_text
        assert free(here, channel)
        await ciro.slash(channel, "escoba play")
        assert len(channel.threads) == 2
        await here.press(ana, here.shown, "start")
        assert here.table.phase is Phase.PLAYING


@pytest.mark.parametrize("chooser", [0, 1], ids=["host", "guest"])
async def test_a_table_that_becomes_slow_in_its_lobby_leaves_its_channel(room_of: RoomOf, chooser: int):
    async with room_of(2) as here:
        channel, person = here.channel, here.people[chooser]
        await here.lobby(here.people[1])
        await here.choose_option(person, "tempo", Tempo.THREE_DAYS)
        [thread] = channel.threads
        assert here.channel.id == thread.id
        assert text_of(person.panel(channel)) == IN_ITS_THREAD.format(here.table.guild_id, thread.id)
        assert quiet_minutes(here) == WEEK
        assert sorted(rung(sent(here, "POST", f"/channels/{thread.id}/messages")[0])) == [p.id for p in here.people]
        await here.choose_option(person, "tempo", Tempo.QUICK)
        assert here.table.thread_id == thread.id, "it doesn't go to and fro"
        assert "Change the rules" in [each.label for each in person.buttons(person.panel(thread))]


async def test_a_thread_in_which_a_table_becomes_slow_stays_for_a_week(room_of: RoomOf):
    async with room_of(2) as here:
        await move(here)
        assert quiet_minutes(here) == 1440
        await here.choose_option(here.people[0], "tempo", Tempo.WEEK)
        assert quiet_minutes(here) == WEEK
        await here.end(here.people[0])
        assert quiet_minutes(here) == 60


async def test_a_slow_table_beside_another_has_a_thread_for_a_week(room_of: RoomOf):
    async with room_of(2) as here:
        bea = here.people[1]
        await here.lobby()
        await here.bot.parts.preferences.change(bea.id, TablePreferences, tempo=Tempo.DAY)
        await bea.slash(here.channel, "escoba play")
        await here.press(bea, here.private(bea), "aside", "0", "0")
        [here.channel] = here.channel.threads
        assert here.table.view().slow
        assert quiet_minutes(here) == WEEK
        assert not here.tap.to("PATCH", f"/channels/{here.channel.id}")


async def test_a_slow_rematch_stays_in_its_thread_for_another_week(room_of: RoomOf):
    async with room_of(2, chance=brief.TWO, turn_seconds=DAY) as here:
        await here.begin(target=5)
        await here.finish()
        assert quiet_minutes(here) == 60
        await here.press(here.people[1], here.shown, "rematch")
        assert REMATCH.format("Bea") in here.public_text
        assert quiet_minutes(here) == WEEK


async def test_a_slow_rematch_of_a_match_in_a_channel_begins_in_a_thread(room_of: RoomOf):
    async with room_of(1, chance=brief.TWO, turn_seconds=DAY) as here:
        ana, channel = here.people[0], here.channel
        here.env.inject_error("POST", CREATION, status=400, code=160006, times=1)
        await here.lobby(target=5)
        assert here.channel is channel
        await here.press(ana, here.shown, "addc")
        await here.press(ana, here.shown, "start")
        await here.press(ana, here.shown, "hand")
        await here.finish()
        await here.press(ana, here.shown, "rematch")
        here.follow()
        assert here.channel.id != channel.id
        assert here.table.phase is Phase.PLAYING, "nobody is missing"


async def test_a_slow_challenge_waits_for_its_answer_in_a_thread(room_of: RoomOf):
    async with room_of(2, turn_seconds=DAY) as here:
        (ana, bea), channel = here.people, here.channel
        await ana.slash(channel, "escoba challenge", player=bea.actor)
        here.follow()
        challenges = [each for each in here.tap.public() if "challenges <@" in str(each.body)]
        assert [each.message["allowed_mentions"].get("users") for each in challenges] == [[bea.id], [ana.id]]
        assert f"**Ana** challenges {bea.mention} to a match." in here.public_text
        assert free(here, channel)
        await here.press(bea, here.shown, "join")
        assert here.table.phase is Phase.PLAYING


async def test_who_waits_for_the_next_table_of_a_channel_hears_of_a_slow_one(room_of: RoomOf):
    async with room_of(4) as here:
        ana, _, ciro, dora = here.people
        await here.lobby()
        await here.press(ana, here.shown, "addc")
        await here.press(ana, here.shown, "start")
        await here.press(ciro, here.shown, "hand")
        await here.press(ciro, here.private(ciro), "awaitnext")
        with worlds.as_bot(here.env):
            await here.table.abandon()
        await here.env.settle()
        await here.bot.parts.preferences.change(dora.id, TablePreferences, tempo=Tempo.DAY)
        await dora.slash(here.channel, "escoba play")
        assert any(f"{ciro.mention} The next table is open." in text for text in ciro.sees(here.channel))


@pytest.mark.parametrize("missing", ["create_public_threads", "send_messages_in_threads", "read_message_history"])
async def test_without_the_right_to_open_threads_a_slow_table_is_as_any_other(room_of: RoomOf, missing: str):
    async with room_of(2, turn_seconds=DAY) as here:
        ana, channel = here.people[0], here.channel
        forbid(here, missing)
        await here.lobby(here.people[1])
        assert here.channel is channel
        assert OPENS.format("Ana") in here.public_text
        assert not sent(here, "POST", "/threads")
        await here.choose_option(ana, "tempo", Tempo.WEEK)
        assert "⚠️" not in here.private_text(ana)
        assert "Change the rules" in [each.label for each in ana.buttons(here.private(ana))]


async def test_where_discord_opens_no_thread_a_slow_table_stays_and_nobody_reads_of_it(room_of: RoomOf):
    async with room_of(2, turn_seconds=DAY) as here:
        ana, channel = here.people[0], here.channel
        here.env.inject_error("POST", CREATION, status=403, code=50013, times=2)
        await here.lobby(here.people[1])
        await here.choose_option(ana, "tempo", Tempo.WEEK)
        assert here.channel is channel
        assert "⚠️" not in here.private_text(ana)
        assert not any("thread" in text for text in ana.sees(channel))
        await here.options(ana, "thread")
        assert free(here, channel), "another attempt may succeed"


async def test_a_slow_table_in_somebodys_thread_or_a_voice_channel_stays_there_as_they_are(room_of: RoomOf):
    async with room_of(1, turn_seconds=DAY) as here:
        text = here.channel
        here.env.backend.create_thread(text.id, "hilo", here.people[0].id)
        for place in (text.threads[-1], here.world.guild.create_voice_channel("voz")):
            here.channel = place
            await here.lobby()
            assert here.channel is place
            assert OPENS.format("Ana") in here.public_text
            assert not sent(here, "PATCH", f"/channels/{place.id}")
            assert not sent(here, "POST", "/threads")
            await here.end(here.people[0])


async def test_a_slow_match_goes_on_in_its_thread_when_that_was_archived(room_of: RoomOf):
    async with room_of(2, turn_seconds=DAY) as here:
        await here.begin()
        archive(here.env.backend, here.channel.id)
        await here.wait(DAY)  # the turn passes, and the next one is told
        assert not state_of(here.env.backend, here.channel.id).archived
        assert not here.table.view().unseen
