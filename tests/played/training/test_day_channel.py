"""The day's position in a server's channel: chosen in the settings, posted at its hour, growing, replaced, stopped."""

import asyncio
from contextlib import suppress
from datetime import date, datetime, timedelta
from typing import Any

import discord
import pytest
from simcord.backend.models import Overwrite
from simcord.enums import OverwriteType

from bot.platform.kit.channel_access import MUTED_WAIT
from bot.platform.language.catalogues import words
from bot.platform.layout import Layout
from bot.platform.refusals import CommonRefusal
from bot.training.boards.day_channel import AFTER_START, USUAL_HOUR
from bot.training.boards.day_message import AGAIN, TRIED
from bot.training.boards.day_page import WEEK, DayPages, due_at, over_at
from bot.training.ids.lesson import DaySetting
from bot.training.live.days import DayPositions
from bot.training.live.finding import Exercise
from bot.training.parts import TrainingParts
from bot.training.store.days import DayChannel, Stopped
from bot.training.store.rows import DayAnswer
from bot.training.words.coaching import move_text
from tests.support.dose import thorough_but
from tests.support.escoba import Room, RoomOf, own
from tests.support.people import Person, forge, text_of
from tests.support.phrases import STALE, refusal_text
from tests.training.screens.test_day_message import exercise

FIRST = date(2026, 1, 1)
"""The day on which the simulation begins."""


async def fixed(_: DayPositions, day: date) -> Exercise:
    """Positions of two kinds, in turn."""
    return exercise("escoba" if day.toordinal() % 2 else "quince")


@pytest.fixture(autouse=True)
def positions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(DayPositions, "of", fixed)


async def manager_of(here: Room) -> Person:
    """A server manager with the editor open."""
    ana = here.people[0]
    own(here, ana)
    await here.setting(ana, "day")
    return ana


async def turned_on(here: Room, hour: int = USUAL_HOUR) -> Person:
    ana = await manager_of(here)
    await ana.choose(here.channel, [here.channel], custom_id="s:dayin")
    if hour != USUAL_HOUR:
        await ana.choose(here.channel, [str(hour)], custom_id="s:dayat")
    return ana


def chosen(here: Room) -> DayChannel:
    row = here.bot.host.of(TrainingParts).day_boards.row_of(here.world.guild.id)
    assert row is not None
    return row


async def until(here: Room, moment: datetime) -> None:
    await here.wait(max(0.0, (moment - here.env.now()).total_seconds()) + 1)


async def until_posted(here: Room, day: date) -> None:
    await until(here, due_at(chosen(here), day))
    await shown(here)


async def shown(here: Room) -> None:
    """Wait for what is under way: on a busy machine SimCord may take a bot that is about to post for an idle one."""
    message = here.bot.host.of(TrainingParts).day_boards._messages.get(here.world.guild.id)
    if message is not None:
        with suppress(TimeoutError):
            async with asyncio.timeout(1):
                await message.surface.settle()
    await here.env.settle()


async def answered(here: Room, person: Person, day: date, lost: int = 0) -> None:
    """Store an answer that somebody gave on the server, and count it as a click."""
    guild_id = here.world.guild.id
    answer = DayAnswer(day, person.id, guild_id, person.name, "0 1o", lost, counted=True, at=here.env.now())
    await here.bot.parts.stores.answers.give(answer)
    here.bot.host.of(TrainingParts).day_boards.clicked(guild_id)
    await here.env.settle()


def posted(here: Room) -> list[discord.Message]:
    """The public messages, oldest first."""
    return [each for each in here.people[1].messages(here.channel) if not each.flags.ephemeral]


async def test_what_the_bot_may_do_in_a_chosen_channel_is_read_from_the_choice(room_of: RoomOf) -> None:
    async with room_of() as here:
        ana = await manager_of(here)
        silent = here.world.guild.create_text_channel("silent")
        bot = here.env.backend.bot_user.id
        denied = Overwrite(bot, OverwriteType.MEMBER, deny=discord.Permissions(send_messages=True).value)
        here.env.backend.set_overwrite(silent.id, denied)
        here.world.tap.clear()
        await ana.choose(here.channel, [silent], custom_id="s:dayin")
        assert "send messages" in text_of(ana.panel(here.channel)).lower()
        asked = [each for each in here.world.tap.requests if each.method == "GET"]
        assert asked == [], "the choice brings the bot's permissions there"
        await ana.choose(here.channel, [here.channel], custom_id="s:dayin")
        assert "send messages" not in text_of(ana.panel(here.channel)).lower()


