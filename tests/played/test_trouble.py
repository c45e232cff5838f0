"""The game goes on when Discord doesn't let the bot write or a message is gone."""

import gc
import weakref
from datetime import timedelta
from typing import Any

import discord
import pytest
from simcord.backend.models import Overwrite
from simcord.enums import OverwriteType

from bot.platform.database.ownership import Held, Owner
from bot.platform.kit.channel_access import PROBE_SECONDS
from bot.platform.refusals import CommonRefusal
from bot.platform.transport.pacer import Unsure, _harmless
from bot.tables.log.events import Phase
from bot.tables.parts import TableParts
from bot.tables.refusals import TableRefusal
from tests.played import brief
from tests.support.escoba import Room, RoomOf
from tests.support.people import text_of
from tests.support.phrases import (
    CANCELLED,
    FURTHER_DOWN,
    NO_SEAT,
    OPENS,
    STOPPED_FOLLOWING,
    YOUR_HAND,
    YOUR_TURN,
    refusal_text,
    turn_line,
)

DAY = 24 * 3600
CANNOT_WRITE = "I can't write in"


def hush(here: Room, *, silent: bool = True) -> None:
    """Forbid the bot to write in the channel, or allow it again."""
    allowed = None if not silent else False
    allow, deny = discord.PermissionOverwrite(view_channel=allowed, send_messages=allowed).pair()
    bot_id = here.env.backend.bot_user.id
    here.env.backend.set_overwrite(here.channel.id, Overwrite(bot_id, OverwriteType.MEMBER, allow.value, deny.value))


async def test_no_game_opens_where_the_bot_may_not_write(room_of: RoomOf):
    async with room_of(1) as here:
        ana = here.people[0]
        hush(here)
        await ana.slash(here.channel, "escoba play")
        assert here.private_text(ana) == refusal_text(CommonRefusal.MUTED)
        assert here.bot.parts.manager.at(here.channel.id) is None
        hush(here, silent=False)
        await ana.slash(here.channel, "escoba play")
        assert OPENS.format("Ana") in here.public_text


async def test_a_bot_in_time_out_says_so_and_how_to_end_it(room_of: RoomOf):
    async with room_of(1) as here:
        ana, bot = here.people[0], here.env.backend.get_member(here.world.guild.id, here.env.backend.bot_user.id)
        for hours, code in ((1, CommonRefusal.TIMED_OUT), (-1, None)):
            bot.timed_out_until = (discord.utils.utcnow() + timedelta(hours=hours)).isoformat()
            await ana.slash(here.channel, "escoba play")
            assert (here.bot.parts.manager.at(here.channel.id) is None) is (code is not None)
            if code is not None:
                assert here.private_text(ana) == refusal_text(code)


async def test_a_match_goes_on_in_its_panels_while_the_bot_may_not_write(room_of: RoomOf):
    async with room_of(2) as here:
        await here.begin()
        hush(here)
        version = here.table.view().version
        await here.play_out(until=lambda: here.table.view().version > version)
        assert len(here.tap.refused) == 1
        assert here.table.view().deadline is None, "whoever may not know of their turn has time"
        for person in here.people:
            assert CANNOT_WRITE in text_of(here.panel(person))
        await here.wait(10)
        await here.play_out(until=lambda: here.table.view().version > version + 4)
        assert here.table.view().deadline is not None, "they have pressed something since"
        hush(here, silent=False)
        await here.wait(PROBE_SECONDS)
        assert not here.table.view().unseen, "a change of its permissions is a reason to try again"
        assert turn_line(here.table.view()) in here.public_text
        await here.play_out(until=lambda: here.table.view().version > version + 8)
        assert CANNOT_WRITE not in text_of(here.panel(here.people[0]))


async def test_a_lobby_asks_for_the_permission_to_write_at_each_press(room_of: RoomOf):
    async with room_of(2) as here:
        await here.lobby()
        hush(here)
        here.bot.host.of(TableParts).presenter.board_of(here.table).show_again()
        await here.env.settle()
        await here.press(here.people[1], here.shown, "join")
        assert here.private_text(here.people[1]) == refusal_text(CommonRefusal.MUTED)


async def test_no_match_ends_because_the_bot_may_not_write(room_of: RoomOf):
    async with room_of(2) as here:
        await here.begin()
        hush(here)
        table, version = here.table, here.table.view().version
        await here.play_out(until=lambda: here.table.view().version > version)
        await here.wait(10 * DAY)
        assert (table.phase, table.view().seats) == (Phase.PLAYING, here.table.view().seats)
        assert len(here.tap.refused) <= 10 * 24 + 1, "it is tried once an hour"
        await here.restart()
        await here.wait(2 * DAY)
        assert here.table.phase is Phase.PLAYING
        assert here.table.view().unseen
        hush(here, silent=False)
        await here.wait(PROBE_SECONDS)
        assert here.table.view().deadline is not None


