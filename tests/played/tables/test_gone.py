"""When a server, channel or thread disappears, a lobby ends quietly, and matches wait or go on elsewhere."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
import simcord

from bot.tables.live.table import Table
from bot.tables.log.codec import decode
from bot.tables.log.events import Closed, Phase
from bot.tables.parts import TableParts
from tests.support.dose import thorough_but
from tests.support.escoba import Room, RoomOf
from tests.support.fake_discord.membership import expel
from tests.support.people import Person, text_of
from tests.support.wiretap import CHANNEL, WEBHOOK, Request

AWAY = "I was away from this server, and the clock stood still."
DAYS = 3 * 24 * 3600
"""Longer than any deadline of a table."""


@dataclass(frozen=True, slots=True)
class Game:
    """A lobby, or a match of one person against a computer."""

    channel: simcord.ChannelHandle
    table: Table

    @classmethod
    async def begun(cls, here: Room, person: Person, channel: simcord.ChannelHandle, *, lobby: bool = False) -> Game:
        """Start a game in a channel."""
        if here.watch in here.tap.watchers:
            here.tap.watchers.remove(here.watch)  # it assumes that everything sent is about one table
        await person.slash(channel, "escoba play")
        table = here.bot.parts.manager.at(channel.id)
        assert table is not None
        for verb in () if lobby else ("addc", "start", "hand"):
            await person.press(channel, custom_id=f"^e:{verb}:")
        return cls(channel, table)

    async def log(self, here: Room) -> list[tuple[int, str, str]]:
        """The game's stored entries."""
        return [
            (entry.version, entry.kind, entry.body) for entry in await here.bot.parts.stores.games.log(self.table.id)
        ]


def remaining(here: Room, table: Table) -> float | None:
    """The seconds until a table's deadline."""
    deadline = table.view().deadline
    return None if deadline is None else (deadline - here.env.now()).total_seconds()


def place(here: Room, *, thread: bool) -> simcord.ChannelHandle:
    """Create a channel, or a thread in the usual one."""
    if thread:
        return thread_of(here, here.channel, here.people[0])
    return here.world.guild.create_text_channel("otra")


def thread_of(here: Room, channel: simcord.ChannelHandle, person: Person) -> simcord.ChannelHandle:
    """Create a thread in a channel."""
    here.env.backend.create_thread(channel.id, "hilo", person.id)
    return channel.threads[-1]


def place_of(here: Room, request: Request) -> int | None:
    """The channel that a request is about, from its path or from the interaction whose token it uses."""
    if match := CHANNEL.fullmatch(request.path):
        return int(match[1])
    if match := WEBHOOK.fullmatch(request.path):
        return here.env.backend.interactions[here.env.backend.interaction_tokens[match[1]]].channel_id
    return None


async def is_over_and_quiet(here: Room, caplog: pytest.LogCaptureFixture, *games: Game) -> None:
    """Assert that the games are closed, their channels free, and that the bot never touches them again."""
    await here.env.settle()
    for game in games:
        assert here.bot.parts.manager.get(game.table.id) is None
        assert here.bot.parts.manager.at(game.channel.id) is None
        assert game.table.phase is Phase.GONE
        row = await here.bot.parts.stores.games.get(game.table.id)
        assert row is not None
        assert row.closed_at is not None
        *_, (_, kind, body) = await game.log(here)
        assert decode(kind, body) == Closed(Phase.GONE)
    logs = [await game.log(here) for game in games]
    quiet_since = len(here.tap.requests)
    caplog.clear()
    await here.wait(DAYS)
    assert [await game.log(here) for game in games] == logs
    places = {game.channel.id for game in games}
    spoken = [str(request) for request in here.tap.requests[quiet_since:] if place_of(here, request) in places]
    assert spoken == []
    assert [each.getMessage() for each in caplog.records if each.name.startswith("bot.tables.live.")] == []
    for game in games:  # the channel is free for another game
        await here.bot.parts.stores.games.open(
            guild_id=game.table.guild_id,
            channel_id=game.channel.id,
            opener_id=here.people[0].id,
            locale="en-US",
            at=here.env.now(),
            entries=[],
        )


