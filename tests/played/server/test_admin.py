"""/escoba-admin: shows the bot's owner how the bot is doing, and politely turns everybody else away."""

import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import discord
import pytest

from bot import __version__
from bot.platform.database.errors import Fault, StoreUnavailable
from bot.platform.language.catalogues import words
from bot.platform.operating.meter import Handled, Status
from bot.process.commands import COMMANDS_HASH, SYNC_AGAIN_SECONDS, last_sent
from bot.server.screens.admin import status_layout
from bot.tables.log.events import Phase
from tests.support.errors import Expected
from tests.support.escoba import Room, RoomOf, bot_maker, own, settings_for
from tests.support.fake_discord.entry_point import stored, switch_activities_on
from tests.support.layouts import words_of
from tests.support.people import Person, set_locale, text_of


async def asked(here: Room, person: Person) -> str:
    """The reply to `/escoba-admin`, which nobody else can see."""
    seen = {other.name: len(other.messages(here.channel)) for other in here.people if other is not person}
    await person.slash(here.channel, "escoba-admin")
    message = person.panel(here.channel)
    assert message.flags.ephemeral
    assert seen == {other.name: len(other.messages(here.channel)) for other in here.people if other is not person}
    return text_of(message)


async def test_only_server_managers_see_the_command_listed(room_of: RoomOf):
    async with room_of(2) as here:
        ana, bea = here.people
        role = here.world.guild.create_role("boss", permissions=discord.Permissions(manage_guild=True))
        here.env.backend.add_member_role(here.world.guild.id, ana.id, role.id)
        listed = [
            {
                command["name"]
                for command in here.env.backend.visible_commands(user_id=each.id, channel_id=here.channel.id)
            }
            for each in (ana, bea)
        ]
        assert listed == [{"escoba", "escoba-admin"}, {"escoba"}]


def has_admin(here: Room, guild_id: int | None) -> bool:
    """Whether a server has the command, or every server if `guild_id` is None."""
    return "escoba-admin" in {name for name, _ in here.env.backend.commands.get(guild_id, {})}


async def test_the_command_can_belong_to_one_home_server(room_of: RoomOf, tmp_path: Path):
    async with room_of(2) as here:
        ana = here.people[0]
        casa, away = here.world.guild.id, here.env.create_guild("Peña")
        assert has_admin(here, None)
        here.make = bot_maker(settings_for(tmp_path, home_server=casa))
        await here.restart()
        assert [has_admin(here, each) for each in (None, casa, away.id)] == [False, True, False]
        own(here, ana)
        assert "**Version:**" in await asked(here, ana)
        tree, store = here.bot.tree, here.bot.parts.stores
        assert [(await last_sent(tree, store.values, each))[1] for each in (None, casa, away.id)] == [
            False,
            True,
            False,
        ]
        here.make = bot_maker(settings_for(tmp_path, home_server=away.id))
        await here.restart()
        assert [has_admin(here, each) for each in (None, casa, away.id)] == [False, False, True]
        here.make = bot_maker(settings_for(tmp_path))
        await here.restart()
        assert [has_admin(here, each) for each in (None, casa, away.id)] == [True, False, False]


async def test_an_earlier_home_keeps_the_command_only_until_discord_takes_it_away(room_of: RoomOf, tmp_path: Path):
    """A proxy's "not found" doesn't mean that the bot has left it."""
    async with room_of(2) as here:
        casa, away = here.world.guild.id, here.env.create_guild("Peña")
        here.make = bot_maker(settings_for(tmp_path, home_server=casa))
        await here.restart()
        path = f"/applications/*/guilds/{casa}/commands"
        here.env.inject_error("PUT", path, status=404, code=0, times=1)
        here.make = bot_maker(settings_for(tmp_path, home_server=away.id))
        await here.restart()
        assert has_admin(here, casa)
        await here.wait(SYNC_AGAIN_SECONDS)
        assert [has_admin(here, each) for each in (casa, away.id)] == [False, True]


async def test_everything_else_works_until_the_bot_is_invited_to_its_home_server(
    room_of: RoomOf, caplog: pytest.LogCaptureFixture
):
    home = 614807913302851594
    async with room_of(1, home_server=home) as here:
        assert f"invite the bot to ESCOBA_HOME_SERVER ({home})" in caplog.text
        assert await here.bot.parts.stores.values.get(COMMANDS_HASH) is None, "it will try again"
        await here.people[0].slash(here.channel, "escoba play")
        sent = len(here.tap.to("PUT", f"/applications/*/guilds/{home}/commands"))
        await here.wait(SYNC_AGAIN_SECONDS)
        assert len(here.tap.to("PUT", f"/applications/*/guilds/{home}/commands")) == sent + 1


