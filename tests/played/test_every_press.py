"""Every button, menu and form that the bot's screens declare, pressed by somebody whom it isn't for.

A verb that is added to a screen is pressed, too. What a press may change all the same is listed here.
"""

import asyncio
import re
import sqlite3
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, closing
from dataclasses import dataclass
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any, Final

import discord
import pytest
from simcord.builders import ChannelHandle, UserHandle

from bot.platform import people as club
from bot.platform.kit.codec import LARGEST
from bot.platform.kit.screen import Screen
from bot.platform.people import Person as PersonAt
from bot.platform.refusals import CommonRefusal
from bot.platform.shards import Shards
from bot.process.app import EscobaBot, create_bot
from bot.process.dispatch import SCREENS
from bot.process.parts import Simulation
from bot.replays.ids.replay import ReplayVerb
from bot.settings import Settings
from bot.tables.ids.game import FROM_ANYWHERE, Verb
from bot.tables.live.own_rules import save_rules
from bot.tables.log.events import Config
from bot.thinking import InlineThinker
from bot.tournaments.ids.tournament import MANAGERS, TournamentRef, TournamentVerb
from bot.tournaments.parts import TournamentParts
from bot.tournaments.refusals import TournamentRefusal
from bot.tournaments.rules.log import Begin, Correct, Enter
from bot.tournaments.rules.tournament import Format, Outcome, Setup
from tests.support.escoba import Room, room
from tests.support.every_press import Known, largest, presses
from tests.support.fake_discord import worlds
from tests.support.people import BotMaker, Person, SimTime, forge, forge_form, text_of
from tests.support.phrases import refusal_text
from tests.test_check import Game

HIDDEN = "Oculta"
"""Is in the names of the tournaments and rules of the server, and of somebody who plays there."""
OF_ONES_OWN: Final = {
    "games": {*Verb.marked(FROM_ANYWHERE), Verb.OPEN_GAME},  # which opens what HAND does
    "replays": {ReplayVerb.LIST, ReplayVerb.OLDER, ReplayVerb.NEWER},
}
OPPONENT = f"Bea{HIDDEN}"
NOT_OF_SERVERS = ("people", "lessons", "practice", "day_answers", "day_positions", "sqlite_sequence")
"""The tables that aren't about servers, such as those in which people change what is theirs."""

LONG = ("games", "leaderboards", "replays", "tournaments")
"""The screens that take more than a second."""
CASES = [pytest.param(each, marks=pytest.mark.thorough if each.name in LONG else (), id=each.name) for each in SCREENS]
every_screen = pytest.mark.parametrize("screen", CASES)


@dataclass
class Town:
    """A server with a running match and a finished one, two tournaments and own rules; and somebody who presses.

    Attributes:
        here: the server.
        numbers: those of its matches, tournaments and rules, by the kind of custom_id.
        presser: somebody.
        channel: where they are; it has a message for everybody, and one for them alone.
        database: the bot's.
    """

    here: Room
    numbers: Mapping[str, Sequence[int]]
    presser: Person
    channel: ChannelHandle
    database: sqlite3.Connection
    _read: tuple[object, Counter[tuple[object, ...]]] = (None, Counter())

    @property
    def server(self) -> int:
        return self.here.world.guild.id

    @property
    def known(self) -> Known:
        return Known(self.numbers, [each.id for each in self.here.people], date(2026, 1, 1))

    async def pressed(self, screen: Screen[Any], besides: Collection[str] = ()) -> AsyncIterator[tuple[str, str]]:
        """Press all that a kind of screen has, about everything on the server; yields what, and what was sent then.

        `besides`: verbs that are left out.

        What is on private messages only is pressed on one for everybody: it must change no such message.
        """
        private = self.presser.panel(self.channel)
        for custom_id in presses(screen, self.known):
            before, verb = len(self.here.tap.requests), custom_id.split(":")[1]
            if verb in besides:
                continue
            message = private if verb in screen.public else self.presser.latest(self.channel, ephemeral=False)
            await forge(self.presser, message, custom_id, ["1"])
            if verb in screen.forms:
                typed = [{"type": 1, "components": [{"type": 4, "custom_id": "x", "value": each}]} for each in "23"]
                await forge_form(self.presser, message, custom_id, typed)
            yield custom_id, str([each.body for each in self.here.tap.requests[before:]])

    def rows(self) -> Counter[tuple[object, ...]]:
        """All that the database holds about servers, as rows with the names of their tables."""
        version, rows = self.database.execute("PRAGMA data_version").fetchone(), Counter[tuple[object, ...]]()
        if version == self._read[0]:
            return self._read[1]
        alone = {row[0] for row in self.database.execute("SELECT id FROM games WHERE guild_id IS NULL")}
        for (name,) in self.database.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
            if name not in NOT_OF_SERVERS:
                for row in self.database.execute(f"SELECT * FROM {name}"):  # noqa: S608 - the schema's own name
                    if name in ("games", "events", "participants") and row[0] in alone:
                        continue  # they belong to no server
                    if name != "key_values" or re.search("[0-9]{17}", row[0]):  # those about servers
                        rows[name, *row] += 1
        self._read = version, rows
        return rows


