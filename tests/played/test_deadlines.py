"""Deadlines: a warning, a computer that plays on, and people who come back with any click."""

from __future__ import annotations

import pytest

from bot.store import Metric
from bot.tables.log.events import Phase, Presence
from tests.played.conftest import RoomOf
from tests.support.escoba import Room
from tests.support.people import Person, text_of
from tests.support.phrases import ABANDONED, EXPIRED, PLAYED_FOR, ROUND, SCORE_OF, WARNING, YOUR_TURN, turn_of


def presences(here: Room) -> list[Presence]:
    """Who plays for each seat."""
    return [seat.presence for seat in here.table.view().seats]


def warned(here: Room) -> list[str]:
    """The warnings that can be seen now."""
    return [text for text in here.public_texts() if WARNING in text]


async def away(here: Room, seconds: float = 101) -> Person:
    """Bea, first to play, lets her deadline pass."""
    await here.begin(target=5)
    await here.wait(seconds)
    assert presences(here)[1] is Presence.AWAY
    return here.people[1]


async def test_the_player_at_turn_is_warned_and_the_warning_goes_when_they_play(room_of: RoomOf):
    async with room_of(2, turn_seconds=100, warn_seconds=30) as here:
        await here.begin()
        bea = here.people[1]
        await here.wait(69)
        assert warned(here) == []
        await here.wait(2)
        assert len(warned(here)) == 1
        assert bea.mention in warned(here)[0]
        ping = here.tap.to("POST", "/channels/*/messages")[-1]
        assert [int(user) for user in ping.body["allowed_mentions"]["users"]] == [bea.id]
        version = here.table.view().version
        await here.play_out(until=lambda: here.table.view().version > version)
        assert warned(here) == []


@pytest.mark.parametrize("killed", [False, True], ids=["stopped", "killed"])
async def test_a_warning_does_not_outlive_the_bot_that_gave_it(room_of: RoomOf, killed: bool):
    async with room_of(2, turn_seconds=100, warn_seconds=30) as here:
        await here.begin()
        await here.wait(75)
        assert len(warned(here)) == 1
        await here.restart(killed=killed)
        await here.env.settle()
        assert warned(here) == []
        await here.wait(75)
        assert len(warned(here)) == 1  # the deadline has begun anew, and with it the warning


@pytest.mark.parametrize("killed", [False, True], ids=["stopped", "killed"])
async def test_a_restart_keeps_a_deadline_and_its_warning_which_goes_with_the_turn(room_of: RoomOf, killed: bool):
    async with room_of(2, turn_seconds=600, warn_seconds=300, nudge_seconds=0) as here:
        await here.begin()
        await here.wait(400)
        [warning] = warned(here)
        deadline = here.table.view().deadline
        assert deadline is not None
        await here.restart(killed=killed)
        await here.env.settle()
        now = here.table.view().deadline
        assert now is not None
        assert abs((now - deadline).total_seconds()) < 1
        assert warned(here) == [warning], "it is neither deleted nor said again"
        await here.wait(100)
        assert warned(here) == [warning]
        version = here.table.view().version
        await here.play_out(until=lambda: here.table.view().version > version)
        assert warned(here) == []


async def test_without_a_warning_time_nobody_is_warned(room_of: RoomOf):
    async with room_of(2, turn_seconds=100, warn_seconds=0) as here:
        await here.begin()
        await here.wait(99)
        assert warned(here) == []
        assert presences(here)[1] is Presence.HERE
        await here.wait(2)
        assert presences(here)[1] is Presence.AWAY


async def test_without_a_deadline_nothing_ever_passes(room_of: RoomOf):
    async with room_of(2, turn_seconds=0) as here:
        await here.begin()
        assert turn_of(here.table.view()) in here.public_text
        assert "<t:" not in here.public_text
        version = here.table.version
        await here.wait(7 * 24 * 3600)
        assert here.table.version == version


async def test_who_lets_the_deadline_pass_is_played_for(room_of: RoomOf):
    async with room_of(2, turn_seconds=100, computer_seconds=2) as here:
        await away(here)
        assert "**Bea** 💤" in here.public_text
        assert turn_of(here.table.view()) in here.public_text
        assert warned(here) == []
        await here.wait(2.1)
        assert here.people[0].mention in turn_of(here.table.view())
        assert turn_of(here.table.view()) in here.public_text
        assert "**Bea** 🤖 " in here.public_text  # the move is marked as the computer's
        ana = here.people[0]
        here.people = [ana]
        await here.play_out()
        assert "🏆" in here.public_text
        page = await leaders(here)
        assert [row.matches for row in page.rows] == [1, 1]  # away is not left: it counts as any match


