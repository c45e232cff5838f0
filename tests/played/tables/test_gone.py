"""When a server, channel or thread disappears, its games end quietly, and all others go on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest
import simcord

from bot.tables.log.codec import decode
from bot.tables.log.events import Closed, Phase
from bot.tables.table import Table
from tests.support.dose import thorough_but
from tests.support.escoba import Room, RoomOf
from tests.support.people import Person
from tests.support.wiretap import CHANNEL, WEBHOOK, Request

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
        return [(entry.version, entry.kind, entry.body) for entry in await here.bot.parts.store.log(self.table.id)]


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
        row = await here.bot.parts.store.game(game.table.id)
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
    assert [each.getMessage() for each in caplog.records if each.name.startswith("bot.tables.")] == []
    for game in games:  # the channel is free for another game
        await here.bot.parts.store.open_game(
            guild_id=game.table.guild_id,
            channel_id=game.channel.id,
            opener_id=here.people[0].id,
            locale="en-US",
            at=here.env.now(),
            entries=[],
        )


async def test_all_games_of_a_server_end_when_it_removes_the_bot(room_of: RoomOf, caplog: pytest.LogCaptureFixture):
    async with room_of(2, turn_seconds=100, warn_seconds=30) as here:
        ana, bea = here.people
        playing = await Game.begun(here, ana, here.channel)
        lobby = await Game.begun(here, ana, here.world.guild.create_text_channel("otra"), lobby=True)
        below = await Game.begun(here, bea, thread_of(here, lobby.channel, bea))
        elsewhere = here.env.create_guild("Peña")
        stays = Person(elsewhere.add_member(here.env.create_user("Zoe")))
        other = await Game.begun(here, stays, elsewhere.create_text_channel("mesa"))
        sent = len(here.tap.requests)
        here.env.backend.remove_guild(here.world.guild.id)
        await here.env.settle()
        assert [str(request) for request in here.tap.requests[sent:]] == []
        assert here.bot.parts.manager.get(other.table.id) is other.table
        before = other.table.version
        await here.wait(101)  # its deadline passes as usual
        assert other.table.version > before
        await is_over_and_quiet(here, caplog, playing, lobby, below)


async def test_a_server_keeps_its_games_during_an_outage(room_of: RoomOf):
    async with room_of(1, turn_seconds=0) as here:
        game = await Game.begun(here, here.people[0], here.channel)
        version = game.table.version
        here.env.backend.emit("GUILD_DELETE", {"id": str(here.world.guild.id), "unavailable": True})
        await here.env.settle()
        assert here.bot.parts.manager.at(here.channel.id) is game.table
        assert game.table.version == version


@pytest.mark.parametrize("lobby", [False, True], ids=["match", "lobby"])
@pytest.mark.parametrize("thread", thorough_but([False, True], True), ids=["channel", "thread"])
async def test_a_game_ends_at_once_when_its_channel_or_thread_is_deleted(
    room_of: RoomOf, caplog: pytest.LogCaptureFixture, thread: bool, lobby: bool
):
    async with room_of(1, turn_seconds=100, warn_seconds=30) as here:
        ana = here.people[0]
        kept = await Game.begun(here, ana, here.channel)
        place: Callable[[], simcord.ChannelHandle] = (
            (lambda: thread_of(here, here.channel, ana))
            if thread
            else (lambda: here.world.guild.create_text_channel("otra"))
        )
        gone = await Game.begun(here, ana, place(), lobby=lobby)
        sent = len(here.tap.requests)
        here.env.backend.delete_channel(gone.channel.id)
        await here.env.settle()
        assert [str(request) for request in here.tap.requests[sent:]] == []
        assert here.bot.parts.manager.at(here.channel.id) is kept.table
        await is_over_and_quiet(here, caplog, gone)
        if lobby:
            again = await Game.begun(here, ana, place(), lobby=True)
            assert here.bot.parts.manager.at(again.channel.id) is again.table