Do = Callable[[Town], Awaitable[None]]
Make = Callable[[Path], AbstractAsyncContextManager[Town]]
InTown = Callable[[Do], None]
"""Does something in a town that all tests of the module share: what they do mustn't change it."""


def shared(town: Make) -> Any:
    """The fixture that keeps such a town open."""

    @pytest.fixture(scope="module")
    def opened(tmp_path_factory: pytest.TempPathFactory) -> Iterator[InTown]:
        asked, done = asyncio.Queue[Do | None](), asyncio.Queue[BaseException | None]()

        async def serve() -> None:  # in one task: a world belongs to the one that has opened it
            async with town(tmp_path_factory.mktemp("town")) as there:
                while (do := await asked.get()) is not None:
                    try:
                        await do(there)
                    except BaseException as error:
                        await done.put(error)
                    else:
                        await done.put(None)

        async def ask(do: Do) -> None:
            await asked.put(do)
            if (error := await done.get()) is not None:
                raise error

        async def end() -> None:
            await asked.put(None)
            await serving

        with asyncio.Runner() as runner:
            serving = runner.get_loop().create_task(serve())
            yield lambda do: runner.run(ask(do))
            runner.run(end())

    return opened


@asynccontextmanager
async def server(folder: Path) -> AsyncIterator[tuple[Room, dict[str, Sequence[int]]]]:
    """The server, and the numbers of what there is."""
    async with room(folder, ("Ana", OPPONENT, "Ciro")) as here:
        await here.begin(2)
        parts, guild = here.bot.parts, here.world.guild
        ana, bea = (PersonAt(each.id, each.name) for each in here.people[:2])
        games = here.table.id, await Game(ana, bea).play().keep(parts.stores, guild=guild.id, channel=7)
        rules = await save_rules(parts.stores.rule_sets, guild.id, HIDDEN, Config(), ana.id, parts.clock.now())
        tournaments, organiser = here.bot.host.of(TournamentParts).tournaments, club.Person(ana.id, ana.name)
        setup = Setup(Format.DUPLICATE, boards=2, title=HIDDEN)
        entered = (organiser, club.Person(bea.id, bea.name), club.Person(1, "Uno"), club.Person(2, "Dos"))
        channels, opened = [guild.create_text_channel(name) for name in ("copa", "liga")], list[int]()
        with worlds.as_bot(here.env):
            for channel in channels:
                live = await tournaments.open(
                    guild_id=guild.id, channel_id=channel.id, locale="en-US", organiser=organiser, setup=setup
                )
                opened.append(live.id)
                for each in entered:
                    await live.submit(Enter(each))
            await live.submit(Begin(organiser))
        await here.env.settle()
        with worlds.as_bot(here.env):
            for table in (1, 2):
                await live.submit(Correct(club.Person(3, "Tres"), 1, table, Outcome((7, 3), 0)), manages=True)
        await here.env.settle()
        yield here, {"e": games, "v": games, "w": games, "t": opened, "b": opened[1:], "o": [rules]}


@asynccontextmanager
async def strangers(folder: Path) -> AsyncIterator[Town]:
    """Somebody without a seat or permissions."""
    async with server(folder) as (here, numbers):
        ciro = here.people[2]
        await ciro.slash(here.channel, "escoba rules")
        with closing(sqlite3.connect(here.bot.parts.settings.database)) as database:
            yield Town(here, numbers, ciro, here.channel, database)


in_a_strangers_town = shared(strangers)


def takes_part(row: tuple[object, ...]) -> bool:
    """Whether a row of the database says that somebody takes part in a tournament, or no longer does."""
    what = {"tournament_events": row[3:5], "tournament_people": ()}.get(str(row[0]), ("", ""))
    return not what or what[0] in ("entered", "left") or "withdrew" in str(what[1])


@every_screen
def test_somebody_without_a_seat_or_permissions_changes_nothing_of_the_server(
    screen: Screen[Any], in_a_strangers_town: InTown
):
    async def everything(town: Town) -> None:
        before, shown = town.rows(), text_of(town.here.shown)
        async for custom_id, _ in town.pressed(screen):
            now = town.rows()
            changed, before = (before - now) + (now - before), now
            assert [row for row in changed if screen.name != "tournaments" or not takes_part(row)] == [], custom_id
        assert text_of(town.here.shown) == shown

    in_a_strangers_town(everything)