async def test_everything_on_a_server_that_removes_the_bot_sleeps_until_it_is_back(room_of: RoomOf):
    async with room_of(2, turn_seconds=100, warn_seconds=30) as here:
        ana, bea = here.people
        playing = await Game.begun(here, ana, here.channel)
        lobby = await Game.begun(here, ana, here.world.guild.create_text_channel("otra"), lobby=True)
        below = await Game.begun(here, bea, thread_of(here, lobby.channel, bea))
        elsewhere = here.env.create_guild("Peña")
        stays = Person(elsewhere.add_member(here.env.create_user("Zoe")))
        other = await Game.begun(here, stays, elsewhere.create_text_channel("mesa"))
        mine = (playing, lobby, below)
        logs = [await game.log(here) for game in mine]
        left = [remaining(here, game.table) for game in mine]
        sent = len(here.tap.requests)
        invite = expel(here.env.backend, here.world.guild.id)
        await here.env.settle()
        assert here.bot.parts.manager.get(other.table.id) is other.table
        before = other.table.version
        await here.wait(101)  # its deadline passes as usual
        assert other.table.version > before
        await here.wait(DAYS)
        assert [await game.log(here) for game in mine] == logs
        places = {game.channel.id for game in mine}
        assert [str(each) for each in here.tap.requests[sent:] if place_of(here, each) in places] == []
        invite()
        await here.env.settle()
        awake = [here.bot.parts.manager.get(game.table.id) for game in mine]
        assert None not in awake
        assert [remaining(here, table) for table in awake if table] == left
        table = here.bot.parts.manager.at(here.channel.id)
        assert table is not None
        version = table.version
        await here.wait(101)
        assert table.version > version, "the match goes on"


async def test_a_server_that_mends_the_bots_permissions_by_inviting_it_again_loses_nothing(room_of: RoomOf):
    async with room_of(2, turn_seconds=0) as here:
        await here.begin(target=5)
        version, invite = here.table.version, expel(here.env.backend, here.world.guild.id)
        await here.env.settle()
        await here.wait(5)
        invite()
        await here.env.settle()
        assert here.table.version == version
        assert AWAY in here.public_text
        for person in here.people:
            await here.press(person, here.shown, "hand")
        await here.play_out(until=lambda: here.table.version > version + 1)
        assert AWAY not in here.public_text
        await here.finish()
        assert "🏆" in here.public_text


async def test_a_server_that_removed_the_bot_while_it_was_offline_sleeps_as_well(room_of: RoomOf):
    async with room_of(2, turn_seconds=100) as here:
        await here.begin(target=5)
        version = here.table.version
        await here.bot.close()
        invite = expel(here.env.backend, here.world.guild.id)
        await here.restart()
        await here.wait(DAYS)
        assert here.bot.parts.manager.within() == []
        invite()
        await here.env.settle()
        assert here.table.version == version
        for person in here.people:
            await here.press(person, here.shown, "hand")
        await here.finish()


async def test_a_server_keeps_its_games_during_an_outage(room_of: RoomOf):
    async with room_of(1, turn_seconds=0) as here:
        game = await Game.begun(here, here.people[0], here.channel)
        version = game.table.version
        here.env.backend.emit("GUILD_DELETE", {"id": str(here.world.guild.id), "unavailable": True})
        await here.env.settle()
        assert here.bot.parts.manager.at(here.channel.id) is game.table
        assert game.table.version == version


@pytest.mark.parametrize("thread", thorough_but([False, True], True), ids=["channel", "thread"])
async def test_a_lobby_ends_at_once_when_its_channel_or_thread_is_deleted(
    room_of: RoomOf, caplog: pytest.LogCaptureFixture, thread: bool
):
    async with room_of(1, turn_seconds=100, warn_seconds=30) as here:
        ana = here.people[0]
        kept = await Game.begun(here, ana, here.channel)
        gone = await Game.begun(here, ana, place(here, thread=thread), lobby=True)
        sent = len(here.tap.requests)
        here.env.backend.delete_channel(gone.channel.id)
        await here.env.settle()
        assert [str(request) for request in here.tap.requests[sent:]] == []
        assert here.bot.parts.manager.at(here.channel.id) is kept.table
        await is_over_and_quiet(here, caplog, gone)
        again = await Game.begun(here, ana, place(here, thread=thread), lobby=True)
        assert here.bot.parts.manager.at(again.channel.id) is again.table


