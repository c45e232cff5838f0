"""Buttons of one server's games, tournaments, reviews and rules pressed on another server, or after a restore."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import discord
import pytest
from simcord.builders import ChannelHandle, UserHandle

from bench.postgres import Cluster
from bot.club.clicks import ranking, stats
from bot.platform.database.locations import location_of
from bot.platform.database.tools.transfer import transfer
from bot.platform.kit.codec import Number, Reference, fields_of
from bot.platform.kit.screen import Screen
from bot.platform.people import Person as Player
from bot.process.dispatch import SCREENS
from bot.replays.ids.replay import ReplayRef
from bot.schema import SCHEMA
from bot.tables.ids.game import FROM_ANYWHERE, Ref, Verb
from bot.tables.ids.own_rules import OwnRulesRef
from bot.tables.log.codec import VALUES
from bot.tables.log.events import Config
from bot.tournaments.ids.tournament import Draft, SheetRef, TournamentRef
from bot.tournaments.parts import TournamentParts
from bot.tournaments.rules.log import Enter
from bot.tournaments.rules.tournament import Setup
from bot.training.clicks import day, lessons, practice
from bot.training.ids.practice import ReviewRef
from tests.played import brief
from tests.support.dose import thorough_but
from tests.support.escoba import Room, RoomOf, bot_maker, settings_for
from tests.support.people import Person, forge, forge_form, text_of
from tests.support.phrases import OVER
from tests.support.store import rows

BEA: Final = (8, "Beatriz")
"""Somebody on one server, who is named nowhere on the other."""
FORM: Final = [{"type": 18, "component": {"type": 4, "custom_id": "name", "value": "9"}}]
OF_A_SERVER: Final[dict[type[Reference[Any]], Callable[[int], Iterator[Reference[Any]]]]] = {
    Ref: lambda number: (Ref(number, 9, args) for args in ((), ("7o", "0"))),
    TournamentRef: lambda number: (TournamentRef(number, args) for args in ((), (1, 1, 0))),
    Draft: lambda number: iter([Draft.of(Setup(), changes=number)]),
    SheetRef: lambda number: iter([SheetRef(number, 1, 1)]),
    ReviewRef: lambda number: iter([ReviewRef(number)]),
    ReplayRef: lambda number: iter([ReplayRef(number, 9)]),
    OwnRulesRef: lambda number: iter([OwnRulesRef(number)]),
}
"""References to something of a server by its number: some of each kind, with the number and other values."""
OF_PEOPLE: Final = (ranking.SCREEN, stats.SCREEN, day.SCREEN, practice.SCREEN, lessons.SCREEN)
"""The screens whose numbers are pages, steps, or people's ids."""


def test_every_kind_of_reference_with_a_number_is_tried() -> None:
    numbered = [each for each in SCREENS if any(isinstance(one.part, Number) for one in fields_of(each.refers_to))]
    assert {each.refers_to for each in numbered if each not in OF_PEOPLE} == {*OF_A_SERVER}


def elsewhere(here: Room) -> tuple[ChannelHandle, Person]:
    """A channel of another server, and Ana there, who may do everything on both."""
    guild, ana = here.env.create_guild("Peña"), here.people[0]
    role = here.world.guild.create_role("boss", permissions=discord.Permissions.all())
    here.env.backend.add_member_role(here.world.guild.id, ana.id, role.id)
    user = UserHandle(here.env, here.env.backend.get_user(ana.id))
    role = guild.create_role("boss", permissions=discord.Permissions.all())
    return guild.create_text_channel("mesa"), Person(guild.add_member(user, roles=[role]))


@pytest.fixture
def backup(request: pytest.FixtureRequest, tmp_path: Path, kind: str) -> Iterator[str]:
    """The place for a backup, on the same kind of database."""
    if kind == "sqlite":
        yield str(tmp_path / "backup.sqlite3")
        return
    cluster: Cluster = request.getfixturevalue("postgres")
    url = cluster.new("template1")
    yield url
    cluster.drop(url)