@every_screen
def test_the_largest_numbers_are_answered(screen: Screen[Any], in_a_strangers_town: InTown):
    async def everything(town: Town) -> None:
        private = town.presser.panel(town.channel)
        for custom_id in largest(screen):
            await forge(town.presser, private, custom_id, [str(LARGEST)])

    in_a_strangers_town(everything)  # an error would be logged, which fails the test


def test_a_stranger_is_refused_whatever_only_server_managers_may_do(in_a_strangers_town: InTown):
    async def everything(town: Town) -> None:
        ciro, private = town.presser, town.presser.panel(town.channel)
        screens = [each for each in SCREENS if each.managers_only]
        assert {each.name for each in screens} == {"settings", "own rules"}
        for custom_id in (custom_id for each in screens for custom_id in presses(each, town.known)):
            await forge(ciro, private, custom_id, ["1"])
            assert text_of(ciro.panel(town.channel)) == refusal_text(CommonRefusal.NOT_MANAGER), custom_id

    in_a_strangers_town(everything)


def test_a_stranger_is_refused_whatever_a_tournaments_organiser_may_ask_for(in_a_strangers_town: InTown):
    async def everything(town: Town) -> None:
        ciro, private = town.presser, town.presser.panel(town.channel)
        for verb in TournamentVerb.marked(MANAGERS):
            await forge(ciro, private, TournamentRef(town.numbers["t"][1], (1, 1, 0)).custom_id(verb), ["1"])
            assert text_of(ciro.panel(town.channel)) == refusal_text(TournamentRefusal.NOT_ORGANISER), verb

    in_a_strangers_town(everything)


@asynccontextmanager
async def managers_elsewhere(folder: Path, *, sharded: bool = False) -> AsyncIterator[Town]:
    """Somebody who plays and organises on the server, on another one where they may do everything."""
    async with server(folder) as (here, numbers):
        await here.wait(0.001)  # so that the other server is on the other one of two shards
        guild, ana = here.env.create_guild("Otra"), here.people[0]
        channel, boss = (
            guild.create_text_channel("dos"),
            guild.create_role("boss", permissions=discord.Permissions.all()),
        )
        there = Person(guild.add_member(UserHandle(here.env, here.env.backend.users[ana.id]), roles=[boss]))
        if sharded:
            await here.world.restart(of_the_shard(guild.id, here.bot.parts.settings))
        await there.slash(channel, "escoba rules")
        await there.slash(channel, "escoba play")
        with closing(sqlite3.connect(here.bot.parts.settings.database)) as database:
            yield Town(here, numbers, there, channel, database)


def of_the_shard(guild_id: int, settings: Settings) -> BotMaker:
    """Makes a bot for a server and those of its shard, the other shard being another process's."""

    async def make(time: SimTime) -> EscobaBot:
        bot = await create_bot(settings, Simulation(time.now, time.hold, forgets=True, thinker=InlineThinker()))
        bot.parts.manager.shards = Shards((Shards((0, 1), 2).of(guild_id),), 2)
        return bot

    return make


in_another_server = shared(managers_elsewhere)
in_another_shard = shared(partial(managers_elsewhere, sharded=True))


async def stays_hidden(screen: Screen[Any], town: Town) -> None:
    """Press everything, and assert that this neither tells nor changes anything of the server where nobody presses.

    Only one's own open matches and seats, which are there from anywhere, are left out; see test_from_anywhere.py.
    """
    assert town.channel.guild is not None
    server, elsewhere, before = town.server, town.channel.guild.id, town.rows()
    there = {row[:2] for row in before}
    async for custom_id, sent in town.pressed(screen, besides=OF_ONES_OWN.get(screen.name, ())):
        now = town.rows()
        assert HIDDEN not in sent, custom_id
        assert [row for row in before - now if str(elsewhere) not in str(row)] == [], custom_id
        new = [row for row in now - before if str(elsewhere) not in str(row)]
        assert [row for row in new if server in row or row[:2] in there] == [], custom_id
        before = now


@every_screen
def test_numbers_of_another_server_mean_nothing(screen: Screen[Any], in_another_server: InTown):
    in_another_server(partial(stays_hidden, screen))


@every_screen
def test_numbers_of_another_processs_server_mean_nothing(screen: Screen[Any], in_another_shard: InTown):
    async def everything(town: Town) -> None:
        await stays_hidden(screen, town)
        manager, tournaments = town.here.bot.parts.manager, town.here.bot.host.of(TournamentParts).tournaments
        known = (*manager.within(), *tournaments._kept.values(), *tournaments._over.values())
        assert [each for each in known if each.guild_id == town.server] == []

    in_another_shard(everything)
