"""Retention: moves of closed games, data of servers that removed the bot. Personal data: one request at a time."""

import inspect
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from bot.platform.settings.documents import guild_settings_key
from bot.platform.settings.language import LanguagePreference, LanguageSettings
from bot.privacy.live.retention import DAY_SECONDS, FIRST_SECONDS, Retention
from bot.privacy.parts import PrivacyParts
from tests.support.escoba import Room, RoomOf
from tests.support.memory import remembered
from tests.support.people import Person, forge
from tests.support.store import miss
from tests.test_complete import modules

MONTH = timedelta(days=31)
HOUR = 3600


async def kept(here: Room) -> tuple[int, int, int]:
    """The numbers of games, log entries and results that the store holds for this server."""
    store = here.bot.parts.stores
    ids = [number for number in range(1, 10) if await store.games.get(number) is not None]
    page = await store.leaderboards.stats(here.world.guild.id, here.people[0].id)
    return len(ids), sum([len(await store.games.log(number)) for number in ids]), page.matches + page.practice_matches


def later(here: Room, time: timedelta) -> None:
    """Move the bot's clock forward."""
    now = here.bot.parts.clock.now
    here.bot.parts.clock.now = lambda: now() + time


@pytest.mark.thorough
async def test_the_moves_of_a_game_closed_long_ago_are_deleted(room_of: RoomOf):
    async with room_of(2, keep_games_days=2) as here:
        await here.begin(target=5)
        await here.finish()
        assert (await kept(here))[1] > 10
        await here.env.advance_time(FIRST_SECONDS + 60)
        assert (await kept(here))[1] > 10, "the moves are kept for two days"
        for _ in range(2):
            await here.env.advance_time(DAY_SECONDS + 60)
        assert await kept(here) == (1, 0, 1), "the result is kept forever"
        old = here.shown
        await here.press(here.people[1], old, "rematch")
        assert here.private_text(here.people[1])
        assert here.bot.parts.manager.at(here.channel.id) is None, "the moves are gone"


async def test_moves_are_kept_forever_when_no_limit_is_set(room_of: RoomOf):
    async with room_of(2, keep_games_days=0, keep_people_days=0) as here:
        await here.begin(target=5)
        await here.finish()
        before = await kept(here)
        later(here, timedelta(days=4_000))
        await here.bot.retention.delete_expired()
        assert await kept(here) == before


async def test_a_servers_data_is_deleted_a_month_after_it_removed_the_bot(room_of: RoomOf):
    async with room_of(2) as here:
        guild = here.world.guild.id
        await here.begin(target=5)
        await here.bot.parts.stores.values.set(f"guild_settings:{guild}", "{}")
        here.env.backend.remove_guild(guild)
        await here.env.settle()
        assert [*await here.bot.parts.stores.kept.departed()] == [guild]
        await here.bot.retention.delete_expired()
        assert (await kept(here))[0] == 1, "the server may add the bot again"
        later(here, MONTH)
        await here.bot.retention.delete_expired()
        assert await kept(here) == (0, 0, 0)
        assert await here.bot.parts.stores.values.get(f"guild_settings:{guild}") is None
        assert await here.bot.parts.stores.kept.departed() == {}


def keys_of_servers() -> set[Callable[[int], str]]:
    """The functions that make a server's keys in the store, wherever they are declared."""
    return {
        each
        for module in modules()
        for name, each in inspect.getmembers(module, inspect.isfunction)
        if name.endswith("_key") and [*inspect.signature(each).parameters] == ["guild_id"]
    }


async def test_whatever_is_kept_under_a_key_of_a_server_is_deleted_with_it(room_of: RoomOf):
    keys = keys_of_servers()
    assert guild_settings_key in keys
    async with room_of(1) as here:
        guild, values = here.world.guild.id, here.bot.parts.stores.values
        await here.bot.parts.guild_settings.change(guild, LanguageSettings, language="es")
        for key in keys - {guild_settings_key}:
            await values.set(key(guild), "{}")
        here.env.backend.remove_guild(guild)
        await here.env.settle()
        later(here, MONTH)
        await here.bot.retention.delete_expired()
        assert [key.__name__ for key in keys if await values.get(key(guild)) is not None] == []
        assert (await here.bot.parts.guild_settings.of(guild, LanguageSettings)).language is None, (
            "nothing is in memory"
        )