async def test_it_mentions_those_who_want_it_and_solve_there(room_of: RoomOf) -> None:
    async with room_of(4) as here:
        await turned_on(here)
        _, bea, ciro, dora = here.people
        for person in (bea, dora):
            await person.slash(here.channel, "escoba me")
            await person.choose(here.channel, ["day_notice"], custom_id="^m:change")
            await person.choose(here.channel, ["server"], custom_id="^m:day_notice")
        for person in (bea, ciro):  # Dora wants it, but doesn't solve here
            await answered(here, person, FIRST - timedelta(days=1))
        here.world.tap.clear()
        await until_posted(here, FIRST)
        [message] = posted(here)
        assert text_of(message).endswith(f"-# 🔔 <@{bea.id}>")
        [request] = [each for each in here.world.tap.public() if "🔔" in str(each.body)]
        assert request.message["allowed_mentions"]["users"] == [bea.id]
        await answered(here, bea, FIRST)
        await until(here, over_at(chosen(here), FIRST))
        await shown(here)
        edits = [each for each in here.world.tap.public() if each is not request]
        assert edits
        assert not any(any(each.message["allowed_mentions"].values()) for each in edits), "an edit pings nobody"
        await bea.slash(here.channel, "escoba me")
        await bea.choose(here.channel, ["day_notice"], custom_id="^m:change")
        await bea.choose(here.channel, ["never"], custom_id="^m:day_notice")
        await until_posted(here, FIRST + timedelta(days=1))
        assert "🔔" not in text_of(posted(here)[-1])


async def test_it_comes_at_the_hour_that_was_chosen_once_a_day_without_a_ping(room_of: RoomOf) -> None:
    async with room_of() as here:
        await turned_on(here, 18)
        await here.wait(17 * 60 * 60)
        assert posted(here) == []
        await until_posted(here, FIRST)
        [message] = posted(here)
        assert "January 1" in text_of(message)
        assert here.pings.seen == 0
        await here.wait(5 * 60 * 60)
        assert len(posted(here)) == 1