async def test_after_two_weeks_computers_play_on_for_whoever_did_not_find_the_match(room_of: RoomOf):
    async with room_of(2) as here:
        await here.begin()
        hush(here)
        table, version = here.table, here.table.view().version
        await here.play_out(until=lambda: here.table.view().version > version)
        await here.wait(15 * DAY)
        away = [seat for seat in table.view().seats if not seat.human_here]
        assert len(away) == 1
        assert table.phase is Phase.PLAYING


async def test_a_result_is_shown_when_the_bot_may_write_again(room_of: RoomOf):
    async with room_of(2, chance=brief.TWO) as here:
        await here.begin(target=5)
        hush(here)
        await here.finish()
        await here.wait(3 * 3600)
        assert "## 🏆" not in here.public_text
        hush(here, silent=False)
        await here.wait(PROBE_SECONDS)
        assert "## 🏆" in here.public_text


async def test_a_lobby_without_a_channel_leaves_nothing_behind(room_of: RoomOf):
    async with room_of(1, computer_seconds=30) as here:
        other = here.world.guild.create_text_channel("otra")
        await here.lobby()
        await here.press(here.people[0], here.shown, "addc")
        game, table = here.table.id, weakref.ref(here.table)
        here.env.backend.delete_channel(here.channel.id)
        await here.env.settle()
        await here.wait(61)
        assert here.bot.parts.manager.at(here.channel.id) is None
        gc.collect()
        assert table() is None, "the table is still referenced"
        row = await here.bot.parts.stores.games.get(game)
        assert row is not None
        assert row.closed_at is not None
        await here.people[0].slash(other, "escoba play")
        assert here.bot.parts.manager.at(other.id) is not None


async def test_a_deleted_table_is_posted_again(room_of: RoomOf):
    async with room_of(2, chance=brief.TWO) as here:
        await here.begin(target=5)
        for _ in range(3):
            gone = here.shown
            here.env.backend.delete_message(here.channel.id, gone.id)
            await here.env.settle()
            assert gone.id not in [message.id for message in here.people[0].messages(here.channel)]
            version = here.table.view().version
            await here.play_out(until=lambda at=version: here.table.view().version > at)
            assert here.shown.id > gone.id
            assert turn_line(here.table.view()) in here.public_text
        await here.finish()
        assert "🏆" in here.public_text


async def test_a_deleted_lobby_is_posted_again(room_of: RoomOf):
    async with room_of(2) as here:
        ana, bea = here.people
        await here.lobby()
        here.env.backend.delete_message(here.channel.id, here.shown.id)
        await ana.slash(here.channel, "escoba play")
        assert refusal_text(TableRefusal.CHANNEL_BUSY) in here.private_text(ana)
        await ana.slash(here.channel, "escoba table")
        await here.press(bea, here.shown, "join")
        assert "2. **Bea**" in here.public_text


async def test_an_edit_that_failed_is_repeated_a_little_later(room_of: RoomOf):
    async with room_of(2) as here:
        await here.begin()
        here.env.inject_error("PATCH", "/channels/*/messages/*", status=500, times=2)
        version, before = here.table.view().version, here.public_text
        await here.play_out(until=lambda: here.table.view().version > version)
        assert here.public_text == before
        await here.wait(16)
        assert here.public_text != before
        assert turn_line(here.table.view()) in here.public_text


async def test_the_end_of_a_game_is_shown_even_after_a_long_discord_outage(room_of: RoomOf):
    async with room_of(2) as here:
        await here.begin(friendly=True)
        ana = here.people[0]
        before = here.public_text
        here.env.inject_error("PATCH", "/channels/*/messages/*", status=503, times=None)
        await here.end(ana)
        assert here.bot.parts.manager.at(here.channel.id) is None
        await here.wait(3600)
        assert here.public_text == before
        here.env.backend.faults.clear()
        await here.wait(400)
        assert any(CANCELLED.format("Ana") in text for text in here.people[1].sees(here.channel))
        assert await here.bot.parts.stores.games.unshown_ends() == []


async def test_a_click_opens_a_new_panel_when_the_old_one_cannot_be_edited(room_of: RoomOf):
    async with room_of(2) as here:
        await here.begin()
        ana, bea = here.people
        here.env.inject_error("PATCH", "/webhooks/*", status=404, code=10015, times=1)
        version = here.table.view().version
        await here.play_out(until=lambda: here.table.view().version > version)
        assert YOUR_TURN not in text_of(here.panel(ana))  # it isn't updated any more
        await here.press(ana, here.shown, "hand")
        assert YOUR_TURN in text_of(here.panel(ana))
        await here.play_out(until=lambda: here.table.view().version > version + 4)
        assert YOUR_HAND in text_of(here.panel(bea))


