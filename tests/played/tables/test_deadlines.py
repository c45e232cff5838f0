"""Deadlines: a warning, a computer that takes over, and players who come back with any click."""

import pytest

from bot.club.store.standing import Leaderboard, Metric
from bot.engine.moves import Stage
from bot.tables.live.waiting import LEAST_SECONDS
from bot.tables.log.events import Phase, Presence
from tests.support.dose import thorough_but
from tests.support.escoba import Room, RoomOf
from tests.support.people import Person, text_of
from tests.support.phrases import ABANDONED, EXPIRED, PLAYED_FOR, ROUND, SCORE_OF, WARNING, YOUR_TURN, turn_line


def presences(here: Room) -> list[Presence]:
    """The presence of each seat."""
    return [seat.presence for seat in here.table.view().seats]


def warnings(here: Room) -> list[str]:
    """The warnings now visible in the channel."""
    return [text for text in here.public_texts() if WARNING in text]


async def away(here: Room, seconds: float = 101) -> Person:
    """Start a match in which Bea, the first to play, misses her deadline."""
    await here.begin(target=5)
    await here.wait(seconds)
    assert presences(here)[1] is Presence.AWAY
    return here.people[1]


async def test_the_current_player_gets_a_warning_that_is_deleted_when_they_play(room_of: RoomOf):
    async with room_of(2, turn_seconds=100, warn_seconds=30) as here:
        await here.begin()
        bea = here.people[1]
        await here.wait(69)
        assert warnings(here) == []
        await here.wait(2)
        assert len(warnings(here)) == 1
        assert bea.mention in warnings(here)[0]
        ping = here.tap.to("POST", "/channels/*/messages")[-1]
        assert [int(user) for user in ping.body["allowed_mentions"]["users"]] == [bea.id]
        version = here.table.view().version
        await here.play_out(until=lambda: here.table.view().version > version)
        assert warnings(here) == []


@pytest.mark.parametrize("killed", thorough_but([False, True], True), ids=["stopped", "killed"])
async def test_a_restart_shortly_before_the_deadline_leaves_time_and_the_warning_says_until_when(
    room_of: RoomOf, killed: bool
):
    async with room_of(2, turn_seconds=100, warn_seconds=30) as here:
        await here.begin()
        await here.wait(75)
        assert len(warnings(here)) == 1
        await here.restart(killed=killed)
        await here.env.settle()
        deadline = here.table.view().deadline
        assert deadline is not None
        assert (deadline - here.env.now()).total_seconds() == LEAST_SECONDS
        [warning] = warnings(here)
        assert f"<t:{deadline.timestamp():.0f}:R>" in warning


@pytest.mark.parametrize("killed", thorough_but([False, True], True), ids=["stopped", "killed"])
async def test_a_restart_keeps_the_deadline_and_the_warning_until_the_turn_ends(room_of: RoomOf, killed: bool):
    async with room_of(2, turn_seconds=600, warn_seconds=300, nudge_seconds=0) as here:
        await here.begin()
        await here.wait(400)
        [warning] = warnings(here)
        deadline = here.table.view().deadline
        assert deadline is not None
        await here.restart(killed=killed)
        await here.env.settle()
        now = here.table.view().deadline
        assert now is not None
        assert abs((now - deadline).total_seconds()) < 1
        assert warnings(here) == [warning], "it is neither deleted nor posted again"
        await here.wait(100)
        assert warnings(here) == [warning]
        version = here.table.view().version
        await here.play_out(until=lambda: here.table.view().version > version)
        assert warnings(here) == []


async def test_no_warning_is_posted_when_none_is_configured(room_of: RoomOf):
    async with room_of(2, turn_seconds=100, warn_seconds=0) as here:
        await here.begin()
        await here.wait(99)
        assert warnings(here) == []
        assert presences(here)[1] is Presence.HERE
        await here.wait(2)
        assert presences(here)[1] is Presence.AWAY


async def test_a_turn_without_a_deadline_never_ends_by_itself(room_of: RoomOf):
    async with room_of(2, turn_seconds=0) as here:
        await here.begin()
        assert turn_line(here.table.view()) in here.public_text
        assert "<t:" not in here.public_text
        version = here.table.version
        await here.wait(7 * 24 * 3600)
        assert here.table.version == version