@pytest.mark.parametrize("kind", thorough_but(["sqlite", "postgresql"], "sqlite"))
async def test_the_buttons_of_a_game_that_a_restore_forgot_belong_to_no_other(
    room_of: RoomOf, tmp_path: Path, request: pytest.FixtureRequest, kind: str, backup: str
) -> None:
    database = str(tmp_path / "escoba.sqlite3") if kind == "sqlite" else request.getfixturevalue("postgres_url")
    async with room_of(2, database=database) as here:
        channel, there = elsewhere(here)
        ana, bea = here.people
        await here.env.advance_time(60)
        await transfer(location_of(database), location_of(backup), SCHEMA, beside_a_bot=True)
        await bea.slash(here.channel, "escoba play")
        vanished, forgotten = here.shown, here.table.id
        here.make = bot_maker(settings_for(tmp_path, database=backup), forgets=False)
        await here.restart()
        await here.env.advance_time(60)
        await there.slash(channel, "escoba play")
        opened = here.bot.parts.manager.at(channel.id)
        assert opened is not None
        assert opened.id > forgotten
        await bea.press(vanished, custom_id="^e:join:")
        assert text_of(bea.panel(here.channel)) == OVER
        assert [seat.person_id for seat in opened.view().seats] == [ana.id]


async def test_no_button_does_or_tells_anything_about_another_servers_games(room_of: RoomOf, tmp_path: Path) -> None:
    async with room_of(2, chance=brief.TWO) as here:
        channel, there = elsewhere(here)
        ana, _ = here.people
        home, now = here.world.guild.id, here.world.time.now()
        await here.begin(target=5)
        over = here.table.id
        await here.finish()
        await here.begin(target=5)
        live = await here.bot.host.of(TournamentParts).tournaments.open(
            guild_id=home,
            channel_id=here.world.guild.create_text_channel("torneo").id,
            locale="en-US",
            organiser=Player(ana.id, ana.name),
            setup=Setup(),
        )
        await live.submit(Enter(Player(*BEA)), manages=False)
        rules = await here.bot.parts.stores.rule_sets.add(home, BEA[1], VALUES.write(Config()), ana.id, now)
        await here.env.settle()
        path = tmp_path / "escoba.sqlite3"
        numbers = {Ref: (here.table.id, over), ReviewRef: (over,), ReplayRef: (over,), OwnRulesRef: (int(rules),)}
        before, public = stored(path, home), here.public_texts()
        await there.slash(channel, "escoba learn")
        panel = there.panel(channel)
        for screen, custom_id, number in pressed(numbers, live.id):
            if custom_id.split(":")[1] in Verb.marked(FROM_ANYWHERE) and screen.refers_to is Ref:
                continue  # she may play her own hand: see test_from_anywhere.py
            answers = [await forge(there, panel, custom_id, [str(number)])]
            if custom_id.split(":")[1] in screen.forms:
                answers.append(await forge_form(there, channel, custom_id, FORM))
            assert not [each for each in answers if each.response and BEA[1] in text_of(each.response)], custom_id
        await here.env.settle()
        assert stored(path, home) == before
        assert here.public_texts() == public


def pressed(
    numbers: dict[type[Reference[Any]], tuple[int, ...]], tournament: int
) -> Iterator[tuple[Screen[Any], str, int]]:
    """The buttons, menus and forms that refer to a server's things: their screens, custom_ids and numbers."""
    for screen in SCREENS:
        if (made := OF_A_SERVER.get(screen.refers_to)) is not None:
            for number in numbers.get(screen.refers_to, (tournament,)):
                for ref in made(number):
                    yield from ((screen, ref.custom_id(verb), number) for verb in screen.refers_to.verbs)


def stored(path: Path, guild_id: int) -> list[list[tuple[Any, ...]]]:
    """Read what the database has of a server."""
    return [
        rows(path, f"SELECT * FROM {table} WHERE {of.format(guild_id)}")  # noqa: S608 - the test's own words
        for table, of in {
            **dict.fromkeys(("games", "tournaments", "rule_sets", "results"), "guild_id = {}"),
            "events": "game_id IN (SELECT id FROM games WHERE guild_id = {})",
            "tournament_events": "tournament_id IN (SELECT id FROM tournaments WHERE guild_id = {})",
        }.items()
    ]