def starting(here: Room) -> Retention:
    """The retention of a bot that doesn't see any server yet."""

    async def finds(guild_id: int) -> bool:
        return False

    parts = here.bot.parts
    return Retention(
        parts.stores.database,
        parts.stores.kept,
        parts.stores.alone,
        parts.stores.tournaments,
        parts.clock,
        parts.manager,
        parts.guild_settings,
        parts.away,
        idle=parts.options.usual.pace.idle,
        days=0,
        here=lambda guild_id: False,
        finds=finds,
    )


async def test_nothing_of_a_server_is_deleted_before_it_is_known_which_servers_the_bot_is_in(room_of: RoomOf):
    async with room_of(2) as here:
        await here.begin(target=5)
        parts = here.bot.parts
        await parts.stores.kept.depart([here.world.guild.id], here.env.now() - MONTH)
        await starting(here).delete_expired()
        assert (await kept(here))[0] == 1


async def test_a_server_that_adds_the_bot_again_keeps_its_data(room_of: RoomOf):
    async with room_of(2) as here:
        guild: Any = here.bot.guilds[0]
        await here.begin(target=5)
        await here.bot.on_guild_remove(guild)
        assert [*await here.bot.parts.stores.kept.departed()] == [guild.id]
        await here.bot.on_guild_join(guild)
        assert await here.bot.parts.stores.kept.departed() == {}
        await here.bot.on_guild_remove(guild)
        later(here, MONTH)
        await here.bot.retention.delete_expired()  # the bot is a member, whatever the store says
        assert (await kept(here))[0] == 1
        assert await here.bot.parts.stores.kept.departed() == {}


async def test_an_outage_does_not_count_as_removing_the_bot(room_of: RoomOf):
    async with room_of(2) as here:
        await here.begin(target=5)
        here.env.backend.emit("GUILD_DELETE", {"id": str(here.world.guild.id), "unavailable": True})
        await here.env.settle()
        assert await here.bot.retention.compare_guilds(here.bot.served_shards.has, sure=False)
        assert await here.bot.parts.stores.kept.departed() == {}


async def open_elsewhere(here: Room, *guild_ids: int) -> None:
    """Put games of other servers into the database."""
    for guild_id in guild_ids:
        await here.bot.parts.stores.games.open(
            guild_id=guild_id, channel_id=guild_id, opener_id=1, locale="es", at=here.env.now(), entries=[]
        )


async def test_only_missing_servers_of_its_own_shards_are_noted(room_of: RoomOf):
    async with room_of(2) as here:
        store, other, here_too = here.bot.parts.stores, 77 << 22, here.world.guild.id
        await open_elsewhere(here, other, here_too)
        await store.kept.depart([here_too], here.env.now())
        assert await here.bot.retention.compare_guilds(lambda guild_id: guild_id != other, sure=False)
        assert await store.kept.departed() == {}, "it is on another process's shards"
        assert await here.bot.retention.compare_guilds(here.bot.served_shards.has, sure=False)
        assert await store.kept.departed() == {other: here.env.now()}


@pytest.mark.parametrize("sure", [False, True])
async def test_a_bot_that_is_in_none_of_the_servers_may_have_another_bots_database(
    room_of: RoomOf, caplog: pytest.LogCaptureFixture, sure: bool
):
    async with room_of(2) as here:
        await open_elsewhere(here, 77 << 22, 78 << 22)
        assert not await here.bot.retention.compare_guilds(here.bot.served_shards.has, sure=sure)
        assert {*await here.bot.parts.stores.kept.departed()} == ({77 << 22, 78 << 22} if sure else set())
        assert ("is it another bot's?" in caplog.text) is not sure


async def test_a_server_that_a_start_does_not_find_sleeps_and_is_deleted_after_a_month(room_of: RoomOf):
    async with room_of(2, turn_seconds=0) as here:
        await here.begin(target=5)
        guild_id = here.world.guild.id
        await here.bot.close()
        del here.env.backend.guilds[guild_id]
        await here.restart()
        assert (len(here.bot.parts.manager), here.bot.parts.manager.within()) == (1, [])
        since = here.env.now()
        await here.wait(20 * HOUR)
        await here.restart()
        assert await here.bot.parts.stores.kept.departed() == {guild_id: since}, "the month began before the restart"
        later(here, MONTH)
        await here.bot.retention.delete_expired()
        assert await kept(here) == (0, 0, 0)
        assert len(here.bot.parts.manager) == 0


