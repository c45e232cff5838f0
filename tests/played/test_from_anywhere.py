"""One's own seat from another channel or server: the list of open matches, the panel there, and the next match."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from discord import Client
from simcord.builders import ChannelHandle, UserHandle

from bot.platform.kit.codec import base36
from bot.platform.people import Person as PersonAt
from bot.platform.shards import Shards
from bot.platform.transport.reward_roles import KEPT
from bot.process.app import EscobaBot
from bot.tables.ids.game import FROM_ANYWHERE, Ref, Verb
from bot.tables.live.manager import TableManager
from bot.tables.log.actions import Join, PlayMove, Start
from bot.tables.log.events import Config
from bot.tables.log.pace import Tempo
from bot.tables.refusals import TableRefusal
from tests.support.escoba import Decks, Room, RoomOf
from tests.support.people import BotMaker, Person, SimTime, forge, text_of
from tests.support.phrases import OVER, STALE, refusal_text

WAITS = "1 match is waiting for you."


class Elsewhere:
    """Another server with the bot, where Ana is, too, and Zoe, who is nowhere else."""

    def __init__(self, here: Room) -> None:
        self.here = here
        self.guild = here.env.create_guild("Peña")
        self.channel: ChannelHandle = self.guild.create_text_channel("charla")
        user = UserHandle(here.env, here.env.backend.get_user(here.people[0].id))
        self.ana = Person(self.guild.add_member(user))
        self.zoe = Person(self.guild.add_member(here.env.create_user("Zoe")))

    @property
    def private(self) -> str:
        return text_of(self.ana.panel(self.channel))

    async def listed(self, person: Person | None = None) -> str:
        """The list of somebody's matches, asked for there."""
        person = person or self.ana
        await person.slash(self.channel, "escoba games")
        return text_of(person.panel(self.channel))


@asynccontextmanager
async def playing(room_of: RoomOf, **changes: Any) -> AsyncIterator[tuple[Room, Elsewhere]]:
    """Ana and Bea play on one server, and it's Ana's turn; Ana is on another one, too."""
    changes = {"turn_seconds": 3600, "warn_seconds": 0, **changes}
    async with room_of(2, chance=Decks(7, dealer=1), **changes) as here:
        await here.wait(0.001)  # so that the other server can be on another shard
        there = Elsewhere(here)
        await here.begin(target=5)
        yield here, there


async def play_card(person: Person, channel: ChannelHandle) -> None:
    """Play the first card of the newest panel; if it is laid, take the first capture."""
    panel = person.panel(channel)
    card = next(each for each in person.buttons(panel) if each.custom_id.startswith("e:card:"))
    await person.press(panel, custom_id=card.custom_id)
    panel = person.panel(channel)
    if takes := [each for each in person.buttons(panel) if each.custom_id.startswith("e:take:")]:
        await person.press(panel, custom_id=takes[0].custom_id)


async def test_a_match_of_another_server_is_listed_and_played_there_to_its_end(room_of: RoomOf):
    async with playing(room_of) as (here, there):
        ana, table = there.ana, here.table
        listed = await there.listed()
        assert "**Bea**" in listed
        assert f"Your turn · ⏳ <t:{int(table.view().deadline.timestamp())}:R>" in listed  # type: ignore[union-attr]
        assert f"channels/{here.world.guild.id}/{here.channel.id}/{here.shown.id}" in listed
        await ana.press(there.channel, label="Play")
        assert "Your turn" in there.private
        before = table.version
        await play_card(ana, there.channel)
        assert table.version > before
        assert "Bea" in here.public_text
        await here.step(table, lambda view: view.moves[0])  # Bea, at home
        assert "Your turn" in there.private, "it follows the table"
        while table.phase.open:
            assert {each.custom_id.split(":")[1] for each in ana.buttons(ana.panel(there.channel))} <= {
                *Verb.marked(FROM_ANYWHERE)
            }
            if table.awaited == ana.id:
                await play_card(ana, there.channel)
            elif table.awaited is not None:
                await here.step(table, lambda view: view.moves[0])
            else:
                await ana.press(there.channel, custom_id="^e:next:")
                if table.phase.open and table.awaited is None:
                    await here.press(here.people[1], here.shown, "next")
        assert "[Go to the table]" in there.private
        assert ana.buttons(ana.panel(there.channel)) == [], "a rematch, a review and so on belong to its channel"