async def test_a_panel_of_a_game_that_is_over_stays_as_it_is(room_of: RoomOf):
    async with room_of(2, turn_seconds=0) as here:
        await here.begin(friendly=True)
        ana, bea = here.people
        await here.end(ana)
        shown = here.private_text(bea)
        await here.wait(15 * 60)
        assert here.private_text(bea) == shown


async def test_a_panel_says_that_it_stops_following_before_its_token_expires(room_of: RoomOf):
    async with room_of(2, turn_seconds=0) as here:
        await here.begin()
        ana, bea = here.people
        await here.wait(13 * 60)
        await here.press(bea, here.panel(bea), "panel")
        await here.wait(2 * 60)
        assert STOPPED_FOLLOWING in here.private_text(ana)
        assert YOUR_HAND in here.private_text(bea)
        await here.press(ana, ana.panel(here.channel), "panel")
        assert YOUR_HAND in here.private_text(ana)
        await here.play_out(until=lambda: here.clicks > 12)


async def test_the_panel_of_somebody_who_has_left_offers_no_way_back(room_of: RoomOf):
    async with room_of(3, turn_seconds=0) as here:
        await here.begin(friendly=True)
        leaver = here.people[2]
        number = leaver.panel(here.channel).id

        def panel() -> str:
            return text_of(next(each for each in leaver.messages(here.channel) if each.id == number))

        await leaver.slash(here.channel, "escoba leave")
        await here.press(leaver, leaver.panel(here.channel), "leaveyes")
        assert panel() == NO_SEAT
        await here.wait(15 * 60)
        assert panel() == NO_SEAT


async def test_a_table_older_than_an_hour_is_posted_afresh(room_of: RoomOf):
    async with room_of(2, turn_seconds=0) as here:
        await here.begin()
        old = here.shown
        await here.wait(55 * 60)
        for person in here.people:
            await here.press(person, person.panel(here.channel), "panel")
        version = here.table.view().version
        await here.play_out(until=lambda: here.table.view().version > version)
        assert here.shown.id != old.id
        assert FURTHER_DOWN in here.public_texts()[0]
        assert sum(turn_line(here.table.view()) in text for text in here.public_texts()) == 1


async def test_while_the_shards_owner_is_in_doubt_people_are_asked_to_try_again(room_of: RoomOf):
    async with room_of(2) as here:
        await here.begin()
        turn = here.people[here.table.view().match.turn]  # type: ignore[union-attr,index]
        before, version, owner = here.public_text, here.table.view().version, here.bot.parts.owner
        assert isinstance(owner, Owner)
        owner.held = Held.DOUBTFUL
        card = next(button for button in turn.buttons(here.panel(turn)) if ":card:" in button.custom_id)
        await turn.press(here.panel(turn), custom_id=card.custom_id)
        assert here.private_text(turn) == refusal_text(CommonRefusal.UNREADABLE)
        await turn.slash(here.channel, "escoba table")
        assert (here.public_text, here.table.view().version) == (before, version)
        owner.held = Held.YES
        await here.play_out(until=lambda: here.table.view().version > version)


async def test_a_handler_whose_answer_waits_for_certainty_asks_to_try_again_instead(
    room_of: RoomOf, monkeypatch: pytest.MonkeyPatch
):
    async with room_of(2) as here:
        await here.begin()
        person = here.people[0]
        for name in ("send_message", "edit_message"):
            monkeypatch.setattr(discord.InteractionResponse, name, unless_in_doubt(name))
        await person.slash(here.channel, "escoba rules")
        assert here.private_text(person) == refusal_text(CommonRefusal.UNREADABLE)
        await here.press(person, here.shown, "hand")
        assert here.private_text(person) == refusal_text(CommonRefusal.UNREADABLE)


def unless_in_doubt(name: str) -> Any:
    """A way to answer that only takes what is harmless, like the fence while it is in doubt whose the shards are."""
    answer = getattr(discord.InteractionResponse, name)

    async def doubted(*args: Any, **options: Any) -> Any:
        if not _harmless.get():
            raise Unsure("it is in doubt")
        return await answer(*args, **options)

    return doubted


@pytest.mark.parametrize("status", [403, 404])
async def test_a_click_whose_answer_meets_a_vague_refusal_is_answered_all_the_same(room_of: RoomOf, status: int):
    async with room_of(2) as here:
        bea = here.people[1]
        await here.lobby()
        here.env.inject_error("POST", "/interactions/*", status=status, code=0, times=1)
        await bea.slash(here.channel, "escoba me")
        assert refusal_text(CommonRefusal.UNREADABLE) in here.private_text(bea)