async def test_what_somebody_did_is_erased_two_years_after_the_last_of_it(room_of: RoomOf):
    async with room_of(("Zebulona", "Bea")) as here:
        ana, bea = here.people
        await here.begin(target=5)
        await here.finish()
        stores, hour = here.bot.parts.stores, timedelta(hours=1)
        later(here, timedelta(days=700))
        await here.bot.parts.preferences.change(bea.id, LanguagePreference, language="es")
        later(here, timedelta(days=30) - hour)
        await here.bot.retention.delete_expired()
        assert (await stores.personal_data.of(ana.id)).results
        later(here, 2 * hour)
        await here.bot.retention.delete_expired()
        assert (await stores.personal_data.of(ana.id)).results == ()
        assert remembered(here.bot, ["Zebulona", "ZEBULONA"]) == []
        assert (await stores.personal_data.of(bea.id)).results, "she has done something since"


async def test_somebody_who_comes_back_while_others_are_erased_is_not(room_of: RoomOf, monkeypatch: pytest.MonkeyPatch):
    async with room_of(("Ana", "Bea")) as here:
        ana, bea = here.people
        await here.begin(target=5)
        await here.finish()
        stores, retention = here.bot.parts.stores, here.bot.retention
        later(here, timedelta(days=731))
        erase = retention._erases
        assert erase is not None

        async def erases(person_id: int) -> None:
            other = bea if person_id == ana.id else ana
            await here.bot.parts.preferences.change(other.id, LanguagePreference, language="es")
            await erase(person_id)

        monkeypatch.setattr(retention, "_erases", erases)
        await retention.delete_expired()
        left = [person for person in (ana, bea) if (await stores.personal_data.of(person.id)).results]
        assert len(left) == 1


async def test_a_server_with_nothing_but_settings_that_a_start_does_not_find_is_deleted_after_a_month(room_of: RoomOf):
    async with room_of(1) as here:
        guild_id, values = here.world.guild.id, here.bot.parts.stores.values
        await here.bot.parts.guild_settings.change(guild_id, LanguageSettings, language="es")
        await here.bot.close()
        del here.env.backend.guilds[guild_id]
        await here.restart()
        await here.bot.retention.compare_guilds(lambda _: True, sure=True)
        later(here, MONTH)
        await here.bot.retention.delete_expired()
        values = here.bot.parts.stores.values
        assert await values.get(guild_settings_key(guild_id)) is None


async def test_a_server_that_asks_the_bot_back_goes_on_at_the_next_start(room_of: RoomOf):
    async with room_of(2, turn_seconds=100) as here:
        await here.begin(target=5)
        version = here.table.version
        await here.bot.close()
        hidden = here.env.backend.guilds.pop(here.world.guild.id)
        await here.restart()
        await here.wait(20 * HOUR)
        here.env.backend.guilds[hidden.id] = hidden
        await here.restart()
        assert await here.bot.parts.stores.kept.departed() == {}
        assert here.table.version == version
        await here.wait(101)
        assert here.table.version > version


async def test_nothing_is_deleted_because_of_a_clock_if_discord_finds_the_bot_in_the_server(room_of: RoomOf):
    async with room_of(2) as here:
        await here.begin(target=5)
        guild_id = here.world.guild.id
        await here.bot.retention.guild_left(guild_id)  # on one wrong sign
        here.bot._connection._guilds.pop(guild_id)
        later(here, MONTH)
        await here.bot.retention.delete_expired()
        assert (await kept(here))[0] == 1


async def test_an_older_versions_note_that_a_server_is_missing_ends_nothing_at_once(room_of: RoomOf):
    async with room_of(2) as here:
        parts, back = here.bot.parts, here.world.guild.id
        await here.begin(target=5)
        await miss(parts.stores, back, here.env.now() - 2 * timedelta(days=1))
        await here.restart()
        assert len(here.bot.parts.manager.within()) == 1
        assert await here.bot.parts.stores.kept.departed() == {}


async def test_a_persons_second_request_about_their_data_waits_for_the_first(room_of: RoomOf):
    async with room_of(2) as here:
        ana, bea = here.people

        async def asked(person: Person, step: str) -> str:
            await here.open_data(person)
            await forge(person, person.panel(here.channel), step)
            return here.private_text(person)

        with here.bot.host.of(PrivacyParts).data_requests.one_at_a_time(ana.id):
            for step in ("p:data", "p:eraseyes"):
                assert await asked(ana, step) == (
                    "I'm still working on what you asked about your data. Please wait until that is done."
                )
            assert "Here is everything I keep about you" in await asked(bea, "p:data")
        assert "Here is everything I keep about you" in await asked(ana, "p:data")