async def test_the_panel_elsewhere_stays_where_it_is_when_the_table_is_posted_afresh(room_of: RoomOf):
    async with playing(room_of) as (here, there):
        await there.listed()
        await there.ana.press(there.channel, label="Play")
        panel = there.ana.panel(there.channel).id
        await here.people[1].slash(here.channel, "escoba table")
        await here.env.settle()
        assert there.ana.panel(there.channel).id == panel
        await here.press(here.people[0], here.shown, "hand")
        assert "Your turn" in here.private_text(here.people[0]), "and at home it can be opened again"


async def test_it_is_played_from_another_channel_of_its_server_too(room_of: RoomOf):
    async with playing(room_of) as (here, _):
        ana, other = here.people[0], here.world.guild.create_text_channel("otra")
        await ana.slash(other, "escoba games")
        await ana.press(other, label="Play")
        await here.restart()
        before = here.table.version
        await play_card(ana, other)
        assert here.table.version > before, "its buttons work after a restart"


async def test_whose_turn_it_is_comes_first_and_a_sleeping_table_is_woken_by_play_only(
    room_of: RoomOf, monkeypatch: pytest.MonkeyPatch
):
    async def nothing(_: TableManager) -> None: ...

    monkeypatch.setattr(TableManager, "bring_back", nothing)
    async with playing(room_of, turn_seconds=0) as (here, there):
        ana, bea = here.people
        second = here.world.guild.create_text_channel("otra")
        await bea.slash(second, "escoba play")
        await ana.press(second, custom_id="^e:join:")
        first = here.table.id
        listed = await there.listed()
        assert listed.index("Your turn") < listed.index("Not started yet")
        await play_card(ana, here.channel)
        assert "Bea's turn" in await there.listed()
        await here.step(here.table, lambda view: view.moves[0])
        await here.restart()
        assert "Your turn" in await there.listed(), "read from its log"
        assert here.bot.parts.manager.get(first) is None
        await there.ana.press(there.channel, label="Play")
        assert here.bot.parts.manager.get(first) is not None
        assert "Your turn" in there.private


async def test_who_has_left_the_server_neither_sees_nor_plays_its_matches(room_of: RoomOf):
    async with playing(room_of) as (here, there):
        await there.listed()
        listed = there.ana.panel(there.channel)
        here.env.backend.remove_member(here.world.guild.id, there.ana.id)
        await there.ana.press(listed, label="Play")
        assert "Your turn" in there.private, "that is asked again after a while"
        await here.wait(KEPT.total_seconds())
        before = here.table.version
        await there.ana.press(listed, label="Play")
        assert there.private == refusal_text(TableRefusal.LEFT_SERVER)
        text = await there.listed()
        assert "1 open match isn't listed: you're no longer on its server." in text
        assert "Bea" not in text
        asked = [each for each in here.tap.requests if each.path == members_path(here, there)]
        assert len(asked) == 2, "Discord's answer is remembered"
        assert here.table.version == before


def members_path(here: Room, there: Elsewhere) -> str:
    return f"/guilds/{here.world.guild.id}/members/{there.ana.id}"


async def test_a_forged_play_of_a_stranger_opens_nothing(room_of: RoomOf):
    async with playing(room_of) as (here, there):
        zoe, game, before = there.zoe, here.table.id, here.table.version
        assert "You haven't played" in await there.listed(zoe)
        message = zoe.panel(there.channel)
        for verb in Verb.marked(FROM_ANYWHERE):
            for args in ((), ("7o", "0")):
                await forge(zoe, message, Ref(game, here.table.view().version, args).custom_id(verb), ["1"])
                answer = text_of(zoe.panel(there.channel))
                assert answer in (OVER, STALE), verb
        assert here.table.version == before


async def test_a_challenge_that_waits_for_an_answer_is_listed_with_the_way_to_it(room_of: RoomOf):
    async with room_of(2) as here:
        there, (ana, bea) = Elsewhere(here), here.people
        await bea.slash(here.channel, "escoba challenge", player=ana.actor)
        assert "📨 **Bea**\n-# You're invited" in await there.listed()
        assert all(each.label != "Play" for each in ana.buttons(there.ana.panel(there.channel)))
        await here.press(ana, here.shown, "decline")
        assert "Bea" not in await there.listed()


async def test_a_table_of_another_process_is_listed_with_its_link_alone(room_of: RoomOf):
    async with playing(room_of) as (here, there):
        await here.world.restart(elsewhere_only(here, there.guild.id))
        text = await there.listed()
        assert "Your turn" in text
        assert f"channels/{here.world.guild.id}/{here.channel.id}" in str(
            there.ana.stored(there.ana.panel(there.channel)).components
        )
        listed = there.ana.panel(there.channel)
        assert all(each.label != "Play" for each in there.ana.buttons(listed))
        await forge(there.ana, listed, Ref(1).custom_id(Verb.HAND))
        assert "You can play this match in its own channel only: [Go to the table]" in there.private
        await forge(there.zoe, listed, Ref(1).custom_id(Verb.HAND))
        assert text_of(there.zoe.panel(there.channel)) == OVER