@pytest.mark.parametrize("how", ["hand", "panel", "command", "table"])
async def test_any_click_takes_the_seat_back(room_of: RoomOf, how: str):
    async with room_of(2, turn_seconds=100, computer_seconds=5) as here:
        bea = await away(here)
        if how == "hand":
            await here.press(bea, here.shown, "hand")
        elif how == "panel":
            assert PLAYED_FOR in text_of(here.panel(bea))
            await here.press(bea, here.panel(bea), "panel", label="I'm back")
            assert YOUR_TURN in text_of(here.panel(bea))
        else:
            await bea.slash(here.channel, "escoba hand" if how == "command" else "escoba table")
        assert presences(here)[1] is Presence.HERE
        assert "💤" not in here.public_text
        assert turn_of(here.table.view()) in here.public_text
        version = here.table.view().version
        await here.wait(10)
        assert here.table.view().version == version


async def test_when_everybody_is_away_the_game_waits_and_is_abandoned_in_the_end(room_of: RoomOf):
    async with room_of(2, turn_seconds=100, abandon_minutes=20) as here:
        await away(here)
        await here.wait(101)
        assert presences(here) == [Presence.AWAY] * 2
        assert here.table.view().waiting
        assert turn_of(here.table.view()) in here.public_text
        version = here.table.version
        await here.wait(19 * 60)
        assert here.table.version == version
        await here.wait(61)
        assert here.bot.manager.at(here.channel.id) is None
        assert ABANDONED in here.public_texts()[-1]
        assert (await leaders(here)).total == 0


async def test_a_game_that_waits_goes_on_when_somebody_comes_back(room_of: RoomOf):
    async with room_of(2, turn_seconds=100, abandon_minutes=20) as here:
        await away(here)
        await here.wait(101)
        await here.wait(19 * 60)
        ana = here.people[0]
        await here.press(ana, here.shown, "hand")
        assert presences(here) == [Presence.HERE, Presence.AWAY]
        await here.wait(90)
        assert here.table.phase is Phase.PLAYING
        here.people = [ana]
        await here.play_out()
        assert "🏆" in here.public_text


async def test_a_lobby_that_nobody_touches_is_cleared(room_of: RoomOf):
    async with room_of(2, lobby_minutes=10) as here:
        await here.lobby()
        await here.wait(9 * 60)
        await here.press(here.people[1], here.shown, "join")  # the time begins anew
        await here.wait(9 * 60)
        assert here.table.phase is Phase.LOBBY
        await here.wait(61)
        assert here.bot.manager.at(here.channel.id) is None
        assert len(here.public_texts()) == 1
        assert EXPIRED in here.public_texts()[0]
        await here.lobby()


async def test_the_next_round_is_dealt_by_itself_after_a_pause(room_of: RoomOf):
    async with room_of(2, round_seconds=45, turn_seconds=0) as here:
        await here.begin(target=21)
        await here.play_out(until=lambda: SCORE_OF.format(1) in here.public_text)
        assert "<t:" in here.public_text
        await here.wait(44)
        assert ROUND.format(2) not in here.public_text
        await here.wait(1.1)
        assert ROUND.format(2) in here.public_text
        assert SCORE_OF.format(1) in here.public_texts()[0]  # the score stays above
        assert [b.custom_id.split(":")[1] for b in here.people[0].buttons(here.shown)] == ["hand", "guide"]


async def test_a_turn_begins_anew_for_the_next_player(room_of: RoomOf):
    async with room_of(2, turn_seconds=100) as here:
        await here.begin()
        for _ in range(3):
            await here.wait(80)
            version = here.table.view().version
            await here.play_out(until=lambda at=version: here.table.view().version > at)
        assert presences(here) == [Presence.HERE] * 2


async def leaders(here: Room):
    """The server's leaderboard."""
    return await here.bot.store.leaderboard(
        here.world.guild.id, Metric.WINS, since=None, min_matches=1, limit=10, offset=0
    )