async def test_the_command_that_opens_an_activity_is_kept_as_it_is(room_of: RoomOf):
    async with room_of(1) as here:
        made = switch_activities_on(here.env.backend, name_localizations={"es-ES": "lanzar"}, description="Launch it")
        store = here.bot.parts.stores
        ids = here.bot.parts.wording.command_ids
        await store.values.set(COMMANDS_HASH, None)
        await here.bot.command_sync.run()
        assert stored(here.env.backend) == made
        assert has_admin(here, None)
        assert set(ids.ids) <= set(here.bot.parts.wording.command_ids.ids)
        assert await store.values.get(COMMANDS_HASH) is not None


async def test_the_owner_sees_how_the_bot_is_doing(room_of: RoomOf):
    async with room_of(3) as here:
        ana = here.people[0]
        own(here, ana)
        text = await asked(here, ana)
        assert f"**Version:** {__version__}" in text
        assert re.search(r"\*\*Started:\*\* <t:\d+:R>", text)
        assert "**Gateway:** 0 ms" in text
        assert "**Servers:** 1" in text
        assert "**Open tables:** 0 waiting, 0 playing" in text
        assert re.search(r"\*\*Database:\*\* \d\.\d MB · last entry: none yet", text)
        assert len(re.findall(r":\*\* 0$", text, re.MULTILINE)) == 4
        await here.lobby(here.people[1])
        assert "**Open tables:** 1 waiting, 0 playing" in await asked(here, ana)
        await here.press(ana, here.shown, "start")
        text = await asked(here, ana)
        assert here.table.phase is Phase.PLAYING
        assert "**Open tables:** 0 waiting, 1 playing" in text
        assert re.search(r"last entry: \d+ ms", text)


async def test_the_status_names_nobody(room_of: RoomOf):
    async with room_of(2) as here:
        own(here, here.people[0])
        await here.begin(target=5)
        text = re.sub(r"<t:\d+:R>", "", await asked(here, here.people[0]))
        assert re.findall(r"\d{6,}", text) == []
        assert not re.search("|".join([*(person.name for person in here.people), "Casa", "mesa"]), text)


async def test_every_member_of_the_owning_team_may_ask(room_of: RoomOf):
    async with room_of(3) as here:
        own(here, *here.people[:2])
        for person in here.people[:2]:
            assert "**Version:**" in await asked(here, person)
        assert "**Version:**" not in await asked(here, here.people[2])


async def test_others_are_refused_in_their_own_language(room_of: RoomOf):
    async with room_of(2) as here:
        bea = here.people[1]
        own(here, here.people[0])
        for locale in ("en-US", "es-ES", "ja"):
            set_locale(bea, locale)
            assert await asked(here, bea) == words(locale)("Sorry, that is only for the person who runs me."), locale


async def test_the_owner_is_looked_up_when_the_settings_name_none(room_of: RoomOf):
    async with room_of(2) as here:
        own(here, here.people[0])
        here.bot.owner_id = None
        assert "**Version:**" not in await asked(here, here.people[0])  # on SimCord, the bot owns its own application
        assert here.bot.user is not None
        assert here.bot.owner_id == here.bot.user.id


async def test_errors_and_failed_writes_are_counted(
    room_of: RoomOf, monkeypatch: pytest.MonkeyPatch, expected_errors: Expected
):
    expected_errors.append(("bot.platform.kit.interactions", "it broke"))

    def broken(*_: Any) -> None:
        raise RuntimeError("it broke")

    async def full(*_: Any, **__: Any) -> None:
        raise StoreUnavailable(Fault.DISK_FULL, "full")

    async with room_of(2) as here:
        ana = here.people[0]
        own(here, ana)
        await here.lobby()
        with monkeypatch.context() as patch:
            patch.setattr("cogs.tables.guide_layout", broken)
            await ana.slash(here.channel, "escoba rules")
            patch.setattr(here.bot.parts.stores.games, "append", full)
            await here.press(here.people[1], here.shown, "join")
        text = await asked(here, ana)
        assert "**Answers that failed:** 1" in text
        assert "**Entries that could not be saved:** 1" in text
        assert "**Messages that could not be shown:** 0" in text
        assert "**Errors in the log:** 1" in text
        here.bot.host.tools.meter.handled("click", None, Handled.FAILED, 0)
        assert "**Answers that failed:** 2" in await asked(here, ana)


def test_unknown_figures_are_shown_as_unknown():
    status = Status(
        version="1.2.3",
        started_at=datetime(2026, 3, 14, 12, tzinfo=UTC),
        latency=None,
        servers=3,
        lobbies=0,
        matches=0,
        database_bytes=None,
        last_append=None,
        answers_failed=0,
        store_failures=0,
        showings_failed=0,
        errors_logged=0,
    )
    text = words_of(status_layout(status, words("en")))
    assert "**Gateway:** not connected" in text
    assert "**Database:** ? · last entry: none yet" in text