async def test_turned_off_while_it_is_being_posted_it_stays_off(
    room_of: RoomOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, go_on, day = asyncio.Event(), asyncio.Event(), DayPages.day

    async def slow(*args: Any, **options: Any) -> Layout:
        begun.set()
        await go_on.wait()
        return await day(*args, **options)

    async with room_of() as here:
        await turned_on(here)
        boards, guild_id = here.bot.host.of(TrainingParts).day_boards, here.world.guild.id
        monkeypatch.setattr(DayPages, "day", slow)
        posting = asyncio.create_task(boards.post_now(guild_id))
        await begun.wait()
        turning_off = asyncio.create_task(boards.turn_off(guild_id))
        await here.env.settle()
        go_on.set()
        await asyncio.gather(posting, turning_off)
        assert boards.row_of(guild_id) is None
        assert await here.bot.parts.stores.day_channels.get(guild_id) is None


async def test_chosen_again_while_it_is_turned_off_it_goes_on(room_of: RoomOf) -> None:
    async with room_of() as here:
        await turned_on(here)
        boards, guild_id = here.bot.host.of(TrainingParts).day_boards, here.world.guild.id
        await asyncio.gather(boards.turn_off(guild_id), boards.choose(guild_id, "en-US", hour=9))
        row = chosen(here)
        assert await here.bot.parts.stores.day_channels.get(guild_id) == row
        await until_posted(here, FIRST)
        assert len(posted(here)) == 1


async def test_a_message_that_is_being_posted_when_the_bot_stops_is_stored(
    room_of: RoomOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, go_on, day = asyncio.Event(), asyncio.Event(), DayPages.day

    async def slow(*args: Any, **options: Any) -> Layout:
        begun.set()
        await go_on.wait()
        return await day(*args, **options)

    async with room_of() as here:
        await turned_on(here)
        boards, store = here.bot.host.of(TrainingParts).day_boards, here.bot.parts.stores.day_channels
        monkeypatch.setattr(DayPages, "day", slow)
        posting = asyncio.create_task(boards.post_now(here.world.guild.id))
        await begun.wait()
        closing = asyncio.create_task(boards.close())
        await here.env.settle()
        assert not closing.done()
        go_on.set()
        await asyncio.gather(posting, closing)
        stored = await store.get(here.world.guild.id)
        assert stored is not None
        assert stored.message_id == posted(here)[0].id


async def test_turned_off_while_somebody_clicks_it_stays_off(room_of: RoomOf) -> None:
    async with room_of() as here:
        await turned_on(here)
        await until_posted(here, FIRST)
        boards, guild_id, store = (
            here.bot.host.of(TrainingParts).day_boards,
            here.world.guild.id,
            here.bot.parts.stores.day_channels,
        )
        assert chosen(here).unused
        turning_off = asyncio.create_task(boards.turn_off(guild_id))
        await asyncio.sleep(0)  # now its row is being deleted
        boards.clicked(guild_id)
        await turning_off
        await here.env.settle()
        assert boards.row_of(guild_id) is None
        assert await store.get(guild_id) is None


async def test_a_click_is_stored_by_the_message_that_it_keeps_going(room_of: RoomOf) -> None:
    async with room_of() as here:
        await turned_on(here)
        await until_posted(here, FIRST)
        guild_id, store = here.world.guild.id, here.bot.parts.stores.day_channels
        stored = await store.get(guild_id)
        assert stored is not None
        assert stored.unused == 1
        here.bot.host.of(TrainingParts).day_boards.clicked(guild_id)
        await here.wait(1)
        stored = await store.get(guild_id)
        assert stored is not None
        assert stored.unused == 0


async def test_an_unexpected_failure_is_logged_and_retried(
    room_of: RoomOf, monkeypatch: pytest.MonkeyPatch, expected_errors: list[tuple[str, str]]
) -> None:
    expected_errors.append(("bot.platform.kit.live_message", r"^The day's position of server \d+ could not be shown"))
    failures, day = [ValueError("the clock is behind")], DayPages.day

    async def failing(*args: Any, **options: Any) -> Layout:
        if failures:
            raise failures.pop()
        return await day(*args, **options)

    monkeypatch.setattr(DayPages, "day", failing)
    async with room_of() as here:
        await turned_on(here)
        await until_posted(here, FIRST)
        assert posted(here) == []
        await here.wait(2 * AGAIN.total_seconds())
        assert len(posted(here)) == 1


async def test_it_grows_with_the_answers_and_ends_with_its_day(room_of: RoomOf) -> None:
    async with room_of() as here:
        await turned_on(here)
        await until_posted(here, FIRST)
        await answered(here, here.people[0], FIRST)
        await answered(here, here.people[1], FIRST, lost=500)
        await here.wait(61)
        [message] = posted(here)
        assert "**1 of 2 found the best move**" in text_of(message)
        assert "🟩 Ana · 🟥 Bea" in text_of(message)
        await until(here, over_at(chosen(here), FIRST))
        assert "This day is over" in text_of(posted(here)[0])
        await until_posted(here, FIRST + timedelta(days=1))
        _, message = posted(here)
        best = move_text((await here.bot.parts.days.of(FIRST)).analysis.best.move, words("en"))
        best = best.replace("\u2060", "")
        assert "1 of 2 here found it. 🟩 " in text_of(message)
        assert "🌱 Found one for the first time: " in text_of(message)
        assert f"**{best}.**" in text_of(message)


async def test_at_midnight_the_older_message_ends_before_the_next_one_comes(room_of: RoomOf) -> None:
    async with room_of() as here:
        ana = await turned_on(here, 0)
        await ana.press(here.channel, custom_id="s:daynow")
        await answered(here, ana, FIRST)
        await until_posted(here, FIRST + timedelta(days=1))
        older, newer = posted(here)
        assert "This day is over" in text_of(older)
        assert "🟩 Ana" in text_of(older)
        assert "January 2" in text_of(newer)


async def test_answers_by_the_messages_button_are_counted(room_of: RoomOf) -> None:
    async with room_of() as here:
        await turned_on(here)
        await until_posted(here, FIRST)
        assert chosen(here).unused == 1
        for number, person in enumerate(here.people):
            await person.press(posted(here)[0], label="Solve")
            assert chosen(here).unused == 0
            await person.choose(person.panel(here.channel), [str(number)], custom_id="^d:move:")
        await here.wait(61)
        text = text_of(posted(here)[0])
        assert "**1 of 2 found the best move**" in text
        assert "🟩 Ana" in text
        assert "🟥 Bea" in text


async def test_an_edit_takes_a_counted_request_at_most_once_a_minute(room_of: RoomOf) -> None:
    async with room_of(4) as here:
        await turned_on(here)
        await until_posted(here, FIRST)
        await here.wait(60)
        before = len(here.tap.to("PATCH", "/channels/*/messages/*"))
        for person in here.people:
            await answered(here, person, FIRST)
            await here.wait(10)
        assert len(here.tap.to("PATCH", "/channels/*/messages/*")) - before == 1
        await here.wait(60)
        assert len(here.tap.to("PATCH", "/channels/*/messages/*")) - before == 2


async def test_a_message_that_nobody_clicked_is_replaced(room_of: RoomOf) -> None:
    async with room_of() as here:
        await turned_on(here)
        await until_posted(here, FIRST)
        await until_posted(here, FIRST + timedelta(days=1))
        [message] = posted(here)
        assert "January 2" in text_of(message)


async def test_after_a_week_without_a_click_it_stops_and_says_so_once(room_of: RoomOf) -> None:
    async with room_of() as here:
        ana = await turned_on(here)
        for day in range(WEEK + 2):
            await until_posted(here, FIRST + timedelta(days=day))
        [message] = posted(here)
        assert "No more puzzles here" in text_of(message)
        assert chosen(here).stopped is Stopped.UNUSED
        await here.setting(ana, "day")
        assert "for a week nobody opened it" in text_of(ana.panel(here.channel))


@pytest.mark.thorough
async def test_a_click_in_the_week_keeps_it_going(room_of: RoomOf) -> None:
    async with room_of() as here:
        await turned_on(here)
        for day in range(WEEK + 2):
            await until_posted(here, FIRST + timedelta(days=day))
            if day == WEEK - 1:
                here.bot.host.of(TrainingParts).day_boards.clicked(here.world.guild.id)
        assert chosen(here).stopped is None
        assert len(posted(here)) == 2


@pytest.mark.parametrize("killed", thorough_but([False, True], True), ids=["stopped", "killed"])
async def test_after_a_restart_no_day_is_posted_twice_and_the_message_goes_on_growing(
    room_of: RoomOf, killed: bool
) -> None:
    async with room_of() as here:
        await turned_on(here)
        await until_posted(here, FIRST)
        await answered(here, here.people[0], FIRST)
        await here.restart(killed=killed)
        await here.wait((AFTER_START + AGAIN).total_seconds())
        [message] = posted(here)
        assert "🟩 Ana" in text_of(message)
        await until_posted(here, FIRST + timedelta(days=1))
        assert len(posted(here)) == 2


async def test_a_message_that_was_posted_but_not_noted_is_sent_again_under_its_nonce(room_of: RoomOf) -> None:
    async with room_of() as here:
        await turned_on(here)
        row = chosen(here)
        await until_posted(here, FIRST)
        await here.bot.parts.stores.day_channels.put(row)  # as if the bot had been killed in between
        await here.restart(killed=True)
        await here.wait((AFTER_START + AGAIN).total_seconds())
        nonces = [request.body["nonce"] for request in here.tap.to("POST", "/channels/*/messages")]
        assert len(nonces) == 2
        assert len(set(nonces)) == 1, "so Discord returns the first one"
        assert chosen(here).message_id is not None


async def test_a_missed_hour_is_made_up_for_on_the_same_day(room_of: RoomOf) -> None:
    async with room_of() as here:
        await turned_on(here)
        guild_id, row = here.world.guild.id, chosen(here)
        await here.bot.host.of(TrainingParts).day_boards.turn_off(guild_id)  # as if the bot were down at that hour
        await until(here, due_at(row, FIRST) + timedelta(hours=3))
        await here.bot.parts.stores.day_channels.put(row)
        await here.restart()
        await here.wait((AFTER_START + AGAIN).total_seconds())
        assert "January 1" in text_of(posted(here)[0])


async def test_somebody_who_was_erased_is_no_longer_named(room_of: RoomOf) -> None:
    async with room_of() as here:
        await turned_on(here)
        await until_posted(here, FIRST)
        for person in here.people:
            await answered(here, person, FIRST)
        await here.wait(61)
        assert "Bea" in text_of(posted(here)[0])
        bea = here.people[1]
        await here.open_data(bea)
        await bea.press(here.channel, label="Erase")
        await bea.press(here.channel, label="Yes|Erase everything")
        await here.wait(61)
        assert "Bea" not in text_of(posted(here)[0])
        assert "Ana" in text_of(posted(here)[0])


@pytest.mark.parametrize(
    ("status", "code", "why"),
    [
        (403, 50013, Stopped.FORBIDDEN),
        pytest.param(403, 50001, Stopped.FORBIDDEN, marks=pytest.mark.thorough),
        (404, 10003, Stopped.GONE),
    ],
)
async def test_where_it_may_not_write_for_days_it_stops_trying_and_tells_the_managers(
    room_of: RoomOf, status: int, code: int, why: Stopped
) -> None:
    async with room_of() as here:
        ana = await turned_on(here)
        here.env.inject_error("POST", "/channels/*/messages", status=status, code=code, times=None)
        if why is Stopped.GONE:
            here.env.inject_error("GET", "/channels/*", status=status, code=code, times=None)
        await until_posted(here, FIRST)
        assert chosen(here).stopped is None, "once is not enough"
        await here.wait(TRIED.total_seconds() + 2 * MUTED_WAIT)
        assert posted(here) == []
        assert chosen(here).stopped is why
        here.env.backend.faults.clear()
        await ana.slash(here.channel, "escoba settings")
        assert "**Daily puzzle** · ⚠️ Stopped" in text_of(ana.panel(here.channel))
        await ana.choose(here.channel, ["day"], custom_id="^s:change$")
        assert "⚠️ I've stopped posting it" in text_of(ana.panel(here.channel))
        await ana.choose(here.channel, ["9"], custom_id="s:dayat")
        await until_posted(here, FIRST + TRIED + timedelta(days=1))
        assert len(posted(here)) == 1


@pytest.mark.parametrize(("status", "code"), [(403, 50013), (404, 10003)])
async def test_one_refusal_delays_it(room_of: RoomOf, status: int, code: int) -> None:
    async with room_of() as here:
        await turned_on(here)
        here.env.inject_error("POST", "/channels/*/messages", status=status, code=code, times=1)
        await until_posted(here, FIRST)
        assert posted(here) == []
        await here.wait(MUTED_WAIT * 1.25)
        assert len(posted(here)) == 1


async def test_a_deleted_message_stays_deleted_and_the_next_day_brings_another(room_of: RoomOf) -> None:
    async with room_of() as here:
        await turned_on(here)
        await until_posted(here, FIRST)
        await posted(here)[0].delete()
        await answered(here, here.people[0], FIRST)
        await here.wait(61)
        assert posted(here) == []
        await until_posted(here, FIRST + timedelta(days=1))
        assert len(posted(here)) == 1


async def test_a_temporary_failure_delays_it(room_of: RoomOf) -> None:
    async with room_of() as here:
        await turned_on(here)
        here.env.inject_error("POST", "/channels/*/messages", status=503, code=0, times=1)
        await until_posted(here, FIRST)
        assert posted(here) == []
        await here.wait(90)
        assert len(posted(here)) == 1


async def test_if_its_hour_has_passed_it_begins_tomorrow_unless_posted_at_once(room_of: RoomOf) -> None:
    async with room_of() as here:
        await here.wait(12 * 60 * 60)
        ana = await turned_on(here)
        await here.wait(60)
        assert posted(here) == []
        await ana.press(here.channel, custom_id="s:daynow")
        assert len(posted(here)) == 1
        assert all(button.custom_id != "s:daynow" for button in ana.buttons(ana.panel(here.channel)))
        await until_posted(here, FIRST + timedelta(days=1))
        assert "January 2" in text_of(posted(here)[-1])


async def test_the_editor_says_what_the_bot_may_not_do_in_the_channel(room_of: RoomOf) -> None:
    async with room_of() as here:
        ana, me = await manager_of(here), here.bot.user
        assert me is not None
        for name, denied in (("view", "view_channel"), ("send", "send_messages"), ("files", "attach_files")):
            channel = here.world.guild.create_text_channel(name)
            deny = discord.Permissions(**{denied: True}).value
            here.env.backend.set_overwrite(channel.id, Overwrite(me.id, OverwriteType.MEMBER, deny=deny))
            await ana.choose(here.channel, [channel], custom_id="s:dayin")
            wanted = {"view": "View Channel", "send": "Send Messages", "files": "Attach Files"}[name]
            text = text_of(ana.panel(here.channel))
            assert "Permissions that I lack in" in text
            assert f": **{wanted}" in text
        await ana.choose(here.channel, [here.channel], custom_id="s:dayin")
        assert "permission" not in text_of(ana.panel(here.channel))


async def test_it_takes_only_a_channel_of_the_server_and_an_hour_of_the_day(room_of: RoomOf) -> None:
    async with room_of() as here:
        ana = await turned_on(here)
        row = chosen(here)
        clicks = [("s:dayin", ["1"]), ("s:dayin", list[str]()), ("s:dayat", ["24"]), ("s:dayat", ["-1"])]
        for custom_id, values in clicks:
            result = await forge(ana, ana.panel(here.channel), custom_id, values)
            assert result.response is not None
            assert STALE in text_of(result.response), (custom_id, values)
            assert STALE in text_of(ana.panel(here.channel))
            assert chosen(here) == row, (custom_id, values)


async def test_only_managers_may_change_it(room_of: RoomOf) -> None:
    async with room_of() as here:
        bea = here.people[1]
        for which in DaySetting:
            await bea.slash(here.channel, "escoba me")
            await forge(bea, bea.panel(here.channel), f"s:{which}", ["9"])
            assert refusal_text(CommonRefusal.NOT_MANAGER) in text_of(bea.panel(here.channel)), which
            assert here.bot.host.of(TrainingParts).day_boards.row_of(here.world.guild.id) is None, which


async def test_nothing_is_posted_once_it_is_turned_off(room_of: RoomOf) -> None:
    async with room_of() as here:
        ana = await turned_on(here)
        await ana.press(here.channel, custom_id="s:dayoff")
        assert "It's **off**" in text_of(ana.panel(here.channel))
        await here.wait(30 * 60 * 60)
        assert posted(here) == []
        assert await here.bot.parts.stores.day_channels.all() == []


async def test_a_server_that_the_bot_is_not_in_gets_nothing_until_it_is_back(
    room_of: RoomOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with room_of() as here:
        await turned_on(here)
        with monkeypatch.context() as patch:
            patch.setattr(here.bot.host.of(TrainingParts).day_boards._pages, "guild_of", lambda guild_id: None)
            await until_posted(here, FIRST)
            assert posted(here) == []
        await here.wait(AGAIN.total_seconds())
        assert len(posted(here)) == 1


async def test_a_server_whose_data_was_deleted_meanwhile_gets_nothing(
    room_of: RoomOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with room_of() as here:
        await turned_on(here)
        with monkeypatch.context() as patch:
            patch.setattr(here.bot.host.of(TrainingParts).day_boards._pages, "guild_of", lambda guild_id: None)
            await until_posted(here, FIRST)
            assert await here.bot.parts.stores.kept.drop_rest(here.world.guild.id, [])
        await here.wait(24 * 60 * 60)
        assert posted(here) == []


@pytest.mark.thorough
async def test_it_is_in_the_servers_language(room_of: RoomOf) -> None:
    async with room_of(guild_locale="es-ES") as here:
        await turned_on(here)
        await until_posted(here, FIRST)
        assert "1 de enero" in text_of(posted(here)[0])