async def test_a_computer_plays_for_a_player_who_misses_the_deadline(room_of: RoomOf):
    async with room_of(2, turn_seconds=100, computer_seconds=2) as here:
        await away(here)
        assert "**Bea** 💤" in here.public_text
        assert turn_line(here.table.view()) in here.public_text
        assert warnings(here) == []
        await here.wait(2.1)
        assert here.people[0].mention in turn_line(here.table.view())
        assert turn_line(here.table.view()) in here.public_text
        assert "**Bea** 🤖 " in here.public_text  # the move is marked as the computer's
        ana = here.people[0]
        here.people = [ana]
        await here.finish()
        assert "🏆" in here.public_text
        page = await leaders(here)
        assert [(row.matches, row.wins) for row in page.rows] == [(1, 0)]  # a win without anybody's cards is none


@pytest.mark.parametrize("how", thorough_but(["hand", "panel", "command", "table"], "panel"))
async def test_any_click_brings_the_player_back(room_of: RoomOf, how: str):
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
        assert turn_line(here.table.view()) in here.public_text
        version = here.table.view().version
        await here.wait(10)
        assert here.table.view().version == version


async def test_a_game_with_everybody_away_waits_and_is_abandoned_in_the_end(room_of: RoomOf):
    async with room_of(2, turn_seconds=100, abandon_minutes=20) as here:
        await away(here)
        await here.wait(101)
        assert presences(here) == [Presence.AWAY] * 2
        assert here.table.view().waiting
        assert turn_line(here.table.view()) in here.public_text
        version = here.table.version
        await here.wait(19 * 60)
        assert here.table.version == version
        await here.wait(61)
        assert here.bot.parts.manager.at(here.channel.id) is None
        assert any(ABANDONED in text for text in here.public_texts())
        assert (await leaders(here)).total == 0


@pytest.mark.thorough
async def test_a_waiting_game_goes_on_when_somebody_comes_back(room_of: RoomOf):
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
        await here.finish()
        assert "🏆" in here.public_text


async def test_an_idle_lobby_is_closed(room_of: RoomOf):
    async with room_of(2, lobby_minutes=10) as here:
        await here.lobby()
        await here.wait(9 * 60)
        await here.press(here.people[1], here.shown, "join")  # the time starts again
        await here.wait(9 * 60)
        assert here.table.phase is Phase.LOBBY
        await here.wait(61)
        assert here.bot.parts.manager.at(here.channel.id) is None
        assert len(here.public_texts()) == 1
        assert EXPIRED in here.public_texts()[0]
        await here.lobby()


async def test_the_next_round_is_dealt_automatically_after_a_pause(room_of: RoomOf):
    async with room_of(2, round_seconds=45, turn_seconds=0) as here:
        await here.begin(target=21)
        await here.skip(lambda view: view.moves[0], until=lambda match: match.stage is Stage.TO_DEAL)
        assert SCORE_OF.format(1) in here.public_text
        assert "<t:" in here.public_text
        await here.wait(44)
        assert ROUND.format(2) not in here.public_text
        await here.wait(1.1)
        assert ROUND.format(2) in here.public_text
        assert len(here.public_texts()) == 1, "on the table's only message"
        assert [b.custom_id.split(":")[1] for b in here.people[0].buttons(here.shown)] == [
            "hand",
            "guide",
            *["react"] * 3,
            *["wins"] * 2,
        ]


async def test_the_next_player_gets_a_full_turn(room_of: RoomOf):
    async with room_of(2, turn_seconds=100) as here:
        await here.begin()
        for _ in range(3):
            await here.wait(80)
            version = here.table.view().version
            await here.play_out(until=lambda at=version: here.table.view().version > at)
        assert presences(here) == [Presence.HERE] * 2


async def leaders(here: Room):
    """The server's leaderboard."""
    return await here.bot.parts.stores.leaderboards.page(
        here.world.guild.id, Leaderboard(Metric.WINS), limit=10, offset=0
    )