@pytest.mark.parametrize("thread", thorough_but([False, True], True), ids=["channel", "thread"])
async def test_a_match_goes_on_without_its_channel_and_is_played_from_the_list_of_matches(
    room_of: RoomOf, thread: bool
):
    async with room_of(2, turn_seconds=100, warn_seconds=30) as here:
        ana, _ = here.people
        gone = await Game.begun(here, ana, place(here, thread=thread))
        await here.wait(40)
        sent = len(here.tap.requests)
        here.env.backend.delete_channel(gone.channel.id)
        await here.env.settle()
        await here.wait(2 * DAYS)
        assert gone.table.phase is Phase.PLAYING
        assert [str(each) for each in here.tap.requests[sent:] if CHANNEL.fullmatch(each.path)] == []
        await ana.slash(here.channel, "escoba games")
        await ana.press(ana.panel(here.channel), custom_id="^e:hand:")
        assert "I can't write in" in text_of(ana.panel(here.channel))
        assert remaining(here, gone.table) == pytest.approx(60, abs=5)
        version = gone.table.version
        card = next(each for each in ana.buttons(ana.panel(here.channel)) if ":card:" in each.custom_id)
        await ana.press(ana.panel(here.channel), custom_id=card.custom_id)
        assert gone.table.version > version


async def test_one_wrong_answer_that_a_channel_is_unknown_ends_nothing(room_of: RoomOf):
    async with room_of(2, turn_seconds=0) as here:
        await here.begin(target=5)
        table = here.table
        for method in ("PATCH", "POST"):
            here.env.inject_error(method, "/channels/*/messages*", status=404, code=10003, times=2)
        version = table.version
        await here.play_out(until=lambda: table.version > version)
        assert table.phase is Phase.PLAYING
        await here.wait(60)
        assert not table.view().unseen
        await here.finish()
        await here.wait(60)
        assert "🏆" in here.public_text


async def test_a_channel_that_is_unknown_for_half_an_hour_and_when_asked_for_is_gone(room_of: RoomOf):
    async with room_of(1) as here:
        here.env.inject_error("PATCH", "/channels/*/messages/*", status=404, code=10003, times=None)
        lobby = await Game.begun(here, here.people[0], here.channel, lobby=True)
        lobby.table._observer.table_changed(lobby.table)
        await here.env.settle()
        here.bot.host.of(TableParts).presenter.board_of(lobby.table).show_again()
        await here.wait(40 * 60)
        assert lobby.table.phase is Phase.LOBBY, "Discord has the channel when it is asked for it"
        here.env.inject_error("GET", "/channels/*", status=404, code=10003, times=None)
        await here.wait(10 * 60)
        assert lobby.table.phase is Phase.GONE


async def test_shutting_the_bot_out_of_a_thread_saves_nobody_from_losing(room_of: RoomOf):
    async with room_of(2, turn_seconds=100) as here:
        ana, bea = here.people
        usual, here.channel = here.channel, thread_of(here, here.channel, here.people[0])
        await here.begin(2, target=21)
        table = here.table
        await here.skip(lambda view: view.moves[0], until=lambda match: bool(match.scores))
        for method in ("POST", "PATCH"):
            here.env.inject_error(method, f"/channels/{here.channel.id}/messages*", status=403, code=50001, times=None)
        await here.wait(26 * 3600)
        assert table.phase is Phase.PLAYING, "it isn't void"
        await bea.slash(here.channel, "escoba leave")
        await bea.press(bea.panel(here.channel), custom_id="^e:leaveyes:")
        await ana.slash(usual, "escoba games")
        await ana.press(ana.panel(usual), custom_id="^e:hand:")
        await ana.press(ana.panel(usual), custom_id="^e:takewin:")
        assert table.phase is Phase.FORFEITED
        won, lost = [
            await here.bot.parts.stores.leaderboards.stats(here.world.guild.id, each.id) for each in here.people
        ]
        assert (won.wins, won.season_points, lost.wins, lost.matches) == (1, 3, 0, 1)