def elsewhere_only(here: Room, guild_id: int) -> BotMaker:
    """Makes a bot that serves one server, the first one being another process's."""
    home = here.world.guild.id >> 22
    count = next(n for n in range(2, 1000) if (guild_id >> 22) % n != home % n)

    async def make(time: SimTime) -> EscobaBot:
        bot = here.make(time)
        made = bot if isinstance(bot, Client) else await bot
        assert isinstance(made, EscobaBot)
        made.parts.manager.shards = Shards(((guild_id >> 22) % count,), count)
        return made

    return make


async def test_the_panel_goes_on_with_the_next_match_that_waits(room_of: RoomOf):
    async with playing(room_of) as (here, there):
        ana, zoe = there.ana, there.zoe
        await zoe.slash(there.channel, "escoba play")
        await ana.press(there.channel, custom_id="^e:join:")
        await zoe.press(there.channel, custom_id="^e:start:")
        second = here.bot.parts.manager.at(there.channel.id)
        assert second is not None
        home = here.people[0]
        assert not offers_next(here, home), "it is her turn"
        await play_card(home, here.channel)
        if second.awaited != ana.id:
            assert not offers_next(here, home)
            await zoe.press(there.channel, custom_id="^e:hand:")
            await play_card(zoe, there.channel)
            await here.press(home, here.panel(home), "panel")
        sent = len(here.tap.requests)
        await here.press(home, here.panel(home), "nextgame")
        assert "Zoe" in here.private_text(home)
        assert len(here.tap.requests) - sent <= 3
        before = second.version
        await play_card(home, here.channel)
        assert second.version > before


def offers_next(here: Room, person: Person) -> bool:
    return any(each.custom_id.startswith("e:nextgame:") for each in person.buttons(here.private(person)))


async def test_the_puzzle_and_the_statistics_say_how_many_matches_wait(room_of: RoomOf):
    async with playing(room_of) as (here, there):
        for command in ("escoba today", "escoba stats"):
            await there.ana.slash(there.channel, command)
            assert WAITS in there.private
            await there.zoe.slash(there.channel, command)
            assert "waiting for you" not in text_of(there.zoe.panel(there.channel))
        await there.zoe.slash(there.channel, "escoba stats", player=there.ana.actor)
        assert "waiting for you" not in text_of(there.zoe.panel(there.channel))
        await play_card(here.people[0], here.channel)
        await there.ana.slash(there.channel, "escoba stats")
        assert "waiting for you" not in there.private


async def test_more_matches_than_a_menu_has_lines_are_all_on_the_pages_and_the_next_one_is_the_most_urgent(
    room_of: RoomOf,
):
    async with playing(room_of, turn_seconds=24 * 3600) as (here, there):
        manager, oldest = here.bot.parts.manager, here.table
        ana, bea = (PersonAt(person.id, person.name) for person in here.people)
        for number in range(26):
            channel = here.world.guild.create_text_channel(f"mesa-{number}").id
            table = await manager.open(
                guild_id=here.world.guild.id,
                channel_id=channel,
                opener=ana,
                config=Config(tempo=Tempo.WEEK if number < 25 else Tempo.DAY),
                locale="en",
            )
            await table.submit(Join(bea))
            await table.submit(Start(ana, table.version))
            if table.awaited != ana.id:
                view = table.seat_view(1)
                assert view is not None
                await table.submit(PlayMove(bea, table.view().version, view.moves[0]))
        listed = await there.listed()
        assert "Page 1 of 6" in listed
        assert listed.count("Your turn") == 5
        first = next(each for each in there.ana.buttons(there.ana.panel(there.channel)) if each.label == "Play")
        assert first.custom_id == Ref(oldest.id).custom_id(Verb.HAND), "the oldest has the soonest deadline"
        for page in range(2, 7):
            await there.ana.press(there.channel, label="Older")
            assert f"Page {page} of 6" in there.private
            assert there.private.count("Your turn") == (5 if page < 6 else 2)
        home = here.people[0]
        await play_card(home, here.channel)
        assert here.table.awaited != home.id
        await here.press(home, here.panel(home), "nextgame")
        newest = max(manager.awaiting(home.id), key=lambda each: each.id)
        [panel] = {
            each.custom_id.split(":")[2] for each in home.buttons(here.panel(home)) if ":card:" in each.custom_id
        }
        assert panel == base36(newest.id), "it has the soonest deadline now"
